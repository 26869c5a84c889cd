"""Chapter 3 to the digit: the evaluation, the counts of visited positions, the moves that are found."""

import pytest

from philidor.core.analysis import Score
from philidor.evaluators import default_heuristic, load_heuristic
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.uct import UctConfig, uct

FIGURE_3_1 = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
# The text has no figure of Legal's trap; with White's pawn still on d2, and on d3, which gives the book's 280.
LEGALS_TRAP = "r2qkbnr/ppp2ppp/2np4/4p2b/4P3/1BN2N1P/PPPP1PP1/R1BQK2R w KQkq - 1 6"
LEGALS_TRAP_D3 = "r2qkbnr/ppp2ppp/2np4/4p2b/4P3/1BNP1N1P/PPP2PP1/R1BQK2R w KQkq - 1 6"

book = load_heuristic("book")


def test_the_evaluation_of_figure_3_1_is_minus_55() -> None:
    assert book(Position(FIGURE_3_1)) == -55


def test_the_table_as_printed_would_give_minus_50() -> None:
    # Table 3.2 goes by rank, the listing by file.
    from philidor.evaluators.book import PIECE_SQUARE_TABLE, PIECE_VALUES

    position, score = Position(FIGURE_3_1), 0
    for square in range(64):
        piece = position.piece_at(square)
        if piece is not None and piece not in "Kk":
            value = PIECE_VALUES[piece.upper()] + PIECE_SQUARE_TABLE[7 - square // 8][square % 8]
            score += value if piece.isupper() else -value
    assert score == -50


def test_chess_is_searched_with_the_book_s_evaluation() -> None:
    assert default_heuristic(Position()) is book
    assert default_heuristic(load_game("tictactoe").state())(Position()) == 0


def test_minimax_visits_46828_positions() -> None:
    found = minimax(Position(FIGURE_3_1), MinimaxConfig(depth=3), heuristic=book)
    assert found.analysis.nodes == 46_828
    assert found.analysis.counters["root_moves"] == 43
    assert found.analysis.best == "h5f7"
    assert found.analysis.score == Score(mate=1)
    assert found.analysis.lines[0].moves == ("h5f7",)


def test_alphabeta_visits_9050_positions() -> None:
    found = alphabeta(Position(FIGURE_3_1), AlphaBetaConfig(depth=3, order="python-chess"), heuristic=book)
    assert found.analysis.nodes == 9_050
    assert found.analysis.best == "h5f7"
    assert found.analysis.score == Score(mate=1)


@pytest.mark.parametrize(
    ("order", "root_window", "nodes"),
    [
        ("canonical", "full", 18_537),
        ("canonical", "shared", 14_606),
        ("python-chess", "shared", 1_865),
        ("captures-first", "full", 6_136),
        ("captures-first", "shared", 1_791),
    ],
)
def test_other_orders_visit_other_numbers(order: str, root_window: str, nodes: int) -> None:
    config = AlphaBetaConfig(depth=3, order=order, root_window=root_window)
    found = alphabeta(Position(FIGURE_3_1), config, heuristic=book)
    assert (found.analysis.best, found.analysis.nodes) == ("h5f7", nodes)


@pytest.mark.parametrize(("fen", "score"), [(LEGALS_TRAP, 260), (LEGALS_TRAP_D3, 280)])
def test_alphabeta_sees_through_legals_trap(fen: str, score: int) -> None:
    # The book's full window at the root takes a minute here and gives the same: see the slow test.
    config = AlphaBetaConfig(depth=5, order="captures-first", root_window="shared")
    found = alphabeta(Position(fen), config, heuristic=book)
    assert found.analysis.best == "f3e5"
    assert found.analysis.score == Score(cp=score)


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "score"), [(LEGALS_TRAP, 260), (LEGALS_TRAP_D3, 280)])
def test_alphabeta_sees_through_legals_trap_as_the_book_searches(fen: str, score: int) -> None:
    found = alphabeta(Position(fen), AlphaBetaConfig(depth=5, order="python-chess"), heuristic=book)
    assert found.analysis.best == "f3e5"
    assert found.analysis.score == Score(cp=score)


@pytest.mark.parametrize("seed", range(1, 11))
def test_uct_visits_the_mate_most(seed: int) -> None:
    analysis = uct(Position(FIGURE_3_1), UctConfig(iterations=200, seed=seed)).analysis
    assert analysis.best == "h5f7"
    mate = next(stats for stats in analysis.moves if stats.move == "h5f7")
    assert mate.value == 1.0
    assert analysis.nodes == 200
