"""What the compiled core says of itself and of this CPU."""

from philidor._native import CPU_FEATURES, VARIANT
from philidor._native._ext import nnue_kernels

__all__ = ["CPU_FEATURES", "VARIANT", "nnue_kernels"]
