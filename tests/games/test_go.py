"""Go: rules, exact numbers, life and death of the book's figures, ladders, and the compiled twin."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor._native._ext import count_go_positions
from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.core.game import Outcome
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.games.go import Go, GoState
from philidor.games.go.board import is_eye
from philidor.games.go.handicap import fixed_handicap, star_points
from philidor.games.go.ladders import ladder_captures, ladder_escapes
from philidor.games.go.playouts import play_out
from philidor.search.native import native_root as native_go
from philidor.search.native import uct
from philidor.search.uct import UctConfig
from philidor.search.uct import uct as reference_uct

SIZES = [(1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (5, 4), (7, 7)]


def state_of(*rows: str, to_move: str = "X", name: str | None = None) -> GoState:
    """A board as it is drawn."""
    game = load_game(name or f"go-{len(rows[0])}x{len(rows)}")
    state: GoState = game.state(f"{'/'.join(rows)} {to_move}")
    return state


def played(state: GoState, moves: str) -> GoState:
    for move in moves.split():
        state = state.play(move)
    return state


# 1. Exact numbers.


@pytest.mark.parametrize(
    ("size", "count"),
    [
        *(((1, n), count) for n, count in enumerate([1, 5, 15, 41, 113, 313, 867], start=1)),
        *(((2, n), count) for n, count in zip(range(2, 6), [57, 489, 4125, 35117], strict=True)),
        ((3, 3), 12675),
        ((3, 4), 321689),
        pytest.param((4, 4), 24_318_165, marks=pytest.mark.slow),
    ],
)
def test_legal_positions_are_as_many_as_tromp_and_farneback_counted(size: tuple[int, int], count: int) -> None:
    assert count_go_positions(*size) == count


def test_the_reader_accepts_exactly_the_legal_positions_of_2x2() -> None:
    accepted = 0
    for number in range(3**4):
        letters = "".join(".XO"[number // 3**i % 3] for i in range(4))
        try:
            Go(2, 2).state(f"{letters[:2]}/{letters[2:]}")
            accepted += 1
        except FenError:
            continue
    assert accepted == 57


def perft(state: GoState, depth: int) -> int:
    """Counts without a table: by a superko rule equal boards may differ in what is allowed."""
    if depth == 0:
        return 1
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


def without_passes(state: GoState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(without_passes(state.play(move), depth - 1) for move in state.legal_moves()[:-1])


PERFT = [
    ("go-2x2,ko=simple", [5, 21, 68, 156, 316, 604, 1168]),
    ("go-2x2", [5, 21, 68, 156, 316, 604, 1088]),
    ("go-3x3,ko=simple", [10, 91, 738, 5281]),
    ("go-4x4,ko=simple", [17, 273, 4112]),
]


@pytest.mark.parametrize(("name", "counts"), PERFT)
def test_move_sequences_with_passes(name: str, counts: list[int]) -> None:
    assert [perft(load_game(name).state(), depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        *PERFT,
        ("go-3x3,ko=simple", [10, 91, 738, 5281, 33384, 179712]),
        ("go-4x4,ko=simple", [17, 273, 4112, 57984, 764016]),
        ("go-5x5,ko=simple", [26, 651, 15650, 361041]),
        ("go-9x9,ko=simple", [82, 6643, 531522]),
    ],
)
def test_native_move_sequences_with_passes(name: str, counts: list[int]) -> None:
    twin = native_go(load_game(name).state())
    assert [twin.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("go-2x2,ko=simple", [4, 12, 24, 16, 32, 32, 32]),
        ("go-2x2", [4, 12, 24, 16, 32, 32, 16]),
        ("go-3x3,ko=simple", [9, 72, 504, 2976]),
    ],
)
def test_move_sequences_without_passes(name: str, counts: list[int]) -> None:
    assert [without_passes(load_game(name).state(), depth) for depth in range(1, len(counts) + 1)] == counts


# 2. Rules.


def test_chains_without_liberties_are_taken_also_two_at_once() -> None:
    state = played(Go(5, 5).state(), "a2 a1 b1")
    assert state.text() == "...../...../...../X..../.X... O 3 0 - komi7"
    both = state_of(".....", "XX...", "OOX..", "X.OX.", ".XXX.").play("b2")
    assert both.text().split()[0] == "...../XX.../..X../XX.X./.XXX."


def test_a_ko_may_not_be_taken_back_at_once_but_after_an_exchange() -> None:
    state = state_of(".....", ".XO..", "XO.O.", ".XO..", ".....")
    taking = state.play("c3")
    assert taking.ko == taking.grid.square("b3")
    with pytest.raises(IllegalMoveError, match="b3"):
        taking.play("b3")
    assert played(taking, "e1 e5").is_legal(taking.grid.square("b3") or 0)
    assert " b3 " in taking.text()


@pytest.mark.parametrize(
    ("moves", "allowed"),
    [
        # Black's stone would make the very first board of one stone again: after White's, with White to move too.
        ("a1 a2 pass a3", {",ko=simple": True, "": False, ",ko=situational": False}),
        # The same board, but it was Black who had to move then.
        ("a1 a3 a2 a3", {",ko=simple": True, "": False, ",ko=situational": True}),
        ("a1 a2", {",ko=simple": False, "": False, ",ko=situational": False}),
    ],
)
def test_superko_rules_differ(moves: str, allowed: dict[str, bool]) -> None:
    found = {name: played(load_game(f"go-1x3{name}").state(), moves).is_legal(0) for name in allowed}
    assert found == allowed


def test_suicide_is_an_option_and_never_of_one_stone() -> None:
    for suicide, is_legal in (("", False), (",suicide=yes", True)):
        state = state_of(".XO", "XXO", "OO.", name=f"go-3x3,ko=simple{suicide}")
        assert state.is_legal(6) == is_legal
        if is_legal:
            assert state.play(6).text().split()[0] == "..O/..O/OO."
        lone = state_of(".O.", "O..", "...", name=f"go-3x3,ko=simple{suicide}")
        assert not lone.is_legal(6)


def test_area_counts_stones_and_what_they_surround() -> None:
    state = state_of("..X.O", "XXX.O", "...XO", "XXXXO", "OOOOO")
    assert state.ownership() == (-1,) * 5 + (1, 1, 1, 1, -1) + (1, 1, 1, 1, -1) + (1, 1, 1, 0, -1) + (1, 1, 1, 0, -1)
    assert state.score() == 14 - 9 - 7
    assert state.score_text() == "W+2"
    assert played(state, "pass pass").outcome() == Outcome(1, "two passes")


def test_komi_may_make_a_draw_and_the_longest_game_is_scored() -> None:
    assert played(load_game("go-2x2,komi=0").state(), "pass pass").outcome() == Outcome(None, "two passes")
    state = Go(3, 3, komi=0).state(".X./.../... O 99 0 - komi0")
    assert state.play("pass").outcome() == Outcome(0, "move limit")


def test_names_say_the_rules() -> None:
    for name in (
        "go",
        "go-9x9",
        "go-9x9,komi=5.5",
        "go-13x13,ko=situational,suicide=yes",
        "go-9x9,komi=-3.5,ko=simple",
        "go-3x5",
    ):
        assert load_game(name).name == name
    assert load_game("go-19x19").name == "go"
    assert load_game("go-9x9,komi=7").name == "go-9x9"
    assert Go(9, 9).rules.komi == 7
    for name, message in (
        ("go-20x20", "1x1 to 19x19"),
        ("go-9x9,ing=1", "cannot be played with"),
        ("go-9x9,komi=9999", "at most 1000"),
        ("gomoku-9x9,ko=simple", "it has none"),
    ):
        with pytest.raises(ConfigError, match=message):
            load_game(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing"),
        ("XX/XX", "no liberty"),
        ("XX/.. Z", "X or O"),
        ("../.. X 0 3", "X or O"),
        ("X./.. X 0 0 a2", "ko"),
        ("../.. X 0 0 - 7 8", "X or O"),
        ("../.. X 0 0 - komix", "komi6.5"),
        ("../.. X 0 0 - komi1e9", "komi6.5"),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(FenError, match=message):
        Go(2, 2).state(text)


def test_the_board_is_drawn_without_a_column_i() -> None:
    drawing = str(Go(9, 9).state().play("j9").play("E5")).splitlines()
    assert drawing[0] == "9 . . . . . . . . X"
    assert drawing[9] == "  a b c d e f g h j"
    assert drawing[10] == "Black (X) to move"


def test_handicap_stones_have_their_usual_places() -> None:
    def names(width: int, height: int, stones: int) -> str:
        game = Go(width, height)
        return " ".join(game.grid.name(square) for square in fixed_handicap(game.grid, stones))

    assert names(19, 19, 2) == "d4 q16"
    assert names(19, 19, 9) == "d4 q16 q4 d16 d10 q10 k4 k16 k10"
    assert names(19, 19, 7) == "d4 q16 q4 d16 d10 q10 k10"
    assert names(9, 9, 5) == "c3 g7 g3 c7 e5"
    assert names(8, 8, 4) == "c3 f6 f3 c6"
    for side, stones in ((8, 5), (7, 5), (6, 2), (9, 10), (9, 1)):
        with pytest.raises(ValueError, match="usual places"):
            names(side, side, stones)
    assert [len(star_points(Go(side, side).grid)) for side in (5, 7, 8, 9, 13, 19)] == [0, 5, 4, 5, 5, 9]
    start = Go(9, 9).handicap(4)
    assert (start.to_move, start.ply, start.board.count("X")) == (1, 0, 4)


# 3. Eyes; what lives in Figures 3.7 to 3.10 and 4.4 is judged by philidor.book.chapter3.eyes, whose items are tests.

TWO_EYES = (".X.XO", "XXXXO", "OOOOO", ".....", ".....")
ONE_BIG_EYE = ("..XXO", "XXXXO", "OOOOO", ".....", ".....")


def test_eyes_that_playouts_keep_are_single_and_true() -> None:
    grid = Go(5, 5).grid
    corner, second = grid.square("a5") or 0, grid.square("c5") or 0
    assert is_eye(state_of(*TWO_EYES).board, corner, "X", grid)
    assert is_eye(state_of(*TWO_EYES).board, second, "X", grid)
    assert not is_eye(state_of(*ONE_BIG_EYE).board, corner, "X", grid)
    assert not is_eye(state_of("..XXO", ".XXXO", "OOOOO", ".....", ".....").board, corner, "X", grid)
    false = state_of(".XO..", "XO...", ".....", ".....", ".....").board
    assert not is_eye(false, corner, "X", grid)


# 4. Ladders, on both sides of a breaker.


@pytest.mark.parametrize(("breaker", "works"), [(None, True), ("g7", False), ("g3", True), ("b8", True)])
def test_a_ladder_works_unless_a_stone_stands_in_its_way(breaker: str | None, works: bool) -> None:
    # White's stone on d4 would run from the lower left to the upper right.
    board = {"d4": "O", "c4": "X", "d3": "X", "e3": "X"} | ({breaker: "O"} if breaker else {})
    game = Go(9, 9)
    rows = game.grid.text("".join(board.get(game.grid.name(square), ".") for square in range(81)))
    black = game.state(f"{rows} X")
    assert ("d5" in map(black.move_text, ladder_captures(black))) == works
    running = black.play("d5")
    assert ([running.move_text(move) for move in ladder_escapes(running)] == ["e4"]) != works
    for state in (black, running):
        twin = native_go(state)
        assert (ladder_captures(state), ladder_escapes(state)) == (twin.ladder_captures(), twin.ladder_escapes())


def test_taking_an_attacker_ends_a_ladder() -> None:
    # White's stone on b2 is in atari, and so is Black's on c1 beside it.
    state = state_of(".....", ".....", ".X...", "XOX..", ".OXO.", to_move="O")
    assert [state.move_text(move) for move in ladder_escapes(state)] == []
    saved = state_of(".....", ".....", ".X...", "XOXO.", "..XO.", to_move="O")
    assert "c3" in [saved.move_text(move) for move in saved.legal_moves()]
    assert ladder_escapes(saved) == native_go(saved).ladder_escapes()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(5, 60))
def test_native_ladders_are_read_alike(seed: int, plies: int) -> None:
    random, state = SplitMix64(seed), Go(7, 7).state()
    for _ in range(plies):
        moves = state.legal_moves()[:-1]
        if not moves or state.is_over():
            break
        state = state.play(moves[random.below(len(moves))])
    if not state.is_over():
        twin = native_go(state)
        assert ladder_captures(state) == twin.ladder_captures(), state.text()
        assert ladder_escapes(state) == twin.ladder_escapes(), state.text()


# 5. The compiled twin.


@pytest.mark.parametrize(
    "options",
    [",ko=simple", "", ",ko=situational", ",ko=simple,suicide=yes", ",suicide=yes", ",ko=situational,suicide=yes"],
)
@settings(max_examples=25, deadline=None)
@given(
    size=st.sampled_from(SIZES),
    seed=st.integers(0, 2**32),
    passing=st.integers(0, 20),
)
def test_native_go_follows_the_same_rules(options: str, size: tuple[int, int], seed: int, passing: int) -> None:
    state = load_game(f"go-{size[0]}x{size[1]}{options}").state()
    twin, random = native_go(state), SplitMix64(seed)
    for _ in range(90):
        outcome = state.outcome()
        assert (twin.to_move, twin.score, twin.board_key) == (state.to_move, state.score(), state.board_key)
        assert twin.ending == (None if outcome is None else -1 if outcome.winner is None else outcome.winner)
        assert tuple(twin.ownership()) == state.ownership()
        assert twin.legal_moves() == state.legal_moves(), state.text()
        assert (None if twin.ko < 0 else twin.ko) == state.ko
        assert native_go(state).legal_moves() == twin.legal_moves(), state.text()
        moves = state.legal_moves()
        if not moves:
            break
        is_pass = len(moves) == 1 or random.below(100) < passing
        place = len(moves) - 1 if is_pass else random.below(len(moves) - 1)
        state, twin = state.play(moves[place]), twin.play(place)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**63), moves=st.integers(0, 12), size=st.sampled_from([(4, 3), (5, 5), (7, 6)]))
def test_native_playouts_play_the_same_games(seed: int, moves: int, size: tuple[int, int]) -> None:
    state, random = Go(*size).state(), SplitMix64(seed)
    for _ in range(moves):
        state = state.play(state.legal_moves()[random.below(len(state.legal_moves()) - 1)])
    twin = native_go(state).playouts(3, seed)
    reference, total, plies = SplitMix64(seed), 0, 0
    for _ in range(3):
        board, played_moves = play_out(state, reference, 3 * state.grid.size)
        end = Go(*size).state()
        total += sum(GoState(end.grid, end.rules, 1, board).ownership())
        plies += played_moves
    assert (twin.score, twin.moves) == (total, plies)


@pytest.mark.parametrize(
    ("side", "count", "moves", "score", "deviation", "komi", "share"),
    [
        (9, 40_000, 111.0, 2.15, 39.1, 7.0, 0.421),
        (13, 12_000, 219.3, 1.95, 50.2, 7.5, 0.444),
        (19, 12_000, 455.4, 2.1, 70.0, 7.5, 0.462),
    ],
)
def test_playouts_have_the_known_statistics(
    side: int, count: int, moves: float, score: float, deviation: float, komi: float, share: float
) -> None:
    found = native_go(Go(side, side).state()).playouts(count, 7)
    error = deviation / math.sqrt(count)
    assert found.moves / count == pytest.approx(moves, abs=0.4)
    assert found.score / count == pytest.approx(score, abs=4 * error)
    assert math.sqrt(found.squares / count - (found.score / count) ** 2) == pytest.approx(deviation, rel=0.02)
    wins = sum(found.counts[side * side + math.floor(komi) + 1 :])
    assert wins / count == pytest.approx(share, abs=4 * 0.5 / math.sqrt(count))
    assert sum(found.owners) == found.score


@pytest.mark.parametrize(("name", "iterations"), [("go-3x3", 150), ("go-5x5", 60), ("go-4x3,ko=situational", 80)])
def test_native_uct_grows_the_same_tree_of_go(name: str, iterations: int) -> None:
    state, config = load_game(name).state().play("b2"), UctConfig(iterations=iterations, seed=3)
    expected, found = (search(state, config).analysis.to_dict() for search in (reference_uct, uct))
    del expected["time_s"], found["time_s"]
    assert found == expected


def test_uct_takes_the_center_of_a_small_board_and_passes_when_it_has_won() -> None:
    assert uct(Go(5, 5, komi=0).state(), UctConfig(iterations=20_000)).analysis.best == "c3"
    # White has passed: Black is ahead by a point, and loses everything by filling an eye.
    won = state_of("X.X.X", "XXXXX", "OOOOO", "OOOOO", "O.O.O", to_move="O", name="go-5x5,komi=-6").play("pass")
    assert uct(won, UctConfig(iterations=2_000)).analysis.best == "pass"
