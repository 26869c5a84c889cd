"""The statistics of all root moves, written as lc0 does with VerboseMoveStats; Nibbler reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from philidor.core.evaluation import Wdl

if TYPE_CHECKING:
    from philidor.search.trees.native import PuctSearch


def move_statistics(tree: PuctSearch, places: Mapping[str, int]) -> list[str]:
    """Writes a line for each move, the most visited last, and one for the position itself.

    N are visits, P is the prior, W - L and D are chances, M the plies left, Q the value, U the bonus for being
    little visited, S what the search compares, V what the network alone says; (T) marks what is proven. `places` are
    the moves' numbers in the network's policy.
    """
    rows, scores = tree.moves(), tree.scores()
    texts = [tree.state.move_text(move) for move in tree.root_moves]
    order = sorted(range(len(rows)), key=lambda place: (rows[place].visits, scores[place][0] + scores[place][1]))
    lines = []
    for place in order:
        row, (value, bonus, _), text = rows[place], scores[place], texts[place]
        chances = _chances(row.value, row.draw, row.moves_left, value)
        tail = _tail(row.own_value, is_proven=row.proven is not None)
        lines.append(
            f"{text:<5} ({places[text]:<4}) {_head(row.visits, row.prior)}{chances}"
            f"(U: {bonus:6.5f}) (S: {sum(scores[place]):8.5f}) {tail}"
        )
    seen = sum(row.prior for row in rows if row.visits)
    wdl = tree.wdl or Wdl(0.0, 1.0, 0.0)
    chances = _chances(wdl.value, wdl.draw, tree.moves_left, wdl.value)
    tail = _tail(tree.own_value, is_proven=tree.is_proven)
    return [*lines, f"node  ({len(rows):>4}) {_head(tree.visits, seen)}{chances}{tail}"]


def _head(visits: int, share: float) -> str:
    return f"N: {visits:>7} (+{0:>2}) (P: {100 * share:5.{1 if share >= 0.99995 else 2}f}%) "


def _chances(value: float | None, draw: float | None, moves_left: float | None, shown: float) -> str:
    """Writes what is known; `shown` stands for Q in any case."""
    plies = " -.-" if moves_left is None else f"{moves_left:4.1f}"
    known = "(WL:  -.-----) (D: -.---)" if value is None else f"(WL: {value:8.5f}) (D: {draw:5.3f})"
    return f"{known} (M: {plies}) (Q: {shown:8.5f}) "


def _tail(own_value: float | None, *, is_proven: bool) -> str:
    value = " -.----" if own_value is None else f"{own_value:7.4f}"
    return f"(V: {value})" + (" (T)" if is_proven else "")
