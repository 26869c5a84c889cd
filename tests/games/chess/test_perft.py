"""Perft: the published counts of positions that have broken move generators, and whole suites of them."""

import io
import os
import tarfile
from functools import cache
from pathlib import Path

import chess
import pytest

from philidor.games.chess import Position, parse_epd

NODES = 5_000_000
"""What a position may cost in the default run; deeper counts are for the slow one."""
SLOW_NODES = 200_000_000

# https://www.chessprogramming.org/Perft_Results and Martin Sedlak's set, depth 1 first; 0 where nothing is published.
STANDARD = {
    "startpos": [20, 400, 8902, 197281, 4865609, 119060324],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039, 97862, 4085603, 193690690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624, 11030083, 178633661],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333, 15833292],
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": [6, 264, 9467, 422333, 15833292],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379, 2103487, 89941194],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890, 3894594, 164075551],
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1": [24, 496, 9483, 182838, 3605103, 71179139],
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1": [0, 0, 0, 0, 0, 1134888],
    "8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1": [0, 0, 0, 0, 0, 1134888],
    "8/b2p2k1/8/2P5/8/4K3/8/8 b - - 0 1": [0, 0, 0, 0, 0, 1015133],
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1": [0, 0, 0, 0, 0, 824064],
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1": [0, 0, 0, 0, 0, 824064],
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1": [0, 0, 0, 0, 0, 1440467],
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1": [0, 0, 0, 0, 0, 661072],
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1": [0, 0, 0, 0, 0, 803711],
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1": [0, 0, 0, 1274206],
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1": [0, 0, 0, 1720476],
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1": [0, 0, 0, 0, 0, 3821001],
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1": [0, 0, 0, 0, 1004658],
    "4k3/1P6/8/8/8/8/K7/8 w - - 0 1": [0, 0, 0, 0, 0, 217342],
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1": [0, 0, 0, 0, 0, 92683],
    "K1k5/8/P7/8/8/8/8/8 w - - 0 1": [0, 0, 0, 0, 0, 2217],
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1": [0, 0, 0, 0, 0, 0, 567584],
    "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1": [0, 0, 0, 23527],
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1": [218],
}

# https://www.chessprogramming.org/Chess960_Perft_Results
CHESS960 = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189, 326672, 8146062],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18002, 667366, 16253601],
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": [20, 479, 10471, 273318, 6417013],
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": [22, 593, 13440, 382958, 9183776],
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9": [28, 1120, 31058, 1171749, 34030312],
    "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9": [29, 899, 26578, 824055, 24851983],
    "q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9": [30, 860, 24566, 732757, 21093346],
    "qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9": [25, 635, 17054, 465806, 13203304],
    "qnnbbrkr/1p2ppp1/2pp3p/p7/1P5P/2NP4/P1P1PPP1/Q1NBBRKR w HFhf - 0 9": [24, 572, 15243, 384260, 11110203],
}
POSITIONS = {**STANDARD, **CHESS960}


def check_counts(fen: str, counts: list[int], most: int, least: int = 1) -> None:
    position = Position(fen)
    for depth, count in enumerate(counts, start=1):
        if least <= count <= most:
            assert position.perft(depth) == count, f"perft {depth} of {fen!r}"


@pytest.mark.parametrize(("fen", "counts"), POSITIONS.items())
def test_perft_gives_the_published_counts(fen: str, counts: list[int]) -> None:
    check_counts(fen, counts, NODES)


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "counts"), POSITIONS.items())
def test_deep_perft_gives_the_published_counts(fen: str, counts: list[int]) -> None:
    check_counts(fen, counts, SLOW_NODES, least=NODES)


@pytest.mark.parametrize("fen", POSITIONS)
def test_perft_played_to_the_last_ply_counts_the_same(fen: str) -> None:
    position = Position(fen)
    for depth in range(4):
        assert position.perft(depth, bulk=False) == position.perft(depth)


def python_chess_divide(board: chess.Board) -> dict[str, int]:
    counts = {}
    for move in list(board.legal_moves):
        text = board.uci(move)
        board.push(move)
        counts[text] = board.legal_moves.count()
        board.pop()
    return counts


@pytest.mark.parametrize("fen", POSITIONS)
def test_divide_agrees_with_python_chess_move_by_move(fen: str) -> None:
    position = Position(fen)
    divided = position.divide(2)
    assert divided == python_chess_divide(position.to_board())
    assert list(divided) == [position.uci(move) for move in position.legal_moves()]
    assert sum(position.divide(3).values()) == position.perft(3)
    assert set(position.divide(1).values()) <= {1}


def test_perft_of_nothing_is_one_and_of_a_mate_none() -> None:
    assert Position().perft(0) == 1
    mate = Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert (mate.perft(0), mate.perft(1), mate.perft(5), mate.divide(1)) == (1, 0, 0, {})


def test_perft_leaves_the_position_alone() -> None:
    position = Position().play("e4").play("c5")
    before = (position.fen(), position.key, position.moves())
    position.perft(3)
    position.divide(2)
    assert (position.fen(), position.key, position.moves()) == before


# --- The suites of the shared reference data -----------------------------------------------------------------

SHARED = os.environ.get("PHILIDOR_SHARED")
needs_shared = pytest.mark.skipif(not SHARED, reason="needs PHILIDOR_SHARED, the folder of reference data")

SUITES = {
    "misc/epd/perftsuite.epd": (1, 1_000_000),
    "whittington/perft.epd": (1, 1_000_000),
    "whittington/perft-marcel.epd": (3, 50_000),
    "whittington/ferdy_perft_double_checks.epd": (4, NODES),
    "whittington/ferdy_perft_enpassant_1.epd": (25, NODES),
    **{f"whittington/ferdy_perft_single_check_{n}.epd": (25, NODES) for n in range(1, 20)},
}
"""Of each suite every n-th line, as deep as it costs at most so many nodes."""


@cache
def suite_lines(name: str) -> list[str]:
    import zstandard

    assert SHARED is not None
    archive = Path(SHARED, "data/epd/epd_suites.tar.zst")
    with archive.open("rb") as compressed:
        data = zstandard.ZstdDecompressor().stream_reader(compressed).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        member = next(m for m in tar.getmembers() if m.name.removeprefix("./") == name)
        content = tar.extractfile(member)
        assert content is not None
        lines = content.read().decode().replace("\0", "").splitlines()  # some suites end each line with a NUL
        return [line for line in lines if line.strip()]


def check_suite(name: str, step: int, most: int) -> None:
    checked = 0
    for line in suite_lines(name)[::step]:
        epd = parse_epd(line)
        for opcode, operands in epd.operations.items():
            if opcode.startswith("D") and int(operands[0]) <= most:
                assert epd.position.perft(int(opcode[1:])) == int(operands[0]), f"{opcode} of {line}"
                checked += 1
    assert checked >= 10


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", SUITES)
def test_suites_give_their_counts(name: str) -> None:
    check_suite(name, *SUITES[name])


@needs_shared
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_whole_suites_give_their_counts(name: str) -> None:
    check_suite(name, 1, 20_000_000)
