"""AlphaGo's planes: known positions for every kind of plane, and the compiled encoder against the readable one."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import EncodingError
from philidor.core.random import SplitMix64
from philidor.encodings import load_encoding
from philidor.encodings.alphago import SIZES, AlphaGoEncoding, alphago_planes
from philidor.encodings.encoding import expand
from philidor.games import load_game
from philidor.games.go import GoState
from philidor.records import SgfSource
from philidor.records.sgf import recorded_moves

# Where each kind of plane begins (Extended Data Table 2).
TURNS, LIBERTIES, CAPTURES, SELF_ATARI, AFTER, LADDER_CAPTURE, LADDER_ESCAPE, SENSIBLE = 4, 12, 20, 28, 36, 44, 45, 46
KGS = Path(os.environ.get("PHILIDOR_SHARED", "nowhere")) / "data/go/kgs_19x19_6d.sgfs.zst"


def board(*rows: str, to_move: str = "X", options: str = "") -> GoState:
    state: GoState = load_game(f"go-{len(rows[0])}x{len(rows)}{options}").state(f"{'/'.join(rows)} {to_move}")
    return state


def points(state: GoState, plane: int) -> set[str]:
    """The squares of a plane, by the readable encoder and by the compiled one, which must agree."""
    bits = alphago_planes(state)[plane]
    batch = load_encoding("alphago-48", load_game(f"go-{state.grid.width}x{state.grid.height}")).encode([state])
    assert bits == int.from_bytes(batch.planes[0, plane].tobytes(), "little"), plane
    return {state.grid.name(square) for square in range(state.grid.size) if bits >> square & 1}


def number_at(state: GoState, first: int, square: str) -> int:
    """Which of eight planes a square is on, from 1; 0 for none."""
    (found,) = [n for n in range(1, 9) if square in points(state, first + n - 1)] or [0]
    return found


def test_stones_are_seen_by_the_player_to_move() -> None:
    state = load_game("go-5x5").state().play("a1").play("b1").play("c1")
    assert points(state, 0) == {"b1"}
    assert points(state, 1) == {"a1", "c1"}
    assert len(points(state, 2)) == 22
    assert len(points(state, 3)) == 25
    assert not points(state, 47)


def test_turns_since_count_from_the_last_move_and_not_beyond_eight() -> None:
    state = load_game("go-9x9").state()
    names = ["a1", "c1", "e1", "g1", "a3", "c3", "e3", "g3", "a5"]
    for name in names:
        state = state.play(name)
    assert [number_at(state, TURNS, name) for name in reversed(names)] == [1, 2, 3, 4, 5, 6, 7, 8, 8]
    state = state.play("pass")
    assert number_at(state, TURNS, "a5") == 2
    assert not points(state, TURNS)


def test_a_stone_that_was_taken_and_put_again_shows_its_last_turn() -> None:
    # White takes the ko, Black plays elsewhere, White too, Black takes back.
    state = board(".XO..", "X.XO.", ".XO..", ".....", ".....", to_move="O").play("b4")
    assert state.board[state.grid.square("c4") or 0] == "."
    state = state.play("e1").play("a1").play("c4")
    assert number_at(state, TURNS, "c4") == 1
    assert number_at(state, TURNS, "b4") == 0
    assert number_at(state, TURNS, "e1") == 3
    assert number_at(state, TURNS, "c3") == 8


def test_liberties_of_chains() -> None:
    state = board("XX...", "OX...", ".....", "..X..", "XO...")
    expected = {"a5": 3, "b4": 3, "a4": 1, "c2": 4, "a1": 1, "b1": 2}
    assert {name: number_at(state, LIBERTIES, name) for name in expected} == expected


def test_a_chain_with_many_liberties_is_on_the_last_plane() -> None:
    assert number_at(board(*["....."] * 2, "XXXX.", *["....."] * 2), LIBERTIES, "a3") == 8


def test_capture_sizes() -> None:
    state = board("OOX..", "X.X..", ".....", ".....", ".....")
    assert number_at(state, CAPTURES, "b4") == 3  # plane of two stones
    assert number_at(state, CAPTURES, "e1") == 1
    assert number_at(state, CAPTURES, "a5") == 0  # a stone stands there


def test_seven_stones_and_more_are_one_plane() -> None:
    state = board("OOOOOOO.", "XXXXXXX.", *["........"] * 3)
    assert number_at(state, CAPTURES, "h5") == 8
    state = board("OOOOOOOO.", "XXXXXXXX.", *["........."] * 3)
    assert number_at(state, CAPTURES, "j5") == 8


def test_self_atari_shows_the_size_of_the_chain() -> None:
    state = board(".O...", "XO...", "XO...", "XO...", ".....")
    # A fourth stone at a5 leaves a1 as the only liberty; one at a1 leaves a5 and b1.
    assert number_at(state, SELF_ATARI, "a5") == 4
    assert number_at(state, SELF_ATARI, "a1") == 0
    assert number_at(state, AFTER, "a5") == 1
    assert number_at(state, AFTER, "a1") == 2


def test_liberties_after_count_what_a_capture_frees() -> None:
    state = board("OX...", ".X...", "XO...", ".....", ".....")
    assert number_at(state, CAPTURES, "a4") == 2
    assert number_at(state, AFTER, "a4") == 4  # a5, a2, c4, c5 of the joined chain: a4 a3 b4 b5


def test_where_nothing_may_be_played_nothing_is_shown() -> None:
    state = board(".O...", "O....", ".....", ".....", ".....")
    for plane in range(CAPTURES, SENSIBLE + 1):
        assert "a5" not in points(state, plane), plane
    assert "a5" not in points(state, SENSIBLE)
    assert "b4" in points(state, SENSIBLE)


def test_filling_an_own_eye_is_not_sensible() -> None:
    state = board(".X...", "XX...", ".....", ".....", ".....")
    assert "a5" not in points(state, SENSIBLE)
    assert number_at(state, CAPTURES, "a5") == 1  # but legal
    false_eye = board(".X...", "XO...", ".....", ".....", ".....")
    assert "a5" in points(false_eye, SENSIBLE)


def test_allowed_suicide_has_no_liberties() -> None:
    game = load_game("go-5x5,suicide=yes")
    state = game.state("...../OO.../XO.../XO.../.O... X")
    assert "a1" in {state.move_text(move) for move in state.legal_moves()}
    planes = alphago_planes(state)
    native = load_encoding("alphago-48", game).encode([state]).planes[0]
    bit = 1 << (state.grid.square("a1") or 0)
    assert [bool(plane & bit) for plane in planes[CAPTURES : AFTER + 8]] == [True] + [False] * 23
    assert planes == [int.from_bytes(plane.tobytes(), "little") for plane in native]


def ladder(breaker: str | None) -> GoState:
    """White's stone on d4 would run from the lower left to the upper right."""
    stones = {"d4": "O", "c4": "X", "d3": "X", "e3": "X"} | ({breaker: "O"} if breaker else {})
    game = load_game("go-9x9")
    start = game.state()
    rows = start.grid.text("".join(stones.get(start.grid.name(square), ".") for square in range(81)))
    state: GoState = game.state(f"{rows} X")
    return state


def test_a_working_ladder_is_a_capture_and_a_breaker_stops_it() -> None:
    assert points(ladder(None), LADDER_CAPTURE) == {"d5"}
    assert points(ladder("g7"), LADDER_CAPTURE) == set()


def test_escaping_shows_where_a_chain_in_atari_gets_away() -> None:
    assert points(ladder("g7").play("d5"), LADDER_ESCAPE) == {"e4"}
    assert points(ladder(None).play("d5"), LADDER_ESCAPE) == set()


def random_game(name: str, seed: int, plies: int) -> list[GoState]:
    state, random, line = load_game(name).state(), SplitMix64(seed), []
    for _ in range(plies):
        line.append(state)
        if state.is_over():
            break
        moves = state.legal_moves()
        # Mostly the points, so that games are long.
        state = state.play(moves[random.below(max(1, len(moves) - 1))])
    return line


def assert_agree(states: list[GoState], name: str, encoding: str = "alphago-48") -> None:
    game = load_game(name)
    planes = int(encoding.rpartition("-")[2])
    native, readable = load_encoding(encoding, game).encode(states), AlphaGoEncoding(game, planes).encode(states)
    for row, state in enumerate(states):
        wrong = np.flatnonzero((native.planes[row] != readable.planes[row]).any(axis=1))
        assert not len(wrong), (wrong.tolist(), state.text())
    for field in ("scalars", "legal_offsets", "legal_index"):
        np.testing.assert_array_equal(getattr(native, field), getattr(readable, field))


@pytest.mark.parametrize("name", ["go-5x5", "go-7x7,ko=situational,suicide=yes", "go-9x9", "go-6x4"])
def test_the_compiled_planes_agree_on_random_games(name: str) -> None:
    for seed in range(3):
        assert_agree(random_game(name, seed, 110)[::5], name)


@pytest.mark.parametrize("planes", SIZES)
def test_smaller_inputs_are_the_first_planes(planes: int) -> None:
    states = random_game("go-7x7", 7, 60)[::9]
    game = load_game("go-7x7")
    assert_agree(states, "go-7x7", f"alphago-{planes}")
    encoding = load_encoding(f"alphago-{planes}", game)
    assert encoding.shape.planes == planes
    whole = load_encoding("alphago-48", game).encode(states)
    part = encoding.encode(states)
    shown = min(planes, 48)
    np.testing.assert_array_equal(part.planes, whole.planes[:, :shown])
    if planes == 49:
        assert expand(part, encoding.shape)[:, 48, 0, 0].tolist() == [float(state.to_move == 0) for state in states]


@pytest.mark.skipif(not KGS.exists(), reason="needs the recorded games")
def test_the_compiled_planes_agree_on_recorded_games() -> None:
    source = SgfSource([KGS])
    for number, record in zip(range(3), source, strict=False):
        game = source.game
        assert game is not None
        state, states = game.state(record.start), []
        for ply, move in enumerate(recorded_moves(record, game)):
            if ply % 24 == 8 * number:
                states.append(state)
            state = state.play(move)
        assert_agree(states, game.name)


def test_planes_follow_the_symmetries_of_the_board() -> None:
    game = load_game("go-7x7")
    encoding = load_encoding("alphago-48", game)
    for state in random_game("go-7x7", 3, 70)[20::24]:
        bits = expand(encoding.encode([state]), encoding.shape).reshape(48, -1)
        for symmetry in game.symmetries[1:]:
            moved = encoding.moved_inputs(symmetry)
            assert moved is not None
            image = expand(encoding.encode([symmetry.state(state)]), encoding.shape).reshape(48, -1)
            np.testing.assert_array_equal(image[:, list(moved)], bits)


def test_other_games_and_numbers_of_planes_are_refused() -> None:
    with pytest.raises(EncodingError, match="are for Go"):
        load_encoding("alphago-48", load_game("gomoku"))
    with pytest.raises(EncodingError, match="4, 12, 20, 48, 49"):
        load_encoding("alphago-17", load_game("go-9x9"))
    with pytest.raises(EncodingError, match="encodes a board of 9x9 here, got a board of 7x7"):
        load_encoding("alphago-48", load_game("go-9x9")).encode([load_game("go-7x7").state()])
