"""A game between engines as PGN, with `{score/depth time}` after each move as match runners write it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from philidor.arena.thought import Thought
from philidor.core.analysis import Score
from philidor.core.game import AnyState


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of a game and what its engine thought; None for a move of the opening."""

    san: str
    """Or as another game writes it."""
    thought: Thought | None = None


def write_game(headers: Mapping[str, str], start: AnyState, moves: Sequence[PlayedMove], result: str) -> str:
    """Returns the game with all headers and an empty line at its end."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in headers.items()]
    words: list[str] = []
    for ply, move in enumerate(moves, start=start.ply):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}. {move.san}")
        else:
            # A comment in between makes readers want to see the number again.
            needs_number = ply == start.ply or moves[ply - start.ply - 1].thought is not None
            words.append(f"{ply // 2 + 1}... {move.san}" if needs_number else move.san)
        if move.thought is not None:
            words.append("{" + comment(move.thought) + "}")
    # PGN's export format has lines of at most 79 characters.
    text = textwrap.fill(" ".join([*words, result]), 79, break_on_hyphens=False, break_long_words=False)
    return "\n".join([*lines, "", text, "", ""])


def comment(thought: Thought) -> str:
    """Writes "+0.33/12 0.21s": the mover's view of the score, the depth and the time; unknown ones are left out."""
    verdict = "" if thought.score is None else f"{_score(thought.score)}/{thought.depth or 0} "
    return f"{verdict}{thought.time_s:.3f}s"


def _score(score: Score) -> str:
    if score.cp is not None:
        return f"{score.cp / 100:+.2f}"
    mate = score.mate or 0
    # In plies, the last move being the mating one: what cutechess writes and readers expect.
    return f"+M{2 * mate - 1}" if mate > 0 else f"-M{-2 * mate}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
