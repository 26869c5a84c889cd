"""A network that plays like one person: the human network, trained further on that person's games (book, ch. 4.8).

Only the person's own moves are learned from and measured on. A fifth of the games, by their hash, is kept to measure
on; the network before and the network after are asked about the same positions (McIlroy-Young et al. 2022, with Maia).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from philidor.core.config import validate
from philidor.core.errors import ConfigError, NetError
from philidor.core.runs import Run
from philidor.encodings.human import is_human
from philidor.nets.network_files import load_stored
from philidor.pipelines.games import GamesLoop, Moment, Watcher
from philidor.records import GameRecord, PgnSource, RecordReader, RecordWriter
from philidor.train.game_data import GameDataConfig, GameFile
from philidor.train.games_config import GamesRecipe, GamesTrainingConfig
from philidor.train.paired import Difference, paired_difference

if TYPE_CHECKING:
    from philidor.train.game_data import GameBatch

LEAST_GAMES = 50
"""With fewer, what is learned is smaller than what chance does to the games kept to measure on."""
_KEPT_OF = 5
_PARTS = ("learned", "kept")
_NAMES_SHOWN = 5
_BLACK_TO_MOVE = 108
"""Leela's plane that is all ones if Black is to move."""
_LEELA = "leela-1-flat"
DEFAULT_TRAINING = GamesTrainingConfig(
    learning_rate=3e-4,
    final_learning_rate=1e-6,
    epochs=4.0,
    minutes=10.0,
    ema=0.99,
    value_weight=0.1,
    score_share=0.0,
    norm_batches=0,
    measure_every=100,
    measured=20_000,
)
"""Low rates and few passes: a person's games are soon known by heart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalConfig:
    """How a network is trained further on one person's games."""

    training: GamesTrainingConfig = field(default_factory=lambda: DEFAULT_TRAINING)
    """How it learns."""

    def __post_init__(self) -> None:
        validate(self)

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        return {"training.start": "--net names the network to begin with"}


class Sides(NamedTuple):
    """A person's games by the color they had."""

    white: Path
    black: Path

    @property
    def files(self) -> list[GameFile]:
        """Both, White's first; one of them may be without games."""
        return [GameFile(self.white), GameFile(self.black)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What training on one person's games has brought, on games that were kept."""

    games: int
    kept_games: int
    positions: int
    """Of the kept games, with the person to move."""
    top1_before: float
    top1_after: float
    top1: Difference
    cross_entropy_before: float
    cross_entropy_after: float
    cross_entropy: Difference

    @property
    def is_better(self) -> bool:
        """Whether it foresees the person's moves better, and not by chance."""
        return self.cross_entropy.is_certain and self.cross_entropy.mean < 0


def personal_recipe(net: Path, games: Sequence[Path], training: GamesTrainingConfig, threads: int) -> GamesRecipe:
    """Returns the recipe that trains a network further. Raises NetError for one that cannot be."""
    network = load_stored(net).config
    if network.game != "chess" or not (is_human(network.encoding) or network.encoding == _LEELA):
        raise NetError(f"{str(net)!r} plays {network.game} over {network.encoding!r}; choose a network like human's")
    return GamesRecipe(
        game="chess",
        games=tuple(map(str, games)),
        threads=threads,
        network=replace(network, reply=False),
        data=GameDataConfig(batch=128, drop_history=0.1, shuffle=16_384),
        training=replace(training, start=net),
    )


# --- The person's games -----------------------------------------------------------------------------------------


def split_games(
    games: Sequence[Path], player: str, run: Run, *, watch: Watcher, is_stopped: Callable[[], bool]
) -> tuple[Sides, Sides] | None:
    """Writes a person's games into the run's shards, those to learn from and those kept; None if stopped.

    Raises ConfigError if there are too few, RecordError and PgnError.
    """
    learned, kept = (Sides(run.shards / f"{part}-white.rec", run.shards / f"{part}-black.rec") for part in _PARTS)
    if all(path.exists() for sides in (learned, kept) for path in sides):
        return learned, kept
    found: dict[Path, list[GameRecord]] = {path: [] for path in (*learned, *kept)}
    names: Counter[str] = Counter()
    watch(Moment("reading"))
    for record in _records(games):
        if is_stopped():
            return None
        white, black = (record.tags.get(tag, "") for tag in ("White", "Black"))
        names.update(name for name in (white, black) if name)
        is_white = _is_player(white, player)
        if is_white != _is_player(black, player):  # never against oneself
            sides = kept if record.content_hash() % _KEPT_OF == 0 else learned
            found[sides.white if is_white else sides.black].append(record)
    _check_enough(found, kept, player, names)
    for path, records in found.items():
        with RecordWriter(path) as writer:
            for record in records:
                writer.add(record)
    return learned, kept


def _records(games: Sequence[Path]) -> Iterator[GameRecord]:
    for path in games:
        if path.name.endswith(".rec"):
            with RecordReader(path) as reader:
                yield from reader
        else:
            yield from PgnSource([path])


def _is_player(name: str, player: str) -> bool:
    """Says whether a name in a PGN is meant: the same letters, whatever their case and the blanks around commas."""
    return _plain(name) == _plain(player)


def _plain(name: str) -> str:
    return "".join(name.casefold().replace(",", " , ").split())


def _check_enough(found: dict[Path, list[GameRecord]], kept: Sides, player: str, names: Counter[str]) -> None:
    count = sum(map(len, found.values()))
    if not count:
        frequent = ", ".join(name for name, _ in names.most_common(_NAMES_SHOWN))
        raise ConfigError(f"no game of {player!r}; most games are of: {frequent or 'players without names'}")
    if count < LEAST_GAMES:
        raise ConfigError(f"{count} games of {player!r} are too few to learn from: there must be {LEAST_GAMES}")
    if not any(found[path] for path in kept):
        raise ConfigError(f"of {count} games of {player!r} none is left to measure on: they are all the same game")


def own_moves(batch: GameBatch) -> GameBatch:
    """Takes the weight from the positions in which the opponent is to move; the files are those of `Sides`."""
    is_white_to_move = batch.inputs.planes[:, _BLACK_TO_MOVE, 0] == 0
    is_own = (batch.file == 0) == is_white_to_move
    return replace(batch, weight=np.where(is_own, batch.weight, 0).astype(np.float32))


# --- The training -----------------------------------------------------------------------------------------------


class PersonalLoop:
    """A run that trains a network further on one person's games."""

    def __init__(self, recipe: GamesRecipe, run: Run, learned: Sides, kept: Sides, **more: Any) -> None:
        """Raises what `GamesLoop` raises, which gets `more`."""
        self._counts = tuple(_count(sides) for sides in (learned, kept))
        self.loop = GamesLoop(recipe, run, learned.files, held_out=kept.files, prepare=own_moves, **more)

    def go(self) -> bool:
        """Trains to the end; False if it was stopped before."""
        return self.loop.go()

    def outcome(self) -> Outcome:
        """Asks the network before and the one after about the kept games."""
        from philidor.train.torch.devices import place
        from philidor.train.torch.games import first_model_of
        from philidor.train.torch.matching import predict

        held_out, trainer = self.loop.held_out, self.loop.trainer
        assert held_out is not None
        first = first_model_of(self.loop.recipe)
        place(first, trainer.device)
        before, after = predict(first, held_out), predict(trainer.player, held_out)
        assert before is not None
        assert after is not None
        hits = [(each.rank < 1).astype(np.float64) for each in (before, after)]
        surprises = [-each.log_likelihood for each in (before, after)]
        return Outcome(
            games=sum(self._counts),
            kept_games=self._counts[1],
            positions=len(held_out),
            top1_before=float(hits[0].mean()),
            top1_after=float(hits[1].mean()),
            top1=paired_difference(hits[0], hits[1], held_out.games),
            cross_entropy_before=float(surprises[0].mean()),
            cross_entropy_after=float(surprises[1].mean()),
            cross_entropy=paired_difference(surprises[0], surprises[1], held_out.games),
        )


def _count(sides: Sides) -> int:
    total = 0
    for file in sides.files:
        with RecordReader(file.path) as reader:
            total += len(reader)
    return total
