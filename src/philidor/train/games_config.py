"""What training on recorded games is asked for, strong players' or everybody's (book, ch. 4.1, 4.5 and 4.8)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.encodings.human import is_human
from philidor.nets.heads import HEADS
from philidor.nets.network_config import NetworkConfig
from philidor.nets.onnx.signature import MOVES_LEFT, WDL
from philidor.train.game_data import GameDataConfig


class NamedFile(NamedTuple):
    """A file of games as it was named, and the share of all positions that it makes up."""

    path: Path
    share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesTrainingConfig:
    """How a network learns from games."""

    optimizer: Literal["adamw", "sgd"] = "adamw"
    """Optimizer: AdamW, or gradient descent with momentum."""
    learning_rate: float = field(default=1.5e-3, metadata=real(None, 0.0, 10.0))
    """Learning rate of the first steps, after a short warm-up."""
    final_learning_rate: float = field(default=1e-5, metadata=real(None, 0.0, 10.0))
    """Learning rate of the last steps; it falls from the first like a cosine."""
    steps: int = field(default=0, metadata=spin(None, 0, 1_000_000_000))
    """Steps of the whole training; 0 for no limit."""
    epochs: float = field(default=0.0, metadata=real(None, 0.0, 1_000_000.0))
    """Passes over all positions; 0 for no limit."""
    minutes: float = field(default=0.0, metadata=real(None, 0.0, 1_000_000.0))
    """Minutes of the whole training, interruptions left out; 0 for no limit. The first limit that is reached (steps,
    epochs or minutes) ends the training, and the learning rate falls to its end by then."""
    momentum: float = field(default=0.9, metadata=real(None, 0.0, 0.9999))
    """Momentum of gradient descent."""
    l2: float = field(default=1e-4, metadata=real(None, 0.0, 1.0))
    """Weight decay."""
    clip: float = field(default=1.0, metadata=real(None, 0.0))
    """Longest gradient; longer ones are shortened. 0 for no limit."""
    ema: float = field(default=0.9995, metadata=real(None, 0.0, 0.99999))
    """Share of the old weights in their running average, which is the network that plays; 0 for none."""
    value_weight: float = field(default=HEADS[WDL].weight, metadata=real(None, 0.0, 1000.0))
    """Weight of the value's loss against the policy's."""
    moves_left_weight: float = field(default=HEADS[MOVES_LEFT].weight, metadata=real(None, 0.0, 1000.0))
    """Weight of the moves-left loss against the policy's, in networks that have that output."""
    score_share: float = field(default=0.7, metadata=real(None, 0.0, 1.0))
    """Share of the engine's score in the value's target, in positions that have one; the rest is the game's result."""
    # Fitted to the results of 46,664 games of TCEC and CCC: 0.49 nats a position, where the mean result has 0.98.
    score_half: float = field(default=145.0, metadata=real(None, 1.0, 10_000.0))
    """Centipawns at which an engine's score means a win in one of two games."""
    score_spread: float = field(default=60.0, metadata=real(None, 1.0, 10_000.0))
    """Centipawns by which the odds of a win change by a factor of e."""
    rating_dropout: float = field(default=0.1, metadata=real(None, 0.0, 1.0))
    """Share of the positions in which a network with ratings is not told them."""
    batch_norm: bool = False
    """Train plain convolutions with batch norm behind each; in the network's file it is part of their weights. Residual
    towers always have it."""
    scale_inputs: bool = True
    """Learn from counters of plies scaled to about 1; files stay the same."""
    norm_batches: int = field(default=200, metadata=spin(None, 0, 100_000))
    """Batches over which batch norm's statistics are estimated at the end for the running average of the weights; 0
    averages the statistics too."""
    measure_every: int = field(default=1000, metadata=spin(None, 1, 1_000_000_000))
    """Steps between two measurements on games that are not learned from."""
    measured: int = field(default=16_384, metadata=spin(None, 1, 10_000_000))
    """Positions to measure on, at most, of games that are not learned from."""
    start: Path | None = field(default=None, metadata=text())
    """Network of the same shape to start from; random weights if not given."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to compute; auto is the GPU if there is one."""
    bfloat16: bool = False
    """On a CPU that has instructions for it (AVX-512 BF16, AMX), compute in 16 bits with weights of 32: nearly twice as
    fast. Ignored on other CPUs; a GPU always does."""
    compile: bool = False
    """Let PyTorch compile the training step on a GPU: half a minute at each start, then about 1.5 times as fast.
    Ignored on a CPU."""

    def __post_init__(self) -> None:
        validate(self)
        if self.final_learning_rate > self.learning_rate:
            raise ConfigError(
                f"final_learning_rate must not exceed learning_rate, got {self.final_learning_rate} and "
                f"{self.learning_rate}"
            )
        if not (self.steps or self.epochs or self.minutes):
            raise ConfigError("training never ends: give steps, epochs or minutes")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if self.optimizer == "sgd" else {"momentum": "optimizer is not 'sgd'"}
        if not self.score_share:
            found |= dict.fromkeys(("score_half", "score_spread"), "the share of the scores is 0")
        return found

    def progress(self, step: int, seconds: float, steps_per_epoch: float) -> float:
        """Returns how much of the training is done after so many steps and seconds, from 0 to 1."""
        shares = (
            step / self.steps if self.steps else 0.0,
            step / max(self.epochs * steps_per_epoch, 1.0) if self.epochs else 0.0,
            seconds / (60 * self.minutes) if self.minutes else 0.0,
        )
        return min(1.0, max(shares))

    def rate_at(self, progress: float) -> float:
        """Returns the learning rate when this much of the training, from 0 to 1, is done."""
        high, low = self.learning_rate, self.final_learning_rate
        return low + (high - low) * 0.5 * (1 + math.cos(math.pi * progress))


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesRecipe:
    """A whole training on recorded games: which game, which network, which games and how."""

    game: str
    """The game, as `load_game` reads it."""
    teacher: Literal["games"] = "games"
    """Where positions come from: recorded games."""
    games: tuple[str, ...] = ()
    """Files of games, .rec or PGN. FILE=SHARE says how much of all positions a file makes up, such as gm.rec=0.25; the
    files without a share make up the rest."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of the first weights and of what is left to chance."""
    threads: int = field(default=0, metadata=spin(None, 0, 512))
    """CPU threads; 0 is as many as there are cores."""
    network: NetworkConfig
    """The network. In a recipe's file `preset` names one to start from, and the encoding may be left out."""
    data: GameDataConfig = field(default_factory=GameDataConfig)
    """Which positions are learned from, and in what order."""
    training: GamesTrainingConfig
    """How it learns."""

    def __post_init__(self) -> None:
        validate(self)
        if self.network.game != self.game:
            raise ConfigError(f"network.game must be the recipe's game {self.game!r}, got {self.network.game!r}")
        if self.training.batch_norm and self.network.body == "plain" and self.training.start is not None:
            raise ConfigError("training.batch_norm is for new networks: leave training.start out")
        if self.network.reply:
            raise ConfigError("recorded games are learned from position by position: set network.reply = false")
        named_files(self.games)

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if is_human(self.network.encoding) else {"training.rating_dropout": "the network has no ratings"}
        if not self.network.moves_left:
            found["training.moves_left_weight"] = "the network does not tell the moves left"
        if self.network.body != "plain":
            found["training.batch_norm"] = "body is not 'plain'"
        return found


def named_files(names: tuple[str, ...]) -> list[NamedFile]:
    """Reads FILE and FILE=SHARE. Raises ConfigError for a share that is none, and where all files have one."""
    files = [_named_file(name) for name in names]
    shares = [file.share for file in files if file.share is not None]
    if files and (len(shares) == len(files) or sum(shares) >= 1):
        raise ConfigError(f"shares are less than 1 together, and a file without one makes up the rest; got {shares}")
    return files


def _named_file(name: str) -> NamedFile:
    path, equals, share = name.rpartition("=")
    if not equals or Path(name).exists():
        return NamedFile(Path(name), None)
    try:
        number = float(share)
    except ValueError:
        return NamedFile(Path(name), None)
    if not 0 < number < 1:
        raise ConfigError(f"a file's share lies between 0 and 1, got {name!r}")
    return NamedFile(Path(path), number)
