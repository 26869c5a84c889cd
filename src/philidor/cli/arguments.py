"""What commands are asked about: a position by its start and moves, and files to write."""

from __future__ import annotations

from pathlib import Path

from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame, AnyState


def state_after(game: AnyGame, start: str | None, moves: str | None) -> AnyState:
    """Returns the state after `moves` (texts separated by blanks or commas) from `start`. Raises a PhilidorError."""
    state: AnyState = game.state(start)
    for text in (moves or "").replace(",", " ").split():
        state = state.play(text)
    return state


def readable_line(state: AnyState, texts: tuple[str, ...]) -> list[str]:
    """Returns a line of moves as people write them: in SAN where the game has it."""
    names = []
    for text in texts:
        move = state.parse_move(text)
        names.append(getattr(state, "san", state.move_text)(move))
        state = state.play(move)
    return names


def check_writable(path: Path) -> None:
    """Refuses a place where no file can be written, before any work is done. Raises ConfigError."""
    if path.is_dir():
        raise ConfigError(f"cannot write {str(path)!r}: it is a folder")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
