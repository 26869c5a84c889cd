"""The ruler: errors against a deep search, that fall with the depth, with intervals, and resumed after a kill."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from philidor.arena.openings import DEFAULT_BOOK
from philidor.arena.ruler import Ruler, RulerConfig, expected_score
from philidor.arena.ruler_positions import quiet_positions
from philidor.core.errors import ConfigError
from philidor.players.external_uci import EngineCrashError

FAKE = Path(__file__).with_name("fake_engine.py")
GAMES = """[Result "*"]

1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Bg4 5. Be2 Bxe2 6. Ngxe2 Nf6 *

[Result "*"]

1. f3 e5 2. g4 Qh4# *
"""


def program(mode: str) -> str:
    return f"{sys.executable} {FAKE} {mode}"


def _config(folder: Path, **settings: object) -> RulerConfig:
    book = folder / "positions.epd"
    book.write_text("\n".join(DEFAULT_BOOK.read_text().splitlines()[:12]))
    given = {"engine": "classic hash=1", "reference": "classic hash=1", "reference_nodes": 4_000, "positions": book}
    return RulerConfig(**{**given, "depths": (1,), "nodes": (4_000,), **settings})  # type: ignore[arg-type]


def test_the_reference_has_no_error_and_shallow_judgments_have(tmp_path: Path) -> None:
    ruler = Ruler(_config(tmp_path))
    ruler.measure(2, lambda: None)
    errors = ruler.errors()
    assert list(errors) == ["static", "depth 1", "4000 nodes"]
    assert errors["4000 nodes"].square.value == 0.0
    assert errors["static"].square.value > 0.0
    assert 0.0 < errors["static"].square.error < 1.0
    assert {found.factor for found in errors.values()} == {1.0}


def test_a_measurement_continues_where_it_was(tmp_path: Path) -> None:
    ruler = Ruler(_config(tmp_path), tmp_path / "run")
    ruler.measure(1, lambda: None)
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "run" / "metrics.jsonl").write_text("".join(lines[:5]))
    again = Ruler(_config(tmp_path), tmp_path / "run")
    assert again.done == 5
    again.measure(2, lambda: None)
    assert again.done == ruler.done
    for judge, error in again.errors().items():
        assert error.square.value == pytest.approx(ruler.errors()[judge].square.value)


def _kept(folder: Path, **settings: object) -> Ruler:
    """A ruler whose engine is right but for the scale: its static scores are twice those of the reference."""
    config = _config(folder, **settings)
    run = Ruler(config, folder / "run").run
    assert run is not None
    for number, score in enumerate((-900, -250, -40, 0, 15, 90, 400, 31_990)):
        static = score if score > 3_000 else 2 * score
        run.log(
            {"position": number, "scores": {"static": static, "depth 1": 0, "4000 nodes": score, "reference": score}}
        )
    return Ruler(config, folder / "run")


def test_a_factor_makes_up_for_another_scale(tmp_path: Path) -> None:
    (tmp_path / "fitted").mkdir()
    fitted, plain = _kept(tmp_path / "fitted", fit_scale=True).errors(), _kept(tmp_path).errors()
    assert fitted["static"].factor == pytest.approx(0.5, abs=0.01)
    assert fitted["static"].square.value < 1e-5 < plain["static"].square.value
    assert fitted["4000 nodes"].factor == pytest.approx(1.0, abs=0.01)
    assert plain["static"].factor == 1.0


def test_positions_are_drawn_from_games_where_a_quiet_move_followed(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(GAMES)
    drawn = [position.fen() for position in quiet_positions(games, 100)]
    # Not before 2.exd5, 2...Qxd5, 5...Bxe2 and 6.Ngxe2; the start position only once.
    assert len(drawn) == len(set(drawn)) == 8 + 3
    assert not any("4p3/8/PPPP" in fen or "ppp1pppp/8/3p4/4P3" in fen for fen in drawn)
    few = [position.fen() for position in quiet_positions(games, 3)]
    assert few == [position.fen() for position in quiet_positions(games, 3)]
    assert len(few) == 6
    assert set(few) < set(drawn)
    (last,) = quiet_positions(games)  # that of the other game is checkmate
    assert last.fen().startswith("rn2kb1r/ppp1pppp/5n2/q7/3P4/2N5/PPP1NPPP/R1BQK2R w")


def test_a_program_can_be_the_reference(tmp_path: Path) -> None:
    ruler = Ruler(_config(tmp_path, reference=program("plays"), nodes=()), tmp_path / "run")
    ruler.measure(2, lambda: None)
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert len(lines) == ruler.done == len(ruler.positions)
    assert {line["scores"]["reference"] for line in lines} == {12}


@pytest.mark.parametrize(("mode", "problem"), [("crashes", "exit code 3"), ("gives-up", "gives no score")])
def test_a_program_that_fails_ends_the_measurement(tmp_path: Path, mode: str, problem: str) -> None:
    ruler = Ruler(_config(tmp_path, reference=program(mode), nodes=()))
    with pytest.raises(EngineCrashError, match=problem):
        ruler.measure(2, lambda: None)


def test_time_over_ends_a_program_too(tmp_path: Path) -> None:
    ruler = Ruler(_config(tmp_path, reference=program("hangs"), nodes=()))
    start = time.monotonic()
    ruler.measure(2, lambda: None, seconds=0.1)
    assert ruler.done == 0
    assert time.monotonic() - start < 20  # it sleeps for sixty seconds


def test_time_over_ends_a_measurement_at_once(tmp_path: Path) -> None:
    ruler = Ruler(_config(tmp_path, reference_nodes=2**40))
    ruler.measure(2, lambda: None, seconds=0.1)
    assert ruler.done == 0
    assert ruler.errors() == {}


def test_scores_are_shares_of_points() -> None:
    assert expected_score(0) == pytest.approx(0.5)
    assert expected_score(31_990) == pytest.approx(1.0, abs=1e-3)
    assert expected_score(100) == pytest.approx(1 - expected_score(-100))


def test_bad_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="depths are 1 to 100"):
        _config(tmp_path, depths=(0,))
    with pytest.raises(ConfigError, match="not the engines' own"):
        Ruler(_config(tmp_path, engine="classic movetime=1"))
    with pytest.raises(ConfigError, match="speaks UCI, got proto=xboard"):
        Ruler(_config(tmp_path, reference="gnuchess proto=xboard"))
    with pytest.raises(ConfigError, match="no-such-program"):
        Ruler(_config(tmp_path, reference="no-such-program"))
    with pytest.raises(ConfigError, match="per_game would be ignored"):
        Ruler(_config(tmp_path, per_game=2))
    (tmp_path / "mate.epd").write_text("7k/6Q1/6K1/8/8/8/8/8 b - -\n")
    with pytest.raises(ConfigError, match="no position to measure by"):
        Ruler(_config(tmp_path, positions=tmp_path / "mate.epd"))
