"""The examples keep the promises that the documentation makes with them."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from philidor.games import load_game
from tests.games.contract import check_game, check_keys, check_walk

LAST_STONE = str(Path(__file__).resolve().parents[2] / "examples/last_stone.py") + ":LastStone"


def test_a_game_of_ones_own_keeps_the_contract_of_all_games() -> None:
    game = load_game(LAST_STONE)
    check_game(game)
    assert check_keys(game, game.state("9 stones after 0"), plies=9) > 0


@given(st.lists(st.integers(min_value=0, max_value=2), max_size=21))
def test_every_walk_through_a_game_of_ones_own_keeps_the_contract(choices: list[int]) -> None:
    check_walk(load_game(LAST_STONE), choices)
