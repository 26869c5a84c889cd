"""The seam every game fits: a `Game` makes states, a `State` knows its moves, its successor and its end.

Book: ch. 3.1 and 4.3.3, where minimax and AlphaZero are said to fit any deterministic two-player game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

M = TypeVar("M")
"""A game's move: whatever is hashable and small; its text is made and read by the state."""

FIRST, SECOND = 0, 1
"""The players. The first to move in the game's initial position is 0: White in chess, X in tic-tac-toe."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winner: int | None
    """The player who won, or None after a draw."""
    reason: str
    """The rule that ended the game, in lower-case words: "checkmate", "no legal move"."""

    def value_for(self, player: int) -> float:
        """Returns 1 for a win, 0 for a draw and -1 for a loss, seen by `player`."""
        if self.winner is None:
            return 0.0
        return 1.0 if self.winner == player else -1.0


class State(Protocol[M]):
    """A position of a game with what the rules remember of its past; immutable, equal and hashed by position."""

    @property
    def to_move(self) -> int:
        """The player whose turn it is, also after the end."""

    @property
    def ply(self) -> int:
        """Moves made since the initial position of the game."""

    @property
    def key(self) -> int:
        """A 64-bit hash of the position, the same in every process."""

    def legal_moves(self) -> Sequence[M]:
        """Returns the moves in the game's canonical order; without any, the game is over.

        A game whose end may be claimed, as a draw in chess, can be over and still have moves: ask `is_over` first.
        """

    def play(self, move: M | str, /) -> Self:
        """Returns the state after `move`, given as a move or as its text."""

    def outcome(self) -> Outcome | None:
        """Returns how the game ended, or None while it goes on."""

    def is_over(self) -> bool:
        """Says whether `outcome` is known."""

    def move_text(self, move: M, /) -> str:
        """Writes a legal move of this state."""

    def parse_move(self, text: str, /) -> M:
        """Reads a legal move of this state; raises IllegalMoveError."""

    def text(self) -> str:
        """Writes the state in one line, so that `Game.state` can read it back."""


AnyState: TypeAlias = State[Any]
S = TypeVar("S", bound=AnyState)


@dataclass(frozen=True)
class Symmetry(Generic[S, M]):
    """A relabeling of the board that turns games into games, with the same players to move and to win."""

    name: str
    state: Callable[[S], S]
    move: Callable[[M], M]
    squares: tuple[int, ...] | None = None
    """Where each square of the board goes, if it is that simple: forms of encoded positions are then made of bits."""
    actions: tuple[int, ...] | None = None
    """Where each number of `Game.action_index` goes, whoever is to move."""


IDENTITY: Symmetry[Any, Any] = Symmetry("identity", lambda state: state, lambda move: move)
"""The symmetry every game has; it stands first in `Game.symmetries`."""


class Game(Protocol[S]):
    """The rules of one game on one size of board.

    `sides`, the players' names such as ("White", "Black"), may be left out: the boards then call them by number.
    """

    @property
    def name(self) -> str:
        """What `load_game` reads back to the same rules, such as "hexapawn-4x4"."""

    @property
    def action_count(self) -> int:
        """How many numbers the moves of all states need: the size of a policy head."""

    @property
    def symmetries(self) -> Sequence[Symmetry[S, Any]]:
        """All symmetries of the rules, the identity first."""

    @property
    def max_plies(self) -> int | None:
        """No game has more moves; None where the rules set no bound."""

    @property
    def repetition_matters(self) -> bool:
        """Whether the past can decide a game, so that equal positions may differ in value."""

    def state(self, text: str | None = None, /) -> S:
        """Returns the initial state, or the one that `text` describes."""

    def action_index(self, state: S, move: Any, /) -> int:
        """Returns the number of a legal move, below `action_count` and its own among the legal moves of `state`."""


AnyGame: TypeAlias = Game[Any]
