"""A mutable board in the manner of python-chess, for code that pushes and pops."""

from __future__ import annotations

from typing import Any

from philidor.core.errors import IllegalMoveError
from philidor.core.game import Outcome
from philidor.games.chess.native import Move
from philidor.games.chess.position import Position


class Board:
    """A position that can be changed: `push`, `push_san`, `push_uci`, `pop`. What it asks, `Position` answers."""

    def __init__(self, fen: str = "startpos", *, chess960: bool | None = None) -> None:
        self.position = Position(fen, chess960=chess960)

    def push(self, move: Move) -> None:
        """Plays a legal move. Raises IllegalMoveError."""
        self.position = self.position.play(move)

    def push_uci(self, text: str) -> Move:
        """Plays a move given in UCI and returns it. Raises IllegalMoveError."""
        return self._push(self.position.parse_uci(text))

    def push_san(self, text: str) -> Move:
        """Plays a move given in SAN and returns it. Raises IllegalMoveError."""
        return self._push(self.position.parse_san(text))

    def _push(self, move: Move) -> Move:
        self.push(move)
        return move

    def pop(self) -> Move:
        """Takes the last move back and returns it. Raises IllegalMoveError when there is none."""
        parent, move = self.position.parent, self.position.last_move
        if parent is None or move is None:
            raise IllegalMoveError(f"no move to take back in {self.position.fen()!r}")
        self.position = parent
        return move

    def peek(self) -> Move:
        """Returns the last move. Raises IllegalMoveError when there is none."""
        if self.position.last_move is None:
            raise IllegalMoveError(f"no move was made in {self.position.fen()!r}")
        return self.position.last_move

    @property
    def move_stack(self) -> list[Move]:
        """The moves played so far."""
        return self.position.moves()

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves, in canonical order."""
        return self.position.legal_moves()

    @property
    def turn(self) -> bool:
        """True when White is to move."""
        return self.position.turn

    def fen(self) -> str:
        """Writes the FEN."""
        return self.position.fen()

    def outcome(self) -> Outcome | None:
        """Returns how the game ended, or None."""
        return self.position.outcome()

    def __getattr__(self, name: str) -> Any:
        # Everything else a position can be asked: is_check, piece_at, san, key, ...
        if name == "position":  # not yet set, while unpickling
            raise AttributeError(name)
        return getattr(self.position, name)

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"
