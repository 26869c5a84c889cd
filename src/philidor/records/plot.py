"""Draws statistics as an SVG: ratings, lengths, and who wins at which rating. Needs no plotting library."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from philidor.core.svg import GRID, INK, QUIET, document, round_up, text
from philidor.records.record import Result
from philidor.records.statistics import RATING_BAND, Statistics

WIDTH, HEIGHT = 960, 380
_LEFT, _TOP, _PANEL_WIDTH, _PANEL_HEIGHT, _GAP = 56, 84, 240, 220, 72
_BAR = "#3b6ea5"
# White's wins light, draws gray, Black's wins dark: as the pieces.
_SHARES = ((Result.FIRST_WINS, "#d9b382"), (Result.DRAW, "#b8bfc7"), (Result.SECOND_WINS, "#46515e"))


@dataclass
class Panel:
    """One small chart: bars over bins of equal width, its axes and its title."""

    title: str
    x_label: str
    left: float
    bins: Sequence[int]
    bin_width: int
    parts: list[str] = field(default_factory=list)
    has_bars: bool = False

    def x(self, number: float) -> float:
        """Where bin `number` begins."""
        return self.left + _PANEL_WIDTH * number / max(1, len(self.bins))

    def bar(self, number: int, bottom: float, top: float, color: str, hint: str) -> None:
        """Draws a bar in bin `number` between two heights, given as shares of the panel's."""
        self.has_bars = True
        x, width = self.x(number) + 0.5, self.x(1) - self.x(0) - 1
        y, height = _TOP + _PANEL_HEIGHT * (1 - top), _PANEL_HEIGHT * (top - bottom)
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{color}">'
            f"<title>{escape(hint)}</title></rect>"
        )

    def y_axis(self, labels: Sequence[tuple[float, str]]) -> None:
        """Draws grid lines at these shares of the height."""
        for share, label in labels:
            y = _TOP + _PANEL_HEIGHT * (1 - share)
            self.parts.append(f'<path d="M{self.left:.0f} {y:.1f}h{_PANEL_WIDTH}" stroke="{GRID}"/>')
            self.parts.append(text(self.left - 6, y + 4, label, anchor="end"))

    def finish(self) -> str:
        """Adds titles and the x axis; returns the panel."""
        bottom = _TOP + _PANEL_HEIGHT
        self.parts.append(f'<path d="M{self.left:.0f} {bottom}h{_PANEL_WIDTH}" stroke="{QUIET}"/>')
        self.parts.append(text(self.left, _TOP - 14, self.title, color=INK, weight="600"))
        self.parts.append(text(self.left + _PANEL_WIDTH / 2, bottom + 36, self.x_label, anchor="middle"))
        if not self.has_bars:
            middle = self.left + _PANEL_WIDTH / 2
            self.parts.append(text(middle, _TOP + _PANEL_HEIGHT / 2, "not known for these games", anchor="middle"))
            return "\n".join(self.parts)
        step = max(1, -(-len(self.bins) // 6))
        for number in range(0, len(self.bins), step):
            self.parts.append(text(self.x(number), bottom + 17, str(self.bins[number]), anchor="middle"))
        return "\n".join(self.parts)


def short(number: float) -> str:
    """A count in three or four characters."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.3g}"


def histogram(
    title: str, x_label: str, left: float, counts: Counter[int], bin_width: int, most: int | None = None
) -> str:
    """Bars for how many values fall into each bin; values above `most` are counted in the last bin."""
    binned: Counter[int] = Counter()
    for value, count in counts.items():
        binned[min(value, most or value) // bin_width * bin_width] += count
    bins = range(min(binned, default=0), max(binned, default=0) + bin_width, bin_width)
    panel = Panel(title, x_label, left, bins, bin_width)
    highest = round_up(max(binned.values(), default=1))
    panel.y_axis([(share / 4, short(highest * share / 4)) for share in range(5)])
    for number, start in enumerate(bins):
        if binned[start]:
            above = (
                f"{start} and more"
                if most is not None and start + bin_width > most
                else f"{start}-{start + bin_width - 1}"
            )
            panel.bar(number, 0, binned[start] / highest, _BAR, f"{above}: {binned[start]:,}")
    return panel.finish()


def result_shares(statistics: Statistics, left: float) -> str:
    """How games end at each rating, as shares of one; bands with a handful of games are left out."""
    totals = {band: sum(statistics.bands[band, result] for result, _ in _SHARES) for band in statistics.band_names()}
    bands = [band for band, total in totals.items() if total >= 20]
    bins = range(min(bands, default=0), max(bands, default=0) + RATING_BAND, RATING_BAND)
    players = ("White", "Black") if statistics.game == "chess" else ("first", "second")
    names = (f"{players[0]} wins", "draw", f"{players[1]} wins")
    panel = Panel("Results by rating", "mean rating of both players", left, bins, RATING_BAND)
    panel.y_axis([(share / 4, f"{25 * share} %") for share in range(5)])
    for number, band in enumerate(bins):
        bottom = 0.0
        for (result, color), name in zip(_SHARES, names, strict=True):
            share = statistics.bands[band, result] / totals[band] if band in bands else 0.0
            if share:
                panel.bar(number, bottom, bottom + share, color, f"{band}: {name} {share:.1%} of {totals[band]:,}")
            bottom += share
    x = left
    for (_, color), name in zip(_SHARES, names, strict=True):
        panel.parts.append(f'<rect x="{x}" y="{_TOP + _PANEL_HEIGHT + 48}" width="10" height="10" fill="{color}"/>')
        panel.parts.append(text(x + 14, _TOP + _PANEL_HEIGHT + 57, name, size=10))
        x += 26 + 6 * len(name)
    return panel.finish()


def to_svg(statistics: Statistics, title: str) -> str:
    """The whole picture."""
    lefts = [_LEFT + number * (_PANEL_WIDTH + _GAP) for number in range(3)]
    longest = sorted(statistics.lengths.elements())[-1 - statistics.games // 200] if statistics.games else 0
    length_bin = max(1, round(longest / 24 / 5) * 5)
    summary = f"{statistics.games:,} games, {statistics.plies:,} plies, {statistics.bytes / 1e6:,.1f} MB"
    panels = [
        histogram("Lengths", "plies", lefts[0], statistics.lengths, length_bin, most=longest),
        histogram("Ratings", "rating of each player", lefts[1], statistics.ratings, RATING_BAND // 2),
        result_shares(statistics, lefts[2]),
    ]
    headline = text(_LEFT, 30, title, color=INK, weight="600", size=16)
    return document(WIDTH, HEIGHT, [headline, text(_LEFT, 50, summary, size=12), *panels])
