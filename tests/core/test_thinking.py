"""How players are asked: signals that are heard at once, clocks, and answers that wait until they are asked for."""

import threading
import time

import pytest

from philidor.core.errors import ConfigError
from philidor.core.thinking import NO_LIMITS, Limits, Signal, TimeLeft, answer_in_time, ending


def test_a_signal_happens_once_and_calls_whoever_listens() -> None:
    signal, called = Signal(), list[str]()
    with signal.calling(lambda: called.append("before")):
        assert not signal()
        signal.give(at=3.0)
        signal.give(at=4.0)
    with signal.calling(lambda: called.append("after")):
        assert called == ["before", "after"]
    assert signal()
    assert signal.at == 3.0


def test_who_has_stopped_listening_is_not_called() -> None:
    signal, called = Signal(), list[str]()
    with signal.calling(lambda: called.append("late")):
        pass
    signal.give()
    assert called == []


@pytest.mark.parametrize("limits", [{"nodes": 0}, {"depth": 0}, {"time_s": float("nan")}, {"mate": "x"}])
def test_a_limit_that_is_none_is_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=next(iter(limits))):
        Limits(**limits)  # type: ignore[arg-type]


def test_the_clock_and_a_time_for_the_move_hold_together() -> None:
    clock = TimeLeft(ms=(60_000, 600))
    assert NO_LIMITS.seconds(0) is None
    assert Limits(time_s=1.5).seconds(1) == 1.5
    assert Limits(time_left=clock).seconds(0) == pytest.approx(2.0)
    assert Limits(time_left=clock, time_s=1.5).seconds(0) == 1.5
    assert Limits(time_left=clock, time_s=1.5).seconds(1) == pytest.approx(0.02)
    assert Limits(time_left=TimeLeft(ms=(60_000, 600), moves_to_go=3)).seconds(0) == pytest.approx(15.0)
    assert Limits(time_left=TimeLeft(ms=(60_000, 600), moves_to_go=1)).seconds(1) == pytest.approx(0.3)


def test_the_clock_of_who_ponders_is_started_by_the_opponents_move() -> None:
    hit, now = Signal(), time.perf_counter()
    limits = Limits(time_s=1.0, began=now - 100, clock_start=hit)
    is_over = ending(limits, 0, None)
    assert is_over is not None
    assert limits.start() is None
    assert not is_over()
    hit.give(at=now - 0.5)
    assert limits.start() == now - 0.5
    late = Signal()
    late.give(at=now - 2.0)
    is_late = ending(Limits(time_s=1.0, clock_start=late), 0, None)
    assert is_late is not None
    assert is_late()


def test_an_order_that_came_in_a_while_ago_has_used_that_time() -> None:
    is_over = ending(Limits(time_s=1.0, began=time.perf_counter() - 2), 0, None)
    assert is_over is not None
    assert is_over()
    stop = Signal()
    assert ending(Limits(nodes=5), 0, stop) is stop
    assert ending(Limits(time_s=1.0, is_endless=True), 0, None) is None


@pytest.mark.parametrize("how", ["stopped", "hit", "endless"])
def test_an_answer_waits_until_it_may_be_given(how: str) -> None:
    stop, hit, has_answered = Signal(), Signal(), threading.Event()
    limits = Limits(is_endless=True) if how == "endless" else Limits(nodes=1, clock_start=hit)

    def answer() -> None:
        answer_in_time(limits, stop)
        has_answered.set()

    thread = threading.Thread(target=answer)
    thread.start()
    assert not has_answered.wait(0.02)
    (hit if how == "hit" else stop).give()
    thread.join(30)
    assert has_answered.is_set()
    answer_in_time(Limits(nodes=1), Signal())  # at once
