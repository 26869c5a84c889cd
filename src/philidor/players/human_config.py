"""The settings of the player human; what in them is estimated says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from philidor.core.config import real, spin, text, validate
from philidor.nets.shipped import HUMAN_NET
from philidor.players.human_policy import HIGHEST, LOWEST
from philidor.players.human_sight import BEGINNER_TEMPERATURE, LAPSES, nodes_at


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanConfig:
    """Who plays, and how. Ratings are over-the-board ones, like FIDE's; those below 1000 are estimated."""

    rating: int = field(default=1500, metadata=spin("SelfElo", LOWEST, HIGHEST))
    """The rating it plays at: over-the-board, like FIDE's; estimated below 1000."""
    opponent_rating: int = field(default=0, metadata=spin("OppoElo", 0, 4000))
    """The opponent's rating, which people's play depends on too; 0 for the same as its own."""
    temperature: float = field(default=1.0, metadata=real("Temperature", 0.0, 10.0))
    """Randomness of the choice: 1 plays as variously as people do, 0 always plays the likeliest move."""
    top_p: float = field(default=1.0, metadata=real("TopP", 0.01, 1.0))
    """Share of the likeliest moves to draw from."""
    net: Path = field(default=Path(HUMAN_NET), metadata=text("HumanFile"))
    """The network: one trained with ratings, or any other with a policy, such as Maia's, which has one strength."""
    resigns: bool = False
    """Whether it resigns lost games, and offers and accepts draws, at our own boards; never over UCI."""
    follows: bool = False
    """Whether its rating follows your results from game to game, in the terminal; the browser has a switch for it."""
    threads: int = field(default=1, metadata=spin("Threads", 1, 512))
    """Threads that compute the network."""
    seed: int = field(default=0, metadata=spin(None, 0))
    """Seed of the draw; with the same seed the same position is always answered alike."""
    look_nodes: int = field(default=2_000, metadata=spin(None, 0, 1_000_000))
    """Positions visited to see what a likely move loses; 0 draws from the policy alone, at any rating."""
    search_from: int = field(default=2000, metadata=spin(None, LOWEST, HIGHEST - 1))
    """The rating above which it looks deeper."""
    search_nodes: int = field(default=20_000, metadata=spin(None, 1, 1_000_000))
    """Positions visited for each likely move at the highest rating."""
    extrapolation: float = field(default=1.0, metadata=real(None, 0.0, 10.0))
    """Below 1000: how far beyond 1100 the policy is carried, where 1 continues the line from 1700; an estimate."""
    beginner_temperature: float = field(default=BEGINNER_TEMPERATURE, metadata=real(None, 0.1, 10.0))
    """Temperature of the draw at the lowest rating; it falls up to 1400, where people's own begins. An estimate."""
    lapses: float = field(default=LAPSES, metadata=real(None, 0.0, 1.0))
    """Share of moves that it draws without having looked, as people of any rating do now and then."""
    endgame_from: int = field(default=1200, metadata=spin(None, LOWEST, HIGHEST))
    """The rating from which a shallow search vetoes moves that throw an ending away."""
    endgame_men: int = field(default=6, metadata=spin(None, 0, 32))
    """Pieces and pawns, kings included, up to which endings have a veto; 0 for none."""
    opening_plies: int = field(default=30, metadata=spin(None, 0, 1000))
    """Half moves of the opening, in which a move that takes the last one back is left out if it is unlikely."""
    undo_share: float = field(default=0.03, metadata=real(None, 0.0, 1.0))
    """Probability below which a move that takes the last one back counts as unlikely."""
    resign_loss: float = field(default=0.97, metadata=real(None, 0.5, 1.0))
    """Probability of losing, between people of these ratings, from which it resigns."""
    resign_moves: int = field(default=3, metadata=spin(None, 1, 100))
    """Moves in a row at which a loss must be that likely before it resigns, or a draw before it offers one."""
    draw_share: float = field(default=0.6, metadata=real(None, 0.0, 1.0))
    """Probability of a draw from which it offers one."""

    def __post_init__(self) -> None:
        validate(self)

    def nodes_at(self, rating: int) -> int:
        """Returns the positions that it visits for each likely move at a rating."""
        return nodes_at(rating, self.look_nodes, self.search_from, self.search_nodes, HIGHEST)
