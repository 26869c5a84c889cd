"""The pages of the book's items show every item, with every picture, as it is now."""

from pathlib import Path

import pytest

import book_pages
from philidor.book.index import all_items, find_items
from philidor.book.items import Exhibit, Finding, Item

PAGES = {chapter: book_pages.PAGES / f"chapter{chapter}.md" for chapter in book_pages.TITLES}
# Whole numbers and moves: the same on every machine.
EXACT = ("table-2.1", "listing-3.7", "fig-3.16", "fig-3.7", "table-4.1", "listing-5.3", "fig-3.6")


@pytest.mark.parametrize("chapter", PAGES)
def test_a_page_shows_its_items_in_the_books_order(chapter: str) -> None:
    items = [item for item in all_items() if item.chapter == chapter]
    shown = book_pages.sections(PAGES[chapter])
    assert list(shown) == [item.name for item in items]
    for item in items:
        text = shown[item.name]
        assert all(f'<a id="{name}"></a>' in text for name in item.names)
        assert all(words in text for words in (item.title, item.reason, item.code))
        assert item.command or item.run is None or f"philidor book {item.name}" in text
        assert item.run is None or len(text.splitlines()) > 8, f"{item.name} shows nothing"


def test_every_picture_is_on_a_page_and_every_page_has_its_pictures() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES.values())
    linked = {part.partition(")")[0] for part in text.split("](../images/book/")[1:]}
    assert linked == {path.name for path in book_pages.IMAGES.iterdir()}
    assert len(linked) > 50


@pytest.mark.parametrize("name", EXACT)
def test_what_a_page_shows_is_what_the_item_gives(name: str) -> None:
    (item,) = find_items(name)
    exhibit = None if item.run is None else item.run()
    assert book_pages.sections(PAGES[item.chapter])[name] == book_pages.section(item, exhibit)


def test_an_item_that_is_not_named_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def once() -> Exhibit:
        runs.append(1)
        return Exhibit((Finding("runs", "", str(len(runs))),))

    runs: list[int] = []
    items = tuple(
        Item(name=f"fig-1.{number}", title="T", section="1", status="same", code="", run=once) for number in (1, 2)
    )
    monkeypatch.setattr(book_pages, "PAGES", tmp_path)
    monkeypatch.setattr(book_pages, "all_items", lambda: items)
    book_pages.write(items[:1])
    book_pages.write(items[1:])
    shown = book_pages.sections(tmp_path / "chapter1.md")
    assert "| runs |  | 1 |" in shown["fig-1.1"]
    assert "| runs |  | 3 |" in shown["fig-1.2"]


def test_a_number_that_differs_stops_the_tool() -> None:
    wrong = Exhibit((Finding("two and two", "4", "5", False),))
    item = Item(name="fig-1.1", title="T", section="1", status="same", code="", run=lambda: wrong)
    with pytest.raises(SystemExit, match=r"fig-1\.1: a number differs"):
        book_pages.run(item)
