"""Every game of the table, and some sizes, keeps the contract that searches and training rely on."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.game import AnyGame
from philidor.core.random import SplitMix64
from philidor.games import GAMES, load_game
from tests.games.contract import check_game, check_keys, check_walk

NAMES = [
    *GAMES,
    *("hexapawn-1x3", "hexapawn-2x5", "hexapawn-5x4", "connect4-1x4", "connect4-4x4", "connect4-9x7"),
    *("gomoku-5x5", "gomoku-6x5"),
    *("go-2x2", "go-3x5,ko=simple", "go-4x4,komi=0.5,ko=situational,suicide=yes"),
]
# Positions of the largest board, compared in all symmetries with their whole past, take minutes.
WALKED = [name for name in NAMES if name != "go"]


@cache
def game_of(name: str) -> AnyGame:
    return load_game(name)


@pytest.mark.parametrize("name", NAMES)
def test_game_is_well_formed(name: str) -> None:
    check_game(game_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_name_loads_the_same_game(name: str) -> None:
    assert game_of(name).name == name
    assert load_game(game_of(name).name).action_count == game_of(name).action_count


@pytest.mark.parametrize("name", WALKED)
@settings(max_examples=25, deadline=None)
@given(choices=st.lists(st.integers(min_value=0, max_value=2**16), max_size=60))
def test_every_state_of_a_random_game_keeps_the_contract(name: str, choices: list[int]) -> None:
    check_walk(game_of(name), choices)


@pytest.mark.parametrize("name", WALKED)
def test_whole_games_keep_the_contract(name: str) -> None:
    # Lists of choices that hypothesis makes are short; the ends of long games need games played out.
    random = SplitMix64(1)
    for _ in range(3):
        check_walk(game_of(name), [random.below(2**16) for _ in range(2_000)])


@pytest.mark.parametrize("name", WALKED)
@settings(max_examples=5, deadline=None)
@given(choices=st.lists(st.integers(min_value=0, max_value=2**16), max_size=30))
def test_keys_are_equal_if_and_only_if_positions_are(name: str, choices: list[int]) -> None:
    game = game_of(name)
    state = game.state()
    for choice in choices:
        if not state.is_over():
            state = state.play(state.legal_moves()[choice % len(state.legal_moves())])
    check_keys(game, state, plies=2 if len(state.legal_moves()) < 100 else 1)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "hexapawn-5x4", "chess"])
def test_transpositions_are_met(name: str) -> None:
    assert check_keys(game_of(name), game_of(name).state(), plies=3) > 40


@pytest.mark.parametrize(
    ("name", "move", "key"),
    [
        ("tictactoe", "b2", 0xD78EA0973C40C6F6),
        ("hexapawn", "b1b2", 0x3D5D104EB1213A8B),
        ("connect4", "d", 0xA9B51513F37843D8),
        ("gomoku", "h8", 0xF056C78BCFF3F899),
        ("go-9x9", "e5", 0x81B829716055F845),
    ],
)
def test_keys_are_the_same_in_every_process(name: str, move: str, key: int) -> None:
    assert game_of(name).state().play(move).key == key
