"""Games into training data: shuffled batches of encoded positions from `.rec` files of any size (book, ch. 4.1.3).

One loader for everything that learns from whole games: human games, engine games, self-play. The games are replayed and
encoded in C++, over and over, by threads that work ahead; in memory are eight bytes a game and about two chunks of
`shuffle` positions, however large the files are. cpp/train/game_batches.h says how the order is made;
docs/training-data.md how random it is.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError, RecordError
from philidor.encodings.encoding import Batch
from philidor.records.filters import RecordFilter
from philidor.records.reader import Losses, map_file
from philidor.records.record import Result
from philidor.train.native import (
    GameIndex,
    GameIndexOptions,
    GamePart,
    GameStream,
    GameStreamOptions,
    index_games,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding

_log = logging.getLogger(__name__)

NO_SCORE = -32768
"""Stands in `GameBatch.score` where no engine judged the position."""
NO_CLOCK = -1

Part = Literal["train", "validation", "test", "all"]
"""98, 1 and 1 % of the games. A game's part follows from its start, moves and result; no option changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDataConfig:
    """Which positions are learned from, and in what order."""

    batch: int = field(default=4096, metadata=spin(None, 1, 1_000_000))
    """Positions in a batch."""
    passes: int = field(default=8, metadata=spin(None, 1, 10_000))
    """Visits to each game in an epoch, each for another part of its positions. More cost time and shuffle better."""
    shuffle: int = field(default=65_536, metadata=spin(None, 1, 100_000_000))
    """Positions that are shuffled together; two such chunks are in memory, about a kilobyte a position in chess."""
    order: Literal["shuffled", "recorded"] = "shuffled"
    """Shuffled, or as the files have them."""
    learn_from: Literal["moves", "visits", "scores"] = "moves"
    """Take all positions, or only those with a full search's visits, or only those with an engine's score."""
    skip_plies: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Plies at the start of each game to leave out."""
    drop_history: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """Share of the positions that are shown without their past, as if set up from a FEN."""
    trace: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """λ of TD(λ): share of a batch's `search_wdl` that comes from the searches of later plies and from the result."""
    symmetries: bool = False
    """Show each position in one of its symmetric forms, drawn by chance each time; for boards that have some."""
    weighting: Literal["none", "loss", "sampling"] = "none"
    """Balance the rating bands by each position's weight in the loss, or by how often it is in an epoch, or not."""
    rating_bands: tuple[int, ...] = (1400, 1600, 1800, 2000, 2200, 2500)
    """Ratings of the player to move at which a new band begins."""
    max_weight: float = field(default=3.0, metadata=real(None, 1.0, 1000.0))
    """Largest weight of a band; a band's weight is its size to the power -0.5, the mean being 1."""
    min_rating: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Lowest rating of the weaker player; 0 for any, known or not."""
    max_gap: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Largest difference of the ratings; 0 for any."""
    rated_only: bool = False
    """Leave out games in which a rating is not known."""
    decisive_only: bool = False
    """Leave out draws."""
    min_plies: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Shortest game."""
    deduplicate: bool = False
    """Take a game that occurs twice in the files only once; costs 16 bytes a game while the files are scanned."""
    sources: tuple[str, ...] = ()
    """Take only games whose source (an event, a run) is one of these; all if there are none."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Seed of everything random."""

    def __post_init__(self) -> None:
        validate(self)
        if list(self.rating_bands) != sorted(set(self.rating_bands)) or min(self.rating_bands, default=1) < 1:
            raise ConfigError(f"rating_bands must be positive and ascending, got {self.rating_bands}")

    def filter(self) -> RecordFilter:
        """Returns which games are taken; those without a result never are."""
        decisive = (Result.FIRST_WINS, Result.SECOND_WINS)
        lowest = max(self.min_rating, 1) if self.rated_only else self.min_rating
        return RecordFilter(
            min_rating=lowest or None,
            max_gap=self.max_gap or None,
            min_plies=self.min_plies or None,
            results=decisive if self.decisive_only else (*decisive, Result.DRAW),
            deduplicate=self.deduplicate,
        )


@dataclass(frozen=True, slots=True)
class GameFile:
    """A `.rec` file and how much of an epoch it makes up."""

    path: Path
    share: float | None = None
    """Of all positions of an epoch, in the mean; None takes each position once."""


@dataclass(frozen=True, slots=True)
class StreamState:
    """A place in a stream of batches: plain values, to be kept with a checkpoint (`dataclasses.asdict`)."""

    epoch: int
    chunk: int
    row: int
    stream: str
    """Which stream it is a place of: the hash of its games and of what their order depends on."""


@dataclass(frozen=True, slots=True, eq=False)
class GameBatch:
    """Positions and what is known of them. All views are the side to move's."""

    inputs: Batch
    """Exactly what the encoding gives, with the places of the legal moves."""
    target_offsets: NDArray[np.int64]  # [n + 1]
    """Row i's policy is in places target_offsets[i] : target_offsets[i + 1] of the next two."""
    target_index: NDArray[np.uint16]
    target_weight: NDArray[np.float32]
    """Shares of a search's visits where there are any, in the order of the record; else 1 for the move played."""
    played: NDArray[np.uint16]  # [n]
    """Place in the policy of the move that was played."""
    wdl: NDArray[np.float32]  # [n, 3]
    """The game's result."""
    search_wdl: NDArray[np.float32]  # [n, 3]
    """What the search expected, and with a `trace` those of the next plies; zeros where that is not known."""
    moves_left: NDArray[np.float32]  # [n]
    """Plies to the end of the game."""
    weight: NDArray[np.float32]  # [n]
    """In the loss."""
    score: NDArray[np.int16]  # [n]
    """An engine's, in centipawns; beyond 31000 a mate in 32000 - score plies; NO_SCORE where there is none."""
    ratings: NDArray[np.uint16]  # [n, 2]
    """Of the player to move and of the other; 0 is not known."""
    ply: NDArray[np.uint16]  # [n]
    """Moves played before, in this record."""
    flags: NDArray[np.uint8]  # [n]
    """`PlyFlag` bits."""
    phase: NDArray[np.uint8]  # [n]
    """In chess the pieces left: a knight or bishop 1, a rook 2, a queen 4; 24 at the start. 0 in other games."""
    has_history: NDArray[np.bool_]  # [n]
    """False where the past was dropped."""
    has_visits: NDArray[np.bool_]  # [n]
    """Whether the policy's target is a search's visits."""
    clock_ms: NDArray[np.int32]  # [n]
    """The mover's clock after the move, in milliseconds; NO_CLOCK where it is not known."""
    game: NDArray[np.uint32]  # [n]
    """The game's number among those of the index."""
    file: NDArray[np.uint16]  # [n]
    """The file's number."""
    state: StreamState
    """Where the stream goes on after this batch."""

    def __len__(self) -> int:
        return len(self.inputs)


class GameData:
    """The games of some files that belong to one part. Opening it replays all of them once, on `threads` threads."""

    def __init__(
        self,
        files: Sequence[Path | GameFile],
        game: AnyGame,
        encoding: Encoding,
        config: GameDataConfig | None = None,
        *,
        part: Part = "train",
        threads: int = 1,
    ) -> None:
        """Raises RecordError for files that cannot be read, ConfigError for shares that make no sense."""
        self.config = config or GameDataConfig()
        self.encoding = encoding
        self.files = [each if isinstance(each, GameFile) else GameFile(Path(each)) for each in files]
        mapped = [map_file(each.path) for each in self.files]
        self._forms = symmetric_tables(game, encoding) if self.config.symmetries else None
        self._index: GameIndex = index_games(game, encoding, self._options(part), mapped)
        self.losses = [
            self._add(each.path, buffer, game.name, threads) for each, buffer in zip(self.files, mapped, strict=True)
        ]
        """By file: what damage has cost."""
        counts = [self._index.positions_by_band(number) for number in range(len(self.files))]
        self._rates, self._weights = _tables(self.files, counts, self.config)

    def _options(self, part: Part) -> GameIndexOptions:
        config, options = self.config, GameIndexOptions()
        options.part = GamePart[part.upper()]
        options.set_filter(config.filter().start())
        options.sources = list(config.sources)
        options.rating_bands = list(config.rating_bands)
        visits = config.learn_from == "visits"
        options.set_plies(
            skip=config.skip_plies,
            needs_visits=visits,
            needs_scores=config.learn_from == "scores",
            skips_cheap=visits,
        )
        return options

    def _add(self, path: Path, mapped: Any, game: str, threads: int) -> Losses:
        try:
            losses = Losses(*self._index.add(mapped, game, threads))
        except ValueError as error:
            raise RecordError(f"{str(path)!r}: {error}") from None
        if losses:
            _log.warning("%s: %s; the other games are used", path, losses)
        return losses

    @property
    def index(self) -> GameIndex:
        """Where the games are, for those that read them without an encoding."""
        return self._index

    @property
    def games(self) -> int:
        """Games that are learned from."""
        return self._index.games

    @property
    def positions(self) -> int:
        """Positions that are learned from; an epoch has each once, unless shares or weights say otherwise."""
        return self._index.positions

    @property
    def skipped(self) -> dict[str, int]:
        """Games that are not learned from, by reason; "broken" ones do not fit the rules or the encoding."""
        return self._index.skipped

    @property
    def epoch_positions(self) -> float:
        """Positions in an epoch, in the mean: shares and sampling by weight make it another number than `positions`."""
        counts = (self._index.positions_by_band(number) for number in range(len(self.files)))
        pairs = zip(counts, self._rates, strict=True)
        return sum(count * rate for file, rates in pairs for count, rate in zip(file, rates, strict=True))

    @property
    def positions_by_band(self) -> list[int]:
        """Positions by the rating band of the player to move; the first is of those whose rating is not known."""
        counts = [self._index.positions_by_band(number) for number in range(len(self.files))]
        return [sum(band) for band in zip(*counts, strict=True)]

    @property
    def band_weights(self) -> list[float]:
        """The weight of each rating band in the first file without a share; the first is that of unknown ratings."""
        number = next(number for number, file in enumerate(self.files) if file.share is None)
        table = self._rates if self.config.weighting == "sampling" else self._weights
        return table[number]

    def batches(self, *, start: StreamState | None = None, epochs: int | None = None, threads: int = 1) -> GameBatches:
        """Begins a stream of batches, without end or for so many epochs.

        Raises ConfigError if there is nothing to learn from, and for another stream's state.
        All batches are full but the last: epochs follow each other without a seam. `start` resumes a stream; it must be
        of the same files and options, but the batch may have another size, and the history another share to drop.
        """
        if self.positions == 0:
            raise ConfigError(f"no position to learn from; games left out: {self.skipped or 'none'}")
        if self.epoch_positions == 0:
            raise ConfigError(
                "no position to learn from: shares are shares of what the other files have, which is none"
            )
        name = self._stream_name()
        if start is not None and start.stream != name:
            raise ConfigError("the saved place is in a stream of other games or of another order")
        config, options = self.config, GameStreamOptions()
        options.batch, options.passes, options.shuffle = config.batch, config.passes, config.shuffle
        options.is_shuffled = config.order == "shuffled"
        options.drop_history, options.trace, options.seed = config.drop_history, config.trace, config.seed
        options.rates, options.weights, options.epochs = self._rates, self._weights, epochs or 0
        if self._forms is not None:
            options.set_forms(*self._forms)
        place = (0, 0, 0) if start is None else (start.epoch, start.chunk, start.row)
        return GameBatches(GameStream(self._index, options, place, threads), self.encoding, StreamState(*place, name))

    def _stream_name(self) -> str:
        config = self.config
        order = (config.passes, config.shuffle, config.order, config.seed, self._rates)
        return hashlib.sha256(repr((self._index.fingerprint, order)).encode()).hexdigest()[:16]


def symmetric_tables(game: AnyGame, encoding: Encoding) -> tuple[list[list[int]], list[list[int]]]:
    """Returns by symmetry where each square and each place of the policy goes. Raises ConfigError where it has none."""
    squares, places = encoding.shape.height * encoding.shape.width, encoding.shape.policy_size
    tables: tuple[list[list[int]], list[list[int]]] = ([list(range(squares))], [list(range(places))])
    for symmetry in game.symmetries[1:]:
        moved = encoding.moved_inputs(symmetry)
        if moved is None or symmetry.actions is None:
            raise ConfigError(f"{game.name!r} with the encoding {encoding.name!r} cannot be shown in symmetric forms")
        tables[0].append(list(moved))
        tables[1].append(list(symmetry.actions))
    return tables


class GameBatches(Iterator[GameBatch]):
    """A stream of batches, for one caller at a time. `close`, or leaving a `with` statement, stops its threads."""

    def __init__(self, stream: GameStream, encoding: Encoding, start: StreamState) -> None:
        self._stream: GameStream | None = stream
        self._shape = encoding.shape
        self.state = start
        """Where the stream goes on after the batches taken so far."""

    def __next__(self) -> GameBatch:
        if self._stream is None:
            raise StopIteration
        try:
            columns = self._stream.next()
        except ValueError as error:
            raise RecordError(str(error)) from None
        if columns is None:
            self.close()
            raise StopIteration
        epoch, chunk, row = columns.pop("next")
        self.state = StreamState(epoch, chunk, row, self.state.stream)
        planes = columns.pop("planes")
        packed = planes.reshape(len(planes), self._shape.packed_planes, self._shape.words)
        names = ("scalars", "legal_offsets", "legal_index")
        inputs = Batch(packed, *(columns.pop(name) for name in names))
        for name in ("has_history", "has_visits"):
            columns[name] = columns[name].view(bool)
        return GameBatch(inputs=inputs, state=self.state, **columns)

    def close(self) -> None:
        """Stops the threads."""
        self._stream = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_Tables = list[list[float]]
"""By file and band."""


def _tables(
    files: Sequence[GameFile], counts: Sequence[Sequence[int]], config: GameDataConfig
) -> tuple[_Tables, _Tables]:
    """Returns how often a position is in an epoch, and its weight in the loss.

    Bands are balanced among the files without a share: how much the others count, their shares say.
    """
    shares = [file.share for file in files]
    given = sum(share for share in shares if share is not None)
    if not all(share is None or 0 < share < 1 for share in shares) or given >= 1 or None not in shares:
        raise ConfigError(f"shares lie between 0 and 1, and a file without one makes up the rest; got {shares}")
    main = [count for count, share in zip(counts, shares, strict=True) if share is None]
    bands = [sum(band) for band in zip(*main, strict=True)]
    plain = [1.0] * len(bands)
    balanced = _band_weights(bands, config.max_weight) if config.weighting != "none" else plain
    rates = balanced if config.weighting == "sampling" else plain
    weights = balanced if config.weighting == "loss" else plain
    rest = sum(rate * size for rate, size in zip(rates, bands, strict=True))
    factors = [None if share is None else share * rest / (1 - given) for share in shares]
    rate_table = [
        rates if wanted is None else [wanted / max(sum(count), 1)] * len(bands)
        for wanted, count in zip(factors, counts, strict=True)
    ]
    return rate_table, [weights if share is None else plain for share in shares]


def _band_weights(sizes: Sequence[int], largest: float) -> list[float]:
    """Returns size ** -0.5 for each band, in the mean of all positions 1; unknown ratings, the first, count 1."""
    known = sizes[1:]
    mean = sum(size**0.5 for size in known) / max(sum(known), 1)
    return [1.0, *(min(largest, size**-0.5 / mean) if size else 1.0 for size in known)]
