"""Which games are played next: each number once, also in a run that was killed and goes on."""

from collections.abc import Iterable


class Numbers:
    """Counts up from 0, without the numbers that are taken, up to an end that may be moved; or only those given."""

    def __init__(self, taken: Iterable[int] = (), given: Iterable[int] | None = None) -> None:
        known = set(taken)
        self.counts_up = given is None
        """Whether there are numbers after the given ones."""
        self.end: int | None = None
        """Numbers from here on are not given out; None for no end."""
        self.next = max(known, default=-1) + 1 if given is None else -1
        self.gaps = [number for number in (range(self.next) if given is None else given) if number not in known]
        """Numbers below `next` that nobody has played; `next` is -1 where only given ones are played."""

    def has_next(self) -> bool:
        """Says whether there is a number to take."""
        if not self.gaps and not self.counts_up:
            return False
        return self.end is None or self._first() < self.end

    def take(self) -> int:
        """Takes the lowest number."""
        if self.gaps:
            return self.gaps.pop(0)
        self.next += 1
        return self.next - 1

    def _first(self) -> int:
        return self.gaps[0] if self.gaps else self.next
