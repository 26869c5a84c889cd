"""Engines that follow a tab: what they say, when they stop, and what is left when they die."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from philidor.frontends.web.analysis.analysts import other_side
from philidor.games.chess import Position
from tests.games.chess.tables import needs_tables, unpack_tables
from tests.web.analysis.desk import StudyTab, new_study, pgn_of
from tests.web.conftest import Server
from tests.web.test_engines import OddServer

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OddServer]:
    server = OddServer(tmp_path_factory.mktemp("odd"))
    server.start()
    yield server
    server.kill()


def look(tab: StudyTab, node: int) -> dict[str, Any]:
    tab.send("look", node=node)
    return tab.wait("place", node=node)


def finish(tab: StudyTab, seat: int = 0, **expected: Any) -> dict[str, Any]:
    return tab.wait("engine", seat=seat, status="done", **expected)


def test_two_engines_judge_what_the_tab_shows_and_follow_it(shared_server: Server) -> None:
    with StudyTab(shared_server.url, new_study(shared_server.url, position=MATE_IN_ONE)) as tab:
        assert len(look(tab, 0)["legal"]) == len(Position(MATE_IN_ONE).legal_moves())
        for seat, engine in enumerate(("nnue", "alphabeta")):
            tab.send("analyse", seat=seat, engine=engine, lines=3, limit={"depth": 3})
        first = finish(tab)
        best = first["lines"][0]
        assert (best["moves"][0]["san"], best["score"]["mate"]) == ("Rd8#", 1)
        assert best["moves"][0]["fen"].startswith("3R2k1/")
        assert len(first["lines"]) == 3
        assert first["wdl"] == [1, 0, 0]
        made = tab.edit("move", node=0, move="h3")
        look(tab, made["focus"])
        assert finish(tab, node=made["focus"])["lines"][0]["score"]["mate"] is None


def test_the_second_engine_shows_its_own_lines(shared_server: Server) -> None:
    with StudyTab(shared_server.url, new_study(shared_server.url, position=MATE_IN_ONE)) as tab:
        look(tab, 0)
        tab.send("analyse", seat=1, engine="alphabeta", limit={})
        assert finish(tab, seat=1)["lines"][0]["moves"][0]["san"] == "Rd8#"


def test_a_threat_is_the_other_sides_best_move(shared_server: Server) -> None:
    black_threatens = "3r2k1/5ppp/8/8/8/8/N4PPP/6K1 w - - 0 1"
    with StudyTab(shared_server.url, new_study(shared_server.url, position=black_threatens)) as tab:
        look(tab, 0)
        tab.send("analyse", seat=0, engine="nnue", threat=True, limit={"depth": 3})
        found = finish(tab)
        assert (found["lines"][0]["moves"][0]["san"], found["score"]["mate"]) == ("Rd1#", -1)
        assert found["threat"]
    assert other_side(Position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")) is None
    turned = other_side(Position("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"))
    assert turned is not None
    assert turned.fen().split()[1:4] == ["w", "KQkq", "-"]


def test_reports_come_five_to_ten_times_a_second_until_it_is_stopped(shared_server: Server) -> None:
    with StudyTab(shared_server.url, new_study(shared_server.url)) as tab:
        look(tab, 0)
        tab.send("analyse", seat=0, engine="nnue", lines=2)
        tab.wait("engine", status="thinking")
        begin, reports = time.monotonic(), []
        while time.monotonic() < begin + 2:
            reports.append(tab.receive())
        # At most ten; how few there may be on a busy machine is not for a test to say.
        assert 2 <= len([each for each in reports if each["type"] == "engine"]) <= 22
        nodes = [each["nodes"] for each in reports if each["type"] == "engine"]
        assert nodes == sorted(nodes)
        tab.send("stop", seat=0)
        tab.wait("engine", status="off")


def test_a_closed_tab_stops_its_search(odd: OddServer) -> None:
    before = len(odd.notes("stop"))
    with StudyTab(odd.url, new_study(odd.url)) as tab:
        look(tab, 0)
        tab.send("analyse", seat=0, engine="sleepy")
        odd.wait_for("start", before + 1)
        closed = time.clock_gettime(time.CLOCK_MONOTONIC)
    stopped = odd.wait_for("stop", before + 1)[-1]
    print(f"a closed tab's search stopped after {1000 * (stopped - closed):.0f} ms")
    assert stopped > closed


def test_when_an_engine_dies_the_study_is_as_it_was_and_it_can_be_asked_again(odd: OddServer) -> None:
    study = new_study(odd.url, "1. e4 {kept} e5 *")
    with StudyTab(odd.url, study) as tab:
        look(tab, 1)
        tab.send("analyse", seat=0, engine="mortal")
        failed = tab.wait("engine", status="failed")
        assert failed["message"] == "OSError: the engine has <b>died</b> of something"
        tab.edit("move", node=2, move="Nf3")
        tab.send("analyse", seat=0, engine="mortal")
        tab.wait("engine", status="done")
        tab.send("analyse", seat=0, engine="nobody")
        assert "nobody" in tab.wait("error")["message"]
        tab.send("analyse", seat=0, engine="sparring")
        assert "does not analyse" in tab.wait("engine", status="failed")["message"]
    assert "1. e4 { kept } 1... e5 2. Nf3 *" in pgn_of(odd.url, study)


def test_more_engines_than_cores_take_turns(odd: OddServer) -> None:
    study = new_study(odd.url)
    # One more than there are slots, so that at least one has to wait for another's break.
    tabs = [StudyTab(odd.url, study) for _ in range((os.cpu_count() or 1) + 2)]
    for tab in tabs:
        look(tab, 0)
        tab.send("analyse", seat=0, engine="sleepy")
    # All of them have begun though none of them ever ends by itself.
    for tab in tabs:
        tab.wait("engine", status="thinking")
        tab.close()


@needs_tables
@pytest.mark.skipif(shutil.which("stockfish") is None, reason="Stockfish is not installed")
def test_a_program_shows_several_lines_and_endgame_tables_have_the_last_word(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    server = Server(tmp_path, "--engine", "Fish=stockfish", "--syzygy", str(unpack_tables(folder)))
    server.start()
    try:
        with StudyTab(server.url, new_study(server.url, position=MATE_IN_ONE)) as tab:
            assert look(tab, 0)["tables"] is None
            tab.send("analyse", seat=0, engine="engine:Fish", lines=3, limit={"depth": 8})
            found = finish(tab)
            assert [line["score"] for line in found["lines"]][:1] == [{"cp": None, "mate": 1}]
            assert len(found["lines"]) == 3
        with StudyTab(server.url, new_study(server.url, position="8/8/8/8/8/2k5/1p6/2K5 w - - 0 1")) as tab:
            assert look(tab, 0)["tables"] == {"text": "A draw", "moves": ["Kb1"]}
            assert look(tab, tab.edit("move", node=0, move="Kd1")["focus"])["tables"]["text"] == "Black wins"
    finally:
        server.kill()
