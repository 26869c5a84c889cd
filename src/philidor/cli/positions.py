"""The position that a command is asked about: a start, then moves."""

from __future__ import annotations

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
