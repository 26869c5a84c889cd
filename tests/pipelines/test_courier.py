"""Desk and couriers: a run whose parts share no folder makes the same files, whatever gets lost on the way."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from philidor.core.errors import NetError, RunError
from philidor.core.runs import Run
from philidor.pipelines.zero.courier import MOST_UNACKNOWLEDGED, Courier, RaterCourier
from philidor.pipelines.zero.desk import Desk, Orders, Parcel, Receipt
from philidor.pipelines.zero.files import Progress, ZeroFiles
from philidor.pipelines.zero.ledger import Identity, Lot
from tests.pipelines.tiny import played_games, tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.games import load_game  # noqa: E402
from philidor.pipelines.zero import ZeroLoop  # noqa: E402
from philidor.pipelines.zero.actor import Actor, identity_of  # noqa: E402
from philidor.pipelines.zero.away import play_away  # noqa: E402
from philidor.pipelines.zero.judging import newest_judge  # noqa: E402
from philidor.pipelines.zero.rater import Rater  # noqa: E402

OURS = identity_of(load_game("tictactoe"))
RECIPE = tiny_recipe(generations=2, games=12, shard_games=3, overlap=1, concurrent=12)


class Post:
    """A desk that can lose answers: what was asked has been done all the same."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.loses: str | None = None

    def __getattr__(self, name: str) -> Any:
        def ask(*arguments: Any) -> Any:
            answer = getattr(self.desk, name)(*arguments)
            if self.loses == name:
                self.loses = None
                raise ConnectionError("the answer got lost")
            return answer

        return ask


@pytest.fixture(autouse=True)
def _desk_that_looks_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # It looks at the disk ten times a second at most: what it has seen would depend on the speed of the machine.
    monkeypatch.setattr("philidor.pipelines.zero.desk._LOOK_EVERY_S", 0.0)


def _begun(root: Path, recipe: Any = RECIPE) -> tuple[ZeroLoop, Desk]:
    run = Run.resume_or_create("run", recipe, root / "learner")
    loop = ZeroLoop(recipe, run, is_alone=True)
    return loop, Desk(recipe, ZeroFiles(run))


def _actor(courier: Courier, worker: str) -> Actor:
    recipe, run = courier.begin()
    files = ZeroFiles(run)
    return Actor(recipe, files, newest_judge(recipe, files, torch.device("cpu")), worker=worker, threads=1)


def _play(courier: Courier, worker: str) -> None:
    """Plays what the courier was given, and ends like a process that is killed."""
    actor = _actor(courier, worker)
    actor.play()
    actor.release()


def test_actors_and_rater_elsewhere_make_a_whole_run(tmp_path: Path) -> None:
    recipe = replace(RECIPE, style="gated", gate=replace(RECIPE.gate, pairs=1, threshold=0.0))
    loop, desk = _begun(tmp_path, recipe)
    couriers = {name: Courier(desk, tmp_path / name, name, OURS) for name in ("a", "b")}
    actors = {name: _actor(courier, name) for name, courier in couriers.items()}
    carrier = RaterCourier(desk, tmp_path / "rater", "rater", OURS)
    rating_recipe, rating_run = carrier.begin()
    rater = Rater(rating_recipe, ZeroFiles(rating_run))
    for _ in range(40):
        for name, courier in couriers.items():
            courier.step()
            actors[name].play()
            courier.hand_in()
        loop._learner.step()
        carrier.step(rater.must_judge)
        rater.catch_up()
        carrier.step(rater.must_judge)
        loop._learner.absorb()
        if loop._learner.is_over and len(ZeroFiles(loop.run).verdicts()) == 5:
            break
    loop._learner.absorb()
    assert sorted(played_games(loop.run.shards)) == list(range(24))
    assert {lot.worker for lot in loop.files.shards()} == {"a", "b"}
    events = loop.run.metrics()
    assert [event["generation"] for event in events if event["event"] == "rating"] == [0, 1, 2]
    assert [event["passed"] for event in events if event["event"] == "gate"] == [True, True]
    assert loop.files.newest == 2
    assert all(event["evaluations"] > 0 for event in events if event["event"] == "play")
    for actor in actors.values():
        actor.release()
    for courier in couriers.values():  # they hear that it is over, and have nothing left to hand in
        courier.step()
        assert courier._files is not None
        assert courier._files.progress.is_over
        assert courier._files.shards() == []


def test_an_answer_that_gets_lost_loses_and_doubles_no_game(tmp_path: Path) -> None:
    loop, desk = _begun(tmp_path)
    post = Post(desk)
    courier = Courier(post, tmp_path / "a", "a", OURS)
    actor = _actor(courier, "a")
    actor.play()
    post.loses = "hand_in"
    with pytest.raises(ConnectionError):
        courier.hand_in()
    accepted = played_games(loop.run.shards)
    assert len(accepted) == 3  # it was written, but the worker does not know
    post.loses = "ask"
    with pytest.raises(ConnectionError):
        courier.step()
    courier.begin()  # tells which games were given out by the answer that is lost
    assert courier._files is not None
    out = {lot for lot in loop.files.ledger.lots("a") if lot not in loop.files.shards()}
    free = {numbers.start for numbers in courier._files.ledger.free()}
    mine = {lot.first for lot in courier._files.ledger.lots("a")} - {lot.first for lot in courier._files.ledger.done()}
    assert {lot.first for lot in out} <= free | mine
    actor.play()
    courier.hand_in()
    after = played_games(loop.run.shards)
    assert {number: after[number] for number in accepted} == accepted
    actor.release()


def test_a_worker_that_was_killed_goes_on_in_its_folder(tmp_path: Path) -> None:
    loop, desk = _begun(tmp_path)
    courier = Courier(desk, tmp_path / "a", "a", OURS)
    _play(courier, "a")  # whole shards lie in its folder, and nobody has heard of them
    assert loop.files.shards() == []
    again = Courier(desk, tmp_path / "a", "a", OURS)
    again.begin()
    assert len(loop.files.shards()) == 4
    assert again.handed_in == 12


def test_a_lost_worker_comes_back_too_late(tmp_path: Path) -> None:
    loop, desk = _begun(tmp_path)
    late = Courier(desk, tmp_path / "late", "late", OURS)
    _play(late, "late")
    assert desk.release("late".__eq__) == 4
    other = Courier(desk, tmp_path / "other", "other", OURS)
    _play(other, "other")
    other.hand_in()
    late.hand_in()
    assert len(late.refused) == 4
    assert "given to another worker" in late.refused[0]
    assert {lot.worker for lot in loop.files.shards()} == {"other"}


def test_a_shard_that_arrived_is_not_handed_out_again(tmp_path: Path) -> None:
    loop, desk = _begun(tmp_path)
    courier = Courier(desk, tmp_path / "a", "a", OURS)
    _play(courier, "a")
    courier.hand_in()
    lot = loop.files.shards()[0]
    loop.files.ledger.give_back(lot, unless=loop.files.shard(lot).exists)
    assert loop.files.ledger.is_owner(lot)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda parcel: replace(parcel, games=parcel.games[:-20]), "damaged"),
        (lambda parcel: replace(parcel, games=b""), "is empty"),
        (lambda parcel: replace(parcel, lot=Lot(3, 5, "a")), "games, not the 3 of its name"),
        (lambda parcel: replace(parcel, lot=Lot(0, 2, "b")), "given to another worker"),
        (lambda parcel: replace(parcel, lot=Lot(0, 5, "a")), "given to another worker"),
    ],
    ids=["cut off", "empty", "other numbers", "other worker", "other range"],
)
def test_a_shard_that_is_not_what_it_should_be_is_refused(tmp_path: Path, change: Any, reason: str) -> None:
    loop, desk = _begun(tmp_path)
    courier = Courier(desk, tmp_path / "a", "a", OURS)
    _play(courier, "a")
    files = courier._files
    assert files is not None
    lot = files.shards()[0]
    receipt = desk.hand_in(change(Parcel(lot, files.shard(lot).read_bytes(), {})))
    assert not receipt.is_accepted
    assert reason in receipt.reason
    assert loop.files.shards() == []
    assert list(loop.run.shards.glob(".*")) == []
    courier.hand_in()
    assert len(loop.files.shards()) == 4  # the worker's own are as good as ever


def test_a_worker_of_another_version_or_game_is_refused_and_so_is_a_network_that_is_not_there(tmp_path: Path) -> None:
    _, desk = _begun(tmp_path)
    for other in (Identity("tictactoe", "0.0.1"), Identity("chess", OURS.version)):
        with pytest.raises(RunError, match="but this run is tictactoe"):
            Courier(desk, tmp_path / "a", "a", other).begin()
        with pytest.raises(RunError, match="but this run is tictactoe"):
            desk.ask("a", other, "", 5)
    with pytest.raises(NetError, match="no network 7"):
        desk.network(7)


def test_a_worker_whose_shards_are_not_acknowledged_asks_for_no_more(tmp_path: Path) -> None:
    _, desk = _begun(tmp_path)

    class Silent(Post):
        asked: list[int]

        def ask(self, worker: str, identity: Identity, beat: str, wanted: int) -> Orders:
            self.asked.append(wanted)
            return self.desk.ask(worker, identity, beat, wanted)

        def hand_in(self, parcel: Parcel) -> Receipt:
            raise ConnectionError("the desk is stalled")

    post = Silent(desk)
    post.asked = []
    courier = Courier(post, tmp_path / "a", "a", OURS)
    actor = _actor(courier, "a")
    actor.play()
    assert courier._files is not None
    assert len(courier._files.shards()) >= 2
    courier._files.ledger.offer([Lot(100 + 3 * n, 102 + 3 * n, "a") for n in range(4)])
    courier._files.progress = replace(courier._files.progress, end=200)
    actor.play()
    assert len(courier._files.shards()) >= MOST_UNACKNOWLEDGED
    assert courier._wanted() == 0
    actor.release()


def test_no_games_are_given_out_while_the_learner_stands_still(tmp_path: Path) -> None:
    loop, desk = _begun(tmp_path)
    courier = Courier(desk, tmp_path / "a", "a", OURS)
    actor = _actor(courier, "a")
    for _ in range(20):
        courier.step()
        actor.play()
    courier.hand_in()
    # Two generations ahead at most, whatever is asked for; both are the whole run here.
    assert loop.files.whole_games() == 24
    loop.files.progress = Progress(generation=0, wanted=24, end=1000)
    desk._looked = 0.0
    assert desk.ask("a", OURS, "", 100).lots == ()
    actor.release()


def test_a_full_disk_on_one_machine_is_told_and_the_games_go_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, desk = _begun(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/elsewhere/finished.rec")

    def play(name: str) -> None:
        play_away(desk, tmp_path / name, name, OURS, is_stopped=lambda: loop.files.whole_games() == 24)

    with monkeypatch.context() as broken:
        broken.setattr(Actor, "_hand_over", full)
        with pytest.raises(OSError, match="No space left"):
            play("a")
    assert loop.files.shards() == []
    assert desk.release("a".__eq__) > 0
    play("b")
    assert sorted(played_games(loop.run.shards)) == list(range(24))
