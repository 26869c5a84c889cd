"""The colors of a board, for terminals with 16, 256 or all of them."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Palette:
    """Squares of middle brightness, so that white and black pieces stand out on all of them."""

    light: str
    dark: str
    light_marked: str
    dark_marked: str
    check: str
    first: str = "#ffffff"
    second: str = "#000000"


_SIXTEEN = Palette(
    light="cyan",
    dark="green",
    light_marked="yellow",
    dark_marked="yellow",
    check="red",
    first="bright_white",
    second="black",
)
# By the names that rich has for what a terminal can do. Left to itself, rich would turn the brown of the last
# palette into purple or yellow.
PALETTES = {
    "standard": _SIXTEEN,
    "windows": _SIXTEEN,
    "256": Palette(
        light="color(137)",
        dark="color(94)",
        light_marked="color(143)",
        dark_marked="color(100)",
        check="color(167)",
        first="color(231)",
        second="color(16)",
    ),
    "truecolor": Palette(
        light="#c0976a", dark="#94653e", light_marked="#aaa23a", dark_marked="#87802a", check="#c8403a"
    ),
}
