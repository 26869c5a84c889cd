"""What a collection of games is made of: results, lengths, ratings, sources."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from philidor.core.errors import RecordError
from philidor.records.filters import RecordFilter
from philidor.records.native import RecordBatch
from philidor.records.reader import Losses, RecordReader
from philidor.records.record import Result

COLUMNS = ("scores", "wdl", "flags", "visits", "clocks")
RATING_BAND = 100


@dataclass(slots=True)
class Statistics:
    """Counts over games; `add` takes them in bulk."""

    game: str = "chess"
    bytes: int = 0
    games: int = 0
    duplicates: int = 0
    """Games whose start, moves and result came before."""
    results: Counter[Result] = field(default_factory=Counter)
    terminations: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    """Plies -> games."""
    ratings: Counter[int] = field(default_factory=Counter)
    """Rating -> players."""
    bands: Counter[tuple[int, Result]] = field(default_factory=Counter)
    """(both players' mean rating, rounded down to hundreds; result) -> games."""
    sources: Counter[str] = field(default_factory=Counter)
    columns: Counter[str] = field(default_factory=Counter)
    other_starts: int = 0
    losses: list[tuple[str, Losses]] = field(default_factory=list)
    """File -> what is missing from it, where anything is."""

    def add(self, batch: RecordBatch) -> None:
        """Counts the games of a batch."""
        for result_number, termination, plies, first, second, source, has_start, columns in batch.facts():
            result = Result(result_number)
            self.games += 1
            self.results[result] += 1
            self.terminations[termination] += 1
            self.lengths[plies] += 1
            self.sources[source] += 1
            self.other_starts += has_start
            for rating in (first, second):
                if rating:
                    self.ratings[rating] += 1
            if first and second:
                self.bands[(first + second) // 2 // RATING_BAND * RATING_BAND, result] += 1
            if columns:
                self.columns.update(name for bit, name in enumerate(COLUMNS) if columns >> bit & 1)

    @property
    def plies(self) -> int:
        """Moves of both sides, over all games."""
        return sum(plies * games for plies, games in self.lengths.items())

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name, for JSON."""
        return {
            "game": self.game,
            "bytes": self.bytes,
            "games": self.games,
            "duplicates": self.duplicates,
            "plies": self.plies,
            "length": spread(self.lengths),
            "rating": spread(self.ratings),
            "rated_games": sum(self.bands.values()),
            "results": {result.text: self.results[result] for result in Result},
            "terminations": {name or "unknown": count for name, count in self.terminations.most_common()},
            "columns": {name: self.columns[name] for name in COLUMNS},
            "other_starts": self.other_starts,
            "sources": len(self.sources),
            "largest_sources": dict(self.sources.most_common(10)),
            "rating_bands": {band: sum(self.bands[band, result] for result in Result) for band in self.band_names()},
            "losses": {path: str(losses) for path, losses in self.losses},
        }

    def band_names(self) -> list[int]:
        """The hundreds of rating that occur, in order."""
        return sorted({band for band, _ in self.bands})


def spread(counts: Counter[int]) -> dict[str, float] | None:
    """Least, quartiles, mean and most of numbers given as value -> how often; None if there are none."""
    total = counts.total()
    if total == 0:
        return None
    values = sorted(counts)
    wanted = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}
    result: dict[str, float] = {"least": values[0]}
    seen = 0
    for value in values:
        seen += counts[value]
        for name, share in wanted.items():
            if name not in result and seen >= share * total:
                result[name] = value
    result["mean"] = sum(value * count for value, count in counts.items()) / total
    result["most"] = values[-1]
    return result


def collect(paths: Iterable[Path]) -> Statistics:
    """Counts the games of `.rec` files; they must be of the same kind. Raises RecordError."""
    statistics = Statistics()
    distinct = RecordFilter(deduplicate=True).start()
    for number, path in enumerate(paths):
        with RecordReader(path) as reader:
            if number and reader.game != statistics.game:
                raise RecordError(f"{str(path)!r} has games of {reader.game}, not {statistics.game}")
            statistics.game = reader.game
            statistics.bytes += path.stat().st_size
            if reader.losses:
                statistics.losses.append((str(path), reader.losses))
            for batch in reader.batches():
                statistics.add(batch)
                distinct.apply(batch)
    statistics.duplicates = distinct.dropped.get("duplicate", 0)
    return statistics
