"""States into tensors, and moves into policy indices and back (book, ch. 4.2.1, 4.3.1, 4.4.1 and 5.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from philidor.core.abilities import StonesOnGrid
from philidor.core.descriptor import descriptor_of
from philidor.core.errors import EncodingError

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding

KNOWN = "alphago-N, alphazero, boards-N, hexapawn, human-1, leela-FORMAT-flat, leela-FORMAT-planes, text"
_LEELA = re.compile(r"leela-([0-9]{1,4})-(flat|planes)")
_BOARDS = re.compile(r"boards-([0-9]{1,2})")
_ALPHAGO = re.compile(r"alphago-([0-9]{1,2})")


def default_encoding(game: AnyGame) -> Encoding:
    """Returns the encoding that a game is learned with when none is named: the one of its descriptor.

    If that names none, stones on a board become planes, with eight boards of history where the past can decide a game
    and one elsewhere; any other game is read by its text.
    """
    name = descriptor_of(game).encoding
    if name is None and isinstance(game.state(), StonesOnGrid):
        name = "boards-8" if game.repetition_matters else "boards-1"
    return load_encoding(name or "text", game)


def load_encoding(name: str, game: AnyGame) -> Encoding:
    """Returns the encoding of this name for a game. Raises EncodingError.

    Names: "alphazero", "leela-1-flat" (input format and policy), "human-1" (Leela's and both ratings), "boards-8"
    (AlphaGo Zero's, with eight boards of history), "alphago-48" (AlphaGo's planes; 4, 12, 20 or 49), "hexapawn", "text"
    (any game).
    """
    if name == "text":
        from philidor.encodings.text import TextEncoding

        return TextEncoding(game)
    if boards := _BOARDS.fullmatch(name):
        from philidor.encodings.boards import BoardEncoding

        return BoardEncoding(game, int(boards[1]))
    if alphago := _ALPHAGO.fullmatch(name):
        from philidor.encodings.alphago.native import NativeAlphaGoEncoding

        return NativeAlphaGoEncoding(game, int(alphago[1]))
    if name == "hexapawn":
        return _hexapawn(game)
    if name in ("alphazero", "human-1") or _LEELA.fullmatch(name):
        return _chess(name, game)
    raise EncodingError(f"no encoding {name!r}; known: {KNOWN}")


def _hexapawn(game: Any) -> Encoding:
    from philidor.encodings.hexapawn import HexapawnEncoding
    from philidor.games.hexapawn import Hexapawn

    if not isinstance(game, Hexapawn):
        raise EncodingError(f"the encoding 'hexapawn' is for hexapawn, got {game.name!r}")
    return HexapawnEncoding(game)


def _chess(name: str, game: AnyGame) -> Encoding:
    from philidor.encodings.leela import LeelaInput, LeelaPolicy
    from philidor.encodings.native import NativeAlphaZeroEncoding, NativeLeelaEncoding

    if game.name != "chess":
        raise EncodingError(f"the encoding {name!r} is for chess, got {game.name!r}")
    if name == "human-1":
        from philidor.encodings.human import HumanEncoding

        return HumanEncoding()
    leela = _LEELA.fullmatch(name)
    if leela is None:
        return NativeAlphaZeroEncoding()
    number = int(leela[1])
    if number not in {int(each) for each in LeelaInput}:
        formats = ", ".join(str(int(each)) for each in LeelaInput)
        raise EncodingError(f"Leela's input formats are {formats}, got {number}")
    return NativeLeelaEncoding(LeelaInput(number), policy=LeelaPolicy(leela[2]))
