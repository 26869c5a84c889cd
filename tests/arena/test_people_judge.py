"""The judge of people's moves against a stronger one: what Stockfish 15.1 said of the same moves with 200,000 nodes."""

from pathlib import Path

from philidor.arena.people.errors import ErrorsConfig
from philidor.arena.people.judgments import JudgeConfig, Judgments, judge_moves

# Moves of people in validation games; Stockfish says that they lose so many of its centipawns, with 30,000 nodes too.
ERRORS = (
    ("4b1q1/2r2rpk/1p1p1p1p/pP1P3P/P1BpP1P1/6Q1/3K1R2/5R2 w - - 0 33", "g3d6", 554),
    ("7Q/1p2kp2/4p1q1/b2p1p2/P2P1P2/4P1P1/4BK2/8 b - - 6 32", "f7f6", 505),
    ("2r2n1r/8/p4kp1/1p2p2p/1P1pP2P/1P1B1P2/1P4R1/1K4R1 w - - 12 33", "g1f1", 372),
    ("7k/2qr1np1/2p5/p4PQ1/2P5/1P6/1P2B1K1/7R b - - 2 38", "f7h6", 340),
    ("2k3r1/pp2b3/4p1bp/3pB3/2pP1R2/P1P2P2/1r1NK1P1/7R w - - 0 35", "e5f6", 151),
    ("r7/6k1/8/3p2p1/2pP2N1/1pP3P1/1P1RK1n1/8 w - - 10 41", "d2d1", 125),
)
# Moves that lose at most four by Stockfish, and up to 108 by a judge of 5,000 nodes.
SOUND = (
    ("r4rk1/p1p5/3p3p/3R4/2P3P1/P3pp2/1P3P1R/2K5 b - - 1 24", "e3e2", 0),
    ("4R3/8/5K2/7P/8/4p3/4k3/6r1 b - - 6 75", "g1f1", 0),
    ("1r6/2b5/p1ppk1pp/P1r1p3/1pNpP2P/1P4PK/2P1RP2/R7 b - - 9 33", "b8f8", 0),
    ("1rbr2k1/2q2pbp/p1n1p1p1/1pBp4/8/1BP1Q3/PPN2PPP/3RR1K1 b - - 13 22", "c6a5", 0),
    ("4rrk1/pp4p1/3b4/2pNp1p1/2P3q1/3P1Nn1/PP4P1/R2QR1K1 w - - 0 20", "d1d2", 0),
    ("3r2k1/pp4pp/1b1qp3/4n3/1P6/PQ1pP1P1/3B1PBP/5RK1 b - - 1 21", "d8d7", 4),
    ("8/4p1kp/r5p1/5p2/pP1pp3/N7/P4KPP/R7 b - b3 0 30", "a4b3", 0),
    ("8/4k3/1n1pB3/2pPpPp1/4P3/1K3P2/8/8 w - - 18 58", "b3c2", 2),
)


def losses(moves: tuple[tuple[str, str, int], ...], judge: JudgeConfig, path: Path) -> list[int]:
    with Judgments(path, judge) as store:
        found = judge_moves({fen: [move] for fen, move, _ in moves}, store)
    return [max(0, found[fen].scores[found[fen].best] - found[fen].scores[move]) for fen, move, _ in moves]


def test_the_judge_sees_the_errors_that_stockfish_sees_and_no_others(tmp_path: Path) -> None:
    judge = ErrorsConfig().judging
    assert judge == JudgeConfig()
    seen = losses(ERRORS, judge, tmp_path / "errors.sqlite")
    assert min(seen) >= 100, seen
    unseen = losses(SOUND, judge, tmp_path / "sound.sqlite")
    assert sum(unseen) / len(unseen) < 20, unseen
