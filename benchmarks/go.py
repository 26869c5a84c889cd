"""Speed of Go: light playouts, rollout UCT, SGF, AlphaGo's planes; and agreement with GNU Go on recorded games.

    python benchmarks/go.py [--json] [--games N] [--rollout POLICY.phpt]

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
from philidor.core.programs import find_program
from philidor.evaluators.patterns import PatternEvaluator
from philidor.evaluators.patterns.native import run_rollouts
from philidor.games import load_game
from philidor.players.external_gtp import GtpProcess
from philidor.protocols.gtp import vertex
from philidor.records import GameRecord, SgfSource
from philidor.records.sgf import recorded_moves
from philidor.search import native
from philidor.search.uct import UctConfig

DATA = Path(os.environ.get("PHILIDOR_SHARED", "nowhere")) / "data/go"
COLORS = ("black", "white")


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


def agreement(path: Path, games: int) -> dict[str, int]:
    """Replays games beside GNU Go: its legal moves must be ours before every move, and its stones after the last."""
    source = SgfSource([path])
    records = [record for record, _ in zip(source, range(games), strict=False)]
    gnugo = GtpProcess(["gnugo", "--mode", "gtp", "--chinese-rules"])
    counts = {"games": 0, "positions": 0, "other_legal_moves": 0, "other_stones": 0}
    try:
        for record in records:
            _compare(gnugo, record, source, counts)
    finally:
        gnugo.quit()
    return counts


def _compare(gnugo: GtpProcess, record: GameRecord, source: SgfSource, counts: dict[str, int]) -> None:
    game = source.game
    assert game is not None
    state = game.state(record.start)
    gnugo.ask(f"boardsize {game.grid.width}")
    gnugo.ask("clear_board")
    for square, letter in enumerate(state.board):
        if letter != ".":
            gnugo.ask(f"play {COLORS['XO'.index(letter)]} {vertex(square, game.grid)}")
    for move in recorded_moves(record, game):
        color = COLORS[state.to_move]
        legal = {state.move_text(each) for each in state.legal_moves()[:-1]}
        counts["positions"] += 1
        counts["other_legal_moves"] += {word.lower() for word in gnugo.ask(f"all_legal {color}").split()} != legal
        gnugo.ask(f"play {color} {state.move_text(move)}")
        state = state.play(move)
    for color, letter in zip(COLORS, "XO", strict=True):
        stones = {state.grid.name(square) for square, each in enumerate(state.board) if each == letter}
        counts["other_stones"] += {word.lower() for word in gnugo.ask(f"list_stones {color}").split()} != stones
    counts["games"] += 1


def main() -> None:
    """Prints a table or JSON."""
    parser = argparse.ArgumentParser(description="Speed of Go.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="games to replay beside GNU Go")
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
            if find_program("gnugo") is not None:
                found[f"gnugo_{name}"] = agreement(path, arguments.games)
    if arguments.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:24} {value:,}" if isinstance(value, int) else f"{name:24} {value}")


if __name__ == "__main__":
    main()
