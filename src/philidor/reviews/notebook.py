"""A reviewed game as a notebook shows it: the graph, both sides, and the mistakes with their lines."""

from __future__ import annotations

from html import escape

from philidor.core.tables import html_table
from philidor.reviews.graph import graph_svg
from philidor.reviews.review import GameReview, MoveReview, SideReview

_SHOWN_PLIES = 5


def review_html(review: GameReview) -> str:
    """Returns the parts one below the other; nothing in them runs."""
    facts = " · ".join(filter(None, (review.headers.get("Result"), review.opening, f"judged by {review.judge}")))
    mistakes = [
        (
            f"{move.number} {move.san}{move.judgment}",
            str(move.score),
            f"{move.loss_percent:.1f}",
            " ".join(move.best_line[:_SHOWN_PLIES]),
            " ".join(move.reply_line[:_SHOWN_PLIES]),
            *(() if review.human is None else (_found(move),)),
        )
        for move in review.mistakes
    ]
    columns = ["mistake", "score", "cost", "better", "refuted by"]
    people = [] if review.human is None else [f"found at {review.human}"]
    return "\n".join(
        [
            f"<h4>{escape(review.white.name)} – {escape(review.black.name)}</h4><p>{escape(facts)}</p>",
            f'<div style="max-width:640px">{graph_svg(review)}</div>',
            html_table(("", "accuracy", "average loss", "?!", "?", "??"), map(_side, (review.white, review.black))),
            html_table([*columns, *people], mistakes),
        ]
    )


def _side(side: SideReview) -> tuple[object, ...]:
    accuracy = None if side.accuracy is None else f"{side.accuracy:.1f} %"
    loss = None if side.average_loss is None else f"{side.average_loss:.0f} cp"
    return side.name, accuracy, loss, side.inaccuracies, side.mistakes, side.blunders


def _found(move: MoveReview) -> str:
    return "" if move.people is None or move.people.best is None else f"{move.people.best:.0%}"
