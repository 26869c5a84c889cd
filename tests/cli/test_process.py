"""The program as a process of its own: what it imports, how it ends when pipes break and people press Ctrl-C."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from philidor.cli.arguments import stop_signals
from philidor.games.chess import Position

PHILIDOR = [sys.executable, "-m", "philidor"]


def read_until(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    seen = ""
    while text not in seen:
        character = process.stdout.read(1)
        assert character, f"the program ended before {text!r}: {seen}"
        seen += character
    return seen


def test_help_loads_neither_the_core_nor_other_libraries() -> None:
    code = (
        "import sys; from philidor.cli import main; main(['--help']); "
        "print([m for m in sys.modules if m in ('numpy', 'chess', 'zstandard') "
        "or m.startswith(('philidor._native', 'philidor.games', 'philidor.search', 'philidor.players'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_broken_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*PHILIDOR, "perft", "2", "--divide"], stdout=writer, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_ascii_terminals_get_ascii() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for arguments in (["--help"], ["eval"], ["search", "--depth", "1", "--tree", "1"], ["doctor"]):
        done = subprocess.run([*PHILIDOR, *arguments], capture_output=True, env=environment, check=True)
        assert done.stdout.isascii()


def test_bytes_that_are_no_text_are_no_move() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    script = b"\xff\xfe\x00\nresign\n"
    command = [*PHILIDOR, "play", "--terminal", "--opponent", "person"]
    done = subprocess.run(command, input=script, capture_output=True, env=environment, check=True)
    assert b"is not a move here" in done.stdout
    assert b"Black wins: resignation" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
def test_ctrl_c_leaves_a_game_cleanly_and_keeps_it(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [*PHILIDOR, "play", "--terminal", "--opponent", "person"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdin is not None
    read_until(process, "White to move > ")
    process.stdin.write("e4\n")
    process.stdin.flush()
    read_until(process, "Black to move > ")
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert error == ""
    assert "kept" in out
    assert list(tmp_path.rglob("chess.json"))


class Screen:
    """A program that runs at a terminal of its own."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        import pty

        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        self.seen = ""

    def wait_for(self, text: str) -> str:
        """Reads until the text is there; returns what came since the last call."""
        start = len(self.seen)
        while text not in self.seen[start:]:
            ready, _, _ = select.select([self.master], [], [], 30)
            assert ready, f"waited in vain for {text!r}: {self.seen[start:]!r}"
            self.seen += os.read(self.master, 4096).decode("utf-8", "replace")
        return self.seen[start:]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals there")
def test_a_game_at_a_real_terminal(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(tmp_path),
        "TERM": "xterm-256color",
        "COLUMNS": "80",
        "LINES": "24",
    }
    environment.pop("NO_COLOR", None)
    screen = Screen([*PHILIDOR, "play", "--terminal"], environment)
    try:
        screen.wait_for("[Enter: that one] > ")
        screen.type("alpha\t 1\n")  # the Tab key completes
        screen.wait_for("Your side")
        screen.type("\n")
        drawn = screen.wait_for("White to move > ")
        assert "alphabeta, depth 1" in drawn
        assert "\x1b[" in drawn, "no colors"
        screen.type("Nf\t\n")
        drawn = screen.wait_for("White to move > ")
        assert "alphabeta plays 1... " in drawn
        screen.type("\x04")  # Ctrl-D
        screen.wait_for("Goodbye.")
        assert screen.process.wait(timeout=30) == 0
    finally:
        screen.process.kill()
        os.close(screen.master)
    assert '"g1f3"' in (tmp_path / "philidor" / "unfinished" / "chess.json").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize("count", [lambda: Position().perft(14), lambda: Position().divide(14)])
def test_a_signal_ends_a_native_count(count: Callable[[], object]) -> None:
    # Counted to the end this would take longer than anybody has lived.
    def ring(*_: object) -> None:
        raise TimeoutError("the clock")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(TimeoutError, match="the clock"):
            count()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_ctrl_c_is_acknowledged_at_once_and_twice_ends_the_work(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with stop_signals() as is_stopped:
        assert not is_stopped()
        signal.raise_signal(signal.SIGINT)
        assert is_stopped()
        assert "stopping after the work at hand" in capfd.readouterr().err
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
