"""An item of the book in a notebook: `philidor.book.show("fig-2.4")`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from philidor.book.index import all_items, find_items
from philidor.book.items import Exhibit, Item
from philidor.book.pages import markdown, picture, section
from philidor.core.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Shown:
    """What an item has shown."""

    item: Item
    exhibit: Exhibit

    def __repr__(self) -> str:
        lines = [f"{f.what}: {f.ours}" + (f" (the book: {f.book})" if f.book else "") for f in self.exhibit.findings]
        return "\n".join([self.item.title, *lines])

    def _repr_html_(self) -> str:
        """Returns numbers, tables, notes and pictures."""
        return section(self.item, self.exhibit)

    def _repr_markdown_(self) -> str:
        """Returns the same without the pictures."""
        return markdown(self.exhibit)

    def _repr_svg_(self) -> str | None:
        """Returns the pictures alone, if there are some."""
        return picture(self.item, self.exhibit) if self.exhibit.panels else None


def show_item(name: str, net: Path | None = None) -> Shown:
    """Runs the one item of a name. Raises UnknownNameError, and ConfigError for one that does not run."""
    found = [item for item in all_items() if name in item.names] or find_items(name)
    if len(found) > 1:
        raise ConfigError(f"{name!r} is {len(found)} items; name one: {', '.join(item.name for item in found)}")
    (item,) = found
    if item.run is None:
        how = f"its command is {item.command}" if item.command else f"it is not reproducible: {item.reason}"
        raise ConfigError(f"{name!r} does not run in a notebook; {how}")
    if net is not None and not item.takes_net:
        raise ConfigError(f"{name!r} looks into no network")
    return Shown(item, item.run() if net is None else item.run(net))
