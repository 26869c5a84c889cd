"""The step of training: the arithmetic of the papers written out, on a GPU the same by one recorded graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import ConfigError
from philidor.encodings.encoding import expand
from philidor.encodings.scales import scalar_scales
from philidor.games import load_game
from philidor.nets.heads import REPLY
from philidor.nets.network_config import NetworkConfig, preset
from philidor.train.shares import Shares
from philidor.train.solved_data import SolvedPositions
from philidor.train.training_batch import TrainingBatch
from philidor.train.zero_config import ZeroTrainingConfig
from philidor.train.zero_data import Samples

torch = pytest.importorskip("torch")

from philidor.evaluators.loading import backend_of  # noqa: E402
from philidor.evaluators.network import NetConfig  # noqa: E402
from philidor.evaluators.torch import TorchBackend  # noqa: E402
from philidor.nets.torch.files import model_of, stored  # noqa: E402
from philidor.nets.torch.model import Model, build  # noqa: E402
from philidor.train.torch.inputs import Inputs  # noqa: E402
from philidor.train.torch.norms import estimate_norms  # noqa: E402
from philidor.train.torch.step import Learner, can_compile  # noqa: E402
from philidor.train.torch.zero import Plan, ZeroTrainer  # noqa: E402
from tests.nets.own_nets import planes_for, shake, states_of  # noqa: E402

NETWORK = preset("2x32", "hexapawn", "boards-1", blocks=1, filters=8, value_hidden=8, moves_left=True, se_channels=4)
CONFIG = ZeroTrainingConfig(device="cpu", batch=16, ema=0.9, clip=0.5, l2=0.01, value_weight=0.5, momentum=0.8)
RATE = 2e-3
STEPS = 20


def _source(network: NetworkConfig = NETWORK) -> SolvedPositions:
    return SolvedPositions(load_game(network.game), network.load_encoding())


def _batches(count: int, size: int = 16) -> Iterator[Samples]:
    source = _source()
    for number in range(count):
        yield source.draw(size, np.random.default_rng(number))


def _weighed(samples: Samples) -> TrainingBatch:
    """Samples that do not all count alike."""
    return dataclasses.replace(samples.lesson(), weight=np.linspace(0.2, 1.5, len(samples), dtype=np.float32))


class Plain:
    """A step without any device in mind: dense targets by loops, every formula as its paper has it."""

    def __init__(self, model: Model, config: ZeroTrainingConfig) -> None:
        self.model, self.config = model, config
        self.mean = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        self.moments = {name: (torch.zeros_like(each), torch.zeros_like(each)) for name, each in self._weights()}
        self.step = 0

    def _weights(self) -> list[tuple[str, Any]]:
        return list(self.model.named_parameters())

    def learn(self, batch: TrainingBatch, rate: float) -> dict[str, float]:
        self.step += 1
        rate *= min(1.0, self.step / 50)
        found = self._losses(batch)
        total = found["policy"] + self.config.value_weight * found["wdl"] + 0.1 * found["moves_left"]
        for each in self.model.parameters():
            each.grad = None
        total.backward()
        with torch.no_grad():
            gradients: list[Any] = [each.grad for each in self.model.parameters()]
            length = torch.cat([each.flatten() for each in gradients]).square().sum().sqrt()
            shorten = min(1.0, self.config.clip / float(length)) if self.config.clip else 1.0
            for name, each in self._weights():
                decay = self.config.l2 if each.ndim > 1 else 0.0
                gradient: Any = each.grad
                self._update(name, each, gradient * shorten, decay, rate)
            keep = min(self.config.ema, (1 + self.step) / (10 + self.step))
            for name, tensor in self.model.state_dict().items():
                if tensor.is_floating_point():
                    self.mean[name] = keep * self.mean[name] + (1 - keep) * tensor
        return {**{name: float(loss.detach()) for name, loss in found.items()}, "loss": float(total.detach())}

    def _losses(self, batch: TrainingBatch) -> dict[str, Any]:
        known, policy = batch.batch, batch.shares["policy"]
        weights = torch.ones(len(batch)) if batch.weight is None else torch.from_numpy(batch.weight)
        outputs = self.model(torch.from_numpy(expand(known, self.model.shape)))
        costs = []
        for row in range(len(batch)):
            chances = outputs["policy"][row, torch.from_numpy(known.legal(row).astype(np.int64))].softmax(dim=0)
            wanted = torch.from_numpy(policy.shares[policy.offsets[row] : policy.offsets[row + 1]])
            costs.append(-(wanted * chances.log()).sum())
        wdl = -(torch.from_numpy(batch.numbers["wdl"]) * outputs["wdl"].softmax(dim=1).log()).sum(dim=1)
        miss = (outputs["moves_left"][:, 0] - torch.from_numpy(batch.numbers["moves_left"])).abs() / 20
        left = torch.where(miss < 0.5, miss**2 / 2, 0.5 * (miss - 0.25))
        each = {"policy": torch.stack(costs), "wdl": wdl, "moves_left": left}
        return {name: (loss * weights).sum() / weights.sum() for name, loss in each.items()}

    def _update(self, name: str, weights: Any, gradient: Any, decay: float, rate: float) -> None:
        first, second = self.moments[name]
        if self.config.optimizer == "sgd":
            gradient = gradient + decay * weights
            first.copy_(gradient if self.step == 1 else self.config.momentum * first + gradient)
            weights -= rate * first
            return
        first.copy_(0.9 * first + 0.1 * gradient)
        second.copy_(0.999 * second + 0.001 * gradient**2)
        rise = (second / (1 - 0.999**self.step)).sqrt() + 1e-8
        weights.copy_(weights * (1 - rate * decay) - rate * first / (1 - 0.9**self.step) / rise)


@pytest.mark.parametrize("is_weighed", [False, True])
@pytest.mark.parametrize("rule", ["adamw", "sgd"])
def test_a_step_is_the_step_written_out(rule: Any, is_weighed: bool) -> None:
    config = dataclasses.replace(CONFIG, optimizer=rule)
    learner, plain = Learner(build(NETWORK, 1), config), Plain(build(NETWORK, 1), config)
    sums: dict[str, float] = {}
    for samples in _batches(STEPS):
        batch = _weighed(samples) if is_weighed else samples.lesson()
        found, wanted = learner.learn(batch, RATE), plain.learn(batch, RATE)
        assert {name: float(loss) for name, loss in found.items()} == pytest.approx(wanted, rel=1e-6, abs=1e-6)
        sums = {name: sums.get(name, 0.0) + loss for name, loss in wanted.items()}
    assert learner.average is not None
    assert learner.step == STEPS
    for name, tensor in plain.model.state_dict().items():
        torch.testing.assert_close(learner.model.state_dict()[name], tensor, rtol=1e-6, atol=1e-6, msg=name)
        if tensor.is_floating_point():
            mean = learner.average.state_dict()[name]
            torch.testing.assert_close(mean, plain.mean[name], rtol=1e-6, atol=1e-6, msg=name)
    assert learner.take_means() == pytest.approx({name: total / STEPS for name, total in sums.items()}, rel=1e-6)
    assert learner.take_means() == {}


def test_a_batch_becomes_dense_targets_and_leaves_nothing_of_the_last() -> None:
    network = dataclasses.replace(NETWORK, reply=True)
    shape = network.load_encoding().shape
    inputs = Inputs(shape, 16, build(network).heads, torch.device("cpu"))
    random = np.random.default_rng(1)
    for samples in _batches(3):
        reply = Shares(
            np.arange(0, 17, dtype=np.int64) // 2,
            random.integers(shape.policy_size, size=8).astype(np.uint16),
            random.random(8, dtype=np.float32),
        )
        batch = _weighed(samples)
        batch = dataclasses.replace(batch, shares={**batch.shares, REPLY: reply})
        inputs.fill(batch)
        legal, policy, replies = (np.zeros((16, shape.policy_size), np.float32) for _ in range(3))
        for row in range(16):
            own = slice(samples.batch.legal_offsets[row], samples.batch.legal_offsets[row + 1])
            legal[row, samples.batch.legal_index[own]] = 1
            policy[row, samples.batch.legal_index[own]] = samples.policy[own]
            own = slice(reply.offsets[row], reply.offsets[row + 1])
            replies[row, reply.places[own]] = reply.shares[own]
        for name, wanted in {"legal": legal, "policy": policy, "reply": replies, "weight": batch.weight}.items():
            np.testing.assert_array_equal(inputs.targets[name].float().numpy(), wanted, err_msg=name)
        np.testing.assert_array_equal(inputs.planes().numpy(), expand(samples.batch, shape))
    inputs.fill(dataclasses.replace(batch, weight=None))
    assert torch.equal(inputs.targets["weight"], torch.ones(16))


def test_a_head_without_a_target_is_not_trained() -> None:
    learner = Learner(build(dataclasses.replace(NETWORK, reply=True)), CONFIG)
    with pytest.raises(ConfigError, match="the head 'reply' learns from 'reply', got policy, wdl, moves_left"):
        learner.learn(next(_batches(1)).lesson(), RATE)


@pytest.mark.parametrize("rule", ["adamw", "sgd"])
def test_a_state_of_before_the_recorded_step_is_gone_on_from(rule: Any) -> None:
    """Such states hold the optimizer's settings of their time, among them the last learning rate as a number."""
    config = dataclasses.replace(CONFIG, optimizer=rule)
    batches = [samples.lesson() for samples in _batches(6)]
    whole, first, second = (Learner(build(NETWORK, 1), config) for _ in range(3))
    for batch in batches:
        whole.learn(batch, RATE)
    for batch in batches[:3]:
        first.learn(batch, RATE)
    state = first.state()
    for group in state["optimizer"]["param_groups"]:
        group.update(lr=7.0, weight_decay=3.0)
    second.restore(state)
    for batch in batches[3:]:
        second.learn(batch, RATE)
    assert second.step == whole.step
    for one, other in zip(whole.player.state_dict().values(), second.player.state_dict().values(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("encoding", ["alphazero", "leela-1-flat"])
@pytest.mark.parametrize("name", ["2x32", "mlp"])
def test_factors_of_the_input_are_in_the_weights_of_what_is_written(name: str, encoding: str) -> None:
    config = preset(name, "chess", encoding, blocks=1, filters=16)
    model = shake(build(config)).eval()
    scales = scalar_scales(encoding, model.shape)
    model.scale_inputs(scales)
    states = [state for state in states_of(config, 60) if state.halfmove_clock > 2][:8]
    batch = config.load_encoding().encode(states)
    planes = torch.from_numpy(expand(batch, model.shape))
    by_hand = planes.clone()
    by_hand[:, model.shape.packed_planes :] *= torch.tensor(scales)[:, None, None]
    plain = shake(build(config)).eval()
    with torch.no_grad():
        wanted = {key: value.numpy() for key, value in plain.predict(by_hand).items()}
        assert not np.allclose(plain.predict(planes)["policy"], wanted["policy"], atol=0.01)
        found = model.predict(planes)
    network = stored(model)
    backends = {
        "training": {key: value.numpy() for key, value in found.items()},
        "files": {key: value.detach().numpy() for key, value in model_of(network).eval().predict(planes).items()},
        "torch": TorchBackend(model, "cpu").run(batch),
        "onnx": backend_of(network, model.shape, NetConfig(backend="onnx")).run(batch),
    }
    for where, outputs in backends.items():
        for key, values in wanted.items():
            np.testing.assert_allclose(outputs[key], values, atol=2e-5, rtol=2e-5, err_msg=f"{where} {key}")


def test_the_number_of_plies_played_changes_no_answer_of_a_scaled_network() -> None:
    trainer = ZeroTrainer(preset("2x32", "chess", blocks=1, filters=8), ZeroTrainingConfig(scale_inputs=True))
    planes = planes_for(trainer.model, 2)
    later = planes.clone()
    later[:, trainer.model.shape.packed_planes + 1] += 300
    model = model_of(stored(trainer.model)).eval()
    with torch.no_grad():
        assert torch.equal(model.predict(planes)["policy"], model.predict(later)["policy"])
        later[:, -1] += 50
        assert not torch.equal(model.predict(planes)["policy"], model.predict(later)["policy"])


def test_every_scalar_has_a_factor_that_makes_it_about_one() -> None:
    for encoding in ("alphazero", "leela-1-flat", "leela-3-planes", "leela-4-planes", "leela-5-flat"):
        config = preset("2x32", "chess", encoding)
        shape = config.load_encoding().shape
        scalars = config.load_encoding().encode(states_of(config, 200)).scalars
        scales = scalar_scales(encoding, shape)
        assert len(scales) == shape.scalar_planes
        assert np.abs(scalars * np.array(scales)).max() <= 1.5
        # Nothing that is small already is made smaller.
        assert all(scale in (0, 1) or column.max() > 1.5 for scale, column in zip(scales, scalars.T, strict=True))


def test_statistics_of_batch_norm_are_those_of_the_batches() -> None:
    model = shake(build(NETWORK)).eval()
    batches = [planes_for(model, 5, seed) for seed in range(4)]
    estimate_norms(model, iter(batches))
    conv, norm = (model.get_submodule(f"body.input.{name}") for name in ("conv", "norm"))
    assert isinstance(norm, torch.nn.BatchNorm2d)
    with torch.no_grad():
        means = torch.stack([conv(planes).mean(dim=(0, 2, 3)) for planes in batches]).mean(dim=0)
        variances = torch.stack([conv(planes).var(dim=(0, 2, 3)) for planes in batches]).mean(dim=0)
    torch.testing.assert_close(norm.running_mean, means)
    torch.testing.assert_close(norm.running_var, variances)
    assert norm.momentum == 0.1
    assert not model.training
    estimate_norms(model, [])
    torch.testing.assert_close(norm.running_mean, means)


def test_a_generation_ends_with_statistics_of_the_running_mean(tmp_path: Any) -> None:
    source, plan = _source(), Plan(0, 4, RATE)
    trainers = {}
    for count in (0, 3):
        trainers[count] = ZeroTrainer(NETWORK, dataclasses.replace(CONFIG, norm_batches=count))
        trainers[count].train(source, plan, checkpoint=tmp_path / f"{count}.pt")
    averaged, estimated = (trainer.player.state_dict() for trainer in trainers.values())
    for name, tensor in averaged.items():
        is_measured = name.endswith(("running_mean", "running_var", "num_batches_tracked"))
        assert torch.equal(tensor, estimated[name]) != is_measured, name
    assert not any(torch.equal(a, b) for a, b in zip(*(_running(t.player) for t in trainers.values()), strict=True))
    again = ZeroTrainer(NETWORK, dataclasses.replace(CONFIG, norm_batches=3))
    again.restore(tmp_path / "3.pt")
    assert all(torch.equal(a, b) for a, b in zip(_running(again.player), _running(trainers[3].player), strict=True))


def test_a_cpu_computes_in_16_bits_where_it_can_and_if_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu: Any = torch.cpu
    monkeypatch.setattr(cpu, "_is_amx_tile_supported", lambda: False)
    seen: list[Any] = []
    losses: dict[tuple[bool, bool], dict[str, float]] = {}
    for can, wanted in [(False, True), (True, False), (True, True)]:
        monkeypatch.setattr(cpu, "_is_avx512_bf16_supported", lambda can=can: can)
        trainer = ZeroTrainer(NETWORK, dataclasses.replace(CONFIG, bfloat16=wanted))
        convolution = trainer.model.get_submodule("body.input.conv")
        convolution.register_forward_hook(lambda _layer, _inputs, output: seen.append(output.dtype))
        for samples in _batches(STEPS):
            trainer.learn(samples, RATE)
        losses[can, wanted] = trainer.learner.take_means()
        assert all(tensor.dtype == torch.float32 for tensor in trainer.model.parameters())
    assert seen == [torch.float32] * 2 * STEPS + [torch.bfloat16] * STEPS
    assert losses[False, True] == losses[True, False]
    assert losses[True, True] == pytest.approx(losses[True, False], rel=0.02)
    assert losses[True, True] != losses[True, False]


def _running(model: Model) -> list[Any]:
    return [tensor for name, tensor in model.state_dict().items() if "running" in name]


def test_a_draw_always_is_measured_beside_the_value() -> None:
    trainer, samples = ZeroTrainer(NETWORK, CONFIG), _source().samples
    results = samples.wdl[:, 0] - samples.wdl[:, 2]
    assert trainer.measure(samples)["draw_error"] == pytest.approx(float((results**2).mean()), rel=1e-5)


def test_at_most_so_many_samples_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer, source = ZeroTrainer(NETWORK, CONFIG), _source()
    seen: list[int] = []

    def distances(_model: Model, part: Samples) -> Any:
        seen.append(len(part))
        return np.full(4, len(part))

    monkeypatch.setattr("philidor.train.torch.zero._distances", distances)
    monkeypatch.setattr("philidor.train.torch.zero._MEASURED_ROWS", 40)
    expected = {"policy_kl": 1, "agreement": 1, "value_error": 1, "draw_error": 1}
    assert trainer.measure(source.samples) == expected
    assert len(source.samples) > 40
    assert sum(seen) == 40
    assert trainer.measure(source.samples.take(np.arange(7)))["policy_kl"] == 1
    assert sum(seen) == 47


needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")


def _on_cuda(config: ZeroTrainingConfig, **settings: bool) -> Learner:
    model: Any = build(NETWORK, 1)
    return Learner(model.to("cuda", memory_format=torch.channels_last), config, **settings)


@needs_cuda
# What torch's compiler says of itself, in torch 2.11.
@pytest.mark.filterwarnings(r"ignore:.*torch\.jit\.script_method:DeprecationWarning")
@pytest.mark.filterwarnings(r"ignore:\s*Online softmax is disabled:UserWarning")
@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize("rule", ["adamw", "sgd"])
def test_a_recorded_step_is_the_plain_step(rule: Any, is_compiled: bool) -> None:
    """Other numbers than the eager ones would show at once: the batches, rates and shares change with every step."""
    config = dataclasses.replace(CONFIG, optimizer=rule, batch=64)
    batches = [_weighed(samples) for samples in _batches(STEPS, 64)]
    plain, recorded = _on_cuda(config, is_recorded=False), _on_cuda(config, is_compiled=is_compiled)
    for batch in batches:
        wanted, found = (learner.learn(batch, RATE) for learner in (plain, recorded))
        for name, loss in wanted.items():
            assert float(found[name]) == pytest.approx(float(loss), rel=0.02, abs=0.01), name
    assert recorded.average is not None
    assert plain.average is not None
    # Rounding to 16 bits moves a weight by a small part of the way that it goes in these steps.
    began = [tensor for tensor in build(NETWORK, 1).state_dict().values() if tensor.is_floating_point()]
    for one, other in ((recorded.model, plain.model), (recorded.average, plain.average)):
        pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
        ends = [(a.cpu(), b.cpu()) for a, b in pairs if a.is_floating_point()]
        way = torch.cat([(b - start).flatten() for (_, b), start in zip(ends, began, strict=True)])
        apart = torch.cat([(a - b).flatten() for a, b in ends])
        assert apart.norm() < 0.3 * way.norm()
    assert recorded.take_means() == pytest.approx(plain.take_means(), rel=0.02, abs=0.01)


@needs_cuda
def test_a_recorded_step_goes_on_from_a_state_and_takes_any_size_of_batch() -> None:
    batches = [samples.lesson() for samples in _batches(12, 64)]
    odd = next(_batches(1, 17)).lesson()
    learner, other, processor = _on_cuda(CONFIG), _on_cuda(CONFIG), Learner(build(NETWORK, 1), CONFIG)
    for batch in batches[:6]:
        learner.learn(batch, RATE)
        other.learn(batch, RATE)
    state = torch.utils._pytree.tree_map(lambda leaf: leaf.clone() if torch.is_tensor(leaf) else leaf, learner.state())
    other.learn(batches[0], RATE)
    for one in (other, processor):
        one.restore(state)
    for batch in [*batches[6:], odd]:
        for one in (learner, other, processor):
            found = one.learn(batch, RATE)
            assert all(np.isfinite(float(loss)) for loss in found.values())
    for one in (other, processor):
        assert one.step == learner.step == 13
        mine, theirs = (torch.cat([each.detach().cpu().flatten() for each in model.parameters()])
                        for model in (learner.model, one.model))  # fmt: skip
        assert (mine - theirs).norm() < 0.02 * mine.norm()


def test_steps_of_pooled_heads_are_not_compiled() -> None:
    assert can_compile(build(preset("2x32", "tictactoe")))
    assert not can_compile(build(preset("2x32", "go-5x5", heads="pooled")))
