"""Measures the analysis board: updates a second, long tasks in the page, and the server with many tabs analysing.

    python benchmarks/web_analysis.py [--json] [--tabs 20] [--seconds 10]

Needs Chromium and built pages (make web). First one tab analyses in a real browser, and what the page does for longer
than 50 ms at a time is counted. Then so many tabs analyse at once, and the server is asked for the list of games. At
last the look inside grows trees for pages that are closed after a second: how long the server still computes.
"""

import argparse
import http.client
import json
import os
import shutil
import statistics
import time
import urllib.request
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from measure import as_json, headline, machine
from websockets.sync.client import connect

from philidor.frontends.web.pages import STATIC
from web import running_server

WATCH = """() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((e) => e.duration)))
        .observe({ type: 'longtask' });
}"""


@dataclass
class Figures:
    """What was measured."""

    updates_a_second: float
    long_tasks: int
    longest_task_ms: float
    tabs: int
    answer_median_ms: float
    answer_worst_ms: float
    left_tree_worst_ms: float


def new_study(url: str) -> str:
    """Makes a study of the usual start; returns its id."""
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/api/studies", b"{}", headers)) as answer:
        made: str = json.load(answer)["study"]
        return made


def page_figures(url: str, seconds: float) -> tuple[float, list[float]]:
    """Lets a page analyse; returns its updates a second and its long tasks in milliseconds."""
    from playwright.sync_api import sync_playwright

    heard: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})

        def hear(text: str | bytes) -> None:
            if json.loads(text)["type"] == "engine":
                heard.append(time.monotonic())

        page.on("websocket", lambda socket: socket.on("framereceived", hear))
        page.goto(f"{url}/analysis/{new_study(url)}")
        page.get_by_role("switch", name="Engine", exact=True).check()
        page.locator(".engine-lines li").first.wait_for()
        page.evaluate(WATCH)
        begin = time.monotonic()
        page.wait_for_timeout(1000 * seconds)
        tasks: list[float] = page.evaluate("() => window.longTasks")
        browser.close()
    return sum(at > begin for at in heard) / seconds, tasks


def answers_ms(url: str, tabs: int, seconds: float) -> list[float]:
    """Lets tabs analyse, each a study of its own; returns how long the server took to answer meanwhile."""
    times = []
    with ExitStack() as stack:
        for _ in range(tabs):
            address = f"{url.replace('http', 'ws', 1)}/api/studies/{new_study(url)}/live"
            # Nobody reads what these tabs are sent, so no answer to a ping or a goodbye would be seen.
            options = {"max_size": 1 << 24, "ping_interval": None, "close_timeout": 0.1}
            socket = stack.enter_context(connect(address, **options))  # type: ignore[arg-type]
            socket.send(json.dumps({"type": "look", "node": 0}))
            socket.send(json.dumps({"type": "analyse", "seat": 0, "engine": "nnue", "lines": 3}))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.perf_counter()
            with urllib.request.urlopen(f"{url}/api/games") as answer:
                answer.read()
            times.append(1000 * (time.perf_counter() - begin))
            time.sleep(0.1)
    return times


def computed_s() -> float:
    """Returns the CPU time of the server, which is this process's only child."""
    child = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()[0]
    words = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def left_ms(url: str, algorithm: str) -> float:
    """Asks for a large tree and leaves after a second; returns how long the server went on computing."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    wanted = {"game": "chess", "algorithm": algorithm, "simulations": 20_000, "depth": 8}
    wanted |= {"net": "human-1"} if algorithm == "puct" else {}
    idle = computed_s()
    connection.request("POST", "/api/inside/trees", json.dumps(wanted), {"Content-Type": "application/json"})
    time.sleep(1)
    before = computed_s()
    assert before > idle + 0.05, "the server does not compute"
    connection.close()
    begin = last = time.monotonic()
    while time.monotonic() < last + 0.5:
        time.sleep(0.01)
        now = computed_s()
        if now > before:
            before, last = now, time.monotonic()
    return 1000 * (last - begin)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tabs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    where = machine()
    with running_server(STATIC) as url:
        updates, tasks = page_figures(url, options.seconds)
        times = answers_ms(url, options.tabs, options.seconds)
        time.sleep(2)  # the closed tabs' engines end
        left = [left_ms(url, algorithm) for algorithm in ("uct", "puct", "alphabeta") for _ in range(5)]
    figures = Figures(
        updates_a_second=round(updates, 1),
        long_tasks=len(tasks),
        longest_task_ms=max(tasks, default=0.0),
        tabs=options.tabs,
        answer_median_ms=round(statistics.median(times), 1),
        answer_worst_ms=round(max(times), 1),
        left_tree_worst_ms=round(max(left), 1),
    )
    if options.json:
        print(as_json("web_analysis", where, [asdict(figures)]))
        return
    print(headline(where))
    for name, value in asdict(figures).items():
        print(f"{name.replace('_', ' '):20} {value}")


if __name__ == "__main__":
    main()
