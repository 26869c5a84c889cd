"""What games have in common in which two players put stones on a board in turn and none is ever taken away."""

from functools import cached_property

from philidor.core.errors import FenError


class StonesInTurn:
    """The part of a position that follows from its stones alone; X moves first."""

    stones: tuple[int, int]
    """Of X and of O, as bits."""

    @cached_property
    def ply(self) -> int:
        """Stones on the board."""
        return (self.stones[0] | self.stones[1]).bit_count()

    @property
    def to_move(self) -> int:
        """X moves first."""
        return self.ply % 2


def check_turns(x: int, o: int, text: str) -> None:
    """Refuses stones that were not put down in turn. Raises FenError."""
    if x.bit_count() - o.bit_count() not in (0, 1):
        raise FenError(f"X has as many stones as O or one more, got {x.bit_count()} and {o.bit_count()} in {text!r}")
