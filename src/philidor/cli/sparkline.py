"""Numbers as a line of blocks, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

_SPARKS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int) -> str:
    """Draws numbers as a line of at most `width` blocks; more of them than fit are averaged."""
    size = -(-len(values) // width)
    shown = [sum(part) / len(part) for part in (values[at : at + size] for at in range(0, len(values), size))]
    low, high = min(shown), max(shown)
    return "".join(_SPARKS[round((value - low) / max(high - low, 1e-9) * (len(_SPARKS) - 1))] for value in shown)
