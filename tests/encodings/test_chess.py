"""Leela's and AlphaZero's encodings: the readable and the compiled ones agree, and moves keep apart."""

import numpy as np
import pytest

from philidor.core.errors import EncodingError
from philidor.encodings import load_encoding
from philidor.encodings.alphazero import AlphaZeroEncoding
from philidor.encodings.chess_moves import (
    FLAT_SIZE,
    PLANES_SIZE,
    alphazero_index,
    flat_moves,
    leela_flat_index,
    leela_planes_index,
)
from philidor.encodings.encoding import Encoding, ReadableEncoding, expand, move_at
from philidor.encodings.leela import HistoryFill, LeelaEncoding, LeelaInput, LeelaPolicy, Turn, canonical_turn
from philidor.encodings.native import NativeAlphaZeroEncoding, NativeLeelaEncoding
from philidor.encodings.native import expand as native_expand
from philidor.games.chess import Chess, Position, chess960_position
from tests.encodings.positions import random_positions, standard_positions
from tests.games.chess.walks import SOURCES

ALL = 2**64 - 1


def assert_same(readable: ReadableEncoding[Position], native: Encoding, positions: list[Position]) -> None:
    assert readable.name == native.name
    assert readable.shape == native.shape
    expected, found = readable.encode(positions), native.encode(positions)
    for row, position in enumerate(positions):
        context = f"{readable.name} {position.root().fen(shredder=True)} {position.moves()}"
        np.testing.assert_array_equal(found.planes[row], expected.planes[row], err_msg=context)
        np.testing.assert_array_equal(found.scalars[row], expected.scalars[row], err_msg=context)
        np.testing.assert_array_equal(found.legal(row), expected.legal(row), err_msg=context)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("input_format", LeelaInput)
def test_compiled_leela_planes_are_the_readable_ones(source: str, input_format: LeelaInput) -> None:
    positions = list(random_positions(source, int(input_format), games=2, plies=40))
    for fill in HistoryFill:
        for policy in LeelaPolicy:
            readable = LeelaEncoding(input_format, fill, policy)
            assert_same(readable, NativeLeelaEncoding(input_format, fill, policy), positions[:: len(HistoryFill)])


def test_compiled_alphazero_planes_are_the_readable_ones() -> None:
    assert_same(AlphaZeroEncoding(), NativeAlphaZeroEncoding(), standard_positions(seed=7, games=2))


@pytest.mark.parametrize(
    "encoding",
    [
        NativeAlphaZeroEncoding(),
        NativeLeelaEncoding(),
        NativeLeelaEncoding(policy=LeelaPolicy.PLANES),
        NativeLeelaEncoding(LeelaInput.CANONICAL_V2),
    ],
    ids=lambda encoding: str(encoding.name),
)
def test_no_two_legal_moves_share_a_place(encoding: Encoding) -> None:
    positions = standard_positions(seed=11, games=12)
    assert {position.to_move for position in positions} == {0, 1}
    moves = [move for position in positions for move in position.legal_moves()]
    assert {move.promotion for move in moves} == {None, 2, 3, 4, 5}
    assert any(move.is_castling for move in moves)
    batch = encoding.encode(positions)
    for row, position in enumerate(positions):
        places = batch.legal(row)
        assert len(set(places.tolist())) == len(position.legal_moves()), position.fen()
        assert places.max(initial=0) < encoding.shape.policy_size


def test_every_place_leads_back_to_its_move() -> None:
    for encoding in (AlphaZeroEncoding(), LeelaEncoding(), LeelaEncoding(LeelaInput.CANONICAL)):
        for position in standard_positions(seed=13, games=1)[::5]:
            for move in position.legal_moves():
                assert move_at(encoding, position, encoding.policy_index(position, move)) == move
    with pytest.raises(EncodingError, match="no legal move has place 0"):
        move_at(LeelaEncoding(), Position(), 0)


def test_leelas_list_of_moves() -> None:
    moves = flat_moves()
    assert len(moves) == len(set(moves)) == FLAT_SIZE
    assert leela_flat_index(0, 1, None) == 0
    assert leela_flat_index(4, 7, None) == 103
    assert leela_flat_index(4, 0, None) == 97
    assert leela_flat_index(48, 56, 5) == 1792
    assert leela_flat_index(55, 63, 3) == FLAT_SIZE - 1
    assert leela_flat_index(48, 56, 2) == leela_flat_index(48, 56, None)
    assert [moves[leela_flat_index(*move)] for move in moves] == moves


def test_the_planes_of_moves_keep_all_moves_apart() -> None:
    leela = {leela_planes_index(*move) for move in flat_moves()}
    assert len(leela) == FLAT_SIZE
    assert max(leela) < PLANES_SIZE
    # AlphaZero's plain move to the last rank is a queen, so the third piece that it names is the knight.
    swapped = [(a, b, 2 if p == 5 else p) for a, b, p in flat_moves()]
    assert len({alphazero_index(*move) for move in swapped}) == FLAT_SIZE
    assert alphazero_index(48, 56, 5) == alphazero_index(48, 56, None) == 73 * 48
    assert alphazero_index(48, 56, 2) == 73 * 48 + 64


def test_the_start_position_as_leela_sees_it() -> None:
    planes, scalars = LeelaEncoding().planes(Position())
    assert planes[:6] == [0xFF00, 0x42, 0x24, 0x81, 0x08, 0x10]
    assert planes[6:12] == [0xFF << 48, 0x42 << 56, 0x24 << 56, 0x81 << 56, 0x08 << 56, 0x10 << 56]
    assert planes[12:104] == [0] * 92
    assert planes[104:] == [ALL] * 4 + [0]
    assert scalars == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("input_format", [each for each in LeelaInput if each is not LeelaInput.CLASSICAL])
def test_what_lc0s_own_tests_expect_of_the_other_formats(input_format: LeelaInput) -> None:
    encoding = LeelaEncoding(input_format, HistoryFill.NO)
    planes, scalars = encoding.planes(Position())
    classical, _ = LeelaEncoding(fill=HistoryFill.NO).planes(Position())
    assert planes[:104] == classical[:104]
    # The rooks with a right to castle, those of both sides together: a1 and a8, h1 and h8.
    assert planes[104:] == [1 | 1 << 56, 1 << 7 | 1 << 63, 0, 0, 0]
    assert scalars == [0.0, 0.0, 1.0]
    position = Position()
    for plies, move in enumerate(("g1f3", "g8f6"), start=1):
        position = position.play(move)
        planes, scalars = encoding.planes(position)
        # Black to move is told by the second format only, and by the Armageddon formats elsewhere.
        assert planes[108] == (ALL if input_format is LeelaInput.CASTLING_PLANE and plies == 1 else 0)
        clock = plies / 100 if input_format >= LeelaInput.CANONICAL_HECTOPLIES else float(plies)
        assert scalars == [clock, float(input_format.is_armageddon and plies == 1), 1.0]


def test_black_sees_the_board_from_the_other_side() -> None:
    planes, _ = LeelaEncoding().planes(Position().play("e4"))
    assert planes[0] == 0xFF00
    assert planes[6] == 0xFF << 48 ^ 1 << 52 ^ 1 << 36
    assert planes[13 + 6] == 0xFF << 48, "the board before, still seen by Black"
    assert planes[108] == ALL


def test_unknown_history_is_filled_as_asked() -> None:
    after_e4 = Position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    boards = {}
    for fill in HistoryFill:
        planes, _ = LeelaEncoding(fill=fill).planes(after_e4)
        boards[fill] = [planes[13 * step + 6] for step in range(8)]
    stepped, before = 0xFF << 48 ^ 1 << 52 ^ 1 << 36, 0xFF << 48
    assert boards[HistoryFill.FEN_ONLY] == boards[HistoryFill.ALWAYS] == [stepped] + [before] * 7
    assert boards[HistoryFill.NO] == [stepped, before] + [0] * 6
    planes, _ = LeelaEncoding(fill=HistoryFill.ALWAYS).planes(Position())
    assert [planes[13 * step] for step in range(8)] == [0xFF00] * 8


def test_a_repetition_is_marked_on_the_board_that_repeats() -> None:
    position = Position()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3"]:
        position = position.play(move)
    planes, _ = LeelaEncoding().planes(position)
    assert [planes[13 * step + 12] for step in range(6)] == [ALL, ALL, 0, 0, 0, 0]
    planes, _ = AlphaZeroEncoding().planes(position)
    assert [planes[14 * step + 12] for step in range(6)] == [ALL, ALL, 0, 0, 0, 0]
    assert [planes[14 * step + 13] for step in range(6)] == [0] * 6


def test_a_position_that_once_allowed_en_passant_is_not_the_same_to_leela() -> None:
    # The pawn on d4 stands ready for e4, but is pinned: by the rules the position repeats, by Leela's flag it does not.
    position = Position("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1").play("e2e4")
    for move in ["a4a5", "e1d1", "a5a4", "d1e1"]:
        position = position.play(move)
    assert position.is_repetition(2)
    assert LeelaEncoding().planes(position)[0][12] == 0


def test_canonical_boards_have_the_king_in_one_corner() -> None:
    kings = {Position(f"{fen} w - - 0 1") for fen in ("8/8/8/8/8/8/8/K1k5", "7K/8/6k1/8/8/8/8/8", "K7/8/1k6/8/8/8/8/8")}
    for position in kings:
        planes, _ = LeelaEncoding(LeelaInput.CANONICAL).planes(position)
        square = planes[5].bit_length() - 1
        assert square % 8 >= 4
        assert square // 8 < 4
        assert square % 8 + square // 8 <= 7
    assert canonical_turn(Position()) is Turn.NONE
    turned = {tuple(LeelaEncoding(LeelaInput.CANONICAL).planes(position)[0][:12]) for position in kings}
    assert len(turned) <= 2


def test_history_beyond_eight_plies_shows_only_repetitions_in_the_second_canonical_format() -> None:
    position = Position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 40")
    for move in ["d1d5", "g8f8", "d5d1", "f8g8", "d1d5", "g8f8"]:
        position = position.play(move)
    planes, _ = LeelaEncoding(LeelaInput.CANONICAL_V2).planes(position)
    # Now, after 5 and after 4 plies stood before; the three boards before that were new.
    assert [planes[13 * step + 12] for step in range(4)] == [ALL, ALL, ALL, 0]
    assert [planes[13 * step + 5] != 0 for step in range(4)] == [True, True, True, False]


def test_alphazero_constants() -> None:
    position = Position("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 30")
    planes, scalars = AlphaZeroEncoding().planes(position)
    assert scalars == [0.0, 59.0, 0.0, 1.0, 1.0, 0.0, 7.0]
    assert planes[14:] == [0] * 98


def test_alphazero_refuses_chess960() -> None:
    position = chess960_position(3)
    for encoding in (AlphaZeroEncoding(), NativeAlphaZeroEncoding()):
        with pytest.raises(EncodingError, match="cannot tell Chess960"):
            encoding.encode([position])


def test_expansion_puts_bits_and_scalars_in_their_places() -> None:
    encoding = NativeLeelaEncoding()
    batch = encoding.encode(standard_positions(seed=3, games=1)[:50])
    expanded = expand(batch, encoding.shape)
    assert expanded.shape == (len(batch), 112, 8, 8)
    np.testing.assert_array_equal(expanded, native_expand(batch, encoding.shape))
    start = expand(encoding.encode([Position()]), encoding.shape)[0]
    assert start[0].sum(axis=1).tolist() == [0, 8, 0, 0, 0, 0, 0, 0]
    assert start[5, 0, 4] == 1
    assert start[111].min() == 1


def test_encodings_by_name() -> None:
    for name in ("alphazero", "leela-1-flat", "leela-133-planes", "text"):
        assert load_encoding(name, Chess()).name == name
    for name, problem in (("leela-6-flat", "got 6"), ("leela-1", "no encoding"), ("hexapawn", "for hexapawn")):
        with pytest.raises(EncodingError, match=problem):
            load_encoding(name, Chess())


@pytest.mark.slow
def test_a_million_positions_keep_their_moves_apart() -> None:
    seen = 0
    canonical = NativeLeelaEncoding(LeelaInput.CANONICAL)
    encodings: list[Encoding] = [NativeAlphaZeroEncoding(), NativeLeelaEncoding(), canonical]
    seed = 0
    while seen < 1_000_000:
        seed += 1
        positions = standard_positions(seed=1000 + seed, games=20)
        for encoding in encodings:
            batch = encoding.encode(positions)
            rows = np.repeat(np.arange(len(batch)), np.diff(batch.legal_offsets))
            assert len(np.unique(rows * 65536 + batch.legal_index)) == len(batch.legal_index), f"seed {seed}"
        seen += len(positions)
