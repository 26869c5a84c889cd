"""The clocks of GTP: absolute time, Canadian and Japanese byo-yomi, and time for each move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from philidor.core.thinking import NO_LIMITS, Limits, TimeLeft
from philidor.protocols.gtp import GtpError, parse_color, parse_float, parse_int

# What a move may take longer than we mean it to: the GUI's and the system's time.
_LAG_S = 0.05


@dataclass(frozen=True, slots=True)
class Clock:
    """What was said of the time, and what is left of it."""

    main_s: float = 0.0
    byo_s: float = 0.0
    """A byo-yomi period, or with `is_fischer` what each move adds."""
    byo_stones: int = 0
    """Moves for one period; by Japanese byo-yomi always one."""
    periods: int = 1
    is_fischer: bool = False
    is_limited: bool = False
    left: tuple[tuple[float, int] | None, tuple[float, int] | None] = (None, None)
    """By color: seconds, and stones to play in them; 0 stones for main time."""

    def told(self, words: Sequence[str]) -> Clock:
        """Returns the clock after "time_left color seconds stones". Raises GtpError."""
        if len(words) not in (2, 3):
            raise GtpError("syntax error: time_left color seconds stones")
        color = parse_color(words[0])
        news = (parse_float(words[1]), parse_int(words[2]) if len(words) == 3 else 0)
        left = (news, self.left[1]) if color == 0 else (self.left[0], news)
        return replace(self, left=left, is_limited=True)

    def limits(self, color: int) -> Limits:
        """Returns what a move may cost."""
        if not self.is_limited:
            return NO_LIMITS
        seconds, stones = self.left[color] or self._untold()
        if self.is_fischer:
            return self._share(color, seconds, self.byo_s, None)
        if stones > 0:
            # By Japanese byo-yomi servers tell the periods that are left in place of stones: each move has a whole one.
            moves = 1 if self.byo_stones <= 1 else stones
            return Limits(time_s=max(0.01, seconds / moves - _LAG_S), replace_own=True)
        spare = self.byo_s / max(1, self.byo_stones)
        return self._share(color, seconds, spare, None)

    def _untold(self) -> tuple[float, int]:
        """Nobody has said how much time is left: it is all there."""
        return (self.main_s, 0) if self.main_s > 0 else (self.byo_s, self.byo_stones)

    @staticmethod
    def _share(color: int, seconds: float, spare_s: float, moves: int | None) -> Limits:
        both = (round(1000 * max(0.02, seconds - _LAG_S)),) * 2
        spare_ms = round(1000 * spare_s)
        left = TimeLeft(ms=(both[0], both[1]), increments_ms=(spare_ms, spare_ms), moves_to_go=moves)
        # Byo-yomi follows when the main time is used up, so a move may use its share of both.
        share = max(left.share_s(color), 0.8 * spare_s)
        return Limits(time_s=share, replace_own=True)


def time_settings(words: Sequence[str]) -> Clock:
    """Reads "time_settings main byo stones". Raises GtpError."""
    if len(words) != 3:
        raise GtpError("syntax error: time_settings main_time byo_yomi_time byo_yomi_stones")
    main, byo, stones = parse_float(words[0]), parse_float(words[1]), parse_int(words[2])
    # The standard: a period for no stones means no limit.
    return Clock(main_s=main, byo_s=byo, byo_stones=stones, is_limited=not (byo > 0 and stones == 0))


def named_settings(words: Sequence[str]) -> Clock:
    """Reads what follows "kgs-time_settings" and "kata-time_settings". Raises GtpError."""
    kind, numbers = (words[0].lower(), [parse_float(word) for word in words[1:]]) if words else ("", [])
    if kind == "none" and not numbers:
        return Clock()
    if kind == "absolute" and len(numbers) == 1:
        return Clock(main_s=numbers[0], is_limited=True)
    if kind == "canadian" and len(numbers) == 3:
        return Clock(main_s=numbers[0], byo_s=numbers[1], byo_stones=int(numbers[2]), is_limited=True)
    if kind == "byoyomi" and len(numbers) == 3:
        return Clock(main_s=numbers[0], byo_s=numbers[1], byo_stones=1, periods=int(numbers[2]), is_limited=True)
    if kind in ("fischer", "fischer-capped") and len(numbers) >= 2:
        return Clock(main_s=numbers[0], byo_s=numbers[1], is_fischer=True, is_limited=True)
    raise GtpError("syntax error: none | absolute main | canadian main byo stones | byoyomi main byo periods")
