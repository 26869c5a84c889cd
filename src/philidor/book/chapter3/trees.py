"""Chapter 3's trees: minimax and alpha-beta on the toy ending, and the four steps of Monte-Carlo tree search."""

from __future__ import annotations

from philidor.book.chapter3.pawn_ending import evaluate, figure_3_2
from philidor.book.items import Exhibit, Finding, Item, close
from philidor.book.trees import Twig, counted, tree_drawing
from philidor.games import load_game
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.result import SearchResult
from philidor.search.trace import TraceLimit, TraceNode
from philidor.search.uct import UctConfig, uct


def _searched(is_cut: bool) -> SearchResult[object]:
    """Searches Figure 3.2 two plies deep, as the book does."""
    start = figure_3_2()
    if is_cut:
        config = AlphaBetaConfig(depth=2, root_window="shared")
        return alphabeta(start, config, heuristic=evaluate, trace=TraceLimit())
    return minimax(start, MinimaxConfig(depth=2), heuristic=evaluate, trace=TraceLimit())


def _values(node: TraceNode | None) -> Twig:
    """Returns a picture with the book's values; a game that is over scores 10,000 in the search and 10 or 0 here."""
    assert node is not None
    label = "" if node.value is None else "10" if node.value > 0 else "0"
    cut = [Twig("", move, is_cut=True) for move in node.skipped]
    return Twig(label, node.move or "", children=[*map(_values, node.children), *cut])


def minimax_tree() -> Exhibit:
    """Figures 3.2 and 3.3: every reply is looked at."""
    found = _searched(is_cut=False)
    tree = _values(found.tree)
    replies = [len(child.children) for child in tree.children]
    findings = (
        Finding("moves of White", "4", str(len(tree.children)), len(tree.children) == 4),
        Finding("replies to the left pawn's step", "3", str(replies[0]), replies[0] == 3),
        Finding("value of the left pawn's step", "10", tree.children[0].label, tree.children[0].label == "10"),
        Finding(
            "values of the other moves",
            "0, 0, 0",
            ", ".join(child.label for child in tree.children[1:]),
            [child.label for child in tree.children[1:]] == ["0", "0", "0"],
        ),
        Finding("best move", "left pawn ahead", str(found.analysis.best), found.analysis.best == "a1a2"),
    )
    note = "The position is a picture; on three by three squares only this one has the moves and values of the text."
    return Exhibit(findings, (note,), (tree_drawing("Minimax: 10 if White breaks through, 0 if not", tree),), columns=1)


def alphabeta_tree() -> Exhibit:
    """Figure 3.4: what alpha-beta leaves out."""
    full, cut = _searched(is_cut=False), _searched(is_cut=True)
    tree = _values(cut.tree)
    skipped = counted(tree, lambda twig: twig.is_cut)
    saved = full.analysis.nodes - cut.analysis.nodes
    findings = (
        Finding("best move", "left pawn ahead", str(cut.analysis.best), cut.analysis.best == full.analysis.best),
        Finding("replies visited", "", f"{cut.analysis.nodes} of {full.analysis.nodes}", saved > 0),
        Finding("branches cut off", "node (10) and others", str(skipped), skipped == saved),
    )
    note = "After a reply worth 0 Black need not look for a better one: White has 10 elsewhere."
    return Exhibit(findings, (note,), (tree_drawing("Alpha-beta: dashed is never visited", tree),), columns=1)


# --- Monte-Carlo ------------------------------------------------------------------------------------------------

_ITERATIONS = 12


def _grown(iterations: int) -> TraceNode:
    start = load_game("tictactoe").state("XOX/.O./.X.")
    tree = uct(start, UctConfig(iterations=iterations, seed=3), trace=TraceLimit()).tree
    assert tree is not None
    return tree


def _pictured(node: TraceNode, before: TraceNode | None, is_path: bool = True) -> Twig:
    """Returns a tree with wins and visits; marked is where the last iteration went, which raised the visits."""
    older = {child.move: child for child in before.children} if before is not None else {}
    children = []
    for child in node.children:
        was = older.get(child.move)
        grew = is_path and (child.visits or 0) > (was.visits or 0 if was is not None else 0)
        children.append(_pictured(child, was, grew))
    label = f"{node.value_sum or 0:g}/{node.visits or 0}" if node.move else str(node.visits or 0)
    return Twig(label, node.move or "", is_path, children=children)


def _path(twig: Twig) -> list[Twig]:
    marked = [child for child in twig.children if child.is_marked]
    return [twig, *(_path(marked[0]) if marked else [])]


def one_iteration() -> Exhibit:
    """Figures 3.11 to 3.15: one iteration of MCTS on a board of tic-tac-toe, before and after."""
    before, after = _grown(_ITERATIONS), _grown(_ITERATIONS + 1)
    old, new = _pictured(before, None, is_path=False), _pictured(after, before)
    path = _path(new)
    added = counted(new, lambda _: True) - counted(old, lambda _: True)
    raised = int(path[0].label) - int(old.label)
    findings = (
        Finding("expansion: nodes that are added", "1", str(added), added == 1),
        Finding("the added node's visits", "1", path[-1].label.partition("/")[2], path[-1].label.endswith("/1")),
        Finding("back-propagation: visits added at the root", "1", str(raised), raised == 1),
        Finding("nodes on the path, the root included", "", str(len(path)), len(path) >= 2),
    )
    notes = (
        "Circles show points and visits of the player who moved there, as in Figure 3.15; the root shows its visits.",
        "A leaf is a node with moves that were not tried yet, even if some were.",
    )
    panels = (
        tree_drawing(f"After {_ITERATIONS} iterations", old),
        tree_drawing("One iteration more", new),
    )
    return Exhibit(findings, notes, panels)


def means_updated() -> Exhibit:
    """Figures 3.16 and 3.17: the numbers of a node after one more result."""

    def update(mean: float, visits: int, result: float) -> tuple[float, int]:
        return (mean * visits + result) / (visits + 1), visits + 1

    won = update(2 / 5, 5, 1.0)
    points = round(won[0] * won[1], 9)
    mean, visits = update(0.4, 5, 0.1)
    findings = (
        Finding("2/5 after a win", "3/6", f"{points:g}/{won[1]}", (points, won[1]) == (3, 6)),
        close("M' of 0.4 after 0.1", 0.35, mean, 1e-12),
        Finding("V' of 5", "6", str(visits), visits == 6),
    )
    labels = (("2/5", f"{points:g}/{won[1]}", "1/1"), ("0.4", f"{mean:g}/{visits}", "0.1/1"))
    trees = [
        tree_drawing(f"{before} and its new child", Twig(after, is_marked=True, children=[Twig(new, is_marked=True)]))
        for before, after, new in labels
    ]
    return Exhibit(findings, panels=tuple(trees))


_HERE = "src/philidor/book/chapter3/trees.py"
ITEMS = (
    Item(
        name="fig-3.3",
        also=("fig-3.2",),
        title="Minimax on a toy pawn ending",
        section="3.1",
        status="same",
        code="src/philidor/book/chapter3/pawn_ending.py",
        run=minimax_tree,
    ),
    Item(
        name="fig-3.4",
        title="Alpha-beta cuts branches off",
        section="3.2",
        status="same",
        code="src/philidor/search/alphabeta.py",
        run=alphabeta_tree,
    ),
    Item(
        name="fig-3.11",
        also=("fig-3.12", "fig-3.13", "fig-3.14", "fig-3.15"),
        title="One iteration of Monte-Carlo tree search",
        section="3.5",
        status="same",
        code="src/philidor/search/uct.py",
        run=one_iteration,
    ),
    Item(
        name="fig-3.16",
        also=("fig-3.17",),
        title="A node's numbers after one more result",
        section="3.5",
        status="same",
        code=_HERE,
        run=means_updated,
    ),
)
