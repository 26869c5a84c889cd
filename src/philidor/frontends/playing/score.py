"""Writes a match as PGN; for games other than chess in the same form, with a Game header."""

from __future__ import annotations

import datetime
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from philidor.core.game import FIRST, SECOND, Outcome
from philidor.core.runs import write_atomic
from philidor.frontends.playing.match import AS_RECORDED, Match
from philidor.games.chess import is_chess960


def write_pgn(match: Match, path: Path) -> None:
    """Saves the match; the file is complete or untouched, whatever happens meanwhile."""
    write_atomic(path, pgn_text(match))


def pgn_text(match: Match, tags: Mapping[str, str] | None = None, comments: Sequence[str | None] | None = None) -> str:
    """Returns headers, moves and result; `tags` replace headers and are added to them, each move may have a comment."""
    outcome = match.outcome()
    headers = {
        "Event": "Game in the terminal",
        "Site": "?",
        "Date": datetime.date.today().strftime("%Y.%m.%d"),
        "Round": "-",
        "White": _name(match, FIRST),
        "Black": _name(match, SECOND),
        "Result": result_text(outcome),
        **_start_headers(match),
    }
    if outcome is not None and outcome.reason != AS_RECORDED:
        headers["Termination"] = outcome.reason
    headers |= tags or {}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in headers.items()]
    # PGN's export format has lines of at most 79 characters.
    moves = textwrap.fill(" ".join([*_numbered(match, comments), result_text(outcome)]), 79, break_on_hyphens=False)
    return "\n".join([*lines, "", moves, ""])


def result_text(outcome: Outcome | None) -> str:
    """Writes the result: 1-0, 0-1, 1/2-1/2, or * for a game that goes on."""
    if outcome is None:
        return "*"
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]


def _name(match: Match, side: int) -> str:
    is_person = match.person is None or side == match.person
    return "Person" if is_person else match.name_of(side)


def _start_headers(match: Match) -> dict[str, str]:
    if match.game.name == "chess" and match.start == match.game.state():
        return {}
    headers = {} if match.game.name == "chess" else {"Game": match.game.name}
    if is_chess960(match.start):
        headers["Variant"] = "Chess960"
    return {**headers, "SetUp": "1", "FEN": match.start.text()}


def _numbered(match: Match, comments: Sequence[str | None] | None) -> list[str]:
    words: list[str] = []
    needs_number = True
    for ply, (state, name) in enumerate(zip(match.states, match.notation(), strict=False)):
        number = state.ply // 2 + 1
        if state.to_move == FIRST:
            words.append(f"{number}.")
        elif needs_number:
            words.append(f"{number}...")
        words.append(name)
        comment = None if comments is None else comments[ply]
        if comment is not None:
            words.append(f"{{{comment}}}")
        needs_number = comment is not None
    return words


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
