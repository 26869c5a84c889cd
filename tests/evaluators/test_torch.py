"""Networks judged by torch: the same answers as the plain model, only legal logits, any size of batch."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import ConfigError, NetError
from philidor.encodings.encoding import Batch, expand
from philidor.evaluators.network import NetEvaluator, judge
from philidor.nets.network_config import NetworkConfig, preset

torch = pytest.importorskip("torch")

from philidor.evaluators.torch import Compute, Graphs, Outputs, TorchBackend, computation, padded_size  # noqa: E402
from philidor.nets.torch.model import Model, build  # noqa: E402
from tests.nets.own_nets import shake, states_of  # noqa: E402
from tests.nets.stored_nets import LAST_STONE  # noqa: E402

CHESS = preset("6x64-se", blocks=2, filters=16, se_channels=4, value_planes=4, value_hidden=16)
CONFIGS = [
    CHESS,
    preset("2x32", "connect4", value="tanh"),
    preset("2x32", "connect4-9x8"),  # a board of more than 64 squares
    preset("hexapawn", "hexapawn-4x4"),
    preset("mlp", LAST_STONE),
]


def batch_of(config: NetworkConfig, count: int = 9) -> Batch:
    return config.load_encoding().encode(states_of(config, count))


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.game)
def test_torch_judges_as_the_model_answers(config: NetworkConfig) -> None:
    model = shake(build(config)).eval()
    batch = batch_of(config)
    with torch.no_grad():
        wanted = {
            key: value.numpy() for key, value in model.predict(torch.from_numpy(expand(batch, model.shape))).items()
        }
    backend = TorchBackend(model, "cpu")
    for name, output in backend.run(batch).items():
        np.testing.assert_allclose(output, wanted[name], atol=1e-5, err_msg=name)
    found = backend.judge(batch)
    logits = [wanted["policy"][row, batch.legal(row)] for row in range(len(batch))]
    np.testing.assert_allclose(found.legal_logits, np.concatenate(logits), atol=1e-5)
    value = wanted["wdl"][:, 0] - wanted["wdl"][:, 2] if "wdl" in wanted else wanted["value"][:, 0]
    np.testing.assert_allclose(found.wdl[:, 0] - found.wdl[:, 2], value, atol=1e-5)
    np.testing.assert_allclose(found.wdl.sum(axis=1), 1, atol=1e-6)
    assert (found.moves_left is not None) == config.moves_left
    for part, same in zip(found, judge(backend, batch), strict=True):
        assert (part is None) == (same is None)
        if part is not None and same is not None:
            assert part.dtype == np.float32
            assert np.allclose(part, same, atol=1e-6)


def test_a_recorded_network_answers_the_same_for_every_size_of_batch() -> None:
    model = shake(build(CHESS)).folded()
    plain = computation(model, torch.float32)
    recorded: list[Callable[[], None]] = []

    def record(compute: Callable[[], None]) -> Callable[[], None]:
        compute()
        recorded.append(compute)
        return compute

    graphs = Graphs(plain, model.shape, torch.device("cpu"), record)
    for count in (5, 1, 6, 3, 5):
        batch = batch_of(CHESS, count)
        data, scalars = torch.from_numpy(batch.planes.view("u1")), torch.from_numpy(batch.scalars)
        found = graphs.run(data, scalars)
        for name, wanted in plain(data, scalars).items():
            torch.testing.assert_close(found[name], wanted, atol=1e-5, rtol=1e-5)
    assert len(recorded) == 3, "sizes 6, 1 and 3"


def test_only_batches_that_are_large_enough_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[int] = []

    def compile_(compute: Compute, **_: object) -> Compute:
        def counting(data: Any, scalars: Any) -> Outputs:
            compiled.append(len(data))
            return compute(data, scalars)

        return counting

    monkeypatch.setattr("torch.compile", compile_)
    model = build(CHESS)
    backend, plain = TorchBackend(model, "cpu", compile_from=4), TorchBackend(model, "cpu")
    for count in (3, 4, 9):
        batch = batch_of(CHESS, count)
        np.testing.assert_array_equal(backend.judge(batch).wdl, plain.judge(batch).wdl)
    assert compiled == [4, 9]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("precision", ["float32", "float16", "bfloat16"])
def test_a_gpu_judges_as_the_cpu(precision: Any) -> None:
    first, second = (shake(build(CHESS), seed) for seed in (1, 2))
    tolerance = {"float32": 1e-2, "float16": 5e-2, "bfloat16": 0.3}[precision]
    backend, exact = TorchBackend(first, "cuda", precision), TorchBackend(first, "cpu")
    batches = [batch_of(CHESS, count) for count in (1, 5, 9, 5)]
    for model in (first, second):
        backend.load(model)
        exact.load(model)
        under_way = [backend.submit(batch) for batch in batches]
        for batch, pending in zip(batches, under_way, strict=True):
            found, wanted = pending.result(), exact.judge(batch)
            np.testing.assert_allclose(found.legal_logits, wanted.legal_logits, atol=tolerance)
            np.testing.assert_allclose(found.wdl, wanted.wdl, atol=tolerance)


def test_few_sizes_are_recorded_and_little_is_wasted() -> None:
    sizes = [padded_size(count) for count in range(1, 4097)]
    assert all(count <= size < 1.5 * count + 1 for count, size in enumerate(sizes, 1))
    assert len(set(sizes)) == 24


def test_half_precision_is_near() -> None:
    model = shake(build(CHESS))
    batch = batch_of(CHESS)
    exact = TorchBackend(model, "cpu").judge(batch)
    near = TorchBackend(model, "cpu", "bfloat16").judge(batch)
    assert near.legal_logits.dtype == np.float32
    assert 0 < np.abs(near.legal_logits - exact.legal_logits).max() < 0.2
    np.testing.assert_allclose(near.wdl, exact.wdl, atol=0.05)


def test_new_weights_are_taken_over() -> None:
    first, second = (shake(build(CHESS), seed) for seed in (1, 2))
    batch = batch_of(CHESS)
    backend = TorchBackend(first, "cpu")
    before = backend.judge(batch)
    backend.load(second)
    np.testing.assert_array_equal(backend.judge(batch).wdl, TorchBackend(second, "cpu").judge(batch).wdl)
    assert not np.array_equal(backend.judge(batch).wdl, before.wdl)
    with pytest.raises(ConfigError, match="another network"):
        backend.load(build(preset("mlp", "tictactoe")))


def test_training_goes_on_beside_a_backend() -> None:
    model = build(CHESS)
    backend = TorchBackend(model, "cpu")
    batch = batch_of(CHESS)
    before = backend.judge(batch)
    assert model.training
    shake(model)
    np.testing.assert_array_equal(backend.judge(batch).wdl, before.wdl)


def test_an_evaluator_takes_torch_as_its_backend() -> None:
    config = CONFIGS[4]
    evaluator = NetEvaluator(TorchBackend(build(config), "cpu"), config.load_encoding())
    states = [state for state in states_of(config, 9) if state.legal_moves()]
    for found in evaluator.evaluate(states):
        assert found.priors.sum() == pytest.approx(1)


def test_no_states_are_judged_at_once() -> None:
    found = TorchBackend(build(CHESS), "cpu").judge(CHESS.load_encoding().encode([]))
    assert [len(part) for part in found if part is not None] == [0, 0, 0]


def test_nonsense_from_a_network_is_an_error() -> None:
    model: Model = build(CHESS)
    with torch.no_grad():
        model.get_parameter("heads.wdl.layers.dense.1.bias").fill_(float("nan"))
    backend = TorchBackend(model, "cpu")
    with pytest.raises(NetError, match="not finite"):
        backend.judge(batch_of(CHESS))
    with pytest.raises(NetError, match="not finite"):
        judge(backend, batch_of(CHESS))


def test_a_device_that_is_not_here_is_named() -> None:
    model = build(CONFIGS[1])
    with pytest.raises(ConfigError, match="'toaster'"):
        TorchBackend(model, "toaster")
    if not torch.cuda.is_available():
        with pytest.raises(ConfigError, match="cuda"):
            TorchBackend(model, "cuda")
