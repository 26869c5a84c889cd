"""Programs of anybody's: what they write has bounds, and nothing of them stays when they end."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.players import external_uci, external_xboard
from philidor.players.external_uci import EngineHangError, UciProcess
from philidor.players.external_xboard import XboardProcess
from philidor.protocols.uci import Go, PositionCommand

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of these tests are shell scripts")

LONG_S, SHORT_S = 60.0, 0.3
LINES = "exec yes info depth 1 score cp 1 pv e2e4"
ONE_LINE = "exec tr '\\0' x </dev/zero"


def uci(on_go: str = "", first: str = "") -> list[str]:
    """A shell script that speaks just enough UCI."""
    cases = f"uci) echo id name Shell; echo uciok;; isready) echo readyok;; go*) {on_go or ':'};; quit) exit;;"
    return ["sh", "-c", f'{first}\nwhile read -r word; do case "$word" in {cases} esac; done']


def xboard(on_go: str = "", first: str = "") -> list[str]:
    """The same in CECP."""
    feature = 'feature setboard=1 ping=1 usermove=1 myname="Shell" done=1'
    cases = f"protover*) echo '{feature}';; ping*) echo \"pong ${{word#ping }}\";; go) {on_go or ':'};; quit) exit;;"
    return ["sh", "-c", f'{first}\nwhile read -r word; do case "$word" in {cases} esac; done']


def start(kind: type[UciProcess] | type[XboardProcess], on_go: str = "", first: str = "") -> UciProcess | XboardProcess:
    return kind((uci if kind is UciProcess else xboard)(on_go, first))


@pytest.mark.parametrize("trouble", [LINES, ONE_LINE])
@pytest.mark.parametrize("kind", [UciProcess, XboardProcess])
def test_the_deadline_holds_while_lines_arrive(
    kind: type[UciProcess] | type[XboardProcess], trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who takes their time over each line always finds another one waiting; the time must end all the same.
    monkeypatch.setattr(external_uci, "_report", lambda _: time.sleep(0.001))
    process = start(kind, on_go=trouble)
    listening = {"hear": lambda _: None} if kind is UciProcess else {}
    try:
        with pytest.raises(EngineHangError, match="Shell"):
            process.go(PositionCommand(), Go(movetime=10), SHORT_S, **listening)
    finally:
        process.kill()


@pytest.mark.parametrize("trouble", [LINES, ONE_LINE])
def test_a_program_that_writes_without_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    monkeypatch.setattr(external_uci, "MOST_INFO", 1_000_000)
    monkeypatch.setattr(external_xboard, "MOST_INFO", 1_000_000)
    for process in (UciProcess(uci(trouble)), XboardProcess(xboard(trouble))):
        try:
            with pytest.raises(EngineHangError, match="Shell writes without end"):
                process.go(PositionCommand(), Go(movetime=10), LONG_S)
        finally:
            process.kill()


def test_a_program_that_writes_before_it_says_who_it_is_does_not_start() -> None:
    with pytest.raises(EngineHangError, match="writes without end"):
        UciProcess(["yes", "option name Hash type spin default 16 min 1 max 1024"])


def test_what_nobody_reads_is_not_kept() -> None:
    process = UciProcess(uci("yes | head -c 50000000; echo bestmove e2e4"))
    try:
        process.send("go")
        waiting = process._program._lines
        while waiting.qsize() < waiting.maxsize:
            assert process._program._process.poll() is None
        assert waiting.maxsize <= 1_024
    finally:
        process.kill()


def test_a_line_that_is_too_long_is_passed_over_and_the_answer_heard() -> None:
    long_line = "head -c 100000 /dev/zero | tr '\\0' x; echo; echo info depth 3 score cp 7; echo bestmove e2e4"
    process = UciProcess(uci(long_line))
    try:
        reply = process.go(PositionCommand(), Go(movetime=10), LONG_S)
        assert (reply.move, reply.info.depth) == ("e2e4", 3)
    finally:
        process.kill()


# --- Children -----------------------------------------------------------------------------------------------------


class Pipe:
    """A named pipe that a program and all its children hold open: its end is theirs."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.begin = f"exec 3> '{path}'; sleep 1000 & "
        self.file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def is_held(self, seconds: float) -> bool:
        """Waits for everybody to let it go; says whether somebody does not."""
        return not select.select([self.file], [], [], seconds)[0]


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    held = Pipe(tmp_path / "pipe")
    yield held
    os.close(held.file)


@pytest.mark.parametrize("how", ["quit", "kill"])
@pytest.mark.parametrize("kind", [UciProcess, XboardProcess])
def test_the_children_of_a_program_end_with_it(
    kind: type[UciProcess] | type[XboardProcess], how: str, pipe: Pipe
) -> None:
    process = start(kind, first=pipe.begin)
    assert pipe.is_held(0.05)
    getattr(process, how)()
    assert not pipe.is_held(10)


@pytest.mark.parametrize("kind", [UciProcess, XboardProcess])
def test_the_children_of_a_program_that_cannot_be_used_end_with_it(
    kind: type[UciProcess] | type[XboardProcess], pipe: Pipe
) -> None:
    with pytest.raises(EngineHangError):
        kind(["sh", "-c", f"{pipe.begin} sleep 1000"], start_timeout_s=SHORT_S)
    assert not pipe.is_held(10)


def test_nothing_of_a_program_outlives_us(pipe: Pipe) -> None:
    code = f"from philidor.players.external_uci import UciProcess; kept = UciProcess({uci(first=pipe.begin)!r})"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert not pipe.is_held(10)
