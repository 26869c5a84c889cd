"""`philidor data`: conversion, filters, splits, and bad input in one line."""

import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from philidor.cli import main
from philidor.games import load_game
from philidor.games.chess import Chess
from philidor.records import GameRecord, RecordReader, RecordWriter, Result, read_pgn
from tests.records.games import random_record

GAMES = 60


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    """Sixty games with ratings from 1500 to 2090, the last two twice, and two that are broken."""
    path = tmp_path / "games.pgn"
    texts = []
    for number in range(GAMES):
        record = random_record(random.Random(number), Chess(), columns=False)
        facts: dict[str, Any] = {
            "ratings": (1500 + 10 * number, 1600),
            "result": Result(1 + number % 3),
            "source": f"Event {number % 4}",
        }
        texts.append(GameRecord(indices=record.indices, **facts).to_pgn())
    path.write_text("".join([*texts, *texts[-2:], '[Event "x"]\n\n1. e5 *\n\n[Event "y"]\n\n1. e4 {no end']))
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def report(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    return result


def test_pgn_becomes_records_and_pgn_again(pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rec, back = tmp_path / "games.rec", tmp_path / "back.pgn"
    result = report(capsys, "data", "pgn", pgn, "-o", rec)
    assert result["games_read"] == result["games_written"] == GAMES + 2
    assert result["skipped"] == {"illegal move": 1, "unclosed comment or variation": 1}
    assert result["first_skipped"] == f"games.pgn: game {GAMES + 3}: illegal move e5"
    assert result["bytes"] == rec.stat().st_size
    assert run(capsys, "data", "export", rec, "-o", back) == (0, "", "")
    assert list(read_pgn(back)) == list(read_pgn(pgn)) == list(RecordReader(rec))
    assert run(capsys, "data", "export", rec)[1] == back.read_text()


@pytest.mark.parametrize(
    ("options", "dropped", "written"),
    [
        (["--min-rating", "1560"], {"rating": 6}, 56),
        (["--max-rating", "1700"], {"rating": 41}, 21),
        (["--max-gap", "50"], {"rating gap": 51}, 11),
        (["--dedup"], {"duplicate": 2}, 60),
        (["--result", "1-0", "--result", "0-1"], {"result": 21}, 41),
        (["--min-plies", "40", "--max-plies", "40"], None, None),
    ],
)
def test_filters_drop_games_and_say_why(
    options: list[str],
    dropped: dict[str, int] | None,
    written: int | None,
    pgn: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rec = tmp_path / "games.rec"
    result = report(capsys, "data", "pgn", pgn, "-o", rec, *options)
    if dropped is None:
        assert all(len(record) == 40 for record in RecordReader(rec))
        assert result["dropped"]["length"] + result["games_written"] == GAMES + 2
    else:
        assert (result["dropped"], result["games_written"]) == (dropped, written)
    assert len(RecordReader(rec)) == result["games_written"]


def test_appending_drops_what_the_file_has(pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rec = tmp_path / "games.rec"
    report(capsys, "data", "pgn", pgn, "-o", rec, "--dedup")
    assert report(capsys, "data", "pgn", pgn, "-o", rec, "--append", "--dedup")["games_written"] == 0
    assert report(capsys, "data", "pgn", pgn, "-o", rec, "--append")["games_written"] == GAMES + 2
    assert len(RecordReader(rec)) == 2 * GAMES + 2


def test_stats_count_and_draw(pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rec, plot = tmp_path / "games.rec", tmp_path / "plot.svg"
    report(capsys, "data", "pgn", pgn, "-o", rec)
    result = report(capsys, "data", "stats", rec, "--plot", plot)
    assert (result["games"], result["duplicates"], result["sources"]) == (GAMES + 2, 2, 4)
    assert result["results"] == {"*": 0, "1-0": 20, "1/2-1/2": 21, "0-1": 21}
    assert result["plies"] == sum(len(record) for record in RecordReader(rec))
    assert (result["rating"]["least"], result["rating"]["most"]) == (1500, 2090)
    svg = ElementTree.fromstring(plot.read_text())
    bars = [rect for rect in svg.iter("{http://www.w3.org/2000/svg}rect") if len(rect)]
    assert len(bars) > 10
    code, out, _ = run(capsys, "data", "stats", rec)
    assert code == 0
    assert "Event 3" in out


def test_stats_of_games_without_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rec, plot = tmp_path / "games.rec", tmp_path / "plot.svg"
    game = load_game("tictactoe")
    with RecordWriter(rec, game) as writer:
        for seed in range(20):
            record = random_record(random.Random(seed), game)
            writer.add(GameRecord(indices=record.indices, source="[red]not markup"))
    assert report(capsys, "data", "stats", rec, "--plot", plot)["game"] == "tictactoe"
    assert "not known for these games" in plot.read_text()
    assert "[red]not markup" in run(capsys, "data", "stats", rec)[1]


def test_a_split_is_the_same_wherever_the_games_stand(
    pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rec = tmp_path / "games.rec"
    report(capsys, "data", "pgn", pgn, "-o", rec)
    parts = "train=0.6,test=0.4"
    report(capsys, "data", "split", rec, "--parts", parts)
    train, test = (list(RecordReader(tmp_path / f"games.{name}.rec")) for name in ("train", "test"))
    assert len(train) + len(test) == GAMES + 2
    assert min(len(train), len(test)) > 10
    assert not {record.indices for record in train} & {record.indices for record in test}
    reverse = tmp_path / "reverse.rec"
    with RecordWriter(reverse) as writer:
        for record in reversed(list(RecordReader(rec))):
            writer.add(record)
    report(capsys, "data", "split", reverse, "--parts", parts)
    assert list(RecordReader(tmp_path / "reverse.train.rec")) == train[::-1]
    report(capsys, "data", "split", rec, "--parts", parts, "--seed", "1", "-o", tmp_path / "other")
    assert list(RecordReader(tmp_path / "other.train.rec")) != train


def test_cat_joins_what_is_left_of_damaged_files(pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rec, both = tmp_path / "games.rec", tmp_path / "both.rec"
    report(capsys, "data", "pgn", pgn, "-o", rec)
    cut = tmp_path / "cut.rec"
    cut.write_bytes(rec.read_bytes()[:-10])
    code, out, err = run(capsys, "data", "cat", rec, cut, "-o", both, "--json")
    assert code == 0
    assert json.loads(out)["games_written"] == 2 * (GAMES + 2) - 1
    assert err == f"WARNING: {cut}: 1 games lost in 1 damaged blocks; the other games are used\n"
    assert report(capsys, "data", "cat", both, "-o", cut, "--dedup")["games_written"] == GAMES


BAD = [
    (["data", "pgn", "missing.pgn", "-o", "x.rec"], "cannot read 'missing.pgn'"),
    (["data", "pgn", "empty.pgn", "-o", "x.rec"], "no games in empty.pgn"),
    (["data", "pgn", "binary.pgn", "-o", "x.rec"], "no games in binary.pgn; binary.pgn: game 1: syntax"),
    (["data", "pgn", "good.pgn", "-o", "no/such/folder/x.rec"], "cannot write"),
    (["data", "pgn", "good.pgn", "-o", "x.rec", "--min-rating", "-5"], "min_rating must be at least 0, got -5"),
    (["data", "pgn", "good.pgn", "-o", "x.rec", "--min-plies", "9", "--max-plies", "3"], "got 9 and 3"),
    (["data", "pgn", "good.pgn", "-o", "x.rec", "--result", "2-0"], "got '2-0'"),
    (["data", "pgn", "good.pgn", "-o", "good.pgn", "--append"], "it is also what is read"),
    (["data", "stats", "good.pgn"], "not a .rec file"),
    (["data", "stats", "missing.rec"], "cannot read 'missing.rec'"),
    (["data", "stats", "good.rec", "--plot", "x.png"], "drawn as .svg"),
    (["data", "stats", "good.rec", "other.rec"], "has games of tictactoe, not chess"),
    (["data", "split", "good.rec", "--parts", "train=1.5"], "add up to 1 at most"),
    (["data", "split", "good.rec", "--parts", "a=0.5,a=0.5"], "name of its own"),
    (["data", "split", "good.rec", "--parts", "train"], "parts look like"),
    (["data", "cat", "good.rec", "-o", "good.rec"], "it is also what is read"),
    (["data", "export", "other.rec"], "only chess and Go have files of text"),
    (["data", "export", "illegal.rec"], "not a chess game"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_clear_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.pgn").write_text("\n\n")
    Path("binary.pgn").write_bytes(random.Random(1).randbytes(5000))
    Path("good.pgn").write_text("1. e4 e5 *\n")
    for name, game, indices in (("good", "chess", (0,)), ("other", "tictactoe", (0,)), ("illegal", "chess", (99,))):
        with RecordWriter(f"{name}.rec", game) as writer:
            writer.add(GameRecord(indices=indices))
    before = sorted(path.name for path in tmp_path.iterdir())
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert message in err
    assert err.startswith("philidor: ")
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
