"""The compiled core's variants (magics, PEXT) give the same answers; this process runs only one of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import philidor

PROGRAM = """
from philidor.games.chess import Position
position = Position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
print(position.perft(4))
print([(move.uci(), position.see(move), position.play(move).key) for move in position.legal_moves()])
"""
BUILT = sorted(
    path.name.split(".")[0].removeprefix("_ext_") for path in Path(philidor.__path__[0]).glob("_native/_ext_*.so")
)


def answers(variant: str) -> str:
    environment = {**os.environ, "PHILIDOR_VARIANT": variant}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(len(BUILT) < 2, reason=f"only {BUILT} of the variants are built")
def test_all_variants_give_the_same_answers() -> None:
    found = {variant: answers(variant) for variant in BUILT}
    assert len(set(found.values())) == 1
    assert found[BUILT[0]].startswith("4085603\n")


def test_a_variant_that_is_not_built_is_refused_by_name() -> None:
    environment = {**os.environ, "PHILIDOR_VARIANT": "v9"}
    result = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert result.returncode != 0
    assert "PHILIDOR_VARIANT='v9', but the variants built are" in result.stderr
