"""Positions of people's games, drawn so that the same question gets the same positions wherever the files stand.

A position is drawn by the hash of its game and its ply: of each rating band the ones with the smallest hashes. The
order of files and games, and games that are there twice, change nothing; a larger sample contains the smaller one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from philidor.core.config import spin, text, validate
from philidor.core.errors import ConfigError, RecordError
from philidor.games import known_game
from philidor.records import GameRecord, PgnSource, RecordReader, Result
from philidor.records.native import Record, RecordBatch, from_native, part_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.core.game import AnyGame, AnyState

DEFAULT_BANDS = ("1000-1399", "1400-1599", "1600-1799", "1800-1999", "2000-2199", "2200-2499")
EVERYBODY = "all"
_BAND = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
_MAGIC = b"\x89REC"
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, slots=True)
class Band:
    """Ratings from `low` to `high`, both included; a band from 0 takes movers without a rating too."""

    low: int
    high: int
    name: str

    @classmethod
    def parse(cls, text: str) -> Band:
        """Reads "1000-1399" or "all". Raises ConfigError."""
        if text == EVERYBODY:
            return cls(0, 9999, text)
        found = _BAND.fullmatch(text)
        if found is None or int(found[1]) > int(found[2]):
            raise ConfigError(f"a band is written 1000-1399, or all for everybody, got {text!r}")
        return cls(int(found[1]), int(found[2]), text)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleConfig:
    """Which positions are judged."""

    part: Literal["train", "validation", "test", "all"] = "test"
    """Part of the games: the fixed split that training keeps to, so test games were never learned from."""
    bands: tuple[str, ...] = field(default=DEFAULT_BANDS, metadata=text())
    """Rating bands of the player to move, as 1000-1399; "all" is everybody, with or without a rating."""
    positions: int = field(default=5000, metadata=spin(None, 0, 100_000_000))
    """Positions to draw from each band; 0 takes all."""
    min_ply: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Plies at the start of each game to leave out."""
    seed: int = field(default=1, metadata=spin(None, 0, (1 << 63) - 1))
    """Seed of the draw."""

    def __post_init__(self) -> None:
        validate(self)
        bands = sorted((band.low, band.high) for band in self.parsed_bands())
        if any(low <= before for (_, before), (low, _) in pairwise(bands)):
            raise ConfigError(f"bands must not overlap, got {', '.join(self.bands)}")
        if not bands:
            raise ConfigError("there must be at least one band")

    def parsed_bands(self) -> list[Band]:
        """Returns the bands. Raises ConfigError."""
        return [Band.parse(text) for text in self.bands]


@dataclass(frozen=True, slots=True)
class SampledGame:
    """A game and the plies that were drawn from it."""

    number: int
    """Its place in the sample: what clusters are named by."""
    record: GameRecord
    plies: tuple[int, ...]
    """Ascending."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Positions game by game; row i of each column is position i."""

    game: AnyGame
    bands: tuple[str, ...]
    games: list[SampledGame]
    cluster: NDArray[np.int64]  # [n]
    """The game's number."""
    ply: NDArray[np.int64]  # [n]
    band: NDArray[np.int64]  # [n]
    """Place in `bands`."""
    ratings: NDArray[np.int64]  # [n, 2]
    """Of the player to move and of the other; 0 is not known."""
    value: NDArray[np.float64]  # [n]
    """The game's result for the player to move, -1 to 1; NaN if it is not known."""

    def __len__(self) -> int:
        return len(self.ply)

    def positions(self) -> Iterator[tuple[AnyState, int]]:
        """Replays the games: yields each position with the place of the move played among the legal moves."""
        for game in self.games:
            wanted = iter(game.plies)
            ply = next(wanted, None)
            for number, state in enumerate(game.record.states(self.game)):
                if number == ply:
                    yield state, game.record.indices[number]
                    ply = next(wanted, None)
                if ply is None:
                    break

    def kept(self, rows: NDArray[np.bool_]) -> Sample:
        """Returns a part of the positions; the games keep their numbers' order."""
        plies = iter(rows.tolist())
        parts = [(game, tuple(ply for ply in game.plies if next(plies))) for game in self.games]
        games = [SampledGame(place, game.record, own) for place, (game, own) in enumerate(p for p in parts if p[1])]
        _, cluster = np.unique(self.cluster[rows], return_inverse=True)
        columns = (self.ply[rows], self.band[rows], self.ratings[rows], self.value[rows])
        return Sample(self.game, self.bands, games, cluster.astype(np.int64), *columns)


Report = Callable[[int], None]
"""Told how many games have been looked at."""


def draw_sample(files: Sequence[Path], config: SampleConfig, report: Report = lambda _: None) -> Sample:
    """Draws positions from `.rec` and PGN files, compressed or not.

    Raises RecordError, PgnError, and ConfigError if there is nothing to draw.
    """
    if not files:
        raise ConfigError("no file to draw positions from")
    game: AnyGame | None = None
    draw: _Draw | None = None
    for path in files:
        found, batches = _open(path)
        if game is not None and found.name != game.name:
            raise ConfigError(f"{str(path)!r} has games of {found.name}, the files before it of {game.name}")
        game = found if game is None else game
        draw = _Draw(config, game) if draw is None else draw
        for batch in batches:
            draw.add(batch)
            report(draw.seen)
    assert draw is not None
    sample = draw.sample()
    if not len(sample):
        raise ConfigError(
            f"none of the {draw.seen:,} games has a position to judge: part {config.part}, "
            f"bands {', '.join(config.bands)}; part all takes every game, band all everybody, rated or not"
        )
    return sample


def _open(path: Path) -> tuple[AnyGame, Iterator[RecordBatch]]:
    """Tells records from PGN by their first bytes. Raises RecordError, LoadError."""
    try:
        with path.open("rb") as file:
            is_record = file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise RecordError(f"cannot read {str(path)!r}: {(error.strerror or str(error)).lower()}") from None
    if not is_record:
        return known_game("chess"), PgnSource([path], annotations=False).batches()
    reader = RecordReader(path)
    reader.warn_of_losses()
    return known_game(reader.game, repr(str(path))), reader.batches()


_Piece: TypeAlias = "tuple[NDArray[np.uint64], NDArray[np.int64]]"
"""Keys [n], and game and ply of each [n, 2]."""
_NO_POSITIONS: _Piece = (np.zeros(0, np.uint64), np.zeros((0, 2), np.int64))
_SLACK = 1000


class _Draw:
    """Keeps, for each band, the positions with the smallest keys so far."""

    def __init__(self, config: SampleConfig, game: AnyGame) -> None:
        self.seen = 0
        self._config, self._game = config, game
        self._bands = config.parsed_bands()
        self._wanted = config.positions
        self._seed = np.uint64(config.seed)
        self._kept: list[list[_Piece]] = [[_NO_POSITIONS] for _ in self._bands]
        self._limits = [2**64 - 1] * len(self._bands)
        self._records: dict[int, Record] = {}
        self._known: dict[int, int] = {}
        self._first_movers: dict[str, int] = {"": game.state().to_move}

    def add(self, batch: RecordBatch) -> None:
        """Looks at more games."""
        for number, (_, _, plies, first, second, *_) in enumerate(batch.facts()):
            self.seen += 1
            ratings = (first, second)
            bands = [self._band(rating) for rating in ratings]
            if plies <= self._config.min_ply or bands == [None, None]:
                continue
            record = batch[number]
            if self._config.part not in ("all", part_name(record)):
                continue
            self._add_game(record, self._mover(record.start), plies, bands)

    def _band(self, rating: int) -> int | None:
        return next((place for place, band in enumerate(self._bands) if band.low <= rating <= band.high), None)

    def _mover(self, start: str) -> int:
        if start not in self._first_movers:
            self._first_movers[start] = self._game.state(start).to_move
        return self._first_movers[start]

    def _add_game(self, record: Record, mover: int, plies: int, bands: list[int | None]) -> None:
        identity = record.content_hash(0)
        if identity in self._known:
            return  # a game that is there twice counts once
        for side, band in enumerate(bands):
            if band is None:
                continue
            ply = np.arange(self._config.min_ply, plies)
            ply = ply[(ply + mover) % 2 == side]
            keys = position_keys(identity, ply, self._seed)
            is_small = keys <= np.uint64(self._limits[band])
            if is_small.any():
                number = self._known.setdefault(identity, len(self._known))
                self._records[number] = record
                self._keep(band, keys[is_small], number, ply[is_small])

    def _keep(self, band: int, keys: NDArray[np.uint64], number: int, plies: NDArray[np.int64]) -> None:
        self._kept[band].append((keys, np.stack([np.full(len(plies), number), plies], axis=1)))
        if self._wanted and sum(len(keys) for keys, _ in self._kept[band]) > 2 * self._wanted + _SLACK:
            self._prune(band)

    def _prune(self, band: int) -> None:
        """Puts the pieces of a band together and drops what is beyond the number wanted."""
        keys, places = (np.concatenate(column) for column in zip(*self._kept[band], strict=True))
        if self._wanted and len(keys) > self._wanted:
            order = np.argsort(keys, kind="stable")[: self._wanted]
            keys, places = keys[order], places[order]
            self._limits[band] = int(keys[-1])
        self._kept[band] = [(keys, places)]
        used = {number for kept in self._kept for _, places in kept for number in places[:, 0].tolist()}
        self._records = {number: record for number, record in self._records.items() if number in used}

    def sample(self) -> Sample:
        """Returns what was drawn."""
        for band in range(len(self._bands)):
            self._prune(band)
        drawn = [kept[0][1] for kept in self._kept]
        places = np.concatenate(drawn)
        bands = np.repeat(np.arange(len(self._bands)), [len(each) for each in drawn])
        # By what a game is, not by where it stood: the order of files and games shall change nothing.
        identities = {number: identity for identity, number in self._known.items()}
        names = np.array([identities[number] for number in places[:, 0].tolist()], np.uint64)
        order = np.lexsort((places[:, 1], names))
        places, bands = places[order], bands[order]
        numbers, starts = np.unique(names[order], return_index=True)
        bounds = [*starts.tolist(), len(places)]
        games = [
            SampledGame(place, from_native(self._records[int(places[start, 0])]), tuple(places[start:end, 1].tolist()))
            for place, (start, end) in enumerate(pairwise(bounds))
        ]
        cluster = np.repeat(np.arange(len(numbers)), np.diff(bounds))
        names_of_bands = tuple(band.name for band in self._bands)
        return Sample(self._game, names_of_bands, games, cluster, places[:, 1], bands, *self._facts(games))

    def _facts(self, games: list[SampledGame]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Returns ratings and values of all rows, in the mover's view."""
        ratings: list[tuple[int, int]] = []
        values: list[float] = []
        for game in games:
            record = game.record
            known = (record.ratings[0] or 0, record.ratings[1] or 0)
            won = {Result.FIRST_WINS: 1.0, Result.DRAW: 0.0, Result.SECOND_WINS: -1.0}.get(record.result, np.nan)
            first = self._mover(record.start or "")
            for ply in game.plies:
                is_first = (ply + first) % 2 == 0
                ratings.append(known if is_first else known[::-1])
                values.append(won if is_first else -won)
        return np.array(ratings, np.int64).reshape(-1, 2), np.array(values, np.float64)


def position_keys(identity: int, plies: NDArray[Any], seed: np.uint64) -> NDArray[np.uint64]:
    """Returns a 64-bit number for each position of a game, as if drawn at random (SplitMix64's mixing)."""
    with np.errstate(over="ignore"):
        z = np.uint64(identity) + _STEP * (plies.astype(np.uint64) + np.uint64(1)) + _mixed(seed + _STEP)
        keys: NDArray[np.uint64] = _mixed(z)
        return keys


def _mixed(z: Any) -> Any:
    with np.errstate(over="ignore"):
        z = (z ^ (z >> np.uint64(30))) * _MIX[0]
        z = (z ^ (z >> np.uint64(27))) * _MIX[1]
        return z ^ (z >> np.uint64(31))
