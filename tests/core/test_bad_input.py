"""Whatever text comes in, what comes out is a result or an error of ours."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.errors import ConfigError, FenError, IllegalMoveError, PhilidorError
from philidor.core.options import set_uci_option
from philidor.core.toml import config_from_toml
from philidor.games import GAMES, load_game
from philidor.search.alphabeta import AlphaBetaConfig

# Texts near to real ones reach further into the readers than random ones.
NEAR_BOARDS = st.text("pPXO./wb 0123456789-", max_size=60)
NEAR_TOML = st.text("depthor=\"[]{}#\n 0123456789.-'truefalse", max_size=80)
SMALL_GAMES = [name for name in GAMES if name != "chess"]


@pytest.mark.parametrize("name", GAMES)
@given(text=st.text() | NEAR_BOARDS)
def test_states_are_read_or_refused(name: str, text: str) -> None:
    with suppress(FenError):
        state = load_game(name).state(text)
        assert load_game(name).state(state.text()) == state


@pytest.mark.parametrize("name", GAMES)
@given(text=st.text() | st.text("abcdefgh12345678x-=", max_size=6))
def test_moves_are_read_or_refused(name: str, text: str) -> None:
    state = load_game(name).state()
    with suppress(IllegalMoveError):
        assert state.parse_move(text) in state.legal_moves()


@given(
    name=st.text(max_size=30) | st.builds("{}-{}x{}".format, st.sampled_from(SMALL_GAMES), st.integers(), st.integers())
)
def test_games_are_loaded_or_refused(name: str) -> None:
    with suppress(PhilidorError):
        assert load_game(name).state().legal_moves()


@given(toml=st.text() | NEAR_TOML)
def test_configs_are_read_or_refused(toml: str) -> None:
    with suppress(ConfigError):
        config_from_toml(AlphaBetaConfig, toml)


@given(name=st.text() | st.just("Depth"), value=st.text() | st.integers().map(str))
def test_options_are_set_or_refused(name: str, value: str) -> None:
    with suppress(ConfigError):
        assert 1 <= set_uci_option(AlphaBetaConfig(), name, value).depth <= 1_000


HUGE = "9" * 5_000


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    for call in (
        lambda: load_game(f"hexapawn-{HUGE}x3"),
        lambda: load_game("hexapawn").state(f"ppp/.../PPP w {HUGE}"),
        lambda: config_from_toml(AlphaBetaConfig, f"depth = {HUGE}"),
        lambda: config_from_toml(AlphaBetaConfig, f"depth = {'[' * 5_000}"),
        lambda: set_uci_option(AlphaBetaConfig(), "Depth", HUGE),
    ):
        with pytest.raises(PhilidorError):
            call()
