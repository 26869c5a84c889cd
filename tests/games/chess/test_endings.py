"""How games end: mate before claims, the clocks, repetition by the rules' own idea of sameness, bare kings."""

import chess
import pytest

from philidor.core.game import Outcome
from philidor.games.chess import Position

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def played(fen: str, *moves: str) -> Position:
    position = Position(fen)
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(
    ("fen", "moves", "outcome"),
    [
        ("startpos", ["f3", "e5", "g4", "Qh4"], Outcome(1, "checkmate")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [], Outcome(None, "stalemate")),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", ["Qb8"], Outcome(0, "checkmate")),
        # A mate or stalemate on the hundredth half move, or the hundred-and-fiftieth, comes before the claim.
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 99 80", ["Qb8"], Outcome(0, "checkmate")),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 149 90", ["Qb8"], Outcome(0, "checkmate")),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", ["Qf7"], Outcome(None, "stalemate")),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 99 80", ["Qb1b2"], Outcome(None, "fifty moves")),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 98 80", ["Qb1b2"], None),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 100 80", [], Outcome(None, "fifty moves")),
        ("7k/8/6K1/8/8/8/7P/1Q6 w - - 99 80", ["h4"], None),
        ("7k/8/8/1q6/8/8/7P/1R4K1 w - - 99 80", ["Rxb5"], None),
        ("8/8/8/4k3/8/8/8/4KB2 w - - 100 80", [], Outcome(None, "insufficient material")),
        ("8/8/8/4kr2/8/8/8/4KB2 b - - 0 80", ["Rxf1"], None),
        ("startpos", SHUFFLE + SHUFFLE, Outcome(None, "threefold repetition")),
        ("startpos", SHUFFLE + SHUFFLE[:-1], None),
    ],
)
def test_a_game_ends_by_the_first_rule_that_applies(fen: str, moves: list[str], outcome: Outcome | None) -> None:
    position = played(fen, *moves)
    assert position.outcome() == outcome
    assert position.is_over() == (outcome is not None)
    assert position.is_checkmate() == (outcome is not None and outcome.reason == "checkmate")
    assert position.is_stalemate() == (outcome is not None and outcome.reason == "stalemate")


def test_the_clocks_of_fifty_and_seventy_five_moves() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - {} 100"
    expected = {99: (False, False), 100: (True, False), 149: (True, False), 150: (True, True)}
    for clock, (fifty, seventy_five) in expected.items():
        position, board = Position(fen.format(clock)), chess.Board(fen.format(clock))
        assert (position.is_fifty_moves(), position.is_seventyfive_moves()) == (fifty, seventy_five)
        assert (board.is_fifty_moves(), board.is_seventyfive_moves()) == (fifty, seventy_five)


def test_repetitions_are_counted_up_to_any_number() -> None:
    position = Position()
    for round_number in range(1, 6):
        for count in range(1, 9):
            assert position.is_repetition(count) == (count <= round_number)
        position = played_on(position, SHUFFLE)


def played_on(position: Position, moves: list[str]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def test_a_lost_en_passant_right_makes_a_position_another() -> None:
    # After e2e4 Black may take on e3, but only at once: that position is not the later ones.
    position = played("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1", "e2e4")
    first = position
    position = played_on(position, ["g8f6", "g1f3", "f6g8", "f3g1"])
    assert position.fen().split()[0] == first.fen().split()[0]
    assert position.key != first.key
    assert not position.is_repetition(2)
    position = played_on(position, ["g8f6", "g1f3", "f6g8", "f3g1"])
    assert position.is_repetition(2)
    assert not position.is_repetition(3)
    assert played_on(position, ["g8f6", "g1f3", "f6g8", "f3g1"]).is_repetition(3)


@pytest.mark.parametrize(
    "fen",
    [
        "4k1n1/8/8/8/8/8/4P3/4K1N1 w - - 0 1",  # no pawn is beside e4
        "6n1/8/8/8/k2p3R/8/4P3/4K1N1 w - - 0 1",  # the pawn beside it would open the rank to its king
    ],
)
def test_an_en_passant_square_that_nobody_can_use_changes_nothing(fen: str) -> None:
    position = played(fen, "e2e4")
    first = position
    assert position.fen(raw_en_passant=True).split()[3] == "e3"
    assert position.fen().split()[3] == "-"
    position = played_on(position, ["g8f6", "g1f3", "f6g8", "f3g1"])
    assert position.key == first.key
    assert position == first
    assert position.is_repetition(2)
    assert played_on(position, ["g8f6", "g1f3", "f6g8", "f3g1"]).is_repetition(3)


def test_lost_castling_rights_make_a_position_another() -> None:
    position = played("4k1n1/8/8/8/8/8/8/R3K3 w Q - 0 1")
    first = position
    for count in (1, 2, 3):
        position = played_on(position, ["a1a2", "g8f6", "a2a1", "f6g8"])
        assert position.fen().split()[0] == first.fen().split()[0]
        assert position.is_repetition(count)
        assert not position.is_repetition(count + 1)
    assert position.outcome() == Outcome(None, "threefold repetition")


def test_a_fen_has_no_past() -> None:
    position = played_on(Position(), SHUFFLE + SHUFFLE)
    assert position.is_repetition()
    assert not Position(position.fen()).is_repetition(2)


@pytest.mark.parametrize(
    ("pieces", "is_dead"),
    [
        ("Kk", True),
        ("KkB", True),
        ("Kkn", True),
        ("KkNN", False),
        ("KkNn", False),
        ("KkNb", False),
        ("KkNq", False),  # Black can still mate
        ("KkP", False),
        ("KkR", False),
        ("Kkq", False),
    ],
)
def test_insufficient_material_by_pieces(pieces: str, is_dead: bool) -> None:
    squares = {
        "K": "a1",
        "k": "h8",
        "N": "c1d1",
        "B": "c1d1",
        "n": "c8d8",
        "b": "c8d8",
        "P": "a3",
        "R": "b2",
        "q": "f7",
    }
    board = chess.Board(None)
    for letter in pieces:
        names = squares[letter]
        squares[letter] = names[2:]
        board.set_piece_at(chess.parse_square(names[:2]), chess.Piece.from_symbol(letter))
    assert board.is_insufficient_material() == is_dead
    assert Position(board.fen()).is_insufficient_material() == is_dead


@pytest.mark.parametrize(
    ("fen", "is_dead"),
    [
        ("8/8/8/4k3/8/8/8/2B1K1B1 w - - 0 1", True),  # both on dark squares
        ("8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1", False),
        ("2b5/8/8/4k3/8/8/8/4KB2 w - - 0 1", True),  # c8 and f1 are light
        ("5b2/8/8/4k3/8/8/8/4KB2 w - - 0 1", False),
        ("B1B1B1B1/1B1B4/8/4k3/8/8/8/4K3 b - - 0 1", True),
    ],
)
def test_insufficient_material_by_the_bishops_squares(fen: str, is_dead: bool) -> None:
    assert chess.Board(fen).is_insufficient_material() == is_dead
    assert Position(fen).is_insufficient_material() == is_dead
