"""A whole game in one file: take one, two or three stones from a heap; who takes the last one wins (book, ch. 5.5)."""

from dataclasses import dataclass
from typing import Self

from philidor.core.errors import FenError, IllegalMoveError
from philidor.core.game import IDENTITY, Outcome


@dataclass(frozen=True)
class Heap:
    """A position; it never changes. A move is the number of stones taken."""

    stones: int
    ply: int  # moves made so far

    @property
    def to_move(self) -> int:
        return self.ply % 2

    @property
    def key(self) -> int:
        return 32 * self.stones + self.ply

    def legal_moves(self) -> list[int]:
        return list(range(1, min(3, self.stones) + 1))

    def play(self, move: int | str, /) -> Self:
        taken = self.parse_move(str(move))
        return type(self)(self.stones - taken, self.ply + 1)

    def is_over(self) -> bool:
        return self.stones == 0

    def outcome(self) -> Outcome | None:
        return Outcome(winner=1 - self.to_move, reason="last stone taken") if self.is_over() else None

    def move_text(self, move: int, /) -> str:
        return str(move)

    def parse_move(self, text: str, /) -> int:
        for move in self.legal_moves():
            if text.strip() == str(move):
                return move
        raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")

    def text(self) -> str:
        return f"{self.stones} stones after {self.ply}"

    def __str__(self) -> str:
        return f"{'o' * self.stones or '(empty)'}\nplayer {self.to_move + 1} to move"


class LastStone:
    """The rules, and what a network needs to know about the moves."""

    name = "last_stone.py:LastStone"
    action_count = 3
    symmetries = (IDENTITY,)
    max_plies = 21
    repetition_matters = False

    def state(self, text: str | None = None, /) -> Heap:
        match ("21 stones after 0" if text is None else text).split():
            case [stones, "stones", "after", ply] if {stones, ply} <= set(map(str, range(22))):
                return Heap(int(stones), int(ply))
        raise FenError(f"expected a heap such as '21 stones after 0', got {text!r}")

    def action_index(self, state: Heap, move: int, /) -> int:
        return move - 1
