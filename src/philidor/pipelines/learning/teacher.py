"""The recorded games: a player of the table against itself, from random openings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.arena.many_games import load_chooser
from philidor.core.random import game_random
from philidor.records import GameRecord, PlyFlag, RecordWriter

if TYPE_CHECKING:
    from philidor.arena.many_games import Chooser
    from philidor.core.game import AnyGame

LONGEST_GAME = 512


def record_games(
    path: Path,
    game: AnyGame,
    teacher: str,
    count: int,
    *,
    opening_plies: int,
    seed: int,
    report: Callable[[int], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Plays games and writes them; the file appears when all are there. False if it was stopped before.

    Raises ConfigError for a teacher that there is not.
    """
    chooser = load_chooser(teacher, game)

    class _StoppedError(Exception):
        pass

    try:
        with RecordWriter(path, game) as writer:
            for number in range(count):
                if is_stopped():
                    raise _StoppedError
                writer.add(_play(game, chooser, opening_plies, seed, number, teacher))
                report(number + 1)
    except _StoppedError:
        return False
    return True


def _play(game: AnyGame, chooser: Chooser, opening_plies: int, seed: int, number: int, source: str) -> GameRecord:
    """Plays one game; random moves are marked as sampled, for nobody shall learn them."""
    random = game_random(seed, number)
    state, flags = game.state(), bytearray()
    moves: list[Any] = []
    while not state.is_over() and len(moves) < LONGEST_GAME:
        legal = state.legal_moves()
        is_random = len(moves) < opening_plies
        move = legal[random.below(len(legal))] if is_random else chooser.choose([state])[0]
        moves.append(move)
        flags.append(int(PlyFlag.SAMPLED) if is_random else 0)
        state = state.play(move)
    return GameRecord.from_moves(game, moves, flags=bytes(flags), source=source)
