"""Chooses the variant of the compiled core that this CPU runs best; `philidor._native._ext` becomes it.

Only files named `native.py` import this package.
"""

import importlib.util
import os

from philidor._native import _cpu

CPU_FEATURES: dict[str, bool] = _cpu.features()

# Best first. A variant is usable when it was built and the CPU has all it needs. v3 uses PEXT for the
# sliding pieces, so a CPU with a slow PEXT is better off with v2's magics.
_NEEDS = {
    "v3": ("avx2", "bmi", "bmi2", "fma", "popcnt", "fast_pext"),
    "v2": ("popcnt", "sse4.2"),
    "generic": (),
}


def _choose() -> str:
    """Names the variant to load; PHILIDOR_VARIANT overrides the choice (for tests and benchmarks)."""
    forced = os.environ.get("PHILIDOR_VARIANT")
    built = [v for v in _NEEDS if importlib.util.find_spec(f"{__name__}._ext_{v}") is not None]
    if forced:
        if forced not in built:
            raise ImportError(f"PHILIDOR_VARIANT={forced!r}, but the variants built are {built}")
        return forced
    for variant in built:
        if all(CPU_FEATURES.get(feature, False) for feature in _NEEDS[variant]):
            return variant
    raise ImportError(f"no variant of the compiled core runs on this CPU: built {built}, CPU has {CPU_FEATURES}")


VARIANT = _choose()
