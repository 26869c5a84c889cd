"""Symmetric forms of encoded positions, made when they are drawn: a window keeps each position once (book, ch. 4.2.2).

A symmetry of a board moves squares and moves; seen through an encoding it moves the bits of every plane and the places
of the policy. Games whose symmetries do not say where these go keep all forms, encoded from their states. Chess has a
form that not every position has: left and right exchanged where nobody may castle.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from philidor.core.game import IDENTITY
from philidor.encodings.encoding import Batch
from philidor.encodings.mirrors import mirror_of
from philidor.train.shares import Shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding


class SymmetricForms:
    """All forms of a game's positions in one encoding, the identity first."""

    def __init__(self, inputs: NDArray[np.int64], places: NDArray[np.uint16], *, rights: tuple[int, ...] = ()) -> None:
        """Takes by form where each bit of a plane goes, and where each place of the policy goes.

        Only positions in which all scalars of these `rights` are 0 have other forms than themselves.
        """
        self._sources = np.argsort(inputs, axis=1)  # [forms, bits]
        self._places = places  # [forms, places]
        self._rights = rights

    @classmethod
    def of(cls, game: AnyGame, encoding: Encoding) -> SymmetricForms | None:
        """Returns the forms; None where a symmetry or the encoding does not say where bits and moves go."""
        bits, places = encoding.shape.height * encoding.shape.width, encoding.shape.policy_size
        inputs: list[tuple[int, ...] | range] = []
        actions: list[tuple[int, ...] | range] = []
        for symmetry in game.symmetries:
            if symmetry is IDENTITY:
                inputs.append(range(bits))
                actions.append(range(places))
                continue
            moved = encoding.moved_inputs(symmetry)
            if moved is None or symmetry.actions is None:
                return None
            inputs.append(moved)
            actions.append(symmetry.actions)
        return cls(np.array(inputs, np.int64), np.array(actions, np.uint16))

    @classmethod
    def for_training(cls, game: AnyGame, encoding: Encoding) -> SymmetricForms | None:
        """Returns the forms in which positions may be learned; None where there are none that are made of bits."""
        if len(game.symmetries) > 1:
            return cls.of(game, encoding)
        mirror = mirror_of(encoding.name)
        if mirror is None:
            return None
        inputs = np.array([range(len(mirror.inputs)), mirror.inputs], np.int64)
        places = np.array([range(len(mirror.places)), mirror.places], np.uint16)
        return cls(inputs, places, rights=mirror.rights)

    def __len__(self) -> int:
        return len(self._sources)

    def draw(self, batch: Batch, random: np.random.Generator) -> NDArray[np.int64]:  # [n]
        """Draws a form for each position, the identity where it has no other."""
        forms = random.integers(len(self), size=len(batch))
        if not self._rights:
            return forms
        return np.where((batch.scalars[:, list(self._rights)] == 0).all(axis=1), forms, 0)

    @property
    def sources(self) -> NDArray[np.int64]:  # [forms, bits]
        """By form: where each bit of a plane comes from."""
        return self._sources

    @property
    def places(self) -> NDArray[np.uint16]:  # [forms, places]
        """By form: where each place of the policy goes."""
        return self._places

    def batch(self, batch: Batch, forms: NDArray[np.int64]) -> Batch:
        """Returns each position in the form of this number; its moves stay in their order."""
        data = batch.planes.astype("<u8").view(np.uint8)  # [n, planes, bytes]
        images = self._images
        rows = (forms * (images.shape[1] << 8))[:, np.newaxis]
        by_byte = images.reshape(-1, images.shape[-1])
        turned = by_byte[rows + data[..., 0]]
        for place in range(1, images.shape[1]):
            turned |= by_byte[rows + (place << 8) + data[..., place]]
        legal = self._moved(batch.legal_offsets, batch.legal_index, forms)
        return Batch(turned, batch.scalars, batch.legal_offsets, legal)

    @cached_property
    def _images(self) -> NDArray[np.uint64]:  # [forms, bytes, 256, words]
        """Returns where the bits of each byte of a plane go, by form, the byte's place and its value.

        A plane's image is these joined, ten times as fast as moving bit by bit.
        """
        forms, size = self._sources.shape
        count, words = -(-size // 8), -(-size // 64)
        values = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little")
        images = np.zeros((forms, count, 256, 8 * words), np.uint8)
        for place in range(count):
            bits = np.zeros((256, 8 * count), np.uint8)
            bits[:, 8 * place : 8 * place + 8] = values
            moved = np.packbits(bits[:, self._sources], axis=-1, bitorder="little")  # [256, forms, bytes]
            images[:, place, :, :count] = moved.transpose(1, 0, 2)
        return images.view("<u8").astype(np.uint64, copy=False)

    def shares(self, shares: Shares, forms: NDArray[np.int64]) -> Shares:
        """Returns each row's places in the form of this number."""
        return Shares(shares.offsets, self._moved(shares.offsets, shares.places, forms), shares.shares)

    def squares(self, numbers: NDArray[np.int8], forms: NDArray[np.int64]) -> NDArray[np.int8]:  # [n, bits]
        """Returns each row's numbers, one for each bit of a plane, in the form of this number."""
        return np.take_along_axis(numbers, self._sources[forms], axis=1)

    def _moved(
        self, offsets: NDArray[np.int64], index: NDArray[np.uint16], forms: NDArray[np.int64]
    ) -> NDArray[np.uint16]:
        return self._places[np.repeat(forms, np.diff(offsets)), index]
