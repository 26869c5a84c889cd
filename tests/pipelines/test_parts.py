"""Actors, learner and rater talk through files alone: games count once, whoever is killed, slow or a stranger."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from philidor.core.errors import ConfigError, RunError
from philidor.core.game import AnyGame
from philidor.core.runs import Run
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.files import Progress, ZeroFiles
from philidor.pipelines.zero.games import check_shard
from philidor.pipelines.zero.ledger import Identity, Ledger, Lot, lot_of
from philidor.pipelines.zero.meter import Meter
from tests.pipelines.tiny import played_games, tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.nets.torch.files import load_network  # noqa: E402
from philidor.pipelines.zero import Moment, ZeroLoop, learner  # noqa: E402
from philidor.pipelines.zero.actor import Actor  # noqa: E402
from philidor.pipelines.zero.judging import newest_judge  # noqa: E402
from philidor.pipelines.zero.loop import run_actor  # noqa: E402

ROOT = Path(__file__).parents[2]
OURS = Identity("tictactoe", "1.0")


def _loop(root: Path, recipe: ZeroRecipe, **options: Any) -> ZeroLoop:
    run = Run.resume_or_create("run", recipe, root)
    return ZeroLoop(recipe, run, has_processes=False, **options)


def _of_kind(run: Run, kind: str) -> list[dict[str, Any]]:
    return [event for event in run.metrics() if event["event"] == kind]


# --- The ledger -------------------------------------------------------------------------------------------------


def test_every_number_is_given_to_one_worker(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.open(OURS)
    lots = [ledger.take(worker, OURS, 4, 10) for worker in ("a", "b", "a", "b")]
    assert lots == [Lot(0, 3, "a"), Lot(4, 7, "b"), Lot(8, 9, "a"), None]
    assert Ledger(tmp_path / "ledger.jsonl").lots("a") == [Lot(0, 3, "a"), Lot(8, 9, "a")]
    assert all(lot_of(lot.name) == lot for lot in lots if lot is not None)


def test_a_lot_that_was_given_back_is_given_to_another_and_to_nobody_twice(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.open(OURS)
    lot = ledger.take("a", OURS, 4, 10)
    assert lot is not None
    ledger.give_back(lot)
    assert ledger.take("b", OURS, 2, 10) == Lot(0, 3, "b")
    ledger.give_back(lot)  # it is not a's any more
    assert not ledger.is_owner(lot)
    assert ledger.take("c", OURS, 4, 10) == Lot(4, 7, "c")


@pytest.mark.parametrize("other", [Identity("chess", "1.0"), Identity("tictactoe", "1.1")])
def test_a_worker_of_another_game_or_version_is_refused(tmp_path: Path, other: Identity) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.open(OURS)
    with pytest.raises(RunError, match=r"worker 'a' plays .*, but this run is tictactoe with philidor 1\.0"):
        ledger.take("a", other, 4, 10)
    assert ledger.lots() == []
    with pytest.raises(RunError, match="a worker's name"):
        ledger.take("../a", OURS, 4, 10)


def test_a_torn_line_is_as_if_never_written(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.open(OURS)
    ledger.take("a", OURS, 4, 10)
    with (tmp_path / "ledger.jsonl").open("a") as file:
        file.write('{"first": 4, "la')
    assert ledger.take("b", OURS, 4, 10) == Lot(4, 7, "b")


# --- Parts ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes as Unix does")
@pytest.mark.parametrize("kills", [5, pytest.param(30, marks=pytest.mark.slow)], ids=["five times", "thirty times"])
def test_kill_9_of_actors_learner_and_rater_loses_and_doubles_nothing(tmp_path: Path, kills: int) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "tests.pipelines.killed_parts", str(tmp_path / "run"), "1", str(kills)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "another program is at work" in done.stdout  # the second learner


def test_a_shard_that_is_cut_off_is_refused_and_played_again(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=1)
    loop = _loop(tmp_path, recipe)
    assert loop._actor is not None
    loop._actor.play()
    games = played_games(loop.run.shards)
    (shard,) = loop.run.shards.glob("0*.rec")
    shard.write_bytes(shard.read_bytes()[:-20])
    assert not loop._learner.step()
    assert (loop.run.shards / "refused" / shard.name).exists()
    (refused,) = _of_kind(loop.run, "refused")
    assert "damaged" in refused["reason"]
    assert loop.go()
    assert played_games(loop.run.shards) == games


def test_a_shard_that_waits_is_read_once_and_again_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = _loop(tmp_path, tiny_recipe(generations=1, shard_games=3))
    assert loop._actor is not None
    loop._actor.play()
    first, second = sorted(loop.run.shards.glob("0*.rec"))
    second.rename(tmp_path / second.name)  # as if it were still being played
    read: list[str] = []

    def check(path: Path, lot: Lot, game: AnyGame) -> None:
        read.append(path.name)
        check_shard(path, lot, game)

    monkeypatch.setattr(learner, "check_shard", check)
    assert not any(loop._learner.step() for _ in range(3))
    assert read == [first.name]
    first.write_bytes(first.read_bytes()[:-20])
    assert not loop._learner.step()
    assert read == [first.name] * 2
    assert (loop.run.shards / "refused" / first.name).exists()
    (tmp_path / second.name).rename(second)
    assert loop.go()
    assert len(played_games(loop.run.shards)) == 6


def test_a_shard_of_somebody_elses_lot_is_refused(tmp_path: Path) -> None:
    loop = _loop(tmp_path, tiny_recipe(generations=1))
    assert loop._actor is not None
    loop._actor.play()
    (shard,) = loop.run.shards.glob("0*.rec")
    (loop.run.shards / shard.name.replace("local", "thief")).write_bytes(shard.read_bytes())
    assert loop.go()
    assert ["given to another worker" in event["reason"] for event in _of_kind(loop.run, "refused")] == [True]
    assert len(played_games(loop.run.shards)) == 6


def test_playing_and_learning_side_by_side_make_the_same_files(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=3, games=12, overlap=1, shard_games=4)
    loop = _loop(tmp_path, recipe)
    assert loop.go()
    run = loop.run
    assert sorted(played_games(run.shards)) == list(range(36))
    assert [event["generation"] for event in _of_kind(run, "train")] == [1, 2, 3]
    assert [event["generation"] for event in _of_kind(run, "rating")] == [0, 1, 2, 3]
    assert all(0 <= event["device_idle"] <= 1 for event in _of_kind(run, "train"))
    plays = _of_kind(run, "play")
    shards = [name for event in plays for name in event["shards"]]
    assert len(shards) == len(set(shards)) == 9
    assert all(event["evaluations_per_second"] > 0 and 0 < event["mean_batch"] <= recipe.batch for event in plays)
    assert loop.files.progress == Progress(3, 36, 36, is_over=True)
    assert loop.best == 3


def test_side_by_side_playing_goes_on_while_the_network_learns(tmp_path: Path) -> None:
    """The first training is made to last until games of the next generation have ended."""
    recipe = tiny_recipe(generations=2, games=6, overlap=1, shard_games=3, training={"replay_ratio": 1.0})
    seen: list[int] = []
    loop = _loop(tmp_path, recipe)
    train = loop._learner.trainer.train

    def slow(*arguments: Any, **options: Any) -> Any:
        end = time.monotonic() + 20
        while loop.files.whole_games() < 12 and time.monotonic() < end:
            time.sleep(0.01)
        seen.append(loop.files.whole_games())
        return train(*arguments, **options)

    loop._learner.trainer.train = slow  # type: ignore[method-assign]
    assert loop.go()
    assert seen[0] == 12


def test_games_that_were_played_ahead_are_left_for_the_next_generations(tmp_path: Path) -> None:
    """A learner that took all of them at once would wait for ever for games of its last generation."""
    recipe = tiny_recipe(generations=3, games=6, overlap=2, shard_games=4)
    loop = _loop(tmp_path, recipe)
    assert loop._actor is not None
    loop._actor.play()
    assert loop.files.whole_games() == 18
    loop._actor.release()
    assert [loop._learner.step() for _ in range(4)] == [True, True, True, False]
    assert [event["games"] for event in loop._learner._events("play")] == [8, 4, 6]


def test_an_actor_waits_when_it_is_too_far_ahead(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=5, games=6, overlap=1)
    loop = _loop(tmp_path, recipe)
    assert loop._actor is not None
    loop._actor.play()
    assert loop.files.whole_games() == 12
    loop._actor.release()


def test_what_a_part_fails_with_ends_the_run_and_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Actor) -> None:
        raise RunError("the actor fell over")

    monkeypatch.setattr(Actor, "run", fail)
    with pytest.raises(RunError, match="the actor fell over"):
        _loop(tmp_path, tiny_recipe(overlap=1)).go()


def test_a_workers_lots_go_to_others_when_it_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = tiny_recipe(generations=1, games=6, shard_games=3, overlap=1)
    loop = _loop(tmp_path, recipe)
    identity = loop.files.ledger.identity()
    assert identity is not None
    assert loop.files.ledger.take("gone", identity, 3, 6) == Lot(0, 2, "gone")
    monkeypatch.setattr("philidor.pipelines.zero.learner._LOST_AFTER_S", 0.2)
    assert loop.go()
    assert [lot.worker for lot in loop.files.shards()] == ["local", "local"]


def test_an_actor_needs_a_network_and_a_name_of_its_own(tmp_path: Path) -> None:
    recipe = tiny_recipe()
    run = Run.create("run", recipe, tmp_path)
    with pytest.raises(RunError, match="begin the learner first"):
        run_actor(recipe, run, "a", lambda: False)
    with pytest.raises(RunError, match="a worker's name"):
        Actor(recipe, ZeroFiles(run), None, worker="a b")  # type: ignore[arg-type]


def test_a_run_of_an_older_layout_is_refused(tmp_path: Path) -> None:
    recipe = tiny_recipe()
    run = Run.create("run", recipe, tmp_path)
    (run.shards / "000000.rec").write_bytes(b"games")
    with pytest.raises(RunError, match="older version"):
        ZeroLoop(recipe, run)


def test_the_meter_counts_when_nobody_asks() -> None:
    meter = Meter()
    meter.take_idle()
    with meter.busy(), meter.busy():
        time.sleep(0.02)
    busy = meter.take_idle()
    time.sleep(0.02)
    assert busy < 0.5
    assert meter.take_idle() == 1.0


# --- Stages -----------------------------------------------------------------------------------------------------


def test_a_stage_changes_visits_rates_and_the_network(tmp_path: Path) -> None:
    stages = [
        "1 self_play.simulations=9 training.learning_rate=0.01 training.final_learning_rate=0.01 network.filters=48"
    ]
    recipe = tiny_recipe(generations=2, stages=stages)
    loop = _loop(tmp_path, recipe)
    assert loop.go()
    assert [event["learning_rate"] for event in _of_kind(loop.run, "train")] == [2e-3, 0.01]
    sizes = [load_network(loop.files.network(number)).config.filters for number in (0, 1, 2)]
    assert sizes == [32, 32, 48]
    (grown,) = _of_kind(loop.run, "grow")
    assert grown["generation"] == 1
    assert grown["steps"] == max(1, round(grown["window"] / 16))
    assert loop._actor is not None
    assert loop._actor._self_play.simulations == 9


def test_growing_stopped_and_gone_on_with_ends_where_it_would_have(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=2, stages=["1 network.filters=48"], training={"growth_passes": 8.0})
    whole = _loop(tmp_path / "whole", recipe)
    assert whole.go()
    stopped = False

    def watch(moment: Moment) -> None:
        nonlocal stopped
        stopped = stopped or (moment.stage == "train" and moment.generation == 2 and moment.done == 3)

    assert not _loop(tmp_path / "halves", recipe, watch=watch, is_stopped=lambda: stopped).go()
    halves = _loop(tmp_path / "halves", recipe)
    assert halves._learner.trainer.is_growing
    assert halves.go()
    networks = [load_network(loop.files.network(2)) for loop in (whole, halves)]
    for one, other in zip(*(network.state_dict().values() for network in networks), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        (["x self_play.simulations=9"], "a stage is"),
        (["1"], "a stage is"),
        (["1 games=4"], "a stage changes settings of"),
        (["1 self_play.simulation=9"], "did you mean 'self_play.simulations'"),
        (["1 self_play.simulations=many"], "must be an integer"),
        (["2 gate.pairs=1", "1 gate.pairs=2"], "in the order"),
    ],
)
def test_a_stage_that_makes_no_sense_is_refused(stages: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        tiny_recipe(generations=3, stages=stages)


def test_what_is_to_come_may_be_changed_and_nothing_else() -> None:
    before = tiny_recipe(generations=2, stages=["1 self_play.simulations=9"])
    longer = tiny_recipe(generations=9, stages=["1 self_play.simulations=9", "3 self_play.simulations=12"], overlap=1)
    assert longer.may_follow(before, 2)
    assert longer.may_follow(before, 3)
    assert not longer.may_follow(before, 4)
    assert not tiny_recipe(generations=2).may_follow(before, 2)
    assert tiny_recipe(generations=2).may_follow(before, 1)
    assert not tiny_recipe(generations=2, seed=7, stages=["1 self_play.simulations=9"]).may_follow(before, 0)


def test_a_judge_follows_the_newest_network(tmp_path: Path) -> None:
    loop = _loop(tmp_path, tiny_recipe(generations=1))
    assert loop.go()
    judge = newest_judge(loop.recipe, loop.files, torch.device("cpu"))
    judge.refresh()
    assert judge.generation == 1
    loop.files.newest = 0
    judge.refresh()
    assert judge.generation == 0
