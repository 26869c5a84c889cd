"""The program as a process of its own: what it imports, how it ends when pipes break and people press Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

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
    command = [*PHILIDOR, "play", "--opponent", "person"]
    done = subprocess.run(command, input=script, capture_output=True, env=environment, check=True)
    assert b"is not a move here" in done.stdout
    assert b"Black wins: resignation" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
def test_ctrl_c_leaves_a_game_cleanly_and_keeps_it(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [*PHILIDOR, "play", "--opponent", "person"],
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
