"""Speed of Go: light playouts, rollout UCT, SGF and AlphaGo's planes. Agreement is go_agreement.py's business.

    python benchmarks/go.py [--json] [--rollout POLICY.phpt]

Times are of this process's CPU, so that what else runs on the machine counts less.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from philidor._native._ext import encode_alphago
from philidor.evaluators.patterns import PatternEvaluator
from philidor.evaluators.patterns.native import run_rollouts
from philidor.games import load_game
from philidor.records import SgfSource
from philidor.records.sgf import recorded_moves
from philidor.search import native
from philidor.search.uct import UctConfig

DATA = Path(os.environ.get("PHILIDOR_SHARED", "nowhere")) / "data/go"


def seconds_of(work: Callable[[], object]) -> float:
    """Runs it and returns the CPU time it took."""
    start = time.process_time()
    work()
    return time.process_time() - start


def playouts(side: int, count: int) -> float:
    """Light playouts a second."""
    root: Any = native.native_root(load_game(f"go-{side}x{side}").state())
    return count / seconds_of(lambda: root.playouts(count, 1))


def rollouts(side: int, count: int, policy: Path) -> tuple[float, float]:
    """Rollouts a second by a rollout policy from the empty board, and microseconds a move."""
    state = load_game(f"go-{side}x{side}").state()
    compiled, moves = PatternEvaluator.load(policy).rollouts, 0

    def play() -> None:
        nonlocal moves
        moves = run_rollouts(compiled, state, count=count, seed=1)[0]

    seconds = seconds_of(play)
    return count / seconds, 1e6 * seconds / moves


def simulations(side: int, count: int) -> float:
    """Simulations of rollout UCT a second, in the tree."""
    state = load_game(f"go-{side}x{side}").state()
    return count / seconds_of(lambda: native.uct(state, UctConfig(iterations=count)))


def games_a_second(path: Path) -> float:
    """SGF games read and checked a second."""
    source = SgfSource([path])
    seconds = seconds_of(lambda: [len(batch) for batch in source.batches()])
    return source.games / seconds


def planes_a_second(path: Path, games: int = 20) -> float:
    """Positions of recorded games into AlphaGo's 48 planes a second, ladders and all."""
    source = SgfSource([path])
    records = [record for record, _ in zip(source, range(games), strict=False)]
    game = source.game
    assert game is not None
    states: list[Any] = []
    for record in records:
        state = game.state(record.start)
        for move in recorded_moves(record, game):
            states.append(native.native_root(state))
            state = state.play(move)
    example = native.native_root(game.state())
    # In batches, as loaders and searches ask for them: memory that is new each time would cost more than the planes.
    batches = [states[first : first + 256] for first in range(0, len(states), 256)]
    encode_alphago(batches[0], example, 48)
    return len(states) / seconds_of(lambda: [encode_alphago(batch, example, 48) for batch in batches])


def main() -> None:
    """Prints a table or JSON."""
    parser = argparse.ArgumentParser(description="Speed of Go.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rollout", type=Path, metavar="FILE", help="rollout policy to play games out by")
    arguments = parser.parse_args()
    found: dict[str, Any] = {}
    for side, count in ((9, 200_000), (13, 60_000), (19, 30_000)):
        found[f"playouts_{side}x{side}"] = round(playouts(side, count))
    if arguments.rollout is not None:
        for side, count in ((9, 2_000), (19, 300)):
            speed, microseconds = rollouts(side, count, arguments.rollout)
            found[f"rollouts_{side}x{side}"] = round(speed)
            found[f"rollout_move_us_{side}x{side}"] = round(microseconds, 2)
    for side, count in ((9, 200_000), (19, 30_000)):
        found[f"uct_{side}x{side}"] = round(simulations(side, count))
    for name in ("kgs_19x19_6d", "ogs_9x9"):
        path = DATA / f"{name}.sgfs.zst"
        if path.exists():
            found[f"sgf_{name}"] = round(games_a_second(path))
            found[f"alphago_planes_{name}"] = round(planes_a_second(path))
    if arguments.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:28} {value:,}")


if __name__ == "__main__":
    main()
