"""What training needs beyond the base install."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from philidor.core.errors import ConfigError


@contextmanager
def torch_extra() -> Iterator[None]:
    """Says what is missing where an import inside fails. Raises ConfigError."""
    # Torch reads it when it is imported. Its threads spin otherwise while they wait for each other, and where something
    # else wants the cores too they spin for nothing (docs/benchmarks.md). Alone it makes no difference.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        yield
    except ImportError as error:
        raise ConfigError(f"training needs torch ({error}): pip install '.[train]' in philidor's folder") from None
