"""The names that a newcomer types: wrong arguments get one line of ours, and objects say what they are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import philidor
from philidor.core.errors import ArgumentError, ConfigError, IllegalMoveError, PhilidorError
from philidor.games import GAMES, load_game
from philidor.games.chess import chess960_position, parse_epd
from philidor.players import PLAYERS
from philidor.records import RecordReader, parse_pgn

# Any, for each of these is a mistake that mypy would find.
POSITION: Any = philidor.chess.Position()
ENGINE: Any = philidor.load_engine("classic", depth=2)
ANY: Any = philidor


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ANY.chess.Position(5), "expected text (a str), got 5"),
        (lambda: ANY.chess.Position(None), "expected text (a str), got None"),
        (lambda: ANY.chess.Position(chess960="yes"), "expected chess960 to be True, False or None, got 'yes'"),
        (lambda: ANY.chess.Board(5), "expected text (a str), got 5"),
        (lambda: POSITION.play(3.5), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 3.5"),
        (lambda: POSITION.play(None), "expected a Move, or its text such as 'e2e4' or 'Nf3', got None"),
        (lambda: POSITION.parse_move(4), "expected text (a str), got 4"),
        (lambda: POSITION.parse_san(4), "expected text (a str), got 4"),
        (lambda: POSITION.is_legal(1), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 1"),
        (lambda: POSITION.san(1), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 1"),
        (lambda: POSITION.uci(1), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 1"),
        (lambda: POSITION.see(1), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 1"),
        (lambda: POSITION.is_capture(1), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 1"),
        (lambda: POSITION.gives_check(1), "expected a Move, or its text such as 'e2e4' or 'Nf3', got 1"),
        (lambda: POSITION.perft("x"), "expected a depth from 0 to 99, got 'x'"),
        (lambda: POSITION.perft(2.5), "expected a depth from 0 to 99, got 2.5"),
        (lambda: POSITION.divide(None), "expected a depth from 0 to 99, got None"),
        (lambda: POSITION.piece_at("e4"), "expected a square from 0 to 63, got 'e4'"),
        (lambda: POSITION.is_repetition("x"), "expected a number of times, got 'x'"),
        (lambda: POSITION.from_board(3), "expected a chess.Board of python-chess, got 3"),
        (lambda: ANY.load_net(None), "expected a network's file or name, got None"),
        (lambda: ANY.load_engine(None), "expected a player's name, got None"),
        (lambda: ANY.load_game(5), "expected a game's name, got 5"),
        (lambda: ANY.load_net("giraffe").evaluate(POSITION), f"expected a list of positions, got {POSITION!r}"),
        (
            lambda: ANY.load_engine("uct").analyse("e4"),
            "expected a position, such as philidor.chess.Position(), got 'e4'",
        ),
        (lambda: ANY.load_engine("random").choose(5), "expected a position, such as philidor.chess.Position(), got 5"),
        (lambda: ANY.chess.Move("x"), "expected the 16 bits of a move (`Position.parse_move` reads text), got 'x'"),
        (lambda: ANY.chess.Move(None), "expected the 16 bits of a move (`Position.parse_move` reads text), got None"),
        (lambda: parse_epd(4), "expected text (a str), got 4"),  # type: ignore[arg-type]
        (lambda: chess960_position("x"), "expected the number of a Chess960 start position, 0 to 959, got 'x'"),  # type: ignore[arg-type]
        (lambda: load_game("hexapawn").state().play(5), "expected a PawnMove, or its text such as 'a1a2', got 5"),
        (lambda: load_game("tictactoe").state().play(1.0), "expected the number of a square, or its text, got 1.0"),
        (lambda: load_game("connect4").state().play(None), "expected the number of a column, or its text, got None"),
        (lambda: parse_pgn(5), "expected PGN text (a str), got 5"),  # type: ignore[arg-type]
        (lambda: RecordReader(None), "expected the path of a .rec file, got None"),  # type: ignore[arg-type]
    ],
)
def test_an_argument_of_the_wrong_type_is_quoted_in_one_line(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call()
    assert str(caught.value) == message
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, PhilidorError)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_reads_text_only(name: str) -> None:
    game: Any = load_game(name)
    for call in (game.state, game.state().parse_move):
        with pytest.raises(ArgumentError, match=r"^expected text \(a str\), got 5$"):
            call(5)


def test_bits_that_are_no_move_are_named() -> None:
    for bits in (-1, 0xFFFF, 0x10000):
        with pytest.raises(IllegalMoveError, match=f"^no move has the bits {bits}$"):
            ANY.chess.Move(bits)


def test_an_engine_of_chess_names_what_it_got() -> None:
    for nothing in (None, "startpos"):
        with pytest.raises(ArgumentError, match=f"expected a position, .* got {nothing!r}"):
            ENGINE.analyse(nothing)
    with pytest.raises(ConfigError, match="a chess engine plays chess, not TicTacToeState"):
        ENGINE.analyse(load_game("tictactoe").state())
    with pytest.raises(ConfigError, match="lines must be at least 1, got '3'"):
        ENGINE.analyse(POSITION, lines="3")


@pytest.mark.parametrize("name", PLAYERS)
def test_an_engine_shows_the_call_that_loads_it(name: str) -> None:
    assert repr(philidor.load_engine(name)) == f"load_engine({name!r})"


def test_an_engine_shows_what_was_changed() -> None:
    engine = philidor.load_engine("classic", depth=3, hash=1)
    assert repr(engine) == "load_engine('classic', hash=1, depth=3)"
    assert repr(philidor.load_engine("uct", iterations=7)) == "load_engine('uct', iterations=7)"


@pytest.mark.parametrize("name", [*GAMES, "hexapawn-4x5", "connect4-5x4"])
def test_a_game_shows_the_call_that_loads_it(name: str) -> None:
    assert repr(load_game(name)) == f"load_game({name!r})"


def test_networks_say_what_they_are(tmp_path: Path) -> None:
    from philidor.nets.leela.files import save_leela
    from tests.nets.leela_nets import residual_net

    save_leela(residual_net(), tmp_path / "small.pb.gz")
    assert repr(philidor.load_net(tmp_path / "small.pb.gz")).startswith("<NetEvaluator 'small.pb.gz': chess, encoding ")
    assert repr(philidor.load_net("giraffe")).startswith("<GiraffeEvaluator '")
    assert repr(philidor.load_net("philidor-4")).startswith("<NnueEvaluator 'mirrored-256")
