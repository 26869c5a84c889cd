"""Training an NNUE network: floats and integers agree, it learns, and a stopped run goes on as if nothing was."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from philidor.core.errors import ConfigError, NetError, RunError
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.nets.nnue import ARCHITECTURES, Activation, Architecture, load_network, save_network
from philidor.nets.nnue.reference import raw as reference_raw
from philidor.records import RecordWriter
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import Batches, PositionFilter, TrainingPositions

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.train.torch.nnue import Trainer, export  # noqa: E402
from philidor.train.torch.nnue_integers import raw  # noqa: E402
from philidor.train.torch.nnue_model import NnueModel  # noqa: E402

if TYPE_CHECKING:
    from philidor.games.chess import Position

# So small a network is computed faster by one thread, and tests run beside each other.
torch.set_num_threads(1)

SMALL = NnueTrainingConfig(
    shape="mirrored-256",
    epochs=3,
    batch=64,
    positions=PositionFilter(skip_plies=0, held_out=0.2),
    device="cpu",
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.rec"
    maker = GameMaker(EngineGamesConfig(nodes=40, settings=("hash=1",)))
    with RecordWriter(path) as writer:
        for number in range(12):
            record = maker.game(number)
            assert record is not None
            writer.add(record)
    return path


def _data(games: Path, filter_: PositionFilter) -> TrainingPositions:
    data = TrainingPositions(filter_)
    for _ in data.read([games]):
        pass
    return data


def _positions(games: Path) -> list[Position]:
    from philidor.games.chess import Position
    from philidor.records import RecordReader

    found = []
    for record in RecordReader(games):
        assert record.scores is not None
        for state, score in zip(record.states(load_game("chess")), record.scores, strict=False):
            assert isinstance(state, Position)
            if score is not None and abs(score) <= 30_000:
                found.append(state)
    return found


PAIRWISE = dataclasses.replace(
    ARCHITECTURES["mirrored-256"], activation=Activation.PAIRWISE, hidden=(16,), scale=(400, 9600)
)


@pytest.mark.parametrize(
    "architecture",
    [
        ARCHITECTURES["halfkp-256"],
        ARCHITECTURES["mirrored-256"],
        ARCHITECTURES["mirrored-512"],
        PAIRWISE,
        ARCHITECTURES["paired-512"],
    ],
    ids=["halfkp", "mirrored-256", "mirrored-512", "pairwise", "paired-512"],
)
def test_floats_and_integers_agree(architecture: Architecture, games: Path) -> None:
    torch.manual_seed(1)
    model = NnueModel(architecture)
    with torch.no_grad():
        for weights in model.layer_weights:
            weights.mul_(2)
        if model.shared is not None:
            model.shared.uniform_(-0.05, 0.05)
    model.clip()
    network = model.to_network("a test")
    everything = _data(games, PositionFilter(skip_plies=0, max_score=30_000, only_quiet=False, held_out=0.0))
    batches = Batches(everything.train, architecture, 100)
    batch = next(iter(batches.in_order()))
    own, theirs, bucket = (torch.from_numpy(array) for array in (batch.own, batch.theirs, batch.bucket))
    integers = raw(network, own, theirs, bucket)
    expected = [reference_raw(network, position) for position in _positions(games)[:100]]
    assert integers.tolist() == expected
    floats = model(own, theirs, bucket.long()).detach()
    numerator, denominator = architecture.scale
    assert (floats - integers * numerator / denominator).abs().max() < 25
    assert (floats - integers * numerator / denominator).abs().mean() < 6
    # From weights that are integers already it computes the integers themselves, dropped bits included.
    model.take_network(network)
    floats = model(own, theirs, bucket.long()).detach()
    assert (floats - integers * numerator / denominator).abs().max() < 0.1


def test_files_of_a_trained_network_load(games: Path, tmp_path: Path) -> None:
    model = NnueModel(ARCHITECTURES["halfkp-256"])
    for name in ("net.nnue", "net.phnn"):
        save_network(model.to_network("trained"), tmp_path / name)
        assert np.array_equal(
            load_network(tmp_path / name).feature_weights, model.to_network("trained").feature_weights
        )


@pytest.mark.parametrize("architecture", [*ARCHITECTURES.values(), PAIRWISE], ids=[*ARCHITECTURES, "pairwise"])
def test_a_network_is_the_same_after_it_was_floats(architecture: Architecture) -> None:
    torch.manual_seed(2)
    first, second = NnueModel(architecture), NnueModel(architecture)
    wanted = first.to_network()
    second.take_network(wanted)
    found = second.to_network()
    assert np.array_equal(found.feature_biases, wanted.feature_biases)
    assert np.array_equal(found.feature_weights, wanted.feature_weights)
    for ours, theirs in zip(found.stacks, wanted.stacks, strict=True):
        for our, their in zip(ours, theirs, strict=True):
            assert np.array_equal(our.biases, their.biases)
            assert np.array_equal(our.weights, their.weights)


def test_training_can_begin_with_a_network(games: Path, tmp_path: Path) -> None:
    data = _data(games, SMALL.positions)
    first = Trainer(SMALL, Run.create("first", SMALL, tmp_path), data)
    first.train()
    export(first, tmp_path / "net.phnn", "first")
    config = dataclasses.replace(SMALL, start=tmp_path / "net.phnn")
    second = Trainer(config, Run.create("second", config, tmp_path), data)
    assert second.held_out_loss() == pytest.approx(first.held_out_loss(), rel=0.05)
    wider = dataclasses.replace(config, shape="mirrored-512")
    third = Trainer(wider, Run.create("wider", wider, tmp_path), data)
    assert third.held_out_loss() == pytest.approx(first.held_out_loss(), rel=0.05)
    other = dataclasses.replace(config, shape="halfkp-256")
    with pytest.raises(ConfigError, match="sees other inputs"):
        Trainer(other, Run.create("other", other, tmp_path), data)
    foreign = dataclasses.replace(config, start=games)
    with pytest.raises(NetError):
        Trainer(foreign, Run.create("foreign", foreign, tmp_path), data)


def test_it_learns(games: Path, tmp_path: Path) -> None:
    config = dataclasses.replace(SMALL, epochs=12, learning_rate=5e-3)
    trainer = Trainer(config, Run.create("run", config, tmp_path), _data(games, config.positions))
    before = trainer.held_out_loss()
    losses = []
    assert trainer.train(lambda now: losses.append(now.loss), report_every_s=0.0)
    assert sum(losses[-3:]) < 0.7 * sum(losses[:3])
    after = trainer.held_out_loss()
    assert before is not None
    assert after is not None
    report = export(trainer, tmp_path / "net.phnn", "learned")
    assert report.positions == len(trainer.data.held_out)
    assert report.mean_error_cp < 8
    assert load_network(tmp_path / "net.phnn").description == "learned"


def test_the_loss_has_the_shares_that_were_asked_for(games: Path, tmp_path: Path) -> None:
    """Computed once more by numpy. The first step has the first share, the held-out games the last one; strays none."""
    config = dataclasses.replace(SMALL, result_share=0.9, final_result_share=0.25, exponent=2.5)
    trainer = Trainer(config, Run.create("run", config, tmp_path), _data(games, config.positions))
    first = next(iter(trainer.batches.in_order()))
    first.result[::3] = -1.0  # strays, to which no result belongs
    expected = {}
    for share, batches in ((0.9, [first]), (0.25, trainer.held_out_batches.in_order())):
        errors = []
        for batch in batches:
            own, theirs, bucket = (torch.from_numpy(array) for array in (batch.own, batch.theirs, batch.bucket))
            found = trainer.model(own, theirs, bucket.long()).detach().double().numpy()
            scores = np.abs(_sigmoid(found / 150) - _sigmoid(batch.score / 150)) ** 2.5
            shares = np.where(batch.result < 0, 0.0, share)
            errors.extend((1 - shares) * scores + shares * (_sigmoid(found / 120) - batch.result) ** 2)
        expected[share] = np.mean(errors)
    assert trainer.held_out_loss() == pytest.approx(expected[0.25], rel=1e-4)
    assert float(trainer.learn(first)) == pytest.approx(expected[0.9], rel=1e-4)


def _sigmoid(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(1 / (1 + np.exp(-np.float64(numbers))))


def test_the_rate_warms_up_and_falls_like_a_cosine(games: Path, tmp_path: Path) -> None:
    config = dataclasses.replace(SMALL, batch=8, epochs=2, learning_rate=4e-3, final_learning_rate=1e-3)
    trainer = Trainer(config, Run.create("run", config, tmp_path), _data(games, config.positions))
    batch = next(iter(trainer.batches.in_order()))
    rates = []
    while trainer.step < trainer.total_steps:
        trainer.learn(batch)
        rates.append(trainer.optimizer.param_groups[0]["lr"])
    total = trainer.total_steps
    assert total // 20 > 1
    assert rates[0] == pytest.approx(4e-3 / (total // 20))
    assert rates[1] == pytest.approx(2 * rates[0], rel=0.01)
    middle = 1e-3 + 3e-3 * (1 + np.cos(np.pi * (total // 2) / total)) / 2
    assert rates[total // 2] == pytest.approx(middle)
    assert rates[-1] == pytest.approx(1e-3, rel=0.01)
    assert rates[total // 20 :] == sorted(rates[total // 20 :], reverse=True)


def test_rounding_is_measured_without_held_out_positions_too(games: Path, tmp_path: Path) -> None:
    config = dataclasses.replace(SMALL, positions=dataclasses.replace(SMALL.positions, held_out=0.0))
    trainer = Trainer(config, Run.create("run", config, tmp_path), _data(games, config.positions))
    report = export(trainer, tmp_path / "net.phnn", "untrained")
    assert report.positions == len(trainer.data.train)
    assert report.largest_error_cp > 0


def test_a_stopped_run_ends_as_an_unbroken_one(games: Path, tmp_path: Path) -> None:
    whole = Trainer(SMALL, Run.create("whole", SMALL, tmp_path), _data(games, SMALL.positions))
    assert whole.train()
    run = Run.create("stopped", SMALL, tmp_path)
    steps = [0]

    def is_stopped() -> bool:
        steps[0] += 1
        return steps[0] % 5 == 0

    parts = 0
    while not Trainer(SMALL, run, _data(games, SMALL.positions)).train(is_stopped=is_stopped):
        parts += 1
    assert parts > 1
    ended = Trainer(SMALL, run, _data(games, SMALL.positions))
    assert ended.step == whole.step == whole.total_steps
    for ours, theirs in zip(ended.model.parameters(), whole.model.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_a_damaged_or_foreign_state_is_named(games: Path, tmp_path: Path) -> None:
    run = Run.create("run", SMALL, tmp_path)
    trainer = Trainer(SMALL, run, _data(games, SMALL.positions))
    trainer.save()
    fewer = dataclasses.replace(SMALL.positions, held_out=0.5)
    with pytest.raises(RunError, match="give it the same games"):
        Trainer(SMALL, run, _data(games, fewer))
    trainer.checkpoint.write_bytes(trainer.checkpoint.read_bytes()[:1000])
    with pytest.raises(RunError, match="cannot go on from"):
        Trainer(SMALL, run, _data(games, SMALL.positions))


def test_what_is_not_there_is_refused(games: Path) -> None:
    with pytest.raises(ConfigError, match="shape must be one of"):
        NnueTrainingConfig(shape="halfkp")
    if not torch.cuda.is_available():
        from philidor.train.torch.devices import torch_device

        with pytest.raises(ConfigError, match="no GPU"):
            torch_device("cuda")
