"""The engine whose searches are kept: which one, how far it looks, and its scores as records write them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from philidor.core.analysis import Score
from philidor.core.config import settings, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.core.options import override
from philidor.games.chess import Chess, Position
from philidor.players import Player, can_play, player_class
from philidor.players.engine import EnginePlayer
from philidor.players.native import score_of

_MATE = 32_000
# A table that stays in the cache and is soon cleared holds all that a game of such searches has to remember.
_FEW_NODES, _SMALL_HASH_MB = 20_000, 2
_MAX_EVALUATION = 30_000
MAX_CP = 31_000
"""Scores beyond it are mates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """An engine and its limit."""

    engine: str = "classic"
    """The player that searches: a name of the table of players, such as nnue, classic, giraffe or deepchess."""
    settings: tuple[str, ...] = field(default=(), metadata=text())
    """Settings of the engine, as NAME=VALUE."""
    nodes: int | None = field(default=5_000, metadata=spin(None, 1))
    """Positions to search for each move. Our own engines finish the iteration at hand, so that no score is a bound."""
    overrun: int = field(default=4, metadata=spin(None, 1, 1_000))
    """Multiple of the nodes at which an unfinished iteration is cut short; the last finished one then counts."""
    depth: int | None = field(default=None, metadata=spin(None, 1, 100))
    """Plies to search per move. With --nodes, whichever limit is reached first ends the search."""

    def __post_init__(self) -> None:
        validate(self)
        if self.nodes is None and self.depth is None:
            raise ConfigError("nodes or depth must say how far to search")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        known = {setting.name for setting in settings(player_class(self.engine).config_class)}
        return {name: f"{self.engine} has no {name}" for name in ("nodes", "depth") if name not in known}

    def player(self) -> Player:
        """Makes the engine. Raises ConfigError."""
        kind = player_class(self.engine)
        if not can_play(kind, Chess()):
            raise ConfigError(f"the player {self.engine!r} does not play chess")
        # The searches of the book have no limit of nodes: they go by a depth or by playouts of their own.
        known = {setting.name for setting in settings(kind.config_class)}
        named: dict[str, Any] = {name: getattr(self, name) for name in ("nodes", "depth") if name in known}
        if issubclass(kind, EnginePlayer) and self.nodes is not None and self.nodes <= _FEW_NODES:
            named["hash"] = _SMALL_HASH_MB
        for setting in self.settings:
            name, is_pair, value = setting.partition("=")
            if not is_pair:
                raise ConfigError(f"settings: expected NAME=VALUE, got {setting!r}")
            named[name] = value
        return kind(override(kind.config_class(), named))


class ScoringEngine:
    """An engine at work, one game after the other; what it finds depends on the game alone."""

    def __init__(self, settings: SearchSettings) -> None:
        self._name = settings.engine
        self._player = settings.player()
        self._limits = search_limits(settings, self._player) if isinstance(self._player, EnginePlayer) else {}

    def new_game(self) -> None:
        """Forgets the last game."""
        self._player.new_game()

    def evaluate(self, position: Position) -> int:
        """Returns the evaluation itself, in centipawns. Raises ConfigError for a player that only searches."""
        if not isinstance(self._player, EnginePlayer):
            raise ConfigError(f"the player {self._name!r} has no evaluation that can be asked without a search")
        return self._player.engine.evaluate(position.native)

    def search(self, position: Position) -> tuple[str, int | None]:
        """Returns the best move and its score as records have it; None if the player has no scores."""
        if isinstance(self._player, EnginePlayer):
            verdict = self._player.engine.search(position.native, **self._limits)
            assert verdict.move is not None, "the game is not over"
            return position.uci(verdict.move), score_number(score_of(verdict.score))
        found = self._player.think(position)
        assert found.best is not None, "the game is not over"
        return found.best, None if found.score is None else score_number(found.score)

    def score(self, position: Position) -> int:
        """Returns the score of a search as records have it. Raises ConfigError for a player without scores."""
        score = self.search(position)[1]
        if score is None:
            raise ConfigError(f"the player {self._name!r} gives no scores")
        return score


def search_limits(settings: SearchSettings, player: EnginePlayer[Any]) -> dict[str, int | None]:
    """Returns the limits of each search of one of our own engines. Raises ConfigError."""
    config = player.config
    if config.movetime is not None:
        raise ConfigError("settings: movetime would let the scores depend on the machine; use nodes or depth")
    hard = None if config.nodes is None else config.nodes * settings.overrun
    return {"depth": config.depth, "soft_nodes": config.nodes, "nodes": hard}


def score_number(score: Score) -> int:
    """Writes a score as records do: a mate in n plies is 32000 - n, being mated -32000 + n."""
    if score.cp is not None:
        return max(-_MAX_EVALUATION, min(score.cp, _MAX_EVALUATION))
    assert score.mate is not None
    return _MATE - (2 * score.mate - 1) if score.mate > 0 else -_MATE - 2 * score.mate
