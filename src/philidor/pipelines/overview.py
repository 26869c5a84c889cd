"""What a run folder says at a glance: how far the run is, how well it goes, and whether somebody is at work."""

from __future__ import annotations

import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from philidor.core.errors import PhilidorError, UnknownNameError
from philidor.core.runs import Run, is_held, list_runs

_ROUND_CURVES = {"loss": "held_out_loss", "positions": "positions", "games a second": "games_per_second"}
"""What rounds of NNUE networks write into their lines, by the curve's name."""


@dataclass(frozen=True, slots=True)
class RunOverview:
    """A run, for a line of a table or a page of its own."""

    name: str
    path: Path
    kind: str
    """zero, rounds (of NNUE networks), or other."""
    game: str
    state: str
    """running, done, stopped, new or unreadable."""
    generation: int
    wanted_generations: int
    games: int
    losses: dict[str, float]
    """Of the last training."""
    verdict: str
    """What the rater found last, in words."""
    age_s: float
    """Seconds since something was written last."""
    curves: dict[str, list[float]] = field(default_factory=dict)

    @property
    def generations(self) -> str:
        """How far the run is, of how far it goes."""
        if not self.wanted_generations:
            return str(self.generation) if self.generation else ""
        return f"{self.generation}/{self.wanted_generations}"

    def facts(self) -> dict[str, Any]:
        """Everything as JSON has it."""
        names = [name for name in self.__slots__ if name != "path"]
        return {"path": str(self.path), **{name: getattr(self, name) for name in names}}


def find_run(name: str, folder: Path) -> Run:
    """Opens a run by its name in `folder`, or by its own folder. Raises UnknownNameError."""
    for path in (folder / name, Path(name)):
        if (path / "config.toml").is_file():
            return Run(path)
    raise UnknownNameError("run", name, [run.name for run in list_runs(folder)])


def overviews(folder: Path) -> list[RunOverview]:
    """Looks at all runs of a folder, the newest first."""
    return sorted((overview(run) for run in list_runs(folder)), key=lambda each: each.age_s)


def overview(run: Run) -> RunOverview:
    """Looks at a run; one whose files are damaged is shown as such."""
    try:
        events, config = run.metrics(), tomllib.loads(run.config_path.read_text(encoding="utf-8"))
    except (PhilidorError, ValueError, OSError):
        return RunOverview(run.name, run.path, "", "", "unreadable", 0, 0, 0, {}, "", _age(run))
    if any(_is_of_round(event) for event in events):
        return _rounds(run, [event for event in events if _is_of_round(event)])
    trained = _of_kind(events, "train")
    losses = trained[-1].get("losses", {}) if trained else {}
    generation = max((int(event["generation"]) for event in trained), default=0)
    wanted = _whole(config.get("generations"))
    is_done = bool(wanted) and generation >= wanted
    state = "running" if is_held(run.path) else "done" if is_done else "stopped" if events else "new"
    return RunOverview(
        name=run.name,
        path=run.path,
        kind="zero" if "self_play" in config else "other",
        game=str(config.get("game", "")),
        state=state,
        generation=generation,
        wanted_generations=wanted,
        games=sum(_whole(event.get("games")) for event in _of_kind(events, "play"))
        or max((_whole(event.get("games")) for event in events), default=0),
        losses=losses if isinstance(losses, dict) else {},
        verdict=_verdict(events),
        age_s=_age(run),
        curves=_curves(events),
    )


def _rounds(run: Run, events: list[dict[str, Any]]) -> RunOverview:
    """Looks at rounds of NNUE networks; how many there will be is not known, the command says it anew each time."""
    nets, matches = ([event for event in events if event["stage"] == stage] for stage in ("net", "match"))
    curves: dict[str, list[float]] = {}
    for event in events:
        for name, key in _ROUND_CURVES.items():
            _add(curves, name, event.get(key))
    for event in matches:
        _add(curves, "score against the last", _share(event))
    loss = nets[-1].get("held_out_loss") if nets else None
    return RunOverview(
        name=run.name,
        path=run.path,
        kind="rounds",
        game="chess",
        state="running" if is_held(run.path) else "stopped",
        generation=len(matches),
        wanted_generations=0,
        games=sum(_whole(event.get("games")) for event in events if event["stage"] == "games"),
        losses={"loss": float(loss)} if isinstance(loss, int | float) else {},
        verdict=_round_verdict(matches[-1]) if matches else "",
        age_s=_age(run),
        curves={name: values for name, values in curves.items() if len(values) > 1},
    )


def _is_of_round(event: dict[str, Any]) -> bool:
    return "stage" in event and "round" in event


def _round_verdict(match: dict[str, Any]) -> str:
    share = _share(match)
    met = "no games" if share is None else f"{100 * share:.0f} %"
    return f"round {match['round']}: {met} vs {match.get('opponent', 'the last')}"


def _share(match: dict[str, Any]) -> float | None:
    won, drawn, lost = (_whole(match.get(name)) for name in ("wins", "draws", "losses"))
    games = won + drawn + lost
    return (won + drawn / 2) / games if games else None


def _of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event.get("event") == kind and "generation" in event]


def _verdict(events: list[dict[str, Any]]) -> str:
    """Returns the last verdict in words: a gate's, or the scores of a rating."""
    judged = [event for event in events if event.get("event") in ("gate", "rating") and "generation" in event]
    if not judged:
        return ""
    last = judged[-1]
    if last["event"] == "gate":
        return f"network {last['generation']} {'passed' if last.get('passed') else 'failed'} its gate"
    from philidor.pipelines.zero.report import rating_row

    cells = {name: value for name, value in rating_row(last).items() if name != "generation"}
    shown = [f"{value} {'' if name.startswith('mistakes') else 'vs '}{name}" for name, value in list(cells.items())[:2]]
    return f"network {last['generation']}: " + ", ".join(shown) if shown else ""


def _curves(events: list[dict[str, Any]]) -> dict[str, list[float]]:
    """Returns the numbers that are worth a curve, by name; only those that came at least twice."""
    found: dict[str, list[float]] = {}
    for event in _of_kind(events, "train"):
        for name, value in (event.get("losses") or {}).items():
            _add(found, name if name == "loss" else f"loss, {name}", value)
    for kind, names in (
        ("play", ("mean_plies", "first_wins", "draws", "evaluations_per_second")),
        ("train", ("samples_per_second", "device_idle")),
        ("gate", ("score",)),
    ):
        for event in _of_kind(events, kind):
            for name in names:
                _add(found, f"{kind}: {name.replace('_', ' ')}", event.get(name))
    for event in _of_kind(events, "rating"):
        for opponent, score in (event.get("against") or {}).items():
            _add(found, f"against {opponent}", score.get("score") if isinstance(score, dict) else score)
    return {name: values for name, values in found.items() if len(values) > 1}


def _add(found: dict[str, list[float]], name: str, value: Any) -> None:
    if isinstance(value, int | float):
        found.setdefault(name, []).append(float(value))


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _age(run: Run) -> float:
    """How long ago something was written, by this machine's clock and the disk's."""
    paths = [run.config_path, run.metrics_path, run.checkpoints, run.shards]
    return time.time() - max((path.stat().st_mtime for path in paths if path.exists()), default=0.0)
