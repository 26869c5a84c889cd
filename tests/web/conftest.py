"""A real server for the tests: a process of its own on a free port, with games in a folder that goes away."""

from __future__ import annotations

import inspect
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
import pytest

import philidor
from philidor.frontends.web.pages import STATIC
from tests.human_nets import write_human
from tests.web import nursery
from tests.web.live import PATIENCE_S

PHILIDOR = Path(philidor.__file__).with_name("__main__.py")
START_S = 60.0


@pytest.fixture(autouse=True, scope="session")
def patience() -> None:
    """Waits longer for answers than httpx's five seconds: a machine may be doing ten other things."""
    usual: httpx.Timeout = inspect.signature(httpx.get).parameters["timeout"].default
    usual.connect = usual.read = usual.write = usual.pool = PATIENCE_S


class Server:
    """`philidor play`, to be started, killed and started again."""

    def __init__(self, folder: Path, *arguments: str, program: Path = PHILIDOR) -> None:
        self.program = program
        self.data = folder / "games"
        self.log = folder / "server.log"
        self.arguments = arguments
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {**os.environ, "PHILIDOR_PAGES": str(_pages(folder))}
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        arguments = ["play", "--no-browser", "--port", str(self.port), "--data", str(self.data), *self.arguments]
        # In a folder of its own: it would offer the runs of the one it is started in.
        folder = self.log.parent
        self._process = nursery.start(str(self.program), arguments, folder, self.environment, self.log)
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self._process.is_alive():
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
        assert self._process.pid is not None
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
        if self._process.is_alive():
            os.kill(self.pid, number)
        self._process.join(timeout=20)
        assert self._process.exitcode is not None, "the server does not end"
        return self._process.exitcode

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
    server = Server(folder, *arguments, program=Path(__file__).with_name("with_human.py"))
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
