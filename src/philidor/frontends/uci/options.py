"""The options that every engine has over UCI, whatever is inside it; an engine's own come from its config class."""

from __future__ import annotations

from dataclasses import dataclass, field

from philidor.core.config import check, combo, spin, text, validate
from philidor.players import DEFAULT_ENGINE, ENGINES, player_class, rating_setting
from philidor.players.sparring import HIGHEST_ELO, LOWEST_ELO

_RATED = [found for name in ENGINES if (found := rating_setting(player_class(name).config_class)) is not None]
_LOWEST = int(min(setting.minimum or 0 for setting in _RATED))
_HIGHEST = int(max(setting.maximum or 0 for setting in _RATED))
_FULL_SKILL = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class UciConfig:
    """What a conversation with a GUI is about."""

    engine: str = field(default=DEFAULT_ENGINE, metadata=combo("Engine", tuple(ENGINES)))
    """Who thinks."""
    ponder: bool = field(default=False, metadata=check("Ponder"))
    """Whether the GUI may let the engine think on the opponent's time; it asks by "go ponder"."""
    chess960: bool = field(default=False, metadata=check("UCI_Chess960"))
    """Whether castling is written as king takes rook."""
    show_wdl: bool = field(default=False, metadata=check("UCI_ShowWDL"))
    """Whether info lines tell win, draw and loss in thousandths."""
    show_moves_left: bool = field(default=False, metadata=check("UCI_ShowMovesLeft"))
    """Whether info lines tell how many moves the game is expected to last, if the network knows."""
    limit_strength: bool = field(default=False, metadata=check("UCI_LimitStrength"))
    """Whether to play at the rating of UCI_Elo. Analysis is at full strength, except by engines that have a rating."""
    elo: int = field(default=1200, metadata=spin("UCI_Elo", _LOWEST, _HIGHEST))
    """The rating to play at, or the nearest one that whoever plays at ratings has: the engine itself if it is one of
    them, and else the sparring partner."""
    skill_level: int = field(default=_FULL_SKILL, metadata=spin("Skill Level", 0, _FULL_SKILL))
    """Strength from 0, the lowest rating, to 19, the highest; 20 is full strength. UCI_LimitStrength goes first."""
    syzygy_path: str | None = field(default=None, metadata=text("SyzygyPath"))
    """Folders with endgame tables, separated as in PATH."""
    own_book: bool = field(default=False, metadata=check("OwnBook"))
    """Whether to play by the book of BookFile."""
    book_file: str | None = field(default=None, metadata=text("BookFile"))
    """An opening book in Polyglot's format."""
    debug_log_file: str | None = field(default=None, metadata=text("Debug Log File"))
    """A file to which everything said and heard is appended."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def limited_elo(self) -> int | None:
        """The rating to play at, or None for full strength."""
        if self.limit_strength:
            return self.elo
        if self.skill_level == _FULL_SKILL:
            return None
        return LOWEST_ELO + (HIGHEST_ELO - LOWEST_ELO) * self.skill_level // (_FULL_SKILL - 1)
