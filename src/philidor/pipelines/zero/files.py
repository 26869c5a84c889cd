"""What the parts of a zero run tell each other, all of it in files: networks out, games in, verdicts, progress.

Whoever sees a file sees the whole of it: files are written aside, synced and renamed. So any part can be killed at any
moment, live in another process, or be fed on another machine by somebody who copies files.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from philidor.core.errors import RunError
from philidor.core.runs import Run, write_atomic
from philidor.pipelines.zero.ledger import Ledger, Lot, lot_of

Verdict = Literal["rating", "gate"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the learner is, and what it wants."""

    generation: int = 0
    """Networks trained."""
    wanted: int = 0
    """Whole games that are of use now; whoever plays waits when there are so many."""
    end: int = 0
    """No game that has this number or a higher one is begun yet."""
    is_over: bool = False
    """Whether the last network has been made."""


class ZeroFiles:
    """The files of a run, for every part of it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.ledger = Ledger(run.shards / "ledger.jsonl")

    # --- Networks: the learner writes them, everybody reads them --------------------------------------------

    def network(self, generation: int) -> Path:
        """Where a generation's network is."""
        return self.run.checkpoints / f"network-{generation:04d}.safetensors"

    def networks(self) -> list[int]:
        """Returns the generations whose networks are there."""
        names = self.run.checkpoints.glob("network-*.safetensors")
        return sorted(int(path.stem.removeprefix("network-")) for path in names)

    @property
    def newest(self) -> int:
        """The generation that plays: the last that was trained or, where there is a gate, the last that passed it."""
        return int(_read(self._newest_path).get("generation", 0))

    @newest.setter
    def newest(self, generation: int) -> None:
        write_atomic(
            self._newest_path, json.dumps({"generation": generation, "network": self.network(generation).name})
        )

    @property
    def _newest_path(self) -> Path:
        return self.run.checkpoints / "newest.json"

    # --- Progress: the learner's ----------------------------------------------------------------------------

    @property
    def progress(self) -> Progress:
        """What the learner said last."""
        found = _read(self._progress_path)
        return Progress(**{name: found[name] for name in asdict(Progress()) if name in found})

    @progress.setter
    def progress(self, progress: Progress) -> None:
        write_atomic(self._progress_path, json.dumps(asdict(progress)))

    @property
    def _progress_path(self) -> Path:
        return self.run.checkpoints / "progress.json"

    # --- Verdicts: the rater's ------------------------------------------------------------------------------

    def verdict(self, kind: Verdict, generation: int) -> dict[str, Any] | None:
        """Returns what the rater found, or None."""
        path = self._verdict_path(kind, generation)
        return _read(path) if path.exists() else None

    def write_verdict(self, kind: Verdict, generation: int, facts: dict[str, Any]) -> None:
        """Says what the rater found."""
        path = self._verdict_path(kind, generation)
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, json.dumps(facts))

    def verdicts(self) -> list[tuple[Verdict, int]]:
        """Returns which verdicts there are."""
        stems = [path.stem.partition("-") for path in sorted(self.run.path.glob("verdicts/*.json"))]
        return [("gate" if kind == "gate" else "rating", int(generation)) for kind, _, generation in stems]

    def follow_gates(self) -> None:
        """Lets the last network that has passed its gate play."""
        found = {generation: self.verdict(kind, generation) for kind, generation in self.verdicts() if kind == "gate"}
        passed = max((generation for generation, facts in found.items() if facts and facts["passed"]), default=0)
        if self.newest != passed:
            self.newest = passed

    def _verdict_path(self, kind: Verdict, generation: int) -> Path:
        return self.run.path / "verdicts" / f"{kind}-{generation:04d}.json"

    # --- Games: actors write them, the learner reads them ---------------------------------------------------

    def shard(self, lot: Lot) -> Path:
        """Where the games of a lot are when all of them are played."""
        return self.run.shards / f"{lot.name}.rec"

    def shards(self) -> list[Lot]:
        """Returns the lots that are there, by number."""
        return sorted(lot for path in self.run.shards.glob("[0-9]*.rec") if (lot := lot_of(path.stem)) is not None)

    def whole_games(self) -> int:
        """Counts the games in whole shards, those included that were packed away."""
        return sum({lot.first: len(lot) for lot in [*self.shards(), *self.ledger.done()]}.values())

    def refuse(self, lot: Lot) -> None:
        """Puts a shard aside that cannot be used, and hands its numbers out again."""
        aside = self.run.shards / "refused"
        aside.mkdir(exist_ok=True)
        self.shard(lot).replace(aside / self.shard(lot).name)
        self.ledger.give_back(lot)

    def actor(self, worker: str) -> Path:
        """A worker's own folder, for what it has not handed over yet; it may be on its own machine."""
        return self.run.path / "actors" / worker

    def actors(self) -> list[str]:
        """Returns the workers that have a folder here."""
        return sorted(path.parent.name for path in self.run.path.glob("actors/*/status.json"))

    def beat(self, worker: str) -> str:
        """Returns a worker's last sign of life, whatever it is."""
        return str(_read(self.actor(worker) / "status.json").get("beat", ""))

    def check_layout(self) -> None:
        """Refuses a run of a time when games lay elsewhere. Raises RunError."""
        if (self.run.shards / "000000.rec").exists():
            raise RunError(f"{str(self.run.path)!r} was begun by an older version; begin a new run")


def _read(path: Path) -> dict[str, Any]:
    """Reads a JSON object; nothing where there is no file. Raises RunError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise RunError(f"cannot read {str(path)!r}: {error}") from None
    if not isinstance(found, dict):
        raise RunError(f"{str(path)!r} is no JSON object")
    return found
