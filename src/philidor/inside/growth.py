"""How a tree search makes up its mind: P, N, Q, U and V of each move as the simulations go on (book, ch. 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from philidor.core.abilities import move_name
from philidor.core.analysis import Analysis
from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluator
from philidor.core.game import AnyState
from philidor.core.tables import html_table
from philidor.inside.nets import load_policy_net
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import PuctSearch

_SHOWN = 5
_BATCH = 1


@dataclass(frozen=True, slots=True)
class SearchGrowth:
    """The root of one tree at several moments."""

    state: AnyState
    net: str
    steps: tuple[Analysis, ...]
    """What the search knew; `nodes` says after how many simulations."""

    def table(self, step: int = -1) -> list[dict[str, Any]]:
        """Returns the moves' P, N, Q, U and V at a moment, the last one if not given, most visited first."""
        moves = sorted(self.steps[step].moves, key=lambda each: (-(each.visits or 0), -(each.prior or 0.0)))
        return [
            {
                "move": move_name(self.state, self.state.parse_move(each.move)),
                "P": each.prior,
                "N": each.visits,
                "Q": each.value if each.visits else None,
                "U": each.exploration,
                "V": each.raw_value,
            }
            for each in moves
        ]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        tables = [{"simulations": each.nodes, "moves": self.table(place)} for place, each in enumerate(self.steps)]
        return {"state": self.state.text(), "net": self.net, "steps": tables}

    def svg(self) -> str:
        """Draws shares of visits and values of the moves that were visited most."""
        texts = [row["move"] for row in self.table()[:_SHOWN]]
        rows = [{row["move"]: row for row in self.table(place)} for place in range(len(self.steps))]

        def curve(name: str, number: Callable[[Any], float]) -> tuple[Series, ...]:
            return tuple(
                Series(
                    text,
                    tuple(
                        (float(step.nodes), number((row[text], step)))
                        for step, row in zip(self.steps, rows, strict=True)
                        if row[text][name] is not None
                    ),
                )
                for text in texts
            )

        shares = curve("N", lambda found: found[0]["N"] / max(1, found[1].nodes - 1))
        values = curve("Q", lambda found: float(found[0]["Q"]))
        charts = [
            Chart("N: share of the visits", "simulations", shares, bottom=0.0, top=1.0, is_share=True),
            Chart("Q: mean value of the visits", "simulations", values),
        ]
        return draw_charts("How the search made up its mind", f"{self.state.text()}, by {self.net}", charts)

    def _repr_html_(self) -> str:
        rows = [tuple(row.values()) for row in self.table()[: 2 * _SHOWN]]
        return self.svg() + html_table(("move", "P", "N", "Q", "U", "V"), rows)


def search_growth(
    state: AnyState,
    net: str | Path | Evaluator[Any],
    simulations: int = 400,
    *,
    at: Sequence[int] = (),
    config: PuctConfig | None = None,
) -> SearchGrowth:
    """Searches and looks at the tree after each of the simulations in `at`; at twenty moments if none are given.

    `net` is a file, a shipped network's name, or any evaluator. Raises ConfigError, NetError.
    """
    if simulations < 1 or any(not 1 <= moment <= simulations for moment in at):
        raise ConfigError(f"moments are from 1 to {simulations} simulations, got {list(at)}")
    evaluator, name = load_policy_net(net)
    moments = sorted({*at} if at else {max(1, simulations * part // 20) for part in range(1, 21)})
    tree = PuctSearch(state, config or PuctConfig())
    steps = []
    for moment in moments:
        tree.run(evaluator, moment - tree.visits, batch=_BATCH)
        steps.append(tree.result().analysis)
    return SearchGrowth(state, name, tuple(steps))
