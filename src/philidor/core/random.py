"""The random numbers of reproducible searches: the same seed gives the same draws here and in the C++ core.

SplitMix64 (Steele, Lea and Flood 2014): a counter that steps by the golden ratio, then two rounds of mixing. Its
state is one number and its whole definition six lines, so both languages can hold it without sharing code;
cpp/search/random.h is the twin.
"""

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class SplitMix64:
    """A stream of 64-bit random numbers from a seed."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """Draws the next number, 0 to 2**64 - 1."""
        self.state = (self.state + _STEP) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Draws an index, 0 to n - 1.

        The draw is scaled, not reduced modulo n: no division, and for the n of a move list the odds of any two
        indices differ by less than one part in 2**55. Exactly one draw, even for n = 1, keeps the twins in step.
        """
        return (self.next() * n) >> 64


def game_random(seed: int, number: int) -> SplitMix64:
    """Returns the random numbers of one of many games: its seed is draw `number` of theirs."""
    return SplitMix64(SplitMix64(seed + number * _STEP).next())
