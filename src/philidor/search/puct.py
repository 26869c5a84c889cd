"""PUCT: tree search led by a policy and a value, for any game (book, ch. 4.2.2, Figures 4.8 to 4.10).

Where UCT plays at random to the end, PUCT asks an evaluator: how likely is each move to be good (the prior P), and who
is winning (the value)? A node's statistics belong to the player who moved into it, as the book's belong to the edge:
N visits, W the sum of values, Q = W / N. The next move is the one with the highest

    Q + c(N_parent) * P * sqrt(visits of all moves) / (1 + N)

The book adds a leaf's value with the same sign at every ply, which its figures do and no two-player game may:
`perspective = "fixed"` gives the figures' numbers, the default turns the sign wherever the player changes.

cpp/search/puct is the native twin. Under the same priors and values both grow the same tree, visit for visit: priors
are rounded to float32, sums and scores are double in the order written here, and the first of equals wins.
"""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from philidor.core.analysis import Analysis, Line, MoveStats
from philidor.core.config import check, combo, real, spin, validate
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluator, Wdl
from philidor.core.game import AnyState, Outcome
from philidor.core.random import SplitMix64
from philidor.search.dirichlet import dirichlet
from philidor.search.limits import NO_LIMITS, Budget, Limits, Stop
from philidor.search.result import SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class PuctConfig:
    """Knobs of PUCT. The defaults are those Leela Chess Zero plays with."""

    simulations: int = field(default=800, metadata=spin("Simulations", 1, 1_000_000_000))
    """Leaves to visit per move."""
    c_puct: float = field(default=1.745, metadata=real("CPuct", 0.0, 100.0))
    """c of a young node: weight of priors and of rarely visited moves."""
    c_factor: float = field(default=3.894, metadata=real("CPuctFactor", 0.0, 1000.0))
    """Growth of c with the logarithm of the visits; 0 keeps c constant."""
    c_base: float = field(default=38_739.0, metadata=real("CPuctBase", 1.0, 1e9))
    """Visits at which c begins to grow."""
    fpu: Literal["reduction", "absolute"] = field(
        default="reduction", metadata=combo("FpuStrategy", ("reduction", "absolute"))
    )
    """First-play urgency, the Q of a move not yet visited: a bit less than its parent's, or a fixed value."""
    fpu_value: float = field(default=0.33, metadata=real("FpuValue", -1.0, 2.0))
    """Q of unvisited moves: with fpu=absolute the value itself, with fpu=reduction the largest reduction."""
    noise: float = field(default=0.0, metadata=real("NoiseEpsilon", 0.0, 1.0))
    """Share of Dirichlet noise in the root's priors, for self-play."""
    noise_alpha: float = field(default=0.3, metadata=real("NoiseAlpha", 0.001, 1000.0))
    """Shape of the noise: small values single out few moves."""
    forced_playouts: float = field(default=0.0, metadata=real(None, 0.0, 100.0))
    """k: a visited root move is visited again until it has sqrt(k * P * N) visits; for self-play with noise."""
    moves_left_max_effect: float = field(default=0.0345, metadata=real("MovesLeftMaxEffect", 0.0, 1.0))
    """M: how much a shorter win or a longer loss may add to a move's score, if the evaluator tells the moves left."""
    moves_left_slope: float = field(default=0.0027, metadata=real("MovesLeftSlope", 0.0, 1.0))
    """Score that one ply of a shorter win or a longer loss adds, up to the maximum."""
    moves_left_threshold: float = field(default=0.8, metadata=real("MovesLeftThreshold", 0.0, 1.0))
    """Distance of the position's value from 0 above which the moves left count at all."""
    moves_left_constant: float = field(default=0.0, metadata=real("MovesLeftConstantFactor", -1.0, 1.0))
    """Constant term of the moves-left factor: constant + linear * x + quadratic * x * x, where x (0 to 1) is the value
    beyond the threshold."""
    moves_left_linear: float = field(default=1.6521, metadata=real("MovesLeftScaledFactor", -2.0, 2.0))
    """Linear term of the moves-left factor; see the constant term."""
    moves_left_quadratic: float = field(default=-0.6521, metadata=real("MovesLeftQuadraticFactor", -1.0, 1.0))
    """Quadratic term of the moves-left factor; see the constant term."""
    two_fold: bool = field(default=True, metadata=check("TwoFoldDraws"))
    """Whether a position that was on the path before counts as a draw, inside the tree."""
    prove: bool = True
    """Whether decided positions decide their parents, so that mates are played and not estimated."""
    perspective: Literal["mover", "fixed"] = "mover"
    """Whose view a leaf's value is added in; "fixed" is the book's drawing, not a way to play."""
    seed: int = field(default=1, metadata=spin("Seed", 0, 2**63 - 1))
    """Seed of the noise."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def fpu_is_absolute(self) -> bool:
        """`fpu` in the compiled core's words."""
        return self.fpu == "absolute"

    @property
    def is_fixed_perspective(self) -> bool:
        """`perspective` in the compiled core's words."""
        return self.perspective == "fixed"


DEFAULT = PuctConfig()


class Node:
    """A position of the tree; its statistics are the view of the player who moved here."""

    __slots__ = (
        "children",
        "draw_sum",
        "knows_moves_left",
        "mover",
        "moves_left_sum",
        "outcome",
        "own_value",
        "priors",
        "proven",
        "state",
        "value_sum",
        "visits",
    )

    def __init__(self, state: AnyState, mover: int, outcome: Outcome | None = None) -> None:
        self.state = state
        self.mover = mover
        self.outcome = outcome
        """How the game ended here, by the rules or by repeating a position of the path."""
        self.priors: list[float] = []
        """P by move, in canonical order; none until the position was evaluated."""
        self.children: list[Node | None] = []
        """By move; None where a move was never tried."""
        self.own_value = 0.0
        """V: what the evaluator said of this very position, in the view of the player to move."""
        self.visits = 0
        self.value_sum = 0.0
        self.draw_sum = 0.0
        self.moves_left_sum = 0.0
        self.knows_moves_left = False
        """Of the root: whether the evaluator tells how many plies are left."""
        self.proven = None if outcome is None else outcome.value_for(mover)
        """The result of perfect play, once it is known."""

    @property
    def value(self) -> float:
        """Q, or the proven result."""
        return self.value_sum / self.visits if self.proven is None else self.proven

    @property
    def moves_left(self) -> float:
        """The mean of the plies that are left."""
        return self.moves_left_sum / self.visits


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a simulation brings home, in the view of the player to move at the leaf."""

    value: float
    draw: float
    moves_left: float | None = None
    """Plies to the end of the game, from an evaluator that knows them; 0 where the game has ended."""


def puct(
    state: AnyState,
    config: PuctConfig = DEFAULT,
    *,
    evaluator: Evaluator[Any],
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
) -> SearchResult[Any]:
    """Returns the most visited move; `nodes` counts the simulations."""
    budget = Budget(limits, stop, interval=1)
    root = make_root(state, config, evaluator)
    while root.visits < config.simulations and not budget.is_spent() and (root.proven is None):
        simulate(root, config, evaluator)
        budget.visited += 1
    return puct_result(root, config, budget.time_s)


def make_root(state: AnyState, config: PuctConfig, evaluator: Evaluator[Any]) -> Node:
    """Evaluates the root, which is its first visit, and mixes noise into its priors. Raises ConfigError."""
    root = Node(state, 1 - state.to_move, state.outcome())
    if root.outcome is not None:
        raise ConfigError(f"there is nothing to search: the game is over ({root.outcome.reason})")
    leaf = expand(root, evaluator)
    if config.noise > 0:
        noise = dirichlet(config.noise_alpha, len(root.priors), SplitMix64(config.seed))
        root.priors = [
            single(prior * (1 - config.noise) + drawn * config.noise)
            for prior, drawn in zip(root.priors, noise, strict=True)
        ]
    back_up([root], leaf, config)
    return root


def simulate(root: Node, config: PuctConfig, evaluator: Evaluator[Any]) -> list[Node]:
    """Runs one iteration: select, expand and evaluate, back up. Returns the path."""
    was_proven = root.proven is not None
    # 1. Select: follow the best score while positions were evaluated before.
    path = [root]
    while path[-1].priors and (path[-1].proven is None or path[-1] is root):
        place = select(path[-1], config, is_root=path[-1] is root, counts_moves_left=root.knows_moves_left)
        path.append(child_of(path, place, config))
    # 2. Expand and evaluate; a decided position needs no evaluator.
    node = path[-1]
    leaf = expand(node, evaluator) if node.proven is None else settled(node)
    # 3. Back up.
    back_up(path, leaf, config)
    if not was_proven:
        try_to_win_at_once(root, config)
    return path


def select(node: Node, config: PuctConfig, *, is_root: bool = False, counts_moves_left: bool = False) -> int:
    """Returns the place of the move with the highest Q + U + M, the first of equals.

    A move that is proven to lose is only taken when there is no other.
    """
    visits = sum(child.visits for child in node.children if child is not None)
    scale = exploration(config, 1 + visits) * math.sqrt(max(visits, 1))
    unvisited = first_play_urgency(node, config)
    is_decided = node.visits > 0 and abs(node.value_sum / node.visits) > config.moves_left_threshold
    counts_moves_left = counts_moves_left and config.moves_left_max_effect > 0 and is_decided
    best, best_score = -1, -math.inf
    for place, (prior, child) in enumerate(zip(node.priors, node.children, strict=True)):
        if child is not None and child.proven == -1.0:
            continue
        n = 0 if child is None else child.visits
        q = unvisited if child is None or n == 0 else child.value
        score = q + scale * prior / (1 + n)
        if counts_moves_left and child is not None and n:
            score += moves_left_utility(node, child, config)
        if is_root and 0 < n < math.sqrt(config.forced_playouts * prior * visits):
            score = math.inf
        if score > best_score:
            best, best_score = place, score
    return best if best >= 0 else 0


def exploration(config: PuctConfig, visits: int) -> float:
    """Returns c for a node of so many visits."""
    return config.c_puct + config.c_factor * math.log((visits + config.c_base) / config.c_base)


def moves_left_utility(node: Node, child: Node, config: PuctConfig) -> float:
    """Returns M: what a shorter win or a longer loss adds to a move's score where the game is nearly decided (lc0)."""
    most, threshold = config.moves_left_max_effect, config.moves_left_threshold
    effect = min(max(config.moves_left_slope * (child.moves_left - node.moves_left), -most), most)
    size = abs(child.value)
    x = max(0.0, size - threshold) / (1 - threshold) if 0 < threshold < 1 else size
    weight = config.moves_left_constant + config.moves_left_linear * x + config.moves_left_quadratic * x * x
    return effect * math.copysign(1.0, -child.value) * weight


def first_play_urgency(node: Node, config: PuctConfig) -> float:
    """Returns the Q of moves that were not visited."""
    if config.fpu == "absolute":
        return config.fpu_value
    seen = 0.0
    for prior, child in zip(node.priors, node.children, strict=True):
        if child is not None and child.visits > 0:
            seen += prior
    # The node's own mean, in the view of the player to move there.
    mean = node.value_sum / node.visits if node.visits else 0.0
    if is_turned(node.mover, node.state.to_move, config):
        mean = -mean
    return mean - config.fpu_value * math.sqrt(seen)


def is_turned(mover: int, other: int, config: PuctConfig) -> bool:
    """Says whether a value of one player is the negative for the other."""
    return mover != other and config.perspective == "mover"


def child_of(path: Sequence[Node], place: int, config: PuctConfig) -> Node:
    """Returns the child at `place` of the path's last node, made if it is new."""
    parent = path[-1]
    child = parent.children[place]
    if child is None:
        state = parent.state.play(parent.state.legal_moves()[place])
        outcome = state.outcome()
        if outcome is None and config.two_fold and any(node.state.key == state.key for node in path):
            outcome = Outcome(None, "repetition in the tree")
        child = parent.children[place] = Node(state, parent.state.to_move, outcome)
    return child


def expand(node: Node, evaluator: Evaluator[Any]) -> Leaf:
    """Asks the evaluator for the node's priors and value."""
    evaluation = evaluator.evaluate([node.state])[0]
    node.priors = [float(prior) for prior in evaluation.priors]
    node.children = [None] * len(node.priors)
    node.own_value = single(single(evaluation.wdl.win) - single(evaluation.wdl.loss))
    return Leaf(node.own_value, single(evaluation.wdl.draw), evaluation.moves_left)


def settled(node: Node) -> Leaf:
    """Returns what a decided position is worth to the player to move there."""
    assert node.proven is not None
    value = node.proven if node.mover == node.state.to_move else -node.proven
    return Leaf(value, 1.0 if value == 0 else 0.0, node.moves_left if node.visits else 0.0)


def back_up(path: Sequence[Node], leaf: Leaf, config: PuctConfig) -> None:
    """Adds the leaf's value along the path; a node whose result it proves adds that instead, and so on up."""
    value, draw, viewer = leaf.value, leaf.draw, path[-1].state.to_move
    moves_left = leaf.moves_left or 0.0
    if path[-1].visits == 0:
        path[-1].own_value = value
    if leaf.moves_left is not None and path[-1].proven is None:
        path[0].knows_moves_left = True
    for node in reversed(path):
        if config.prove and node.proven is None and (result := proof(node)) is not None:
            node.proven = result
            value, draw, viewer = result, (1.0 if result == 0 else 0.0), node.mover
            # Who loses chooses the longest way; who wins has just found one, and ends its search here.
            if result == (-1.0 if node.mover == node.state.to_move else 1.0):
                moves_left = 1 + max(child.moves_left for child in node.children if child is not None)
            node.moves_left_sum = moves_left * node.visits
        elif node.proven is not None and node.visits:
            moves_left = node.moves_left
        node.visits += 1
        node.moves_left_sum += moves_left
        moves_left += 1
        node.value_sum += -value if is_turned(node.mover, viewer, config) else value
        node.draw_sum += draw


def proof(node: Node) -> float | None:
    """Returns the node's result for its mover if the children decide it: one that wins, or all of them known."""
    best = -1.0
    is_open = not node.priors
    for child in node.children:
        if child is None or child.proven is None:
            is_open = True
        elif child.proven == 1.0:
            best, is_open = 1.0, False
            break
        else:
            best = max(best, child.proven)
    if is_open:
        return None
    return best if node.mover == node.state.to_move else -best


def try_to_win_at_once(root: Node, config: PuctConfig) -> None:
    """Gives a visit to an untried move that ends the game, if the root is won but not so soon.

    The search ends with the first win that it has proven, and a mate in one may be where the priors saw nothing. Only
    the rules are asked, not the evaluator.
    """
    is_won = root.proven == (1.0 if root.mover == root.state.to_move else -1.0)
    if not is_won or root.moves_left <= 1:
        return
    for place, move in enumerate(root.state.legal_moves()):
        if root.children[place] is None:
            outcome = root.state.play(move).outcome()
            if outcome is not None and outcome.value_for(root.state.to_move) == 1.0:
                child = child_of([root], place, config)
                back_up([root, child], settled(child), config)
                return


def best_place(node: Node) -> int:
    """Returns the place of the move to play: the shortest proven win, else the most visited that does not lose.

    Where every move is proven to lose, the one that loses last.
    """

    def rank(place: int) -> tuple[bool, bool, float, int, float]:
        child = node.children[place]
        if child is None or child.visits == 0:
            return False, True, 0.0, 0, 0.0
        wins, loses = child.proven == 1.0, child.proven == -1.0
        delay = -child.moves_left if wins else child.moves_left if loses else 0.0
        return wins, not loses, delay, child.visits, child.value

    return max(range(len(node.children)), key=rank)


def single(value: float) -> float:
    """Rounds to float32, the precision of priors in the native tree."""
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def puct_result(root: Node, config: PuctConfig, time_s: float) -> SearchResult[Any]:
    """Describes what was found."""
    state = root.state
    moves = state.legal_moves()
    visits = root.visits - 1
    scale = exploration(config, 1 + visits) * math.sqrt(max(visits, 1))
    stats = []
    for move, prior, child in zip(moves, root.priors, root.children, strict=True):
        n = 0 if child is None else child.visits
        bonus = scale * prior / (1 + n)
        stats.append(_stats(state.move_text(move), prior, bonus, child, root.knows_moves_left))
    best = moves[best_place(root)]
    analysis = Analysis(
        best=state.move_text(best),
        wdl=_wdl(root),
        lines=(Line(_line(root)),),
        moves=tuple(stats),
        nodes=root.visits,
        time_s=time_s,
    )
    return SearchResult(best, analysis)


def _stats(text: str, prior: float, bonus: float, child: Node | None, knows_moves_left: bool) -> MoveStats:
    """Describes a move of the root in the view of its mover."""
    if child is None or child.visits == 0:
        return MoveStats(text, prior=prior, visits=0, exploration=bonus)
    return MoveStats(
        text,
        prior=prior,
        visits=child.visits,
        value=child.value,
        exploration=bonus,
        draw=child.draw_sum / child.visits if child.proven is None else float(child.proven == 0),
        moves_left=child.moves_left if knows_moves_left else None,
        raw_value=child.own_value if child.mover == child.state.to_move else -child.own_value,
    )


def _wdl(root: Node) -> Wdl:
    if root.proven is not None:
        value, draw = -root.proven, 1.0 if root.proven == 0 else 0.0
    else:
        value, draw = -root.value_sum / root.visits, root.draw_sum / root.visits
    return Wdl((1 - draw + value) / 2, draw, (1 - draw - value) / 2)


def _line(node: Node) -> tuple[str, ...]:
    texts = []
    current: Node | None = node
    while current is not None and any(child is not None and child.visits for child in current.children):
        place = best_place(current)
        texts.append(current.state.move_text(current.state.legal_moves()[place]))
        current = current.children[place]
    return tuple(texts)
