"""Games of engines on a real Ray cluster come out as on one machine, though a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="ray is not installed: pip install 'philidor[cluster]'")

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, os, sys
os.environ["RAY_worker_niceness"] = "0"
from pathlib import Path
from philidor.core.ray import connected
from philidor.core.ray.processes import ClusterProcesses
from philidor.core.runs import Run
from philidor.records import RecordReader
from philidor.selfplay.engine_games import EngineGamesConfig
from philidor.selfplay.run import make_games
from philidor.selfplay.scoring import ScoringConfig, score_games
from tests.core.test_cluster_processes import Once, add, fail

def games(run):
    return [record for path in sorted(run.shards.glob("*.rec")) for record in RecordReader(path)]

root = Path(sys.argv[1])
config = EngineGamesConfig(engine="classic", nodes=100, shard_games=20, max_plies=40)
here, there = (Run.create(name, config, root) for name in ("here", "there"))
make_games(here, config, 50, workers=1)
scoring = ScoringConfig(engine="classic", nodes=50, every=4, files=tuple(sorted(here.shards.glob("*.rec"))))
scored_here, scored_there = (Run.create(name, scoring, root) for name in ("scored-here", "scored-there"))
score_games(scored_here, scoring, workers=1)
with connected("local"):
    pool = ClusterProcesses(Once, str(root / "killed"), 1)
    assert [future.result(120) for future in [pool.submit(add, n) for n in range(5)]] == [1, 2, 3, 4, 5]
    try:
        pool.submit(fail, 0).result(60)
    except ValueError as error:
        assert str(error) == "no"
    else:
        raise SystemExit("an error was lost")
    pool.close()
    end = make_games(there, config, 50, workers=2, begin_pool=ClusterProcesses)
    scored = score_games(scored_there, scoring, workers=2, begin_pool=ClusterProcesses)
assert end.games == 50, end
assert games(here) == games(there)
assert scored.games == 50, scored
assert games(scored_here) == games(scored_there)
assert (root / "killed").exists()
print("same games")
"""


class Once:
    """A worker whose process dies over its third item, the first time."""

    def __init__(self, mark: str, is_stopped: object) -> None:
        self.mark = Path(mark)

    def close(self) -> None:
        pass

    def kill(self) -> None:
        pass


def add(worker: Once, number: int) -> int:
    if number == 2 and not worker.mark.exists():
        worker.mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number + 1


def fail(worker: Once, number: int) -> None:
    raise ValueError("no")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes as Unix does")
def test_games_on_a_cluster_are_the_same_and_a_lost_worker_costs_none(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "same games" in done.stdout
