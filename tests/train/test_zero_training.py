"""What a step of zero training does to the weights: the heads' shares of the loss, the rate, the running mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import RunError
from philidor.encodings import default_encoding
from philidor.games import load_game
from philidor.nets.network_config import preset
from philidor.train.solved_data import SolvedPositions
from philidor.train.zero_config import ZeroTrainingConfig

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.nets.torch.files import arrays_of, load_network, save_network  # noqa: E402
from philidor.train.torch.zero import Plan, ZeroTrainer  # noqa: E402

torch.set_num_threads(1)

HEXAPAWN = load_game("hexapawn")
SOLVED = SolvedPositions(HEXAPAWN, default_encoding(HEXAPAWN))
RATE = 0.01

Weights = dict[str, Any]  # tensors by name


def _trainer(value: str = "wdl", **settings: Any) -> ZeroTrainer:
    """A trainer whose steps are the bare gradient: no momentum, no decay, no clipping, unless told otherwise."""
    network = preset("mlp", "hexapawn", filters=16, blocks=1, value=value, moves_left=True)
    bare: dict[str, Any] = {"optimizer": "sgd", "momentum": 0.0, "l2": 0.0, "clip": 0.0, "batch": 32, "device": "cpu"}
    return ZeroTrainer(network, ZeroTrainingConfig(**bare | settings), seed=1)


def _train(trainer: ZeroTrainer, folder: Path, steps: int = 1, rate: float = RATE) -> dict[str, float]:
    plan = Plan(generation=trainer.generation, steps=steps, learning_rate=rate)
    losses = trainer.train(SOLVED, plan, checkpoint=folder / "trainer.pt")
    assert losses is not None
    return losses


def _weights(trainer: ZeroTrainer, *, of_player: bool = False) -> Weights:
    model = trainer.player if of_player else trainer.model
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items() if tensor.is_floating_point()}


def _moved(trainer: ZeroTrainer, folder: Path, head: str) -> list[Any]:
    """Returns how far one step moves the weights of a head."""
    before = _weights(trainer)
    _train(trainer, folder)
    after = _weights(trainer)
    return [after[name] - before[name] for name in before if name.startswith(f"heads.{head}.")]


@pytest.mark.parametrize(
    ("value", "head", "setting"),
    [("wdl", "wdl", "value_weight"), ("tanh", "value", "value_weight"), ("wdl", "moves_left", "moves_left_weight")],
)
def test_the_weight_of_a_head_scales_its_steps(tmp_path: Path, value: str, head: str, setting: str) -> None:
    once = _moved(_trainer(value, **{setting: 1.0}), tmp_path, head)
    thrice = _moved(_trainer(value, **{setting: 3.0}), tmp_path, head)
    assert max(float(step.abs().max()) for step in once) > 1e-6
    for single, triple in zip(once, thrice, strict=True):
        torch.testing.assert_close(triple, 3 * single, rtol=1e-2, atol=1e-7)
    assert not any(step.any() for step in _moved(_trainer(value, **{setting: 0.0}), tmp_path, head))


def test_the_reported_loss_is_the_weighted_sum_of_the_heads(tmp_path: Path) -> None:
    losses = _train(_trainer(value_weight=3.0, moves_left_weight=0.5), tmp_path)
    expected = losses["policy"] + 3.0 * losses["wdl"] + 0.5 * losses["moves_left"]
    assert losses["loss"] == pytest.approx(expected, rel=1e-5)


def test_the_rate_warms_up_over_fifty_steps(tmp_path: Path) -> None:
    trainer = _trainer()
    rates = []
    for steps in (1, 9, 40, 10):
        _train(trainer, tmp_path, steps)
        rates.append(float(trainer.learner.optimizer.param_groups[0]["lr"]))
    assert rates == pytest.approx([RATE / 50, RATE / 5, RATE, RATE])


def test_long_gradients_are_shortened(tmp_path: Path) -> None:
    trainer = _trainer(clip=0.1)
    before = _weights(trainer)
    _train(trainer, tmp_path, rate=1.0)
    after = _weights(trainer)
    names = [name for name, _ in trainer.model.named_parameters()]
    length = sum(float((after[name] - before[name]).square().sum()) for name in names) ** 0.5
    assert length == pytest.approx(0.1 / 50, rel=1e-3)


def test_the_running_mean_is_what_one_computes_by_hand(tmp_path: Path) -> None:
    """After step n the mean keeps min(ema, (1 + n) / (10 + n)) of itself: the random start is soon forgotten."""
    trainer = _trainer(ema=0.2)
    mean = _weights(trainer)
    for keep in (2 / 11, 0.2, 0.2):
        _train(trainer, tmp_path, rate=1.0)
        now = _weights(trainer)
        mean = {name: keep * mean[name] + (1 - keep) * now[name] for name in mean}
    for name, tensor in _weights(trainer, of_player=True).items():
        torch.testing.assert_close(tensor, mean[name], rtol=1e-5, atol=1e-7)
    assert any(not torch.equal(mean[name], now[name]) for name in mean)


def test_the_rate_falls_like_a_cosine_from_the_first_to_the_last() -> None:
    config = ZeroTrainingConfig(learning_rate=0.5, final_learning_rate=0.1)
    found = [config.rate_at(progress) for progress in (0.0, 1 / 3, 0.5, 1.0, 2.0)]
    assert found == pytest.approx([0.5, 0.4, 0.3, 0.1, 0.1])


def test_a_state_is_torch_s_own_file_and_is_gone_on_from(tmp_path: Path) -> None:
    trainer = _trainer()
    _train(trainer, tmp_path, steps=2)
    # A table that torch reads without running code.
    fields = torch.load(tmp_path / "trainer.pt", weights_only=True)
    own = {"generation", "steps_done", "is_growing", "network"}
    assert set(fields) == {"model", "average", "optimizer", "step"} | own
    again = _trainer()
    again.restore(tmp_path / "trainer.pt")
    assert (again.step, again.generation, again.steps_done) == (2, 1, 0)
    assert all(torch.equal(tensor, _weights(trainer)[name]) for name, tensor in _weights(again).items())


def test_the_state_of_another_network_is_refused_in_one_line(tmp_path: Path) -> None:
    _trainer().save(tmp_path / "trainer.pt")
    with pytest.raises(RunError, match=r"cannot go on from .*trainer.pt', the state of another network") as caught:
        _trainer(value="tanh").restore(tmp_path / "trainer.pt")
    assert "\n" not in str(caught.value)
    torch.save({"model": {}}, tmp_path / "trainer.pt")
    with pytest.raises(RunError, match="the state of another network"):
        _trainer().restore(tmp_path / "trainer.pt")
    with pytest.raises(RunError, match=r"cannot write .*: No such file or directory"):
        _trainer().save(tmp_path / "nowhere/trainer.pt")


def test_a_network_from_a_file_is_the_same_network_with_scaled_inputs(tmp_path: Path) -> None:
    network = preset("2x32", "chess", "alphazero", filters=8, blocks=1)
    start = tmp_path / "start.safetensors"
    scaled = ZeroTrainingConfig(device="cpu", scale_inputs=True)
    save_network(start, ZeroTrainer(network, scaled, seed=1).player)
    again = ZeroTrainer(network, scaled, seed=2, start=start)
    assert again.model.input_scale is not None
    expected, found = (arrays_of(model) for model in (load_network(start), again.player))
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-6, atol=1e-9, err_msg=name)
