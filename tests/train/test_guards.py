"""The guards before zero training: each is passed by a sound network and failed by a planted fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import RunError
from philidor.encodings import default_encoding
from philidor.games import load_game
from philidor.nets.network_config import preset
from philidor.train.solved_data import SolvedPositions
from philidor.train.zero_config import ZeroTrainingConfig
from philidor.train.zero_data import Samples

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.nets.torch.model import Model, build  # noqa: E402
from philidor.train.torch import guards  # noqa: E402

torch.set_num_threads(1)
CONFIG = ZeroTrainingConfig(device="cpu")


@pytest.fixture(scope="module")
def samples() -> Samples:
    game = load_game("hexapawn")
    return SolvedPositions(game, default_encoding(game)).draw(200, np.random.default_rng(1))


def _model() -> Model:
    return build(preset("mlp", "hexapawn", filters=64, blocks=2), seed=1)


def test_a_sound_network_passes(samples: Samples) -> None:
    found = guards.check_start(_model(), samples, CONFIG)
    assert [guard.is_passed for guard in found] == [True] * 4


def test_a_policy_that_begins_sure_of_itself_is_refused(samples: Samples) -> None:
    model = _model()
    with torch.no_grad():
        for parameter in model.heads["policy"].parameters():
            parameter.mul_(300)
    with pytest.raises(RunError, match=r"policy entropy 0\.\d+ \(at least 0\.6\)"):
        guards.check_start(model, samples, CONFIG)


def test_a_judge_with_the_wrong_sign_is_refused(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    honest: Callable[..., Any] = guards._judge

    def turned(model: Model, asked: Samples) -> Any:
        judged = honest(model, asked)
        return judged._replace(wdl=judged.wdl[:, ::-1])

    monkeypatch.setattr(guards, "_judge", turned)
    with pytest.raises(RunError, match="value signs after one batch"):
        guards.check_start(_model(), samples, CONFIG)
