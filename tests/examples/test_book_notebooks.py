"""The notebooks of the book's chapters run from the top, their claims hold, and their pages are theirs."""

import json
from pathlib import Path

import pytest

import notebooks
from philidor.book.notebook import Shown

CHAPTERS = [source.stem for source in notebooks.SOURCES]


def test_there_is_one_for_every_chapter() -> None:
    assert [f"chapter{number}" for number in range(1, 6)] == CHAPTERS


@pytest.mark.parametrize("source", notebooks.SOURCES, ids=CHAPTERS)
def test_a_notebook_runs_from_the_top(source: Path) -> None:
    outputs = [output for _, output in notebooks.run(source, is_lean=True) if output is not None]
    shown = [output.value for output in outputs if isinstance(output.value, Shown)]
    assert shown
    for each in shown:
        assert [finding for finding in each.exhibit.findings if finding.agrees is False] == []
        assert each._repr_html_().startswith("<h2>")
    assert any(output.printed for output in outputs)


@pytest.mark.parametrize("source", notebooks.SOURCES, ids=CHAPTERS)
def test_it_opens_with_a_question_and_its_page_is_of_these_cells(source: Path) -> None:
    cells = notebooks.cells(source)
    assert cells[0].kind == "[markdown]"
    assert cells[0].text.splitlines()[0].endswith("?")
    page = (notebooks.PAGES / f"{source.stem}.md").read_text(encoding="utf-8")
    # In their order: a page that is older than its source is written again by tools/notebooks.py.
    place = 0
    for cell in cells:
        place = page.index(cell.text, place)
    for line in page.splitlines():
        if line.startswith("!["):
            assert (notebooks.PAGES / line.partition("(")[2].rstrip(")")).resolve().is_file()


def test_jupyter_s_form_has_the_same_cells(tmp_path: Path) -> None:
    made = notebooks.jupyter(notebooks.SOURCES[0])
    assert ["".join(cell["source"]) for cell in made["cells"]] == [
        c.text for c in notebooks.cells(notebooks.SOURCES[0])
    ]
    assert json.loads(json.dumps(made))["nbformat"] == 4


def test_a_cell_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "chapter9.py"
    source.write_text("# %% [slwo]\n1 + 1\n")
    with pytest.raises(SystemExit, match="slwo"):
        notebooks.cells(source)
