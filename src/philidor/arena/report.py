"""What a match has come to: the block that engine developers paste under their changes, a table, and plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from philidor.arena.match import Match
from philidor.arena.openings import DEFAULT_BOOK
from philidor.arena.ratings import Encounter, rating_list
from philidor.arena.standings import Score
from philidor.arena.statistics import Estimate

_RULE = "-" * 50


def text_report(match: Match, anchors: Mapping[str, float] | None = None) -> str:
    """Returns a block for two engines; for more, or with `anchors` (known ratings), a rating list before it."""
    has_list = len(match.engines) > 2 or anchors
    blocks = ["\n".join(_ranking(match, anchors or {}))] if has_list else []
    blocks += ["\n".join(_block(match, a, b)) for a, b in match.standings.encounters()]
    return "\n".join([_RULE, f"\n{_RULE}\n".join([*blocks, "\n".join(_endings(match))]), _RULE])


def _block(match: Match, engine: int, opponent: int) -> list[str]:
    score = match.standings.between(engine, opponent)
    pairs, names = score.pairs, [spec.name for spec in match.engines]
    share = 100 * score.points / score.games if score.games else 0.0
    lines = [
        f"Results of {names[engine]} vs {names[opponent]} ({_conditions(match, engine, opponent)}):",
        f"Elo: {pairs.elo}, nElo: {pairs.normalized_elo}",
        f"LOS: {100 * pairs.likelihood_of_superiority:.2f} %, DrawRatio: {100 * pairs.draw_ratio:.2f} %, "
        f"PairsRatio: {pairs.pairs_ratio:.2f}",
        f"Games: {score.games}, Wins: {score.wins}, Losses: {score.losses}, Draws: {score.draws}, "
        f"Points: {score.points:.1f} ({share:.2f} %)",
        f"Ptnml(0-2): {list(pairs.counts)}",
    ]
    faults = [line for a, b in ((engine, opponent), (opponent, engine)) for line in _fault_line(match, a, b)]
    return [*lines, *faults, *_sprt_line(match)]


def _conditions(match: Match, engine: int, opponent: int) -> str:
    limits = [str(match.engines[i].limit or match.config.limit) for i in (engine, opponent)]
    limit = limits[0] if limits[0] == limits[1] else " vs ".join(limits)
    if match.game.name == "chess":
        return f"{limit}, {(match.config.openings or DEFAULT_BOOK).name}"
    return f"{match.game.name}, {limit}, {match.config.openings.name if match.config.openings else 'random openings'}"


def _sprt_line(match: Match) -> list[str]:
    test = match.config.test
    if test is None:
        return []
    llr, (low, high) = test.llr(match.standings.between(0, 1).pairs.counts), test.bounds
    share = 100 * (llr / high if llr > 0 else llr / -low)
    verdict = {"H0": f" - {test.elo0:g} accepted", "H1": f" - {test.elo1:g} accepted", None: ""}[match.decision()]
    return [f"LLR: {llr:.2f} ({share:.1f}%) ({low:.2f}, {high:.2f}) [{test.elo0:.2f}, {test.elo1:.2f}]{verdict}"]


def _fault_line(match: Match, engine: int, opponent: int | None = None) -> list[str]:
    faults = sorted(match.standings.faults(engine, opponent).items())
    return [f"Faults of {match.engines[engine].name}: " + ", ".join(f"{kind} {n}" for kind, n in faults)] * bool(faults)


def _endings(match: Match) -> list[str]:
    reasons = match.standings.reasons.most_common()
    lines = ["Endings: " + ", ".join(f"{reason} {count}" for reason, count in reasons)]
    # For two engines their block has said it.
    if len(match.engines) > 2:
        lines += [line for engine in range(len(match.engines)) for line in _fault_line(match, engine)]
    return lines


def ratings(match: Match, anchors: Mapping[str, float] | None = None) -> list[Estimate]:
    """Returns a rating for each engine; before all have met by way of others, nothing is known of any."""
    names = [spec.name for spec in match.engines]
    encounters = {}
    for a, b in match.standings.encounters():
        score = match.standings.between(a, b)
        encounters[a, b] = Encounter(score.games, score.points, score.pairs)
    fixed = {names.index(name): rating for name, rating in (anchors or {}).items()}
    return rating_list(len(names), encounters, fixed) or [Estimate(0.0, math.inf)] * len(names)


def _ranking(match: Match, anchors: Mapping[str, float]) -> list[str]:
    names, estimates = [spec.name for spec in match.engines], ratings(match, anchors)
    width = max(map(len, names))
    lines = [f"{'Rank':>4} {'Name':<{width}} {'Elo':>8} {'+/-':>7} {'Games':>6} {'Points':>8} {'Score':>7}"]
    for rank, i in enumerate(sorted(range(len(names)), key=lambda i: -estimates[i].value), start=1):
        total = match.standings.total(i)
        share = 100 * total.points / max(total.games, 1)
        lines.append(
            f"{rank:>4} {names[i]:<{width}} {estimates[i].value:>8.2f} {estimates[i].error:>7.2f} "
            f"{total.games:>6} {total.points:>8.1f} {share:>5.1f} %"
        )
    return lines


def data_report(match: Match, anchors: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Returns the same for programs; numbers that are infinite or unknown are None."""
    standings, names = match.standings, [spec.name for spec in match.engines]
    estimates = ratings(match, anchors)
    return {
        "engines": names,
        "games": standings.games,
        "ratings": {name: _estimate(rating) for name, rating in zip(names, estimates, strict=True)},
        "encounters": [
            {
                "engine": names[a],
                "opponent": names[b],
                **_score_data(standings.between(a, b)),
                "faults": dict(standings.faults(a, b)),
                "opponent_faults": dict(standings.faults(b, a)),
            }
            for a, b in standings.encounters()
        ],
        "sprt": _sprt_data(match),
        "endings": dict(standings.reasons),
        "faults": {name: dict(faults) for i, name in enumerate(names) if (faults := standings.faults(i))},
        "run": None if match.run is None else str(match.run.path),
    }


def _score_data(score: Score) -> dict[str, Any]:
    pairs = score.pairs
    return {
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "points": score.points,
        "pentanomial": list(pairs.counts),
        "elo": _estimate(pairs.elo),
        "normalized_elo": _estimate(pairs.normalized_elo),
        "los": pairs.likelihood_of_superiority,
        "draw_ratio": pairs.draw_ratio,
        "pairs_ratio": _finite(pairs.pairs_ratio),
    }


def _sprt_data(match: Match) -> dict[str, Any] | None:
    test = match.config.test
    if test is None:
        return None
    llr = test.llr(match.standings.between(0, 1).pairs.counts)
    bounds = {"elo0": test.elo0, "elo1": test.elo1, "model": test.model, "bounds": list(test.bounds)}
    return {"llr": llr, "decision": match.decision(), **bounds}


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"value": _finite(estimate.value), "error": _finite(estimate.error)}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
