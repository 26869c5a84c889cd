"""Openings have the names that players know, whatever the order of the moves."""

import pytest

from philidor.games.chess import Position
from philidor.games.chess.openings import opening_of


def after(moves: str) -> Position:
    position = Position()
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize(
    ("moves", "eco", "name"),
    [
        ("e4", "B00", "King's Pawn Game"),
        ("e4 e5 Nf3 d6", "C41", "Philidor Defense"),
        ("e4 c5", "B20", "Sicilian Defense"),
        ("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6", "E70", "King's Indian Defense: Normal Variation"),
        ("c4 Nf6 d4 g6 e4 d6 Nc3 Bg7", "E70", "King's Indian Defense: Normal Variation"),  # by transposition
    ],
)
def test_a_position_has_the_name_of_its_opening(moves: str, eco: str, name: str) -> None:
    opening = opening_of(after(moves))
    assert opening is not None
    assert (opening.eco, opening.name) == (eco, name)


@pytest.mark.parametrize("moves", ["", "e4 e5 Nf3 d6 a3 a6 a4 a5"])
def test_other_positions_have_none(moves: str) -> None:
    assert opening_of(after(moves)) is None
