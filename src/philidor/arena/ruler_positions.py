"""The positions of a ruler: openings, or positions drawn from games, where a judgment without a search means much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from philidor.arena.native import start_of
from philidor.arena.openings import Opening, read_openings
from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.core.random import SplitMix64, game_random
from philidor.games.chess import Position

_SEED = 1


def quiet_positions(path: Path, per_game: int | None = None) -> list[Position]:
    """Reads positions, without those that have ended or are in check. Raises ConfigError.

    `per_game` draws so many from each game of a PGN file, the same each time, among those in which the game went on
    with a quiet move: no capture, no promotion. Games that begin alike give a position only once.
    """
    openings = read_openings(path)
    if per_game is not None and not any(opening.moves for opening in openings):
        raise ConfigError(f"per_game would be ignored: {str(path)!r} has positions, not games")
    positions: list[Position] = []
    seen: set[str] = set()
    for number, opening in enumerate(openings):
        try:
            found = (
                [start_of(opening)] if per_game is None else _drawn(opening, game_random(_SEED, number), per_game, seen)
            )
        except (FenError, IllegalMoveError) as error:
            raise ConfigError(f"{str(path)!r}: {error}") from None
        positions += (each for each in found if not each.is_over() and not each.is_check())
    if not positions:
        raise ConfigError(f"{str(path)!r} has no position to measure by")
    return positions


def _drawn(game: Opening, random: SplitMix64, count: int, seen: set[str]) -> list[Position]:
    candidates = [position for position in _quiet(game) if position.fen() not in seen]
    drawn = [candidates.pop(random.below(len(candidates))) for _ in range(min(count, len(candidates)))]
    seen.update(position.fen() for position in drawn)
    return drawn


def _quiet(game: Opening) -> Iterator[Position]:
    position = game.position()
    for text in game.moves:
        move = position.parse_uci(text)
        if not position.is_check() and not position.is_capture(move) and move.promotion is None:
            yield position
        position = position.play(move)
