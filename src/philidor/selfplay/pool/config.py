"""Knobs of self-play: how long to search, how much chance there is, when a game ends (book, ch. 4.2.2 and 4.3)."""

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Literal

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.search.gumbel import GumbelConfig
from philidor.search.puct import PuctConfig

# What the pool sets for each move; the tables of the searches may not say otherwise.
_OWN = ("simulations", "seed", "noise", "noise_alpha", "forced_playouts", "perspective")
# What Gumbel search does without.
_OF_PUCT = (
    "puct",
    "noise",
    "noise_alpha",
    "forced_playouts",
    "prune_targets",
    "target_scale",
    "temperature",
    "temperature_plies",
    "temperature_decay",
    "final_temperature",
    "tree_reuse",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolConfig:
    """Knobs of a pool of self-play games. The defaults are AlphaZero's."""

    simulations: int = field(default=800, metadata=spin(None, 2, 1_000_000))
    """Leaves to visit per move, including those kept from the previous move."""
    search: Literal["puct", "gumbel"] = "puct"
    """Search at the root. Gumbel search brings its own randomness: no noise, temperature or forced playouts."""
    puct: PuctConfig = field(default_factory=PuctConfig)
    """The tree's other knobs."""
    gumbel: GumbelConfig = field(default_factory=GumbelConfig)
    """Those of Gumbel search."""
    cheap_simulations: int = field(default=0, metadata=spin(None, 0, 1_000_000))
    """Playout cap randomization: leaves to visit in most moves, without noise and without a policy target; 0 for full
    searches only."""
    full_share: float = field(default=0.25, metadata=real(None, 0.0, 1.0))
    """Share of the moves that get a full search when there are cheap ones."""
    noise: float = field(default=0.25, metadata=real(None, 0.0, 1.0))
    """Share of Dirichlet noise in the root's priors."""
    noise_alpha: float = field(default=0.3, metadata=real(None, 0.001, 1000.0))
    """Shape of the noise, about 10 divided by the usual number of moves: 0.3 for chess, 1 for tic-tac-toe."""
    forced_playouts: float = field(default=0.0, metadata=real(None, 0.0, 100.0))
    """k: a visited root move is visited again until it has sqrt(k * P * N) visits; KataGo has 2."""
    prune_targets: bool = True
    """Whether visits that were only forced are removed before a move is chosen and becomes a target."""
    target_scale: float = field(default=0.0, metadata=real(None, 0.0, 100.0))
    """What PUCT's searches teach: 0 for their visits; else Gumbel search's improved policy with this weight of values
    against priors (its c_scale), which keeps more of what a search of few visits has found."""
    temperature: float = field(default=1.0, metadata=real(None, 0.0, 100.0))
    """Moves are drawn in proportion to visits ** (1 / temperature); 0 plays the best move."""
    temperature_plies: int = field(default=30, metadata=spin(None, 0, 100_000))
    """Plies at the start of a game that are played with the first temperature."""
    temperature_decay: int = field(default=0, metadata=spin(None, 0, 100_000))
    """Plies over which the temperature falls from the first to the final one, in equal steps; 0 for at once."""
    final_temperature: float = field(default=0.0, metadata=real(None, 0.0, 100.0))
    """Temperature of the rest of the game."""
    drawn_plies: int = field(default=65_000, metadata=spin(None, 0, 100_000))
    """Plies at the start of a game in which Gumbel search plays what it has drawn; after them it still considers moves
    by its draw, and plays the likeliest one of the improved policy. Games are then decided by fewer accidents."""
    opening_plies: int = field(default=0, metadata=spin(None, 0, 1000))
    """Random moves at the start of a game, at most."""
    max_plies: int | None = field(default=512, metadata=spin(None, 1, 65_000))
    """Plies after which a game is a draw."""
    first_pass_ply: int = field(default=0, metadata=spin(None, 0, 65_000))
    """Plies before which nobody passes, in games with a pass that have other moves: new networks would end their games
    at once and learn nothing. 0 for no such rule."""
    decided_value: float = field(default=1.0, metadata=real(None, 0.0, 1.0))
    """Expected result, for either side, beyond which a game may count as decided; 1 for never. Decided games are not
    resigned: they are played on with shorter searches."""
    decided_plies: int = field(default=4, metadata=spin(None, 1, 1000))
    """Searches in a row that must agree before a game counts as decided."""
    decided_share: float = field(default=0.25, metadata=real(None, 0.0, 1.0))
    """Share of the simulations, and of the moves to learn from, that a decided game keeps."""
    tree_reuse: bool = True
    """Whether the tree below the played move is kept. Gumbel search starts anew for each move."""
    memory_mb: int = field(default=64, metadata=spin(None, 1, 1_000_000))
    """Memory of one game's tree, in MiB; a full tree grows no further."""

    def __post_init__(self) -> None:
        validate(self)
        for table, default in ((self.puct, PuctConfig()), (self.gumbel, GumbelConfig())):
            for setting in dataclasses.fields(table):
                if setting.name in _OWN and getattr(table, setting.name) != getattr(default, setting.name):
                    name = "puct" if table is self.puct else "gumbel"
                    raise ConfigError(f"{name}.{setting.name}: a pool sets this itself for each move")
        if self.cheap_simulations == 1 or self.cheap_simulations > self.simulations:
            raise ConfigError(
                f"cheap_simulations must be 0 or 2 to {self.simulations} (simulations), got {self.cheap_simulations}"
            )
        if self.max_plies is not None and self.opening_plies >= self.max_plies:
            raise ConfigError(f"opening_plies must be below max_plies, {self.max_plies}, got {self.opening_plies}")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if self.cheap_simulations else {"full_share": "there are no cheap searches"}
        if self.decided_value >= 1:
            found |= dict.fromkeys(("decided_plies", "decided_share"), "no game counts as decided")
        if self.search == "gumbel":
            return found | dict.fromkeys(_OF_PUCT, "search is 'gumbel'")
        found |= dict.fromkeys(("gumbel", "drawn_plies"), "search is 'puct'")
        if not self.forced_playouts:
            found["prune_targets"] = "there are no forced playouts"
        return found if self.noise else {**found, "noise_alpha": "there is no noise"}

    @property
    def improves_targets(self) -> bool:
        """Whether something else than what the search's own choice is made by is learned."""
        return self.search == "puct" and self.target_scale > 0

    @property
    def teaches_parts(self) -> bool:
        """Whether a policy in parts is learned, of which there are many more than visits."""
        return self.search == "gumbel" or self.improves_targets

    @property
    def keeps_tree(self) -> bool:
        """Whether a move's tree goes on in the next."""
        return self.tree_reuse and self.search == "puct"

    def search_config(self, is_full: bool, seed: int, *, is_decided: bool = False) -> PuctConfig | GumbelConfig:
        """Returns the search of one move."""
        simulations = max(2, math.floor(self.decided_share * self.simulations)) if is_decided else self.simulations
        if not is_full and self.cheap_simulations:
            simulations = min(self.cheap_simulations, simulations)
        if self.search == "gumbel":
            return dataclasses.replace(self.gumbel, simulations=simulations, seed=seed)
        return dataclasses.replace(
            self.puct,
            simulations=simulations,
            noise=self.noise if is_full else 0.0,
            noise_alpha=self.noise_alpha,
            forced_playouts=self.forced_playouts if is_full else 0.0,
            seed=seed,
        )

    def temperature_at(self, ply: int) -> float:
        """Returns the temperature of a game's move."""
        if self.search == "gumbel":
            return 0.0
        if ply < self.temperature_plies:
            return self.temperature
        passed = ply - self.temperature_plies
        if passed >= self.temperature_decay:
            return self.final_temperature
        return self.temperature + (self.final_temperature - self.temperature) * (passed / self.temperature_decay)


DEFAULT = PoolConfig()
