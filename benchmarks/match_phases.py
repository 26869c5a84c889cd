"""Says in which part of a match's games one engine loses points to the others, in the eyes of a third.

    python benchmarks/match_phases.py games.pgn --player nnue --judge stockfish --nodes 20000 --out runs/phases

Every ten plies (`--every`) the judge says what result the player may expect, from 0 to 1. What changes from one of
these positions to the next, and from the last one to the result, was won or lost there; the changes of a game add up to
its result less what its first position promised. The table adds them up by the ply at which they began, counted from
the game's first position, and by the pieces on the board there. It has no rows by score: whoever seems to be ahead has
been overestimated more often than not, so such rows would say little of the player.

Changes are in percent of a point per game, intervals (95 %) are by whole games. DIR/phases.jsonl has a line for each
judged game; stopped, the same command continues. Exit code 2 says that the judge or a file failed.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from measure import as_json, headline, machine

from philidor.arena.benches import Benches
from philidor.arena.engines import parse_engine
from philidor.arena.reference import Reference, reference
from philidor.arena.ruler import expected_score
from philidor.core.errors import PhilidorError
from philidor.core.markdown import table_lines
from philidor.core.processes import kept_busy
from philidor.core.runs import append_line, hold_folder, read_lines
from philidor.games.chess import Chess, Position
from philidor.records import GameRecord, PgnSource, Result

Facts: TypeAlias = dict[str, Any]
PLY_STEP, LAST_PLY = 20, 120
PIECE_STEP, MOST_PIECES = 4, 32
_POINTS = {Result.FIRST_WINS: 1.0, Result.DRAW: 0.5, Result.SECOND_WINS: 0.0}
_CONFIDENCE_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the player's that has ended."""

    record: GameRecord
    is_white: bool

    def key(self, judge: str, nodes: int, every: int) -> str:
        """The same for the same moves, player and questions."""
        return f"{self.record.content_hash():016x}-{int(self.is_white)}-{judge}-{nodes}-{every}"

    def points(self) -> float:
        """What the player got."""
        white = _POINTS[self.record.result]
        return white if self.is_white else 1 - white

    def positions(self, every: int) -> Iterator[tuple[int, Position]]:
        """Yields a position every so many plies, but not the end of the game."""
        for ply, position in enumerate(self.record.states(Chess())):
            assert isinstance(position, Position)
            if ply % every == 0 and ply < len(self.record) and not position.is_over():
                yield ply, position


class Change(NamedTuple):
    """What the player won or lost between two positions, and where that began."""

    game: int
    ply: int
    pieces: int
    points: float


def read_games(path: Path, player: str) -> list[Game]:
    """Reads the games of a player's that have a result. Raises PhilidorError."""
    games = []
    source = PgnSource([path], tags=("White", "Black"))
    for record in source:
        names = record.tags.get("White"), record.tags.get("Black")
        if record.result in _POINTS and (names[0] == player) != (names[1] == player) and len(record):
            games.append(Game(record, names[0] == player))
    if source.skipped:
        print(f"{path.name}: {sum(source.skipped.values())} broken games: {source.first_problem}", file=sys.stderr)
    if not games:
        raise PhilidorError(f"{path.name!r} has no finished game of {player!r} against another")
    return games


def judge_game(game: Game, judge: Reference, every: int) -> list[tuple[int, int, float]]:
    """Returns ply, number of pieces and the player's expectation for each judged position."""
    found = []
    for ply, position in game.positions(every):
        expected = expected_score(judge.score(position))
        is_player_to_move = (position.to_move == 0) == game.is_white
        pieces = sum(letter.isalpha() for letter in position.fen().split()[0])
        found.append((ply, pieces, expected if is_player_to_move else 1 - expected))
    return found


def judge_all(games: Sequence[Game], given: argparse.Namespace, keep: Callable[[int, Facts], None]) -> None:
    """Has games judged, as many at a time as there are to be. Raises PhilidorError."""
    judges = [reference(parse_engine(given.judge), given.nodes) for _ in range(given.concurrency)]
    benches = Benches(judges, lambda judge: judge.stop())

    def submit(number: int) -> Future[tuple[int, Facts]]:
        return benches.submit(lambda judge: (number, {"positions": judge_game(games[number], judge, given.every)}))

    try:
        for number, facts in kept_busy(submit, iter(range(len(games))), given.concurrency, None):
            keep(number, facts)
    finally:
        benches.close()
        for judge in judges:
            judge.close()


def changes(number: int, game: Game, positions: Sequence[tuple[int, int, float]]) -> Iterator[Change]:
    """Yields what was won and lost in a game."""
    expected = [each for _, _, each in positions]
    for (ply, pieces, _), (before, after) in zip(positions, pairwise([*expected, game.points()]), strict=True):
        yield Change(number, ply, pieces, after - before)


def row(name: str, found: Sequence[Change], games: int) -> Facts:
    """Adds up the changes of a phase."""
    by_game = [0.0] * games
    for change in found:
        by_game[change.game] += change.points
    error = _CONFIDENCE_95 * statistics.stdev(by_game) / math.sqrt(games) if games > 1 else None
    return {"phase": name, "positions": len(found), "points": sum(by_game) / games, "error": error}


def phases(found: Sequence[Change], games: int) -> list[Facts]:
    """Returns a row for all, for each range of plies and for each number of pieces."""
    rows = [row("all", found, games)]
    for ply in range(0, LAST_PLY + 1, PLY_STEP):
        is_last = ply == LAST_PLY
        name = f"plies {ply}+" if is_last else f"plies {ply}-{ply + PLY_STEP - 1}"
        rows.append(row(name, [c for c in found if ply <= c.ply and (is_last or c.ply < ply + PLY_STEP)], games))
    for most in range(MOST_PIECES, 0, -PIECE_STEP):
        least = most - PIECE_STEP + 1
        rows.append(row(f"{most}-{least} pieces", [c for c in found if least <= c.pieces <= most], games))
    return [each for each in rows if each["positions"]]


def run(given: argparse.Namespace) -> list[Facts]:
    """Judges what is not judged yet, and returns the rows. Raises PhilidorError."""
    given.out.mkdir(parents=True, exist_ok=True)
    path, _lock = given.out / "phases.jsonl", hold_folder(given.out)
    games = list(islice(read_games(given.games, given.player), given.first))
    keys = [game.key(given.judge, given.nodes, given.every) for game in games]
    rows = {line["id"]: line for line in read_lines(path)}
    todo = [number for number, key in enumerate(keys) if key not in rows]

    def keep(place: int, facts: Facts) -> None:
        key = keys[todo[place]]
        rows[key] = {"id": key, **facts}
        append_line(path, rows[key])

    if todo:
        judge_all([games[number] for number in todo], given, keep)
    found = [
        change
        for number, (key, game) in enumerate(zip(keys, games, strict=True))
        for change in changes(number, game, rows[key]["positions"])
    ]
    return phases(found, len(games))


def table(rows: Sequence[Facts]) -> str:
    """Writes the rows in Markdown."""

    def cells(each: Facts) -> list[str]:
        error = "" if each["error"] is None else f" ± {100 * each['error']:.1f}"
        return [each["phase"], f"{each['positions']:,}", f"{100 * each['points']:+.1f}{error}"]

    return "\n".join(
        table_lines(["phase", "positions", "won or lost, % of a point per game"], [cells(each) for each in rows])
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="Where a match's games are won and lost, in a third engine's eyes.")
    parser.add_argument("games", type=Path, metavar="GAMES.pgn", help="games of a match")
    parser.add_argument("--player", required=True, metavar="NAME", help="whose points are counted, by the PGN's name")
    parser.add_argument("--judge", default="stockfish", metavar="ENGINE", help="a player of ours or a UCI program")
    parser.add_argument("--nodes", type=int, default=20_000, metavar="N", help="nodes a position")
    parser.add_argument("--every", type=int, default=10, metavar="N", help="plies from one judged position to the next")
    parser.add_argument("--first", type=int, metavar="N", help="judge the first N games only")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="judges at a time")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the results so far")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    if min(given.nodes, given.every, given.concurrency, 1 if given.first is None else given.first) < 1:
        parser.error("--nodes, --every, --first and --concurrency are at least 1")
    where = machine()
    try:
        rows = run(given)
    except (PhilidorError, OSError) as error:
        parser.exit(2, f"{error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "stopped; the same command continues\n")
    print(as_json("match_phases", where, rows) if given.json else f"{headline(where)}\n\n{table(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
