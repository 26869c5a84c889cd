"""Makes an NNUE network from scored games on a machine with a GPU (docs/nnue-training.md, "A teacher").

A tower learns their scores, it and short searches judge far more positions, and small networks learn those judgments:

    python examples/teacher_burst.py games.rec --minutes 20 --out runs/burst

The cores play quick games while the tower learns, and judge while it judges. The mean of two towers judges better than
each: the other is the one that the first began as, or, with `--others`, one that learns other engines' scores at the
same time. Each part has its share of the time and is a command of philidor's; what they print is in the folder's logs.
The networks are in `students/*/checkpoints`; a burst that was stopped continues by the same command.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from philidor.records import RecordReader

# Shares of the time: the tower's two lessons, judging, and the students.
FIRST, SECOND, JUDGING, STUDYING = 0.08, 0.15, 0.42, 0.33
LESSONS = (
    "--training-score-half 1 --training-score-share 0.9 --training-value-weight 3 "
    "--data-drop-history 1 --data-learn-from scores --training-epochs 0"
)
# Centipawns that expectations are told apart by. Ours are worth more than other engines' (docs/human-measuring.md).
OUR_SPREAD, OTHER_SPREAD = 150, 235
# Short searches with empty tables judge better so (docs/search.md).
SCORES_OF_STRAYS = "--strays 4 --engine nnue --nodes 600 --settings parameters=late_moves_history=-1000"
QUICK_SHARD = 2000
QUICK_GAMES = f"--engine nnue --nodes 30 --win-cp 1500 --random-plies 9 --shard-games {QUICK_SHARD} --games 10000000"
# From the first moves on: without them a network finds the start position strange.
JUDGMENTS = "--stray-plies 3 --shard-games 4000 --positions-skip-plies 2"
SCORED_STRAYS, QUICK_STRAYS = 24, 4
# So short a search judges better than the towers, and sixteen cores about as many positions as they do on an H200.
SEARCHES = "--engine nnue --nodes 50 --settings parameters=late_moves_history=-1000"
# Quick games for each scored one, at most: about as many of their positions as of the others.
QUICK_TO_SCORED = 8
# Towers should not wait for their positions because all cores search.
LOWER_PRIORITY = 10
STUDIES = "--epochs 1000 --batch 16384 --learning-rate 0.004 --final-learning-rate 0.000004"


class Burst:
    """The parts, in one folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.games = [str(file) for file in options.games]
        self.out: Path = options.out
        self.minutes: float = options.minutes
        self.start: str = options.start
        self.others = [str(file) for file in options.others]
        self.workers = ("--workers", str(options.workers))
        self.lessons = f"{LESSONS} {options.lessons}"
        self.judging: str = options.judging
        self.studies = f"--start {options.student_start}" if options.student_start else ""
        self.began = time.monotonic()

    def use_cores(self) -> None:
        """Scores positions off the games' path while the tower has its first lesson, and plays during its second."""
        if not (self.out / "strays.done").exists():
            self._score_strays()
        # Positions that are scored already leave more time for games.
        minutes = max(self._left() - (1 - FIRST - SECOND) * self.minutes, SECOND * self.minutes)
        where = ("-o", str(self.out / "quick"), "--minutes", f"{minutes:.3f}")
        self._run("quick", "data selfplay", QUICK_GAMES, *where, *self.workers)

    def _score_strays(self) -> None:
        """Goes through the games again and again, each time leaving them at other plies, while there is time."""
        left = FIRST * self.minutes
        for number in itertools.count(1):
            where = ("-o", str(self.out / f"strays/{number}"), "--seed", str(number), "--minutes", f"{left:.3f}")
            self._run(f"strays-{number}", "data score", SCORES_OF_STRAYS, *self.games, *where, *self.workers)
            left = self._left() - (1 - FIRST) * self.minutes
            if left <= 0:
                break
        (self.out / "strays.done").touch()

    def teach(self, cores: Future[None]) -> Path:
        """Has the tower learn the scores of games, then those of strays too; returns its file."""
        games = _named(self.games)
        self._lesson("first", games, self.start, FIRST, _rates(0.0008, 0.0004))
        while not (self.out / "strays.done").exists():
            if cores.done():
                cores.result()  # raises what went wrong there
            time.sleep(0.2)
        if files := _files(self.out / "strays", "rec", folder="*/shards"):
            strays = str(self.out / "strays.rec")
            self._run("cat", "data cat", "", *files, "-o", strays)
            games += ["--games", f"{strays}=0.25"]
        start = str(self.out / "first/checkpoints/network.safetensors")
        self._lesson("teacher", games, start, SECOND, _rates(0.0006, 0.00001))
        return self.out / "teacher/checkpoints/network.safetensors"

    def teach_another(self) -> Path:
        """Has a second tower learn the scores of other engines; returns its file, or the first tower's beginning."""
        if not self.others:
            return Path(self.start)
        games, rates = _named(self.others), _rates(0.0008, 0.00001)
        self._lesson("other", games, self.start, FIRST + SECOND, rates, OTHER_SPREAD)
        return self.out / "other/checkpoints/network.safetensors"

    def judge(self, *teachers: Path) -> None:
        """Has towers and cores judge at the same time; the cores, whose searches judge better, the scored games first.

        Quick games are cheap, but a small network that sees little else knows positions of good games less well. The
        towers judge half of them; the cores come to the other half if there is time.
        """
        count = sum(_count_games(file) for file in self.games)
        quick = _files(self.out / "quick", "rec")[: max(QUICK_TO_SCORED * count // QUICK_SHARD, 1)]
        half = (len(quick) + 1) // 2
        end = time.monotonic() + 60 * JUDGING * self.minutes

        def judge(name: str, files: list[str], strays: int, judges: str, niceness: int = 0) -> None:
            minutes = max(end - time.monotonic(), 0.0) / 60
            where = ("-o", str(self.out / name), "--minutes", f"{minutes:.3f}", "--strays", str(strays))
            if files:
                self._run(name, "data positions", f"{JUDGMENTS} {judges}", *files, *where, niceness=niceness)

        def search() -> None:
            judge("judged", self.games, SCORED_STRAYS, SEARCHES, LOWER_PRIORITY)
            judge("judged-rest", quick[half:], QUICK_STRAYS, SEARCHES, LOWER_PRIORITY)

        with ThreadPoolExecutor(1) as pool:
            searching = pool.submit(search)
            towers = f"{self.judging} --teacher {','.join(map(str, teachers))}"
            judge("judged-quick", quick[:half], QUICK_STRAYS, towers)
            searching.result()

    def study(self, shapes: list[str]) -> None:
        """Trains the small networks, all at once, in the time that is left."""
        names = ("judged", "judged-quick", "judged-rest")
        positions = [file for name in names for file in _files(self.out / name, "pos")]
        if not positions:
            raise SystemExit("no positions were judged in that time; give it more --minutes")
        minutes = f"{max(self._left(), STUDYING * self.minutes):.3f}"

        def train(shape: str) -> None:
            where = ("-o", str(self.out / "students" / shape), "--shape", shape, "--minutes", minutes)
            self._run(f"student-{shape}", "train nnue", f"{STUDIES} {self.studies}", *positions, *where)

        with ThreadPoolExecutor() as pool:
            list(pool.map(train, shapes))

    def _lesson(
        self, name: str, games: list[str], start: str, share: float, how: str, spread: int = OUR_SPREAD
    ) -> None:
        how += f" --training-score-spread {spread} {self.lessons}"
        where = ("--out", str(self.out / name), "--training-start", start, "--training-minutes", self._share(share))
        self._run(name, "train chess-supervised", how, *games, *where)

    def _run(self, name: str, command: str, how: str, *words: str, niceness: int = 0) -> None:
        """Runs one command of philidor's, unless an earlier burst has done it; raises SystemExit if it fails."""
        done, log = self.out / f"{name}.done", self.out / f"{name}.log"
        if done.exists():
            return
        self.out.mkdir(parents=True, exist_ok=True)
        self._say(f"{name} ...")
        with log.open("ab") as file:
            program = [sys.executable, "-m", "philidor", *command.split(), *words, *how.split()]
            if niceness:
                program = ["nice", "-n", str(niceness), *program]
            code = subprocess.run(program, stdout=file, stderr=file).returncode
        last = log.read_text(errors="replace").strip().splitlines()[-1:]
        self._say(f"{name}: {''.join(last)}")
        if code != 0:
            raise SystemExit(f"{name} failed with {code}; {log} says why")
        done.touch()

    def _left(self) -> float:
        return self.minutes - (time.monotonic() - self.began) / 60

    def _share(self, share: float) -> str:
        return f"{share * self.minutes:.3f}"

    def _say(self, words: str) -> None:
        print(f"{time.monotonic() - self.began:6.0f} s  {words}", flush=True)


def _named(games: list[str]) -> list[str]:
    return [word for file in games for word in ("--games", file)]


def _count_games(file: str) -> int:
    with RecordReader(Path(file)) as reader:
        return sum(1 for _ in reader)


def _rates(first: float, last: float) -> str:
    return f"--training-learning-rate {first} --training-final-learning-rate {last}"


def _files(run: Path, suffix: str, folder: str = "shards") -> list[str]:
    return sorted(str(file) for file in run.glob(f"{folder}/*.{suffix}"))


def main(words: list[str] | None = None) -> None:
    """Does all parts, one after the other, cores and GPU at the same time."""
    parser = argparse.ArgumentParser(description="Makes an NNUE network from scored games on a machine with a GPU.")
    parser.add_argument("games", type=Path, nargs="+", help="Games with scores (.rec), such as of data selfplay.")
    parser.add_argument("--minutes", type=float, required=True, help="Time for all of it.")
    parser.add_argument("--out", type=Path, required=True, help="The folder; a burst that is in it continues.")
    parser.add_argument("--start", default="nets/games-1.safetensors", help="The tower to begin with.")
    others = "Games (.rec) with other engines' scores, for a second tower."
    parser.add_argument("--others", type=Path, nargs="+", default=[], help=others)
    parser.add_argument("--shapes", default="paired-384,paired-512", help="Shapes of the small networks.")
    parser.add_argument("--workers", type=int, default=max((os.cpu_count() or 2) - 1, 1), help="Cores for games.")
    parser.add_argument("--lessons", default="", help="Further options of the tower's training.")
    parser.add_argument("--judging", default="--compile", help="Further options of data positions, for the towers.")
    first = "The network whose numbers the small ones begin with; '' for random weights."
    parser.add_argument("--student-start", default="nets/philidor-5.phnn", help=first)
    options = parser.parse_args(words)
    burst = Burst(options)
    with ThreadPoolExecutor(2) as pool:
        cores, other = pool.submit(burst.use_cores), pool.submit(burst.teach_another)
        teacher = burst.teach(cores)
        cores.result()
    burst.judge(teacher, other.result())
    burst.study(options.shapes.split(","))


if __name__ == "__main__":
    main()
