"""The readable NNUE: Stockfish's integers on real networks, and the symmetries that a shape promises."""

import tracemalloc

import chess
import numpy as np
import pytest

from philidor.core.errors import NetError
from philidor.games.chess import Position
from philidor.nets.nnue import ARCHITECTURES, Activation, Architecture, Features, load_network
from philidor.nets.nnue.architecture import HALFKP, king_buckets
from philidor.nets.nnue.reference import activate, active_features, raw
from tests.nets.networks import REAL, SHAPES, SHARED, made_up, random_positions, real_network, stockfish_judgments


@pytest.mark.skipif(SHARED is None, reason="needs PHILIDOR_SHARED")
def test_real_networks_give_stockfishs_integers() -> None:
    networks = {f"{name}.nnue": load_network(real_network(name)) for name in REAL}
    judged = list(stockfish_judgments())
    assert len(judged) > 400
    for name, position, wanted in judged:
        assert raw(networks[name], position) == wanted, position.fen()


def test_halfkp_inputs_are_stockfishs() -> None:
    assert HALFKP.count == 41_024
    # White's king e1, White's pawn e2; Black's king e8 is turned to d1, White's pawn e2 to d7.
    position = Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    shape = ARCHITECTURES["halfkp-256"]
    assert active_features(shape, position, is_black=False) == [641 * 4 + 1 + 12]
    assert active_features(shape, position, is_black=True) == [641 * 3 + 1 + 64 + 51]


def test_fat_fritz_2_flips_instead_of_turning() -> None:
    position = Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    shape = ARCHITECTURES["fat-fritz-2"]
    assert (shape.width, shape.hidden) == (512, (16, 16))
    assert active_features(shape, position, is_black=True) == [641 * 4 + 1 + 64 + 52]


@pytest.mark.parametrize("name", ["fat-fritz-2", "mirrored-512", "pairwise", "tiny"])
def test_flipped_views_judge_both_colors_alike(name: str) -> None:
    network = made_up(SHAPES[name])
    for position in random_positions(1, 40):
        twin = Position.from_board(position.to_board().mirror())
        assert raw(network, position) == raw(network, twin), position.fen()


@pytest.mark.parametrize("name", ["mirrored-256", "mirrored-768", "pairwise"])
def test_mirrored_views_judge_both_wings_alike(name: str) -> None:
    network = made_up(SHAPES[name])
    for position in random_positions(2, 40):
        board = position.to_board()
        board.castling_rights = 0
        board.ep_square = None
        twin = board.transform(chess.flip_horizontal)
        assert raw(network, Position.from_board(board)) == raw(network, Position.from_board(twin)), position.fen()


def test_activations() -> None:
    values = np.array([-5, 0, 100, 127, 128, 255, 300, 10], np.int16)
    assert activate(Activation.CLIPPED, values).tolist() == [0, 0, 100, 127, 127, 127, 127, 10]
    assert activate(Activation.SQUARED, values).tolist() == [0, 0, 10_000, 16_129, 16_384, 65_025, 65_025, 100]
    assert activate(Activation.PAIRWISE, values).tolist() == [0, 0, 25_500 >> 9, 1270 >> 9]


def test_output_buckets_share_out_all_numbers_of_pieces() -> None:
    shape = ARCHITECTURES["mirrored-512"]
    assert [shape.output_bucket(pieces) for pieces in (2, 5, 6, 29, 30, 32)] == [0, 0, 1, 6, 7, 7]
    assert {SHAPES["odd"].output_bucket(pieces) for pieces in range(2, 33)} == {0, 1, 2}


def test_centipawns_round_toward_zero() -> None:
    shape = ARCHITECTURES["halfkp-256"]
    assert shape.centipawns(3328) == 125
    assert shape.centipawns(-53) == -1
    assert shape.centipawns(-26) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"width": 100}, "width must be a multiple of 64"),
        ({"width": 1 << 20}, "width must be a multiple of 64"),
        ({"width": 320, "activation": Activation.PAIRWISE}, "multiple of 128, got 320"),
        ({"hidden": (0,)}, "hidden layers of 1 to"),
        ({"hidden": (16,) * 9}, "at most 4 hidden layers"),
        ({"activation": Activation.SQUARED}, "no hidden layers"),
        ({"output_buckets": 0}, "output buckets must be"),
        ({"scale": (0, 1)}, "two positive integers"),
    ],
)
def test_impossible_shapes_are_refused(change: dict[str, object], words: str) -> None:
    settings: dict[str, object] = {"features": HALFKP, "width": 256, "hidden": (32, 32), **change}
    with pytest.raises(NetError, match=words):
        Architecture(**settings)  # type: ignore[arg-type]


def test_a_bucket_of_any_number_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(NetError, match="without gaps"):
            Features(buckets=(0,) * 63 + (10_000_000,))
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_impossible_inputs_are_refused() -> None:
    with pytest.raises(NetError, match="without gaps"):
        Features(buckets=(0,) * 63 + (2,))
    with pytest.raises(NetError, match="without gaps"):
        Features(buckets=(0,) * 63 + (-1,))
    with pytest.raises(NetError, match="0 to 64"):
        Features(buckets=(0,) * 64, spare=-1)
    with pytest.raises(NetError, match="eight rows"):
        king_buckets(("00",) * 8)
