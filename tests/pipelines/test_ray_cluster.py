"""A zero run on a real Ray cluster: parts and nodes are killed, and no acknowledged game is lost or doubled.

Ray is no development dependency (75 MB): these tests run where `pip install 'philidor[cluster]'` was done.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")
pytest.importorskip("ray", reason="ray is not installed: pip install 'philidor[cluster]'")

from philidor.core.errors import ConfigError
from philidor.core.ray import check_address

ROOT = Path(__file__).parents[2]


def _killed(folder: Path, kills: int, nodes: int) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "tests.pipelines.killed_cluster", str(folder), "1", str(kills), str(nodes)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes as Unix does")
def test_killed_parts_of_a_cluster_lose_and_double_no_game(tmp_path: Path) -> None:
    said = _killed(tmp_path / "run", kills=2, nodes=2)
    assert "room for 1 actors" in said


@pytest.fixture
def deaf() -> Iterator[int]:
    """The port of a server that takes connections and never says anything but goodbye."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with server.accept()[0] as connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield server.getsockname()[1]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "does not answer: Connection refused"),
        ("127.0.0.1", "a cluster is 'local', 'auto' or HOST:PORT"),
        ("ray://127.0.0.1:10001", "a cluster is 'local', 'auto' or HOST:PORT"),
        ("127.0.0.1:0", "a cluster is 'local', 'auto' or HOST:PORT"),
        ("no-such-host.invalid:6379", "does not answer"),
    ],
)
def test_an_address_without_a_cluster_is_said_at_once(address: str, message: str) -> None:
    began = time.monotonic()
    with pytest.raises(ConfigError, match=message):
        check_address(address)
    assert time.monotonic() - began < 10


def test_what_answers_and_is_no_cluster_is_said_at_once(deaf: int) -> None:
    with pytest.raises(ConfigError, match="no head of a Ray cluster"):
        check_address(f"127.0.0.1:{deaf}")
