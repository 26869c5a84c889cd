"""philidor's chess rules agree with python-chess on random games of every kind."""

import random
from collections import Counter

import chess
import pytest

from philidor.games.chess import Position, chess960_position
from tests.games.chess.oracle import check_against_python_chess, check_moves_against_python_chess
from tests.games.chess.walks import SOURCES, TRICKY, Step, start_board, walk

POSITIONS = 15_000
ALL_MOVES_EVERY = 64
# One round: how many walks from each source, and how long. Where the rare thing is at the start, short walks find more.
ROUND = {
    "standard": (1, 200),
    "chess960": (1, 160),
    "tricky": (2, 60),
    "ending": (5, 30),
    "bare king": (5, 15),
    "promotions": (3, 25),
    "pins": (4, 10),
    "en passant": (12, 5),
    "castling": (5, 15),
}


def met_by(step: Step) -> list[str]:
    """Names the rare things of one step of a walk."""
    position, move = step.position, step.move
    ending = position.outcome()
    is_raw = position.fen(raw_en_passant=True) != position.fen()
    names = ["check"] if position.is_check() else []
    names += ["double check"] if position.is_check() and len(step.board.checkers()) > 1 else []
    names += ["chess960"] if position.is_chess960 else []
    names += [ending.reason] if ending is not None else []
    names += ["forbidden en passant"] if is_raw and step.board.has_pseudo_legal_en_passant() else []
    if move is not None:
        names += ["en passant"] if move.is_en_passant else []
        names += ["promotion"] if move.promotion else []
        names += ["castling"] if move.is_castling else []
        names += ["chess960 castling"] if move.is_castling and position.is_chess960 else []
    return names


def compare_walks(seed: int, positions: int) -> Counter[str]:
    """Compares `positions` positions or a few more, from every source in turn; counts what the walks met."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    sources = [source for source in SOURCES for _ in range(ROUND[source][0])]
    while met["positions"] < positions:
        source = sources[met["walks"] % len(sources)]
        met["walks"] += 1
        for step in walk(start_board(source, rng), rng, ROUND[source][1]):
            met["positions"] += 1
            met.update(met_by(step))
            check_against_python_chess(step.position, step.board)
            if met["positions"] % ALL_MOVES_EVERY == 0:
                check_moves_against_python_chess(step.position, step.board, step.position.legal_moves())
            elif step.move is not None:
                check_moves_against_python_chess(step.position, step.board, [step.move])
    return met


AT_LEAST = {
    "check": 700,
    "double check": 5,
    "checkmate": 10,
    "stalemate": 3,
    "insufficient material": 20,
    "fifty moves": 20,
    "threefold repetition": 5,
    "en passant": 8,
    "forbidden en passant": 3,
    "promotion": 50,
    "castling": 20,
    "chess960": 500,
    "chess960 castling": 10,
}


@pytest.mark.parametrize("seed", range(10))
def test_random_games_agree_with_python_chess(seed: int) -> None:
    met = compare_walks(seed, POSITIONS)
    too_few = {name: met[name] for name, least in AT_LEAST.items() if met[name] < least}
    assert not too_few, f"seed {seed}: the walks have become too tame: {too_few}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_many_more_random_games_agree_with_python_chess(seed: int) -> None:
    compare_walks(seed, 50_000)


@pytest.mark.parametrize("fen", TRICKY)
def test_two_plies_of_tricky_positions_agree_move_by_move(fen: str) -> None:
    position, board = Position(fen), chess.Board(fen)
    check_moves_against_python_chess(position, board, position.legal_moves())
    for move in position.legal_moves():
        after = position.play(move)
        board.push_uci(position.uci(move))
        check_against_python_chess(after, board)
        check_moves_against_python_chess(after, board, after.legal_moves())
        board.pop()


def test_every_chess960_start_position_is_python_chess_s() -> None:
    for number in range(960):
        position, board = chess960_position(number), chess.Board.from_chess960_pos(number)
        check_against_python_chess(position, board)
        assert position.fen(shredder=True) == board.shredder_fen()
