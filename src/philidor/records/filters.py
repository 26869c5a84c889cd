"""Which games to keep: by rating, result, length and novelty."""

from collections.abc import Collection
from dataclasses import dataclass

from philidor.core.errors import ConfigError
from philidor.records.native import NativeFilter
from philidor.records.record import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFilter:
    """A choice of games. A game with an unknown rating passes only where no rating is asked for."""

    min_rating: int | None = None
    """The weaker player has at least this rating."""
    max_rating: int | None = None
    """The stronger player has at most this rating."""
    max_gap: int | None = None
    """The ratings differ by at most this."""
    results: Collection[Result] = tuple(Result)
    min_plies: int | None = None
    max_plies: int | None = None
    deduplicate: bool = False
    """Drops a game that has the same start, moves and result as one before."""

    def __post_init__(self) -> None:
        for name in ("min_rating", "max_rating", "max_gap", "min_plies", "max_plies"):
            value, least = getattr(self, name), int(name in {"max_rating", "max_plies"})
            if value is not None and not least <= value < 2**31:
                raise ConfigError(f"{name} must be at least {least}, got {value}")
        for low, high in ((self.min_rating, self.max_rating), (self.min_plies, self.max_plies)):
            if low is not None and high is not None and low > high:
                raise ConfigError(f"the least must not be more than the most, got {low} and {high}")

    def start(self) -> NativeFilter:
        """Returns a filter at work: `apply` drops games from batches, `dropped` counts them by reason."""
        return NativeFilter(
            min_rating=self.min_rating or 0,
            max_rating=self.max_rating or 0,
            max_gap=-1 if self.max_gap is None else self.max_gap,
            min_plies=self.min_plies or 0,
            max_plies=self.max_plies or 0,
            results=sum(1 << result for result in self.results),
            deduplicate=self.deduplicate,
        )
