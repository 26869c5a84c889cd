"""APV-MCTS, AlphaGo's search: a tree led by a policy network, judged by a value network and by rollouts (book, 4.1.6).

An edge has a prior P and two pairs of counts: Nv evaluations by the value network with their sum Wv, and Nr rollouts
with their sum Wr, both in the view of the player who moves along it. With lambda from 0 (values alone) to 1 (rollouts)

    Q = (1 - lambda) Wv / Nv + lambda Wr / Nr        u = c P sqrt(sum of Nr) / (1 + Nr)

and the next move is the one with the highest Q + u. Q is a mean; the book's text forgets to divide. A position joins
the tree when its edge has been rolled out more than `threshold` times. Its priors are the fast tree policy's until the
policy network has answered, which it does late, in batches, as AlphaGo's did on another machine: `lag` groups of
simulations later. Simulations go down the tree in groups, as AlphaGo's threads did; an edge that one of them is behind
carries a virtual loss, so that the next one looks elsewhere.

Silver et al. 2016, Methods; Extended Data Table 5 has the constants. `philidor.search.apv.native` is the same search,
compiled, for Go.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from philidor.core.analysis import Analysis, Line, MoveStats
from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import Stop
from philidor.search.result import SearchResult

Priors = dict[Any, float]
"""Probabilities by move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApvConfig:
    """Knobs of APV-MCTS. The defaults are the paper's, but for what depends on the number of its machines."""

    simulations: int = field(default=1_600, metadata=spin("Simulations", 1, 100_000_000))
    """Simulations per move, each with one rollout."""
    mixing: float = field(default=0.5, metadata=real("Mixing", 0.0, 1.0))
    """Lambda, the share of rollouts in a move's value: 0 trusts the value network alone, 1 rollouts alone."""
    c_puct: float = field(default=5.0, metadata=real("CPuct", 0.0, 1000.0))
    """Weight of priors and of moves rarely looked at."""
    threshold: int = field(default=8, metadata=spin("ExpansionThreshold", 0, 1_000_000))
    """Rollouts through an edge after which its position joins the tree; the paper has 40, and adapts it."""
    policy_temperature: float = field(default=0.67, metadata=real("PolicyTemperature", 0.01, 100.0))
    """Divides the policy network's logits; below 1 its first choices weigh more."""
    virtual_loss: int = field(default=3, metadata=spin("VirtualLoss", 0, 1_000))
    """Lost rollouts that an edge carries while a simulation goes through it."""
    batch: int = field(default=8, metadata=spin("MinibatchSize", 1, 4_096))
    """Simulations that go down the tree together, as AlphaGo's threads did."""
    lag: int = field(default=1, metadata=spin("Lag", 0, 1_000))
    """Groups of simulations that pass before the networks answer; meanwhile the tree policy's priors are in force. With
    0 they answer at once, and the tree policy has no say."""
    seed: int = field(default=0, metadata=spin("Seed", 0))
    """Seed of the rollouts."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApvParts:
    """AlphaGo's networks. Values and results are the side to move's, from -1 to 1."""

    policy: Callable[[Sequence[AnyState]], list[Priors]]
    """The policy network: probabilities of the legal moves, for a batch of positions."""
    tree_policy: Callable[[AnyState], Priors] | None = None
    """Quick priors until it answers; equal ones if there is none."""
    value: Callable[[Sequence[AnyState]], list[float]] | None = None
    """The value network."""
    rollout: Callable[[AnyState, SplitMix64], float] | None = None
    """Plays a game out and says how it ended."""


@dataclass(slots=True, eq=False)
class Edge:
    """A move from a position of the tree."""

    move: Any
    prior: float
    value_count: int = 0
    """Nv."""
    value_sum: float = 0.0
    """Wv."""
    rollout_count: int = 0
    """Nr, virtual losses too."""
    rollout_sum: float = 0.0
    """Wr."""
    state: AnyState | None = None
    """The position behind it, once it has been looked at."""
    value: float | None = None
    """What the value network says of that position, in its mover's view."""
    waiting: list[list[Edge]] = field(default_factory=list)
    """Paths of simulations that wait for this value."""
    node: Node | None = None

    def mean(self, mixing: float) -> float:
        """Q; what has not been asked counts as even."""
        values = self.value_sum / self.value_count if self.value_count else 0.0
        rollouts = self.rollout_sum / self.rollout_count if self.rollout_count else 0.0
        return (1 - mixing) * values + mixing * rollouts


@dataclass(slots=True, eq=False)
class Node:
    """A position of the tree."""

    state: AnyState
    edges: list[Edge]
    has_network_priors: bool = False


@dataclass(slots=True, eq=False)
class Questions:
    """What the networks were asked during one group of simulations."""

    policies: list[Node] = field(default_factory=list)
    values: list[Edge] = field(default_factory=list)


class ApvTree:
    """A search in progress."""

    def __init__(self, state: AnyState, parts: ApvParts, config: ApvConfig) -> None:
        """Raises ConfigError if a part is missing that the mixing asks for."""
        if config.mixing < 1 and parts.value is None:
            raise ConfigError(f"mixing = {config.mixing} needs a value network; 1 trusts rollouts alone")
        if config.mixing > 0 and parts.rollout is None:
            raise ConfigError(f"mixing = {config.mixing} needs a rollout policy; 0 trusts the value network alone")
        self.config, self.parts = config, parts
        self._random = SplitMix64(config.seed)
        self._questions: list[Questions] = []
        self.root = self._new_node(state)
        self.answer()

    def run(self, simulations: int, stop: Stop | None = None) -> int:
        """Runs simulations in groups of `batch`; after each the networks answer an earlier one, and `stop` is asked.

        Returns how many were run: one group at least. In the end all questions are answered.
        """
        done = 0
        while done < simulations:
            count = min(self.config.batch, simulations - done)
            self._questions.append(Questions())
            for path in [self.descend() for _ in range(count)]:
                self.finish(path)
            if len(self._questions) > self.config.lag:
                self.answer()
            done += count
            if stop is not None and stop():
                break
        while self._questions:
            self.answer()
        return done

    def descend(self) -> list[Edge]:
        """Follows the best edges to one that leads out of the tree, and puts a virtual loss on each."""
        node, path = self.root, list[Edge]()
        while True:
            edge = self._select(node)
            edge.rollout_count += self.config.virtual_loss
            edge.rollout_sum -= self.config.virtual_loss
            path.append(edge)
            if edge.state is None:
                edge.state = node.state.play(edge.move)
            if edge.node is None:
                return path
            node = edge.node

    def finish(self, path: list[Edge]) -> None:
        """Plays out from the end of a path and notes the result; the networks are asked later."""
        loss, leaf, state = self.config.virtual_loss, path[-1], path[-1].state
        assert state is not None
        # 1. Evaluate: the game's end judges itself; else a rollout now, and the value network when it answers.
        outcome = state.outcome()
        if outcome is not None:
            leaf.value = result = outcome.value_for(state.to_move)
        else:
            result = self.parts.rollout(state, self._random) if self.parts.rollout and self.config.mixing else 0.0
        self._ask_value(leaf, path)
        # 2. Back up the rollout, and take the virtual losses off.
        for edge in reversed(path):
            result = -result
            edge.rollout_count += 1 - loss
            edge.rollout_sum += result + loss
        # 3. Expand, when the edge has been rolled out often enough; another path of the group may have done it.
        if outcome is None and leaf.node is None and leaf.rollout_count > self.config.threshold:
            leaf.node = self._new_node(state)

    def _select(self, node: Node) -> Edge:
        """Returns the edge with the highest Q + u; the first of equals."""
        root = math.sqrt(max(1, sum(edge.rollout_count for edge in node.edges)))
        config = self.config
        return max(
            node.edges,
            key=lambda e: e.mean(config.mixing) + config.c_puct * e.prior * root / (1 + e.rollout_count),
        )

    def _new_node(self, state: AnyState) -> Node:
        """Adds a position with quick priors, and asks the policy network for better ones."""
        moves = state.legal_moves()
        tree_policy = self.parts.tree_policy
        priors = tree_policy(state) if tree_policy is not None else dict.fromkeys(moves, 1 / max(1, len(moves)))
        node = Node(state, [Edge(move, priors[move]) for move in moves])
        self._group().policies.append(node)
        return node

    def _group(self) -> Questions:
        """Returns the questions of the group that is under way."""
        if not self._questions:
            self._questions.append(Questions())
        return self._questions[-1]

    def _ask_value(self, leaf: Edge, path: list[Edge]) -> None:
        """Counts the value of a leaf along the path, at once if it is known, else when the network answers."""
        if self.config.mixing == 1:
            return
        if leaf.value is not None:
            _back_up_value(path, leaf.value)
            return
        if not leaf.waiting:
            self._group().values.append(leaf)
        leaf.waiting.append(path)

    def answer(self) -> None:
        """Lets the networks answer the oldest group: priors are replaced, values are counted along their paths."""
        asked = self._questions.pop(0)
        if asked.policies:
            answers = self.parts.policy([node.state for node in asked.policies])
            for node, priors in zip(asked.policies, answers, strict=True):
                sharp = tempered(priors, self.config.policy_temperature)
                for edge in node.edges:
                    edge.prior = sharp[edge.move]
                node.has_network_priors = True
        if asked.values and self.parts.value is not None:
            states = [edge.state for edge in asked.values if edge.state is not None]
            for edge, value in zip(asked.values, self.parts.value(states), strict=True):
                edge.value = value
                for path in edge.waiting:
                    _back_up_value(path, value)
                edge.waiting = []

    @property
    def best(self) -> Edge:
        """The move that was rolled out most; the first of equals."""
        return max(self.root.edges, key=lambda edge: edge.rollout_count)


def _back_up_value(path: Sequence[Edge], value: float) -> None:
    for edge in reversed(path):
        value = -value
        edge.value_count += 1
        edge.value_sum += value


def tempered(priors: Priors, temperature: float) -> Priors:
    """Returns probabilities whose logarithms are divided by the temperature."""
    powers = {move: chance ** (1 / temperature) for move, chance in priors.items()}
    total = in_order(powers.values())
    return {move: power / total for move, power in powers.items()} if total > 0 else priors


def in_order(numbers: Iterable[float]) -> float:
    """Returns a sum by plain additions, as the compiled twin makes them; `sum` makes up for what they round off."""
    return reduce(add, numbers, 0.0)


def apv(
    state: AnyState, parts: ApvParts, config: ApvConfig | None = None, stop: Stop | None = None
) -> SearchResult[Any]:
    """Searches a position, which is not over, and returns the move that was looked at most."""
    config = config or ApvConfig()
    began = time.perf_counter()
    tree = ApvTree(state, parts, config)
    simulations = tree.run(config.simulations, stop)
    rows = [(edge.move, edge.rollout_count, edge.prior, edge.mean(config.mixing)) for edge in tree.root.edges]
    return searched(state, rows, simulations, time.perf_counter() - began)


def searched(
    state: AnyState, rows: Sequence[tuple[Any, int, float, float]], simulations: int, time_s: float
) -> SearchResult[Any]:
    """Returns what a search found, from (move, rollouts, prior, Q) of each move of the root."""
    stats = tuple(
        MoveStats(state.move_text(move), visits=visits, prior=prior, value=value) for move, visits, prior, value in rows
    )
    best, _, _, value = max(rows, key=lambda row: row[1])
    text, wdl = state.move_text(best), Wdl.from_value(max(-1.0, min(1.0, value)))
    line = Line((text,), wdl=wdl)
    return SearchResult(
        best, Analysis(best=text, wdl=wdl, lines=(line,), moves=stats, nodes=simulations, time_s=time_s)
    )
