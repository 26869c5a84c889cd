"""Go beside GNU Go and sgfmill: random games by every rule, and the comparison's own power to see a difference."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from philidor.core.programs import find_program
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.games.go import Go
from philidor.games.go.board import STONES, place
from philidor.protocols.gtp import vertex
from philidor.records import GameRecord, write_sgf
from philidor.search.native import native_root

pytest.importorskip("sgfmill", reason="sgfmill is not installed")

from go_agreement import check_file, main, moves_questions, score_questions
from go_questions import Question, Tally, ask_all, new_board

needs_gnugo = pytest.mark.skipif(find_program("gnugo") is None, reason="GNU Go is not installed")
COLORS = "bw"


def random_games(game: Go, count: int, plies: int, start: str | None = None) -> list[bytes]:
    """Games that seldom pass, as lines of SGF."""
    lines = []
    for seed in range(count):
        state, random, moves = game.state(start), SplitMix64(seed), list[int]()
        while len(moves) < plies and not state.is_over():
            legal = state.legal_moves()
            moves.append(legal[random.below(len(legal) - (random.below(20) > 0 and len(legal) > 1))])
            state = state.play(moves[-1])
        record = GameRecord.from_moves(game, moves, start=start, tags={"PB": f"a]{seed}", "KM": "6.5", "RE": "W+R"})
        lines.append(write_sgf(record, game).strip().encode())
    return lines


def rule_questions(game: Go, seed: int, plies: int) -> list[Question]:
    """A random game by a rule that SGF does not say, with all legal moves of the compiled form in every position."""
    state, random, taken = game.state(), SplitMix64(seed), 0
    twin, questions = native_root(state), list(new_board(state))
    for ply in range(plies):
        legal, color = twin.legal_moves(), COLORS[state.to_move]
        if len(legal) < 2:
            break
        names = frozenset(vertex(move, game.grid) for move in legal[:-1])
        questions.append(Question.words(f"all_legal {color}", "legal moves", names, f"seed {seed}, ply {ply}"))
        index = random.below(len(legal) - 1)
        _, captured = place(state.board, legal[index], STONES[state.to_move], game.grid)
        taken += len(captured)
        questions.append(Question.accepted(f"play {color} {vertex(legal[index], game.grid)}", "moves", f"seed {seed}"))
        state, twin = state.play(legal[index]), twin.play(index)
    return questions if taken else []


@needs_gnugo
@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_gnu_go_has_the_same_legal_moves_by_every_rule(ko: str, suicide: bool) -> None:
    game = load_game(f"go-4x4,ko={ko},suicide={'yes' if suicide else 'no'}")
    assert isinstance(game, Go)
    tally = Tally()
    questions = [question for seed in range(30) for question in rule_questions(game, seed, 60)]
    ask_all(questions, ko, tally, options=["--allow-suicide"] if suicide else [])
    assert not tally.different, tally.table()
    assert tally.compared["legal moves"] > 500


@needs_gnugo
def test_gnu_go_takes_the_same_stones_and_counts_the_same_points(tmp_path: Path) -> None:
    lines = random_games(Go(9, 9, ko="simple"), 8, 120)
    lines += random_games(Go(5, 5, ko="simple"), 8, 40, "...../.X.../...../...X./..... O 0 0 - komi0.5")
    (tmp_path / "games.sgf").write_bytes(b"\n".join(lines))
    for arguments in (["moves", "--every", "1"], ["moves", "--ko", "positional"], ["scores"], ["files"]):
        assert main([*arguments[:1], str(tmp_path / "games.sgf"), "--out", str(tmp_path), *arguments[1:]]) == 0


@needs_gnugo
def test_a_board_that_differs_is_seen() -> None:
    line, tally = random_games(Go(9, 9, ko="simple"), 1, 60)[0], Tally()
    questions = list(moves_questions(line, "game 1", "simple", 8))
    wrong = {
        "lists of legal moves": frozenset({"A1"}),
        "captures": 99,
        "stones of a color at the end": frozenset({"A1"}),
        "moves": False,
    }
    ask_all([dataclasses.replace(each, ours=wrong.get(each.kind, each.ours)) for each in questions], "simple", tally)
    assert all(tally.different[kind] == tally.compared[kind] > 0 for kind in wrong), tally.table()
    scores, tally = list(score_questions(line, "game 1", 1)), Tally()
    ask_all(
        [dataclasses.replace(each, ours=0.25) if each.kind == "scores" else each for each in scores], "simple", tally
    )
    assert tally.different == {"scores": 1}


def test_sgfmill_reads_what_we_read_and_write() -> None:
    lines = random_games(Go(9, 9, ko="simple"), 10, 80)
    lines += random_games(Go(5, 5, ko="simple"), 5, 20, "X...O/...../...../...../O...X X 0 0 - komi-3.5")
    lines += [
        b"(;FF[4]GM[1]SZ[9]HA[2]AB[cg][gc]KM[0.50]RE[W+3.5]PB[x\\]y]RU[Japanese];W[ee];B[];W[ec](;B[ce])(;B[aa]))",
        b"(;FF[4]GM[1]SZ[13]KM[-6]RE[B+Resign]DT[2006-01-02];B[dd];W[];B[tt])",
    ]
    tally = Tally()
    for line in lines:
        check_file(line, "a game", tally)
    assert not tally.different, tally.table()
    assert tally.compared["lists of moves"] == 34


def test_a_row_that_a_kill_has_torn_is_compared_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.sgf"
    games.write_bytes(b"\n".join(random_games(Go(5, 5), 3, 10)))
    command = ["files", str(games), "--out", str(tmp_path)]
    assert main(command) == 0
    said, (rows,) = capsys.readouterr().out, tmp_path.glob("*.jsonl")
    whole = rows.read_text()
    rows.write_text(whole[:20])
    assert main(command) == 0
    assert (capsys.readouterr().out, rows.read_text()) == (said, whole)


def test_several_processes_write_the_same_rows_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("go_agreement.CHUNK", 1)
    games = tmp_path / "games.sgf"
    refused = b"(;FF[4]GM[1]SZ[5];B[aa];W[aa])"
    games.write_bytes(b"\n".join([*random_games(Go(5, 5), 4, 40), refused, *random_games(Go(5, 5), 1, 8)]))
    rows = []
    for processes in ("1", "2"):
        out = tmp_path / processes
        assert main(["files", str(games), "--out", str(out), "--processes", processes]) == 0
        rows.append([path.read_text() for path in out.iterdir()])
    assert rows[0] == rows[1]
    assert ["refuse" in row for row in rows[0][0].splitlines()] == [False, False, False, False, True, False]
