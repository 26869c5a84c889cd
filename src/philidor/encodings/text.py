"""The default encoding: any game that can write its states can be learned (book, ch. 4.3.3 and 5.5).

A state's text is split at blanks. A field becomes one column per character place, in which one bit says what character
stands there. A field of digits is aligned at the right, so that units stand below units, and is a number besides, as a
share of the largest one met. Which characters, lengths and numbers occur is found out by playing random games, always
the same ones, so that every run of a program has the same encoding.

Who writes planes for a game of their own will learn it faster; this one asks for nothing.
"""

from __future__ import annotations

from typing import Any

from philidor.core.errors import EncodingError
from philidor.core.game import SECOND, AnyGame
from philidor.core.random import SplitMix64
from philidor.encodings.encoding import ReadableEncoding, Shape

_GAMES = 64
_MAX_PLIES = 512


class TextEncoding(ReadableEncoding[Any]):
    """One bit for each character at each place of the state's text, and a number for each field of digits."""

    name = "text"

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.example = game.state()
        texts = _sample_texts(game)
        self._numeric = [all(_is_number(fields[place]) for fields in texts) for place in range(len(texts[0]))]
        # Networks learn badly from large numbers.
        self._largest = [max(1.0, *(float(fields[place]) for fields in texts)) for place in self._number_fields()]
        characters = {character for fields in texts for field in fields for character in field}
        self._alphabet = {character: row for row, character in enumerate(sorted(characters))}
        self._widths = [max(len(fields[place]) for fields in texts) for place in range(len(self._numeric))]
        # A row below the known characters says that some other one stands there, and the last one who is to move.
        self.shape = Shape(
            packed_planes=1,
            scalar_planes=sum(self._numeric),
            height=len(self._alphabet) + 2,
            width=max(1, sum(self._widths)),
            policy_size=game.action_count,
        )

    def planes(self, state: Any) -> tuple[list[int], list[float]]:
        """Returns one plane of characters by places, and the numbers. Places beyond the known lengths are left out."""
        fields = _fields(state)
        if len(fields) != len(self._numeric):
            raise EncodingError(f"expected {len(self._numeric)} fields between blanks, got {state.text()!r}")
        width, unknown = self.shape.width, len(self._alphabet)
        bits = ((1 << width) - 1) << width * (unknown + 1) if state.to_move == SECOND else 0
        column = 0
        for field, is_number, length in zip(fields, self._numeric, self._widths, strict=True):
            shown = field[-length:].rjust(length) if is_number else field[:length]
            for offset, character in enumerate(shown):
                if character != " ":
                    bits |= 1 << width * self._alphabet.get(character, unknown) + column + offset
            column += length
        numbers = [fields[place] for place in self._number_fields()]
        values = [float(number) if _is_number(number) else 0.0 for number in numbers]
        return [bits], [value / largest for value, largest in zip(values, self._largest, strict=True)]

    def policy_index(self, state: Any, move: Any) -> int:
        """Returns the game's own number of the move."""
        return self._game.action_index(state, move)

    def _number_fields(self) -> list[int]:
        return [place for place, numeric in enumerate(self._numeric) if numeric]


def _fields(state: Any) -> list[str]:
    return str(state.text()).split() or [""]


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdigit()


def _sample_texts(game: AnyGame) -> list[list[str]]:
    """Returns the fields of the states of some random games. Raises EncodingError if their number varies."""
    random = SplitMix64(1)
    texts = []
    for _ in range(_GAMES):
        state = game.state()
        for _ in range(_MAX_PLIES):
            texts.append(_fields(state))
            if state.is_over():
                break
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
    counts = {len(fields) for fields in texts}
    if len(counts) > 1:
        raise EncodingError(
            f"the texts of {game.name!r} have {min(counts)} to {max(counts)} fields between blanks, and must have a "
            "fixed number for the default encoding"
        )
    return texts
