"""What each piece is worth to an NNUE network here: the verdict with it less the verdict without it (book, ch. 4.6)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from philidor.core.errors import ConfigError
from philidor.evaluators.loading import load_net
from philidor.evaluators.nnue import NnueEvaluator
from philidor.games.chess import Position
from philidor.nets.shipped import DEFAULT_NET

_FILES = "abcdefgh"


@dataclass(frozen=True, slots=True)
class PieceValues:
    """The pieces of a position. All numbers are centipawns in White's view."""

    position: Position
    net: str
    score_cp: int
    """The network's verdict on the whole position."""
    values: dict[str, int]
    """Square -> what White loses when the piece on it is left out; kings have to stay."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return {"fen": self.position.fen(), "net": self.net, "score_cp": self.score_cp, "values": self.values}

    def svg(self) -> str:
        """Draws the board with each piece's worth in pawns; what matters most glows."""
        labels = {square: f"{abs(value) / 100:.1f}" for square, value in self.values.items()}
        heat = {square: float(abs(value)) for square, value in self.values.items()}
        return self.position.svg(labels=labels, heat=heat)

    def _repr_svg_(self) -> str:
        return self.svg()


def piece_values(position: Position, net: str | Path = DEFAULT_NET) -> PieceValues:
    """Asks the network once for the position and once without each piece. Raises ConfigError, NetError."""
    evaluator: Any = load_net(net)
    if not isinstance(evaluator, NnueEvaluator):
        raise ConfigError(f"{str(net)!r} is no NNUE network: only these are asked with pieces left out")
    found = evaluator.piece_values(position)
    names = {f"{_FILES[square % 8]}{square // 8 + 1}": value for square, value in found.items()}
    score = evaluator.centipawns(position) * (1 if position.turn else -1)
    return PieceValues(position, str(net), score, names)
