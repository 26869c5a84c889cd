"""The rules of Go that differ from place to place, and the names that say them."""

from __future__ import annotations

from dataclasses import dataclass

KO_RULES = ("positional", "situational", "simple")
"""What a stone may not bring back: any earlier board, any earlier board with the same player to move, or only the
board before the last move."""
_MAX_KOMI = 1000.0


@dataclass(frozen=True, slots=True)
class GoRules:
    """How a game is played. Scoring is always by area, two passes end the game, and nothing is taken off then."""

    komi: float = 7.5
    """White's points for moving second."""
    ko: str = "positional"
    suicide: bool = False
    """Whether more than one stone may be taken off by their own color's move."""

    def __post_init__(self) -> None:
        if self.ko not in KO_RULES:
            raise ValueError(f"a ko rule is one of {', '.join(KO_RULES)}, got {self.ko!r}")
        if not -_MAX_KOMI <= self.komi <= _MAX_KOMI:
            raise ValueError(f"komi is a number of points from -1000 to 1000, got {self.komi!r}")


def usual_komi(width: int, height: int) -> float:
    """Returns what CGOS, the server for programs, gives White: 7 up to 9x9, where a draw is then possible; else 7.5."""
    return 7.0 if max(width, height) <= 9 else 7.5


def number_text(value: float) -> str:
    """Writes points without a needless fraction: 7 or 7.5."""
    return f"{value:g}"


def rules_words(rules: GoRules, width: int, height: int) -> str:
    """Returns what follows a game's size in its name: what is not as on CGOS."""
    words = "" if rules.komi == usual_komi(width, height) else f",komi={number_text(rules.komi)}"
    words += "" if rules.ko == "positional" else f",ko={rules.ko}"
    return words + ",suicide=yes" if rules.suicide else words
