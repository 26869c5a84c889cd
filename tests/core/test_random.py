"""The shared generator draws the published sequence and fair indices."""

from collections import Counter

from philidor.core.random import SplitMix64


def test_splitmix64_draws_the_published_sequence() -> None:
    # The reference C code's first numbers for seed 1234567, as quoted by several implementations.
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_seeds_wrap_at_64_bits() -> None:
    assert SplitMix64(-1).next() == SplitMix64(2**64 - 1).next() == SplitMix64(2**65 - 1).next()


def test_below_draws_every_index_about_equally_often() -> None:
    generator = SplitMix64(7)
    counts = Counter(generator.below(7) for _ in range(70_000))
    assert sorted(counts) == list(range(7))
    # Five standard deviations of a binomial with mean 10,000 are 463.
    assert all(abs(count - 10_000) < 463 for count in counts.values())


def test_below_draws_even_when_there_is_one_choice() -> None:
    generator = SplitMix64(1)
    assert generator.below(1) == 0
    assert generator.state != 1
