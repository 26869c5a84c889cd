"""The state of a training run: packed into a few small files and gone on from, whatever is left of it."""

from __future__ import annotations

import errno
import itertools
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from philidor.cli.train import app
from philidor.core.errors import RunError
from philidor.core.runs import Run
from philidor.nets.nnue import load_network
from philidor.records import RecordWriter
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.train.native import add_to_rows, sum_rows
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import PositionFilter, TrainingPositions

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.train.torch.loop import CHECKPOINT, TrainingStep  # noqa: E402
from philidor.train.torch.nnue import Trainer  # noqa: E402
from philidor.train.torch.packing import MAX_BYTES, MAX_PARTS, pack_run, unpack_run  # noqa: E402
from philidor.train.torch.tensorboard import FOLDER, Board  # noqa: E402

torch.set_num_threads(1)

FILTER = PositionFilter(skip_plies=0, held_out=0.2)
SMALL = NnueTrainingConfig(shape="mirrored-256", epochs=2, batch=64, positions=FILTER, device="cpu")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.rec"
    maker = GameMaker(EngineGamesConfig(nodes=40, settings=("hash=1",), max_plies=60))
    with RecordWriter(path) as writer:
        for number in range(8):
            record = maker.game(number)
            assert record is not None
            writer.add(record)
    return path


@pytest.fixture(scope="module")
def data(games: Path) -> TrainingPositions:
    found = TrainingPositions(FILTER)
    for _ in found.read([games]):
        pass
    return found


def _stopped_run(data: TrainingPositions, folder: Path, config: NnueTrainingConfig = SMALL, steps: int = 3) -> Trainer:
    trainer = Trainer(config, Run.create("there", config, folder), data)
    left = iter(range(steps - 1))
    assert not trainer.train(is_stopped=lambda: next(left, None) is None)
    return trainer


def _sizes(folder: Path) -> list[int]:
    return [path.stat().st_size for path in sorted(folder.iterdir())]


def test_a_packed_run_ends_as_one_that_stayed(data: TrainingPositions, tmp_path: Path) -> None:
    there = _stopped_run(data, tmp_path)
    assert pack_run(there.run, tmp_path / "pack") == "everything"
    run = unpack_run(tmp_path / "pack", tmp_path / "here")
    here = Trainer(run.config(NnueTrainingConfig), run, data)
    assert here.step == there.step == 3
    assert here.train()
    assert there.train()
    for ours, theirs in zip(here.model.parameters(), there.model.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_less_room_keeps_less(data: TrainingPositions, tmp_path: Path) -> None:
    there = _stopped_run(data, tmp_path)
    numbers = sum(weights.numel() for weights in there.model.parameters())
    kept = []
    for bytes_each, weights_error, has_moments in ((8, 0.0, True), (4, 0.0, False), (2, 1e-3, False)):
        limit = bytes_each * numbers + 40_000
        folder = tmp_path / f"pack{bytes_each}"
        kept.append(pack_run(there.run, folder, limit=limit))
        assert len(_sizes(folder)) <= MAX_PARTS
        assert sum(_sizes(folder)) <= limit
        run = unpack_run(folder, tmp_path / f"here{bytes_each}")
        here = Trainer(run.config(NnueTrainingConfig), run, data)
        for ours, theirs in zip(here.model.parameters(), there.model.parameters(), strict=True):
            assert torch.allclose(ours, theirs, atol=weights_error, rtol=weights_error)
        assert bool(here.optimizer.state_dict()["state"]) == has_moments
        if has_moments:
            first = [trainer.optimizer.state_dict()["state"][0]["exp_avg"] for trainer in (here, there)]
            assert torch.allclose(first[0], first[1], rtol=1e-2, atol=0)
        assert here.train()
    words = ["everything, the moments in 16 bits", "the weights, not the moments"]
    assert kept == [*words, "the weights in 16 bits, not the moments"]
    with pytest.raises(RunError, match="even with half weights"):
        pack_run(there.run, tmp_path / "none", limit=numbers)


@pytest.mark.parametrize("shape", ["halfkp-256", "fat-fritz-2"])
def test_the_largest_networks_fit(shape: str, data: TrainingPositions, tmp_path: Path) -> None:
    config = NnueTrainingConfig(shape=shape, batch=64, positions=FILTER, device="cpu")
    trainer = Trainer(config, Run.create("there", config, tmp_path), data)
    trainer.save()
    pack_run(trainer.run, tmp_path / "pack")
    assert len(_sizes(tmp_path / "pack")) <= MAX_PARTS
    assert sum(_sizes(tmp_path / "pack")) <= MAX_BYTES


def test_damaged_packs_are_named(data: TrainingPositions, tmp_path: Path) -> None:
    there, pack = _stopped_run(data, tmp_path), tmp_path / "pack"
    out = tmp_path / "here"
    with pytest.raises(RunError, match="found no part"):
        unpack_run(tmp_path, out)
    pack_run(there.run, pack, limit=3_000_000)
    first, last = pack / "state-0.part", sorted(pack.iterdir())[-1]
    content = last.read_bytes()
    last.write_bytes(content[:-5])
    with pytest.raises(RunError, match="altered or cut off"):
        unpack_run(pack, out)
    last.unlink()
    with pytest.raises(RunError, match="lacks part"):
        unpack_run(pack, out)
    last.write_bytes(content)
    first.write_bytes(b"noise")
    with pytest.raises(RunError, match="no part of a packed state"):
        unpack_run(pack, out)
    there.run.checkpoints.joinpath(CHECKPOINT).write_bytes(content)
    with pytest.raises(RunError, match="cannot go on from") as caught:
        pack_run(there.run, pack)
    assert str(caught.value).endswith("or damaged (UnpicklingError); without it the run begins anew")
    assert not out.exists()


def test_the_commands_carry_a_run_elsewhere(games: Path, tmp_path: Path) -> None:
    there, pack, here = (str(tmp_path / name) for name in ("there", "pack", "here"))
    options = ["--shape", "mirrored-256", "--epochs", "2", "--batch", "64", "--device", "cpu", "--threads", "1"]
    options += ["--positions-skip-plies", "0", "--positions-held-out", "0.2"]
    command = ["nnue", str(games), *options]
    # Without time it trains for an epoch, and is done.
    first = CliRunner().invoke(app, [*command, "--out", there, "--minutes", "0"], catch_exceptions=False)
    assert "rounding costs" in first.stdout
    packed = CliRunner().invoke(app, ["pack", there, "--out", pack], catch_exceptions=False)
    assert packed.stdout.endswith(": everything\n")
    assert CliRunner().invoke(app, ["unpack", pack, "--out", here], catch_exceptions=False).exit_code == 0
    again = CliRunner().invoke(app, [*command, "--out", here], catch_exceptions=False)
    assert "going on from step" in again.stdout
    network = load_network(tmp_path / "there" / "checkpoints" / "there.phnn")
    moved = load_network(tmp_path / "here" / "checkpoints" / "here.phnn")
    assert np.array_equal(network.feature_weights, moved.feature_weights)
    assert isinstance(CliRunner().invoke(app, ["unpack", pack, "--out", here]).exception, RunError)


def test_time_that_is_short_still_ends_the_schedule(data: TrainingPositions, tmp_path: Path) -> None:
    config = NnueTrainingConfig(shape="mirrored-256", epochs=100_000, batch=64, positions=FILTER, device="cpu")
    trainer = Trainer(config, Run.create("run", config, tmp_path), data, seconds=1.0)
    seen: list[TrainingStep] = []
    assert trainer.train(seen.append, report_every_s=0.1)
    assert trainer.progress == 1
    assert 0 < trainer.step < trainer.total_steps
    assert all(before.progress <= after.progress for before, after in itertools.pairwise(seen))
    assert trainer.run.metrics()[-1]["learning_rate"] == pytest.approx(config.final_learning_rate, rel=0.1)
    # It is done, for another process too.
    assert Trainer(config, trainer.run, data).progress == 1


def test_tensorboard_on_a_full_disk_does_not_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    asked: list[object] = []

    def full(writer: object) -> None:
        asked.append(writer)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tensorboard.SummaryWriter, "flush", full)
    board = Board(tmp_path)
    for step in (1, 2):
        board.add({"loss": 0.5}, step)
    assert len(asked) == 1


def test_tensorboard_gets_tables_as_folders_and_no_words(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    board = Board(tmp_path)
    board.add({"train": {"event": "train", "losses": {"policy": 1.5}, "steps": 7}}, 3)
    events = accumulator.EventAccumulator(str(tmp_path))
    events.Reload()
    assert sorted(events.Tags()["scalars"]) == ["train/losses/policy", "train/steps"]
    assert [(event.step, event.value) for event in events.Scalars("train/losses/policy")] == [(3, 1.5)]


@pytest.mark.parametrize(
    ("purges", "wanted"), [(True, [(1, 1.0), (2, 20.0)]), (False, [(1, 1.0), (2, 2.0), (2, 20.0)])]
)
def test_tensorboard_forgets_what_will_be_written_again(
    tmp_path: Path, purges: bool, wanted: list[tuple[int, float]]
) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    before = Board(tmp_path, purges=purges)
    before.add({"loss": 1.0}, 1)
    before.add({"loss": 2.0}, 2)
    # TensorBoard reads files in the order of their names, which hold the second and then a counter without leading
    # zeros: two of the same second may come in either order. The process before this one began earlier.
    (written,) = tmp_path.iterdir()
    written.rename(tmp_path / "events.out.tfevents.0000000001.before")
    Board(tmp_path, purges=purges).add({"loss": 20.0}, 2)
    events = accumulator.EventAccumulator(str(tmp_path))
    events.Reload()
    assert [(event.step, event.value) for event in events.Scalars("loss")] == wanted


def test_tensorboard_gets_the_numbers_too(data: TrainingPositions, tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    trainer = Trainer(SMALL, Run.create("run", SMALL, tmp_path), data)
    assert trainer.train()
    events = accumulator.EventAccumulator(str(trainer.run.report / FOLDER))
    events.Reload()
    found = {event.step: event.value for event in events.Scalars("held_out_loss")}
    lines = {line["step"]: line["held_out_loss"] for line in trainer.run.metrics() if "held_out_loss" in line}
    assert found == pytest.approx(lines)
    assert len(found) == SMALL.epochs


@pytest.mark.parametrize(("lists", "width"), [(33, 47), (1100, 144)])  # less than is summed at a time, and more
def test_native_row_sums_are_torch_s(lists: int, width: int) -> None:
    generator = np.random.default_rng(1)
    table = generator.normal(size=(50, width)).astype(np.float32)
    indices = generator.integers(0, 50, (lists, 7), np.int32)
    indices[5, 3:] = 50
    indices[6] = 50
    weights = torch.from_numpy(np.concatenate([table, np.zeros((1, width), np.float32)])).requires_grad_()
    expected = torch.nn.functional.embedding_bag(torch.from_numpy(indices), weights, mode="sum")
    gradient = generator.normal(size=(lists, width)).astype(np.float32)
    expected.backward(torch.from_numpy(gradient))
    assert weights.grad is not None
    results = []
    for threads in (1, 3):
        sums, gradients = np.empty((lists, width), np.float32), np.zeros_like(table)
        sum_rows(table, indices, sums, threads)
        add_to_rows(gradients, indices, gradient, threads)
        results.append((sums, gradients))
    for one, other in zip(*results, strict=True):
        assert np.array_equal(one, other)
    assert np.allclose(results[0][0], expected.detach().numpy(), atol=1e-5)
    assert np.allclose(results[0][1], weights.grad[:50].numpy(), atol=1e-4)
    with pytest.raises(ValueError, match="do not fit"):
        sum_rows(table, indices, np.empty((lists, width - 1), np.float32), 1)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("width", [32, 256, 300])
def test_a_gpu_s_row_sums_are_the_cpu_s(width: int) -> None:
    from philidor.train.torch import row_sums

    generator = torch.Generator().manual_seed(1)
    # Sorted: what is none, 50, comes at the end of a list.
    indices = torch.randint(0, 51, (200, 32), generator=generator, dtype=torch.int32).sort(dim=1).values
    gradient = torch.randn(200, width, generator=generator)
    table = torch.randn(50, width, generator=generator)
    found = []
    for device in ("cpu", "cuda"):
        leaf = table.to(device, copy=True).requires_grad_()
        sums = row_sums.sum_rows(leaf, indices.to(device))
        torch.autograd.backward(sums, gradient.to(device))
        assert leaf.grad is not None
        found.append((sums.detach().cpu(), leaf.grad.cpu()))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-4)
