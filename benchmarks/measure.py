"""What all benchmarks share: where they ran, how time is taken, and the shape of their JSON."""

import json
import os
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path


def machine() -> dict[str, object]:
    """Says where this ran and how busy it was."""
    cpu = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else cpu
    return {"cpu": cpu, "logical_cpus": os.cpu_count(), "load": os.getloadavg()[0], "python": platform.python_version()}


def headline(where: dict[str, object]) -> str:
    """Writes `machine()` in one line."""
    return f"{where['cpu']}, {where['logical_cpus']} logical CPUs, load {where['load']:.1f}"


def median(values: Sequence[float]) -> float | None:
    """Returns the median, or None of nothing."""
    return statistics.median(values) if values else None


def as_json(benchmark: str, where: dict[str, object], rows: Sequence[dict[str, object]]) -> str:
    """Writes the result of a benchmark that ran in one thread."""
    return json.dumps({"benchmark": benchmark, "machine": where, "threads": 1, "rows": rows}, indent=2)
