"""The folder of runs. Requests name runs and networks, and names are looked up in what the folder lists: none ever
becomes a path, and what leads out of the folder is left alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from philidor.core.errors import NetError, PhilidorError, RunError
from philidor.core.runs import Run, list_runs, read_lines_from
from philidor.frontends.web.networks import is_network_file, named_network
from philidor.frontends.web.opponents import Opponent
from philidor.frontends.web.runs.curves import charts_of
from philidor.frontends.web.runs.schema import Checkpoint, RunSummary, RunView
from philidor.pipelines.overview import overview

PREFIX = "run:"
"""Begins the names of opponents that are a run's networks: "run:chess-zero/network-0004"."""
_MOST_BYTES = 50_000_000
_MOST_RUNS, _MOST_CHECKPOINTS, _MOST_SHARDS = 200, 200, 5_000
# What a file that somebody else wrote may make of code that trusts it.
_BROKEN = (PhilidorError, OSError, ValueError, TypeError, KeyError, AttributeError)


class NoSuchRunError(PhilidorError):
    """There is no run, or no network of it, with this name."""


class RunsFolder:
    """All runs of one folder, looked at anew for every question."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._events: dict[str, tuple[int, list[dict[str, Any]]]] = {}
        self._opponents: dict[tuple[Path, int], Opponent] = {}

    def summaries(self) -> list[RunSummary]:
        """Describes all runs, the newest first."""
        runs = [run for run in list_runs(self._root) if self._is_inside(run.path)][:_MOST_RUNS]
        return sorted((self._summary(run) for run in runs), key=lambda each: each.age_s)

    def view(self, name: str) -> RunView:
        """Describes a run. Raises NoSuchRunError."""
        run = self._run(name)
        summary = self._summary(run)
        try:
            charts = charts_of(self._metrics(run)) if summary.problem is None else []
        except _BROKEN as error:
            summary, charts = summary.model_copy(update={"problem": self._told(error)}), []
        checkpoints = [
            Checkpoint(name=name, bytes=path.stat().st_size) for name, path in self._checkpoints(run).items()
        ]
        return RunView(summary=summary, charts=charts, checkpoints=checkpoints, shards=len(self.shards(name)))

    def shards(self, name: str) -> list[Path]:
        """Returns the files of games of a run, the newest first. Raises NoSuchRunError."""
        run = self._run(name)
        # Rounds of NNUE networks have a folder of games each.
        paths = [*run.shards.glob("*.rec"), *run.path.glob("games-*/shards/*.rec")]
        found = [path for path in paths if self._is_inside(path) and path.is_file()]
        return sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)[:_MOST_SHARDS]

    def opponent(self, name: str) -> Opponent:
        """Returns a run's network as an opponent, by its whole name. Raises NoSuchRunError, NetError."""
        run, _, checkpoint = name.removeprefix(PREFIX).partition("/")
        found = self._checkpoints(self._run(run))
        if checkpoint not in found:
            raise NoSuchRunError(f"the run {run[:80]!r} has no network {checkpoint[:80]!r}")
        path = found[checkpoint]
        key = (path, path.stat().st_mtime_ns)
        if key not in self._opponents:
            try:
                self._opponents[key] = named_network(name, path)
            except NetError as error:
                raise NetError(self._told(error)) from None
        return self._opponents[key]

    def _run(self, name: str) -> Run:
        for run in list_runs(self._root):
            if run.name == name and self._is_inside(run.path):
                return run
        raise NoSuchRunError(f"there is no run {name[:80]!r}")

    def _checkpoints(self, run: Run) -> dict[str, Path]:
        """Returns the networks of a run by name, the newest first."""
        if not run.checkpoints.is_dir():
            return {}
        files = [path for path in run.checkpoints.iterdir() if is_network_file(path) and self._is_inside(path)]
        files.sort(key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
        found: dict[str, Path] = {}
        for path in files[:_MOST_CHECKPOINTS]:
            found.setdefault(path.name.partition(".")[0], path)
        return found

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._root)

    def _metrics(self, run: Run) -> list[dict[str, Any]]:
        """Returns all lines; those that were read before are not read again. Raises RunError."""
        path = run.metrics_path
        if not path.exists():
            return []
        size = path.stat().st_size
        if size > _MOST_BYTES:
            raise RunError(f"{path.name} has {size / 1e6:.0f} MB; at most {_MOST_BYTES / 1e6:.0f} MB are shown")
        start, known = self._events.get(run.name, (0, []))
        if start > size:  # another run of the same name
            start, known = 0, []
        try:
            fresh, end = read_lines_from(path, start)
        except RunError:  # in the middle of a line: the file is another one now
            known, (fresh, end) = [], read_lines_from(path, 0)
        self._events[run.name] = end, [*known, *fresh]
        return self._events[run.name][1]

    def _summary(self, run: Run) -> RunSummary:
        problem = None
        try:
            self._metrics(run)
            found = overview(run)
            facts = {
                "game": found.game[:200],
                "state": found.state,
                "generation": found.generation,
                "wanted_generations": found.wanted_generations,
                "games": found.games,
                "loss": _finite(found.losses),
                "verdict": found.verdict[:400],
                "age_s": found.age_s,
            }
        except _BROKEN as error:
            problem = self._told(error)
            counts = dict.fromkeys(("generation", "wanted_generations", "games"), 0)
            facts = {"game": "", "state": "unreadable", **counts, "loss": None, "verdict": "", "age_s": 0.0}
        if facts["state"] == "unreadable" and problem is None:
            problem = "its config.toml or metrics.jsonl cannot be read"
        return RunSummary.model_validate({"name": run.name, **facts, "problem": problem})

    def _told(self, error: Exception) -> str:
        """Says what is wrong, and not where the folder lies."""
        text = " ".join(str(error).split()) or type(error).__name__
        return text.replace(f"{self._root}/", "")[:400]


def _finite(losses: Mapping[str, Any]) -> float | None:
    loss = losses.get("loss")
    is_number = isinstance(loss, int | float) and math.isfinite(loss)
    return float(loss) if is_number and loss is not None else None
