"""Run folders: whole files or none, and metrics that survive a kill."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from philidor.core.config import spin
from philidor.core.errors import RunError
from philidor.core.runs import Run, atomic_file, list_runs, write_atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A small config."""

    steps: int = field(default=10, metadata=spin(None, 1))
    """How long."""


def test_a_run_has_its_folders_and_config(tmp_path: Path) -> None:
    run = Run.create("first", Recipe(steps=5), tmp_path)
    assert sorted(path.name for path in run.path.iterdir()) == [
        ".lock",
        "checkpoints",
        "config.toml",
        "report",
        "shards",
    ]
    assert run.config_path.read_text() == "# How long.\nsteps = 5\n"
    assert Run(run.path).config(Recipe) == Recipe(steps=5)
    assert run.name == "first"
    assert [found.name for found in list_runs(tmp_path)] == ["first"]


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    Run.create("first", Recipe(), tmp_path)
    with pytest.raises(RunError, match="is there already"):
        Run.create("first", Recipe(), tmp_path)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "a b", "-a", "ä"])
def test_odd_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunError, match="a run's name"):
        Run.create(name, Recipe(), tmp_path)


def test_resuming_needs_the_same_config(tmp_path: Path) -> None:
    Run.resume_or_create("first", Recipe(), tmp_path).log({"step": 1})
    assert Run.resume_or_create("first", Recipe(), tmp_path).metrics() == [{"step": 1}]
    with pytest.raises(RunError, match="another config"):
        Run.resume_or_create("first", Recipe(steps=11), tmp_path)


def test_a_run_that_has_made_nothing_may_begin_with_another_config(tmp_path: Path) -> None:
    Run.create("first", Recipe(), tmp_path)
    run = Run.resume_or_create("first", Recipe(steps=11), tmp_path)
    assert run.config(Recipe) == Recipe(steps=11)
    (run.shards / ".000000.rec.7.tmp").touch()
    with pytest.raises(RunError, match="another config"):
        Run.resume_or_create("first", Recipe(steps=12), tmp_path)


@pytest.mark.parametrize("write", [lambda run: run.log({"step": 2}), lambda run: write_atomic(run.metrics_path, "{}")])
def test_a_full_disk_is_named_and_costs_nothing(write: Callable[[Run], None], tmp_path: Path) -> None:
    run = Run.create("first", Recipe(), tmp_path)
    run.log({"step": 1})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        with pytest.raises(OSError, match=r"metrics\.jsonl"):
            write(run)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert run.metrics() == [{"step": 1}]
    run.log({"step": 2})
    assert run.metrics() == [{"step": 1}, {"step": 2}]


def test_a_folder_without_config_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"no run in .*config\.toml"):
        Run(tmp_path)
    assert list_runs(tmp_path / "nowhere") == []


def test_metrics_are_appended_and_read(tmp_path: Path) -> None:
    run = Run.create("first", Recipe(), tmp_path)
    assert run.metrics() == []
    run.log({"step": 1, "loss": 0.5, "name": "ü"})
    run.log({"step": 2, "loss": float("nan"), "parts": {"policy": float("inf"), "value": [1.0, float("nan")]}})
    assert run.metrics() == [
        {"step": 1, "loss": 0.5, "name": "ü"},
        {"step": 2, "loss": None, "parts": {"policy": None, "value": [1.0, None]}},
    ]


@pytest.mark.parametrize("torn", [b'{"step": 2, "lo', b"{", b"x" * 10_000])
def test_a_torn_line_is_ignored_and_then_replaced(tmp_path: Path, torn: bytes) -> None:
    run = Run.create("first", Recipe(), tmp_path)
    run.log({"step": 1})
    with run.metrics_path.open("ab") as file:
        file.write(torn)
    assert run.metrics() == [{"step": 1}]
    run.log({"step": 3})
    assert run.metrics() == [{"step": 1}, {"step": 3}]
    assert run.metrics_path.read_bytes() == b'{"step": 1}\n{"step": 3}\n'


def test_a_file_that_is_all_torn_starts_again(tmp_path: Path) -> None:
    run = Run.create("first", Recipe(), tmp_path)
    run.metrics_path.write_bytes(b"y" * 9_000)
    assert run.metrics() == []
    run.log({"step": 1})
    assert run.metrics() == [{"step": 1}]


def test_atomic_files_appear_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "net.bin"
    write_atomic(path, b"old")

    def fail_halfway() -> None:
        with atomic_file(path) as file:
            file.write(b"ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_halfway()
    assert path.read_bytes() == b"old"
    write_atomic(path, "new")
    assert path.read_bytes() == b"new"
    assert [found.name for found in tmp_path.iterdir()] == ["net.bin"]


KILLED = """
import os, signal, sys
from pathlib import Path
from philidor.core.runs import Run, atomic_file
run = Run(Path(sys.argv[1]))
for step in range(5):
    run.log({"step": step})
with atomic_file(run.checkpoints / "net.bin") as file:
    file.write(b"new" * 100_000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


HOLDER = """
import sys, time
from pathlib import Path
from philidor.core.runs import Run
run = Run(Path(sys.argv[1]))
run.hold()
print("held", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs locks of processes")
def test_one_process_at_a_time_works_in_a_run(tmp_path: Path) -> None:
    path = Run.create("first", Recipe(), tmp_path).path  # nobody keeps it, so nobody holds it
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        # Not even the config of a run that has made nothing yet may be changed under it.
        with pytest.raises(RunError, match="another program is at work"):
            Run.resume_or_create("first", Recipe(steps=5), tmp_path)
        assert Run(path).config(Recipe) == Recipe()
        other.kill()
    first = Run.resume_or_create("first", Recipe(), tmp_path)
    second = Run.resume_or_create("first", Recipe(), tmp_path)  # the same process may
    del first
    third = subprocess.run([sys.executable, "-c", HOLDER, str(second.path)], capture_output=True, text=True, timeout=30)
    assert "another program is at work" in third.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_what_was_written_before_a_kill_is_there_after_it(tmp_path: Path) -> None:
    run = Run.create("first", Recipe(), tmp_path)
    write_atomic(run.checkpoints / "net.bin", b"old")
    result = subprocess.run([sys.executable, "-c", KILLED, str(run.path)], check=False)
    assert result.returncode == -signal.SIGKILL
    assert [line["step"] for line in run.metrics()] == [0, 1, 2, 3, 4]
    assert (run.checkpoints / "net.bin").read_bytes() == b"old"


def test_metrics_are_plain_json_lines(tmp_path: Path) -> None:
    run = Run.create("first", Recipe(), tmp_path)
    run.log({"a": (1, 2)})
    assert json.loads(run.metrics_path.read_text()) == {"a": [1, 2]}
