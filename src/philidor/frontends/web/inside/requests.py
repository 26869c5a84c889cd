"""What the page /inside asks for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from philidor.frontends.web.inside.schema import Algorithm
from philidor.frontends.web.requests import GameName, Request
from philidor.frontends.web.schema import ShortText


class InsideRequest(Request):
    """A position to look into; without a text the game's first one."""

    game: GameName = "chess"
    text: ShortText | None = None
    net: ShortText | None = None
    move: ShortText | None = None


class TreeRequest(InsideRequest):
    """A tree to grow."""

    algorithm: Algorithm
    simulations: int = Field(default=200, ge=1, le=20_000)
    depth: int = Field(default=3, ge=1, le=12)
    order: ShortText = "canonical"


class PlanesRequest(InsideRequest):
    """Planes of a network to show."""

    what: Literal["input", "layer", "filter"] = "input"
    number: int = Field(default=0, ge=0, le=10_000)
    """The layer, or the filter."""
    layer: int = Field(default=0, ge=0, le=10_000)
    """The filter's layer."""


class CompareRequest(InsideRequest):
    """Two networks to compare."""

    other: ShortText
