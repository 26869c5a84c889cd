"""Every player of the table keeps the same promises in every game it can play."""

import time
from dataclasses import dataclass
from typing import Any

import pytest

import philidor
from philidor.core.analysis import Analysis
from philidor.core.config import settings, to_dict
from philidor.core.errors import ConfigError, IllegalMoveError, SolveError, UnknownNameError
from philidor.core.game import IDENTITY, AnyState, Outcome
from philidor.core.thinking import Limits, TimeLeft
from philidor.games import GAMES, load_game
from philidor.games.chess import Position
from philidor.players import PLAYERS, Player, can_play, load_engine, player_class
from philidor.players.alphabeta import AlphaBetaPlayer
from philidor.players.random import RandomConfig, RandomPlayer
from philidor.players.solver import SolverPlayer

PAIRS = [(name, game) for name in PLAYERS for game in GAMES if can_play(player_class(name), load_game(game))]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


def weakest(name: str) -> Player:
    kind = player_class(name)
    return kind(kind.levels[0])


def game_of(player: Player, state: AnyState, plies: int) -> list[str]:
    moves: list[str] = []
    while len(moves) < plies and not state.is_over():
        move = player.choose(state)
        assert state.parse_move(move) in state.legal_moves(), (player.name, state.text(), move)
        moves.append(move)
        state = state.play(move)
    return moves


def check_analysis(analysis: Analysis, state: AnyState) -> None:
    legal = [state.move_text(move) for move in state.legal_moves()]
    assert analysis.best in legal
    looked_at = [stats.move for stats in analysis.moves]
    assert looked_at == [text for text in legal if text in looked_at]  # legal, once each, in canonical order
    for line in analysis.lines:
        replayed = state
        for text in line.moves:
            replayed = replayed.play(text)
    if analysis.lines:
        assert analysis.lines[0].moves[0] == analysis.best
    if analysis.policy:
        assert sum(analysis.policy.values()) == pytest.approx(1)
    assert analysis.value is None or -1 <= analysis.value <= 1
    assert Analysis.from_dict(analysis.to_dict()) == analysis


@pytest.mark.parametrize(("name", "game"), PAIRS)
def test_a_player_makes_legal_moves_and_the_same_again(name: str, game: str) -> None:
    start = load_game(game).state()
    first = game_of(weakest(name), start, 6)
    assert first == game_of(weakest(name), start, 6)


@pytest.mark.parametrize(("name", "game"), PAIRS)
def test_an_analysis_fits_its_position(name: str, game: str) -> None:
    state = load_game(game).state()
    for _ in range(2):
        analysis = weakest(name).analyse(state)
        check_analysis(analysis, state)
        assert analysis.best is not None
        state = state.play(analysis.best)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_finished_game_has_no_best_move(name: str) -> None:
    over = load_game("tictactoe").state("XXX/OO./...")
    assert weakest(name).analyse(over).best is None


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_is_described_for_menus_and_help(name: str) -> None:
    kind = player_class(name)
    assert kind.name == name
    assert kind.__doc__
    assert kind.levels
    assert all(isinstance(level, kind.config_class) for level in kind.levels)
    assert all(setting.help for setting in settings(kind.config_class))
    assert load_engine(name, **to_dict(kind.levels[-1])).config == kind.levels[-1]


@pytest.mark.parametrize("name", PLAYERS)
def test_what_is_no_setting_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="deptth"):
        load_engine(name, deptth=3)
    with pytest.raises(ConfigError, match="iteratoins"):
        load_engine(name).analyse(load_game("tictactoe").state(), iteratoins=3)


def test_an_unknown_player_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'alphabeta'"):
        philidor.load_engine("alpha-beta")


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "uct"])
def test_searching_players_see_a_mate(name: str) -> None:
    kind = player_class(name)
    player = kind(kind.levels[-2])
    position = Position(MATE_IN_ONE)
    assert position.san(player.choose(position)) == "Ra8#"


def test_limits_hold_for_one_call() -> None:
    engine = load_engine("alphabeta", depth=1)
    position = Position(MATE_IN_ONE)
    assert engine.analyse(position, depth=3).depth == 3
    assert engine.analyse(position).depth == 1
    assert load_engine("uct", iterations=100_000).analyse(position, nodes=50).nodes == 50
    with pytest.raises(ConfigError, match="lines"):
        engine.analyse(position, lines=0)


def test_more_lines_are_other_root_moves_from_good_to_bad() -> None:
    lines = load_engine("alphabeta", depth=2).analyse(Position(MATE_IN_ONE), lines=3).lines
    assert lines[0].moves[0] == "a1a8"
    assert len({line.moves[0] for line in lines}) == 3
    scores = [line.score for line in lines]
    assert scores[0] is not None
    assert scores[0].mate == 1
    assert all(score is not None and score.cp is not None for score in scores[1:])


def test_variety_changes_games_but_not_a_forced_win() -> None:
    level = AlphaBetaPlayer.levels[0]
    games = set()
    for seed in range(8):
        player = load_engine("alphabeta", **{**to_dict(level), "seed": seed})
        games.add(tuple(game_of(player, Position(), 4)))
        position = Position(MATE_IN_ONE)
        assert position.san(player.choose(position)) == "Ra8#"
    assert len(games) > 1


def test_random_players_with_other_seeds_play_otherwise() -> None:
    games = {tuple(game_of(load_engine("random", seed=seed), Position(), 6)) for seed in range(5)}
    assert len(games) == 5


def test_the_solver_never_loses_tic_tac_toe() -> None:
    game = load_game("tictactoe")
    solver = SolverPlayer()
    for seed in range(20):
        players: list[Player] = [solver, RandomPlayer(RandomConfig(seed=seed))]
        side = seed % 2
        state = game.state()
        while not state.is_over():
            state = state.play(players[state.to_move ^ side].choose(state))
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.value_for(side) >= 0, f"lost against seed {seed}: {state.text()}"


def test_the_solver_refuses_games_that_are_too_large() -> None:
    assert not can_play(SolverPlayer, load_game("chess"))
    assert not can_play(SolverPlayer, load_game("connect4"))
    with pytest.raises(SolveError, match="repeat"):
        SolverPlayer().choose(Position())
    with pytest.raises(SolveError, match="more than 1,000 positions"):
        load_engine("solver", max_positions=1000).choose(load_game("connect4").state())


@dataclass(frozen=True)
class Nim:
    """A heap of matches: take one or two, the last match wins. Known to no table and to no compiled core."""

    matches: int = 7
    ply: int = 0

    @property
    def to_move(self) -> int:
        return self.ply % 2

    @property
    def key(self) -> int:
        return 2 * self.matches + self.to_move

    def legal_moves(self) -> list[int]:
        return [count for count in (1, 2) if count <= self.matches]

    def play(self, move: int | str, /) -> "Nim":
        count = self.parse_move(move) if isinstance(move, str) else move
        return Nim(self.matches - count, self.ply + 1)

    def outcome(self) -> Outcome | None:
        return Outcome(1 - self.to_move, "no match left") if self.matches == 0 else None

    def is_over(self) -> bool:
        return self.matches == 0

    def move_text(self, move: int, /) -> str:
        return str(move)

    def parse_move(self, text: str, /) -> int:
        if text not in ("1", "2"):
            raise IllegalMoveError(f"no legal move {text!r}")
        return int(text)

    def text(self) -> str:
        return f"{self.matches} {self.ply}"


class NimGame:
    name = "nim"
    action_count = 2
    max_plies = 7
    repetition_matters = False
    symmetries = (IDENTITY,)

    def state(self, text: str | None = None, /) -> Nim:
        return Nim() if text is None else Nim(*map(int, text.split()))

    def action_index(self, state: Nim, move: int, /) -> int:
        return move - 1


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "random" and player_class(name).games is None])
def test_a_players_own_game_is_played_well(name: str) -> None:
    # Seven matches: only to take one leaves a multiple of three.
    kind = player_class(name)
    assert can_play(kind, NimGame())
    player = load_engine(name, depth=7) if name in ("minimax", "alphabeta") else kind(kind.levels[-1])
    assert Nim().parse_move(player.choose(Nim())) == 1


@pytest.mark.parametrize(("name", "game"), PAIRS)
def test_thinking_ends_in_a_legal_move(name: str, game: str) -> None:
    state = load_game(game).state()
    analysis = weakest(name).think(state, Limits(time_left=TimeLeft(ms=(60_000, 60_000), increments_ms=(100, 100))))
    assert analysis.best in [state.move_text(move) for move in state.legal_moves()]


@pytest.mark.parametrize(("name", "game"), PAIRS)
def test_what_is_chosen_is_the_move_that_an_answer_names_and_play_takes_both(name: str, game: str) -> None:
    state = load_game(game).state()
    chosen, best = weakest(name).choose(state), weakest(name).think(state).best
    assert chosen == best
    assert state.play(chosen).text() == state.play(state.parse_move(chosen)).text()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("minimax", {"depth": 30}),
        ("alphabeta", {"depth": 30}),
        ("uct", {"iterations": 10**9}),
        ("classic", {"depth": 99}),
        ("nnue", {"depth": 99}),
    ],
)
@pytest.mark.parametrize("how", ["stop", "clock"])
def test_thinking_stops_when_told_and_by_the_clock(name: str, settings: dict[str, Any], how: str) -> None:
    engine = load_engine(name, **settings)
    begin = time.perf_counter()
    stop = (lambda: time.perf_counter() - begin > 0.2) if how == "stop" else None
    limits = Limits(time_left=TimeLeft(ms=(3_000, 3_000)) if how == "clock" else None)
    assert engine.think(Position(), limits, stop).best is not None
    assert 0.02 < time.perf_counter() - begin < 2.0


@pytest.mark.parametrize(
    ("ms", "increment_ms", "expected"),
    [(60_000, 0, 2.0), (60_000, 1_000, 2.8), (3_000, 10_000, 1.5), (0, 0, 0.001)],
)
def test_a_share_of_the_clock_is_a_thirtieth_and_most_of_the_increment(
    ms: int, increment_ms: int, expected: float
) -> None:
    """But never more than half of what is left, and never nothing."""
    assert TimeLeft(ms=(5, ms), increments_ms=(7, increment_ms)).share_s(1) == pytest.approx(expected)


def test_partial_analyses_can_be_looped_over() -> None:
    engine = load_engine("classic")
    found = list(engine.stream(Position(), depth=6, lines=2))  # type: ignore[attr-defined]
    assert [analysis.best for analysis in found[:-1]] == [None] * (len(found) - 1)
    assert found[-1].best == found[-1].lines[0].moves[0]
    assert found[-1].depth == 6
    assert len(found[-1].lines) == 2
    depths = [analysis.depth or 0 for analysis in found]
    assert depths == sorted(depths)
    assert depths[0] == 1
    assert engine.config == load_engine("classic").config
    assert [a.best for a in engine.stream(Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))] == [None]  # type: ignore[attr-defined]


def test_leaving_the_loop_ends_the_search() -> None:
    engine = load_engine("classic", threads=1)
    for analysis in engine.stream(Position(), depth=90):  # type: ignore[attr-defined]
        if analysis.depth == 3:
            break
    assert engine.config.multi_pv == 1
    assert engine.analyse(Position(), depth=2).depth == 2


def test_the_classic_engine_reports_while_it_thinks() -> None:
    reports: list[Analysis] = []
    final = load_engine("classic", depth=8).think(Position(), report=reports.append)
    assert [report.depth for report in reports] == sorted(report.depth or 0 for report in reports)
    assert reports[-1].lines == final.lines
    assert final.nodes >= reports[-1].nodes > 0
