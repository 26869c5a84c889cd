"""Whether games that strangers hand in can be what they claim: each is replayed by the rules (book, ch. 4.4.3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from philidor.core.errors import PhilidorError, RecordError
from philidor.pipelines.zero.games import check_shard
from philidor.records import GameRecord, RecordReader, Result
from philidor.records.record import CAPPED, PlyFlag
from philidor.selfplay.pool.games import NUMBER, POLICY_PARTS

if TYPE_CHECKING:
    from philidor.core.game import AnyGame, AnyState
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.pipelines.zero.ledger import Lot
    from philidor.selfplay.pool import PoolConfig


def checked_by_replay(recipe: ZeroRecipe, progress: Callable[[], int]) -> Callable[[Path, Lot, AnyGame], None]:
    """Returns a check for `Desk`: the shard is the whole of its lot, and every game in it can have been played.

    `progress` says which generation is learning, which decides how long searches may be.
    """

    def check(path: Path, lot: Lot, game: AnyGame) -> None:
        check_shard(path, lot, game)
        # Games that were begun in one stage may end in the next.
        stages = {
            recipe.at(generation).self_play for generation in (max(0, progress() - 2), progress(), progress() + 1)
        }
        with RecordReader(path) as reader:
            for record in reader:
                try:
                    check_game_record(record, game, list(stages))
                except PhilidorError as error:
                    raise RecordError(f"game {record.tags.get(NUMBER)}: {error}") from None

    return check


def check_game_record(record: GameRecord, game: AnyGame, configs: list[PoolConfig]) -> None:
    """Replays a game of self-play. Raises RecordError for what cannot be, with any of these settings."""
    if record.start is not None:
        raise RecordError("it does not begin where games begin")
    if set(record.tags) != {NUMBER}:
        raise RecordError(f"it has tags that no game of self-play has: {sorted(record.tags)}")
    if record.visits is None or record.wdl is None or record.flags is None:
        raise RecordError("it lacks the searches' results")
    state: AnyState = game.state(None)
    limit = max(config.simulations for config in configs)
    if any(config.teaches_parts for config in configs):
        limit = max(limit, POLICY_PARTS + game.action_count)
    openings = max(config.opening_plies for config in configs)
    is_opening = True
    for ply, index in enumerate(record.indices):
        if state.outcome() is not None:
            raise RecordError(f"it goes on after its end, at ply {ply}")
        legal = state.legal_moves()
        if index >= len(legal):
            raise RecordError(f"move {index} at ply {ply}, where there are {len(legal)} legal moves")
        is_opening = is_opening and ply < openings and not record.visits[ply]
        if not is_opening:
            _check_search(record, ply, len(legal), limit)
        elif not record.flags[ply] & PlyFlag.CHEAP:
            raise RecordError(f"there was no search at ply {ply}, and no opening move either")
        state = state.play(legal[index])
    _check_end(record, state, configs)


def _check_search(record: GameRecord, ply: int, moves: int, limit: int) -> None:
    """Refuses visits that do not add up."""
    assert record.visits is not None
    assert record.wdl is not None
    visits, total = record.visits[ply], sum(record.visits[ply].values())
    if not visits or total < 1:
        raise RecordError(f"there was no search at ply {ply}")
    if max(visits) >= moves:
        raise RecordError(f"a search at ply {ply} visited move {max(visits)}, where there are {moves} legal moves")
    if total > limit:
        raise RecordError(f"{total} visits at ply {ply}, where a search has {limit}")
    if record.wdl[ply] is None:
        raise RecordError(f"the search at ply {ply} expected nothing")


def _check_end(record: GameRecord, state: AnyState, configs: list[PoolConfig]) -> None:
    outcome = state.outcome()
    if outcome is None:
        is_capped = record.termination == CAPPED and len(record) in {config.max_plies for config in configs}
        result, termination = Result.DRAW, CAPPED
        if not is_capped:
            raise RecordError(f"it is not over after {len(record)} plies")
    else:
        result, termination = Result.from_outcome(outcome), outcome.reason
    if (record.result, record.termination) != (result, termination):
        raise RecordError(f"it ended {result.text} by {termination}, not {record.result.text} by {record.termination}")
