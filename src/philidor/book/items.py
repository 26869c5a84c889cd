"""What an item of the book is, and what running one gives: numbers beside the book's, notes, pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from philidor.core.charts import Panel

Status = Literal["same", "corrected", "experiment", "not reproducible"]
"""The book's own result; its result put right; what the book only tells, measured; what cannot be had."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One number: what it is, what the book prints, what came out here."""

    what: str
    book: str
    """Empty where the book gives no number."""
    ours: str
    agrees: bool | None = None
    """Whether ours is the book's, or what the correction or the experiment claims; None if nothing is claimed."""


@dataclass(frozen=True, slots=True)
class Table:
    """What has more columns than the book's number and ours."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Each as long as the header."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What an item shows."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    panels: tuple[Panel, ...] = ()
    columns: int = 2
    """Panels in a row."""
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A listing, figure, table or section of the book that runs."""

    name: str
    """What a user types, such as fig-2.4, listing-2.1, table-2.2 or 2.7."""
    title: str
    section: str
    status: Status
    code: str
    """The file that does it."""
    run: Callable[..., Exhibit] | None = None
    """None for what cannot be reproduced, or has a command of its own."""
    reason: str = ""
    """Why it is corrected or cannot be reproduced."""
    also: tuple[str, ...] = field(default=())
    """Other names of the same item: a listing and the figure it draws."""
    needs_torch: bool = False
    command: str = ""
    """What to type where it is more than an item: minutes to hours, with a folder that keeps it."""
    takes_net: bool = False
    """Whether `run` takes a network's file."""

    @property
    def chapter(self) -> str:
        """The number of its chapter."""
        return self.section.split(".")[0]

    @property
    def heading(self) -> str:
        """Its names in a line that fits above a picture."""
        return ", ".join(self.names) if len(self.names) <= 3 else f"{self.name} and {len(self.also)} more"

    @property
    def names(self) -> tuple[str, ...]:
        """Returns every name that it has."""
        return (self.name, *self.also)


def close(what: str, book: float, ours: float, tolerance: float, digits: int = 4) -> Finding:
    """Returns a finding that agrees if both numbers are within the tolerance."""
    return Finding(what, f"{book:g}", f"{ours:.{digits}g}", bool(abs(book - ours) <= tolerance))
