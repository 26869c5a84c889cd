"""What games say of themselves: names with sizes and options, abilities, and twins that nobody inherits."""

from dataclasses import dataclass
from typing import Any

import pytest

from philidor.core.abilities import StonesOnGrid, TellsCaptures, WritesSan, move_name, words
from philidor.core.descriptor import Descriptor, GameOption, Sizes, descriptor_of, native_name
from philidor.core.errors import ConfigError
from philidor.games import GAMES, describe, load_game, split_name
from philidor.games.chess import Chess, Position
from philidor.games.gomoku import Gomoku, GomokuState

KOMI = GameOption(name="komi", title="Komi", default=7.5, minimum=-100, maximum=100, step=0.5)
SCORING = GameOption(name="scoring", title="Scoring", default="area", choices=("area", "territory"))
ABOUT = Descriptor(
    name="stones",
    title="Stones",
    sizes=Sizes(usual=(19, 19), width=(5, 19), height=(5, 19)),
    options=(KOMI, SCORING),
)


@dataclass
class Stones:
    """A game with options; nothing of it is played here."""

    descriptor = ABOUT
    name, action_count, symmetries, max_plies, repetition_matters = "stones", 1, (), 1, False
    width: int = 19
    height: int = 19
    komi: float = 7.5
    scoring: str = "area"

    def state(self, text: str | None = None, /) -> None:
        """Nowhere to begin."""

    def action_index(self, state: object, move: object, /) -> int:
        return 0


@pytest.fixture
def stones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "stones", f"{__name__}:Stones")


@pytest.mark.usefixtures("stones")
@pytest.mark.parametrize(
    ("name", "values", "plain"),
    [
        ("stones", {}, "stones"),
        ("stones-9x9", {"width": 9, "height": 9}, "stones-9x9"),
        ("stones-19x19,komi=7.5", {"width": 19, "height": 19, "komi": 7.5}, "stones"),
        ("stones,komi=-0.5", {"komi": -0.5}, "stones,komi=-0.5"),
        (
            "stones-9x9,scoring=territory,komi=6",
            {"width": 9, "height": 9, "scoring": "territory", "komi": 6.0},
            "stones-9x9,komi=6,scoring=territory",
        ),
    ],
)
def test_sizes_and_options_follow_the_name(name: str, values: dict[str, Any], plain: str) -> None:
    assert split_name(name) == ("stones", values)
    game: Any = load_game(name)
    assert game == Stones(**values)
    assert ABOUT.full_name(**split_name(name)[1]) == plain


@pytest.mark.usefixtures("stones")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stones,komi=7.4", "komi must be a multiple of 0.5, got 7.4"),
        ("stones,komi=101", "komi must be at most 100, got 101.0"),
        ("stones,komi=nan", "komi must be a finite number, got nan"),
        ("stones,komi=much", "komi must be a float, got 'much'"),
        ("stones,scoring=luck", "scoring must be one of area, territory, got 'luck'"),
        ("stones,kmi=1", "stones cannot be played with the option 'kmi=1'; it has komi=VALUE, scoring=VALUE"),
        ("stones,komi", "stones cannot be played with the option 'komi'; it has komi=VALUE, scoring=VALUE"),
        ("stones,komi=1,komi=2", "stones cannot be played with the option 'komi=2'; it has komi=VALUE, scoring=VALUE"),
        ("hexapawn,komi=1", "hexapawn cannot be played with the option 'komi=1'; it has none"),
    ],
)
def test_an_option_that_does_not_fit_is_named(name: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_game(name)
    assert str(error.value) == message


def test_titles_tell_what_is_not_as_usual() -> None:
    assert ABOUT.full_title() == "Stones"
    assert ABOUT.full_title(width=9, height=9, komi=5.5) == "Stones 9×9, komi 5.5"


def test_every_game_of_the_table_has_a_descriptor_of_its_name() -> None:
    assert {name: describe(name).name for name in GAMES} == {name: name for name in GAMES}


def test_a_derived_game_is_drawn_as_ours_but_has_no_twin() -> None:
    class Mine(Gomoku):
        """May have other rules."""

    class MyState(GomokuState):
        """May too."""

    grid = Gomoku().grid
    assert descriptor_of(Mine()) is descriptor_of(MyState(grid, (0, 0))) is Gomoku.descriptor
    assert (native_name(Gomoku()), native_name(GomokuState(grid, (0, 0)))) == ("gomoku", "gomoku")
    assert (native_name(Mine()), native_name(MyState(grid, (0, 0)))) == (None, None)
    assert native_name(Chess()) == native_name(Position()) == "chess"


def test_abilities_are_declared() -> None:
    chess, hexapawn, tictactoe = (load_game(name).state() for name in ("chess", "hexapawn", "tictactoe"))
    assert [isinstance(state, WritesSan) for state in (chess, hexapawn, tictactoe)] == [True, False, False]
    assert [isinstance(state, TellsCaptures) for state in (chess, hexapawn, tictactoe)] == [True, True, False]
    assert [isinstance(state, StonesOnGrid) for state in (chess, hexapawn, tictactoe)] == [False, True, True]
    assert move_name(chess, chess.parse_move("g1f3")) == "Nf3"
    assert move_name(hexapawn, hexapawn.parse_move("a1a2")) == "a1a2"


def test_a_board_is_split_into_words() -> None:
    assert words(1 << 64 | 5, 81) == [5, 1]
    assert words(0, 361) == [0] * 6
