"""What the compiled core says of itself and of this CPU."""

from philidor._native import CPU_FEATURES, VARIANT

__all__ = ["CPU_FEATURES", "VARIANT"]
