"""What training a policy of Go by its own games is asked for (book, ch. 4.1.4, Listing 4.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyGradientConfig:
    """AlphaGo's second step: the policy network plays against its earlier selves, and the winner's moves gain."""

    net: Path | None = field(default=None, metadata=text())
    """The policy network to begin with, from `alphago-9x9-sl`: a file, or the name of one that ships."""
    game: str = "go-9x9,komi=7.5"
    """The game that is played; the network must be for its board."""
    updates: int = field(default=2_000, metadata=spin(None, 1, 1_000_000))
    """Updates of the whole training, each from a batch of games."""
    minutes: float = field(default=0.0, metadata=real(None, 0.0, 1_000_000.0))
    """Minutes after which the training ends even before its last update, interruptions left out; 0 for no limit."""
    games: int = field(default=128, metadata=spin(None, 2, 65_536))
    """Games of an update, half of them with each color; the paper has 128."""
    pool_every: int = field(default=100, metadata=spin(None, 1, 1_000_000))
    """Updates after which the network joins the pool of opponents; the paper has 500 of 10,000."""
    optimizer: Literal["sgd", "adam"] = "sgd"
    """Plain gradient descent, as in the paper, or Adam, which needs fewer updates."""
    learning_rate: float = field(default=0.02, metadata=real(None, 0.0, 100.0))
    """Rate of the updates, on the mean over the moves of a batch; for Adam about 0.0002."""
    baseline: Literal["mean", "none"] = "mean"
    """What is taken off each result: the mean of its batch, or nothing, as in the paper's first pass."""
    max_plies: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Plies after which a game is scored as it stands; 0 for twice the points of the board."""
    measure_every: int = field(default=100, metadata=spin(None, 1, 1_000_000))
    """Updates between two matches against the network of the beginning."""
    measured: int = field(default=200, metadata=spin(None, 2, 100_000))
    """Games of each match against the network of the beginning; both draw their moves, as in the paper."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of all that is left to chance."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to compute; auto is the GPU if there is one."""

    def __post_init__(self) -> None:
        validate(self)
        if self.games % 2 or self.measured % 2:
            raise ConfigError("games and measured must be even: each color is played equally often")
