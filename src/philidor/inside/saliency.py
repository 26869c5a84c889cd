"""What a network looks at: how likely its move is without what stands on each square (book, ch. 4.2 and 4.4).

Every square is hidden from the network once, in all planes of its input, and the network is asked again. A square
without which the chosen move loses most of its probability is one that the network's choice rests on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from philidor.core.abilities import move_name
from philidor.core.errors import ConfigError
from philidor.core.game import SECOND, AnyState
from philidor.core.grid import EMPTY, Grid, board_rows
from philidor.core.svg import COLORS, GRID, INK, document, text
from philidor.encodings.encoding import Batch
from philidor.games.chess import Position
from philidor.inside.layers import net_evaluator

_SIDE = 44
_BOARD_PLANES = 12
"""The pieces of both sides as they stand now."""


@dataclass(frozen=True, slots=True)
class Saliency:
    """How much the probability of a move rests on each square."""

    state: AnyState
    net: str
    move: str
    probability: float
    """Of the move with everything in sight."""
    value: float
    """Of the position, for the side to move."""
    squares: dict[str, float]
    """Occupied square -> what the move's probability loses when the network cannot see it; below zero it gains."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        names = ("net", "move", "probability", "value", "squares")
        return {"state": self.state.text(), **{name: getattr(self, name) for name in names}}

    def svg(self) -> str:
        """Draws the board; what the choice rests on glows, in another color what stands against it."""
        rows = board_rows(self.state.text())
        assert rows is not None
        grid, most = Grid(len(rows[0]), len(rows)), max(1e-9, *map(abs, self.squares.values()))
        parts = [text(16, 24, f"{self.move}: {self.probability:.1%}", color=INK, weight="600", size=15)]
        for row, line in enumerate(rows):
            for column, piece in enumerate(line):
                x, y = 16 + _SIDE * column, 38 + _SIDE * row
                loss = self.squares.get(grid.name((len(rows) - 1 - row) * len(line) + column), 0.0)
                color = COLORS[1] if loss >= 0 else COLORS[0]
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" fill="{color}" '
                    f'fill-opacity="{abs(loss) / most:.2f}" stroke="{GRID}"><title>{loss:+.1%}</title></rect>'
                )
                if piece != EMPTY:
                    parts.append(text(x + _SIDE / 2, y + 28, piece, anchor="middle", color=INK, size=18))
        return document(32 + _SIDE * len(rows[0]), 54 + _SIDE * len(rows), parts)

    def _repr_svg_(self) -> str:
        return self.svg()


def saliency(state: AnyState, net: str | Path, *, move: str | None = None) -> Saliency:
    """Asks a network once for each occupied square, which is hidden. Without a move, the likeliest one.

    Raises ConfigError, IllegalMoveError, NetError.
    """
    evaluator = net_evaluator(net)
    rows = board_rows(state.text())
    if rows is None or state.is_over():
        raise ConfigError("there is no board to hide squares of, or no move to choose")
    cells = "".join(reversed(rows))
    grid = Grid(len(rows[0]), len(rows))
    occupied = [square for square, piece in enumerate(cells) if piece != EMPTY]
    plain = evaluator.encoding.encode([state])
    places = _places_seen(state, plain, occupied)
    whole = evaluator.evaluate_encoded([state], plain)[0]
    legal = list(state.legal_moves())
    place = int(np.argmax(whole.priors)) if move is None else legal.index(state.parse_move(move))
    hidden = _hidden(plain, [places[square] for square in occupied])
    answers = evaluator.evaluate_encoded([state] * len(occupied), hidden)
    share = float(whole.priors[place])
    losses = {
        grid.name(square): share - float(answer.priors[place]) for square, answer in zip(occupied, answers, strict=True)
    }
    name = move_name(state, legal[place])
    return Saliency(state, Path(net).name, name, share, whole.value, losses)


def _places_seen(state: AnyState, batch: Batch, occupied: list[int]) -> dict[int, int]:
    """Returns for each square its bit in the planes: chess networks see the board from the mover's side.

    Raises ConfigError for a network that turns its boards otherwise.
    """
    flip = 56 if isinstance(state, Position) and state.to_move == SECOND else 0
    places = {square: square ^ flip for square in occupied}
    bits = np.unpackbits(batch.planes[0].view(np.uint8), axis=-1, bitorder="little")
    seen = set(np.flatnonzero(bits[:_BOARD_PLANES].any(axis=0)).tolist())
    if isinstance(state, Position) and seen != set(places.values()):
        raise ConfigError("this network turns its boards in a way of its own: its squares cannot be hidden one by one")
    return places


def _hidden(batch: Batch, places: list[int]) -> Batch:
    """Repeats a state, each time without one square in any plane."""
    planes = np.repeat(batch.planes, len(places), axis=0)
    for row, place in enumerate(places):
        planes[row, :, place // 64] &= ~(np.uint64(1) << np.uint64(place % 64))
    count = len(batch.legal_index)
    return replace(
        batch,
        planes=planes,
        scalars=np.repeat(batch.scalars, len(places), axis=0),
        legal_offsets=np.arange(len(places) + 1, dtype=np.int64) * count,
        legal_index=np.tile(batch.legal_index, len(places)),
    )
