"""AlphaGo as a player: its search over all of its networks (book, ch. 4.1.6; Silver et al. 2016)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.analysis import Analysis
from philidor.core.config import Dataclass, real, spin, text, validate
from philidor.core.errors import NetError
from philidor.core.evaluation import Evaluation, Evaluator
from philidor.core.game import AnyGame, AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import Limits, Report, Stop
from philidor.games.go import Go, GoState
from philidor.games.go.board import is_eye
from philidor.players.alphago_policy import go_board, go_state, load_policy, may_end, part_of, sensible_moves
from philidor.players.player import HasNetworks, with_limits
from philidor.players.searching import CLOCKS, SearchPlayer
from philidor.search.apv import ApvConfig, ApvParts, Priors, apv, in_order
from philidor.search.result import SearchResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor.encodings.encoding import Batch
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.players.alphago_policy import Policy
    from philidor.search.apv.native import CompiledParts

    Search = Callable[[GoState, ApvConfig, Stop | None], SearchResult[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaGoConfig(ApvConfig):
    """Knobs of AlphaGo: its networks and its search. A network that is not named is the board's own, on 9x9.

    The paper's numbers are for a thousand times the simulations: with a few hundred its search plays what the policy
    network likes best. These are better by our own measurement (docs/alphago.md, "The search").
    """

    mixing: float = field(default=0.25, metadata=real("Mixing", 0.0, 1.0))
    """Lambda, the share of rollouts in a move's value: 0 trusts the value network alone, 1 rollouts alone."""
    c_puct: float = field(default=1.25, metadata=real("CPuct", 0.0, 1000.0))
    """Weight of priors and of moves rarely looked at; the paper has 5."""
    threshold: int = field(default=1, metadata=spin("ExpansionThreshold", 0, 1_000_000))
    """Rollouts through an edge after which its position joins the tree; the paper has 40, and adapts it."""
    policy_temperature: float = field(default=1.0, metadata=real("PolicyTemperature", 0.01, 100.0))
    """Divides the policy network's logits; below 1 its first choices weigh more. The paper has 0.67."""
    net: Path | None = field(default=None, metadata=text("WeightsFile"))
    """The policy network, or a linear policy in its place."""
    value_net: Path | None = field(default=None, metadata=text("ValueFile"))
    """The value network; not needed when mixing is 1."""
    rollout: Path | None = field(default=None, metadata=text("RolloutFile"))
    """The rollout policy; not needed when mixing is 0."""
    tree: Path | None = field(default=None, metadata=text("TreeFile"))
    """The tree policy, for priors until the policy network answers; not needed when lag is 0."""
    threads: int = field(default=1, metadata=spin("Threads", 1, 512))
    """Threads that play rollouts."""

    def __post_init__(self) -> None:
        validate(self)


@final
class AlphaGoPlayer(SearchPlayer[AlphaGoConfig], HasNetworks):
    """Plays Go by AlphaGo's search with policy and value networks and rollouts."""

    name: ClassVar[str] = "alphago"
    config_class: ClassVar[type[Dataclass]] = AlphaGoConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(AlphaGoConfig(simulations=count) for count in (50, 200, 800, 1_600))
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = CLOCKS | {"nodes"}

    @classmethod
    def _default(cls) -> AlphaGoConfig:
        return AlphaGoConfig()

    def _prepare(self, config: AlphaGoConfig) -> None:
        self._loaded: dict[tuple[int, int], Search] = {}
        self._games = 0

    def new_game(self) -> None:
        """Rollouts will be others."""
        self._games += 1

    def check_plays(self, game: AnyGame, /) -> None:
        """Loads the networks for a board. Raises ConfigError, NetError."""
        self._search_on(go_board(game, self.name), self.config)

    def search(
        self,
        state: AnyState,
        config: AlphaGoConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Runs the config's simulations, or fewer where there is no time for them. Raises ConfigError, NetError."""
        state = go_state(state, self.name)
        if not sensible_moves(state) or may_end(state):
            best = state.pass_move
            return SearchResult(best, Analysis(best=state.move_text(best)))
        if limits.nodes is not None:
            own = limits.nodes if limits.replace_own else min(limits.nodes, config.simulations)
            config = with_limits(config, {"simulations": own})
        config = with_limits(config, {"seed": config.seed + (self._games << 32)})
        return self._search_on((state.grid.width, state.grid.height), config)(state, config, stop)

    def _search_on(self, size: tuple[int, int], config: AlphaGoConfig) -> Search:
        if size not in self._loaded:
            self._loaded[size] = load_search(config, Go(*size))
        return self._loaded[size]


@dataclass(frozen=True, slots=True)
class Networks:
    """AlphaGo's networks for a size of board."""

    policy: Policy
    value: NetEvaluator | None
    rollout: PatternEvaluator | None
    tree: PatternEvaluator | None


def load_networks(config: AlphaGoConfig, game: Go) -> Networks:
    """Loads what the config names and needs. Raises ConfigError, and NetError for files that are something else."""
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator

    size = (game.grid.width, game.grid.height)
    value = None
    if config.mixing < 1:
        judge = load_policy(part_of(config.value_net, "value", size), game)
        if not isinstance(judge, NetEvaluator):
            raise NetError("a linear policy does not say who wins: value_net wants a value network")
        value = judge
    needs_tree = config.lag > 0 and (config.tree is not None or config.net is None)
    return Networks(
        policy=load_policy(part_of(config.net, "policy", size), game),
        value=value,
        rollout=PatternEvaluator.load(part_of(config.rollout, "rollout", size)) if config.mixing > 0 else None,
        tree=PatternEvaluator.load(part_of(config.tree, "tree", size)) if needs_tree else None,
    )


def load_search(config: AlphaGoConfig, game: Go) -> Search:
    """Returns the search for a size of board: the compiled one, or the reference for networks it cannot encode for."""
    from philidor.evaluators.patterns.native import just_captured
    from philidor.search.apv.native import compiled_apv

    networks = load_networks(config, game)
    parts = compiled_parts(networks)
    if parts is None:
        readable = readable_parts(networks)
        return lambda state, config, stop: apv(state, readable, config, stop)
    compiled, threads = parts, config.threads
    return lambda state, config, stop: compiled_apv(
        state, sorted(just_captured(state)), compiled, config, stop, threads
    )


# --- For the compiled search ------------------------------------------------------------------------------------


def compiled_parts(networks: Networks) -> CompiledParts | None:
    """Returns the networks as the compiled search asks them; None if one does not see AlphaGo's planes."""
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns.native import linear_chances
    from philidor.search.apv.native import CompiledParts

    policy, value = networks.policy, networks.value
    planes = _planes(policy) if isinstance(policy, NetEvaluator) else 0
    if planes is None or (value is not None and _planes(value) != 49):
        return None
    tree, rollout = networks.tree, networks.rollout
    if rollout is not None:
        rollout.check_plays_out()
    return CompiledParts(
        planes=planes,
        policy=_joined_priors(policy) if isinstance(policy, NetEvaluator) else None,
        linear_policy=None if isinstance(policy, NetEvaluator) else linear_chances(policy.compiled),
        value=None if value is None else _joined_values(value),
        rollout=None if rollout is None else rollout.compiled,
        tree_policy=None if tree is None else tree.compiled,
    )


def _planes(net: NetEvaluator) -> int | None:
    name, _, planes = net.encoding.name.partition("-")
    return int(planes) if name == "alphago" and planes.isdigit() else None


def _joined_priors(net: NetEvaluator) -> Callable[[Batch], NDArray[np.float32]]:
    import numpy as np

    return lambda batch: np.concatenate([judged.priors for judged in net.judgments(batch)])


def _joined_values(net: NetEvaluator) -> Callable[[Batch], NDArray[np.float32]]:
    import numpy as np

    return lambda batch: np.array([judged.wdl.value for judged in net.judgments(batch)], np.float32)


# --- For the reference ------------------------------------------------------------------------------------------


def readable_parts(networks: Networks) -> ApvParts:
    """Returns the networks as the reference asks them."""
    value, tree, rollout = networks.value, networks.tree, networks.rollout
    return ApvParts(
        policy=lambda states: sensible_priors(networks.policy, states),
        tree_policy=None if tree is None else lambda state: sensible_priors(tree, [state])[0],
        value=None if value is None else lambda states: [each.value for each in value.evaluate(states)],
        rollout=None if rollout is None else lambda state, random: _played_out(rollout, state, random),
    )


def _played_out(rollout: PatternEvaluator, state: AnyState, random: SplitMix64) -> float:
    assert isinstance(state, GoState)
    return rollout.play_out(state, random)


def sensible_priors(policy: Evaluator[Any], states: Sequence[Any]) -> list[Priors]:
    """Returns the probabilities of moves; none is left for filling an own eye while something else can be played."""
    return [_sensible(state, judged) for state, judged in zip(states, policy.evaluate(states), strict=True)]


def _sensible(state: GoState, judged: Evaluation[Any]) -> Priors:
    chances = dict(zip(judged.moves, judged.priors.tolist(), strict=True))
    eyes = [m for m in judged.moves[:-1] if is_eye(state.board, m, state.stone, state.grid)]
    chances |= dict.fromkeys(eyes, 0.0)
    total = in_order(chances.values())
    return {move: chance / total for move, chance in chances.items()} if total > 0 else chances
