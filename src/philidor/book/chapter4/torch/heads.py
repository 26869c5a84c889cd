"""Two ways to answer with a move (ch. 4.3): 73 planes of moves by their square, or one flat list of all moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from philidor.book.items import Exhibit, Finding, Table
from philidor.book.torch import one_thread
from philidor.core.charts import Chart, Series
from philidor.core.random import SplitMix64
from philidor.encodings import load_encoding
from philidor.encodings.chess_moves import FLAT_SIZE, KINDS
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.players import load_engine

_PIECES = 12
_NODES = 100
_LEARNED, _KEPT = 5_000, 1_000
_STEPS, _BATCH, _EVERY = 500, 100, 50
# Every second move is drawn by chance, so that games differ and positions are not all quiet.
_OPENING_PLIES, _PLIES = 4, 60


def _taught_positions(count: int) -> Iterator[tuple[Position, str]]:
    """Yields positions of games with many random moves, and what our engine plays there after a short search."""
    engine, random = load_engine("nnue"), SplitMix64(1)
    found = 0
    while found < count:
        position = Position()
        for ply in range(_PLIES):
            if position.is_over() or found == count:
                break
            legal = position.legal_moves()
            drawn = legal[random.below(len(legal))]
            if ply >= _OPENING_PLIES:
                best = engine.analyse(position, nodes=_NODES).best
                assert best is not None
                yield position, best
                found += 1
                position = position.play(best if random.below(2) else drawn)
            else:
                position = position.play(drawn)


class Data:
    """Positions as planes of pieces, with the number of the right move in both lists."""

    def __init__(self, count: int) -> None:
        taught = list(_taught_positions(count))
        positions = [position for position, _ in taught]
        places = [position.legal_moves().index(position.parse_move(best)) for position, best in taught]
        answers: dict[bool, NDArray[np.int64]] = {}
        for is_flat, name in ((False, "leela-1-planes"), (True, "leela-1-flat")):
            batch = load_encoding(name, load_game("chess")).encode(positions)
            answers[is_flat] = np.array([batch.legal(row)[place] for row, place in enumerate(places)], dtype=np.int64)
        squares = np.arange(64, dtype=np.uint64)
        bits = (batch.planes[:, :_PIECES] >> squares) & np.uint64(1)  # [n, 12, 64]
        self.planes = torch.from_numpy(bits.astype(np.float32).reshape(count, _PIECES, 8, 8))
        self.answers = {is_flat: torch.from_numpy(places) for is_flat, places in answers.items()}


class MoveNet(nn.Module):
    """A small tower of convolutions and a policy head: 73 planes, or a list of moves behind some planes."""

    def __init__(self, *, flat_planes: int, width: int = 32) -> None:
        """With `flat_planes` 0 the head is the 73 planes."""
        super().__init__()
        self.tower = nn.Sequential(
            nn.Conv2d(_PIECES, width, 3, padding=1),
            nn.ReLU(),
            *(part for _ in range(3) for part in (nn.Conv2d(width, width, 3, padding=1), nn.ReLU())),
        )
        if flat_planes:
            # A list as AlphaGo Zero and the first Leela had it: some planes, then every move from all of their numbers.
            listed = nn.Linear(64 * flat_planes, FLAT_SIZE)
            self.head = nn.Sequential(nn.Conv2d(width, flat_planes, 1), nn.ReLU(), nn.Flatten(), listed)
        else:
            self.head = nn.Sequential(nn.Conv2d(width, KINDS, 1), nn.Flatten())

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, 12, 8, 8] to [n, moves]."""
        answer: Tensor = self.head(self.tower(planes))
        return answer


def _trained(data: Data, flat_planes: int) -> tuple[list[tuple[float, float]], float, int]:
    """Returns the loss on kept positions by step, the share of moves found at the end, and the number of weights."""
    torch.manual_seed(1)
    random = torch.Generator().manual_seed(1)
    net, answers = MoveNet(flat_planes=flat_planes), data.answers[flat_planes > 0]
    optimizer = torch.optim.Adam(net.parameters(), lr=0.002)
    curve, share = [], 0.0
    for step in range(1, _STEPS + 1):
        rows = torch.randint(_LEARNED, (_BATCH,), generator=random)
        loss = nn.functional.cross_entropy(net(data.planes[rows]), answers[rows])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if step % _EVERY == 0:
            with torch.no_grad():
                judged = net(data.planes[_LEARNED:])
            right = answers[_LEARNED:]
            curve.append((float(step), nn.functional.cross_entropy(judged, right).item()))
            share = (judged.argmax(dim=1) == right).float().mean().item()
    return curve, share, sum(weights.numel() for weights in net.parameters())


_HEADS = {"73 planes": 0, "flat, behind 2 planes": 2, "flat, behind 32 planes": 32}
"""By the planes before the list; 2 planes are the 128 numbers of Leela's bug (ch. 4.4.1)."""


def flat_or_planes() -> Exhibit:
    """Section 4.3: both heads work, and the planes train faster, the book says; 4.4.1 tells of a bottleneck."""
    data = Data(_LEARNED + _KEPT)
    with one_thread():
        runs = {name: _trained(data, flat_planes) for name, flat_planes in _HEADS.items()}
    rows = tuple(
        (name, f"{min(loss for _, loss in curve):.2f}", f"{100 * share:.1f} %", f"{weights:,}")
        for name, (curve, share, weights) in runs.items()
    )
    least = {name: min(loss for _, loss in curve) for name, (curve, _, _) in runs.items()}
    faster = least["73 planes"] < least["flat, behind 32 planes"]
    bottleneck = least["flat, behind 32 planes"] < least["flat, behind 2 planes"]
    findings = (
        Finding("the planes train faster", "yes", "yes" if faster else "no", faster),
        Finding("128 numbers before the list are a bottleneck", "yes", "yes" if bottleneck else "no", bottleneck),
    )
    notes = (
        f"{_LEARNED:,} positions with the moves of nnue at {_NODES} positions each; judged on {_KEPT:,} others; "
        f"{_STEPS} steps of {_BATCH}.",
    )
    chart = Chart(
        "Loss on positions that were not learned",
        "step",
        tuple(Series(name, tuple(curve)) for name, (curve, _, _) in runs.items()),
    )
    table = Table("Policy heads on one tower", ("head", "lowest loss", "moves found", "weights"), rows)
    return Exhibit(findings, notes, (chart,), tables=(table,))
