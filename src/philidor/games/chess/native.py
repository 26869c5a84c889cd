"""The compiled chess rules."""

from philidor._native._ext import Move, SyzygyTables
from philidor._native._ext import Position as NativePosition

# Pickles and error messages name the place users import from, not the variant of the compiled core that this
# machine happens to run: another machine may run another.
Move.__module__ = "philidor.games.chess"

__all__ = ["Move", "NativePosition", "SyzygyTables"]
