"""What fires in an NNUE network: its features, its neurons, and what a move changes in both (book, ch. 4.6).

The numbers are the network's own integers, computed step by step in numpy (`philidor.nets.nnue.reference`), the oracle
of the engine's compiled evaluation.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from philidor.core.errors import ConfigError
from philidor.core.svg import COLORS, GRID, INK, document, text
from philidor.evaluators.loading import load_net
from philidor.evaluators.nnue import NnueEvaluator
from philidor.games.chess import Position
from philidor.nets.nnue.reference import KINDS, accumulator, activate
from philidor.nets.shipped import DEFAULT_NET

_NAMES = dict(zip(KINDS.lower(), ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
_CELL, _COLUMNS = 14, 32


@dataclass(frozen=True, slots=True)
class Feature:
    """An input that is on in one side's view: a piece on a square, seen with the own king's square."""

    index: int
    piece: str
    """As FEN writes it."""
    square: str
    words: str
    """ "own king e1, white knight f3"."""


@dataclass(frozen=True, slots=True)
class View:
    """One side's half of the first layer."""

    side: str
    features: tuple[Feature, ...]
    neurons: tuple[int, ...]
    """What each neuron hands on, after its activation."""

    @property
    def firing(self) -> int:
        """How many neurons hand on something."""
        return sum(value > 0 for value in self.neurons)


@dataclass(frozen=True, slots=True)
class MoveChange:
    """What a move changes: features that go on and off in White's and Black's view, neurons, and the verdict."""

    move: str
    score_cp: int
    """After the move, in White's view."""
    on: tuple[tuple[str, ...], tuple[str, ...]]
    off: tuple[tuple[str, ...], tuple[str, ...]]
    neurons: tuple[int, int]
    """How many neurons of each view hand on another number than before."""
    largest: tuple[tuple[str, int, int, int], ...]
    """The neurons that change most: view, number, before, after."""


@dataclass(frozen=True, slots=True)
class Neurons:
    """A network at work on a position."""

    position: Position
    net: str
    score_cp: int
    """The verdict in White's view."""
    views: tuple[View, View]
    """White's, then Black's."""
    change: MoveChange | None

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return {
            "fen": self.position.fen(),
            "net": self.net,
            "score_cp": self.score_cp,
            "views": [asdict(view) | {"firing": view.firing} for view in self.views],
            "change": None if self.change is None else asdict(self.change),
        }

    def svg(self) -> str:
        """Draws both halves of the first layer, a square for each neuron: the darker, the more it hands on."""
        rows = -(-len(self.views[0].neurons) // _COLUMNS)
        parts = [text(16, 24, f"{self.score_cp / 100:+.2f} for White", color=INK, weight="600", size=15)]
        top = 40.0
        for view in self.views:
            most = max(1, *view.neurons)
            words = f"{view.side}: {len(view.features)} features on, {view.firing} of {len(view.neurons)} neurons fire"
            parts.append(text(16, top + 8, words))
            for number, value in enumerate(view.neurons):
                x, y = 16 + _CELL * (number % _COLUMNS), top + 16 + _CELL * (number // _COLUMNS)
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}" fill="{COLORS[0]}" '
                    f'fill-opacity="{value / most:.2f}" stroke="{GRID}"><title>neuron {number}: {value}</title></rect>'
                )
            top += 34 + _CELL * rows
        return document(32 + _CELL * _COLUMNS, top, parts)

    def _repr_svg_(self) -> str:
        return self.svg()


def neurons(position: Position, net: str | Path = DEFAULT_NET, *, move: str | None = None) -> Neurons:
    """Computes a network's first layer, and what a move changes in it if one is given. Raises ConfigError, NetError."""
    evaluator: Any = load_net(net)
    if not isinstance(evaluator, NnueEvaluator):
        raise ConfigError(f"{str(net)!r} is no NNUE network: it has no such features")
    views = (_view(evaluator, position, is_black=False), _view(evaluator, position, is_black=True))
    change = None if move is None else _change(evaluator, position, move, views)
    return Neurons(position, Path(net).name, _white_score(evaluator, position), views, change)


def _white_score(evaluator: NnueEvaluator, position: Position) -> int:
    return evaluator.centipawns(position) * (1 if position.turn else -1)


def _view(evaluator: NnueEvaluator, position: Position, *, is_black: bool) -> View:
    network = evaluator.network
    values = activate(network.architecture.activation, accumulator(network, position, is_black=is_black))
    features = _features(evaluator, position, is_black=is_black)
    return View("Black" if is_black else "White", features, tuple(int(value) for value in values))


def _features(evaluator: NnueEvaluator, position: Position, *, is_black: bool) -> tuple[Feature, ...]:
    features = evaluator.network.architecture.features
    (king,) = position.pieces("k" if is_black else "K")
    found = []
    for kind, letter in enumerate(KINDS if features.has_kings else KINDS[:-1]):
        for piece in (letter, letter.lower()):
            is_own = piece.islower() == is_black
            color = "black" if piece.islower() else "white"
            for square in position.pieces(piece):
                index = features.index(is_black=is_black, king=king, kind=kind, is_own=is_own, square=square)
                words = f"king {_square(king)}, {color} {_NAMES[letter.lower()]} {_square(square)}"
                found.append(Feature(index, piece, _square(square), words))
    return tuple(sorted(found, key=lambda feature: feature.index))


def _change(evaluator: NnueEvaluator, position: Position, text_of_move: str, views: tuple[View, View]) -> MoveChange:
    move = position.parse_move(text_of_move)
    after = position.play(move)
    new = (_view(evaluator, after, is_black=False), _view(evaluator, after, is_black=True))
    on, off, counts, largest = [], [], [], list[tuple[str, int, int, int]]()
    for old, fresh in zip(views, new, strict=True):
        before, behind = ({each.index: each.words for each in view.features} for view in (old, fresh))
        on.append(tuple(words for index, words in behind.items() if index not in before))
        off.append(tuple(words for index, words in before.items() if index not in behind))
        difference = np.array(fresh.neurons) - np.array(old.neurons)
        counts.append(int((difference != 0).sum()))
        for number in np.argsort(-np.abs(difference), kind="stable")[:5].tolist():
            largest.append((old.side, number, old.neurons[number], fresh.neurons[number]))
    largest.sort(key=lambda row: -abs(row[3] - row[2]))
    return MoveChange(
        move=position.san(move),
        score_cp=_white_score(evaluator, after),
        on=(on[0], on[1]),
        off=(off[0], off[1]),
        neurons=(counts[0], counts[1]),
        largest=tuple(largest[:8]),
    )


def _square(number: int) -> str:
    return f"{'abcdefgh'[number % 8]}{number // 8 + 1}"
