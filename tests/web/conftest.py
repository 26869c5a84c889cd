"""A real server for the tests: a process of its own on a free port, with games in a folder that goes away."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from philidor.frontends.web.pages import STATIC
from tests.human_nets import write_human

PHILIDOR = (sys.executable, "-m", "philidor")
START_S = 60.0


class Server:
    """`philidor play`, to be started, killed and started again."""

    def __init__(self, folder: Path, *arguments: str, program: Sequence[str] = PHILIDOR) -> None:
        self.program = program
        self.data = folder / "games"
        self.log = folder / "server.log"
        self.arguments = arguments
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {**os.environ, "PHILIDOR_PAGES": str(_pages(folder))}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        command = [*self.program, "play", "--no-browser", "--port", str(self.port), "--data", str(self.data)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                # In a folder of its own: it would offer the runs of the one it is started in.
                [*command, *self.arguments],
                cwd=self.log.parent,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        self.kill()
        raise AssertionError(f"the server did not start: {self.log.read_text(errors='replace')}")

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Ends the server without any warning, as a power cut would."""
        self.end(signal.SIGKILL)

    def stop(self) -> int:
        """Ends the server as Ctrl-C does; returns its exit code."""
        return self.end(signal.SIGINT)

    def end(self, number: signal.Signals) -> int:
        """Ends the server by a signal; returns its exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(timeout=20)

    def restart(self) -> None:
        """Kills the server and starts it again on the same port with the same games."""
        self.kill()
        self.start()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _pages(folder: Path) -> Path:
    """The built pages, or one that says nothing: the tests of the server need none."""
    if (STATIC / "index.html").is_file():
        return STATIC
    pages = folder / "pages"
    pages.mkdir()
    (pages / "index.html").write_text("<!doctype html><title>philidor</title>", encoding="utf-8")
    return pages


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server of one test alone."""
    running = Server(tmp_path)
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server for all tests of a file that do not disturb each other."""
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def human_server(folder: Path, gesture: str | None = None, *arguments: str) -> Server:
    """A server, not started yet, whose player human has an untrained network, and may do something at every turn."""
    nets = folder / "human"
    nets.mkdir()
    write_human(nets)
    program = (sys.executable, str(Path(__file__).with_name("with_human.py")))
    server = Server(folder, *arguments, program=program)
    server.environment |= {"PHILIDOR_TEST_NETS": str(nets)}
    if gesture is not None:
        server.environment["PHILIDOR_TEST_GESTURE"] = gesture
    return server


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[tuple[Server, str]]:
    """A server that others than this machine can reach, and its token."""
    server = Server(tmp_path, "--host", "0.0.0.0")
    server.start()
    match = None
    while match is None:
        match = re.search(r"\?token=(\S+)", server.log.read_text())
    yield server, match[1]
    server.kill()
