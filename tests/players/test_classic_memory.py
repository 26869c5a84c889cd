"""A long analysis does not grow: the engine's tables are made once, and every search gives back what it took."""

import sys
from pathlib import Path

import pytest

from philidor.games.chess import Position
from philidor.players.bench import POSITIONS
from philidor.players.classic import ClassicConfig, ClassicPlayer


def resident_kib() -> int:
    """How much of this process is in memory now."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_stays_flat_over_a_long_analysis() -> None:
    player = ClassicPlayer(ClassicConfig(hash=4, threads=2))

    def analyse_all() -> None:
        for fen in POSITIONS:
            player.analyse(Position(fen), nodes=10_000, lines=2)

    analyse_all()  # every page of the tables has been touched
    before = resident_kib()
    for _ in range(5):
        analyse_all()
    assert resident_kib() - before < 1024
