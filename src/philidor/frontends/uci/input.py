"""Lines from a file descriptor, each with the moment at which it came in.

Python's own text streams would decode what is no text, and say nothing of when a line arrived that waited in a buffer
while the one before it was obeyed. A clock must know.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

# The longest game on record makes a line of 10 kB. What has no end is cut, not kept.
_LONGEST_LINE = 1 << 20


def read_lines(descriptor: int) -> Iterator[tuple[str, int]]:
    """Yields (line, arrival by `time.perf_counter_ns`) until the end of input; any bytes make lines."""
    rest = bytearray()
    while True:
        chunk = os.read(descriptor, 1 << 16)
        arrived = time.perf_counter_ns()
        *lines, end = chunk.split(b"\n")
        for line in lines:
            yield _text((rest + line)[:_LONGEST_LINE]), arrived
            rest.clear()
        rest += end[: _LONGEST_LINE - len(rest)]
        if not chunk:
            if rest:
                yield _text(rest), arrived
            return


def _text(line: bytes | bytearray) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
