"""What a judge of positions says, and the two kinds of judges: evaluators and plain heuristics.

Book: ch. 3 (a number for a position) and 4.2 (a policy and a value for it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from philidor.core.errors import ArgumentError
from philidor.core.game import AnyState, M

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

StateT_contra = TypeVar("StateT_contra", bound=AnyState, contravariant=True)


class Wdl(NamedTuple):
    """Probabilities of win, draw and loss for the side to move."""

    win: float
    draw: float
    loss: float

    @property
    def value(self) -> float:
        """The expected result in [-1, 1]."""
        return self.win - self.loss

    def flipped(self) -> Wdl:
        """Returns the same as the other side sees it."""
        return Wdl(self.loss, self.draw, self.win)

    @classmethod
    def from_value(cls, value: float) -> Wdl:
        """Returns the drawless probabilities with this value, for judges that know only a number."""
        return cls((1 + value) / 2, 0.0, (1 - value) / 2)


@dataclass(frozen=True, eq=False)
class Evaluation(Generic[M]):
    """One position judged: how likely is each move to be good, and who is winning?"""

    moves: Sequence[M]
    """The legal moves, in canonical order."""
    priors: NDArray[np.float32]  # [len(moves)]
    """One probability per move; they sum to 1."""
    wdl: Wdl
    moves_left: float | None = None
    """Expected moves to the end of the game, from judges that know it."""
    move_text: Callable[[M], str] = field(default=str, repr=False)
    """Writes a move; pass the state's own, as castling is written by the rules in force."""

    def __post_init__(self) -> None:
        if len(self.moves) != len(self.priors):
            raise ValueError(f"{len(self.moves)} moves need as many priors, got {len(self.priors)}")

    @property
    def value(self) -> float:
        """The expected result in [-1, 1], in the side to move's view."""
        return self.wdl.value

    @property
    def policy(self) -> dict[str, float]:
        """The priors by move text, most likely first."""
        pairs = [(self.move_text(move), float(prior)) for move, prior in zip(self.moves, self.priors, strict=True)]
        return dict(sorted(pairs, key=lambda pair: -pair[1]))

    @classmethod
    def uniform(cls, state: AnyState, wdl: Wdl) -> Evaluation[Any]:
        """Returns the judgment of one who knows a value but no policy."""
        import numpy as np

        moves = state.legal_moves()
        priors = np.full(len(moves), 1 / max(1, len(moves)), dtype=np.float32)
        return Evaluation(moves, priors, wdl, move_text=state.move_text)


class Evaluator(Protocol[StateT_contra]):
    """Judges positions in batches: networks, rollouts, heuristics."""

    def evaluate(self, states: Sequence[StateT_contra], /) -> list[Evaluation[Any]]:
        """Judges a batch. Blocking; results are in the order of `states`."""


def check_states(states: object) -> None:
    """Raises ArgumentError for what is no batch, such as a single position."""
    if not isinstance(states, Sequence):
        raise ArgumentError("a list of positions", states)


class Heuristic(Protocol[StateT_contra]):
    """Scores one position for minimax and alpha-beta, where no rule has ended the game.

    The score is the *first* player's view (White's), in centipawns for chess, as in the book's listings: minimax
    maximizes for the first player and minimizes for the second. Its size must stay below `MATE_SCORE`.
    """

    def __call__(self, state: StateT_contra, /) -> int:
        """Returns the first player's score of `state`."""


def no_opinion(state: AnyState, /) -> int:
    """The heuristic of one who knows only the rules: everything unfinished is even."""
    return 0


MATE_SCORE = 10_000
"""The reference searches' score of a won game (book, Listing 3.4); native alpha-beta has 32,000 - ply instead."""
