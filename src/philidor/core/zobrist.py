"""Zobrist keys: one random 64-bit number per feature of a position, combined by exclusive or (Zobrist, 1970)."""

from functools import cache

from philidor.core.random import SplitMix64


@cache
def zobrist_numbers(name: str, count: int) -> tuple[int, ...]:
    """Returns `count` numbers that depend on `name` alone, so that keys agree between processes and runs."""
    # FNV-1a (Fowler, Noll and Vo) turns the name into a seed.
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = (seed ^ byte) * 0x100000001B3 % 2**64
    generator = SplitMix64(seed)
    return tuple(generator.next() for _ in range(count))
