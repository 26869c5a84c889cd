"""The newest games of a run, move by move, from its shards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from philidor.core.errors import PhilidorError, RecordError
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.newgame import make_session
from philidor.frontends.web.runs.folder import RunsFolder
from philidor.frontends.web.runs.schema import ReplayList, ReplayView
from philidor.frontends.web.starts import Beginning, agreed_end
from philidor.games import split_name
from philidor.records import GameRecord, RecordReader

_MOST_PLIES = 2_000


def newest_games(folder: RunsFolder, catalog: Catalog, name: str, count: int) -> ReplayList:
    """Returns the last games of the newest shard that has any. Raises a PhilidorError."""
    for path in folder.shards(name):
        game, records = _last_records(path, count)
        if records:
            return ReplayList(game=game, games=[_replay(record, game, catalog) for record in reversed(records)])
    return ReplayList(game="", games=[])


def _last_records(path: Path, count: int) -> tuple[str, list[GameRecord]]:
    """Reads the last games of a shard, and which game they are of. Raises RecordError."""
    try:
        with RecordReader(path) as reader:
            split_name(reader.game)  # a file may name anything, and only games of the table are played
            return reader.game, [record for record in reader[-count:] if len(record) <= _MOST_PLIES]
    except (PhilidorError, OSError, ValueError) as error:
        reason = " ".join(str(error).split()).replace(str(path), path.name)
        raise RecordError(f"{path.name} cannot be shown: {reason}") from None


def _replay(record: GameRecord, name: str, catalog: Catalog) -> ReplayView:
    game = catalog.game(name)
    state = game.state(record.start)
    start, moves = state, list[Any]()
    for index in record.indices:
        legal = state.legal_moves()
        if index >= len(legal):
            raise RecordError(f"a game has no move {index} at ply {len(moves)}")
        moves.append(legal[index])
        state = state.play(legal[index])
    begun = Beginning(start=start, moves=moves, agreed=agreed_end(record, state))
    session = make_session(name, begun, catalog)
    drawer = session.drawer
    return ReplayView(
        board=drawer.board,
        start=drawer.position(start),
        moves=session.played,
        sides=drawer.sides,
        result=session.result,
    )
