"""Measures the web board's server: how soon the engine starts after a move, with one tab and with twenty at once.

    python benchmarks/web.py [--json] [--tabs 1 20] [--moves 15]

A real server plays chess with every tab at the same time, at the default strength. The time is taken in the tab: from
sending a move until the server says that it is on the disk and that the engine thinks (or waits for a core), and until
the engine's answer is there. What the tabs do themselves is in the figures too.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from measure import as_json, headline, machine
from websockets.sync.client import ClientConnection, connect


@dataclass
class Row:
    """The times of all moves of some tabs, in milliseconds."""

    tabs: int
    moves: int
    started_median: float
    started_p95: float
    started_worst: float
    answered_median: float


@contextmanager
def running_server(pages: Path | None = None) -> Iterator[str]:
    """Starts a server with a folder of its own; yields its address. Without pages it has one that says nothing."""
    with tempfile.TemporaryDirectory() as folder:
        if pages is None:
            pages = Path(folder, "pages")
            pages.mkdir()
            (pages / "index.html").write_text("<!doctype html><title>philidor</title>", encoding="utf-8")
        command = [sys.executable, "-m", "philidor", "play", "--no-browser", "--port", "0", "--data", folder]
        environment = {**os.environ, "PHILIDOR_PAGES": str(pages)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1].rstrip("/")
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def new_game(url: str) -> str:
    """Starts a game of chess; returns its id."""
    body = json.dumps({"game": "chess"}).encode()
    request = urllib.request.Request(f"{url}/api/games", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        game_id: str = json.load(answer)["id"]
        return game_id


def play(url: str, moves: int, start: threading.Barrier, started: list[float], answered: list[float]) -> None:
    """Plays one tab's game and notes the times of its moves."""
    with connect(f"{url.replace('http', 'ws', 1)}/api/games/{new_game(url)}/live") as socket:
        game = next_game(socket)
        start.wait()
        for number in range(moves):
            if game["status"] == "over":
                return
            text = game["legal"][7 * number % len(game["legal"])]["text"]
            revision, begin = game["revision"], time.perf_counter()
            socket.send(json.dumps({"type": "move", "revision": revision, "move": text}))
            while game["revision"] == revision:
                game = next_game(socket)
            started.append(1000 * (time.perf_counter() - begin))
            while game["status"] == "engine_turn":
                game = next_game(socket)
            answered.append(1000 * (time.perf_counter() - begin))


def next_game(socket: ClientConnection) -> dict[str, Any]:
    """Reads on until the game is shown."""
    while True:
        message = json.loads(socket.recv(timeout=60))
        if message["type"] == "game":
            game: dict[str, Any] = message["game"]
            return game


def measure(url: str, tabs: int, moves: int) -> Row:
    """Lets so many tabs play at the same time."""
    started: list[float] = []
    answered: list[float] = []
    start = threading.Barrier(tabs)
    threads = [threading.Thread(target=play, args=(url, moves, start, started, answered)) for _ in range(tabs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    p95 = statistics.quantiles(started, n=20, method="inclusive")[-1]
    return Row(tabs, len(started), statistics.median(started), p95, max(started), statistics.median(answered))


def main() -> None:
    """Prints a table, or JSON."""
    parser = argparse.ArgumentParser(description="Measures how soon the web board's engine starts after a move.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--tabs", type=int, nargs="+", default=[1, 20], help="tabs that play at once")
    parser.add_argument("--moves", type=int, default=15, help="moves that each tab makes")
    arguments = parser.parse_args()
    where = machine()
    with running_server() as url:
        measure(url, 1, 3)  # everything is loaded then
        rows = [measure(url, tabs, arguments.moves) for tabs in arguments.tabs]
    if arguments.json:
        print(as_json("web", where, [asdict(row) for row in rows]))
        return
    print(headline(where))
    print(
        f"{'tabs':>5} {'moves':>6} {'engine started, ms: median':>27} {'95 %':>7} {'worst':>7} {'answered, median':>17}"
    )
    for row in rows:
        figures = f"{row.started_median:>27.1f} {row.started_p95:>7.1f} {row.started_worst:>7.1f}"
        print(f"{row.tabs:>5} {row.moves:>6} {figures} {row.answered_median:>9.1f}")


if __name__ == "__main__":
    main()
