"""Games of Go by a simple rule, to be learned: a stone goes beside the last one where that is possible."""

from __future__ import annotations

from pathlib import Path

from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.games.go.board import neighbors
from philidor.records import GameRecord, RecordWriter, Result

GAME = "go-5x5,ko=simple"


def write_go_games(path: Path, count: int, *, plies: int = 14, game: str = GAME) -> Path:
    """Writes games in which the first point beside the last stone is played, and passes now and then."""
    rules = load_game(game)
    with RecordWriter(path, rules) as writer:
        for seed in range(count):
            random, state, indices = SplitMix64(seed), rules.state(), []
            for ply in range(plies):
                moves = state.legal_moves()
                beside = [] if not state.recent else [move for move in moves if _is_beside(state, move)]
                index = moves.index(beside[0]) if beside else random.below(len(moves) - 1)
                index = len(moves) - 1 if ply == 7 else index
                indices.append(index)
                state = state.play(moves[index])
            writer.add(GameRecord(indices=tuple(indices), result=Result(1 + seed % 2), termination="resignation"))
    return path


def _is_beside(state, move: int) -> bool:  # type: ignore[no-untyped-def]
    last = state.recent[0]
    return bool(last != state.pass_move and move != state.pass_move and move in neighbors(state.grid)[last])
