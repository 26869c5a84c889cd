"""An analysis while it grows: the last one names the move, and leaving early ends the search."""

import asyncio
import time
from typing import Any

import pytest

from philidor.core.analysis import Analysis
from philidor.core.errors import ArgumentError
from philidor.core.thinking import Limits
from philidor.games.chess import Position
from philidor.players import load_engine
from philidor.players.streaming import stream, stream_async

SOME = Limits(nodes=20_000)
# Not endless, so that a search that goes on is a failure and no hanging test.
LONG = Limits(time_s=60.0)


def test_the_last_one_is_what_think_answers() -> None:
    found = list(stream(load_engine("nnue"), Position(), SOME))
    assert len(found) > 3
    assert [each.best for each in found[:-1]] == [None] * (len(found) - 1)
    assert found[-1].best == load_engine("nnue").think(Position(), SOME).best


def test_leaving_the_loop_ends_the_search() -> None:
    growing: Any = stream(load_engine("nnue"), Position(), LONG)
    assert next(growing).best is None
    began = time.monotonic()
    growing.close()
    assert time.monotonic() - began < 10


def test_an_error_is_raised_where_the_stream_is_read() -> None:
    class Broken:
        def think(self, *_: Any) -> Analysis:
            raise RuntimeError("broken")

    player: Any = Broken()
    with pytest.raises(RuntimeError, match="broken"):
        list(stream(player, Position()))
    nothing: Any = None
    with pytest.raises(ArgumentError):
        next(stream(load_engine("random"), nothing))


def test_an_event_loop_goes_on_meanwhile() -> None:
    async def watch() -> tuple[list[Analysis], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        clock = asyncio.create_task(tick())
        found = [each async for each in stream_async(load_engine("nnue"), Position(), SOME)]
        clock.cancel()
        return found, ticks

    found, ticks = asyncio.run(watch())
    assert found[-1].best == load_engine("nnue").think(Position(), SOME).best
    assert ticks > 2


def test_cancelling_its_task_ends_the_search() -> None:
    async def watch() -> None:
        async for _ in stream_async(load_engine("nnue"), Position(), LONG):
            pass

    async def cancel() -> None:
        task = asyncio.create_task(watch())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    began = time.monotonic()
    asyncio.run(cancel())
    assert time.monotonic() - began < 10
