"""The asking side of UCI: what it writes the answering side reads, and any answer can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.analysis import Score
from philidor.core.evaluation import Wdl
from philidor.protocols.uci import (
    Go,
    Info,
    PositionCommand,
    UciError,
    format_best,
    format_info,
    parse_go,
    parse_position,
    parse_setoption,
)
from philidor.protocols.uci_client import (
    format_go,
    format_position,
    format_setoption,
    parse_best,
    parse_info,
    parse_option,
)

number = st.integers(min_value=1, max_value=2**40)
maybe = st.none() | number
moves = st.lists(st.sampled_from(["e2e4", "e7e8q", "a1h8"]), max_size=4).map(tuple)


@given(
    st.builds(Go, searchmoves=moves, wtime=number, btime=number, winc=number, binc=number, movestogo=maybe)
    | st.builds(Go, searchmoves=moves, depth=maybe, nodes=maybe, mate=maybe, movetime=maybe)
    | st.builds(Go, infinite=st.booleans(), ponder=st.booleans())
)
def test_go_is_read_as_it_was_written(go: Go) -> None:
    assert parse_go(format_go(go).split()[1:]) == go


def test_an_increment_needs_a_clock() -> None:
    assert format_go(Go(nodes=5, winc=3)) == "go nodes 5"
    assert format_go(Go(wtime=1000, btime=900, winc=3)) == "go wtime 1000 btime 900 winc 3 binc 0"


@given(st.sampled_from(["startpos", "8/8/8/8/8/2k5/8/K6R w - - 0 1"]), moves)
def test_a_position_is_read_as_it_was_written(fen: str, played: tuple[str, ...]) -> None:
    command = PositionCommand(fen, played)
    assert parse_position(format_position(command).split()[1:]) == command


@pytest.mark.parametrize("pair", [("Move Overhead", "10"), ("Clear Hash", ""), ("SyzygyPath", "/a b/c")])
def test_an_option_is_read_as_it_was_written(pair: tuple[str, str]) -> None:
    assert parse_setoption(format_setoption(*pair).split()[1:]) == pair


def test_an_engine_lists_its_options() -> None:
    option = parse_option(["name", "Move", "Overhead", "type", "spin", "default", "10", "min", "0", "max", "5000"])
    assert (option.name, option.kind) == ("Move Overhead", "spin")
    with pytest.raises(UciError, match="expected 'name"):
        parse_option(["nonsense"])


@given(
    st.builds(
        Info,
        depth=maybe,
        seldepth=maybe,
        multipv=maybe,
        score=st.none() | st.builds(Score, cp=st.integers(-32000, 32000)) | st.builds(Score, mate=st.integers(-99, 99)),
        wdl=st.none() | st.just(Wdl(0.25, 0.5, 0.25)),
        nodes=maybe,
        nps=maybe,
        hashfull=maybe,
        tbhits=maybe,
        time_ms=maybe,
        pv=moves,
    )
)
def test_info_is_read_as_it_was_written(info: Info) -> None:
    assert parse_info(format_info(info).split()[1:]) == info


WORDS = ["depth", "score", "cp", "mate", "wdl", "12", "-3", "+-", "pv", "string", "lowerbound"]


@given(st.lists(st.text(max_size=6) | st.sampled_from(WORDS)))
def test_any_info_can_be_read(words: list[str]) -> None:
    parse_info(words)


def test_bounds_are_seen() -> None:
    assert parse_info(["depth", "9", "score", "cp", "31", "lowerbound", "nodes", "7"]) == Info(
        depth=9, score=Score(cp=31), bound="lowerbound", nodes=7
    )


@pytest.mark.parametrize(("move", "ponder"), [("e2e4", "e7e5"), ("e7e8q", None), (None, None)])
def test_the_best_move_is_read_as_it_was_written(move: str | None, ponder: str | None) -> None:
    assert parse_best(format_best(move, ponder).split()[1:]) == (move, ponder)


def test_no_move_has_two_spellings() -> None:
    assert parse_best(["(none)"]) == parse_best(["0000"]) == parse_best([]) == (None, None)
