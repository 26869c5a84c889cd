"""The ruler: errors against a deep search, that fall with the depth, with intervals, and resumed after a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from philidor.arena.openings import DEFAULT_BOOK
from philidor.arena.ruler import Ruler, RulerConfig, expected_score
from philidor.core.errors import ConfigError


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
    assert errors["4000 nodes"].value == 0.0
    assert errors["static"].value > 0.0
    assert 0.0 < errors["static"].error < 1.0


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
        assert error.value == pytest.approx(ruler.errors()[judge].value)


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
    (tmp_path / "mate.epd").write_text("7k/6Q1/6K1/8/8/8/8/8 b - -\n")
    with pytest.raises(ConfigError, match="no position to measure by"):
        Ruler(_config(tmp_path, positions=tmp_path / "mate.epd"))
