"""Volunteers over HTTP on loopback: honest ones make a run, hostile ones are refused with a reason and cost nothing."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run
from philidor.pipelines.zero.courier import Courier
from philidor.pipelines.zero.desk import Parcel
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.ledger import Identity, Lot
from philidor.pipelines.zero.volunteer import HttpDesk, modest
from philidor.records import GameRecord, RecordReader, RecordWriter, Result
from tests.pipelines.tiny import played_games, tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.frontends.training import app as training_app  # noqa: E402
from philidor.frontends.training.app import create_app  # noqa: E402
from philidor.frontends.training.contributors import MOST_LIES, Contributors  # noqa: E402
from philidor.frontends.training.serve import training_server  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.pipelines.zero import ZeroLoop  # noqa: E402
from philidor.pipelines.zero.actor import Actor, identity_of  # noqa: E402
from philidor.pipelines.zero.judging import newest_judge  # noqa: E402

RECIPE = tiny_recipe(generations=2, games=12, shard_games=3, overlap=1, concurrent=6)
OURS = identity_of(load_game("tictactoe"))


class Place:
    """A run whose learner has begun, and a server for it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.run = Run.create("run", RECIPE, root)
        self.loop = ZeroLoop(RECIPE, self.run, is_alone=True)
        self.contributors = Contributors(self.run.path)
        self.tokens = {name: self.contributors.add(name) for name in ("ann", "bob", "eve")}
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def desk(self, name: str) -> HttpDesk:
        return HttpDesk(self.url, self.tokens[name])

    def courier(self, name: str) -> Courier:
        return Courier(self.desk(name), self.root / name, "laptop", OURS)

    def played(self, name: str) -> tuple[Courier, list[Parcel]]:
        """Plays what somebody is given, and returns the shards instead of handing them in."""
        courier = self.courier(name)
        recipe, run = courier.begin()
        files = ZeroFiles(run)
        actor = Actor(recipe, files, newest_judge(recipe, files, torch.device("cpu")), worker="laptop", threads=1)
        actor.play()
        actor.release()
        parcels = [Parcel(lot, files.shard(lot).read_bytes(), courier._facts(lot)) for lot in files.shards()]
        assert parcels
        return courier, parcels

    def statistics(self, name: str) -> dict[str, Any]:
        return next(each for each in self.contributors.statistics() if each["contributor"] == name)


@contextmanager
def _served(place: Place) -> Iterator[None]:
    config = uvicorn.Config(create_app(training_server(place.run, place.contributors)), port=0, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    place.port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    with _served(found):
        yield found


def test_volunteers_make_a_whole_run(place: Place) -> None:
    for _ in range(20):
        for name in ("ann", "bob"):
            courier, _parcels = place.played(name) if place.loop.files.whole_games() < 24 else (None, [])
            if courier is not None:
                courier.hand_in()
        while place.loop._learner.step():
            pass
        if place.loop._learner.is_over:
            break
    assert place.loop._learner.is_over
    assert sorted(played_games(place.run.shards)) == list(range(24))
    assert place.statistics("ann")["games"] + place.statistics("bob")["games"] == 24
    assert place.statistics("eve")["games"] == 0
    assert {lot.worker for lot in place.loop.files.shards()} <= {"volunteer.ann.laptop", "volunteer.bob.laptop"}
    # What was counted is known after the server has gone.
    assert Contributors(place.run.path).statistics() == place.contributors.statistics()


def _rewritten(parcel: Parcel, folder: Path, change: Callable[[GameRecord], GameRecord]) -> Parcel:
    """A shard whose games somebody has changed, with checksums that are right again."""
    path = folder / "changed.rec"
    path.write_bytes(parcel.games)
    with RecordReader(path) as reader:
        games = [change(record) for record in reader]
    with RecordWriter(path, load_game("tictactoe")) as writer:
        for game in games:
            writer.add(game)
    return replace(parcel, games=path.read_bytes())


def _more_visits(record: GameRecord) -> GameRecord:
    assert record.visits is not None
    return replace(record, visits=tuple({at: 1000 + count for at, count in each.items()} for each in record.visits))


def _other_result(record: GameRecord) -> GameRecord:
    return replace(record, result=Result.DRAW if record.result is not Result.DRAW else Result.FIRST_WINS)


HOSTILE: dict[str, tuple[Callable[[Parcel, Path], Parcel], str]] = {
    "another result": (lambda parcel, at: _rewritten(parcel, at, _other_result), "it ended"),
    "visits that do not add up": (lambda parcel, at: _rewritten(parcel, at, _more_visits), "where a search has"),
    "cut short": (lambda parcel, at: _rewritten(parcel, at, _shorter), "it is not over"),
    "no searches": (lambda parcel, at: _rewritten(parcel, at, lambda game: replace(game, visits=None)), "lacks the"),
    "another start": (lambda parcel, at: _rewritten(parcel, at, _elsewhere), "where games begin"),
    "forged numbers": (
        lambda parcel, at: _rewritten(parcel, at, lambda game: replace(game, tags={"Game": "7"})),
        "not the 3 of its name",
    ),
    "altered bytes": (lambda parcel, _: replace(parcel, games=_flipped(parcel.games)), "damaged"),
    "cut off": (lambda parcel, _: replace(parcel, games=parcel.games[:-9]), "damaged"),
    "no shard": (lambda parcel, _: replace(parcel, games=b"hello"), "rec"),
    "a network to come": (lambda parcel, _: replace(parcel, facts={"network": 99}), "played by network 99"),
}


def _shorter(record: GameRecord) -> GameRecord:
    end = len(record) - 1
    assert record.visits is not None
    assert record.wdl is not None
    assert record.flags is not None
    return replace(
        record,
        indices=record.indices[:end],
        visits=record.visits[:end],
        wdl=record.wdl[:end],
        flags=record.flags[:end],
    )


def _elsewhere(record: GameRecord) -> GameRecord:
    return replace(record, start=load_game("tictactoe").state(None).play("a1").text())


def _flipped(data: bytes) -> bytes:
    place = len(data) - 12
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def test_what_cannot_have_been_played_is_refused_with_a_reason(place: Place, tmp_path: Path) -> None:
    _, parcels = place.played("eve")
    for name, (change, reason) in HOSTILE.items():
        place.contributors._facts.clear()  # she would be suspended soon
        receipt = place.desk("eve").hand_in(change(parcels[0], tmp_path))
        assert not receipt.is_accepted, name
        assert reason in receipt.reason, (name, receipt.reason)
        assert place.loop.files.shards() == []
        assert not place.loop.files.ledger.is_owner(Lot(0, 2, "volunteer.eve.laptop"))
        # The games are given out again; here to herself.
        assert place.loop.files.ledger.take("volunteer.eve.laptop", OURS, 3, 12) == Lot(0, 2, "volunteer.eve.laptop")
    honest = place.desk("eve").hand_in(parcels[0])
    assert (honest.is_accepted, honest.is_new) == (True, True)


def test_a_shard_counts_once_and_only_for_whom_it_was_given_to(place: Place) -> None:
    _, parcels = place.played("ann")
    assert place.desk("ann").hand_in(parcels[0]).is_new
    again = place.desk("ann").hand_in(parcels[0])
    assert (again.is_accepted, again.is_new) == (True, False)
    for parcel in parcels[:2]:
        stolen = place.desk("eve").hand_in(parcel)
        assert not stolen.is_accepted
        assert "given to another worker" in stolen.reason
    assert place.statistics("ann")["games"] == len(parcels[0].lot)
    assert place.statistics("eve")["games"] == 0
    assert len(place.loop.files.shards()) == 1


def test_whoever_lies_too_often_is_suspended(place: Place) -> None:
    _, parcels = place.played("eve")
    for _ in range(MOST_LIES):
        place.loop.files.ledger.take("volunteer.eve.laptop", OURS, 3, 12)
        assert not place.desk("eve").hand_in(replace(parcels[0], games=b"lies")).is_accepted
    with pytest.raises(RunError, match="too many games that cannot have been played"):
        place.desk("eve").hand_in(parcels[0])
    assert place.statistics("eve")["lies"] == MOST_LIES
    place.courier("ann").begin()  # others are not concerned


def test_strangers_and_other_versions_are_refused(place: Place) -> None:
    with pytest.raises(RunError, match="no contributor has this token"):
        HttpDesk(place.url, "guessed").sign_in("laptop", OURS)
    for other in (Identity("tictactoe", "0.0.1"), Identity("chess", OURS.version)):
        with pytest.raises(RunError, match="but this run is tictactoe"):
            place.desk("ann").sign_in("laptop", other)
    with pytest.raises(RunError, match="a machine's name"):
        place.desk("ann").sign_in("../x", OURS)
    with pytest.raises(RunError, match="no network 9"):
        place.desk("ann").network(9)
    assert place.desk("ann").about() == OURS
    assert place.loop.files.ledger.lots() == []


def test_nobody_is_given_more_than_there_is_use_for(place: Place) -> None:
    given = [place.desk("eve").ask("laptop", OURS, "", 1_000_000).lots for _ in range(3)]
    assert sum(len(lot) for lots in given for lot in lots) <= 2 * RECIPE.concurrent + RECIPE.batch + 2


@pytest.mark.parametrize("is_declared", [True, False], ids=["declared", "in chunks"])
def test_a_body_that_is_too_large_is_not_read(place: Place, monkeypatch: pytest.MonkeyPatch, is_declared: bool) -> None:
    monkeypatch.setattr(training_app, "MOST_BYTES", 10_000)
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=10)
    headers = {"Authorization": f"Bearer {place.tokens['eve']}"}
    path = "/shards?first=0&last=2&worker=laptop&network=0"
    body: Any = bytes(20_000) if is_declared else iter([bytes(5_000)] * 4)
    connection.request("POST", path, body, headers, encode_chunked=not is_declared)
    answer = connection.getresponse()
    assert answer.status == 413
    assert "at most 10,000 bytes" in json.loads(answer.read())["detail"]
    connection.close()
    assert list(place.run.shards.glob("*.rec")) == []


def test_a_server_that_is_none_and_a_recipe_with_code_are_refused(place: Place) -> None:
    with pytest.raises(ConfigError, match="a server is http"):
        HttpDesk("ftp://x", "token")
    with pytest.raises(RunError, match="no training at"):
        HttpDesk("http://127.0.0.1:1", "token").about()
    mine = "examples/last_stone.py:LastStone"
    with pytest.raises(RunError, match="code of its own"):
        modest(replace(RECIPE, game=mine, network=replace(RECIPE.network, game=mine)))
    assert modest(replace(RECIPE, concurrent=100_000)).concurrent == 1024


def test_tokens_are_not_kept_and_names_are_taken_once(tmp_path: Path) -> None:
    contributors = Contributors(tmp_path)
    token = contributors.add("ann")
    assert token not in (tmp_path / "contributors.json").read_text()
    assert Contributors(tmp_path).name_of(token) == "ann"
    assert contributors.name_of("") is None
    for name in ("ann", "a b", "../ann", ""):
        with pytest.raises(ConfigError):
            contributors.add(name)
