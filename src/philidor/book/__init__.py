"""The book, item by item: each listing, figure, table and experiment runs by its name (`philidor book`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from philidor.book.notebook import Shown


def show(name: str, net: Path | None = None) -> Shown:
    """Runs one item and returns it in a form that notebooks display. Raises UnknownNameError, ConfigError."""
    from philidor.book.notebook import show_item

    return show_item(name, net)


__all__ = ["show"]
