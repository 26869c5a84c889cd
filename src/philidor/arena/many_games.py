"""Many games of any kind at once, between two choosers of moves: so that networks are asked for whole batches.

The rating of a network in training (book, ch. 4.2.2 and 5.4): in pairs of games with one opening and sides changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, final

from philidor.arena.engines import check_plays, parse_engine
from philidor.arena.statistics import PairStatistics
from philidor.core.abilities import moves_but_pass
from philidor.core.config import to_dict
from philidor.core.descriptor import native_name
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluator
from philidor.core.game import AnyGame, AnyState
from philidor.core.random import SplitMix64
from philidor.players import Player, load_engine
from philidor.search.gumbel import GumbelConfig
from philidor.search.puct import PuctConfig
from philidor.search.solver import AnySolver, Solution, Solver
from philidor.search.trees.native import PuctSearch
from philidor.search.trees.together import grow_together


class Chooser(Protocol):
    """Chooses moves in many positions at once."""

    def choose(self, states: Sequence[AnyState], /) -> list[Any]:
        """Returns a legal move for each state; none of them is over."""


@final
class PlayerChooser:
    """A player of the table, asked one position after the other."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, states: Sequence[AnyState], /) -> list[Any]:
        """Returns the player's moves."""
        return [state.parse_move(self._player.choose(state)) for state in states]


@final
class PolicyChooser:
    """The move that a network thinks most likely, without search; the first of equals."""

    def __init__(self, evaluator: Evaluator[Any]) -> None:
        self._evaluator = evaluator

    def choose(self, states: Sequence[AnyState], /) -> list[Any]:
        """Returns the most likely moves."""
        evaluations = self._evaluator.evaluate(states) if states else []
        return [evaluation.moves[int(evaluation.priors.argmax())] for evaluation in evaluations]


@final
class SearchChooser:
    """A network with a search, the same for every position."""

    def __init__(self, evaluator: Evaluator[Any], config: PuctConfig | GumbelConfig) -> None:
        self._evaluator, self._config = evaluator, config

    def choose(self, states: Sequence[AnyState], /) -> list[Any]:
        """Returns the moves that the search finds best."""
        trees = [PuctSearch(state, self._config) for state in states]
        grow_together(trees, self._evaluator, self._config.simulations)
        return [state.legal_moves()[tree.best] for state, tree in zip(states, trees, strict=True)]


@final
class SolverChooser:
    """Perfect moves from a solver that remembers what it has solved; the quickest win, the slowest loss."""

    def __init__(self, solver: AnySolver) -> None:
        self._solver = solver

    def choose(self, states: Sequence[AnyState], /) -> list[Any]:
        """Returns perfect moves, the first of equals."""
        answers = [self._solver.best_moves(state) for state in states]
        return [max(solutions, key=solutions.__getitem__) for solutions in answers]


@final
class RememberingSolver:
    """A solver that is asked about the same positions again and again, once for each network that is judged."""

    def __init__(self, solver: AnySolver) -> None:
        self._solver = solver
        self._known: dict[AnyState, dict[Any, Solution]] = {}

    def best_moves(self, state: AnyState) -> dict[Any, Solution]:
        """Returns the solution of each move, in the mover's view, in canonical order."""
        if state not in self._known:
            self._known[state] = self._solver.best_moves(state)
        return self._known[state]

    def line(self, state: AnyState) -> list[Any]:
        """Returns a perfect game from here on; of equal moves the first is played."""
        return self._solver.line(state)


def load_solver(game: AnyGame) -> AnySolver:
    """Returns the quickest solver for a game; what it has solved it remembers."""
    if native_name(game) == "connect4":
        from philidor.search.native import NativeSolver

        return RememberingSolver(NativeSolver())
    return Solver()


def load_chooser(text: str, game: AnyGame) -> Chooser:
    """Reads an opponent such as "uct iterations=200". Raises ConfigError."""
    spec = parse_engine(text)
    if spec.player is None:
        raise ConfigError(f"an opponent is one of our players, got the program {text!r}")
    check_plays(spec, game)
    if spec.player == "solver":
        return SolverChooser(load_solver(game))
    config = to_dict(spec.config())
    return PlayerChooser(load_engine(spec.player, game=game if spec.player == "net" else None, **config))


@dataclass(frozen=True, slots=True)
class Score:
    """The results of pairs of games, from one side's view."""

    pairs: PairStatistics
    wins: int
    draws: int
    losses: int

    @classmethod
    def of_pairs(cls, points: Sequence[tuple[float, float]]) -> Self:
        """Returns the score of pairs, each given by the points of its two games."""
        statistics = PairStatistics()
        for one, other in points:
            statistics = statistics.with_pair(one + other)
        games = [point for pair in points for point in pair]
        return cls(statistics, games.count(1.0), games.count(0.5), games.count(0.0))

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Points per game."""
        return (self.wins + 0.5 * self.draws) / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """With 95 % confidence the true share is within so much of `share`."""
        return 1.96 * self.pairs.standard_error


@dataclass(slots=True)
class _Table:
    side: int
    """The side that the first chooser plays."""
    state: AnyState
    points: float = field(default=0.5)
    """Of the first chooser; a game that is cut off is a draw."""
    plies: int = field(default=0)
    """Moves after the opening."""


def play_pairs(
    game: AnyGame,
    choosers: tuple[Chooser, Chooser],
    pairs: int,
    *,
    opening_plies: int = 0,
    max_plies: int = 512,
    seed: int = 1,
) -> Score:
    """Plays pairs of games, all at the same time; the score is the first chooser's.

    Each pair begins with random moves, the same in both of its games.
    """
    first, second = choosers
    (score,) = play_matches(game, first, [second], pairs, opening_plies=opening_plies, max_plies=max_plies, seed=seed)
    return score


def play_matches(
    game: AnyGame,
    chooser: Chooser,
    opponents: Sequence[Chooser],
    pairs: int,
    *,
    opening_plies: int = 0,
    max_plies: int = 512,
    seed: int = 1,
    before_move: Callable[[], None] = lambda: None,
) -> list[Score]:
    """Plays pairs of games against each opponent, all games at the same time; the scores are the first chooser's.

    Opponents are asked first, so that `chooser` is then to move in every game and sees all of them in one batch. Each
    pair begins with random moves, the same in both of its games and against every opponent. `before_move` is called
    before each move, or each batch of them, and may raise to stop.
    """
    openings = [opening(game, opening_plies, seed, pair) for pair in range(pairs)]
    matches = [[_Table(side, state) for state in openings for side in (0, 1)] for _ in opponents]
    while any(_is_playing(table, max_plies) for tables in matches for table in tables):
        for opponent, tables in zip(opponents, matches, strict=True):
            theirs = [table for table in tables if table.state.to_move != table.side]
            _move(opponent, theirs, max_plies, before_move)
        everywhere = [table for tables in matches for table in tables]
        ours = [table for table in everywhere if table.state.to_move == table.side]
        _move(chooser, ours, max_plies, before_move)
    return [_score(tables) for tables in matches]


def _move(chooser: Chooser, tables: Sequence[_Table], max_plies: int, before_move: Callable[[], None]) -> None:
    """Lets a chooser move in those games that go on. A player thinks about one after the other, so it stops between."""
    playing = [table for table in tables if _is_playing(table, max_plies)]
    batches = [[table] for table in playing] if isinstance(chooser, PlayerChooser) else [playing]
    for batch in batches:
        before_move()
        moves = chooser.choose([table.state for table in batch])
        for table, move in zip(batch, moves, strict=True):
            table.state = table.state.play(move)
            table.plies += 1


def _is_playing(table: _Table, max_plies: int) -> bool:
    outcome = table.state.outcome()
    if outcome is not None:
        table.points = (1 + outcome.value_for(table.side)) / 2
    return outcome is None and table.plies < max_plies


def _score(tables: Sequence[_Table]) -> Score:
    points = [table.points for table in tables]
    return Score.of_pairs(list(zip(points[::2], points[1::2], strict=True)))


def opening(game: AnyGame, plies: int, seed: int, number: int) -> AnyState:
    """Returns the position after the moves of `opening_places`."""
    state: AnyState = game.state()
    for place in opening_places(game, plies, seed, number):
        state = state.play(state.legal_moves()[place])
    return state


def opening_places(game: AnyGame, plies: int, seed: int, number: int) -> list[int]:
    """Returns so many random moves as places among the legal ones, always the same for the same seed and number.

    Nobody passes. Where the game ends on the way, its last two moves are left out.
    """
    random = SplitMix64(seed * 1_000_003 + number)
    state: AnyState = game.state()
    places: list[int] = []
    for _ in range(plies):
        moves = moves_but_pass(state)
        places.append(random.below(len(moves)))
        state = state.play(moves[places[-1]])
        if state.is_over():
            return places[:-2]
    return places
