"""A reviewed game as PGN: evaluations, judgments and better lines, beside the comments and variations it had."""

from __future__ import annotations

import chess
import chess.engine
import chess.pgn

from philidor.core.analysis import Score
from philidor.core.errors import ArgumentError
from philidor.reviews.formulas import BLUNDER, INACCURACY, MISTAKE, WORDS
from philidor.reviews.review import GameReview, MoveReview

NAGS = {INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE, MISTAKE: chess.pgn.NAG_MISTAKE, BLUNDER: chess.pgn.NAG_BLUNDER}
_ASSESSMENTS = frozenset(range(1, 7))
"""The NAGs that judge a move, "!" to "?!": somebody's own are left alone."""
_SHOWN_PLIES = 8


def annotated_pgn(review: GameReview) -> str:
    """Returns the game with an empty line at its end."""
    return annotated(review).accept(chess.pgn.StringExporter(columns=79)) + "\n\n"


def annotated(review: GameReview) -> chess.pgn.Game:
    """Returns a copy of the game with `[%eval]`, NAGs, and for each mistake the better line and the refuting one.

    Raises ArgumentError for a review that has no sheet.
    """
    if review.sheet is None:
        raise ArgumentError("a review with its score sheet", review)
    game = copied(review.sheet.tree)
    game.headers.setdefault("Annotator", f"philidor ({review.judge})")
    node: chess.pgn.GameNode = game
    for move in review.moves:
        node = node.variations[0]
        _set_eval(node, move.score)
        if move.judgment is not None:
            _mark(node, move)
    return game


def copied(game: chess.pgn.Game) -> chess.pgn.Game:
    """Returns another tree of the same game."""
    return game.accept(chess.pgn.GameBuilder())


def comment_on(move: MoveReview) -> str:
    """Says in words what was wrong with a move: "Blunder. Kd8 was best."."""
    assert move.judgment is not None, "the move has a judgment"
    return f"{WORDS[move.judgment]}. {move.best} was best."


def _set_eval(node: chess.pgn.GameNode, score: Score) -> None:
    # "Mate 0" has no notation, and the move's "#" says it.
    if score.cp is not None:
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(score.cp), chess.WHITE))
    elif score.mate:
        node.set_eval(chess.engine.PovScore(chess.engine.Mate(score.mate), chess.WHITE))


def _mark(node: chess.pgn.GameNode, move: MoveReview) -> None:
    assert move.judgment is not None, "only mistakes are marked"
    if not node.nags & _ASSESSMENTS:
        node.nags.add(NAGS[move.judgment])
    words = comment_on(move)
    if words not in node.comment:  # it is there if the game is reviewed again
        node.comment = f"{node.comment} {words}".strip()
    if node.parent is not None:
        add_line(node.parent, move.best_line[:_SHOWN_PLIES])
    # Behind the last move a line would become part of the game.
    if node.variations:
        add_line(node, move.reply_line[:_SHOWN_PLIES])
    elif move.reply_line and "Refuted by" not in node.comment:
        node.comment += f" Refuted by {' '.join(move.reply_line[:_SHOWN_PLIES])}."


def add_line(node: chess.pgn.GameNode, line: tuple[str, ...]) -> None:
    """Adds a line of SAN moves as a variation, as far as it is not there; none that begins as the game went on."""
    for place, san in enumerate(line):
        move = node.board().parse_san(san)
        if place == 0 and node.variations and node.variations[0].move == move:
            return
        node = node.variation(move) if node.has_variation(move) else node.add_variation(move)
