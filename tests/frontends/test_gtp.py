"""The GTP front end: the standard's words, the GUIs' extensions, clocks, and whatever else comes in."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.frontends.gtp.clock import Clock, named_settings, time_settings
from philidor.frontends.gtp.engine import GtpEngine
from philidor.frontends.gtp.loop import GtpLoop
from philidor.players import load_engine
from philidor.players.net import NetPlayer


def talk(*lines: str, engine: GtpEngine | None = None) -> list[str]:
    """Answers to commands, each without its empty line."""
    output = io.StringIO()
    loop = GtpLoop(engine or GtpEngine(load_engine("random", seed=1), 9), output)
    loop.run((line, 0) for line in lines)
    assert output.getvalue() == "" or output.getvalue().endswith("\n\n")
    return output.getvalue().split("\n\n")[:-1]


def test_the_administrative_commands() -> None:
    assert talk(
        "1 protocol_version", "known_command genmove", "known_command frobnicate", "# nothing", "", "7 nothing"
    ) == [
        "=1 2",
        "= true",
        "= false",
        "?7 unknown command",
    ]
    names = talk("list_commands")[0][2:].split("\n")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    tournament = "fixed_handicap place_free_handicap set_free_handicap undo time_settings time_left final_score"
    others = "final_status_list loadsgf reg_genmove showboard lz-analyze kata-analyze lz-genmove_analyze kata-set-rules"
    assert set(f"{required} {tournament} {others}".split()) <= set(names)
    assert talk("quit", "name") == ["="]


def test_stones_are_put_down_whoever_s_turn_it_is_and_taken_back() -> None:
    assert talk(
        *("boardsize 5", "play b c3", "play b d3", "play w A1", "play w a1", "last_move", "undo", "last_move"),
        *("play w pass", "play b PASS", "play w e5", "undo", "undo", "undo", "undo", "undo", "undo"),
    ) == [
        *("=", "=", "=", "=", "? illegal move", "= white A1", "=", "= black D3"),
        *("=", "=", "=", "=", "=", "=", "=", "=", "? cannot undo"),
    ]


@pytest.mark.parametrize("name", ["alphago-sl", "net"])
def test_a_board_that_the_network_does_not_fit_is_refused_and_nothing_is_lost(name: str, tmp_path: Path) -> None:
    player = load_engine(name, net="alphago-9x9-policy")
    if isinstance(player, NetPlayer):
        player.config = replace(player.config, simulations=1)
    (tmp_path / "large.sgf").write_text("(;GM[1]SZ[13];B[dd])")
    lines = ("boardsize 9", "play b e5", "boardsize 13", f"loadsgf {tmp_path}/large.sgf", "genmove w", "undo", "undo")
    answers = talk(*lines, engine=GtpEngine(player, 19))
    assert [answer[0] for answer in answers] == ["=", "=", "?", "?", "=", "=", "="]
    for answer in answers[2:4]:
        assert answer.startswith("? unacceptable size: ")
        assert "9x9" in answer
        assert "13x13" in answer


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("boardsize 100", "unacceptable size"),
        ("boardsize x", "whole number"),
        ("komi much", "number"),
        ("komi 1e9", "number"),
        ("komi 99999", "out of range"),
        ("play green a1", "color"),
        ("play b i5", "vertex"),
        ("play b z99", "vertex"),
        ("play b", "syntax error"),
        ("genmove", "one argument"),
        ("fixed_handicap 1", "invalid number"),
        ("fixed_handicap 10", "invalid number"),
        ("set_free_handicap a1 a1", "repeated vertex"),
        ("set_free_handicap a1", "bad vertex list"),
        ("loadsgf nowhere.sgf", "cannot load file"),
        ("time_left b", "syntax error"),
        ("kgs-time_settings sandglass 3", "syntax error"),
        ("kata-set-rules house", "unknown rules"),
        ("kata-set-rules {", "no JSON"),
        ('kata-set-rules {"ko": "NONE"}', "ko rule"),
        ("set_position b a1 w a1", "repeated vertex"),
        ("lz-analyze b 10 maxmoves", "no value"),
        ("final_status_list happy", "alive, dead or seki"),
    ],
)
def test_what_is_wrong_is_answered_with_a_question_mark(line: str, message: str) -> None:
    answer, after = talk(line, "5 protocol_version")
    assert answer.startswith("? ")
    assert message in answer
    assert after == "=5 2"


def test_handicaps_komi_and_rules() -> None:
    assert talk("boardsize 19", "fixed_handicap 3", "komi 0.5", "get_komi") == ["=", "= D4 Q16 Q4", "=", "= 0.5"]
    answers = talk(
        "kgs-rules chinese", "kata-get-rules", 'kata-set-rules {"ko":"SITUATIONAL","suicide":true}', "kata-get-rules"
    )
    assert json.loads(answers[1][2:])["ko"] == "SIMPLE"
    assert json.loads(answers[3][2:]) | {"ko": "SITUATIONAL", "suicide": True} == json.loads(answers[3][2:])
    assert talk("boardsize 9", "set_free_handicap c3 g7", "showboard")[2].count("X") == 2


def test_the_score_leaves_out_what_playouts_call_dead() -> None:
    # White's stone on b4 is lost among Black's; Black's wall is on column c, White's on d.
    stones = [f"b c{row}" for row in range(1, 10)] + [f"w d{row}" for row in range(1, 10)]
    stones += ["w b4", *(f"b b{row}" for row in (2, 3, 6, 8))]
    answers = talk("set_position " + " ".join(stones), "komi 7.5", "final_score", "final_status_list dead")
    assert answers[2:] == ["= W+34.5", "= B4"]


def test_games_are_written_and_read(tmp_path: Path) -> None:
    sgf = talk("boardsize 9", "komi 5.5", "play b e5", "play w c3", "printsgf")[-1][2:]
    assert sgf == "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[5.5];B[ee];W[cg])"
    (tmp_path / "game.sgf").write_text(sgf)
    assert talk(f"loadsgf {tmp_path}/game.sgf 2", "last_move", "get_komi") == ["= white", "= black E5", "= 5.5"]


def test_moves_are_generated_also_after_two_passes() -> None:
    engine = GtpEngine(load_engine("uct", iterations=200), 5)
    answers = talk("genmove b", "play w pass", "play b pass", "reg_genmove w", "genmove w", "last_move", engine=engine)
    assert all(answer.startswith("= ") or answer == "=" for answer in answers)
    assert answers[4][2:].lower() == answers[5].split()[-1].lower()


def test_analysis_lines_are_what_sabaki_reads_and_end_with_the_next_line() -> None:
    engine = GtpEngine(load_engine("uct", iterations=300), 5)
    lz, end, kata, after = talk(
        "lz-analyze b 5", "9 protocol_version", "3 kata-analyze 5 ownership true maxmoves 2", "name", engine=engine
    )
    words = lz.split("\n")[1].split()
    assert words[:3:2] + words[3:6:2] == ["info", words[2], "visits", "winrate"]
    assert words[6].isdigit()
    assert end == "=9 2"
    first, info = kata.split("\n")[:2]
    assert first == "=3"
    assert info.count("info move") == 2
    assert "." in info.split()[info.split().index("winrate") + 1]
    assert len(info.split("ownership ")[1].split()) == 25
    assert after == "= philidor uct"
    moved, last = talk("lz-genmove_analyze b 5", "last_move", engine=engine)
    assert moved.split("\n")[-1] == f"play {last.split()[-1]}"


def test_a_hopeless_game_is_resigned() -> None:
    engine = GtpEngine(load_engine("uct", iterations=300), 5, resign_below=0.1)
    assert talk("komi 30", "genmove b", engine=engine) == ["=", "= resign"]


@pytest.mark.parametrize(
    ("clock", "least", "most"),
    [
        (time_settings(("0", "10", "5")), 1.5, 2.0),
        (time_settings(("600", "0", "0")), 5.0, 30.0),
        (named_settings(("byoyomi", "0", "30", "5")), 20.0, 30.0),
        (named_settings(("canadian", "0", "300", "25")), 10.0, 12.0),
        (named_settings(("fischer", "60", "5")), 4.0, 10.0),
        (time_settings(("0", "10", "5")).told(("b", "4", "4")), 0.5, 1.0),
    ],
)
def test_clocks_leave_time_for_a_move_and_no_more(clock: Clock, least: float, most: float) -> None:
    seconds = clock.limits(0).time_s
    assert seconds is not None
    assert least <= seconds <= most


def test_no_clock_is_no_limit() -> None:
    for clock in (Clock(), time_settings(("0", "10", "0")), named_settings(("none",))):
        assert clock.limits(0).time_s is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(st.text(max_size=40), st.binary(max_size=40).map(lambda b: b.decode("latin-1"))), max_size=6))
def test_any_line_is_answered_or_ignored(lines: list[str]) -> None:
    engine = GtpEngine(load_engine("random"), 3)
    answers = talk(*(line.replace("\n", " ") for line in lines), "77 protocol_version", engine=engine)
    assert answers[-1] == "=77 2" or any(line.split()[:1] == ["quit"] for line in lines)
    assert all(answer[0] in "=?" for answer in answers)
