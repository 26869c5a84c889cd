"""Shows what a run of rounds learned when: ratings of its networks, and what pieces are worth to them.

    python benchmarks/nnue_over_time.py runs/nothing --every 4 --games 40 --out runs/over-time

Every fourth network, the first and the last among them, and the handcrafted engine with four numbers of nodes meet each
other; the rating list is one for all, and the strongest of the handcrafted ones has rating 0. What a piece is worth is
what a position loses without it, in centipawns, as the mean over `--positions` openings after random plies. DIR has the
match (stopped, the same command continues), a table (over-time.md) and a picture (over-time.svg). Exit code 2 says that
the run is not what is needed.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import headline, machine

from philidor.arena.match import Match, MatchConfig
from philidor.arena.report import ratings
from philidor.arena.statistics import Estimate
from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.cores import cores
from philidor.core.errors import ConfigError, PhilidorError
from philidor.core.markdown import table_lines
from philidor.core.random import SplitMix64
from philidor.core.runs import Run
from philidor.evaluators.nnue import NnueEvaluator
from philidor.games.chess import Position

PIECES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen"}
# Of moves that nobody chose: pieces stand anywhere, and some are gone.
_FEWEST_PLIES, _MORE_PLIES = 8, 24
# The axis of ratings begins at a multiple of it, so that its four steps are round numbers.
_ROUND_ELO = 200


@dataclass(frozen=True, slots=True)
class Network:
    """A round's network."""

    round: int
    path: Path
    games: int
    """Games that were played until then, all rounds together."""

    @property
    def name(self) -> str:
        """As it is called in the match."""
        return f"round-{self.round}"


def networks_of(run: Run, every: int) -> list[Network]:
    """Returns some networks of a run of rounds, the last among them. Raises ConfigError if there is none."""
    found: list[Network] = []
    games = 0
    for line in run.metrics():
        if line.get("stage") == "games":
            games += line["games"]
        elif line.get("stage") == "net":
            number = line["round"]
            found.append(Network(number, run.checkpoints / Path(line["net"]).name, games))
    if not found:
        raise ConfigError(f"{str(run.path)!r} is no run of rounds that has made a network")
    return [each for each in found if each.round % every == 0 or each is found[-1]]


def positions(count: int, seed: int = 1) -> list[Position]:
    """Returns positions after random plies, none of them over."""
    random = SplitMix64(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position()
        for _ in range(_FEWEST_PLIES + random.below(_MORE_PLIES)):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(moves[random.below(len(moves))])
        if not position.is_over():
            found.append(position)
    return found


def piece_worths(network: Path, where: Sequence[Position]) -> dict[str, float]:
    """Returns what a piece of each kind is worth to its side, in centipawns."""
    evaluator = NnueEvaluator.load(network)
    found: dict[str, list[int]] = {piece: [] for piece in PIECES}
    for position in where:
        for square, value in evaluator.piece_values(position).items():
            piece = position.piece_at(square)
            if piece is not None and piece.lower() in found:
                found[piece.lower()].append(value if piece.isupper() else -value)
    return {piece: statistics.fmean(values) for piece, values in found.items() if values}


def rate(chosen: Sequence[Network], given: argparse.Namespace) -> dict[str, Estimate]:
    """Lets all meet each other, and returns their ratings. Raises PhilidorError."""
    anchors = {f"classic-{nodes}": f"classic name=classic-{nodes} nodes={nodes}" for nodes in sorted(given.anchors)}
    engines = [f"nnue name={each.name} net={each.path.absolute()} nodes={given.nodes}" for each in chosen]
    match = Match(MatchConfig(engines=(*engines, *anchors.values())), given.out / "match")
    match.play(given.games, given.concurrency, lambda _: None)
    names = [each.name for each in match.engines]
    return dict(zip(names, ratings(match, {list(anchors)[-1]: 0.0}), strict=True))


def rows_of(
    chosen: Sequence[Network], rated: dict[str, Estimate], worths: Sequence[dict[str, float]]
) -> list[list[str]]:
    """Returns the table: networks in their order, then the handcrafted engines."""
    rows = []
    for each, worth in zip(chosen, worths, strict=True):
        values = [f"{worth[piece]:.0f}" if piece in worth else "" for piece in PIECES]
        rows.append([str(each.round), f"{each.games:,}", _shown(rated[each.name]), *values])
    own = {each.name for each in chosen}
    return rows + [[name, "", _shown(rating), *[""] * len(PIECES)] for name, rating in rated.items() if name not in own]


def _shown(rating: Estimate) -> str:
    return f"{rating.value:+.0f} ± {rating.error:.0f}"


def picture(
    chosen: Sequence[Network], rated: dict[str, Estimate], worths: Sequence[dict[str, float]], nodes: int
) -> str:
    """Draws both over the games."""
    games = [each.games / 1000 for each in chosen]
    own = tuple((x, rated[each.name].value) for x, each in zip(games, chosen, strict=True))
    names = {each.name for each in chosen}
    lines = [Series("its networks", own, tuple(rated[each.name].error for each in chosen))]
    for name, rating in rated.items():
        if name not in names:
            lines.append(Series(name, ((games[0], rating.value), (games[-1], rating.value))))
    values = [
        Series(name, tuple((x, worth[piece]) for x, worth in zip(games, worths, strict=True) if piece in worth))
        for piece, name in PIECES.items()
    ]
    bottom = -_ROUND_ELO * math.ceil(max(-min(rating.value for rating in rated.values()), 1) / _ROUND_ELO)
    panels = (
        Chart(f"Rating, {nodes:,} nodes a move", "thousand games", tuple(lines), bottom=bottom),
        Chart("What a piece is worth (centipawns)", "thousand games", tuple(values)),
    )
    return draw_charts("Learned from nothing", "each point is a network of the run", panels)


def main(words: Sequence[str] | None = None) -> int:
    """Prints the table; returns the exit code."""
    parser = argparse.ArgumentParser(description="Shows what a run of rounds learned when.")
    parser.add_argument("run", type=Path, help="run folder of train nnue-from-nothing or nnue-rounds")
    parser.add_argument("--every", type=int, default=4, help="rounds from one network to the next")
    parser.add_argument("--nodes", type=int, default=2_000, help="nodes a move of the networks")
    parser.add_argument("--anchors", type=int, nargs="+", default=[20, 100, 500, 2_000], help="nodes of classic")
    parser.add_argument("--games", type=int, default=40, help="games of each two")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=cores())
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(words)
    try:
        chosen = networks_of(Run(given.run), given.every)
        rated = rate(chosen, given)
        where = positions(given.positions)
        worths = [piece_worths(each.path, where) for each in chosen]
    except PhilidorError as error:
        print(f"nnue_over_time: {error}", file=sys.stderr)
        return 2
    head = ["round", "games", "Elo", *PIECES.values()]
    lines = table_lines(head, rows_of(chosen, rated, worths))
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "over-time.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (given.out / "over-time.svg").write_text(picture(chosen, rated, worths, given.nodes), encoding="utf-8")
    print(headline(machine()))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
