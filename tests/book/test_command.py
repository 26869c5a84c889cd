"""`philidor book` as a reader types it."""

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from philidor.book.index import all_items, find_items
from philidor.book.items import Exhibit, Finding, Item, Table
from philidor.book.pages import markdown
from philidor.cli import main
from philidor.core.errors import NetError


def test_without_an_item_everything_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book"]) == 0
    shown = capsys.readouterr().out
    assert "fig-2.4" in shown
    assert main(["book", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(all_items())


def test_an_item_prints_the_book_s_number_beside_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "fig-4.9"]) == 0
    shown = capsys.readouterr().out
    assert "0.256, 0.922" in shown
    assert "src/philidor/search/puct.py" in shown
    (fourth,) = find_items("fig-4.9")
    assert fourth.reason in " ".join(shown.split()), "what is corrected says why"
    assert main(["book", "listing-3.7", "--json"]) == 0
    (item,) = json.loads(capsys.readouterr().out)
    assert item["findings"][0] == {"what": "positions visited", "book": "9,050", "ours": "9,050", "agrees": True}


def test_curves_points_and_pictures_are_drawn_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "2.5"]) == 0
    shown = capsys.readouterr().out
    assert "●" in shown
    assert any("\u2801" <= letter <= "\u28ff" for letter in shown)
    assert main(["book", "fig-2.12"]) == 0
    assert "█" in capsys.readouterr().out
    # A board and a network as text: what stands where, and what follows what.
    assert main(["book", "fig-1.1"]) == 0
    assert "8 r n b q . r k .\n7 p p p n . p p p\n" in capsys.readouterr().out
    assert main(["book", "fig-4.17"]) == 0
    assert "256 numbers | 256 numbers\n32 nodes" in capsys.readouterr().out


def test_pictures_and_a_page_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "2.1", "--out", str(tmp_path / "pictures"), "--html", str(tmp_path / "page.html")]) == 0
    ET.parse(tmp_path / "pictures" / "fig-2.1.svg")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 3
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fig-9.9"], "no item of the book 'fig-9.9'; did you mean 'fig-4.9', 'fig-3.9' or 'fig-2.9'?"),
        (["gradient"], "did you mean '2.2', 'fig-2.10' or '2.11'?"),
        (["fig-2.4", "--net", "x.pb.gz"], "looks into no network"),
        (["--html", "x.html"], "needs an item"),
        (["fig-2.18", "--net", "nosuch.phnn"], "nosuch.phnn"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", *words]) != 0
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_without_torch_the_rest_still_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "torch" else object())
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["book", "2.11-norm"]) == 0
    assert 'needs PyTorch: pip install ".[train]"' in " ".join(capsys.readouterr().out.split())


def test_without_a_network_the_rest_of_a_chapter_still_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(net: object = None) -> Exhibit:
        raise NetError("there is no network 'human-1'; download it")

    fine = Exhibit((Finding("what", "1", "1", True),))
    items = [
        Item(name="a", title="A", section="8", status="same", code="", run=gone),
        Item(name="b", title="B", section="8", status="same", code="", run=lambda: fine),
    ]
    monkeypatch.setattr("philidor.book.index.find_items", lambda name: items)
    assert main(["book", "8"]) == 0
    shown = capsys.readouterr().out
    assert "needs a network: there is no network 'human-1'" in shown
    assert "section 8; same" in shown
    monkeypatch.setattr("philidor.book.index.find_items", lambda name: items[:1])
    assert main(["book", "a"]) != 0


def test_what_is_too_long_for_an_item_names_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "4.5"]) == 0
    assert "philidor experiment supervised-vs-zero" in " ".join(capsys.readouterr().out.split())


def test_tables_are_on_the_page_and_in_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = Table("Scores <here>", ("a", "b"), (("1", "x|y"),))
    item = Item(name="t", title="T", section="8", status="same", code="", run=lambda: Exhibit(tables=(table,)))
    monkeypatch.setattr("philidor.book.index.find_items", lambda name: [item])
    assert main(["book", "t", "--html", str(tmp_path / "page.html")]) == 0
    assert "<h3>Scores &lt;here&gt;</h3><table><tr><th>a</th>" in (tmp_path / "page.html").read_text()
    assert markdown(Exhibit(tables=(table,))) == "**Scores <here>**\n\n| a | b |\n| --- | --- |\n| 1 | x\\|y |"


def test_what_is_not_reproducible_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "listing-2.9"]) == 0
    assert "VGG16's weights" in capsys.readouterr().out


def test_a_claim_that_fails_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.book.chapter3.numbers.evaluate", lambda position: -50)
    assert main(["book", "listing-3.2"]) == 1
