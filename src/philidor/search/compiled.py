"""What the compiled core can play: self-play and the reading of its games for training ask the same question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from philidor.core.descriptor import native_name
from philidor.core.errors import ConfigError
from philidor.search.native import native_root

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding


def knows(game: AnyGame, encoding: Encoding) -> bool:
    """Says whether the compiled core can play this game with this encoding.

    A game of the user's own, even one that is derived from ours, may have other rules and is played in Python.
    """
    if native_name(game) is None or encoding.twin is None:
        return False
    try:
        native_root(game.state())
    except ConfigError:  # a board that the core cannot hold
        return False
    return True
