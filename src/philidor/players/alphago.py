"""AlphaGo as a player: its search over all of its networks (book, ch. 4.1.6; Silver et al. 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.analysis import Analysis
from philidor.core.config import Dataclass, text, validate
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluation, Evaluator
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop, ending
from philidor.games.go import Go, GoState
from philidor.games.go.board import is_eye
from philidor.players.alphago_policy import load_policy, may_end, sensible_moves
from philidor.players.player import check_state, player_text, with_limits
from philidor.players.searching import CLOCKS
from philidor.search.apv import ApvConfig, ApvParts, Priors, apv

if TYPE_CHECKING:
    from philidor.evaluators.patterns import PatternEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaGoConfig(ApvConfig):
    """Knobs of AlphaGo: its networks and its search."""

    net: Path | None = field(default=None, metadata=text("WeightsFile"))
    """The policy network, or a linear policy in its place."""
    value_net: Path | None = field(default=None, metadata=text("ValueFile"))
    """The value network; not wanted when mixing is 1."""
    rollout: Path | None = field(default=None, metadata=text("RolloutFile"))
    """The rollout policy; not wanted when mixing is 0."""
    tree: Path | None = field(default=None, metadata=text("TreeFile"))
    """The tree policy, for priors until the policy network answers; equal ones without it."""

    def __post_init__(self) -> None:
        validate(self)


@final
class AlphaGoPlayer:
    """Plays Go by AlphaGo's search with policy and value networks and rollouts; it needs their files."""

    name: ClassVar[str] = "alphago"
    config_class: ClassVar[type[Dataclass]] = AlphaGoConfig
    levels: ClassVar[tuple[Any, ...]] = ()
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = CLOCKS | {"nodes"}

    def __init__(self, config: AlphaGoConfig | None = None, /) -> None:
        self.config = config or AlphaGoConfig()

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @property
    def config(self) -> AlphaGoConfig:
        """The settings in force; their networks are loaded when a board is seen."""
        return self._config

    @config.setter
    def config(self, config: AlphaGoConfig) -> None:
        if config.net is None:
            raise ConfigError("the player 'alphago' needs a policy: net=FILE")
        self._config = config
        self._loaded: dict[tuple[int, int], ApvParts] = {}

    def choose(self, state: AnyState, /) -> str:
        """Returns the move that the search looked at most."""
        best = self.think(state).best
        assert best is not None, "the game is not over"
        return best

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Searches for the config's simulations, or fewer where the limits have no time for them."""
        config = self._config
        if limits.nodes is not None:
            own = limits.nodes if limits.replace_own else min(limits.nodes, config.simulations)
            config = with_limits(config, {"simulations": own})
        return self._answer(state, config, ending(limits, state.to_move, stop))

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Returns what the search finds; `limits` replace settings."""
        return self._answer(state, with_limits(self._config, limits))

    def new_game(self) -> None:
        """There is nothing to forget: every move begins a new tree."""

    def _answer(self, state: AnyState, config: AlphaGoConfig, stop: Stop | None = None) -> Analysis:
        check_state(state)
        if not isinstance(state, GoState):
            raise ConfigError(f"the player 'alphago' plays Go, not the game of a {type(state).__name__}")
        if state.is_over():
            return Analysis(best=None)
        if not sensible_moves(state) or may_end(state):
            return Analysis(best=state.move_text(state.pass_move))
        return apv(state, self._parts(state), config, stop).analysis

    def _parts(self, state: GoState) -> ApvParts:
        """Returns the networks for a size of board. Raises NetError."""
        size = (state.grid.width, state.grid.height)
        if size not in self._loaded:
            self._loaded[size] = load_parts(self._config, Go(*size))
        return self._loaded[size]


def load_parts(config: AlphaGoConfig, game: Go) -> ApvParts:
    """Loads what the config names. Raises NetError for files that are not what they should be."""
    from philidor.evaluators.patterns import PatternEvaluator

    assert config.net is not None
    policy = load_policy(config.net, game)
    value = None if config.value_net is None else load_policy(config.value_net, game)
    tree = None if config.tree is None else PatternEvaluator.load(config.tree)
    rollout = None if config.rollout is None else PatternEvaluator.load(config.rollout)
    return ApvParts(
        policy=lambda states: _priors(policy, states),
        tree_policy=None if tree is None else lambda state: _priors(tree, [state])[0],
        value=None if value is None else lambda states: [each.value for each in value.evaluate(states)],
        rollout=None if rollout is None else lambda state, random: _played_out(rollout, state, random),
    )


def _played_out(rollout: PatternEvaluator, state: AnyState, random: SplitMix64) -> float:
    assert isinstance(state, GoState)
    return rollout.play_out(state, random)


def _priors(policy: Evaluator[Any], states: Sequence[Any]) -> list[Priors]:
    """Returns the probabilities of moves; none is left for filling an own eye while something else can be played."""
    return [_sensible(state, judged) for state, judged in zip(states, policy.evaluate(states), strict=True)]


def _sensible(state: GoState, judged: Evaluation[Any]) -> Priors:
    chances = dict(zip(judged.moves, judged.priors.tolist(), strict=True))
    eyes = [m for m in judged.moves[:-1] if is_eye(state.board, m, state.stone, state.grid)]
    chances |= dict.fromkeys(eyes, 0.0)
    total = sum(chances.values())
    return {move: chance / total for move, chance in chances.items()} if total > 0 else chances
