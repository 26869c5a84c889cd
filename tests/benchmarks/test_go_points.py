"""Points lost by move, with a judge of a few lines that speaks KataGo's analysis protocol."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from go_points import main

from philidor.games import load_game
from philidor.records import GameRecord, RecordWriter

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "benchmarks" / "go_points.py"

# Black's lead is that of the table for the turn, less komi. Answers come when `hold` questions are there, last first.
# What it is asked goes to a file; `mode` says how it misbehaves at the question with komi 9. Both are in a file too,
# so that the command is the same.
JUDGE = """
import json, pathlib, sys, time
folder = pathlib.Path(__file__).parent
mode, hold = json.loads((folder / "mode").read_text())
asked = folder / "asked"
LEADS = [8, 6, 10, 10.5, 4.5, 4.5]
BEST = ["C3", "A1", "D4", "E5", "pass", "A2"]
held = []
print("the judge is awake", file=sys.stderr, flush=True)
for line in sys.stdin:
    query = json.loads(line)
    with asked.open("a") as file:
        file.write(line)
    if query["komi"] == 9:
        if mode == "dies":
            print("out of memory", file=sys.stderr)
            sys.exit(3)
        if mode == "hangs":
            time.sleep(60)
        if mode == "garbage":
            print("Segmentation fault (core dumped)", flush=True)
            continue
        if mode == "lacking":
            print(json.dumps({"id": query["id"], "turnNumber": 0, "moveInfos": []}), flush=True)
            continue
        if mode in ("error", "warning"):
            print(json.dumps({"id": query["id"], mode: "komi 9 is odd", "field": "komi"}), flush=True)
        if mode == "nobody":
            print(json.dumps({"error": "could not parse"}), flush=True)
        if mode == "error":
            continue
    held.append(query)
    if len(held) < hold:
        continue
    answers = [(query, turn) for query in held for turn in query["analyzeTurns"]]
    held = []
    for query, turn in reversed(answers):
        lead = LEADS[turn] - query["komi"]
        root = {"scoreLead": lead, "winrate": 0.5 + lead / 400}
        infos = [{"order": 1, "move": "B1"}, {"order": 0, "move": BEST[turn]}]
        infos.append({"order": 2, "move": "C2", "isSymmetryOf": BEST[turn]})
        answer = {"id": query["id"], "turnNumber": turn, "isDuringSearch": False, "rootInfo": root, "moveInfos": infos}
        print(json.dumps(answer), flush=True)
"""
# Leads of 1, -1, 3, 3.5 and -2.5, as komi is 7.
FIRST = "(;FF[4]GM[1]SZ[5]KM[7]PB[ann]PW[bob];B[cc];W[bb];B[db];W[dd])"
# Leads of 3, 1 and 5, as komi is 5; the board as it stands is Black's: 25 points less komi.
SECOND = "(;FF[4]GM[1]SZ[5]KM[5]PB[bob]PW[ann];B[cc];W[];B[])"
ODD = "(;FF[4]GM[1]SZ[5]KM[9]PB[bob]PW[ann];B[cc];W[bb])"


class Files:
    """A folder with games, the judge, and what the judge was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked, self.script = folder, folder / "asked", folder / "judge.py"
        self.rows = folder / "out" / "points.jsonl"
        self.script.write_text(JUDGE)

    def arguments(self, games: Sequence[str], *options: str, mode: str = "good", hold: int = 1) -> list[str]:
        (self.folder / "games.sgf").write_text("\n".join(games))
        (self.folder / "mode").write_text(json.dumps([mode, hold]))
        judge = shlex.join([sys.executable, str(self.script)])
        return [str(self.folder / "games.sgf"), "--judge", judge, "--out", str(self.folder / "out"), *options]

    def questions(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.asked.read_text().splitlines()] if self.asked.exists() else []


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def report_of(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> dict[str, dict[str, Any]]:
    """Runs the command with --json and returns the numbers by player."""
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    return {"": report, **{each["player"]: each for each in report["players"]}}


def test_points_are_lost_in_the_movers_view(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    players = report_of(capsys, files.arguments([FIRST, SECOND], hold=2))
    # The first game: ann loses 1 - -1 = 2, then 3 - 3.5 = -0.5; bob 3 - -1 = 4, then -2.5 - 3.5 = -6. The second: bob
    # loses 3 - 1 = 2, ann 5 - 1 = 4, and bob's pass turns Black's lead of 5 into the 20 points of the board.
    assert players["ann"] == {
        "player": "ann",
        "games": 2,
        "moves": 3,
        "points lost a move": pytest.approx(6 / 3),
        # Deviations of the games from the mean of 2: 2 + 0 - 4 and 4 - 2.
        "error": pytest.approx(1.96 * (2 / 1 * (2**2 + 2**2)) ** 0.5 / 3),
        "signed": pytest.approx(5.5 / 3),
        "lost 1+": pytest.approx(2 / 3),
        "lost 3+": pytest.approx(1 / 3),
        "lost 6+": 0.0,
        "plies 0-19": pytest.approx(2),
        "plies 20-39": None,
        "plies 40+": None,
        "chances lost a move": pytest.approx(6 / 400 / 3),
        "first choice": pytest.approx(2 / 3),
    }
    bob = players["bob"]
    assert (bob["games"], bob["moves"], bob["points lost a move"]) == (2, 4, pytest.approx(6 / 4))
    assert bob["signed"] == pytest.approx((4 - 6 + 2 - 15) / 4)
    assert bob["error"] == pytest.approx(1.96 * (2 / 1 * (1**2 + 1**2)) ** 0.5 / 4)
    assert bob["first choice"] == pytest.approx(1 / 4)
    assert bob["chances lost a move"] == pytest.approx(6 / 400 / 4)
    assert (players[""]["games"], players[""]["refused"]) == (2, 0)


def test_the_judge_is_asked_by_the_rules_of_the_game(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    handicap = "(;FF[4]GM[1]SZ[5]KM[0.5]HA[2]AB[bb][dd];W[cc];B[];W[ab])"
    assert main([*files.arguments([FIRST, handicap]), "--visits", "50", "--from-ply", "1"]) == 0
    first, second = files.questions()
    rules = {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": False, "hasButton": False}
    assert first == {
        "id": first["id"],
        "initialStones": [],
        "initialPlayer": "B",
        "moves": [["B", "C3"], ["W", "B4"], ["B", "D4"], ["W", "D2"]],
        "rules": {**rules, "whiteHandicapBonus": "0", "friendlyPassOk": False},
        "komi": 7.0,
        "boardXSize": 5,
        "boardYSize": 5,
        "analyzeTurns": [1, 2, 3, 4],
        "maxVisits": 50,
        "analysisPVLen": 1,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "conservativePass": False},
    }
    assert (second["initialPlayer"], second["komi"]) == ("W", 0.5)
    assert second["initialStones"] == [["B", "D2"], ["B", "B4"]]
    assert second["moves"] == [["W", "C3"], ["B", "pass"], ["W", "A4"]]
    # ann has one move left of the first game. The second has no names: White lost 10.5 - 10 with the last move.
    assert capsys.readouterr().out.splitlines() == [
        "| player | games | moves | points lost a move | signed | lost 1+ | lost 3+ | lost 6+ | plies 0-19 "
        "| plies 20-39 | plies 40+ | chances lost a move | first choice |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| ann | 1 | 1 | 0.00 ± – | -0.50 | 0.0 % | 0.0 % | 0.0 % | 0.00 | – | – | 0.0 % | 100.0 % |",
        "| Black | 1 | 1 | 0.00 ± – | -4.00 | 0.0 % | 0.0 % | 0.0 % | 0.00 | – | – | 0.0 % | 0.0 % |",
        "| White | 1 | 1 | 0.50 ± – | 0.50 | 0.0 % | 0.0 % | 0.0 % | 0.50 | – | – | 0.1 % | 0.0 % |",
        "| bob | 1 | 2 | 2.00 ± – | -1.00 | 50.0 % | 50.0 % | 0.0 % | 2.00 | – | – | 0.5 % | 0.0 % |",
        "",
        "2 games, 50 visits a position, 0 games refused",
    ]


def test_the_last_pass_is_judged_by_the_board_or_not_at_all(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    # White passes first, and Black, who leads by 10.5 - 5 in the judge's eyes, ends the game with 25 - 5 points.
    ended = "(;FF[4]GM[1]SZ[5]KM[5];B[cc];W[];B[])"
    players = report_of(capsys, files.arguments([ended], "--players", "x", "y"))
    assert (players["x"]["moves"], players["x"]["signed"]) == (2, pytest.approx((2 - 15) / 2))
    assert players["x"]["chances lost a move"] == pytest.approx(2 / 400 / 2)
    # With more komi than there are points, the last pass ends what chances Black had.
    lost = report_of(capsys, files.arguments([ended.replace("KM[5]", "KM[30]")]))["Black"]
    assert lost["chances lost a move"] == pytest.approx((2 / 400 + (0.5 - 20 / 400)) / 2)
    players = report_of(capsys, files.arguments([ended], "--count", "agreed"))
    assert (players["Black"]["moves"], players["Black"]["signed"]) == (1, pytest.approx(2))
    settings = [each["overrideSettings"]["conservativePass"] for each in files.questions()]
    assert settings == [False, False, True]
    assert [each["analyzeTurns"] for each in files.questions()] == [[0, 1, 2]] * 3


def test_the_last_board_lacks_captured_stones(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    # Black has two stones and the point of the one that they took, White one stone: a lead of -0.5 becomes 3 - 1 - 5.
    taken = "(;FF[4]GM[1]SZ[5]KM[5];B[ba];W[aa];B[ab];W[ee];B[];W[])"
    players = report_of(capsys, files.arguments([taken], "--from-ply", "5"))
    assert (players["White"]["moves"], players["White"]["signed"]) == (1, pytest.approx(-2.5))


def test_a_move_that_is_the_first_choice_by_symmetry_counts(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    # ann's first move is C2, in the judge's eyes the same as C3; the second is the judge's first choice itself.
    players = report_of(capsys, files.arguments([FIRST.replace(";B[cc]", ";B[cd]")]))
    assert (players["ann"]["first choice"], players["bob"]["first choice"]) == (1, 0)


def test_phases_are_told_apart(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    # Black loses one point with each move before ply 20, then two, and seven from ply 40 on; White loses nothing.
    lead = "-sum([1, 2, 7][ply // 20] for ply in range(0, turn, 2))"
    files.script.write_text(JUDGE.replace("LEADS[turn]", lead).replace("BEST[turn]", "'pass'"))
    points = [f"{'abcd'[i % 4]}{'abcdef'[i // 4]}" for i in range(21)]
    others = [f"{'fghi'[i % 4]}{'abcdef'[i // 4]}" for i in range(21)]
    moves = "".join(f";B[{black}];W[{white}]" for black, white in zip(points, others, strict=True))
    players = report_of(capsys, files.arguments([f"(;FF[4]GM[1]SZ[9]KM[7]{moves})"]))
    names = ("plies 0-19", "plies 20-39", "plies 40+", "lost 1+", "lost 3+", "lost 6+", "points lost a move")
    assert [players["Black"][name] for name in names] == pytest.approx([1, 2, 7, 1, 1 / 21, 1 / 21, 37 / 21])
    assert [players["White"][name] for name in names] == [0] * 7


def test_a_record_gives_the_same_numbers_as_its_sgf(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    expected = report_of(capsys, files.arguments([FIRST]))
    game = load_game("go-5x5")
    record = GameRecord.from_moves(game, ["c3", "b4", "d4", "d2"], tags={"PB": "ann", "PW": "bob"})
    with RecordWriter(files.folder / "games.rec", game.name) as writer:
        writer.add(record)
    arguments = files.arguments([FIRST])
    assert report_of(capsys, [str(files.folder / "games.rec"), *arguments[1:]]) == expected
    assert len(files.questions()) == 1  # the same game, known by its moves


def test_what_is_judged_is_not_asked_again(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(files.arguments([FIRST, SECOND], "--games", "1")) == 0
    assert len(files.questions()) == 1
    whole = report_of(capsys, files.arguments([FIRST, SECOND, FIRST]))
    assert [each["komi"] for each in files.questions()] == [7, 5]
    assert whole[""]["games"] == 3
    # The end of a line that a kill has torn off goes, and its game is judged again.
    text = files.rows.read_text()
    files.rows.write_text(text[: text.rindex('"verdicts"')])
    assert report_of(capsys, files.arguments([FIRST, SECOND, FIRST])) == whole
    assert [each["komi"] for each in files.questions()] == [7, 5, 5]
    assert files.rows.read_text() == text
    # Other visits are other answers.
    assert main(files.arguments([FIRST], "--visits", "200")) == 0
    assert [each["maxVisits"] for each in files.questions()] == [100, 100, 100, 200]


@pytest.mark.parametrize("mode", ["error", "warning"])
def test_a_game_that_the_judge_refuses_is_skipped(mode: str, files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files.arguments([FIRST, ODD, SECOND], mode=mode), "--json"]) == 1
    said = capsys.readouterr()
    report = json.loads(said.out)
    assert (report["games"], report["refused"]) == (2, 1)
    assert "games.sgf, game 2: refused by the judge: komi 9 is odd" in said.err.splitlines()


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("dies", "the judge ended before it had answered; its last words: out of memory"),
        ("hangs", "the judge has not answered for 2 s; its last words: the judge is awake"),
        ("garbage", "the judge printed something else than an answer: b'Segmentation fault (core dumped)\\n'"),
        ("lacking", "the judge's answer lacks something: "),
        ("nobody", 'the judge answers what nobody asked: {"error": "could not parse"}'),
    ],
)
def test_a_judge_that_fails_costs_one_line_and_no_game(
    mode: str, message: str, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(files.arguments([FIRST, ODD, SECOND], "--timeout", "2", mode=mode))
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert said.err.splitlines()[0] == "games.sgf, game 1: judged"
    (line,) = said.err.splitlines()[1:]
    assert line.startswith(message)
    assert len(files.rows.read_text().splitlines()) == 1
    assert report_of(capsys, files.arguments([FIRST, ODD, SECOND]))[""]["games"] == 3
    assert [each["komi"] for each in files.questions()].count(7) == 1


def test_a_judge_that_reads_nothing_is_given_up(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.script.write_text("import time; time.sleep(60)")
    games = [FIRST.replace("KM[7]", f"KM[{komi}]") for komi in range(-150, 150)]
    with pytest.raises(SystemExit):
        main(files.arguments(games, "--timeout", "1"))
    assert capsys.readouterr().err == "the judge has not answered for 1 s\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--judge", "no-such-judge analysis"], "cannot start the judge 'no-such-judge': No such file or directory"),
        (["--judge", ""], "--judge is a command"),
        (["--visits", "1"], "--visits at least 2"),
        (["--games", "0"], "--games at least 1"),
    ],
)
def test_bad_arguments_cost_one_line(
    change: list[str], message: str, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*files.arguments([FIRST]), *change])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_it_runs_where_neither_chess_nor_zstandard_is_installed(files: Files) -> None:
    blocker = (
        "import runpy, sys\n"
        "class Blocker:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in ('chess', 'zstandard', 'ray'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Blocker())\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')\n"
    )
    # run_path takes the arguments that follow for those of the program.
    command = [sys.executable, "-c", blocker.replace("sys.argv[1]", "sys.argv.pop(1)"), str(PROGRAM)]
    done = subprocess.run(
        [*command, *files.arguments([FIRST])], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "| ann | 1 | 2 | 1.00 ± – | 0.75 |" in done.stdout
