"""Encodings of the small games and of games that nobody wrote one for."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.abilities import RemembersPast, StonesOnGrid
from philidor.core.errors import EncodingError
from philidor.core.grid import Grid
from philidor.core.random import SplitMix64
from philidor.encodings import default_encoding, load_encoding
from philidor.encodings.boards import BoardEncoding
from philidor.encodings.encoding import ReadableEncoding, Shape, expand
from philidor.encodings.hexapawn import HexapawnEncoding
from philidor.encodings.native import expand as native_expand
from philidor.games import GAMES, load_game
from philidor.games.hexapawn import Hexapawn
from philidor.games.tictactoe import TicTacToe

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAME_NAMES = [
    *GAMES,
    "hexapawn-4x5",
    "connect4-5x4",
    "gomoku-9x9",
    "gomoku-19x19",
    f"{EXAMPLES / 'last_stone.py'}:LastStone",
]


def random_states(game: Any, games: int) -> list[Any]:
    random, states = SplitMix64(5), []
    for _ in range(games):
        state = game.state()
        for _ in range(60):
            states.append(state)
            if state.is_over():
                break
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
    return states


@pytest.mark.parametrize("name", GAME_NAMES, ids=lambda name: Path(name).name)
@pytest.mark.parametrize("encoding_name", ["default", "text"])
def test_every_game_can_be_encoded(name: str, encoding_name: str) -> None:
    # The text encoding plays whole games to learn a game's alphabet, for a minute on the largest board.
    game = load_game("go-5x5" if (name, encoding_name) == ("go", "text") else name)
    encoding = default_encoding(game) if encoding_name == "default" else load_encoding("text", game)
    states = random_states(game, games=8)
    batch = encoding.encode(states)
    shape = encoding.shape
    assert batch.planes.shape == (len(states), shape.packed_planes, shape.words)
    assert expand(batch, shape).shape == (len(states), shape.planes, shape.height, shape.width)
    for row, state in enumerate(states):
        places = batch.legal(row).tolist()
        assert len(set(places)) == len(state.legal_moves()), state.text()
        assert max(places, default=0) < shape.policy_size


@pytest.mark.parametrize("name", ["hexapawn", "tictactoe", "connect4-4x4", GAME_NAMES[-1]], ids=lambda n: Path(n).name)
def test_states_that_differ_look_different(name: str) -> None:
    game = load_game(name)
    for encoding in (default_encoding(game), load_encoding("text", game)):
        states = {state.text(): state for state in random_states(game, games=40)}
        batch = encoding.encode(list(states.values()))
        rows = {(row.tobytes(), scalars.tobytes()) for row, scalars in zip(batch.planes, batch.scalars, strict=True)}
        # The book's hexapawn does not see how many moves were made.
        assert len(rows) == len({text.rsplit(" ", 1)[0] if encoding.name == "hexapawn" else text for text in states})


def test_hexapawn_is_the_books_vector() -> None:
    encoding = HexapawnEncoding()
    state = Hexapawn().state(".pp/pP./P.P w")
    batch = encoding.encode([state])
    vector = expand(batch, encoding.shape).reshape(-1).astype(int)
    assert "".join(map(str, vector)) == "000010101011100000111"
    assert encoding.shape == Shape(packed_planes=1, scalar_planes=0, height=1, width=21, policy_size=28)
    numbers = {state.move_text(move): encoding.policy_index(state, move) for move in state.legal_moves()}
    assert numbers == {"b2c3": 18, "c1c2": 2}


def test_the_seventeen_planes_of_alphago_zero() -> None:
    game = load_game("tictactoe")
    encoding = BoardEncoding(game)
    assert encoding.shape.planes == 17
    planes, scalars = encoding.planes(game.state().play("a1").play("b2"))
    assert planes == [1, *[0] * 7, 1 << 4, *[0] * 7]
    assert scalars == [1.0]
    planes, scalars = encoding.planes(game.state().play("a1"))
    assert (planes[0], planes[8], scalars) == (0, 1, [0.0])


@pytest.mark.parametrize(("name", "words"), [("gomoku-8x8", 1), ("gomoku-9x9", 2), ("gomoku", 4), ("gomoku-19x19", 6)])
def test_large_boards_have_planes_of_several_words(name: str, words: int) -> None:
    game = load_game(name)
    encoding = BoardEncoding(game)
    assert (encoding.shape.planes, encoding.shape.words) == (17, words)
    size = encoding.shape.height * encoding.shape.width
    state = game.state().play(0).play(size - 1).play(size // 2)
    batch = encoding.encode([state])
    assert batch.planes.shape == (1, 16, words)
    planes = expand(batch, encoding.shape)
    np.testing.assert_array_equal(planes, native_expand(batch, encoding.shape))
    assert [list(np.flatnonzero(plane)) for plane in planes[0, [0, 8]]] == [[size - 1], [0, size // 2]]
    np.testing.assert_array_equal(batch.legal_index, state.legal_moves())


def test_a_state_that_knows_its_parent_shows_its_history() -> None:
    class Stone(StonesOnGrid, RemembersPast):
        """Two stones on two squares, one after the other."""

        board_bits: tuple[int, int]
        parent: "Stone | None"
        grid: Grid

        def __init__(self, bits: tuple[int, int], parent: "Stone | None") -> None:
            self.board_bits, self.parent = bits, parent
            self.grid, self.to_move = load_game("tictactoe").state().grid, sum(bits).bit_count() % 2

    first = Stone((0, 0), None)
    last = Stone((1, 2), Stone((1, 0), first))
    planes, _ = BoardEncoding(load_game("tictactoe"), history=3).planes(last)
    assert planes == [1, 1, 0, 2, 0, 0]


def test_the_default_is_what_fits_the_game() -> None:
    expected = {"chess": "alphazero", "hexapawn-4x4": "hexapawn", "connect4": "boards-1", "tictactoe": "boards-1"}
    assert {name: default_encoding(load_game(name)).name for name in expected} == expected
    assert default_encoding(load_game(GAME_NAMES[-1])).name == "text"

    class Repeating(TicTacToe):
        name = "own.py:Repeating"
        repetition_matters = True

    assert default_encoding(Repeating()).name == "boards-8"


def test_a_game_without_a_board_has_no_board_planes() -> None:
    with pytest.raises(EncodingError, match="no stones on a grid"):
        BoardEncoding(load_game(GAME_NAMES[-1]))


def test_the_same_text_encoding_every_time() -> None:
    game = load_game("connect4")
    one, two = load_encoding("text", game), load_encoding("text", game)
    states = random_states(game, games=3)
    assert one.shape == two.shape
    np.testing.assert_array_equal(one.encode(states).planes, two.encode(states).planes)


def test_a_text_with_other_fields_is_refused() -> None:
    class Silent:
        to_move = 0

        def text(self) -> str:
            return "one two three four five six seven"

    encoding = load_encoding("text", load_game("hexapawn"))
    assert isinstance(encoding, ReadableEncoding)
    with pytest.raises(EncodingError, match="expected 3 fields"):
        encoding.planes(Silent())


def test_importing_the_table_loads_no_numpy() -> None:
    import subprocess

    code = "import sys, philidor.encodings; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_history_that_the_compiled_games_do_not_keep_has_no_twin() -> None:
    assert load_encoding("boards-1", load_game("go-5x5")).twin == ("boards", (1,))
    assert load_encoding("boards-8", load_game("go-5x5")).twin == ("boards", (8,))
    assert load_encoding("boards-9", load_game("go-5x5")).twin is None
    assert load_encoding("boards-8", load_game("gomoku")).twin == ("boards", (8,))
