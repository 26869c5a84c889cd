"""Shows the result of a search on the terminal: the choice, its line, the root moves, the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.tree import Tree

from philidor.cli.arguments import readable_line
from philidor.core.abilities import move_name
from philidor.core.evaluation import MATE_SCORE

if TYPE_CHECKING:
    from philidor.core.analysis import Analysis, MoveStats
    from philidor.core.game import AnyState
    from philidor.search.result import SearchResult
    from philidor.search.trace import TraceNode

_MOST_MOVES = 10
_MOST_CHILDREN = 12


def show_result(state: AnyState, result: SearchResult[Any], plies: int) -> None:
    """Prints everything a person wants to see of a search; `plies` of its tree."""
    console = Console(highlight=False)
    analysis = result.analysis
    console.print(str(state), markup=False)
    console.print()
    _summary(console, state, analysis)
    console.print()
    console.print(_root_moves(state, analysis))
    if plies and result.tree is not None:
        console.print()
        console.print(draw_tree(state, result.tree, plies))


def _summary(console: Console, state: AnyState, analysis: Analysis) -> None:
    assert analysis.best is not None
    verdict = [] if analysis.score is None else [f"score {analysis.score}"]
    if analysis.score is None and analysis.value is not None:
        verdict.append(f"value {analysis.value:+.3f}")
    best = readable_line(state, (analysis.best,))[0]
    console.print(f"[bold]{best}[/]   " + "   ".join(verdict))
    if analysis.lines:
        console.print("line: " + " ".join(readable_line(state, analysis.lines[0].moves)))
    counters = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in analysis.counters.items())
    what = "playouts" if any(stats.visits is not None for stats in analysis.moves) else "positions"
    cost = f"{analysis.nodes:,} {what} in {analysis.time_s:.3f} s ({analysis.nodes_per_second:,}/s)"
    console.print(cost + (f"; {counters}" if counters else ""))


def _root_moves(state: AnyState, analysis: Analysis) -> Table:
    """The best root moves, with the columns that this search knows."""
    columns = {
        "score": [str(stats.score) if stats.score is not None else "" for stats in analysis.moves],
        "N": [f"{stats.visits:,}" if stats.visits is not None else "" for stats in analysis.moves],
        "Q": [f"{stats.value:+.3f}" if stats.value is not None else "" for stats in analysis.moves],
        "U": [f"{stats.exploration:.3f}" if stats.exploration is not None else "" for stats in analysis.moves],
    }
    known = {name: cells for name, cells in columns.items() if any(cells)}
    table = Table(box=None, header_style="bright_black", padding=(0, 2, 0, 0))
    table.add_column("move")
    for name in known:
        table.add_column(name, justify="right")
    order = sorted(range(len(analysis.moves)), key=lambda i: _rank(analysis, analysis.moves[i]), reverse=True)
    for i in order[:_MOST_MOVES]:
        name = readable_line(state, (analysis.moves[i].move,))[0]
        style = "bold" if analysis.moves[i].move == analysis.best else ""
        table.add_row(name, *(cells[i] for cells in known.values()), style=style)
    if len(order) > _MOST_MOVES:
        table.add_row(f"and {len(order) - _MOST_MOVES} more", style="bright_black")
    return table


def _rank(analysis: Analysis, stats: MoveStats) -> tuple[bool, float]:
    """The chosen move first, then by visits or by score; a mate counts more the nearer it is."""
    if stats.score is None:
        merit = float(stats.visits or 0)
    elif stats.score.cp is not None:
        merit = float(stats.score.cp)
    else:
        mate = stats.score.mate or 0
        merit = 1e6 - mate if mate > 0 else -1e6 - mate
    return stats.move == analysis.best, merit


def draw_tree(state: AnyState, root: TraceNode, plies: int) -> Tree:
    """Draws the upper plies of a searched tree; scores are the first player's view, Q that of the mover."""
    drawing = Tree(_label(root, "root"), guide_style="bright_black")
    _grow(drawing, state, root, plies)
    return drawing


def _grow(branch: Tree, state: AnyState, node: TraceNode, plies: int) -> None:
    if plies == 0:
        return
    for child in node.children[:_MOST_CHILDREN]:
        assert child.move is not None
        move = state.parse_move(child.move)
        name = move_name(state, move)
        _grow(branch.add(_label(child, name)), state.play(move), child, plies - 1)
    if len(node.children) > _MOST_CHILDREN:
        branch.add(f"[bright_black]and {len(node.children) - _MOST_CHILDREN} more")
    if node.skipped:
        count = len(node.skipped)
        branch.add(f"[red]cut off: {count} move{'s' if count > 1 else ''} skipped")


def _label(node: TraceNode, name: str) -> str:
    parts = [f"[bold]{name}[/]"]
    if node.value is not None:
        parts.append(f"{node.value:g}")
    if node.alpha is not None and node.beta is not None:
        parts.append(f"[bright_black]window {_bound(node.alpha)} to {_bound(node.beta)}[/]")
    if node.visits is not None:
        parts.append(f"N {node.visits}")
    if node.mean_value is not None:
        parts.append(f"Q {node.mean_value:.3f}")
    if node.ending is not None and node.ending != "evaluated":
        parts.append(f"[green]{node.ending}[/]")
    return "  ".join(parts)


def _bound(score: float) -> str:
    """Writes alpha or beta; what lies beyond a won game is no bound at all."""
    return f"{score:g}" if abs(score) <= MATE_SCORE else "-inf" if score < 0 else "+inf"
