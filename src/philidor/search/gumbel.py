"""Gumbel search: PUCT's tree with a root that makes the most of few simulations (beyond the book's ch. 4.3).

AlphaZero's root needs noise to try moves that the priors do not know, and many visits to find out that one is good.
Here (Danihelka and others 2022) the root draws a few moves without repetition, by adding Gumbel noise to the logarithms
of the priors, and halves their number again and again, visiting all that are left equally often. Below the root moves
are visited in proportion to an improved policy. The target for training is that improved policy, not the visits.

cpp/search/puct is the native twin.
"""

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from philidor.core.config import real, spin, validate
from philidor.core.evaluation import Evaluator
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.search.dirichlet import uniform
from philidor.search.limits import NO_LIMITS, Budget, Limits, Stop
from philidor.search.puct import (
    Node,
    PuctConfig,
    back_up,
    child_of,
    expand,
    make_root,
    puct_result,
    settled,
    try_to_win_at_once,
)
from philidor.search.result import SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class GumbelConfig:
    """Knobs of Gumbel search."""

    simulations: int = field(default=64, metadata=spin("Simulations", 1, 1_000_000_000))
    """Leaves to visit per move."""
    considered: int = field(default=16, metadata=spin(None, 1, 65_535))
    """Root moves drawn for a closer look."""
    gumbel_scale: float = field(default=1.0, metadata=real(None, 0.0, 100.0))
    """Randomness of the draw: 1 for self-play, 0 to play for a win."""
    c_visit: float = field(default=50.0, metadata=real(None, 0.0, 1e6))
    """Weight of values against priors before any visit."""
    c_scale: float = field(default=0.5, metadata=real(None, 0.0, 1e6))
    """Weight of values against priors that each visit of the most visited move adds."""
    two_fold: bool = True
    """Whether a position that was on the path before counts as a draw, inside the tree."""
    prove: bool = True
    """Whether decided positions decide their parents."""
    seed: int = field(default=1, metadata=spin("Seed", 0, 2**63 - 1))
    """Seed of the draw."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def tree(self) -> PuctConfig:
        """The same for what PUCT's tree does."""
        return PuctConfig(simulations=self.simulations, two_fold=self.two_fold, prove=self.prove, seed=self.seed)


DEFAULT = GumbelConfig()


class GumbelRoot:
    """The root, its draw, and which of its moves are visited when."""

    def __init__(self, state: AnyState, config: GumbelConfig, evaluator: Evaluator[Any]) -> None:
        self.node = make_root(state, config.tree, evaluator)
        self.config = config
        random = SplitMix64(config.seed)
        self.gumbel = [config.gumbel_scale * gumbel(random) for _ in self.node.priors]
        self.schedule = visit_schedule(min(config.considered, len(self.node.priors)), config.simulations - 1)

    def choose(self) -> int:
        """Returns the move to visit next: of those with the visits whose turn it is, the best draw plus value."""
        done = self.node.visits - 1
        turn = self.schedule[done] if done < len(self.schedule) else None
        visits = [_visits(child) for child in self.node.children]
        # A move that was settled before its turn (or a proof that took visits elsewhere) may leave nobody for the turn.
        places = [place for place, n in enumerate(visits) if n == turn] or list(range(len(visits)))
        scores = self.scores()
        return max(places, key=lambda place: scores[place])

    def scores(self) -> list[float]:
        """Returns Gumbel + logit + sigma(Q) of each move."""
        improved = improved_logits(self.node, self.config)
        return [drawn + logit for drawn, logit in zip(self.gumbel, improved, strict=True)]

    def best(self) -> int:
        """Returns the move to play: of the most visited, the one with the best score.

        The shortest proven win comes before all, and where everything loses the longest loss.
        """
        children = self.node.children
        proven = [(place, child) for place, child in enumerate(children) if child is not None and child.visits]
        if wins := [(child.moves_left, place) for place, child in proven if child.proven == 1.0]:
            return min(wins)[1]
        places = [p for p, child in enumerate(children) if child is None or child.proven != -1.0]
        if not places:
            longest = max(child.moves_left for _, child in proven)
            places = [place for place, child in proven if child.moves_left == longest]
        most = max(_visits(children[place]) for place in places)
        scores = self.scores()
        return max((p for p in places if _visits(children[p]) == most), key=lambda place: scores[place])


def gumbel_search(
    state: AnyState,
    config: GumbelConfig = DEFAULT,
    *,
    evaluator: Evaluator[Any],
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
) -> SearchResult[Any]:
    """Returns the move that came through; `nodes` counts the simulations."""
    budget = Budget(limits, stop, interval=1)
    root = GumbelRoot(state, config, evaluator)
    while root.node.visits < config.simulations and not budget.is_spent() and root.node.proven is None:
        simulate(root, evaluator)
        budget.visited += 1
    found = puct_result(root.node, config.tree, budget.time_s)
    best = state.legal_moves()[root.best()]
    return SearchResult(best, dataclasses.replace(found.analysis, best=state.move_text(best)))


def simulate(root: GumbelRoot, evaluator: Evaluator[Any]) -> None:
    """Runs one iteration: the root's own choice, then the improved policy's, then as PUCT."""
    config = root.config
    was_proven = root.node.proven is not None
    path = [root.node]
    while path[-1].priors and (path[-1].proven is None or path[-1] is root.node):
        place = root.choose() if path[-1] is root.node else select(path[-1], config)
        path.append(child_of(path, place, config.tree))
    node = path[-1]
    back_up(path, expand(node, evaluator) if node.proven is None else settled(node), config.tree)
    if not was_proven:
        try_to_win_at_once(root.node, config.tree)


def select(node: Node, config: GumbelConfig) -> int:
    """Returns the move whose visits lag most behind the improved policy, the first of equals."""
    policy = improved_policy(node, config)
    total = sum(_visits(child) for child in node.children)
    best, best_score = -1, -math.inf
    for place, child in enumerate(node.children):
        if child is not None and child.proven == -1.0:
            continue
        score = policy[place] - _visits(child) / (1 + total)
        if score > best_score:
            best, best_score = place, score
    return best if best >= 0 else 0


def improved_policy(node: Node, config: GumbelConfig) -> list[float]:
    """Returns softmax(logit + sigma(completed Q)): what to train the priors towards."""
    logits = improved_logits(node, config)
    highest = max(logits)
    weights = [math.exp(logit - highest) for logit in logits]
    total = 0.0
    for weight in weights:
        total += weight
    return [weight / total for weight in weights]


def improved_logits(node: Node, config: GumbelConfig) -> list[float]:
    """Returns logit + sigma(completed Q) of each move; Q is turned from -1..1 to 0..1 first."""
    weight = config.c_visit + max(_visits(child) for child in node.children)
    scale = weight * config.c_scale
    unvisited = mixed_value(node)
    found = []
    for prior, child in zip(node.priors, node.children, strict=True):
        q = unvisited if child is None or child.visits == 0 else child.value
        found.append(math.log(max(prior, _SMALLEST)) + scale * ((q + 1) / 2))
    return found


def mixed_value(node: Node) -> float:
    """Returns the guess for moves not visited: the node's own value mixed with those of the visited, by priors."""
    visits, seen, weighted = 0, 0.0, 0.0
    for prior, child in zip(node.priors, node.children, strict=True):
        if child is not None and child.visits > 0:
            visits += child.visits
            seen += prior
            weighted += prior * child.value
    if seen <= 0:
        return node.own_value
    return (node.own_value + visits * (weighted / seen)) / (1 + visits)


def visit_schedule(considered: int, simulations: int) -> list[int]:
    """Returns for each simulation how many visits the moves have whose turn it is: sequential halving."""
    if considered <= 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(considered))
    visits = [0] * considered
    schedule: list[int] = []
    left = considered
    while len(schedule) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            schedule += visits[:left]
            for place in range(left):
                visits[place] += 1
        left = max(2, left // 2)
    return schedule[:simulations]


def gumbel(random: SplitMix64) -> float:
    """Draws from the standard Gumbel distribution."""
    return -math.log(-math.log(uniform(random)))


# So that a prior that was rounded to 0 still has a logarithm.
_SMALLEST = 1e-30


def _visits(child: Node | None) -> int:
    return 0 if child is None else child.visits
