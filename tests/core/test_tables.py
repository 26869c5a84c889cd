"""Tables for notebooks: what is known is shown, and nothing in them runs."""

from philidor.core.analysis import Analysis, Line, MoveStats, Score
from philidor.core.evaluation import Wdl
from philidor.core.tables import html_table


def test_cells_are_text_whatever_they_hold() -> None:
    table = html_table(("<b>",), [["<script>alert(1)</script>"], [None], [0.12345], [7]], caption="a & b")
    assert "<script>" not in table
    assert "&lt;script&gt;" in table
    assert "<th>&lt;b&gt;</th>" in table
    assert "a &amp; b" in table
    assert ">0.123<" in table
    assert ">7<" in table


def test_an_analysis_shows_its_lines() -> None:
    found = Analysis(
        "e2e4", Score(cp=35), Wdl(0.4, 0.4, 0.2), (Line(("e2e4", "e7e5"), Score(cp=35), depth=9),), nodes=1234
    )
    shown = found._repr_html_()
    assert "e2e4: +0.35, win 40% draw 40% loss 20%; depth ?, 1,234 nodes" in shown
    assert "e2e4 e7e5" in shown
    assert shown.count("<table>") == 1


def test_statistics_of_moves_are_a_second_table_most_visited_first() -> None:
    moves = (MoveStats("a2a3", prior=0.1, visits=5, value=0.0), MoveStats("e2e4", prior=0.5, visits=50, value=0.125))
    shown = Analysis("e2e4", moves=moves)._repr_html_()
    assert shown.index("e2e4</td>") < shown.index("a2a3</td>")
    assert "<th>P</th><th>N</th><th>Q</th>" in shown
    assert ">0.125<" in shown
