"""Measures a pool of games, of chess or another: leaves per second and core, and evaluations per second with a network.

    python benchmarks/selfplay.py [--json] [--seconds 5] [--threads 1] [--game go-9x9]
    python benchmarks/selfplay.py --network 10x128-se --games 4096 --batch 2048 --simulations 800 --seconds 60

Without a network the judge knows nothing and costs nothing, and what is measured is the CPU's part: choosing, playing,
encoding and backing up. Seconds and rates are then by CPU time of this process, all threads together, so that a busy
machine spoils them less. With one (PyTorch, on a GPU if there is one; `--on-tower` for our compiled tower) the network
alone is measured on batches of the same size, before and after, and the pool's evaluations per second are set against
that raw rate; shares tell where the driving thread spent its time. An evaluation is one position computed by the
network: nothing is cached.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np
from measure import as_json, headline, machine

from philidor.core.cores import cores
from philidor.encodings import default_encoding, load_encoding
from philidor.encodings.encoding import Batch
from philidor.evaluators.loading import compiled_backend
from philidor.evaluators.network import Judgments, NetConfig, judge
from philidor.games import load_game
from philidor.records.native import RecordBatch
from philidor.selfplay.pool import Pool, PoolBatch, PoolConfig
from philidor.selfplay.zero_games import Judge, Pending, play

CHESS_ENCODINGS = ("alphazero", "leela-1-flat")
SIMULATIONS = (100, 800)
IDLE_GAMES = 256
RAW_REPEATS, RAW_BATCHES = 5, 20


class TimedPool:
    """A pool that knows how long it was asked for what; `play` needs no more of it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.seconds = {"collect": 0.0, "apply": 0.0}
        self.leaves = 0
        self.batches = 0

    def collect(self, limit: int) -> PoolBatch | None:
        """Collects."""
        begin = time.perf_counter()
        leaves = self._pool.collect(limit)
        self.seconds["collect"] += time.perf_counter() - begin
        if leaves is not None:
            self.leaves += len(leaves.batch)
            self.batches += 1
        return leaves

    def apply(self, batch_id: int, legal_logits: Any, wdl: Any, moves_left: Any) -> None:
        """Applies."""
        begin = time.perf_counter()
        self._pool.apply(batch_id, legal_logits, wdl, moves_left)
        self.seconds["apply"] += time.perf_counter() - begin

    def cancel(self, batch_id: int) -> None:
        """Gives up."""
        self._pool.cancel(batch_id)

    def finished(self) -> RecordBatch:
        """Hands out games."""
        return self._pool.finished()


def no_opinion(batch: Batch) -> Judgments:
    """Finds all moves alike and the chances even."""
    wdl = np.tile(np.array([0.3, 0.4, 0.3], dtype=np.float32), (len(batch), 1))
    return Judgments(np.zeros(len(batch.legal_index), dtype=np.float32), wdl, None)


def make_pool(arguments: argparse.Namespace, encoding: str, simulations: int, games: int) -> Pool:
    """Returns a pool with the settings of self-play."""
    game = load_game(arguments.game)
    config = PoolConfig(simulations=simulations, opening_plies=8, max_plies=300)
    return Pool(game, load_encoding(encoding, game), config, games=games, threads=arguments.threads)


def run_for(
    pool: TimedPool, judge: Judge, seconds: float, *, batch: int, in_flight: int, clock: Callable[[], float]
) -> tuple[float, int]:
    """Plays for so long; returns the seconds it took and the games that ended. Batches out at the end do not count."""
    games = 0
    running: Iterator[RecordBatch] = play(cast("Pool", pool), judge, batch=batch, in_flight=in_flight)
    begin = clock()
    for some in running:
        games += len(some)
        if clock() - begin > seconds:
            break
    return clock() - begin, games


def measure_idle(arguments: argparse.Namespace) -> list[dict[str, object]]:
    """Returns a row for each encoding and length of search, with a judge that costs nothing."""
    rows: list[dict[str, object]] = []
    game = load_game(arguments.game)
    for encoding in CHESS_ENCODINGS if arguments.game == "chess" else (default_encoding(game).name,):
        for simulations in SIMULATIONS:
            pool = make_pool(arguments, encoding, simulations, arguments.games or IDLE_GAMES)
            steps: dict[str, Any] = {"batch": IDLE_GAMES, "in_flight": 1, "clock": time.process_time}
            # The first searches begin at empty trees, and the memory is new: not what is meant.
            run_for(TimedPool(pool), no_opinion, arguments.seconds / 4, **steps)
            timed = TimedPool(pool)
            seconds, _ = run_for(timed, no_opinion, arguments.seconds, **steps)
            rows.append(
                {
                    "encoding": encoding,
                    "simulations": simulations,
                    "games": arguments.games or IDLE_GAMES,
                    "leaves_per_cpu_second": round(timed.leaves / seconds),
                }
            )
    return rows


def raw_rate(submit: Callable[[Batch], Pending], batch: Batch) -> float:
    """Returns the network's evaluations per second on one batch, again and again; two are out at a time."""
    submit(batch).result()
    rates = []
    for _ in range(RAW_REPEATS):
        begin = time.perf_counter()
        waiting = submit(batch)
        for _ in range(RAW_BATCHES - 1):
            following = submit(batch)
            waiting.result()
            waiting = following
        waiting.result()
        rates.append(RAW_BATCHES * len(batch) / (time.perf_counter() - begin))
    return statistics.median(rates)


def in_thread(work: Callable[..., float], *arguments: object) -> float:
    """Does it in a thread of its own, as `play` asks its judge: PyTorch on a CPU is not as fast in every thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work, *arguments).result()


class Judged:
    """A judgment that nobody has to wait for."""

    def __init__(self, judgments: Judgments) -> None:
        self._judgments = judgments

    def result(self) -> Judgments:
        """Returns it."""
        return self._judgments


def load_judge(arguments: argparse.Namespace, encoding: str) -> tuple[Callable[[Batch], Pending], dict[str, object]]:
    """Returns what judges a batch, and what is said of it."""
    from philidor.nets.network_config import preset
    from philidor.nets.torch.files import stored
    from philidor.nets.torch.model import build

    model = build(preset(arguments.network, arguments.game, encoding), seed=1)
    if not arguments.on_tower:
        from philidor.evaluators.torch import TorchBackend

        backend = TorchBackend(model, compile_from=1 if arguments.compile else None)
        return backend.submit, {"device": str(backend.device), "precision": backend.precision}
    tower = compiled_backend(stored(model), model.shape, NetConfig(threads=cores()))
    if tower is None:
        sys.exit(f"the compiled tower cannot compute {arguments.network} for {arguments.game}")
    return lambda batch: Judged(judge(tower, batch)), {"device": "cpu", "precision": "float32, compiled tower"}


def measure_network(arguments: argparse.Namespace) -> list[dict[str, object]]:
    """Returns one row: the pool with a network, and the network alone."""
    encoding = default_encoding(load_game(arguments.game)).name
    submit, described = load_judge(arguments, encoding)
    games = arguments.games or 2 * arguments.batch
    pool = make_pool(arguments, encoding, arguments.simulations, games)
    sample = pool.collect(arguments.batch)
    assert sample is not None
    before = in_thread(raw_rate, submit, sample.batch)
    pool.cancel(sample.id)
    steps: dict[str, Any] = {"batch": arguments.batch, "in_flight": arguments.in_flight, "clock": time.perf_counter}
    run_for(TimedPool(pool), submit, arguments.seconds / 4, **steps)
    timed, begin = TimedPool(pool), time.process_time()
    seconds, finished = run_for(timed, submit, arguments.seconds, **steps)
    cpu = time.process_time() - begin
    after = in_thread(raw_rate, submit, sample.batch)
    raw = (before + after) / 2
    return [
        {
            "network": arguments.network,
            **described,
            "games": games,
            "mean_batch": round(timed.leaves / timed.batches, 1),
            "evaluations_per_second": round(timed.leaves / seconds),
            "raw_per_second": round(raw),
            "raw_drift": round(after / before, 3),
            "share_of_raw": round(timed.leaves / seconds / raw, 3),
            "collect_share": round(timed.seconds["collect"] / seconds, 3),
            "apply_share": round(timed.seconds["apply"] / seconds, 3),
            "cores_busy": round(cpu / seconds, 2),
            "games_finished": finished,
        }
    ]


def main() -> None:
    """Prints the table or its JSON."""
    parser = argparse.ArgumentParser(description="Measures a pool of games.")
    parser.add_argument("--game", default="chess")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement, after a quarter to warm up")
    parser.add_argument("--threads", type=int, help="of the pool (default: 1 without a network, all cores with one)")
    parser.add_argument("--games", type=int, help="games at a time (default: 256, or twice the batch)")
    parser.add_argument("--network", help="a shape such as 10x128-se, with random weights; needs PyTorch")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--in-flight", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument(
        "--on-tower", action="store_true", help="compute chess networks on the CPU by our compiled tower"
    )
    parser.add_argument("--compile", action="store_true", help="let PyTorch compile the network")
    arguments = parser.parse_args()
    if arguments.network is None and arguments.threads is None:
        arguments.threads = 1
    where = machine()
    rows = measure_idle(arguments) if arguments.network is None else measure_network(arguments)
    if arguments.json:
        print(as_json("selfplay", where, rows))
        return
    print(headline(where))
    for row in rows:
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
