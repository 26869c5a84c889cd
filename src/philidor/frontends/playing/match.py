"""A game in progress between a person and a player, with everything that can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from philidor.core.abilities import move_name
from philidor.core.config import settings
from philidor.core.descriptor import descriptor_of
from philidor.core.game import AnyGame, AnyState, Outcome
from philidor.players import Player

AS_RECORDED = "as recorded"
"""Why a game has ended whose score sheet tells the result and no reason: a resignation, a flag, an agreement?"""


@dataclass
class Match:
    """The states from the first to the current one, the moves between them, and who plays."""

    game: AnyGame
    start: AnyState
    person: int | None
    """The side of the person; None when both sides are played at this board."""
    opponent: Player | None = None
    """Who plays the other side, where the match itself has to ask."""
    moves: list[Any] = field(default_factory=list)
    agreed: Outcome | None = None
    """An end that no rule has brought: resignation, or a draw by agreement."""

    def __post_init__(self) -> None:
        self.states: list[AnyState] = [self.start]
        moves, self.moves = self.moves, []
        for move in moves:
            self.play(move)

    @property
    def state(self) -> AnyState:
        """The current state."""
        return self.states[-1]

    @property
    def sides(self) -> tuple[str, str]:
        """What the players of this game are called, such as White and Black."""
        return descriptor_of(self.game).sides

    @property
    def is_persons_turn(self) -> bool:
        """Whether the next move comes from a person."""
        return self.person is None or self.state.to_move == self.person

    def outcome(self) -> Outcome | None:
        """Returns how the game ended, or None while it goes on."""
        return self.agreed or self.state.outcome()

    def play(self, move: Any) -> None:
        """Makes a legal move."""
        self.states.append(self.state.play(move))
        self.moves.append(move)

    def undo(self) -> int:
        """Takes back to the person's last turn; returns how many moves that were."""
        self.agreed = None
        own = [ply for ply, state in enumerate(self.states[:-1]) if self.person is None or state.to_move == self.person]
        if not own:
            return 0
        count = len(self.moves) - own[-1]
        del self.states[own[-1] + 1 :], self.moves[own[-1] :]
        return count

    def notation(self) -> list[str]:
        """Writes the moves: in SAN where the game has it."""
        return [move_name(state, move) for state, move in zip(self.states, self.moves, strict=False)]

    def name_of(self, side: int) -> str:
        """Writes who plays a side."""
        if self.opponent is None:
            return "Person"
        return "You" if side == self.person else describe_player(self.opponent)


def describe_player(player: Player) -> str:
    """Writes a player's name with the settings that make its strength."""
    return ", ".join([player.name, *strength_words(type(player), player.config)])


def strength_words(kind: type[Player], config: Any) -> list[str]:
    """Writes the settings that make a player's strength, those in which its levels differ: "depth 3".

    A player without levels is what its network is, which is named instead.
    """
    if not kind.levels:
        return [Path(config.net).name] if getattr(config, "net", None) is not None else []
    return [f"{name.replace('_', ' ')} {value}" for name, value in strength_amounts(kind, config).items()]


def strength_amounts(kind: type[Player], config: Any) -> dict[str, Any]:
    """Returns the settings in which the levels of a player differ."""
    weakest, strongest = kind.levels[0], kind.levels[-1]
    return {
        setting.name: getattr(config, setting.name)
        for setting in settings(kind.config_class)
        if getattr(weakest, setting.name) != getattr(strongest, setting.name)
    }
