"""Reviewed games as one page of HTML that needs nothing else: board, graph, lines, keyboard. Nothing in it is trusted.

Names and comments come from files of strangers. They are on the page only as JSON, in which no "<" stands, and the
script puts them there as text. Besides, the page's own policy lets no script run but that one.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any

import chess
import chess.svg

from philidor.games.chess import Position
from philidor.reviews.graph import graph_svg
from philidor.reviews.people import PeopleAtMove
from philidor.reviews.review import GameReview, MoveReview
from philidor.reviews.summary import summarize

# What programs write into comments for each other: clocks, evaluations, arrows.
_COMMANDS = re.compile(r"\[%[^\]]*\]")
_SHOWN_TAGS = ("Event", "Site", "Date", "Round", "WhiteElo", "BlackElo", "TimeControl", "Termination")


def page(reviews: Sequence[GameReview]) -> str:
    """Returns the page of one game or of many."""
    script, style = _asset("page.js"), _asset("page.css")
    script_hash = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script_hash}'; base-uri 'none'"
    title = f"{reviews[0].white.name} – {reviews[0].black.name}" if len(reviews) == 1 else f"{len(reviews)} games"
    data = {"games": [game_data(review) for review in reviews], "players": [asdict(one) for one in summarize(reviews)]}
    pieces = "".join(chess.svg.PIECES.values())
    graphs = "".join(f'<template id="graph-{place}">{graph_svg(each)}</template>' for place, each in enumerate(reviews))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}, reviewed by philidor</title><style>{style}</style></head><body>",
            f'<svg class="pieces" width="0" height="0" aria-hidden="true"><defs>{pieces}</defs></svg>',
            _asset("page.html"),
            graphs,
            f'<script type="application/json" id="data">{safe_json(data)}</script>',
            f"<script>{script}</script></body></html>\n",
        ]
    )


def safe_json(data: object) -> str:
    """Writes JSON that can stand in a script element whatever its texts hold."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def game_data(review: GameReview) -> dict[str, Any]:
    """Returns what the page's script shows of a game."""
    headers = review.headers
    tags = [[tag, headers[tag]] for tag in _SHOWN_TAGS if headers.get(tag, "?").strip("?.*- ")]
    position = Position(review.start) if review.sheet is None else review.sheet.positions[0]
    comments = _comments(review)
    moves = []
    start = {"board": _placement(position), "score": str(review.start_score), "percent": round(review.start_percent, 1)}
    for move, comment in zip(review.moves, comments, strict=True):
        after = position.play(move.uci)
        moves.append(_move_data(move, position, after, comment))
        position = after
    return {
        "white": asdict(review.white),
        "black": asdict(review.black),
        "result": headers.get("Result", "*"),
        "tags": tags,
        "opening": review.opening,
        "judge": review.judge,
        "human": review.human,
        "turning": None if review.turning_point is None else review.turning_point + 1,
        "start": start,
        "moves": moves,
    }


def _move_data(move: MoveReview, before: Position, after: Position, comment: str) -> dict[str, Any]:
    data = {
        "number": move.number,
        "san": move.san,
        "uci": move.uci,
        "change": change(before, after),
        "score": "" if move.score.mate == 0 else str(move.score),
        "percent": round(move.white_percent, 1),
        "wdl": [round(share, 3) for share in move.wdl],
        "judgment": move.judgment,
        "lost": round(move.loss_percent, 1),
        "accuracy": round(move.accuracy),
        "best": move.best,
        "better": _line_data(before, () if move.is_best else move.best_line),
        "reply": _line_data(after, move.reply_line),
        "comment": comment,
    }
    return data if move.people is None else {**data, "people": _people_data(move.people)}


def _people_data(people: PeopleAtMove) -> dict[str, Any]:
    return {**asdict(people), "traps": [choice.san for choice in people.traps]}


def _line_data(position: Position, line: Sequence[str]) -> list[list[str]]:
    """Returns each step of a line: its number, SAN, UCI and what it changes on the board."""
    steps = []
    for place, san in enumerate(line):
        after = position.play(san)
        number = f"{position.fullmove_number}{'.' if position.turn else '...'}" if position.turn or not place else ""
        assert after.last_move is not None, "a move was played"
        steps.append([number, san, position.uci(after.last_move), change(position, after)])
        position = after
    return steps


def change(before: Position, after: Position) -> str:
    """Writes which squares differ, each with its new piece or a dot: "e2.e4P". The page needs no rules of chess."""
    squares = [square for square in range(64) if before.piece_at(square) != after.piece_at(square)]
    return "".join(f"{chess.square_name(square)}{after.piece_at(square) or '.'}" for square in squares)


def _placement(position: Position) -> str:
    """Writes the board from a1 to h8, a letter or a dot for each square."""
    return "".join(position.piece_at(square) or "." for square in range(64))


def _comments(review: GameReview) -> list[str]:
    if review.sheet is None:
        return [""] * len(review.moves)
    return [" ".join(_COMMANDS.sub("", node.comment).split()) for node in review.sheet.tree.mainline()]


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
