"""Checks a game against the contract before hours of training are spent on it; for games of one's own.

tests/games/contract.py asks more, of the games that are shipped.
"""

from __future__ import annotations

from typing import Any

from philidor.core.errors import GameError
from philidor.core.game import AnyGame, AnyState
from philidor.core.random import SplitMix64

_GAMES = 16
_MAX_PLIES = 600


def check_game(game: AnyGame, games: int = _GAMES) -> None:
    """Plays random games and looks at every position. Raises GameError, which says what the game does wrong."""
    random = SplitMix64(7)
    where = "at the start"
    try:
        for _ in range(games):
            state = game.state()
            for _ in range(_MAX_PLIES):
                where = f"in {state.text()!r}"
                _check_state(game, state, where)
                if state.is_over():
                    break
                moves = state.legal_moves()
                state = _check_step(game, state, moves[random.below(len(moves))])
    except GameError:
        raise
    # Whatever a game of the user's own raises, the user wants to know where.
    except Exception as error:
        raise GameError(f"{game.name} fails {where}: {type(error).__name__}: {error}") from error


def _check_state(game: AnyGame, state: AnyState, where: str) -> None:
    outcome, moves = state.outcome(), list(state.legal_moves())
    if state.is_over() != (outcome is not None):
        _fail(game, f"is_over() says {state.is_over()} and outcome() {outcome!r} {where}")
    if outcome is None and not moves:
        _fail(game, f"no legal move and not over {where}")
    if outcome is not None and moves and not game.repetition_matters:
        _fail(game, f"legal moves although the game is over ({outcome.reason}) {where}")
    if outcome is not None and outcome.winner not in (None, 0, 1):
        _fail(game, f"the winner must be 0, 1 or None, got {outcome.winner!r} {where}")
    if state.to_move not in (0, 1):
        _fail(game, f"to_move must be 0 or 1, got {state.to_move!r} {where}")
    if moves != list(state.legal_moves()):
        _fail(game, f"legal_moves() gives another order when asked again {where}")
    _check_indices(game, state, moves, where)
    again = game.state(state.text())
    if again != state or again.text() != state.text():
        _fail(game, f"state() reads {again.text()!r} from {state.text()!r}")
    if not (isinstance(state.key, int) and 0 <= state.key < 2**64):
        _fail(game, f"key must be a number of 64 bits, got {state.key!r} {where}")
    _check_symmetries(game, state, moves, where)


def _check_indices(game: AnyGame, state: AnyState, moves: list[Any], where: str) -> None:
    indices = [game.action_index(state, move) for move in moves]
    for move, index in zip(moves, indices, strict=True):
        if not (isinstance(index, int) and 0 <= index < game.action_count):
            _fail(game, f"action_index of {move!r} must be 0 to {game.action_count - 1}, got {index!r} {where}")
    if len(set(indices)) != len(indices):
        _fail(game, f"two legal moves have the same action_index {where}")


def _check_symmetries(game: AnyGame, state: AnyState, moves: list[Any], where: str) -> None:
    for symmetry in game.symmetries:
        image = symmetry.state(state)
        if (image.to_move, image.outcome()) != (state.to_move, state.outcome()):
            _fail(game, f"the symmetry {symmetry.name!r} changes who is to move or has won {where}")
        if {symmetry.move(move) for move in moves} != set(image.legal_moves()):
            _fail(game, f"the symmetry {symmetry.name!r} turns moves into others than its position has {where}")


def _check_step(game: AnyGame, state: AnyState, move: Any) -> AnyState:
    before = state.text()
    following = state.play(move)
    if state.text() != before:
        _fail(game, f"play() changes the state it is asked of, from {before!r} to {state.text()!r}")
    if following.ply != state.ply + 1:
        _fail(game, f"ply must grow by 1 with each move, got {following.ply} after {state.ply} in {before!r}")
    if following.to_move == state.to_move:
        _fail(game, f"the players must take turns, but {move!r} in {before!r} leaves player {state.to_move} to move")
    if state.parse_move(state.move_text(move)) != move:
        _fail(game, f"parse_move() does not read {state.move_text(move)!r} back in {before!r}")
    if game.max_plies is not None and following.ply > game.max_plies:
        _fail(game, f"a game of more than max_plies = {game.max_plies} moves: {following.text()!r}")
    return following


def _fail(game: AnyGame, problem: str) -> None:
    raise GameError(f"{game.name} breaks the contract of games: {problem}")
