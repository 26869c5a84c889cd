"""Finds the exact values of small Go boards: the points by which Black wins under best play, without komi.

    python benchmarks/go_values.py 1x9 2x5 3x3 [--suicide]

Area scoring and positional superko; only two passes end a game. By superko a position's value depends on the boards
before it. So a result is kept with what it rests on, and counts wherever that is the same: boards that were forbidden
to the loser must be so again, and boards that the winner makes must be allowed (compare Kishimoto and Müller 2004 on
graph history interaction). Of each bound either Black proves it or White the contrary, by iterative deepening.
"""

import argparse
import dataclasses
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from philidor.core.errors import ConfigError
from philidor.core.game import FIRST
from philidor.games import load_game
from philidor.games.go import Go, GoState

# One row and two rows of 1, 2, ... columns and so on (Drange et al. 1998, mathpuzzle.com/go).
KNOWN = {
    **{f"1x{n}": value for n, value in enumerate([0, 0, 3, 4, 0, 1, 2, 3, 0], 1)},
    **{f"2x{n}": value for n, value in enumerate([1, 0, 8, 10, 12, 14, 16, 18], 2)},
    **{f"3x{n}": value for n, value in enumerate([9, 4, 15, 18, 5, 24], 3)},
    **{f"4x{n}": value for n, value in enumerate([2, 20, 1, 4], 4)},
    "5x5": 25,
}
NOTHING = frozenset[str]()


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """Whether a player gets what they want within a number of plies, and what that rests on."""

    is_proved: bool
    depth: int
    forbidden: frozenset[str] = NOTHING
    """Boards of the past that the loser could not make again."""
    made: frozenset[str] = NOTHING
    """Boards that the winner makes."""

    def holds(self, depth: int, past: frozenset[str]) -> bool:
        """Says whether it is true of another past too, and of another depth: what is proved stays proved."""
        is_deep = self.is_proved or self.depth >= depth
        return is_deep and self.forbidden <= past and self.made.isdisjoint(past)


class Proof:
    """The search for a proof that one player, from a position, gets at least some points more than the other."""

    def __init__(self, start: GoState, player: int, points: int) -> None:
        self.start, self.player, self.points = start, player, points
        self.found = defaultdict[tuple[str, int, int], list[Found]](list)
        self.positions = 0

    def is_found(self, depth: int) -> bool:
        """Searches so many plies deep."""
        start = self.start
        return self._search(start.board, start.to_move, start.passes, start.past, depth).is_proved

    def _search(self, board: str, mover: int, passes: int, past: frozenset[str], depth: int) -> Found:
        # 1. What is known, and what the mover can end or nobody may look into any more.
        entries = self.found[board, mover, passes]
        known = next((each for each in entries if each.holds(depth, past)), None)
        if known is not None:
            return known
        self.positions += 1
        is_ours = mover == self.player
        if passes and self._is_enough(board) == is_ours:
            return Found(is_ours, depth)
        if depth == 0:
            return Found(False, depth)
        # 2. The stones, those that look best first, and the pass; a second one would end the game for the other.
        here = past | {board}
        boards = boards_after(self.start, board, mover)
        allowed = sorted(boards - here, key=lambda each: (self._points(each), each), reverse=is_ours)
        forbidden, made = set(boards & here), set[str]()
        is_proved = not is_ours
        for following in [*allowed, *([] if passes else [board])]:
            is_pass = following == board
            answer = self._search(following, 1 - mover, passes + 1 if is_pass else 0, here, depth - 1)
            if answer.is_proved == is_ours:
                is_proved = is_ours
                forbidden, made = set(answer.forbidden), set(answer.made) | (set() if is_pass else {following})
                break
            forbidden |= answer.forbidden
            made |= answer.made
        # 3. That this board itself is of the past needs no saying: so it is whenever the position comes.
        found = Found(is_proved, depth, frozenset(forbidden - {board}), frozenset(made))
        entries.append(found)
        return found

    def _points(self, board: str) -> int:
        return area(self.start, board) * (1 if self.player == FIRST else -1)

    def _is_enough(self, board: str) -> bool:
        return self._points(board) >= self.points


@cache
def boards_after(start: GoState, board: str, mover: int) -> frozenset[str]:
    """Returns what stones make of a board by the rules of the start, whatever was before."""
    state = dataclasses.replace(start, board=board, to_move=mover, passes=0, ko=None, ply=0, past=NOTHING)
    return frozenset(state.play(move).board for move in state.legal_moves()[:-1])


@cache
def area(start: GoState, board: str) -> int:
    """Returns Black's points less White's."""
    return sum(dataclasses.replace(start, board=board).ownership())


def value_of(start: GoState) -> tuple[int, int]:
    """Returns Black's points less White's under best play, and how many positions were searched for it."""
    low, high, positions = -start.grid.size, start.grid.size, 0
    while low < high:
        middle = (low + high + 1) // 2
        sides = Proof(start, 0, middle), Proof(start, 1, 1 - middle)
        depth = 0
        # One of them is true, and games by superko end.
        while not any(found := [side.is_found(depth) for side in sides]):
            depth += 1
        low, high = (middle, high) if found[0] else (low, middle - 1)
        positions += sum(side.positions for side in sides)
    return low, positions


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the values; returns 1 if one is not the known one."""
    parser = argparse.ArgumentParser(description="Exact values of small Go boards.")
    parser.add_argument("boards", nargs="+", metavar="BOARD", help="a size such as 1x9 or 3x3")
    parser.add_argument("--suicide", action="store_true", help="allow suicide of several stones")
    given = parser.parse_args(arguments)
    is_wrong = False
    for size in given.boards:
        try:
            game = load_game(f"go-{size},komi=0{',suicide=yes' if given.suicide else ''}")
        except ConfigError as error:
            parser.exit(2, f"{error}\n")
        assert isinstance(game, Go)
        begin = time.process_time()
        value, positions = value_of(game.state())
        time_s, known = time.process_time() - begin, KNOWN.get(size)
        is_wrong |= known is not None and known != value
        print(
            f"{size} {value:>3}, known {known!s:>4} {positions:>12,} positions {time_s:>8.1f} s of CPU time", flush=True
        )
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
