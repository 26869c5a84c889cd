"""Searches fixed positions to a fixed depth: the number of nodes is the search's signature, the rate its speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from philidor.core.thinking import Limits, Stop
from philidor.games.chess import Position
from philidor.players.player import Player

DEFAULT_DEPTH = 13
# Openings, middlegames and endings, quiet and sharp, from our own games and the perft positions.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/1PN1PN2/PB3PPP/R2QKB1R w KQ - 1 9",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/3P1B2/1PN1PN1P/P1Q1BPP1/2R2RK1 w - - 0 13",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 40",
    "8/5pk1/4p1p1/3pP2p/1r3P1P/2R3P1/5K2/8 w - - 4 45",
    "4k3/8/8/3BN3/8/3K4/8/8 w - - 0 1",
)


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What a run came to."""

    nodes: int
    """The signature, with one thread: it changes when, and only when, the search does."""
    seconds: float

    @property
    def nodes_per_second(self) -> int:
        """The speed."""
        return round(self.nodes / self.seconds)


def bench_lines(
    player: Player, depth: int | None = None, is_stopped: Stop = lambda: False
) -> Generator[str, None, BenchResult]:
    """Searches all positions; yields a line for each and the totals in the words other engines use."""
    limits = Limits(depth=depth or DEFAULT_DEPTH, replace_own=True)
    total, start = 0, time.perf_counter()
    for number, fen in enumerate(POSITIONS, start=1):
        if is_stopped():
            break
        player.new_game()
        nodes = player.think(Position(fen), limits, is_stopped).nodes
        total += nodes
        yield f"position {number}/{len(POSITIONS)}: {nodes} nodes"
    result = BenchResult(total, time.perf_counter() - start)
    yield f"Total time (ms) : {round(1000 * result.seconds)}"
    yield f"Nodes searched  : {result.nodes}"
    yield f"Nodes/second    : {result.nodes_per_second}"
    return result


def run_bench(player: Player, depth: int | None = None, say: Callable[[str], None] | None = None) -> BenchResult:
    """Searches all positions; `say` gets the lines."""
    lines = bench_lines(player, depth)
    while True:
        try:
            line = next(lines)
        except StopIteration as end:
            result: BenchResult = end.value
            return result
        if say:
            say(line)
