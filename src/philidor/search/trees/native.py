"""The compiled PUCT: puct.py's tree, visit for visit, but fast, and able to keep many leaves waiting at once.

Chess is played in C++; a game written in Python is played here, and only its tree is compiled. Either way the
evaluator is asked for whole batches: unfinished visits count as losses, so that one walk after the other leads
elsewhere. With batches of one the tree is the reference's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from philidor._native._ext import ChessPuct, PuctLeaf, PuctSettings, PuctTree
from philidor.core.abilities import MayPass
from philidor.core.analysis import Analysis, Line, MoveStats
from philidor.core.errors import ConfigError, GameError
from philidor.core.evaluation import Evaluation, Evaluator, Wdl
from philidor.core.game import AnyState
from philidor.core.native_settings import fill
from philidor.games.chess import Position
from philidor.search.gumbel import GumbelConfig
from philidor.search.limits import NO_LIMITS, Budget, Limits, Stop
from philidor.search.puct import DEFAULT, PuctConfig, exploration, single
from philidor.search.result import SearchResult

_NEW, _WAITING = 0, 1
_ROOT = 0
_NO_GUMBEL = GumbelConfig()


@dataclass(frozen=True, slots=True)
class RootMove:
    """What the tree knows of a move of the root, in the view of the player to move there."""

    prior: float
    visits: int
    value: float | None
    """Q, or the proven result; None if it was never visited."""
    proven: int | None
    draw: float | None = None
    """The mean chance of a draw."""
    moves_left: float | None = None
    """The mean of the plies left after it, where the evaluator knows them."""
    own_value: float | None = None
    """What the evaluator alone said of it."""
    distance: float | None = None
    """The plies after it to a result that is proven."""


class _Tree(Protocol):
    """What both kinds of trees offer; `state` is what the evaluator is asked about."""

    root: AnyState

    @property
    def view(self) -> ChessPuct | PuctTree:
        """What can be seen of the compiled tree."""

    def collect(self, count: int, simulations: int) -> Sequence[tuple[Any, AnyState]]:
        """Returns leaves that wait for their evaluation, with their states."""

    def apply(self, leaf: Any, state: AnyState, evaluation: Evaluation[Any]) -> None:
        """Hands over a leaf's evaluation."""

    def cancel(self, leaf: Any) -> None:
        """Gives a leaf up."""

    def advance(self, place: int, settings: PuctSettings) -> None:
        """Plays a move of the root and keeps the tree below."""


class PuctSearch:
    """A tree that grows with each call of `run` and moves along with the game."""

    def __init__(
        self,
        state: AnyState,
        config: PuctConfig | GumbelConfig = DEFAULT,
        *,
        virtual_loss: float = 1.0,
        memory_mb: int = 4096,
        root_moves: Sequence[Any] = (),
    ) -> None:
        """Begins with the bare root, which must not be over; a tree of `memory_mb` grows no further.

        With `root_moves`, in chess, only these are looked at; such a tree cannot be carried along.
        """
        if (outcome := state.outcome()) is not None:
            raise ConfigError(f"there is nothing to search: the game is over ({outcome.reason})")
        self.config = config.tree if isinstance(config, GumbelConfig) else config
        self._virtual_loss, self._memory_mb = virtual_loss, memory_mb
        settings = self._settings = make_settings(config, virtual_loss, memory_mb)
        legal = list(state.legal_moves())
        self._root_places = sorted({legal.index(move) for move in root_moves})
        if self._root_places and not isinstance(state, Position):
            raise ConfigError("only in chess can a search be restricted to some moves")
        self._tree: _Tree = (
            _ChessTree(state, settings, self._root_places)
            if isinstance(state, Position)
            else _PythonTree(state, settings)
        )

    @property
    def state(self) -> AnyState:
        """The root's position."""
        return self._tree.root

    @property
    def visits(self) -> int:
        """Simulations so far, those kept from before `advance` included."""
        return self._tree.view.visits

    @property
    def nodes(self) -> int:
        """Positions in the tree."""
        return self._tree.view.nodes

    def run(
        self,
        evaluator: Evaluator[Any],
        simulations: int,
        *,
        batch: int = 1,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
    ) -> int:
        """Adds so many simulations, or fewer: a limit, a proven root or a full tree ends it. Returns how many."""
        budget = Budget(limits, stop, interval=1)
        before = self.visits
        while (done := self.visits - before) < simulations and not budget.is_spent():
            leaves = self.collect(batch, simulations - done)
            if leaves:
                self._evaluate(leaves, evaluator)
            elif self.visits == before + done:
                break  # proven or full: walking further changes nothing
            budget.visited = self.visits - before
        return self.visits - before

    def collect(self, count: int, simulations: int) -> Sequence[tuple[Any, AnyState]]:
        """Returns at most `count` leaves with their states, of at most so many more visits. Each must be answered.

        Ends of games are backed up on the way. None come if all simulations are done, the root is proven or the tree
        full.
        """
        return self._tree.collect(count, simulations)

    def apply(self, leaf: Any, state: AnyState, evaluation: Evaluation[Any]) -> None:
        """Answers for a leaf. Raises ConfigError for what is no probability; the leaf then still waits."""
        _check(evaluation)
        self._tree.apply(leaf, state, evaluation)

    def cancel(self, leaf: Any) -> None:
        """Gives a leaf up: its visit never happened."""
        self._tree.cancel(leaf)

    def _evaluate(self, leaves: Sequence[tuple[Any, AnyState]], evaluator: Evaluator[Any]) -> None:
        waiting = list(leaves)
        try:
            evaluations = evaluator.evaluate([state for _, state in leaves])
            for (leaf, state), evaluation in zip(leaves, evaluations, strict=True):
                self.apply(leaf, state, evaluation)
                waiting.pop(0)
        finally:
            for leaf, _ in waiting:
                self.cancel(leaf)

    def advance(self, move: Any, config: PuctConfig | GumbelConfig | None = None) -> None:
        """Plays a move of the root; what the tree knows below it stays. From now on `config` holds, if there is one."""
        if config is not None:
            self.config = config.tree if isinstance(config, GumbelConfig) else config
            self._settings = make_settings(config, self._virtual_loss, self._memory_mb)
        moves = list(self.state.legal_moves())
        place = moves.index(self.state.parse_move(move) if isinstance(move, str) else move)
        self._tree.advance(place, self._settings)

    @property
    def best(self) -> int:
        """The place of the move to play."""
        return self._tree.view.best

    @property
    def likeliest(self) -> int:
        """The place of the move to play without Gumbel search's draw: the likeliest of the improved policy."""
        return self._tree.view.likeliest

    @property
    def wdl(self) -> Wdl | None:
        """What the player to move may expect, as far as the tree knows; None before the first visit."""
        return _root_wdl(self._tree.view)

    def moves(self) -> list[RootMove]:
        """Returns what is known of the root's moves, in canonical order."""
        view, rows = self._tree.view, []
        for prior, visits, value_sum, draw_sum, proven, own_value, moves_left_sum in view.moves():
            if visits == 0:
                rows.append(RootMove(prior, 0, None, proven))
                continue
            value, draw, plies = value_sum / visits, draw_sum / visits, moves_left_sum / visits
            if proven is not None:
                value, draw = float(proven), float(proven == 0)
            moves_left = plies if view.knows_moves_left else None
            distance = None if proven is None else plies
            rows.append(RootMove(prior, visits, value, proven, draw, moves_left, own_value, distance))
        return rows

    @property
    def root_moves(self) -> list[Any]:
        """The moves that are looked at, in canonical order."""
        legal = list(self.state.legal_moves())
        return [legal[place] for place in self._root_places] if self._root_places else legal

    def scores(self) -> list[tuple[float, float, float]]:
        """Returns Q, U and M of `root_moves`: the search takes the highest sum. Unvisited, Q is the urgency."""
        return self._tree.view.scores()

    @property
    def moves_left(self) -> float | None:
        """The mean of the plies left, where the evaluator knows them."""
        view = self._tree.view
        return view.moves_left_sum / view.visits if view.knows_moves_left and view.visits else None

    @property
    def own_value(self) -> float | None:
        """What the evaluator alone said of the root, in the view of the player to move; None before it was asked."""
        return self._tree.view.own_value if self.visits else None

    @property
    def is_proven(self) -> bool:
        """Whether the result of perfect play is known."""
        return self._tree.view.proven is not None

    def line_after(self, place: int) -> tuple[str, ...]:
        """Returns a move of `root_moves` and the best answers to it, as far as they were visited."""
        move = self.root_moves[place]
        return (self.state.move_text(move), *_line_text(self.state.play(move), self._tree.view.line_after(place)))

    def improved_policy(self, c_scale: float | None = None) -> list[float]:
        """Returns what Gumbel search would train the root's priors towards, in canonical order.

        Without `c_scale` by its own. Noise in the priors is left out.
        """
        return self._tree.view.improved_policy(c_scale)

    def result(self, time_s: float = 0.0) -> SearchResult[Any]:
        """Describes what was found, as `philidor.search.puct` does."""
        view, state = self._tree.view, self.state
        moves = self.root_moves
        visits = max(view.visits - 1, 0)
        scale = exploration(self.config, 1 + visits) * math.sqrt(max(visits, 1))
        stats = tuple(
            MoveStats(
                state.move_text(move),
                prior=row.prior,
                visits=row.visits,
                value=row.value,
                exploration=scale * row.prior / (1 + row.visits),
                draw=row.draw,
                moves_left=row.moves_left,
                raw_value=row.own_value,
            )
            for move, row in zip(moves, self.moves(), strict=False)
        )
        best = moves[view.best]
        analysis = Analysis(
            best=state.move_text(best),
            wdl=self.wdl,
            lines=(Line(self.line_after(view.best)),) if view.line else (),
            moves=stats,
            nodes=view.visits,
            time_s=time_s,
            counters={"tree_nodes": view.nodes},
        )
        return SearchResult(best, analysis)


def puct(
    state: AnyState,
    config: PuctConfig | GumbelConfig = DEFAULT,
    *,
    evaluator: Evaluator[Any],
    batch: int = 1,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
) -> SearchResult[Any]:
    """Returns what `puct.puct` or `gumbel.gumbel_search` returns; with larger batches nearly that, and sooner."""
    budget = Budget(limits, stop)
    search = PuctSearch(state, config)
    search.run(evaluator, config.simulations, batch=batch, limits=limits, stop=stop)
    return search.result(budget.time_s)


class _ChessTree:
    """Chess: the walks, the moves and the ends of games are all in C++."""

    def __init__(self, state: Position, settings: PuctSettings, root_places: list[int]) -> None:
        self.root: AnyState = state
        self.view = ChessPuct(state.native, settings, root_places)

    def collect(self, count: int, simulations: int) -> Sequence[tuple[PuctLeaf, AnyState]]:
        return [(leaf, Position.of_native(leaf.position)) for leaf in self.view.collect(count, simulations)]

    def apply(self, leaf: PuctLeaf, state: AnyState, evaluation: Evaluation[Any]) -> None:
        draw, moves_left = single(evaluation.wdl.draw), _moves_left(evaluation)
        self.view.apply(leaf, evaluation.priors, _value(evaluation), draw, moves_left)

    def cancel(self, leaf: PuctLeaf) -> None:
        self.view.cancel(leaf)

    def advance(self, place: int, settings: PuctSettings) -> None:
        self.root = self.root.play(self.root.legal_moves()[place])
        self.view.advance(place, settings)


class _PythonTree:
    """A game whose rules are written in Python: the states stay here, by node."""

    def __init__(self, state: AnyState, settings: PuctSettings) -> None:
        self.root = state
        self.view = PuctTree(settings, state.to_move)
        self._settings = settings
        self._states: dict[int, AnyState] = {_ROOT: state}

    def collect(self, count: int, simulations: int) -> Sequence[tuple[int, AnyState]]:
        leaves: list[tuple[int, AnyState]] = []
        target = self.view.visits + simulations
        while len(leaves) < count and self.view.visits + len(leaves) < target:
            if self.view.proven is not None or self.view.is_full:
                break
            arrival, node = self.view.descend()
            if arrival == _WAITING:
                self.view.cancel(node)
                break
            if arrival == _NEW and (state := self._arrive(node)) is not None:
                leaves.append((node, state))
            self._try_to_win_at_once()
        return leaves

    def _arrive(self, node: int) -> AnyState | None:
        """Plays to a new node; settles it if the game ends there."""
        parent, place = self.view.path(node)
        if parent is None:
            return self.root
        before = self._states[parent]
        state = before.play(before.legal_moves()[place])
        outcome = state.outcome()
        if outcome is not None:
            self.view.settle(node, state.to_move, round(outcome.value_for(before.to_move)))
            return None
        if self._settings.two_fold and self._was_on_the_path(parent, state.key):
            self.view.settle(node, state.to_move, 0, is_repetition=True)
            return None
        if not state.legal_moves():
            self.view.cancel(node)
            raise GameError(f"{type(state).__name__} has no legal move and is not over: {state.text()!r}")
        self._states[node] = state
        return state

    def _try_to_win_at_once(self) -> None:
        """Does what puct.py does under this name."""
        for place in self.view.untried_if_won_late():
            state = self.root.play(self.root.legal_moves()[place])
            outcome = state.outcome()
            if outcome is not None and outcome.value_for(self.root.to_move) == 1.0:
                self.view.settle(self.view.descend_to(place), state.to_move, 1)
                return

    def _was_on_the_path(self, node: int | None, key: int) -> bool:
        while node is not None:
            if self._states[node].key == key:
                return True
            node, _ = self.view.path(node)
        return False

    def apply(self, leaf: int, state: AnyState, evaluation: Evaluation[Any]) -> None:
        moves, priors = len(state.legal_moves()), len(evaluation.priors)
        # Self-play may leave out the pass, which is the last move.
        if priors != moves and not (isinstance(state, MayPass) and priors == moves - 1):
            raise GameError(f"expected {moves} priors, got {priors}")
        draw, was_proven = single(evaluation.wdl.draw), self.view.proven is not None
        self.view.expand(leaf, state.to_move, evaluation.priors, _value(evaluation), draw, _moves_left(evaluation))
        if not was_proven and self.view.proven is not None:
            self._try_to_win_at_once()

    def cancel(self, leaf: int) -> None:
        if leaf != _ROOT:
            self._states.pop(leaf, None)
        self.view.cancel(leaf)

    def advance(self, place: int, settings: PuctSettings) -> None:
        self.root = self.root.play(self.root.legal_moves()[place])
        self.view, origins = self.view.subtree(place, settings)
        self._settings = settings
        known = {node: self._states[origin] for node, origin in enumerate(origins) if origin in self._states}
        self._states = {**known, _ROOT: self.root}
        self._try_to_win_at_once()


def make_settings(config: PuctConfig | GumbelConfig, virtual_loss: float, memory_mb: int) -> PuctSettings:
    """Writes a config down for the compiled core."""
    is_gumbel = isinstance(config, GumbelConfig)
    rest = config.tree if isinstance(config, GumbelConfig) else _NO_GUMBEL
    return fill(PuctSettings(), config, rest, is_gumbel=is_gumbel, virtual_loss=virtual_loss, memory_mb=memory_mb)


def _value(evaluation: Evaluation[Any]) -> float:
    return single(single(evaluation.wdl.win) - single(evaluation.wdl.loss))


def _moves_left(evaluation: Evaluation[Any]) -> float:
    """Returns the plies left as the compiled tree takes them: negative if nobody knows."""
    return -1.0 if evaluation.moves_left is None else evaluation.moves_left


def _check(evaluation: Evaluation[Any]) -> None:
    """A network may break down: one NaN would spread over the whole tree."""
    priors = evaluation.priors
    # The least of numbers with a NaN among them is NaN, which is not at least 0 either.
    if not math.isfinite(_value(evaluation)) or (len(priors) and not priors.min() >= 0):
        raise ConfigError("the evaluator answered with something that is no probability (NaN or negative)")


def _root_wdl(view: ChessPuct | PuctTree) -> Wdl | None:
    if view.proven is not None:
        value, draw = -float(view.proven), 1.0 if view.proven == 0 else 0.0
    elif view.visits:
        value, draw = -view.value_sum / view.visits, view.draw_sum / view.visits
    else:
        return None
    return Wdl((1 - draw + value) / 2, draw, (1 - draw - value) / 2)


def _line_text(state: AnyState, line: Sequence[int]) -> tuple[str, ...]:
    texts = []
    for place in line:
        move = state.legal_moves()[place]
        texts.append(state.move_text(move))
        state = state.play(move)
    return tuple(texts)
