"""Test positions: read from EPD in its dialects, solved by any engine, counted by solutions and points."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from philidor.arena.limits import Limit
from philidor.arena.suite import Problem, read_suite, solve_suite
from philidor.core.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
FAKE = Path(__file__).with_name("fake_engine.py")
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - "
MATE = f'{BACK_RANK}bm Ra8#; id "mates.001";'
# The first legal move, which the fake engine plays, is to be avoided; Ra8 is worth more than Ra7.
AVOID = f'{BACK_RANK}am Rb1; id "mates.002"; c0 "Ra8#=10, Ra7=3";'


def suite(tmp_path: Path, *lines: str) -> list[Problem]:
    path = tmp_path / "suite.epd"
    path.write_text("\n".join(lines) + "\n")
    return read_suite(path)


def test_best_moves_are_found_and_others_are_not(tmp_path: Path) -> None:
    problems = suite(tmp_path, "# a comment", MATE, f"{BACK_RANK}bm Rd1;", f"{BACK_RANK}am Ra8;")
    answers = solve_suite(problems, "classic", Limit(nodes=500), concurrency=2)
    assert [answer.move for answer in answers] == ["a1a8"] * 3
    assert [answer.is_solved for answer in answers] == [True, False, False]
    assert [answer.points for answer in answers] == [1, 0, 0]
    assert [problem.name for problem in problems] == ["mates.001", "suite 2", "suite 3"]
    assert str(answers[0].score) == "#1"


@pytest.mark.parametrize(
    "weights",
    ['c0 "Ra8#=10, Ra7=3"', 'c7 "Ra8 Ra7"; c8 "10 3"; c9 "a1a8 a1a7"', 'c0 "whatever"; c8 "10 3"; c9 "a1a8 a1a7"'],
)
def test_second_choices_have_points_where_the_suite_gives_them(weights: str, tmp_path: Path) -> None:
    (problem,) = suite(tmp_path, f"{BACK_RANK}{weights};")
    assert [problem.points_of(move) for move in ("a1a8", "a1a7", "g1f1", None)] == [10, 3, 0, 0]
    assert (problem.most, problem.best) == (10, frozenset({"a1a8"}))
    assert problem.is_solved_by("a1a8")
    assert not problem.is_solved_by("a1a7")


def test_a_comment_is_not_taken_for_points(tmp_path: Path) -> None:
    (problem,) = suite(tmp_path, f'{BACK_RANK}bm Ra8; c0 "mate in 1, by force";')
    assert (problem.points, problem.most) == ({}, 1)


def test_names_have_themes(tmp_path: Path) -> None:
    names = ("STS(v1.0) Undermine.001", "WAC.300", "ERET 001 - Relief", "7", "a-12")
    problems = suite(tmp_path, *(f'{BACK_RANK}bm Ra8; id "{name}";' for name in names))
    assert [problem.theme for problem in problems] == ["STS(v1.0) Undermine", "WAC", "ERET 001 - Relief", "7", "a"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (BACK_RANK + "bm Qa8;", "Qa8"),
        (BACK_RANK + 'id "x";', "x has neither bm nor am"),
        (BACK_RANK + 'c0 "Qa8=10";', "Qa8"),
        ("hello", "at least 4 fields"),
        ("", "no positions"),
    ],
)
def test_what_is_no_problem_is_refused(line: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=complaint):
        suite(tmp_path, line)


def test_a_missing_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.epd"):
        read_suite(tmp_path / "none.epd")


def test_programs_solve_too_and_a_crash_is_no_solution(tmp_path: Path) -> None:
    problems = suite(tmp_path, AVOID, f"{BACK_RANK}bm Ra8; fmvn 40;")
    first, second = solve_suite(problems, f"{sys.executable} {FAKE} crashes", Limit(depth=1))
    assert (first.move, first.is_solved, first.points) == ("a1b1", False, 0)
    assert (second.move, second.is_solved) == (None, False)
    assert "exit code 3" in second.fault


def test_the_benchmark_reports_what_was_not_solved(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f'{MATE}\n{BACK_RANK}bm Rd1; id "mates.002";\n')
    command = [sys.executable, str(ROOT / "benchmarks" / "tactics.py"), str(path), "--nodes", "500"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    (counts,) = report["suites"]
    assert (counts["solved"], counts["positions"], report["limit"]) == (1, 2, "500 nodes")
    assert counts["themes"]["mates"]["solved"] == 1
    (lost,) = counts["unsolved"]
    assert (lost["name"], lost["bm"], lost["played"], lost["score"]) == ("mates.002", ["Rd1"], "Ra8#", "#1")
    shown = subprocess.run([*command, "--show"], capture_output=True, text=True, timeout=60).stdout
    assert "mates.002: Ra8# instead of Rd1" in shown
    missing = subprocess.run([*command[:2], "none.epd"], capture_output=True, text=True, timeout=60)
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)
