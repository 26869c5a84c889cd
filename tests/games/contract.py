"""What every game must hold; a game in the table is tested by being there."""

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from philidor.core.abilities import HasTwin
from philidor.core.descriptor import UNDESCRIBED, descriptor_of, native_name
from philidor.core.errors import IllegalMoveError
from philidor.core.game import FIRST, AnyGame, AnyState
from philidor.core.grid import EMPTY, board_rows

# Positions of chess and of small boards have fewer moves: there, each is tried.
_FEW_MOVES = 64
_SAMPLE = 8


def check_game(game: AnyGame) -> None:
    """The game's constants and its initial state."""
    state = game.state()
    assert state.ply == 0
    assert state.to_move == FIRST
    assert not state.is_over()
    assert game.action_count > 0
    check_descriptor(game)
    assert game.max_plies is None or game.max_plies > 0
    assert game.symmetries[0].name == "identity"
    names = [symmetry.name for symmetry in game.symmetries]
    assert len(set(names)) == len(names)


def check_descriptor(game: AnyGame) -> None:
    """What a game says of itself is true of its states, and fits its name."""
    about, state = descriptor_of(game), game.state()
    assert descriptor_of(state) is about
    assert about.native == native_name(game) == native_name(state)
    assert (about.native is not None) == isinstance(state, HasTwin)
    if about is UNDESCRIBED:
        return
    assert game.name.startswith(about.name)
    assert about.title
    assert about.rules.endswith(".")
    # A board of one column is shown as text.
    if about.drawing is not None and (rows := board_rows(state.text())) is not None:
        assert set("".join(rows)) <= {*about.drawing.pieces, EMPTY}
        assert {piece.side for piece in about.drawing.pieces.values()} == {0, 1}


def check_walk(game: AnyGame, choices: list[int]) -> None:
    """The states of a game in which the moves are chosen by these numbers: every one, or on a large board some."""
    state = game.state()
    step = 1 if len(state.legal_moves()) <= _FEW_MOVES else 7
    for choice in choices:
        if state.ply % step == 0:
            check_state(game, state)
        if state.is_over():
            break
        moves = state.legal_moves()
        state = state.play(moves[choice % len(moves)])
    check_state(game, state)
    assert game.max_plies is None or state.ply <= game.max_plies


def check_state(game: AnyGame, state: AnyState) -> None:
    """One state: its end, its texts, its moves, its symmetries."""
    _check_outcome(game, state)
    _check_texts(game, state)
    _check_moves(game, state)
    for symmetry in game.symmetries:
        _check_symmetry(game, state, symmetry)


def _check_outcome(game: AnyGame, state: AnyState) -> None:
    outcome = state.outcome()
    assert state.is_over() == (outcome is not None), state.text()
    if outcome is None:
        assert state.legal_moves(), state.text()
        return
    assert outcome.winner in (None, 0, 1)
    assert outcome.reason
    assert outcome.value_for(0) == -outcome.value_for(1)
    # A claimable end may leave moves on the board; an end that only position decides does not.
    if not game.repetition_matters:
        assert not state.legal_moves(), state.text()


def _check_texts(game: AnyGame, state: AnyState) -> None:
    again = game.state(state.text())
    assert again == state
    assert hash(again) == hash(state)
    assert (again.text(), again.key, again.to_move, again.ply) == (state.text(), state.key, state.to_move, state.ply)
    assert "\n" not in state.text()
    assert "\n" in str(state)
    assert 0 <= state.key < 2**64
    assert pickle.loads(pickle.dumps(state)) == state


def _check_moves(game: AnyGame, state: AnyState) -> None:
    moves = state.legal_moves()
    assert list(moves) == list(state.legal_moves())
    assert len(set(moves)) == len(moves)
    indices = [game.action_index(state, move) for move in moves]
    assert len(set(indices)) == len(indices), state.text()
    assert all(0 <= index < game.action_count for index in indices), state.text()
    assert len({state.move_text(move) for move in moves}) == len(moves)
    before = state.text()
    for move in _tried(state):
        text = state.move_text(move)
        assert state.parse_move(text) == move
        following = state.play(move)
        assert following == state.play(text)
        assert following.to_move == 1 - state.to_move
        assert following.ply == state.ply + 1
        if move not in following.legal_moves():
            with pytest.raises(IllegalMoveError):
                following.play(move)
    assert state.text() == before, "a state must not change"
    for nonsense in ("", "no such move", "\0", "ä9", "9" * 5000):
        with pytest.raises(IllegalMoveError):
            state.parse_move(nonsense)


def _check_symmetry(game: AnyGame, state: AnyState, symmetry: Any) -> None:
    image = symmetry.state(state)
    assert (image.to_move, image.ply) == (state.to_move, state.ply)
    assert image.outcome() == state.outcome()
    assert game.state(image.text()) == image
    moves = state.legal_moves()
    assert {symmetry.move(move) for move in moves} == set(image.legal_moves()), (symmetry.name, state.text())
    for move in _tried(state):
        assert symmetry.state(state.play(move)) == image.play(symmetry.move(move)), (symmetry.name, state.text())


def _tried(state: AnyState) -> Sequence[Any]:
    """The moves to play from here; of very many some, at other places in the next position."""
    moves = state.legal_moves()
    step = 1 if len(moves) <= _FEW_MOVES else len(moves) // _SAMPLE
    return moves[state.ply % step :: step]


def check_keys(game: AnyGame, state: AnyState, plies: int) -> int:
    """Keys of all positions within `plies` moves: equal if and only if the positions are. Returns how often a
    position was met again, so that a test can see that there was something to compare.
    """
    key_of: dict[AnyState, int] = {}
    state_of: dict[int, AnyState] = {}
    meetings = 0
    layer = [state]
    for plies_left in reversed(range(plies + 1)):
        following = []
        for position in layer:
            meetings += position in key_of
            assert key_of.setdefault(position, position.key) == position.key, position.text()
            assert state_of.setdefault(position.key, position) == position, position.text()
            if plies_left and not position.is_over():
                following += [position.play(move) for move in position.legal_moves()]
        layer = following
    return meetings
