"""What the experiment is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.pipelines.recipes import RatingConfig, ZeroRecipe, load_recipe


class Setup(NamedTuple):
    """What suits a game."""

    recipe: str
    """The zero recipe whose network, self-play and training are taken."""
    teacher: str
    """Who plays the recorded games: good, but not perfect, as people are."""
    anchors: tuple[str, ...]
    """Opponents that never change, from the weakest to the strongest; the first has a rating of 0."""
    simulations: int
    """Of a rated network, for each move: few where a search alone, without any knowledge, is nearly perfect."""
    games: int
    """Recorded games: so many that most positions of other games are still new."""
    opening_plies: int
    """Random moves at the start of each game: so many that games differ."""


SETUPS = {
    "hexapawn-4x4": Setup(
        "hexapawn-4x4-zero", "alphabeta depth=3", ("random", "uct iterations=20", "alphabeta depth=4"), 4, 60, 4
    ),
    "connect4": Setup(
        "connect4-zero",
        "uct iterations=300",
        ("random", "uct iterations=50", "uct iterations=300", "uct iterations=1500"),
        32,
        3000,
        8,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningConfig:
    """How long each network learns, from which games, and how it is judged."""

    game: Literal["hexapawn-4x4", "connect4"] = "connect4"
    """The game."""
    teacher: str | None = field(default=None, metadata=text())
    """Player of the recorded games, as for a match; the game's own if not given."""
    games: int | None = field(default=None, metadata=spin(None, 20, 1_000_000))
    """Recorded games to learn from; as suits the game if not given."""
    held_out: int = field(default=300, metadata=spin(None, 10, 1_000_000))
    """Recorded games to measure on; only positions that no game to learn from has reached count."""
    opening_plies: int | None = field(default=None, metadata=spin(None, 0, 1000))
    """Random moves at the start of each recorded game, and of each rating game; as suits the game if not given."""
    turns: int = field(default=8, metadata=spin(None, 1, 10_000))
    """Turns of learning before a network changes its teacher, and again as many after."""
    self_play_games: int = field(default=150, metadata=spin(None, 1, 1_000_000))
    """Games against itself in each turn of self-play."""
    steps: int = field(default=100, metadata=spin(None, 1, 1_000_000))
    """Training steps in each turn of learning from recorded games."""
    learning_rate: float = field(default=1e-3, metadata=real(None, 0.0, 10.0))
    """Learning rate of every step of every network."""
    anchors: tuple[str, ...] = field(default=(), metadata=text())
    """Players to be rated against, as for a match; the first has a rating of 0. The game's own if not given."""
    pairs: int = field(default=20, metadata=spin(None, 1, 100_000))
    """Pairs of games against each anchor."""
    simulations: int | None = field(default=None, metadata=spin(None, 1, 1_000_000))
    """Simulations of a rated network for each move; as suits the game if not given."""
    every: int = field(default=2, metadata=spin(None, 1, 10_000))
    """Turns between two measurements; the first and the last network are always measured."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of everything that is left to chance."""

    def __post_init__(self) -> None:
        validate(self)
        if len(set(self.anchors)) != len(self.anchors):
            raise ConfigError(f"anchors must differ, got {', '.join(self.anchors)}")

    @property
    def setup(self) -> Setup:
        """What is in force: the settings given, and for the others what suits the game."""
        own = SETUPS[self.game]
        return Setup(
            own.recipe,
            self.teacher or own.teacher,
            self.anchors or own.anchors,
            self.simulations or own.simulations,
            self.games or own.games,
            own.opening_plies if self.opening_plies is None else self.opening_plies,
        )

    def zero_recipe(self, generations: int) -> ZeroRecipe:
        """Returns the recipe by which networks learn from themselves; nothing is rated on the way."""
        recipe = load_recipe(self.setup.recipe)
        training = replace(
            recipe.training, learning_rate=self.learning_rate, final_learning_rate=self.learning_rate, device="cpu"
        )
        return replace(
            recipe,
            generations=generations,
            games=self.self_play_games,
            seed=self.seed,
            training=training,
            rating=RatingConfig(every=100_000, opponents=(), solver="none"),
        )

    def measured_turns(self) -> list[int]:
        """Returns after which turns networks are measured."""
        return sorted({*range(0, 2 * self.turns + 1, self.every), self.turns, 2 * self.turns})
