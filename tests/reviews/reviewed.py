"""Games whose verdicts are given, for tests that need no search."""

from collections.abc import Sequence

from philidor.core.analysis import Score
from philidor.core.evaluation import Wdl
from philidor.games.chess import Position
from philidor.reviews.assembling import assemble
from philidor.reviews.config import ReviewConfig
from philidor.reviews.judging import Verdict
from philidor.reviews.people import People
from philidor.reviews.review import GameReview
from philidor.reviews.sheets import sheet_of

Given = tuple[int | str, str]
"""White's centipawns or mate ("#2"), and the engine's line in SAN."""

# White takes a poisoned pawn, Black does not see it, White resigns in the end.
SHORT_GAME = """[Event "Test"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]

1. e4 e5 2. Qh5 {too early} Nc6 (2... Nf6 {a gambit} 3. Qxe5+) 3. Nc3 Nf6 4. Qxf7+ Kxf7 0-1
"""
SHORT_VERDICTS: Sequence[Given] = [
    (40, "e4 e5"),
    (30, "e5 Nf3"),
    (35, "Nf3 Nc6"),
    (-20, "Nc6 Bc4"),
    (-10, "Bc4 g6"),
    (-30, "g6 Qf3"),
    (-30, "Qh4 Nd4"),
    (-800, "Kxf7"),
    (-810, "d3 d6"),
]


def verdicts(positions: Sequence[Position], given: Sequence[Given], people: People | None = None) -> list[Verdict]:
    found = []
    for position, (worth, line) in zip(positions, given, strict=True):
        score = Score(cp=worth) if isinstance(worth, int) else Score(mate=int(worth[1:]))
        moves, here = [], position
        for san in line.split():
            moves.append(here.uci(san))
            here = here.play(san)
        found.append(Verdict(score, Wdl(0.3, 0.4, 0.3), tuple(moves), 10, people))
    return found


def given_review(
    pgn: str = SHORT_GAME, given: Sequence[Given] = SHORT_VERDICTS, config: ReviewConfig | None = None
) -> GameReview:
    sheet = sheet_of(pgn)
    return assemble(sheet, verdicts(sheet.positions, given), config or ReviewConfig())
