"""Sections 3.3 and 3.4: can processing power replace evaluation? And what an Elo point is, by games of our own."""

from __future__ import annotations

from philidor.arena.match import Match, MatchConfig
from philidor.arena.standings import Score
from philidor.arena.statistics import elo_of, score_of
from philidor.book.items import Exhibit, Finding, Item, Table
from philidor.core.charts import Chart, Series

_NODES = 1_000
_FACTORS = (1, 10, 100)
_FULL = {"handcrafted": "classic", "network": "nnue"}
_POWER_GAMES = 30


def _played(games: int, *engines: str) -> Score:
    """Lets two of our engines play in threads of this process, at fixed nodes; the first one's view."""
    match = Match(MatchConfig(engines=engines, native=True))
    match.play(games, 1, lambda result: None)
    return match.standings.between(0, 1)


def _in_words(score: Score) -> str:
    return f"{score.wins} / {score.draws} / {score.losses}"


def power_against_evaluation() -> Exhibit:
    """Section 3.4: counting pieces with 10 and 100 times the positions against a full evaluation."""
    rows, series = [], []
    shares: dict[tuple[str, int], float] = {}
    for name, full in _FULL.items():
        points = []
        for factor in _FACTORS:
            score = _played(_POWER_GAMES, f"classic evaluator=book nodes={factor * _NODES}", f"{full} nodes={_NODES}")
            shares[name, factor] = score.points / score.games
            rows.append((name, f"{factor} x {_NODES:,}", _in_words(score), f"{100 * shares[name, factor]:.0f} %"))
            points.append((float(_FACTORS.index(factor)), shares[name, factor]))
        series.append(Series(f"against {name}", tuple(points)))
    equal = [shares[name, 1] for name in _FULL]
    findings = (
        Finding(
            "with equal positions, counting pieces loses",
            "evaluation is crucial",
            ", ".join(f"{100 * share:.0f} %" for share in equal),
            max(equal) < 0.5,
        ),
        Finding(
            "with 100 times the positions it scores",
            "cannot compensate",
            ", ".join(f"{100 * shares[name, 100]:.0f} % against {name}" for name in _FULL),
        ),
    )
    table = Table(
        "Counting pieces, by how much more it may search",
        ("against", "positions a move", "won / drawn / lost", "score"),
        tuple(rows),
    )
    notes = (
        f"The full evaluations search {_NODES:,} positions a move; the search is the same. {_POWER_GAMES} games a row.",
        "The piece counter is Listing 3.2's: piece values and squares. About ten times the positions make up for the "
        "evaluation in games as short as these.",
    )
    chart = Chart("Score of counting pieces", "10 to the power of", tuple(series), 1.0, True)
    return Exhibit(findings, notes, (chart,), tables=(table,))


_ELO_NODES = (100, 200, 400)
_ELO_GAMES = 300


def elo_explained() -> Exhibit:
    """What Elo differences mean, and that they add up: three strengths of one engine play each other."""
    low, middle, high = (f"nnue nodes={nodes}" for nodes in _ELO_NODES)
    first, second, both = (_played(_ELO_GAMES, *pair) for pair in ((middle, low), (high, middle), (high, low)))
    steps = [elo_of(score.points / score.games) for score in (first, second)]
    expected = score_of(sum(steps))
    measured = both.points / both.games
    names = [f"{a} against {b} positions" for a, b in ((200, 100), (400, 200), (400, 100))]
    table = Table(
        f"{_ELO_GAMES} games each",
        ("nnue with", "won / drawn / lost", "score", "Elo difference"),
        tuple(
            (name, _in_words(score), f"{100 * score.points / score.games:.1f} %", str(score.pairs.elo))
            for name, score in zip(names, (first, second, both), strict=True)
        ),
    )
    findings = (
        Finding("score of a player 100 points stronger, %", "", f"{100 * score_of(100):.0f}", None),
        Finding("score of a player 400 points stronger, %", "", f"{100 * score_of(400):.0f}", None),
        Finding("the two differences added up", "", f"{sum(steps):+.0f}"),
        Finding("score that this lets expect, %", "", f"{100 * expected:.1f}"),
        Finding("score in games, %", "", f"{100 * measured:.1f}", abs(measured - expected) < 0.1),
    )
    curve = tuple((float(elo), score_of(elo)) for elo in range(-600, 601, 25))
    points = tuple(
        (elo, score.points / score.games)
        for elo, score in zip((*steps, sum(steps)), (first, second, both), strict=True)
    )
    drawn = (Series("formula", curve), Series("our games", points, has_line=False))
    chart = Chart("Score by Elo difference", "Elo difference", drawn, 1.0, True)
    notes = (
        "Elo is a scale of expected scores: 1 / (1 + 10^(-difference / 400)). Only differences within one pool mean "
        "anything; their errors shrink with the square root of the games.",
    )
    return Exhibit(findings, notes, (chart,), tables=(table,))


_HERE = "src/philidor/book/chapter3/power.py"
ITEMS = (
    Item(
        name="3.4-power",
        title="Can processing power replace evaluation? (takes two minutes)",
        section="3.4",
        status="experiment",
        code=_HERE,
        run=power_against_evaluation,
    ),
    Item(
        name="elo",
        also=("3.3-elo",),
        title="What an Elo point is, by games of our own",
        section="3.3",
        status="experiment",
        code=_HERE,
        run=elo_explained,
    ),
)
