"""Reviews on the server: the numbers are the library's own, they are kept, and a stopped one goes on."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

import philidor
from philidor.frontends.web.analysis import reviewing
from philidor.frontends.web.analysis.live import LiveStudy
from philidor.frontends.web.analysis.requests import ReviewMessage, StopReviewMessage
from philidor.frontends.web.analysis.shelf import StoredStudy
from philidor.frontends.web.analysis.tree import StudyTree
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.watcher import Watcher
from philidor.frontends.web.workers import Workers
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.reviews.judging import BLOCK
from tests.nets.leela_nets import residual_net
from tests.web.analysis.desk import StudyTab, new_study, pgn_of
from tests.web.conftest import Server

BLUNDER = (
    '[White "Anna"]\n[Black "Bela"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 (3. Nf3 {calmer}) Nf6 4. Qxf7# 1-0\n'
)
NODES = 2_000


def plain(review: dict[str, Any]) -> dict[str, Any]:
    """A review without the numbers of its nodes, which a study that is opened again gives anew."""
    return {**review, "moves": [{**move, "node": None} for move in review["moves"]]}


def test_a_review_is_the_librarys_and_survives_a_kill(server: Server) -> None:
    study = new_study(server.url, BLUNDER)
    expected = philidor.review(BLUNDER, nodes=NODES)
    with StudyTab(server.url, study) as tab:
        assert tab.wait("review")["review"] is None
        tab.send("review", nodes=NODES)
        progress = tab.wait("reviewing")
        assert progress["total"] == 8
        first = tab.wait("review")["review"]
        assert [move["judgment"] for move in first["moves"]] == [move.judgment for move in expected.moves]
        assert [move["percent"] for move in first["moves"]] == [move.white_percent for move in expected.moves]
        assert first["white"]["accuracy"] == expected.white.accuracy
        assert first["black"]["average_loss"] == expected.black.average_loss
        assert first["turning_point"] == expected.turning_point == 5
        mistake = first["moves"][5]
        assert (mistake["san"], mistake["judgment"]) == ("Nf6", "??")
        assert [move["san"] for move in mistake["reply_line"]] == ["Qxf7#"]
        # A variation changes nothing in the review, another main line ends it.
        tab.edit("move", node=0, move="d4")
        server.restart()
    with StudyTab(server.url, study) as tab:
        assert plain(tab.wait("review")["review"]) == plain(first)
        tab.edit("promote", node=tab.child("d4"), main=True)
        assert tab.wait("review")["review"] is None
        tab.edit("promote", node=tab.child("e4"), main=True)
        assert plain(tab.wait("review")["review"]) == plain(first)


def test_another_move_is_tried_in_place_of_a_mistake(shared_server: Server) -> None:
    with StudyTab(shared_server.url, new_study(shared_server.url, BLUNDER)) as tab:
        tab.send("try", place=5, move="g6")
        assert tab.wait("error")["code"] == "not_possible"
        tab.send("review", nodes=NODES)
        tab.wait("reviewing")
        tab.wait("review")
        tab.send("try", place=5, move="Nf6")
        played = tab.wait("tried")
        assert (played["is_good"], played["was_played"], played["line"][0]["san"]) == (False, True, "Qxf7#")
        tab.send("try", place=5, move="g6")
        better = tab.wait("tried")
        assert (better["is_good"], better["was_played"]) == (True, False)
        tab.send("try", place=5, move="Ke2")
        assert tab.wait("error")["code"] == "illegal_move"


def test_a_review_is_written_into_the_study_beside_what_was_there(shared_server: Server) -> None:
    study = new_study(shared_server.url, BLUNDER)
    with StudyTab(shared_server.url, study) as tab, StudyTab(shared_server.url, study) as other:
        tab.send("annotate", revision=tab.revision)
        assert tab.wait("error")["code"] == "not_possible"
        tab.send("review", nodes=NODES)
        tab.wait("reviewing")
        tab.wait("review")
        before = set(tab.nodes)
        tab.edit("annotate")
        tab.wait("study")
        other.wait("study")
        assert other.nodes == tab.nodes
        assert set(tab.nodes) & before == {0}
        assert tab.nodes[tab.child("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6")]["nags"] == [4]
        assert tab.nodes[tab.child("e4", "e5", "Bc4", "Nc6", "Nf3")]["comment"] == "calmer"
        assert tab.wait("review")["review"] is not None
    assert pgn_of(shared_server.url, study).split() == philidor.review(BLUNDER, nodes=NODES).pgn().split()


def game_of_random_moves(plies: int) -> Position:
    """The end of a game that is not over."""
    for seed in itertools.count():
        position, choices = Position(), random.Random(seed)
        while len(position.moves()) < plies and not position.is_over():
            position = position.play(choices.choice(position.legal_moves()))
        if not position.is_over():
            return position
    raise AssertionError


def in_order(end: Position) -> tuple[Position, ...]:
    return tuple(end.history())[::-1]


def pgn_of_moves(end: Position) -> str:
    return " ".join([before.san(after.moves()[-1]) for before, after in itertools.pairwise(in_order(end))] + ["*"])


def test_a_review_that_is_stopped_keeps_whole_blocks() -> None:
    positions = in_order(game_of_random_moves(40))
    judged = reviewing.Judged(reviewing.review_config(500, None), "key")
    seen: list[int] = []

    async def review(workers: Workers, stop_at: int) -> None:
        def progress(done: int, total: int) -> None:
            assert total == len(positions)
            seen.append(done)
            if done == stop_at:
                task.cancel()

        task = asyncio.create_task(reviewing.judge(workers, positions, judged, progress))
        await asyncio.wait([task])

    workers = Workers(2)  # one of them is kept for moves
    asyncio.run(review(workers, stop_at=17))
    assert sorted(judged.blocks) == [0]
    restored = reviewing.Judged.from_dict(json.loads(json.dumps(judged.to_dict())))
    assert restored.blocks == judged.blocks
    seen.clear()
    asyncio.run(review(workers, stop_at=-1))
    assert seen == list(range(16, len(positions) + 1))
    workers.close()


def test_a_review_asked_for_while_a_stopped_one_is_being_kept_goes_on_from_it() -> None:
    catalog, workers = Catalog(), Workers(2)
    tree = StudyTree.parse(pgn_of_moves(game_of_random_moves(40)), catalog.drawer("chess"))

    async def ask() -> list[dict[str, Any]]:
        is_written = asyncio.Event()

        async def save(_: StoredStudy) -> None:
            await is_written.wait()

        async def reload() -> tuple[StoredStudy, StudyTree]:
            raise AssertionError

        study = LiveStudy(StoredStudy(id="a", pgn=tree.pgn()), tree, catalog, workers, None, save, reload)
        tab = Watcher()
        await study.join(tab)

        async def told_until(kind: str, **expected: Any) -> list[dict[str, Any]]:
            told: list[dict[str, Any]] = []
            while True:
                news = json.loads(await tab.next() or "null")
                assert news["type"] != "error", news
                told.append(news)
                if news["type"] == kind and all(news[key] == value for key, value in expected.items()):
                    return told

        await told_until("review")
        await study.handle(ReviewMessage(type="review", nodes=20_000), tab)
        while (await told_until("reviewing"))[-1]["done"] < 17:
            pass
        await study.handle(StopReviewMessage(type="stop_review"), tab)
        await told_until("reviewing", total=0)
        await study.handle(ReviewMessage(type="review", nodes=20_000), tab)
        asyncio.get_running_loop().call_later(0.1, is_written.set)
        told = await told_until("review")
        await study.close()
        return told

    told = asyncio.run(ask())
    workers.close()
    assert told[0]["done"] >= 16
    assert len(told[-1]["review"]["moves"]) == 40


def test_a_review_ends_with_its_last_tab_and_goes_on_where_it_was(shared_server: Server) -> None:
    study = new_study(shared_server.url, pgn_of_moves(game_of_random_moves(8 * BLOCK - 1)))
    with StudyTab(shared_server.url, study) as tab:
        tab.send("review", nodes=20_000)
        while (done := tab.wait("reviewing")["done"]) < 40:
            pass
        tab.send("stop_review")
        tab.wait("reviewing", total=0)
    with StudyTab(shared_server.url, study) as tab:
        # Asked for at once, while the stopped one may still be on its way to the disk.
        tab.send("review", nodes=20_000)
        kept = tab.wait("reviewing", total=8 * BLOCK)["done"]
        # Each core had one block at most that was not whole.
        assert kept % BLOCK == 0
        assert kept >= done - (BLOCK - 1) * (os.cpu_count() or 1)
        assert len(tab.wait("review")["review"]["moves"]) == 8 * BLOCK - 1


def test_people_of_all_ratings_are_asked(shared_server: Server) -> None:
    with StudyTab(shared_server.url, new_study(shared_server.url, BLUNDER)) as tab:
        tab.send("people", node=0)
        found = tab.wait("people")
        assert found["ratings"] == list(range(800, 2401, 100))
        assert all(len(each["shares"]) == 17 for each in found["candidates"])
        assert min(each["cost"] for each in found["candidates"]) == 0
        tab.send("people", node=tab.child("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"))
        assert "over" in tab.wait("error")["message"]


def test_maia_s_files_are_asked_as_one_and_a_file_of_no_rating_by_itself(tmp_path: Path) -> None:
    server = Server(tmp_path, "--nets", str(tmp_path))
    for seed, name in enumerate(("maia-1100", "maia-1900", "plain")):
        save_leela(residual_net(seed=seed), tmp_path / f"{name}.pb.gz")
    server.start()
    try:
        crowds = httpx.get(f"{server.url}/api/crowds").json()
        assert [each["name"] for each in crowds] == ["human", "net:maia", "net:plain"]
        with StudyTab(server.url, new_study(server.url, "1. e4 e5 *")) as tab:
            for crowd, ratings in (("net:maia", [1100, 1900]), ("net:plain", [])):
                tab.send("people", node=0, crowd=crowd)
                assert tab.wait("people", crowd=crowd)["ratings"] == ratings
            tab.send("people", node=0, crowd="/etc/passwd")
            assert "/etc/passwd" in tab.wait("error")["message"]
            tab.send("review", nodes=100, human=1200, crowd="net:maia")
            played = tab.wait("review")["review"]
        policy = philidor.load_net(tmp_path / "maia-1100.pb.gz").evaluate([Position()])[0].policy
        assert played["moves"][0]["people"]["played"] == pytest.approx(policy["e2e4"], abs=1e-3)
    finally:
        server.kill()
