"""What training needs beyond the base install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from philidor.core.errors import ConfigError


@contextmanager
def torch_extra() -> Iterator[None]:
    """Says what is missing where an import inside fails. Raises ConfigError."""
    try:
        yield
    except ImportError as error:
        raise ConfigError(f"training needs torch ({error}): pip install 'philidor[train]'") from None
