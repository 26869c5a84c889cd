"""The table of all items, and how one is found by what a reader types."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from functools import cache

from philidor.book.items import Item
from philidor.core.errors import UnknownNameError, nearest_names

MODULES = (
    "philidor.book.chapter2.perceptron",
    "philidor.book.chapter2.practice",
    "philidor.book.chapter2.pictures",
    "philidor.book.chapter2.deep",
    "philidor.book.chapter2.blocks",
    "philidor.book.chapter2.players",
    "philidor.book.chapter3.numbers",
    "philidor.book.chapter3.trees",
    "philidor.book.chapter3.eyes",
    "philidor.book.chapter3.positions",
    "philidor.book.chapter3.power",
    "philidor.book.chapter4.puct",
    "philidor.book.chapter4.networks",
    "philidor.book.chapter4.inputs",
    "philidor.book.chapter4.nnue",
    "philidor.book.chapter4.games",
    "philidor.book.chapter4.learning",
    "philidor.book.chapter5",
    "philidor.book.positions",
    "philidor.book.tournament",
)
"""Each has a table `ITEMS`."""


@cache
def all_items() -> tuple[Item, ...]:
    """Returns every item, by section and then as the book has them."""
    items = [item for module in MODULES for item in importlib.import_module(module).ITEMS]
    return tuple(sorted(items, key=lambda item: [int(part) for part in item.section.split(".")]))


def find_items(name: str) -> list[Item]:
    """Returns what a name means: a chapter, a section, or one item. Raises UnknownNameError."""
    # Also as the book writes it: "Figure 2.4", "Fig. 2.4".
    wanted = re.sub(r"^(fig|listing|table)(?:ure)?[ .-]*(?=\d)", r"\1-", name.strip().lower())
    items = all_items()
    exact = [item for item in items if wanted in item.names]
    section = [item for item in items if wanted in (item.section, item.chapter)]
    if section or exact:
        return section or exact
    # Of a subsection, such as 4.1.2, the book's items belong to its section.
    if re.fullmatch(r"\d\.\d+\.\d+", wanted) and (around := wanted.rpartition(".")[0]) in {i.section for i in items}:
        return find_items(around)
    known = {known for item in items for known in (*item.names, item.section, item.chapter)}
    raise UnknownNameError("item of the book", name, known, _told_of(wanted, items) or nearest_names(wanted, known, 3))


def _told_of(words: str, items: Iterable[Item]) -> list[str]:
    """Returns the first items whose titles have these words: a reader may ask for "batch normalization"."""
    if len(words) < 3 or not words.replace(" ", "").isalpha():
        return []
    return [item.name for item in items if words in item.title.lower()][:3]
