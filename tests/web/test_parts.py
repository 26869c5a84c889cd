"""The server's parts one by one: slots, clocks, buckets, what waits for a tab."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Any

import pytest
from fastapi import Request
from starlette.requests import ClientDisconnect

from philidor.core.thinking import Signal
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.clock import GameClock
from philidor.frontends.web.leaving import while_connected
from philidor.frontends.web.limits import Bucket
from philidor.frontends.web.live import LiveGame
from philidor.frontends.web.newgame import make_session
from philidor.frontends.web.news import ErrorNews, SettingsNews, Thinking
from philidor.frontends.web.requests import MoveMessage
from philidor.frontends.web.session import Session
from philidor.frontends.web.starts import Beginning
from philidor.frontends.web.stored import StoredGame
from philidor.frontends.web.watcher import Watcher
from philidor.frontends.web.workers import ADVICE, MOVE, VERDICT, Workers
from philidor.games.chess import Position
from tests.web.live import PATIENCE_S


class Time:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_lets_a_burst_through_and_then_a_trickle() -> None:
    now = Time()
    bucket = Bucket(3, 2, now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    fullness = [bucket.is_full]
    now.now += 60
    fullness.append(bucket.is_full)
    assert fullness == [False, True]
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_a_clock_counts_down_for_one_side_at_a_time() -> None:
    now = Time()
    clock = GameClock(10_000, 500, now=now)
    now.now += 5
    assert clock.remaining_ms() == (10_000, 10_000)  # it stands still
    clock.start(0)
    now.now += 2
    assert clock.remaining_ms() == (8_000, 10_000)
    clock.press(0)
    assert clock.remaining_ms() == (8_500, 10_000)
    clock.start(1)
    assert clock.seconds_to_flag() == pytest.approx(10)
    assert clock.flagged() is None
    now.now += 11
    assert clock.flagged() == 1
    assert clock.remaining_ms() == (8_500, 0)
    clock.set((1, 2))
    assert clock.view().model_dump() == {
        "base_ms": 10_000,
        "increment_ms": 500,
        "remaining_ms": (1, 2),
        "running": None,
    }
    assert clock.seconds_to_flag() is None


def error(number: int) -> ErrorNews:
    return ErrorNews(code="illegal_move", message=str(number), reply_to=None)


def settings(number: int) -> SettingsNews:
    return SettingsNews(settings={"number": number})


def thinking(nodes: int) -> Thinking:
    counted: dict[str, Any] = {"depth": 1, "time_ms": 0, "score": None, "value": None, "counters": {}, "line": []}
    return Thinking(nodes=nodes, revision=1, side=0, nps=None, **counted)


def test_of_waiting_reports_only_the_newest_is_sent() -> None:
    async def scenario() -> list[str | None]:
        watcher = Watcher()
        for news in (settings(1), error(2), settings(3), thinking(4), thinking(5)):
            watcher.send(news)
        watcher.close()
        return [await watcher.next() for _ in range(5)]

    *sent, end = asyncio.run(scenario())
    assert [json.loads(text or "")["type"] for text in sent] == ["settings", "error", "settings", "thinking"]
    assert json.loads(sent[-1] or "")["nodes"] == 5
    assert end is None


def test_a_tab_that_does_not_read_is_dropped() -> None:
    async def scenario() -> str | None:
        watcher = Watcher()
        for number in range(300):
            watcher.send(error(number))
        return await watcher.next()

    assert asyncio.run(scenario()) is None


def test_urgent_work_goes_first_and_one_slot_is_kept_for_moves() -> None:
    async def scenario() -> list[str]:
        workers, order = Workers(2), list[str]()
        release = threading.Event()

        def work(name: str) -> None:
            order.append(name)
            release.wait(10)

        def job(name: str, urgency: int) -> asyncio.Task[None]:
            return asyncio.create_task(workers.run(lambda stop: work(name), urgency))

        tasks = [job("verdict 1", VERDICT), job("verdict 2", VERDICT), job("hint", ADVICE), job("move 1", MOVE)]
        async with asyncio.timeout(PATIENCE_S):
            while len(order) < 2:
                await asyncio.sleep(0.001)
        assert sorted(order) == ["move 1", "verdict 1"]
        tasks += [job("move 2", MOVE), job("move 3", MOVE)]
        await asyncio.sleep(0)  # lets both ask for a slot
        release.set()
        await asyncio.gather(*tasks)
        workers.close()
        return order

    order = asyncio.run(scenario())
    assert order.index("move 3") < order.index("hint") < order.index("verdict 2")


def test_cancelled_work_is_told_to_stop_and_frees_its_slot() -> None:
    async def scenario() -> None:
        workers, has_begun = Workers(1), threading.Event()

        def endless(stop: Signal) -> None:
            has_begun.set()
            while not stop():
                time.sleep(0.001)

        running = asyncio.create_task(workers.run(endless, MOVE))
        waiting = asyncio.create_task(workers.run(endless, MOVE))
        await asyncio.to_thread(has_begun.wait, 10)
        waiting.cancel()
        running.cancel()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(running, waiting, return_exceptions=True)
        assert await workers.run(lambda stop: 42, VERDICT) == 42
        workers.close()

    asyncio.run(scenario())


def test_work_ends_when_its_page_goes_and_only_then() -> None:
    async def scenario() -> list[str]:
        workers, has_begun, seen = Workers(1), threading.Event(), list[str]()
        messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        request = Request({"type": "http"}, messages.get)

        def endless(stop: Signal) -> None:
            has_begun.set()
            stop.wait()
            seen.append("stopped")

        def fail(stop: Signal) -> None:
            raise OSError("refused")

        assert await while_connected(request, workers.run(lambda _: 42, ADVICE)) == 42
        with pytest.raises(OSError, match="refused"):
            await while_connected(request, workers.run(fail, ADVICE))
        running = asyncio.create_task(while_connected(request, workers.run(endless, ADVICE)))
        await asyncio.to_thread(has_begun.wait, PATIENCE_S)
        messages.put_nowait({"type": "http.request", "body": b""})  # an empty body comes as one
        await asyncio.sleep(0.01)
        assert not running.done()
        messages.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(ClientDisconnect):
                await running
        workers.close()
        return seen

    assert asyncio.run(scenario()) == ["stopped"]


def test_what_goes_wrong_in_a_thread_comes_out_and_frees_the_slot() -> None:
    def fail(stop: Signal) -> None:
        raise OSError("gone")

    async def scenario() -> None:
        workers = Workers(1)
        for _ in range(3):
            with pytest.raises(OSError, match="gone"):
                await workers.run(fail, MOVE)
        workers.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(("you", "offer"), [(0, None), (None, 0)])
def test_an_offer_that_no_engine_will_answer_does_not_stand_for_ever(you: int | None, offer: int | None) -> None:
    catalog = Catalog()
    session = make_session("chess", Beginning(start=Position()), catalog, you=you)
    session.offer_draw()
    assert session.draw_offer == 0
    assert Session(session.stored, catalog).draw_offer == offer


def test_a_change_that_cannot_be_saved_has_not_happened() -> None:
    catalog = Catalog()

    def fresh() -> Session:
        return make_session("chess", Beginning(start=Position()), catalog)

    async def scenario() -> list[str]:
        async def full_disk(stored: StoredGame, first_ply: int) -> None:
            raise OSError("no space left on device")

        async def reload() -> Session:
            return fresh()

        workers, watcher = Workers(1), Watcher()
        game = LiveGame(fresh(), workers, full_disk, reload)
        await game.join(watcher)
        await game.handle(MoveMessage(type="move", revision=1, move="e4", id=7), watcher)
        assert game.session.match.moves == []
        watcher.close()
        messages = []
        while (message := await watcher.next()) is not None:
            messages.append(message)
        await game.close()
        workers.close()
        return messages

    error, game = map(json.loads, asyncio.run(scenario()))
    assert (error["type"], error["code"], error["reply_to"]) == ("error", "not_saved", 7)
    assert "no space left" in error["message"]
    assert game["game"]["moves"] == []
