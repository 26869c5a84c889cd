"""Chapter 3, searching: the listings' own numbers, by the readable searches."""

from __future__ import annotations

from typing import Any

from philidor.book.boards import board
from philidor.book.items import Exhibit, Finding, Item
from philidor.evaluators.book import evaluate
from philidor.games.chess import Position
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.result import SearchResult
from philidor.search.uct import UctConfig, uct

MATE_IN_ONE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
"""Figure 3.1."""
LEGAL = "r2qkbnr/ppp2ppp/2np4/4p2b/4P3/1BN2N1P/PPPP1PP1/R1BQK2R w KQkq - 1 6"
"""Figure 3.18, a picture in the book: the position from which Légal's trap works and the text's moves are possible."""


def _number(what: str, book: int, ours: int) -> Finding:
    return Finding(what, f"{book:,}", f"{ours:,}", book == ours)


def _move(book: str, position: Position, result: SearchResult[Any]) -> Finding:
    assert result.best is not None
    ours = position.san(result.best)
    return Finding("best move", book, ours, book == ours)


def position_evaluated() -> Exhibit:
    """Listings 3.1 to 3.3 on Figure 3.1."""
    note = "Table 3.2 as it is printed gives -50; the listing indexes its table by file, then rank, which gives -55."
    position = Position(MATE_IN_ONE)
    panels = (board("Figure 3.1: White to move", position, "Qxf7#"),)
    return Exhibit((_number("evaluation, White's view", -55, evaluate(position)),), (note,), panels)


def minimax_counted() -> Exhibit:
    """Listing 3.5: minimax at depth 3 on Figure 3.1."""
    position = Position(MATE_IN_ONE)
    found = minimax(position, MinimaxConfig(depth=3), heuristic=evaluate)
    findings = (_number("positions visited", 46_828, found.analysis.nodes), _move("Qxf7#", position, found))
    note = "Positions reached by moves inside the recursion; the 43 root moves are not counted, as in the book."
    return Exhibit(findings, (note, "Listing 3.4 never stops at depth 0; here it evaluates there."))


def alphabeta_counted() -> Exhibit:
    """Listing 3.7: alpha-beta at depth 3 on Figure 3.1."""
    position = Position(MATE_IN_ONE)
    found = alphabeta(position, AlphaBetaConfig(depth=3, order="python-chess"), heuristic=evaluate)
    findings = (_number("positions visited", 9_050, found.analysis.nodes), _move("Qxf7#", position, found))
    return Exhibit(findings, ("With python-chess's order of moves and a full window at every root move.",))


def mate_by_playouts() -> Exhibit:
    """Listing 3.10: 200 iterations of UCT with random playouts on Figure 3.1."""
    position = Position(MATE_IN_ONE)
    found = uct(position, UctConfig(iterations=200))
    most = max(found.analysis.moves, key=lambda stats: stats.visits or 0)
    ours = f"{position.san(position.parse_move(most.move))}, {most.visits} of 200"
    findings = (Finding("visited most", "Qxf7#", ours, ours.startswith("Qxf7#")),)
    notes = ("UCT's fraction is printed upside down (3.5.2), and Listing 3.9 pays draws 0 and losses 0.5; corrected.",)
    return Exhibit(findings, notes)


def legal_s_trap() -> Exhibit:
    """Figure 3.18: alpha-beta at depth 5 finds the queen's sacrifice."""
    position = Position(LEGAL)
    found = alphabeta(position, AlphaBetaConfig(depth=5, order="python-chess"), heuristic=evaluate)
    findings = (
        _move("Nxe5", position, found),
        Finding("score", "2.80", str(found.analysis.score)),
    )
    notes = (f"The book shows a picture; this is {LEGAL}.", "With the white d-pawn on d3 the score is the book's 2.80.")
    return Exhibit(findings, notes, (board("White to move", position, "Nxe5"),))


_BOOK = "src/philidor/evaluators/book.py"

ITEMS = (
    Item(
        name="listing-3.2",
        also=("listing-3.1", "listing-3.3", "table-3.2", "fig-3.1"),
        title="Piece values and piece-square tables",
        section="3",
        status="corrected",
        code=_BOOK,
        run=position_evaluated,
        reason="Table 3.2 is transposed in the listing",
    ),
    Item(
        name="listing-3.5",
        also=("listing-3.4",),
        title="Minimax finds the mate",
        section="3.1",
        status="corrected",
        code="src/philidor/search/minimax.py",
        run=minimax_counted,
        reason="Listing 3.4 never stops at depth 0",
    ),
    Item(
        name="listing-3.7",
        also=("listing-3.6",),
        title="Alpha-beta finds it with fewer positions",
        section="3.2",
        status="same",
        code="src/philidor/search/alphabeta.py",
        run=alphabeta_counted,
    ),
    Item(
        name="listing-3.10",
        also=("listing-3.8", "listing-3.9"),
        title="Monte-Carlo tree search finds it by random games",
        section="3.5",
        status="corrected",
        code="src/philidor/search/uct.py",
        run=mate_by_playouts,
        reason="UCT's fraction and the listing's payouts",
    ),
    Item(
        name="fig-3.18",
        title="Légal's trap (takes a minute)",
        section="3.5",
        status="same",
        code="src/philidor/search/alphabeta.py",
        run=legal_s_trap,
    ),
    Item(
        name="fig-3.6",
        title="Rebel 8 in DosBox",
        section="3.4",
        status="not reproducible",
        code="",
        reason="a screen of another program",
    ),
)
