"""`philidor analyse --fen`: a position's candidate moves as a table, each with a small curve over ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from philidor.cli.arguments import give

if TYPE_CHECKING:
    from philidor.reviews.candidates import Candidate, PositionReview
    from philidor.reviews.config import ReviewConfig

_BARS = " ▁▂▃▄▅▆▇█"
_MIDDLE = 1600


def show_position(fen: str, config: ReviewConfig, *, as_json: bool) -> None:
    """Prints the table. Raises FenError, ConfigError, NetError."""
    from philidor.games.chess import Position
    from philidor.reviews.candidates import review_position

    found = review_position(Position(fen), config)
    if as_json:
        give(found.to_dict(), "", as_json=True)
        return
    _show(found, config.human)


def curve(shares: list[float]) -> str:
    """Draws shares as bars, a full one for a half or more; what nobody plays is blank."""
    return "".join(_BARS[0 if share < 0.005 else 1 + min(7, int(16 * share))] for share in shares)


def _show(found: PositionReview, rating: int | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from philidor.reviews.crowd import nearest

    ends = [found.ratings[0], found.ratings[-1]] if found.ratings else []
    shown = sorted({*ends, nearest(found.ratings, rating or _MIDDLE)}) if ends else [0]
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("move")
    table.add_column("score", justify="right")
    table.add_column("cost", justify="right")
    table.add_column(f"{ends[0]}-{ends[1]}" if ends else "")
    for each in shown:
        table.add_column(str(each) if each else "people", justify="right")
    table.add_column("")
    for candidate in found.candidates:
        table.add_row(*_row(candidate, found.ratings, shown))
    console = Console()
    console.print(f"{found.fen}\n{found.score} for the side to move, by {found.judge}\n", markup=False, highlight=False)
    console.print(table)
    people = "bars show how often people of each rating play the move" if ends else "the network knows no ratings"
    console.print(f"\nCost is in points of win percentage; {people}.", highlight=False)


def _row(candidate: Candidate, ratings: tuple[int, ...], shown: list[int]) -> list[str]:
    shares = [candidate.shares.get(rating, 0.0) for rating in ratings]
    bars = f"▕{curve(shares)}▏" if ratings else ""
    numbers = [f"{candidate.shares.get(rating, 0.0):.0%}" for rating in shown]
    note = "trap: popular and losing" if candidate.is_trap else ""
    score = "mates" if candidate.score.mate == 0 else str(candidate.score)
    return [candidate.san, score, f"{candidate.cost:.1f}", bars, *numbers, note]
