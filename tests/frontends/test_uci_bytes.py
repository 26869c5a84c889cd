"""Whatever bytes come in, the loop answers in the protocol's words, does not hang, and ends with its input."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from philidor.frontends.uci.engine import UciEngine
from philidor.frontends.uci.input import read_lines
from philidor.frontends.uci.loop import UciLoop

# What may stand at the beginning of a line that a GUI has to read; `d`, `eval`, `help` and perft are for people.
SPOKEN = re.compile(r"(id |option |uciok|readyok|info |bestmove |position \d|Total time|Nodes|[a-h][1-8][a-h][1-8]|$)")
FOR_PEOPLE = {"d", "eval", "help"}
WORDS = [
    *(b"uci", b"isready", b"ucinewgame", b"position", b"startpos", b"fen", b"moves", b"go", b"stop", b"ponderhit"),
    *(b"setoption", b"name", b"value", b"debug", b"on", b"register", b"flip", b"bench", b"quit", b"perft"),
    *(b"depth", b"nodes", b"mate", b"movetime", b"wtime", b"btime", b"winc", b"movestogo", b"infinite", b"ponder"),
    *(b"searchmoves", b"e2e4", b"e7e5", b"e1g1", b"0000", b"a7a8q", b"8/8/8/8/8/8/8/8", b"w", b"-", b"KQkq"),
    *(b"MultiPV", b"Threads", b"UCI_LimitStrength", b"UCI_Elo", b"OwnBook", b"BookFile", b"SyzygyPath", b"true"),
    *(b"Hash", b"Clear", b"Engine", b"nnue", b"EvalFile", b"/dev/null", b"\xff", b"\x00", b"\xe2\x80\xa8", b"\r"),
    *(b"-1", b"0", b"1", b"2", b"5", b"100", b"1e9", b"99999999999999999999", b"-9223372036854775809", b"\xd9\xa3"),
]
commands = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(b" ".join)
streams = st.lists(st.one_of(commands, st.binary(max_size=30)), max_size=8).map(b"\n".join)


def answers(data: bytes) -> list[str]:
    """Runs a loop over a stream, to its end."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    output = io.StringIO()
    loop = UciLoop(UciEngine(), output)
    runner = threading.Thread(target=loop.run, args=(read_lines(reading),), daemon=True)
    runner.start()
    runner.join(timeout=60)
    assert not runner.is_alive(), f"it hangs after {data!r}"
    os.close(reading)
    return output.getvalue().splitlines()


@settings(max_examples=80, deadline=None)
@given(streams)
@example(b"\x1cd")
def test_any_bytes_are_answered_in_the_protocols_words(data: bytes) -> None:
    spoken = answers(data)
    # Words as the loop reads them: text has more kinds of space than bytes have.
    if not FOR_PEOPLE & set(data.decode(errors="replace").split()):
        assert all(SPOKEN.match(line) for line in spoken), spoken


@settings(max_examples=40, deadline=None)
@given(streams)
def test_after_anything_it_still_plays(data: bytes) -> None:
    safe = b"\n".join(line for line in data.split(b"\n") if "quit" not in line.decode(errors="replace").split())
    spoken = answers(safe + b"\nisready\nucinewgame\nposition startpos\ngo nodes 20\n")
    assert "readyok" in spoken
    assert re.match(r"bestmove [a-h][1-8][a-h][1-8]", spoken[-1]), spoken


def test_arrivals_are_those_of_the_bytes_and_long_lines_are_cut() -> None:
    reading, writing = os.pipe()

    def feed() -> None:
        for chunk in (b"one\r\ntwo\nthr", b"ee\n", b"x" * (3 << 20), b"\nlast"):
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(writing, rest) :]
        os.close(writing)

    threading.Thread(target=feed).start()
    lines = list(read_lines(reading))
    os.close(reading)
    assert [text for text, _ in lines][:3] == ["one", "two", "three"]
    assert len(lines[3][0]) == 1 << 20
    assert lines[4][0] == "last"
    assert [arrived for _, arrived in lines] == sorted(arrived for _, arrived in lines)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"go",
        b"go\nstop\ngo infinite",
        b"\x00\xff\xfe" * 1000,
        b"position startpos moves e2e4 e2e4\ngo depth 1\n",
        b"go wtime -5 btime 0 winc -1 binc -1\ngo movetime -3\ngo movestogo 0 wtime 1\ngo depth -1\ngo nodes 0\n",
        b"setoption name Hash value 1000000\nsetoption name SyzygyPath value /none\ngo nodes 5\n",
        b"bench 90\nisready\nstop\ngo perft 15\nisready\n",
        b"go ponder\n",
    ],
)
def test_the_program_ends_with_its_input_and_says_nothing_else(data: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "philidor", "uci"], input=data, capture_output=True, timeout=60, check=True
    )
    assert done.stderr == b""
    assert b"Traceback" not in done.stdout
    assert all(SPOKEN.match(line) for line in done.stdout.decode().splitlines()), done.stdout


def test_a_gui_that_is_gone_ends_it() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "philidor", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    process.stdin.write(b"uci\nisready\n")
    process.stdin.close()
    assert process.wait(timeout=60) in (0, 1)
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
