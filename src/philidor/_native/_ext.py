"""Becomes the variant of the compiled core that was chosen; `_ext.pyi` says what is in it."""

import importlib
import sys

from philidor._native import VARIANT

sys.modules[__name__] = importlib.import_module(f"philidor._native._ext_{VARIANT}")
