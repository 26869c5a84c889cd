"""The book's items as pages of the documentation: what each prints and draws, a page for each chapter.

python tools/book_pages.py                 runs every item (a quarter of an hour) and writes docs/book/
python tools/book_pages.py fig-2.4 3.5     runs these items again; the others stay as they are

An item that has a command of its own, or cannot be reproduced, is there with the command or the reason.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from pathlib import Path

from philidor.book.index import all_items, find_items
from philidor.book.items import Exhibit, Item
from philidor.book.pages import markdown, picture

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs/book"
IMAGES = ROOT / "docs/images/book"
TITLES = {
    "1": "Chapter 1: introduction",
    "2": "Chapter 2: a crash course into neural networks",
    "3": "Chapter 3: classical search",
    "4": "Chapter 4: modern AI approaches",
    "5": "Chapter 5: HexapawnZero",
    "6": "All chapters: positions and players",
}
ELSEWHERE = {
    "4.5-supervised-vs-zero": "[Supervised or zero?](../supervised-vs-zero.md)",
    "tournament": "[the tournament of the book](../book.md#the-tournament-of-the-book)",
}
"""Where the results are shown of items that have a command of their own."""
_MARK = '## <a id="'
"""Begins the section of an item; its name follows."""


def sections(page: Path) -> dict[str, str]:
    """Returns what a page shows of each item."""
    if not page.is_file():
        return {}
    parts = page.read_text(encoding="utf-8").split(_MARK)[1:]
    return {part.partition('"')[0]: f"{_MARK}{part}".strip() for part in parts}


def section(item: Item, exhibit: Exhibit | None) -> str:
    """Returns an item as Markdown; its picture is beside the page."""
    anchors = "".join(f'<a id="{name}"></a>' for name in item.also)
    where = f"Section {item.section}" if "." in item.section else f"Chapter {item.section}"
    why = f": {item.reason}" if item.reason else ""
    parts = [
        f'{_MARK}{item.name}"></a>{anchors}{item.heading}: {item.title}',
        f"{where}; {item.status}{why}." + (f" Also {', '.join(item.also)}." if len(item.names) > 3 else ""),
    ]
    if item.command or exhibit is not None:
        parts.append(f"```bash\n{item.command or f'philidor book {item.name}'}\n```")
    if item.command:
        parts.append(f"What it gave: {ELSEWHERE[item.name]}.")
    if exhibit is not None:
        parts.append(markdown(exhibit))
        if exhibit.panels:
            parts.append(f"![{item.title}](../images/book/{item.name}.svg)")
    if item.code:
        parts.append(f"Code: `{item.code}`.")
    return "\n\n".join(part for part in parts if part)


def _head(chapter: str, title: str) -> str:
    return (
        f"# {title}\n\nWhat `philidor book {chapter}` prints and draws, written by `python tools/book_pages.py`; "
        "[the index](../book.md) tells more of each. Times, and what depends on them, differ from machine to machine."
    )


def run(item: Item) -> Exhibit | None:
    """Runs an item and writes its picture; None for one that does not run here."""
    if item.run is None or item.command:
        return None
    exhibit = item.run()
    if any(finding.agrees is False for finding in exhibit.findings):
        raise SystemExit(f"{item.name}: a number differs from what is claimed; philidor book {item.name} shows it")
    if exhibit.panels:
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / f"{item.name}.svg").write_text(picture(item, exhibit), encoding="utf-8")
    return exhibit


def write(chosen: Iterable[Item]) -> None:
    """Runs the items, and those that their pages lack, and writes each page when its chapter is through."""
    PAGES.mkdir(parents=True, exist_ok=True)
    names = {item.name for item in chosen}
    for chapter, title in TITLES.items():
        page = PAGES / f"chapter{chapter}.md"
        shown, items = sections(page), [item for item in all_items() if item.chapter == chapter]
        if not any(item.name in names for item in items):
            continue
        for item in items:
            if item.name in names or item.name not in shown:
                began = time.perf_counter()
                shown[item.name] = section(item, run(item))
                print(f"{item.name}: {time.perf_counter() - began:.1f} s", flush=True)
        page.write_text("\n\n".join([_head(chapter, title), *(shown[item.name] for item in items)]) + "\n", "utf-8")


def main() -> None:
    """Writes the pages."""
    parser = argparse.ArgumentParser(description="Runs the book's items and writes their pages.")
    parser.add_argument("items", nargs="*", help="Items, sections or chapters to run; all if none is named.")
    given = parser.parse_args()
    write(all_items() if not given.items else [item for name in given.items for item in find_items(name)])


if __name__ == "__main__":
    main()
