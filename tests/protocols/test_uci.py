"""UCI lines are read as the protocol means them, and wrong ones are named."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.evaluation import Wdl
from philidor.core.thinking import Signal, TimeLeft
from philidor.protocols.uci import (
    Go,
    Info,
    PositionCommand,
    UciError,
    format_best,
    format_info,
    go_of,
    infos_of,
    limits_of,
    parse_go,
    parse_position,
    parse_setoption,
    permille,
)


def test_go_reads_clocks_and_limits() -> None:
    go = parse_go(["wtime", "1000", "btime", "2000", "winc", "10", "binc", "20", "movestogo", "5"])
    assert go == Go(wtime=1000, btime=2000, winc=10, binc=20, movestogo=5)
    assert parse_go(["searchmoves", "e2e4", "d2d4", "depth", "6"]) == Go(searchmoves=("e2e4", "d2d4"), depth=6)
    assert parse_go(["infinite"]) == Go(infinite=True)
    assert parse_go([]) == Go()


def test_clocks_of_zero_or_less_are_raised() -> None:
    assert parse_go(["wtime", "-50", "btime", "0", "depth", "0"]) == Go(wtime=1, btime=1, depth=1)


@pytest.mark.parametrize("line", ["depth", "depth x", "nodes 1e3", "fast", "wtime 1 2"])
def test_a_wrong_go_is_named(line: str) -> None:
    with pytest.raises(UciError, match="go:"):
        parse_go(line.split())


def test_position_reads_both_forms() -> None:
    assert parse_position(["startpos"]) == PositionCommand()
    assert parse_position(["startpos", "moves", "e2e4", "e7e5"]).moves == ("e2e4", "e7e5")
    assert (
        parse_position(["fen", "8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1", "moves", "a"]).fen
        == "8/8/8/8/8/8/8/8 w - - 0 1"
    )


@pytest.mark.parametrize("line", ["", "start", "startpos e2e4"])
def test_a_wrong_position_is_named(line: str) -> None:
    with pytest.raises(UciError, match="position:"):
        parse_position(line.split())


def test_setoption_takes_names_and_values_of_several_words() -> None:
    assert parse_setoption(["name", "Move", "Overhead", "value", "30"]) == ("Move Overhead", "30")
    assert parse_setoption(["name", "Clear", "Hash"]) == ("Clear Hash", "")
    assert parse_setoption(["name", "SyzygyPath", "value", "C:\\a", "b"]) == ("SyzygyPath", "C:\\a b")


def test_info_is_written_in_the_usual_order() -> None:
    info = Info(depth=8, seldepth=12, multipv=1, score=Score(cp=-33), nodes=5, nps=10, time_ms=500, pv=["e2e4", "e7e5"])
    assert format_info(info) == ("info depth 8 seldepth 12 multipv 1 score cp -33 nodes 5 nps 10 time 500 pv e2e4 e7e5")
    assert format_info(Info(score=Score(mate=-3), bound="upperbound")) == "info score mate -3 upperbound"


def test_best_move_of_a_finished_game_is_the_null_move() -> None:
    assert format_best(None) == "bestmove 0000"
    assert format_best("e2e4", "e7e5") == "bestmove e2e4 ponder e7e5"


@given(st.floats(0, 1), st.floats(0, 1))
def test_thousandths_add_up(a: float, b: float) -> None:
    win, loss = min(a, b), 1 - max(a, b)
    parts = permille(Wdl(win, 1 - win - loss, loss))
    assert sum(parts) == 1000
    assert min(parts) >= 0


@given(st.lists(st.text(max_size=12), max_size=8))
def test_any_words_are_read_or_named(words: list[str]) -> None:
    for parse in (parse_go, parse_position, parse_setoption):
        with contextlib.suppress(UciError):
            parse(words)


@pytest.mark.parametrize(
    "words",
    [
        "wtime 3000 btime 2000 winc 10 binc 20 movestogo 7",
        "movetime 250 nodes 5 depth 3",
        "mate 2 searchmoves e2e4 d2d4",
        "infinite",
        "ponder wtime 1 btime 1",
    ],
)
def test_limits_say_what_go_does(words: str) -> None:
    go = parse_go(words.split())
    limits = limits_of(go, ponder_hit=Signal())
    assert go_of(limits) == go
    assert limits.replace_own
    assert (limits.clock_start is not None) == go.ponder


def test_who_tells_one_clock_has_told_both() -> None:
    for go in (Go(wtime=700), Go(btime=700)):
        assert limits_of(go).time_left == TimeLeft(ms=(700, 700))
    assert limits_of(Go()).is_endless


def test_only_what_is_new_in_an_analysis_is_told() -> None:
    lines = (Line(("e2e4",), Score(cp=30), depth=5, bound="lowerbound"), Line(("d2d4",), Score(cp=20), depth=4))
    found = Analysis(None, depth=5, lines=lines, nodes=500, time_s=0.25, hash_full=7, new_lines=(1,))
    assert [format_info(info) for info in infos_of(found)] == [
        "info depth 4 multipv 2 score cp 20 nodes 500 nps 2000 hashfull 7 time 250 pv d2d4"
    ]
    assert [info.multipv for info in infos_of(replace(found, new_lines=None))] == [1, 2]
    between = replace(found, new_lines=(), current_move="g1f3", current_move_number=3, notes=("hello",))
    assert [format_info(info) for info in infos_of(between)] == [
        "info depth 5 currmove g1f3 currmovenumber 3 nodes 500 nps 2000 hashfull 7 time 250",
        "info string hello",
    ]
    unscored = replace(found, lines=(Line(("e2e4",), depth=2),), new_lines=None)
    assert format_info(next(infos_of(unscored))) == "info depth 2 nodes 500 nps 2000 hashfull 7 time 250 pv e2e4"
