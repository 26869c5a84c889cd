"""Made-up NNUE networks of every kind of shape, and random games to judge with them."""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from philidor.games.chess import Position
from philidor.games.chess.game import chess960_position
from philidor.nets.nnue import ARCHITECTURES, Activation, Architecture, Features, Layer, Network, Orientation
from philidor.nets.nnue.architecture import king_buckets

SHARED = Path(os.environ["PHILIDOR_SHARED"]) if "PHILIDOR_SHARED" in os.environ else None
REAL = ("nn-82215d0fd0df", "nn-62ef826d1a6d")

EIGHT_BUCKETS = king_buckets(("7777", "7777", "6666", "6666", "5555", "5555", "4433", "0122"))

SHAPES = {
    **ARCHITECTURES,
    "pairwise": Architecture(
        features=Features(buckets=EIGHT_BUCKETS, is_mirrored=True),
        width=128,
        activation=Activation.PAIRWISE,
        hidden=(16, 32),
        output_buckets=8,
        scale=(100, 4096),
    ),
    "tiny": Architecture(
        features=Features(buckets=(0,) * 64, is_mirrored=True),
        width=64,
        activation=Activation.SQUARED,
        output_buckets=4,
        scale=(400, 255 * 64),
    ),
    "odd": Architecture(
        features=Features(buckets=EIGHT_BUCKETS, orientation=Orientation.ROTATE, has_kings=False, spare=3),
        width=192,
        hidden=(7, 33, 50),
        output_buckets=3,
    ),
    "direct": Architecture(features=Features(buckets=EIGHT_BUCKETS, is_mirrored=True), width=64),
}


def made_up(architecture: Architecture, seed: int = 0, *, is_extreme: bool = False) -> Network:
    """Returns a network of random weights, of the size that training gives or over the whole range of their types."""
    generator = np.random.default_rng(seed)

    def draw(bits: int, size: int, *shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.signedinteger]]:
        limit = 1 << (bits - 1)
        low, high = (-limit, limit) if is_extreme else (-size, size + 1)
        return generator.integers(low, high, shape, dtype=f"int{bits}")

    size = 90 if architecture.activation is Activation.CLIPPED else 180
    return Network(
        architecture,
        draw(16, size, architecture.width),
        draw(16, size // 3, architecture.features.count, architecture.width),
        tuple(
            tuple(
                Layer(draw(32, 4000, outputs), draw(8, 40, outputs, inputs))
                for outputs, inputs in architecture.layer_shapes
            )
            for _ in range(architecture.output_buckets)
        ),
        description=f"made up from seed {seed}",
    )


def random_positions(seed: int, count: int, *, chess960: bool = False) -> list[Position]:
    """Returns positions on the way through random games, the start position first."""
    generator = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = chess960_position(generator.randrange(960)) if chess960 else Position()
        for _ in range(200):
            found.append(position)
            if position.is_over() or len(found) == count:
                break
            position = position.play(generator.choice(position.legal_moves()))
    return found


def real_network(name: str) -> Path:
    """Returns the file of a real network; PHILIDOR_SHARED must be set."""
    assert SHARED is not None
    return SHARED / "nets" / f"{name}.nnue.zst"


def stockfish_judgments() -> Iterator[tuple[str, Position, int]]:
    """Yields network, position and Stockfish's integer; PHILIDOR_SHARED must be set."""
    assert SHARED is not None
    for line in (SHARED / "reference/sf12_nnue.jsonl").read_text().splitlines():
        row = json.loads(line)
        yield row["net"], Position(row["fen"]), row["raw"]
    for line in (SHARED / "reference/sf12_nnue_games.jsonl").read_text().splitlines():
        game = json.loads(line)
        position = Position(game["start"])
        yield game["net"], position, game["raw"][0]
        for move, integer in zip(game["moves"], game["raw"][1:], strict=True):
            position = position.play(move)
            yield game["net"], position, integer
