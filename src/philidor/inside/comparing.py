"""Two networks on one position: what each thinks of it, and where they disagree (book, ch. 4.4 and 4.8)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from philidor.core.abilities import move_name
from philidor.core.evaluation import Evaluator
from philidor.core.game import AnyState
from philidor.core.svg import COLORS, INK, document, text
from philidor.core.tables import html_table
from philidor.inside.nets import load_policy_net

_ROW, _BAR, _SHOWN = 30, 300, 12


@dataclass(frozen=True, slots=True)
class MoveShares:
    """One move in both networks' eyes."""

    move: str
    text: str
    """As programs write it."""
    shares: tuple[float, float]
    """P of both."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Policies and values of two networks."""

    state: AnyState
    nets: tuple[str, str]
    values: tuple[float, float]
    """For the side to move, -1 to 1."""
    moves: tuple[MoveShares, ...]
    """All legal moves, the likeliest for either network first."""

    @property
    def agreement(self) -> float:
        """The share of their probabilities that both give to the same moves: 1 for equal policies."""
        return sum(min(move.shares) for move in self.moves)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        moves = [asdict(move) for move in self.moves]
        state = self.state.text()
        return {
            "state": state, "nets": self.nets, "values": self.values, "agreement": self.agreement, "moves": moves
        }  # fmt: skip

    def svg(self) -> str:
        """Draws two bars a move."""
        shown = self.moves[:_SHOWN]
        most = max((max(move.shares) for move in shown), default=1.0)
        words = f"They agree on {self.agreement:.0%} of their probability"
        parts = [text(16, 24, " and ".join(self.nets), color=INK, weight="600", size=15), text(16, 42, words)]
        for row, move in enumerate(shown):
            y = 56 + _ROW * row
            parts.append(text(66, y + 16, move.move, anchor="end", color=INK, size=12))
            for number, share in enumerate(move.shares):
                width, top = _BAR * share / most, y + 11 * number
                parts.append(f'<rect x="74" y="{top}" width="{width:.1f}" height="10" fill="{COLORS[number]}"/>')
                parts.append(text(78 + width, top + 9, f"{share:.1%}", size=9))
        return document(74 + _BAR + 60, 70 + _ROW * len(shown), parts)

    def _repr_html_(self) -> str:
        rows = [(move.move, *move.shares) for move in self.moves[:_SHOWN]]
        return self.svg() + html_table(("move", *self.nets), rows)


def compare_networks(
    state: AnyState, first: str | Path | Evaluator[Any], second: str | Path | Evaluator[Any]
) -> Comparison:
    """Asks two networks with a policy, or any two evaluators. Raises ConfigError, NetError."""
    loaded = [load_policy_net(net) for net in (first, second)]
    answers = [evaluator.evaluate([state])[0] for evaluator, _ in loaded]
    moves = [
        MoveShares(move_name(state, move), state.move_text(move), (float(one), float(two)))
        for move, one, two in zip(state.legal_moves(), answers[0].priors, answers[1].priors, strict=True)
    ]
    moves.sort(key=lambda move: (-max(move.shares), -sum(move.shares)))
    names, values = tuple(name for _, name in loaded), tuple(float(answer.value) for answer in answers)
    return Comparison(state, (names[0], names[1]), (values[0], values[1]), tuple(moves))
