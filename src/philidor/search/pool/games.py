"""What a pool hands out: games that were played, and games to go on with (book, ch. 4.2.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from philidor.core.evaluation import Wdl
from philidor.core.game import Outcome
from philidor.encodings.encoding import Batch

CAPPED = "max plies"
"""Why a game ended that was cut off; it counts as drawn."""
POLICY_PARTS = 60_000
"""What the counts of a Gumbel search's move sum up to, about: it has no visits to learn from, but a policy."""


@dataclass(frozen=True, slots=True)
class PlayedPly:
    """One move of a game and the search that chose it."""

    place: int
    """The move's place among the legal moves, in canonical order."""
    visits: Mapping[int, int]
    """Place -> visits, what to learn: without those that were only forced, without moves that lose for certain if
    another holds, and all on a move that wins for certain. Of Gumbel search the improved policy, in parts of
    `POLICY_PARTS`. Empty where no search chose."""
    is_full: bool
    """Whether the search was a full one: only these teach a policy."""
    is_sampled: bool
    """Whether chance took part in the choice."""
    wdl: Wdl | None
    """What the search expected, in the mover's view; None where no search chose."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from its start to its end."""

    number: int
    """Its own in the pool: with the seed it decides everything but what the judge says."""
    start: str | None
    """The first position as text; None for the game's normal start."""
    plies: tuple[PlayedPly, ...]
    outcome: Outcome

    @property
    def moves(self) -> tuple[int, ...]:
        """The places of the moves."""
        return tuple(ply.place for ply in self.plies)


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    """A game up to the move that is being searched, which will be searched anew."""

    number: int
    start: str | None
    plies: tuple[PlayedPly, ...]
    random_state: int
    """Of the game's random numbers, before that move."""


class PoolBatch(NamedTuple):
    """Leaves that wait for their evaluation, one of each of many games."""

    id: int
    """What `apply` or `cancel` is to be told."""
    batch: Batch
