"""Games that were cut off teach their moves in full and their decreed draw a little; the window has a largest size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.records import GameRecord, RecordWriter, Result
from philidor.train.zero_config import WindowConfig, ZeroTrainingConfig
from philidor.train.zero_data import ReplayWindow, Samples

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.nets.torch.losses import losses  # noqa: E402


def _record(plies: int, termination: str) -> GameRecord:
    visits = ({0: 3, 1: 1},) * plies
    return GameRecord(indices=(0,) * plies, result=Result.DRAW, termination=termination, visits=visits)


def _window(tmp_path: Path, *, encoding: str, weight: float) -> ReplayWindow:
    game = load_game("connect4")
    with RecordWriter(tmp_path / "games.rec", game) as writer:
        for plies, termination in ((3, "max plies"), (2, "board full"), (4, "max plies")):
            writer.add(_record(plies, termination))
    config = ZeroTrainingConfig(capped_value_weight=weight)
    window = ReplayWindow(game, load_encoding(encoding, game), config)
    assert window.add(tmp_path / "games.rec") == 9
    return window


@pytest.mark.parametrize("encoding", ["text", "boards-1"], ids=["readable", "native"])
def test_the_result_of_a_game_that_was_cut_off_counts_less(tmp_path: Path, encoding: str) -> None:
    window = _window(tmp_path, encoding=encoding, weight=0.25)
    assert window._is_native is (encoding == "boards-1")
    newest = window.newest(9)
    assert newest.value_weight is not None
    assert newest.value_weight.tolist() == [0.25] * 3 + [1.0] * 2 + [0.25] * 4
    drawn = window.draw(64, np.random.default_rng(1))
    assert drawn.value_weight is not None
    assert set(drawn.value_weight.tolist()) == {0.25, 1.0}
    assert drawn.lesson().value_weight is drawn.value_weight
    plain = _window(tmp_path, encoding=encoding, weight=1.0)
    assert plain.newest(9).value_weight is None


def test_the_weight_is_the_values_alone() -> None:
    raw = {"policy": torch.tensor([[0.0, 1.0], [2.0, 0.0]]), "wdl": torch.tensor([[0.0, 1.0, 0.0], [3.0, 0.0, 0.0]])}
    targets = {
        "policy": torch.tensor([[1.0, 0.0], [1.0, 0.0]]),
        "wdl": torch.tensor([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]),
    }
    plain = losses(raw, targets)
    weighted = losses(raw, {**targets, "value_weight": torch.tensor([1.0, 0.25])})
    each = -torch.log_softmax(raw["wdl"], dim=1)[:, 1]
    assert weighted["policy"] == plain["policy"]
    assert weighted["wdl"].item() == pytest.approx(((each[0] + 0.25 * each[1]) / 1.25).item())


def test_the_window_has_a_largest_size_and_forgets_the_oldest(tmp_path: Path) -> None:
    assert WindowConfig(start=100, growth=0.5, limit=150).size(10**6) == 150
    assert WindowConfig(start=100, limit=50).size(80) == 50
    game = load_game("connect4")
    config = ZeroTrainingConfig(symmetries=False, window=WindowConfig(start=1000, limit=20))
    window = ReplayWindow(game, load_encoding("boards-1", game), config)
    whole: list[Samples] = []
    for number in range(30):
        path = tmp_path / f"{number}.rec"
        with RecordWriter(path, game) as writer:
            writer.add(_record(1 + number % 5, "board full"))
        window.add(path)
        whole.append(window.newest(1 + number % 5))
        assert window.size == min(20, window.total)
        assert len(window._parts) <= 5
    expected = np.concatenate([part.moves_left for part in whole])[-20:]
    np.testing.assert_array_equal(window.newest(20).moves_left, expected)
