"""Loading games: by name, by size, and a user's own file."""

from pathlib import Path

import pytest

from philidor.core.errors import LoadError, PhilidorError, UnknownNameError
from philidor.games import load_game

OWN_GAME = """
from philidor.games.tictactoe import TicTacToe

class Mine:
    name = "mine.py:Mine"
    action_count, symmetries, max_plies, repetition_matters = 9, (), 9, False

    def __init__(self, greeting="hello"):
        self.greeting = greeting

    def state(self, text=None):
        return TicTacToe().state(text)

    def action_index(self, state, move):
        return move

class Half:
    name = "half"
"""


def test_options_and_names_mean_the_same() -> None:
    assert load_game("hexapawn", width=4, height=5).name == load_game("hexapawn-4x5").name == "hexapawn-4x5"
    assert load_game("connect4-7x6").name == "connect4"


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no game 'hexpawn'; did you mean 'hexapawn'\?"):
        load_game("hexpawn")
    with pytest.raises(UnknownNameError, match="known: chess, connect4, go, gomoku, hexapawn, tictactoe"):
        load_game("qqqqqq")


def test_a_wrong_option_is_named() -> None:
    with pytest.raises(LoadError, match=r"hexapawn.*depth"):
        load_game("hexapawn", depth=3)
    with pytest.raises(LoadError, match=r"tictactoe.*width"):
        load_game("tictactoe-4x4")


def test_own_game_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN_GAME)
    game = load_game(f"{path}:Mine", greeting="hi")
    assert game.state().play("b2").ply == 1
    assert load_game(f"{path}:Mine").state() == game.state()


def test_own_game_by_module_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_game_of_mine.py").write_text(OWN_GAME)
    monkeypatch.chdir(tmp_path)
    assert load_game("a_game_of_mine:Mine").action_count == 9


def test_own_game_by_installed_module() -> None:
    assert load_game("philidor.games.hexapawn:Hexapawn", width=5).action_count == 2 * 26


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        (OWN_GAME, "Mien", "has no 'Mien'; did you mean 'Mine'?"),
        (OWN_GAME, "Half", "is not a game: it has no state, action_count"),
        ("x = 1 +", "Mine", "SyntaxError"),
        ("import no_such_module", "Mine", "No module named 'no_such_module'"),
        ("1 / 0", "Mine", "ZeroDivisionError"),
    ],
)
def test_what_is_wrong_with_an_own_game_is_said(tmp_path: Path, source: str, name: str, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(LoadError) as caught:
        load_game(f"{path}:{name}")
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", [":", "x:", ":y", "no_such_file.py:X", "no.such.module:X", "\0.py:X"])
def test_nonsense_is_an_error_of_ours(spec: str) -> None:
    with pytest.raises(PhilidorError):
        load_game(spec)
