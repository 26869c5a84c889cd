"""One recorded game of any kind: its moves as numbers and the facts around them (book, ch. 4.2.2: self-play data)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, IntFlag
from typing import Any, Self, TypeAlias

from philidor.core.errors import IllegalMoveError, RecordError
from philidor.core.game import AnyGame, AnyState, Outcome

Wdl: TypeAlias = tuple[float, float, float]
"""The shares of win, draw and loss the side to move expects."""


def wdl_bytes(wdl: Wdl) -> tuple[int, int]:
    """Returns win and loss in steps of 1/255, as files keep them; raises RecordError for what are no shares of 1."""
    win, draw, loss = wdl
    if min(win, draw, loss) < 0 or abs(win + draw + loss - 1) > 1e-3:
        raise RecordError(f"win, draw and loss must be shares of 1, got {wdl}")
    # Rounding both halves of an even split up would leave less than nothing for the draw.
    win_byte = round(255 * win)
    return win_byte, min(round(255 * loss), 255 - win_byte)


CAPPED = "max plies"
"""Why a game ended that was cut off; it counts as drawn."""


class Result(IntEnum):
    """Who won; the numbers are the format's."""

    UNKNOWN = 0
    FIRST_WINS = 1
    DRAW = 2
    SECOND_WINS = 3

    @property
    def text(self) -> str:
        """The result as PGN writes it."""
        return ("*", "1-0", "1/2-1/2", "0-1")[self]

    @classmethod
    def from_outcome(cls, outcome: Outcome | None) -> "Result":
        """The result of a finished game; UNKNOWN while it goes on."""
        if outcome is None:
            return cls.UNKNOWN
        return cls.DRAW if outcome.winner is None else (cls.FIRST_WINS, cls.SECOND_WINS)[outcome.winner]


class PlyFlag(IntFlag):
    """What is worth knowing about how a move was chosen."""

    CHEAP = 1
    """A short search chose it; its visits are too few to learn a policy from."""
    BOOK = 2
    """It came from an opening book."""
    SAMPLED = 4
    """It was drawn at random in proportion to visits or probabilities, not chosen as the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A game; entry i of a column belongs to position i, in which move i was played. A missing column is None."""

    indices: tuple[int, ...]
    """Each move's place among the legal moves of its position, in the game's canonical order."""
    start: str | None = None
    """The first position as text; None for the game's normal start."""
    result: Result = Result.UNKNOWN
    termination: str | None = None
    """Why the game ended, in lower-case words."""
    ratings: tuple[int | None, int | None] = (None, None)
    """Of the first and the second player."""
    source: str | None = None
    """Where the game is from: an event, a self-play run, a match."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Further facts by name; the values are single lines."""
    scores: tuple[int | None, ...] | None = None
    """The side to move's view in centipawns; a mate in n plies is 32000 - n, being mated -32000 + n."""
    final_score: int | None = None
    """The same for the position after the last move."""
    wdl: tuple[Wdl | None, ...] | None = None
    """What the search at the root expected; kept in steps of 1/255."""
    flags: bytes | None = None
    """One byte of `PlyFlag` bits a move."""
    visits: tuple[Mapping[int, int], ...] | None = None
    """Move index -> how often the search visited it, at most 65535; unvisited moves are left out."""
    clocks_ms: tuple[int | None, ...] | None = None
    """The mover's clock after the move."""

    def __len__(self) -> int:
        return len(self.indices)

    @classmethod
    def from_moves(cls, game: AnyGame, moves: Iterable[Any], *, start: str | None = None, **facts: Any) -> Self:
        """Records moves given as moves or as text; raises IllegalMoveError.

        Result and termination are the rules' own if the last position is a finished game and nothing else is said.
        """
        state = game.state(start)
        indices = []
        for move in moves:
            legal = state.legal_moves()
            chosen = state.parse_move(move) if isinstance(move, str) else move
            if chosen not in legal:
                raise IllegalMoveError(f"no legal move {move!r} in {state.text()!r}")
            indices.append(legal.index(chosen))
            state = state.play(chosen)
        outcome = state.outcome()
        facts.setdefault("result", Result.from_outcome(outcome))
        facts.setdefault("termination", outcome.reason if outcome is not None else None)
        return cls(indices=tuple(indices), start=start, **facts)

    def states(self, game: AnyGame) -> Iterator[AnyState]:
        """Replays the game: yields all positions, the one after the last move too. Raises RecordError."""
        state = game.state(self.start)
        yield state
        for ply, index in enumerate(self.indices):
            legal = state.legal_moves()
            if index >= len(legal):
                raise RecordError(f"move {index} at ply {ply}, but {state.text()!r} has {len(legal)} legal moves")
            state = state.play(legal[index])
            yield state

    def moves(self, game: AnyGame) -> list[Any]:
        """Replays the game and returns its moves."""
        return [state.legal_moves()[index] for state, index in zip(self.states(game), self.indices, strict=False)]

    def uci_moves(self) -> list[str]:
        """The moves of a chess game, faster than by replaying positions. Raises RecordError."""
        from philidor.records.native import to_native

        try:
            return to_native(self).uci_moves()
        except ValueError as error:
            raise RecordError(str(error)) from None

    def to_pgn(self) -> str:
        """A chess game as PGN, with scores and clocks in comments. Raises RecordError."""
        from philidor.records.native import to_native

        try:
            return to_native(self).to_pgn()
        except ValueError as error:
            raise RecordError(str(error)) from None

    def content_hash(self, seed: int = 0) -> int:
        """The same number for games with equal start, moves and result; `split` and deduplication go by it."""
        from philidor.records.native import to_native

        return to_native(replace(self, scores=None, wdl=None, flags=None, visits=None, clocks_ms=None)).content_hash(
            seed
        )
