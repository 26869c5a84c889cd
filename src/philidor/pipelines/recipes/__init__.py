"""Recipes: what `philidor train NAME` does, as TOML files beside this one, and the config they are read into."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from philidor.core.config import from_dict, real, spin, text, to_dict, validate
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.encodings import default_encoding
from philidor.games import known_game, load_game
from philidor.nets.network_config import NetworkConfig, preset
from philidor.selfplay.pool import PoolConfig
from philidor.train.zero_config import ZeroTrainingConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConfig:
    """The match that a new network has to win before it plays, as in AlphaGo Zero."""

    pairs: int = field(default=50, metadata=spin(None, 1, 100_000))
    """Pairs of games against the network that plays now."""
    threshold: float = field(default=0.55, metadata=real(None, 0.0, 1.0))
    """Share of the points that a new network needs."""
    opening_plies: int = field(default=2, metadata=spin(None, 0, 1000))
    """Random moves at the start of each pair."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingConfig:
    """How good each generation is: against opponents that never change, and against the solver."""

    every: int = field(default=1, metadata=spin(None, 1, 100_000))
    """Generations between two ratings; the first and the last are always rated."""
    opponents: tuple[str, ...] = ("random",)
    """Players to be rated against, with settings, such as "uct iterations=200"."""
    pairs: int = field(default=20, metadata=spin(None, 1, 100_000))
    """Pairs of games against each opponent."""
    opening_plies: int = field(default=2, metadata=spin(None, 0, 1000))
    """Random moves at the start of each pair."""
    max_plies: int = field(default=512, metadata=spin(None, 1, 65_000))
    """Plies after which a rating game is a draw."""
    solver: Literal["none", "play", "positions"] = "none"
    """Compare moves with perfect ones: not at all, against every possible reply, or in random positions."""
    positions: int = field(default=200, metadata=spin(None, 1, 1_000_000))
    """Random positions in which moves are compared with perfect ones."""
    first_ply: int = field(default=0, metadata=spin(None, 0, 10_000))
    """Random opening plies before a rated position, at least."""
    last_ply: int = field(default=30, metadata=spin(None, 0, 10_000))
    """Random opening plies before a rated position, at most."""
    table: bool = False
    """Compute the exact results against a random player, as in the book's Tables 5.1 and 5.2; for small games."""
    device: Literal["auto", "cpu", "cuda"] | None = None
    """Device of the rating games; that of the training if not given."""
    stop_when_perfect: Literal["no", "search", "policy"] = "no"
    """End the run when the solver finds no mistake in the moves of the search, or even in those of the policy alone."""

    def __post_init__(self) -> None:
        validate(self)
        if self.last_ply < self.first_ply:
            raise ConfigError(f"last_ply must not be below first_ply, got {self.last_ply} and {self.first_ply}")
        if self.stop_when_perfect != "no" and self.solver == "none":
            raise ConfigError("stop_when_perfect needs a solver, got solver = 'none'")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if self.opponents else dict.fromkeys(("pairs", "opening_plies"), "there are no opponents")
        names = ("positions", "first_ply", "last_ply")
        return found if self.solver == "positions" else {**found, **dict.fromkeys(names, "solver is not 'positions'")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroRecipe:
    """A whole training: which game, which network, how it plays, learns and is judged."""

    game: str
    """The game, as `load_game` reads it; "file.py:Class" for one's own."""
    teacher: Literal["self-play", "solver"] = "self-play"
    """Where positions come from: self-play, or the solver of small games (book, 5.3)."""
    style: Literal["continuous", "gated"] = "continuous"
    """Whether each new network plays at once (AlphaZero) or has to beat the one before (AlphaGo Zero)."""
    generations: int = field(default=10, metadata=spin(None, 1, 1_000_000))
    """Networks to train, one after the other; may be raised later."""
    games: int = field(default=100, metadata=spin(None, 1, 10_000_000))
    """Self-play games per network."""
    shard_games: int = field(default=0, metadata=spin(None, 0, 10_000_000))
    """Games that a worker is given at a time, at most those of a generation; 0 for a whole generation."""
    overlap: int = field(default=0, metadata=spin(None, 0, 1000))
    """Generations that playing may be ahead of learning; 0 for in turn."""
    stages: tuple[str, ...] = ()
    """Later changes, each "GENERATION setting=value ..."."""
    concurrent: int = field(default=64, metadata=spin(None, 1, 1_000_000))
    """Self-play games at a time."""
    batch: int = field(default=64, metadata=spin(None, 1, 1_000_000))
    """Positions judged at a time."""
    compile: bool = False
    """Let PyTorch compile the network that plays, on a GPU: a minute at each start, then nearly twice as fast."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of all chance."""
    threads: int = field(default=0, metadata=spin(None, 0, 512))
    """CPU threads for the network; one is best for small networks, 0 is as many as there are cores."""
    guards: bool = True
    """Refuse a new network that cannot learn at all."""
    start: Path | None = field(default=None, metadata=text())
    """Network to start from, of the same shape; else random weights."""
    network: NetworkConfig
    """The network. In a recipe's file `preset` names one to start from, and the encoding may be left out."""
    self_play: PoolConfig = field(default_factory=PoolConfig)
    """How it plays against itself."""
    training: ZeroTrainingConfig = field(default_factory=ZeroTrainingConfig)
    """How it learns."""
    gate: GateConfig = field(default_factory=GateConfig)
    """What a new network has to win, if the style is gated."""
    rating: RatingConfig = field(default_factory=RatingConfig)
    """How it is judged."""

    def __post_init__(self) -> None:
        validate(self)
        if self.network.game != self.game:
            raise ConfigError(f"network.game must be the recipe's game {self.game!r}, got {self.network.game!r}")
        if self.teacher == "solver" and self.style == "gated":
            raise ConfigError("teacher = 'solver' has no self-play, so style = 'gated' makes no sense")
        self.at(self.generations)
        if self.teacher == "solver" and self.network.reply:
            raise ConfigError("teacher = 'solver' knows single positions and no replies: set network.reply = false")

    def at(self, generation: int) -> ZeroRecipe:
        """Returns the recipe as it is when this generation plays and is learned from: all stages up to it hold.

        Raises ConfigError for a stage that makes no sense.
        """
        if not self.stages:
            return self
        stages = [read_stage(text, self.network) for text in self.stages]
        if [first for first, _ in stages] != sorted({first for first, _ in stages}):
            raise ConfigError(f"stages must be in the order of their generations, got {self.stages}")
        data = {**to_dict(self), "stages": ()}
        for first, changes in stages:
            if first > generation:
                break
            for path, value in changes.items():
                _set(data, path, value)
        return from_dict(ZeroRecipe, data)

    def may_follow(self, before: ZeroRecipe, generation: int) -> bool:
        """Says whether a run of another recipe that has trained so many networks can go on by this one.

        How much is done and how fast may change, and the stages that are to come: nothing that the games and networks
        there are have come from.
        """
        same = {name: getattr(before, name) for name in (*_OF_THE_MACHINE, "stages")}
        if replace(self, **same) != before:
            return False
        return all(self.at(past) == replace(before.at(past), **self._machine()) for past in range(generation))

    def _machine(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _OF_THE_MACHINE}

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if self.style == "gated" else {"gate": "style is not 'gated'"}
        if not self.stages:
            found["training.growth_passes"] = "there are no stages"
        if self.teacher == "solver":
            names = ("games", "concurrent", "compile", "shard_games", "overlap")
            found |= dict.fromkeys(names, "the solver teaches, without self-play")
        if self.start is not None:
            found["guards"] = "they are for random weights, and there is a start"
        if not self.network.moves_left:
            found["training.moves_left_weight"] = "the network does not tell the moves left"
        return found


# What changes nothing about the games and networks that there are.
_OF_THE_MACHINE = (
    "generations",
    "concurrent",
    "batch",
    "compile",
    "threads",
    "overlap",
    "shard_games",
)
_STAGED = ("self_play", "training", "network", "rating", "gate")


def read_stage(text: str, network: NetworkConfig) -> tuple[int, dict[str, Any]]:
    """Reads a stage: the generation it begins with, and values by the setting's path. Raises ConfigError."""
    first, *changes = text.split()
    if not first.isdecimal() or not changes:
        raise ConfigError(f'a stage is "GENERATION setting=value ...", got {text!r}')
    found: dict[str, Any] = {}
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals or path.split(".")[0] not in _STAGED or "." not in path:
            raise ConfigError(f"a stage changes settings of {', '.join(_STAGED)}, got {change!r}")
        if path == "network.preset":
            found["network"] = to_dict(preset(value, network.game, network.encoding))
            continue
        found[path] = _toml_value(value)
    return int(first), found


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _set(data: dict[str, Any], path: str, value: Any) -> None:
    *tables, name = path.split(".")
    for table in tables:
        data = data.setdefault(table, {})
    data[name] = value


# What a game of one's own is trained by when nothing else is said: its file lacks the game.
_ANY_GAME = "any-game"


def recipe_names() -> list[str]:
    """Returns the names of the recipes that are shipped."""
    files = (each.name for each in resources.files(__name__).iterdir())
    names = {name.removesuffix(".toml") for name in files if name.endswith(".toml")}
    return sorted(names - {_ANY_GAME})


def recipe_text(name: str) -> str:
    """Returns a recipe's file: a shipped one by its name, any other by its path, "file.py:Class" for one's own game.

    Raises ConfigError.
    """
    if name.endswith(".toml"):
        try:
            return Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"cannot read {name!r}: {error}") from None
    if ":" in name:
        return f"game = {json.dumps(name)}\n{_shipped(_ANY_GAME)}"
    if name not in recipe_names():
        raise UnknownNameError("recipe", name, recipe_names())
    return _shipped(name)


def _shipped(name: str) -> str:
    return (resources.files(__name__) / f"{name}.toml").read_text(encoding="utf-8")


def recipe_summary(name: str) -> str:
    """Returns the comment that a recipe's file begins with."""
    first = recipe_text(name).partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def load_recipe(name: str, game: str | None = None) -> ZeroRecipe:
    """Reads a recipe; `game` takes the place of its own. Raises ConfigError, and what loading its game raises."""
    text = recipe_text(name)
    if ":" in name and not name.endswith(".toml"):
        game = game or name
    try:
        return read_recipe(text, game)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from error


def read_recipe(text: str, game: str | None = None) -> ZeroRecipe:
    """Reads a recipe's text: `preset` and a missing encoding are filled in.

    `game` is the game that the user named, if any, and takes the place of the text's: only the user can name a game of
    their own, as that is code. Raises ConfigError, LoadError.
    """
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not TOML: {error}") from error
    table = data.get("network", {})
    if game is not None:
        data["game"] = game
        table = {**table, "game": game} if isinstance(table, dict) else table
    name = data.get("game")
    if not isinstance(name, str):
        raise ConfigError("game is missing: it must be text" if name is None else f"game must be text, got {name!r}")
    rules = known_game(name, "the recipe") if game is None else load_game(game)
    if isinstance(table, dict):
        data["network"] = recipe_network(dict(table), name, rules)
    return from_dict(ZeroRecipe, data)


def recipe_network(table: dict[str, Any], game: str, rules: AnyGame) -> NetworkConfig:
    """Makes the network's config: the preset's, changed by the table. Raises ConfigError."""
    name = table.pop("preset", None)
    asked = from_dict(NetworkConfig, {"game": game, **table}, "network.")
    encoding = asked.encoding if "encoding" in table else default_encoding(rules).name
    if name is None:
        return replace(asked, encoding=encoding)
    changes = {key: value for key, value in table.items() if key not in ("game", "encoding")}
    return preset(str(name), asked.game, encoding, **changes)
