"""The zero loop: it runs, it stops and goes on, it gates, and what can break it is said in a line."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import ConfigError, GameError, NetError, RunError
from philidor.core.runs import Run
from philidor.nets.network_files import load_stored
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.actor import Actor
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.report import History, write_report
from philidor.records import RecordReader
from tests.pipelines.tiny import played_games, tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.nets.torch.files import load_network, save_network  # noqa: E402
from philidor.pipelines.zero import Moment, ZeroLoop  # noqa: E402
from philidor.train.torch.zero import ZeroTrainer  # noqa: E402


def _run(recipe: ZeroRecipe, root: Path, **options: Any) -> tuple[Run, bool]:
    path = root / "run" / "config.toml"
    run = Run(path.parent) if path.exists() else Run.create("run", recipe, root)
    return run, ZeroLoop(recipe, run, **options).go()


def _events(run: Run) -> Counter[tuple[str, int]]:
    return Counter((event["event"], event["generation"]) for event in run.metrics())


def test_a_run_leaves_games_networks_and_metrics(tmp_path: Path) -> None:
    run, is_done = _run(tiny_recipe(), tmp_path)
    assert is_done
    assert sorted(played_games(run.shards)) == list(range(12))
    assert sorted(path.name for path in run.checkpoints.glob("network-*")) == [
        f"network-{number:04d}.safetensors" for number in range(3)
    ]
    expected = {("rating", n): 1 for n in (0, 1, 2)} | {("play", n): 1 for n in (0, 1)} | {("guard", 0): 1}
    assert _events(run) == expected | {("train", n): 1 for n in (1, 2)}
    rates = [event["learning_rate"] for event in run.metrics() if event["event"] == "train"]
    assert rates == [2e-3, 2e-4]  # the first generation's and the last one's
    first, last = (load_network(run.checkpoints / f"network-{number:04d}.safetensors") for number in (0, 2))
    weights = [next(model.parameters()) for model in (first, last)]
    assert not torch.equal(*weights)


def test_a_finished_run_does_nothing_more_and_may_be_given_more_generations(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=1)
    run, _ = _run(recipe, tmp_path)
    before = _events(run)
    _run(recipe, tmp_path)
    assert _events(run) == before
    _run(dataclasses.replace(recipe, generations=2), tmp_path)
    assert sorted(played_games(run.shards)) == list(range(12))
    assert _events(run) - before == {("play", 1): 1, ("train", 2): 1, ("rating", 2): 1}


@pytest.mark.parametrize(("stage", "event"), [("rate", "rating"), ("gate", "gate")])
def test_ratings_and_gates_end_when_they_are_told_to_stop(stage: str, event: str, tmp_path: Path) -> None:
    moments: list[Moment] = []

    def is_stopped() -> bool:
        return bool(moments) and (moments[-1].stage, moments[-1].generation) == (stage, 1)

    run, is_done = _run(tiny_recipe(style="gated"), tmp_path, watch=moments.append, is_stopped=is_stopped)
    assert not is_done
    assert _events(run)[event, 1] == 0


@pytest.mark.parametrize("stage", ["play", "train", "rate", "gate"])
def test_a_run_stopped_at_any_stage_goes_on(tmp_path: Path, stage: str) -> None:
    recipe = tiny_recipe(style="gated")
    stopped = False

    def watch(moment: Moment) -> None:
        nonlocal stopped
        stopped = stopped or (moment.stage == stage and moment.generation == 1 and moment.event is None)

    run, is_done = _run(recipe, tmp_path, watch=watch, is_stopped=lambda: stopped)
    assert not is_done
    before = played_games(run.shards)
    with RecordReader(run.path / "actors" / "local" / "unfinished.rec") as reader:
        assert (0 < len(reader) <= recipe.concurrent) if stage == "play" else len(reader) == 0
    _, is_done = _run(recipe, tmp_path)
    assert is_done
    after = played_games(run.shards)
    assert sorted(after) == list(range(12))
    assert {number: after[number] for number in before} == before
    assert ("gate", 2) in _events(run)


def test_the_same_seed_plays_and_learns_the_same(tmp_path: Path) -> None:
    runs = [_run(tiny_recipe(), tmp_path / name)[0] for name in ("a", "b")]
    games = [played_games(run.shards) for run in runs]
    assert games[0] == games[1]
    losses = [[event["losses"] for event in run.metrics() if event["event"] == "train"] for run in runs]
    assert losses[0] == losses[1]


def test_training_stopped_and_gone_on_with_ends_where_it_would_have(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=1, training={"replay_ratio": 20.0, "ema": 0.9})
    whole, _ = _run(recipe, tmp_path / "whole")
    stopped = False

    def watch(moment: Moment) -> None:
        nonlocal stopped
        stopped = stopped or (moment.stage == "train" and moment.done == 7)

    halves, is_done = _run(recipe, tmp_path / "halves", watch=watch, is_stopped=lambda: stopped)
    assert not is_done
    _run(recipe, tmp_path / "halves")
    networks = [load_network(run.checkpoints / "network-0001.safetensors") for run in (whole, halves)]
    for one, other in zip(*(network.state_dict().values() for network in networks), strict=True):
        assert torch.equal(one, other)


def test_a_run_gone_on_with_does_not_read_what_has_left_the_window(tmp_path: Path) -> None:
    """The old shard is spoilt: whoever reads it would say so. The window is as if it had been read."""
    small = {"window": {"start": 5, "growth": 0.0, "power": 1.0}}
    whole, _ = _run(tiny_recipe(generations=3, training=small), tmp_path / "whole")
    parts, _ = _run(tiny_recipe(generations=2, training=small), tmp_path / "parts")
    old = parts.shards / "000000000-000000005-local.rec"
    old.write_bytes(old.read_bytes()[:-9] + b"not games")
    _run(tiny_recipe(generations=3, training=small), tmp_path / "parts")
    sizes = [[event["window"] for event in run.metrics() if event["event"] == "train"] for run in (whole, parts)]
    assert sizes[0] == sizes[1] == [5, 5, 5]


@pytest.mark.parametrize(("share", "often"), [(1e-9, range(2, 3)), (1e9, range(10, 1000))])
def test_games_under_way_are_kept_as_often_as_there_is_time_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, often: range
) -> None:
    """And once more at the end."""
    kept: list[Any] = []
    keep = Actor._keep
    monkeypatch.setattr("philidor.pipelines.zero.actor._UNFINISHED_EVERY_S", 0.0)
    monkeypatch.setattr("philidor.pipelines.zero.actor._UNFINISHED_SHARE", share)
    monkeypatch.setattr(Actor, "_keep", lambda self, pool: kept.append(keep(self, pool)))
    _run(tiny_recipe(generations=1), tmp_path)
    assert len(kept) in often


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("is_compiled", [True, False])
def test_only_on_a_gpu_the_network_that_plays_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str, is_compiled: bool
) -> None:
    made: list[Any] = []

    def backend(_model: Any, where: Any, **settings: Any) -> None:
        made.append((str(where), settings))

    def trainer(*arguments: Any, **settings: Any) -> ZeroTrainer:
        """Is on the CPU, whatever it says."""
        real = ZeroTrainer(*arguments, **settings)
        real.device = torch.device(device)
        return real

    recipe = tiny_recipe(compile=is_compiled, batch=3)
    monkeypatch.setattr("philidor.evaluators.torch.TorchBackend", backend)
    monkeypatch.setattr("philidor.train.torch.zero.ZeroTrainer", trainer)
    ZeroLoop(recipe, Run.create("run", recipe, tmp_path))
    assert made == [(device, {"compile_from": 3 if is_compiled and device == "cuda" else None})]


def test_a_gated_network_plays_only_if_it_wins(tmp_path: Path) -> None:
    run, _ = _run(tiny_recipe(style="gated", gate={"threshold": 1.0}), tmp_path)
    gates = [event for event in run.metrics() if event["event"] == "gate"]
    assert [gate["passed"] for gate in gates] == [gate["score"] >= 1.0 for gate in gates]
    assert len(gates) == 2
    assert gates[1]["against"] == (1 if gates[0]["passed"] else 0)
    loop = ZeroLoop(tiny_recipe(style="gated", gate={"threshold": 1.0}), run)
    assert loop.best == max([0, *(gate["generation"] for gate in gates if gate["passed"])])


@pytest.mark.parametrize("overlap", [0, 1])
def test_a_gate_is_played_without_ratings_too(tmp_path: Path, overlap: int) -> None:
    _, is_done = _run(tiny_recipe(style="gated", overlap=overlap), tmp_path, is_rated=False, has_processes=False)
    assert is_done
    kinds = [kind for kind, _ in ZeroFiles(Run(tmp_path / "run")).verdicts()]
    assert kinds == ["gate", "gate"]


def test_a_gate_of_zero_lets_every_network_pass(tmp_path: Path) -> None:
    run, _ = _run(tiny_recipe(style="gated", gate={"threshold": 0.0}), tmp_path)
    assert [event["passed"] for event in run.metrics() if event["event"] == "gate"] == [True, True]


def test_the_thresholds_own_score_passes_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.pipelines.zero.rater.play_duel", lambda *_, **__: [(1.0, 0.5), (0.5, 0.0)])
    for threshold, passed in ((0.5, True), (0.51, False)):
        recipe = tiny_recipe(generations=1, style="gated", gate={"threshold": threshold})
        run, _ = _run(recipe, tmp_path / str(threshold))
        assert [event["passed"] for event in run.metrics() if event["event"] == "gate"] == [passed]


def test_a_network_that_cannot_learn_is_refused_unless_told_otherwise(tmp_path: Path) -> None:
    tiny = tiny_recipe(generations=1, network={"filters": 1})
    with pytest.raises(RunError, match=r"not fit to be trained: .* cannot learn one batch by heart"):
        _run(tiny, tmp_path / "guarded")
    _, is_done = _run(dataclasses.replace(tiny, guards=False), tmp_path / "unguarded")
    assert is_done


def test_a_run_can_start_from_a_network_and_needs_its_file_once(tmp_path: Path) -> None:
    first, _ = _run(tiny_recipe(), tmp_path / "a")
    start = (first.checkpoints / "network-0002.safetensors").rename(tmp_path / "start.safetensors")
    recipe = tiny_recipe(start=str(start))
    stopped = False

    def watch(moment: Moment) -> None:
        nonlocal stopped
        stopped = stopped or (moment.stage == "train" and moment.generation == 1)

    run, is_done = _run(recipe, tmp_path / "b", watch=watch, is_stopped=lambda: stopped)
    assert not is_done
    weights, given = (load_stored(path).arrays for path in (run.checkpoints / "network-0000.safetensors", start))
    assert all(np.array_equal(weights[name], array) for name, array in given.items())
    assert ("guard", 0) not in _events(run)  # which are for networks that know nothing
    start.unlink()
    _, is_done = _run(recipe, tmp_path / "b")
    assert is_done
    # A network of another size, which a stage brings, begins with random weights.
    staged = dataclasses.replace(recipe, generations=3, stages=("2 network.filters=16",))
    _, is_done = _run(staged, tmp_path / "b")
    assert is_done
    assert load_stored(run.checkpoints / "network-0003.safetensors").config.filters == 16


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": {"filters": 16}}, "has another shape: 1x32 .*, not 1x16"),
        ({"game": "hexapawn", "network": {"game": "hexapawn"}}, "plays tictactoe, not hexapawn"),
        ({"start": "none.safetensors"}, "none.safetensors"),
    ],
)
def test_a_network_to_start_from_that_does_not_fit_is_named(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    start = tmp_path / "start.safetensors"
    recipe = tiny_recipe()
    save_network(start, ZeroTrainer(recipe.network, recipe.training).player)
    with pytest.raises(NetError, match=message):
        _run(tiny_recipe(**{"start": str(start), **changes}), tmp_path)


def test_gumbel_search_and_cheap_searches_train_too(tmp_path: Path) -> None:
    play = {"search": "gumbel", "simulations": 8, "cheap_simulations": 4, "full_share": 0.5}
    run, is_done = _run(tiny_recipe(generations=1, self_play=play), tmp_path)
    assert is_done
    event = next(event for event in run.metrics() if event["event"] == "train")
    plies = sum(len(moves) for moves in played_games(run.shards).values())
    assert 0 < event["new_positions"] < plies  # cheap moves teach nothing


def test_the_solver_can_be_the_teacher(tmp_path: Path) -> None:
    rating = {"solver": "play", "table": True}
    recipe = tiny_recipe(teacher="solver", rating=rating, training={"replay_ratio": 0.2})
    run, is_done = _run(recipe, tmp_path)
    assert is_done
    assert not list(run.shards.glob("*.rec"))
    table = [event["table"] for event in run.metrics() if event["event"] == "rating"]
    assert all(sum(odds.values()) == pytest.approx(1) for odds in table)


def test_the_report_has_curves_and_tables(tmp_path: Path) -> None:
    recipe = tiny_recipe(style="gated", rating={"solver": "play", "table": True})
    run, _ = _run(recipe, tmp_path)
    write_report(run, recipe, {"first": 0.5, "draw": 0.25, "second": 0.25})
    page, picture = (run.report / "report.md").read_text(), (run.report / "curves.svg").read_text()
    assert "| untrained network |" in page
    assert "| random player | 50.00 % | 25.00 % | 25.00 % |" in page
    assert "| network | against | score | passed |" in page
    assert picture.count("<polyline") >= 8
    assert picture.startswith("<svg")


def test_an_event_written_twice_counts_once() -> None:
    events = [{"event": "train", "generation": 1, "x": 1}, {"event": "train", "generation": 1, "x": 2}]
    assert History(events).of_kind("train") == [events[1]]


def test_a_damaged_state_is_named(tmp_path: Path) -> None:
    run, _ = _run(tiny_recipe(generations=1), tmp_path)
    (run.checkpoints / "trainer.pt").write_bytes(b"no state")
    with pytest.raises(RunError, match=r"cannot go on from .*trainer.pt"):
        _run(tiny_recipe(), tmp_path)


def test_a_damaged_network_is_named(tmp_path: Path) -> None:
    run, _ = _run(tiny_recipe(generations=1), tmp_path)
    (run.checkpoints / "network-0001.safetensors").write_bytes(b"no network")
    with pytest.raises(NetError, match="network-0001"):
        _run(tiny_recipe(), tmp_path)


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_its_state(tmp_path: Path) -> None:
    # Each step turns the weights around and makes them nine times as large.
    wild = {"optimizer": "sgd", "learning_rate": 10.0, "final_learning_rate": 10.0, "l2": 1.0, "replay_ratio": 40.0}
    with pytest.raises(RunError, match="lower the learning rate"):
        _run(tiny_recipe(training=wild), tmp_path)
    run = Run(tmp_path / "run")
    assert len(played_games(run.shards)) >= 6
    assert not (run.checkpoints / "network-0001.safetensors").exists()


BROKEN = """
from examples.last_stone import Heap, LastStone

class Stuck(Heap):
    def legal_moves(self):
        return [] if self.stones == 4 else super().legal_moves()

class Restless(Heap):
    def legal_moves(self):
        return super().legal_moves() or [1]

class StuckGame(LastStone):
    name = "stuck"
    kind = Stuck
    def state(self, text=None):
        heap = super().state(text)
        return self.kind(heap.stones, heap.ply)

class RestlessGame(StuckGame):
    kind = Restless

class Crowded(LastStone):
    def action_index(self, state, move):
        return 0

class Far(LastStone):
    def action_index(self, state, move):
        return move

class Failing(LastStone):
    def action_index(self, state, move):
        raise KeyError(move)
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("StuckGame", "no legal move and not over in '4 stones after"),
        ("RestlessGame", "legal moves although the game is over"),
        ("Crowded", "two legal moves have the same action_index"),
        ("Far", "action_index of 3 must be 0 to 2, got 3"),
        ("Failing", "KeyError"),
    ],
)
def test_a_game_that_breaks_its_contract_is_refused_before_training(tmp_path: Path, name: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    game = f"{path}:{name}"
    recipe = tiny_recipe(game=game, network={"game": game, "encoding": "text"})
    with pytest.raises(GameError, match=message):
        _run(recipe, tmp_path)


def test_a_game_of_ones_own_trains(tmp_path: Path) -> None:
    game = "examples/last_stone.py:LastStone"
    network = {"game": game, "encoding": "text", "filters": 64, "blocks": 2}
    recipe = tiny_recipe(game=game, network=network, rating={"solver": "play"})
    run, is_done = _run(recipe, tmp_path)
    assert is_done
    assert sorted(played_games(run.shards)) == list(range(12))


def test_training_needs_neither_python_chess_nor_zstandard() -> None:
    """A machine with a GPU may have nothing but numpy, torch and us."""
    blocked = "".join(f"sys.modules['{name}'] = None; " for name in ("chess", "zstandard", "onnxruntime"))
    modules = "philidor.cli.train, philidor.pipelines.zero, philidor.train.torch.guards, philidor.games.chess"
    code = f"import sys; {blocked} import {modules}; philidor.games.load_game('chess').state().legal_moves()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_other_sides_answer_is_learned_too(tmp_path: Path) -> None:
    run, is_done = _run(tiny_recipe(generations=1, network={"reply": True}), tmp_path)
    assert is_done
    (event,) = (event for event in run.metrics() if event["event"] == "train")
    assert event["losses"]["loss"] == pytest.approx(
        event["losses"]["policy"] + event["losses"]["wdl"] + 0.15 * event["losses"]["reply"], rel=1e-5
    )
    with pytest.raises(ConfigError, match="no replies"):
        tiny_recipe(teacher="solver", network={"reply": True})
