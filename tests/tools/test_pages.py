"""The pages of the web board, as a wheel gets them: built if need be, and with a reason if they cannot be."""

import os
import sys
from pathlib import Path

import pytest

import pages


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the page will be, of a source tree with one source; building it takes no Node.js."""
    (tmp_path / "web/src").mkdir(parents=True)
    (tmp_path / "web/src/main.ts").touch()
    (tmp_path / "web/node_modules").mkdir()
    (tmp_path / "static").mkdir()
    found = tmp_path / "static/index.html"
    monkeypatch.setattr(pages, "WEB", tmp_path / "web")
    monkeypatch.setattr(pages, "STATIC", tmp_path / "static")
    monkeypatch.setattr(pages, "missing", lambda: None)
    monkeypatch.setattr(pages, "build", lambda: [[sys.executable, "-c", f"open({str(found)!r}, 'w').write('built')"]])
    return found


def set_age(path: Path, seconds: int) -> None:
    os.utime(path, (2_000_000_000 - seconds,) * 2)


def test_pages_that_are_missing_are_built(page: Path, tmp_path: Path) -> None:
    reason = tmp_path / "reason.txt"
    reason.write_text("of an earlier build")
    assert pages.main(["--for-wheel", str(reason)]) == 0
    assert page.read_text() == "built"
    assert not reason.exists()


def test_pages_are_built_again_only_when_a_source_is_newer(page: Path, tmp_path: Path) -> None:
    page.write_text("old")
    set_age(page, 10)
    set_age(tmp_path / "web/src/main.ts", 20)
    (tmp_path / "web/node_modules/library.js").touch()
    set_age(tmp_path / "web/node_modules/library.js", 0)
    pages.main(["--for-wheel", str(tmp_path / "reason.txt")])
    assert page.read_text() == "old"
    set_age(tmp_path / "web/src/main.ts", 5)
    pages.main(["--for-wheel", str(tmp_path / "reason.txt")])
    assert page.read_text() == "built"


@pytest.mark.parametrize(
    ("what", "found"), [("missing", "there is no Node.js"), ("build", f"{sys.executable} -c exit(3) failed")]
)
def test_a_wheel_without_pages_says_why(
    what: str, found: str, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {"missing": lambda: "there is no Node.js", "build": lambda: [[sys.executable, "-c", "exit(3)"]]}
    monkeypatch.setattr(pages, what, answer[what])
    assert pages.main(["--for-wheel", str(tmp_path / "reason.txt")]) == 0
    assert found in (tmp_path / "reason.txt").read_text()
    page.write_text("old")  # older pages are better than none
    assert pages.main(["--for-wheel", str(tmp_path / "reason.txt")]) == 0
    assert not (tmp_path / "reason.txt").exists()
