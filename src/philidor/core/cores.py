"""How many threads are worth having on this machine."""

from __future__ import annotations

import os


def cores() -> int:
    """Returns how many of the machine's cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
