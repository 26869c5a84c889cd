"""Training the small float networks: they learn, the engine computes what torch does, and a stopped run goes on."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run
from philidor.games.chess import Position
from philidor.games.chess.game import Chess
from philidor.nets.dense.deepchess import INPUTS, active_inputs
from philidor.nets.dense.features import features
from philidor.records import RecordReader, RecordWriter
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.train.dense_config import DeepChessTrainingConfig, GiraffeTrainingConfig
from philidor.train.dense_data import deepchess_batch, giraffe_batch
from philidor.train.nnue_data import PositionFilter, TrainingPositions

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.train.torch.dense import DeepChessTrainer, GiraffeTrainer  # noqa: E402
from philidor.train.torch.loop import TrainingStep  # noqa: E402
from philidor.train.torch.packing import pack_run  # noqa: E402

torch.set_num_threads(1)

FILTER = PositionFilter(skip_plies=0, held_out=0.4)  # of eight games some, whatever they are
GIRAFFE = GiraffeTrainingConfig(
    epochs=8, batch=64, learning_rate=1e-2, widths=(4, 8, 8), hidden=(8,), positions=FILTER, device="cpu"
)
DEEPCHESS = DeepChessTrainingConfig(
    epochs=6, batch=64, learning_rate=1e-2, score_scale=100, vector=(16, 8), hidden=(8,), positions=FILTER, device="cpu"
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.rec"
    maker = GameMaker(EngineGamesConfig(nodes=40, settings=("hash=1",)))
    with RecordWriter(path) as writer:
        for number in range(8):
            record = maker.game(number)
            assert record is not None
            writer.add(record)
    return path


def _data(games: Path, filter_: PositionFilter = FILTER) -> TrainingPositions:
    data = TrainingPositions(filter_)
    for _ in data.read([games]):
        pass
    return data


def test_batches_are_what_the_references_see(games: Path) -> None:
    data = _data(games, PositionFilter(skip_plies=0, held_out=0.0, only_quiet=False, max_score=30_000))
    indices = np.arange(20, dtype=np.uint32)
    giraffe = giraffe_batch(data.train, indices)
    deepchess = deepchess_batch(data.train, indices)
    states = [state for game in RecordReader(games) for state in game.states(Chess()) if isinstance(state, Position)]
    # The games begin with random moves that have no score, so positions are found by what they look like.
    by_look = {features(state).tobytes(): state for state in states}
    for number, row in enumerate(giraffe.inputs):
        state = by_look[row.tobytes()]
        assert [index for index in deepchess.inputs[number].tolist() if index != INPUTS] == active_inputs(state)
        view = 1 if state.turn else -1
        assert deepchess.score[number] == view * giraffe.score[number]
        assert deepchess.result[number] - 0.5 == view * (giraffe.result[number] - 0.5)


@pytest.mark.parametrize(("trainer", "config"), [(GiraffeTrainer, GIRAFFE), (DeepChessTrainer, DEEPCHESS)])
def test_a_network_learns_and_a_stopped_run_ends_in_the_same_place(
    trainer: type, config: GiraffeTrainingConfig | DeepChessTrainingConfig, games: Path, tmp_path: Path
) -> None:
    data = _data(games)
    unbroken = trainer(config, Run.create("unbroken", config, tmp_path), data)
    steps: list[TrainingStep] = []
    assert unbroken.train(steps.append, report_every_s=0.0)
    assert np.mean([step.loss for step in steps[-3:]]) < 0.95 * np.mean([step.loss for step in steps[:3]])
    assert steps[-1].held_out_loss is not None
    broken = Run.create("broken", config, tmp_path)
    first = trainer(config, broken, data)
    assert not first.train(is_stopped=lambda: first.step >= 5)
    second = trainer(config, broken, data)
    assert second.step == 5
    assert second.train()
    for mine, other in zip(unbroken.model.parameters(), second.model.parameters(), strict=True):
        assert torch.equal(mine, other)


def test_only_runs_of_nnue_networks_are_packed(games: Path, tmp_path: Path) -> None:
    trainer = GiraffeTrainer(GIRAFFE, Run.create("giraffe", GIRAFFE, tmp_path), _data(games))
    trainer.save()
    with pytest.raises(RunError, match="trains a network of giraffe"):
        pack_run(trainer.run, tmp_path / "pack")
    assert not (tmp_path / "pack").exists()


def test_the_evaluators_compute_what_torch_does(games: Path, tmp_path: Path) -> None:
    data = _data(games)
    giraffe = GiraffeTrainer(GIRAFFE, Run.create("giraffe", GIRAFFE, tmp_path), data)
    deepchess = DeepChessTrainer(DEEPCHESS, Run.create("deepchess", DEEPCHESS, tmp_path), data)
    first, second = Position(), Position().play("e4").play("d5").play("exd5")
    judged = giraffe.model(torch.from_numpy(np.stack([features(first), features(second)])))
    network = giraffe.network("")
    assert judged.tolist() == pytest.approx([network.raw(first), network.raw(second)], abs=1e-5)
    assert network.scale == 2 * GIRAFFE.score_scale
    rows = [active_inputs(position) + [773] * 69 for position in (first, second)]
    vectors = deepchess.model.embed(torch.tensor([row[:69] for row in rows]))
    comparing = deepchess.network("")
    compared = comparing.compare(comparing.embed(first), comparing.embed(second))
    assert deepchess.model(vectors[:1], vectors[1:]).item() == pytest.approx(compared, abs=1e-5)


def test_games_without_scores_teach_their_results(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "unscored.rec"
    with RecordWriter(path) as writer:
        for record in RecordReader(games):
            writer.add(dataclasses.replace(record, scores=None, final_score=None))
    with pytest.raises(ConfigError, match="need results and scores"):
        _data(path)
    data = _data(path, PositionFilter(skip_plies=0, held_out=0.2, needs_scores=False))
    assert len(data.train) > 100
    for make in (giraffe_batch, deepchess_batch):
        batch = make(data.train, np.arange(50, dtype=np.uint32))
        assert not batch.score.any(), "nobody knows them, and a number that stands for that is no score"


def test_layers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ConfigError, match="widths must be 3 numbers"):
        GiraffeTrainingConfig(widths=(1, 2))
    with pytest.raises(ConfigError, match="at least one layer"):
        DeepChessTrainingConfig(vector=())
