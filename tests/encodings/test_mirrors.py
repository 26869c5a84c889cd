"""The mirror image of an encoded position is the encoding of the mirror image."""

from __future__ import annotations

import random

import numpy as np
import pytest

from philidor.encodings import load_encoding
from philidor.encodings.mirrors import mirror_of, mirrored_kinds
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.train.symmetric_forms import SymmetricForms

CHESS = load_game("chess")
ENCODING = load_encoding("alphazero", CHESS)
# Nobody may castle; pawns of both sides are about to promote, ahead and by captures to both sides.
STARTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "r1n4k/1P3P2/8/3pP3/4Pp2/7K/1p3p2/R1N3B1 w - - 3 20",
    "q6k/1P6/2P5/8/8/2p5/1p6/Q6K b - - 0 1",
)


def mirrored(fen: str) -> str:
    """Exchanges left and right in a FEN without castling rights or en passant."""
    board, rest = fen.split(" ", 1)
    return "/".join(rank[::-1] for rank in board.split("/")) + " " + rest


def other_side(move: str) -> str:
    """Exchanges left and right in a move."""
    files = str.maketrans("abcdefgh", "hgfedcba")
    return move[:4].translate(files) + move[4:]


@pytest.mark.parametrize("fen", STARTS)
@pytest.mark.parametrize("seed", range(6))
def test_a_mirrored_game_is_what_the_mirror_makes_of_the_game(fen: str, seed: int) -> None:
    forms = SymmetricForms.for_training(CHESS, ENCODING)
    assert forms is not None
    assert len(forms) == 2
    generator = random.Random(seed)
    here, there = Position(fen), Position(mirrored(fen))
    for _ in range(40):
        if here.outcome() is not None:
            break
        batch, image = ENCODING.encode([here]), ENCODING.encode([there])
        turned = forms.batch(batch, np.array([1]))
        assert np.array_equal(turned.planes, image.planes), here.fen()
        assert np.array_equal(turned.scalars, image.scalars)
        ours = dict(zip((other_side(str(move)) for move in here.legal_moves()), turned.legal_index, strict=True))
        theirs = dict(zip(map(str, there.legal_moves()), image.legal_index, strict=True))
        assert ours == theirs, here.fen()
        move = str(generator.choice(here.legal_moves()))
        here, there = here.play(move), there.play(other_side(move))


def test_only_positions_in_which_nobody_may_castle_are_mirrored() -> None:
    forms = SymmetricForms.for_training(CHESS, ENCODING)
    assert forms is not None
    rights = ["KQkq", "K", "Q", "k", "q", "-"]
    positions = [Position(f"r3k2r/8/8/8/8/8/8/R3K2R w {each} - 0 1") for each in rights]
    batch = ENCODING.encode(positions)
    drawn = np.array([forms.draw(batch, np.random.default_rng(seed)) for seed in range(40)])
    assert not drawn[:, :5].any()
    assert 8 < drawn[:, 5].sum() < 32


def test_every_kind_of_move_is_the_mirror_of_its_mirror() -> None:
    kinds = mirrored_kinds()
    assert sorted(kinds) == list(range(73))
    assert all(kinds[kinds[kind]] == kind for kind in kinds)
    assert [kind for kind in kinds if kinds[kind] == kind] == [*range(7), *range(28, 35), 64, 65, 66]


def test_other_encodings_have_no_mirror() -> None:
    assert mirror_of("leela-1-flat") is None
    assert SymmetricForms.for_training(CHESS, load_encoding("leela-1-flat", CHESS)) is None
