"""lc0's own outputs, to compare with: from the folder that PHILIDOR_SHARED names."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from philidor.encodings.encoding import Batch
from philidor.encodings.leela import LeelaInput
from philidor.encodings.native import NativeLeelaEncoding
from philidor.games.chess import Position

SHARED = Path(os.environ.get("PHILIDOR_SHARED", "no folder"))
LC0_NETS = ("maia-1500", "meangirl-8")
_OUTPUTS = SHARED / "reference/lc0_outputs.jsonl"

needs_lc0_outputs = pytest.mark.skipif(not _OUTPUTS.is_file(), reason="PHILIDOR_SHARED has no lc0 outputs")


def assert_agrees_with_lc0(
    name: str, input_format: LeelaInput, run: Callable[[Batch], dict[str, NDArray[np.float32]]]
) -> None:
    """Compares places, logits, q and d on all positions of one network."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in _OUTPUTS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["net"] == name]
    assert len(rows) == 73
    positions = [_position(row) for row in rows]
    batch = NativeLeelaEncoding(input_format).encode(positions)
    found = run(batch)
    for number, (row, position) in enumerate(zip(rows, positions, strict=True)):
        places = dict(zip(position.legal_moves(), batch.legal(number).tolist(), strict=True))
        assert len(row["policy"]) == len(places)
        for text, expected in row["policy"].items():
            assert places[position.parse_uci(text)] == expected["idx"], (row["fen"], text)
            assert abs(found["policy"][number, expected["idx"]] - expected["logit"]) < 1e-4, (row["fen"], text)
        if "wdl" in found:
            win, draw, loss = found["wdl"][number].astype(float)
            assert abs(win - loss - row["q"]) < 1e-5, row["fen"]
            assert abs(draw - row["d"]) < 1e-5, row["fen"]
        else:
            assert abs(found["value"][number, 0] - row["q"]) < 1e-5, row["fen"]


def _position(row: dict[str, Any]) -> Position:
    position = Position(row["start_fen"])
    for move in row["moves"]:
        position = position.play(position.parse_uci(move))
    return position
