"""Chess under its short name: `from philidor.chess import Position` gives what `philidor.games.chess` has."""

from philidor.games.chess import *  # noqa: F403
from philidor.games.chess import __all__ as __all__  # noqa: PLC0414 - as it is, or mypy takes it for private
