"""Who reviews a game, and how long it may think."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from philidor.core.config import real, settings, spin, validate
from philidor.core.errors import ConfigError
from philidor.core.thinking import Limits
from philidor.players import DEFAULT_ENGINE, ENGINES, player_class
from philidor.players.human_policy import HIGHEST, LOWEST

DEFAULT_NODES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewConfig:
    """The engine that judges, and the people that it is compared with."""

    engine: str = DEFAULT_ENGINE
    """Engine that judges the moves: nnue, classic, net or another that searches by nodes."""
    net: Path | None = None
    """Network of the judging engine: a file, or the name of a shipped one."""
    nodes: int | None = field(default=None, metadata=spin(None, 1))
    """Positions to search per move; 100000 if no other limit is given."""
    movetime: float | None = field(default=None, metadata=real(None, 0.001))
    """Seconds to think per move."""
    depth: int | None = field(default=None, metadata=spin(None, 1, 199))
    """Plies to search per move."""
    human: int | None = field(default=None, metadata=spin(None, LOWEST, HIGHEST))
    """Rating of the people whose likely moves are shown too."""
    human_net: Path | None = None
    """Network that knows what people play, such as a Maia file, or a folder of Maia files, of which the one nearest to
    the rating answers; the shipped network if not given."""

    def __post_init__(self) -> None:
        validate(self)
        if self.engine not in ENGINES:
            raise ConfigError(f"{self.engine!r} cannot review games; these can: {', '.join(_reviewers())}")
        kind = player_class(self.engine)
        if not {"nodes", "depth"} <= kind.heeds:
            raise ConfigError(f"{self.engine} does not search by nodes or depth; these do: {', '.join(_reviewers())}")
        if self.net is not None and not any(setting.name == "net" for setting in settings(kind.config_class)):
            raise ConfigError(f"net would be ignored: {self.engine} has no network")
        if self.human is None and self.human_net is not None:
            raise ConfigError("human_net would be ignored: no rating is given (--human RATING, or human=RATING)")

    @property
    def limits(self) -> Limits:
        """What one search may cost."""
        is_free = self.movetime is None and self.depth is None
        nodes = DEFAULT_NODES if self.nodes is None and is_free else self.nodes
        return Limits(nodes=nodes, time_s=self.movetime, depth=self.depth, replace_own=True)

    def engine_settings(self) -> dict[str, Any]:
        """Returns the settings that the engine is loaded with."""
        return {} if self.net is None else {"net": self.net}

    def words(self) -> str:
        """Says who judged: "nnue, 100,000 nodes a move"."""
        limits = self.limits
        parts = [f"{limits.nodes:,} nodes" if limits.nodes else "", f"{limits.time_s:g} s" if limits.time_s else ""]
        parts.append(f"depth {limits.depth}" if limits.depth else "")
        net = "" if self.net is None else f" with {self.net.name}"
        return f"{self.engine}{net}, {' and '.join(part for part in parts if part)} a move"


def _reviewers() -> list[str]:
    return [name for name in ENGINES if {"nodes", "depth"} <= player_class(name).heeds]
