"""Puzzles: read from Lichess's CSV, drawn by rating, solved by networks and engines."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from philidor.arena.people.predictors import NetPredictor, RatingView, load_predictors
from philidor.arena.people.puzzles import (
    PuzzleConfig,
    at_level,
    performance,
    read_puzzles,
    solve_puzzles,
    summarize_puzzles,
)
from philidor.cli import main
from philidor.core.errors import ConfigError
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from tests.arena.people_data import CHESS, write_net

HEAD = "PuzzleId,FEN,Moves,Rating,Popularity,Themes"
# Black's king steps back; both rooks mate on the eighth rank, and Ra8 is the solution.
TWO_MATES = "two,5k2/5ppp/8/8/8/8/5PPP/RR4K1 b - - 0 1,f8g8 a1a8,800,90,mate"
FREE_QUEEN = 'queen,4k3/3q4/8/8/4P3/8/8/4K3 b - - 0 1,d7d5 e4d5 e8e7,1500,90,"hanging, piece"'
LINES = [HEAD, TWO_MATES, FREE_QUEEN]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_opponents_move_is_played_and_another_mate_solves_too(tmp_path: Path) -> None:
    mates, queen = read_puzzles(write(tmp_path / "p.csv", LINES), PuzzleConfig())
    assert [(each.name, each.rating, each.band) for each in (mates, queen)] == [
        ("two", 800, "800-999"),
        ("queen", 1500, "1400-1599"),
    ]
    assert queen.position.fen().startswith("4k3/8/8/3q4/4P3/8/8/4K3 w")
    assert [mates.is_solved_by(move) for move in ("a1a8", "b1b8", "b1b7", None)] == [True, True, False, False]
    assert [queen.is_solved_by(move) for move in ("e4d5", "e1e2")] == [True, False]
    (packed,) = read_puzzles(zipped(tmp_path, LINES[:2]), PuzzleConfig(bands=("all",)))
    assert packed.position == mates.position


def zipped(folder: Path, lines: list[str]) -> Path:
    path = folder / "p.csv.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_the_draw_does_not_depend_on_the_order(tmp_path: Path) -> None:
    many = [f"p{number},{TWO_MATES.partition(',')[2]}" for number in range(50)]
    config = PuzzleConfig(puzzles=10)
    one = read_puzzles(write(tmp_path / "a.csv", [HEAD, *many]), config)
    other = read_puzzles(write(tmp_path / "b.csv", [HEAD, *reversed(many)]), config)
    assert [each.name for each in one] == [each.name for each in other]
    again = read_puzzles(tmp_path / "a.csv", PuzzleConfig(puzzles=10, seed=2))
    assert {each.name for each in one} != {each.name for each in again}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["a,b"], "the column PuzzleId is missing"),
        ([HEAD], "has no puzzle in the bands"),
        ([HEAD, TWO_MATES.replace("800", "strong")], "puzzle 'two' has no rating but 'strong'"),
        ([HEAD, TWO_MATES.replace("f8g8 a1a8", "f8g8 a1a9")], "puzzle 'two': no legal move 'a1a9'"),
        ([HEAD, TWO_MATES.replace("f8g8 a1a8", "f8g8")], "the opponent's move and the solution"),
        ([HEAD, TWO_MATES.replace("5k2", "9k")], "puzzle 'two': invalid FEN"),
    ],
)
def test_files_without_puzzles_are_refused(lines: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=words):
        read_puzzles(write(tmp_path / "p.csv", lines), PuzzleConfig())


def test_networks_answer_by_policy_or_by_search_and_at_a_level(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path / "p.csv", LINES), PuzzleConfig())
    path = write_net(tmp_path / "human.safetensors")
    (predictor,) = load_predictors([f"{path} ratings=1500"], CHESS)
    assert isinstance(predictor, NetPredictor)
    net = load_net(path)
    assert isinstance(net, NetEvaluator)
    expected = []
    for puzzle in puzzles:
        (judged,) = at_level(predictor).evaluate([puzzle.position])
        expected.append(puzzle.is_solved_by(puzzle.position.uci(judged.moves[int(judged.priors.argmax())])))
    assert solve_puzzles(puzzles, predictor).tolist() == expected
    # A search proves a mate in one whatever the network thinks.
    assert solve_puzzles(puzzles, predictor, nodes=400)[0]
    strong, weak = (
        at_level(NetPredictor(net, "", RatingView(rating))).evaluate([puzzles[0].position])[0].priors
        for rating in ("2400", "1000")
    )
    assert not np.array_equal(strong, weak)
    with pytest.raises(ConfigError, match="a puzzle has no players"):
        at_level(NetPredictor(net, "", RatingView("+600")))


def test_performance_is_where_the_rating_formula_expects_as_many(tmp_path: Path) -> None:
    ratings = range(600, 2200, 100)
    lines = [TWO_MATES.replace("two", f"p{r}").replace(",800,", f",{r},") for r in ratings]
    puzzles = read_puzzles(write(tmp_path / "p.csv", [HEAD, *lines]), PuzzleConfig())
    solved = np.array([puzzle.rating < 1400 for puzzle in puzzles])
    reached = performance(puzzles, solved)
    assert sum(1 / (1 + 10 ** ((puzzle.rating - reached) / 400)) for puzzle in puzzles) == pytest.approx(8, abs=0.01)
    assert performance(puzzles, np.ones(len(puzzles), bool)) == np.inf
    rows = summarize_puzzles(puzzles, {"me": solved})
    assert [(row.band, row.solved["me"].value) for row in rows if row.band in ("600-799", "2000-2199", "all")] == [
        ("600-799", 1),
        ("2000-2199", 0),
        ("all", 0.5),
    ]


def test_the_command_asks_networks_and_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, net = write(tmp_path / "p.csv", LINES), write_net(tmp_path / "human.safetensors")
    command = ["net", "puzzles", str(net), "classic nodes=300", "--file", str(file), "--nodes", "1", "--nodes", "50"]
    assert main([*command, "--workers", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report["rows"][-1]["solved"]) == ["human", "human, 50 nodes", "classic nodes=300"]
    assert report["rows"][-1]["solved"]["classic nodes=300"]["mean"] == 1
    assert report["performance"]["classic nodes=300"] is None
    assert main([*command[:3], *command[4:]]) == 0
    assert "800-999" in capsys.readouterr().out
