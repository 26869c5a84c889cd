"""What AlphaGo's value network is trained by: positions of its own games, one of each (book, ch. 4.1.5, Fig. 4.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from philidor.core.config import real, spin, text, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTrainingConfig:
    """AlphaGo's third step: games are played, and who won is learned from one position of each."""

    sl: Path | None = field(default=None, metadata=text())
    """The policy that plays the moves before the position: a network from `alphago-9x9-sl`, or a linear policy."""
    rl: Path | None = field(default=None, metadata=text())
    """The policy that plays the moves after it: a network from `alphago-rl`, or a linear policy."""
    game: str = "go-9x9,komi=7.5"
    """The game that is played; the networks must be for its board."""
    games: int = field(default=20_000, metadata=spin(None, 1, 100_000_000))
    """Games to play."""
    games_minutes: float = field(default=0.0, metadata=real(None, 0.0, 1_000_000.0))
    """Minutes after which no more games are begun, interruptions left out; 0 for no limit."""
    positions: int = field(default=0, metadata=spin(None, 0, 1_000_000_000))
    """Positions to learn from after which no more games are begun; 0 for no limit."""
    games_at_once: int = field(default=256, metadata=spin(None, 1, 65_536))
    """Games that are played side by side and written together."""
    last_ply: int = field(default=70, metadata=spin(None, 1, 722))
    """Latest ply of the random move behind which the position is taken; the paper has 450 on 19x19."""
    whole_games: bool = False
    """Take every position from there to the end: what overfits, to be compared."""
    blocks: int = field(default=9, metadata=spin(None, 0, 100))
    """3x3 convolutions of the network; the paper has 11."""
    filters: int = field(default=96, metadata=spin(None, 1, 4096))
    """Channels of the network; the paper has 192."""
    steps: int = field(default=5_000, metadata=spin(None, 1, 100_000_000))
    """Steps of the training, after the games."""
    minutes: float = field(default=0.0, metadata=real(None, 0.0, 1_000_000.0))
    """Minutes of the training, games and interruptions left out; 0 for no limit. The first limit that is reached (steps
    or minutes) ends it, and the learning rate falls to 0 by then."""
    batch: int = field(default=256, metadata=spin(None, 1, 65_536))
    """Positions per step; the paper has 32."""
    learning_rate: float = field(default=1e-3, metadata=real(None, 0.0, 10.0))
    """Rate of the first steps (Adam); it falls in a straight line to 0."""
    l2: float = field(default=1e-4, metadata=real(None, 0.0, 1.0))
    """Weight decay."""
    measure_every: int = field(default=500, metadata=spin(None, 1, 100_000_000))
    """Steps between two measurements on games that are not learned from: one batch of games in twenty."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of all that is left to chance."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to compute; auto is the GPU if there is one."""

    def __post_init__(self) -> None:
        validate(self)
