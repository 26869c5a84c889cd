"""The rooms of the C++ core: the same order as in Python, and nanobind only in the bindings."""

from pathlib import Path

import pytest

from tests.architecture.includes import ROOT, violations

CPP = ROOT / "cpp"
SOURCES = sorted(path for path in CPP.rglob("*") if path.suffix in {".h", ".cpp", ".c"})


def test_there_are_sources_to_check() -> None:
    assert SOURCES


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CPP)))
def test_includes_follow_the_order_of_the_rooms(path: Path) -> None:
    assert list(violations(path.relative_to(CPP).as_posix(), path.read_text())) == []


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("games/chess/board.cpp", '#include "search/uct.h"'),
        ("records/pgn.cpp", '#include "nets/nnue.h"'),
        ("search/uct.h", "#include <nanobind/nanobind.h>"),
        ("search/uct.h", "#include <Python.h>"),
        ("games/chess/board.cpp", '  #  include "bindings/module.h"'),
        ("games/chess/board.cpp", '#include "board.h"'),
        ("games/chess/board.cpp", '#include "helpers/bits.h"'),
        ("helpers/bits.h", ""),
    ],
)
def test_a_planted_include_is_caught(path: str, include: str) -> None:
    assert len(list(violations(path, f"#pragma once\n\n{include}\n"))) == 1


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("search/uct.cpp", '#include "games/chess/board.h"'),
        ("games/chess/board.cpp", '#include "games/chess/attacks.h"'),
        ("games/chess/board.cpp", "#include <vector>"),
        ("bindings/chess.cpp", "#include <nanobind/nanobind.h>"),
        ("bindings/chess.cpp", '#include "search/uct.h"'),
        ("tests/board_test.cpp", "#include <doctest/doctest.h>"),
    ],
)
def test_downward_includes_are_fine(path: str, include: str) -> None:
    assert list(violations(path, include)) == []
