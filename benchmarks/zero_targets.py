"""Measures how much better than its network the searches are that teach it, by what their lessons give away.

    python benchmarks/zero_targets.py NETWORK "simulations=64" "simulations=64,target_scale=1,noise=0.1" \
        "search=gumbel,simulations=64,gumbel_considered=32,gumbel_c_scale=2"

Self-play teaches a policy what searches found (book, ch. 4.2.2 and 4.3). Each setting of a pool searches the same
positions, which the network has come to in games against itself. An engine judges what each move gives away of the
expected result; a policy that is drawn from gives away the mean of that. A network learns no faster than its lessons
are better than it is.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from measure import as_json, headline, machine

from philidor import load_engine
from philidor.core.errors import PhilidorError
from philidor.core.evaluation import Evaluator
from philidor.core.options import override
from philidor.core.random import SplitMix64
from philidor.games.chess import Position
from philidor.inside.nets import load_policy_net
from philidor.search.trees.native import PuctSearch
from philidor.selfplay.pool import PoolConfig
from philidor.selfplay.pool.choice import draw, lesson, policy_target
from philidor.selfplay.pool.games import POLICY_PARTS

# Games in which positions are looked for together, and how long they are at most: enough for all parts of a game.
_GAMES, _LAST_PLY, _OPENING_PLIES = 32, 90, 24
# Centipawns that an expectation of 1 / (1 + 1 / e) is worth to the judge (docs/nnue-training.md).
_SCALE = 150.0
_CERTAIN_CP = 3000


@dataclass(frozen=True, slots=True)
class Result:
    """What a policy gives away, in percent of a point; means over all positions."""

    drawn: float
    """If a move is drawn from it."""
    likeliest: float
    """If its likeliest move is played."""
    gain: float
    """How much less than the network's own policy gives away, moves drawn."""
    error: float
    """Of the gain, 95 %."""
    entropy: float
    """In nats."""


def own_positions(evaluator: Evaluator[Any], count: int, random: SplitMix64) -> list[Position]:
    """Returns positions with a choice of moves, one a game: after a random opening, moves are drawn by the policy."""
    found: list[Position] = []
    while len(found) < count:
        found += _from_games(evaluator, random)
    return found[:count]


def _from_games(evaluator: Evaluator[Any], random: SplitMix64) -> Iterator[Position]:
    games = {number: Position() for number in range(_GAMES)}
    wanted = {number: 6 + random.below(_LAST_PLY - 6) for number in games}
    openings = {number: random.below(_OPENING_PLIES) for number in games}
    for ply in range(_LAST_PLY):
        judged = dict(zip(games, evaluator.evaluate(list(games.values())), strict=True))
        for number, position in list(games.items()):
            if ply == wanted[number]:
                yield games.pop(number)
                continue
            moves = position.legal_moves()
            if ply < openings[number]:
                place = random.below(len(moves))
            else:
                place = draw(policy_target(list(judged[number].priors)), 1.0, random)
            games[number] = position.play(moves[place])
            if games[number].is_over() or len(games[number].legal_moves()) < 2:
                del games[number]
        if not games:
            return


def losses(position: Position, judge: Any, nodes: int) -> list[float]:
    """Returns what each legal move gives away of the expected result, by searches of the positions after it."""
    expected = []
    for move in position.legal_moves():
        after = position.play(move)
        if (outcome := after.outcome()) is not None:
            expected.append(0.5 if outcome.winner is None else 1.0)
            continue
        score = judge.analyse(after, nodes=nodes).lines[0].score
        cp = score.cp if score.mate is None else math.copysign(_CERTAIN_CP, score.mate)
        expected.append(1 / (1 + math.exp(cp / _SCALE)))
    return [max(expected) - each for each in expected]


def taught(position: Position, config: PoolConfig, evaluator: Evaluator[Any], seed: int) -> list[int]:
    """Returns what one full search of a pool teaches, by its moves' places."""
    searched = config.search_config(True, seed)
    search = PuctSearch(position, searched)
    search.run(evaluator, searched.simulations)
    return lesson(search, searched, config)


def result(
    policies: Sequence[Sequence[float]], own: Sequence[Sequence[float]], given_away: Sequence[Sequence[float]]
) -> Result:
    """Compares policies with the network's own; neither needs to sum up to 1."""
    drawn, likeliest, entropies, before = [], [], [], []
    for policy, prior, loss in zip(policies, own, given_away, strict=True):
        shares, priors = np.array(policy) / np.sum(policy), np.array(prior) / np.sum(prior)
        drawn.append(float(shares @ loss))
        before.append(float(priors @ loss))
        likeliest.append(loss[int(shares.argmax())])
        entropies.append(-float(shares @ np.log(np.maximum(shares, 1 / POLICY_PARTS))))
    gains = np.array(before) - drawn
    error = 1.96 * float(gains.std(ddof=1)) / math.sqrt(len(gains)) if len(gains) > 1 else math.nan
    mean_drawn, mean_likeliest, gain = (100 * float(np.mean(each)) for each in (drawn, likeliest, gains))
    return Result(mean_drawn, mean_likeliest, gain, 100 * error, float(np.mean(entropies)))


def settings_of(text: str) -> PoolConfig:
    """Reads settings of a pool, NAME=VALUE,... as `philidor train` has them after --self-play. Raises ConfigError."""
    pairs = (part.strip().partition("=") for part in text.split(","))
    return override(PoolConfig(), {name.replace("-", "_"): value for name, _, value in pairs})


def main(words: list[str] | None = None) -> None:
    """Prints a row for the policy, and one for each search."""
    parser = argparse.ArgumentParser(description="Measures how much better than its network a search's lessons are.")
    parser.add_argument("network", help="A chess network with a policy: a file or a shipped one's name.")
    parser.add_argument("settings", nargs="+", help="A pool's settings: simulations=64,target_scale=1.")
    parser.add_argument("--positions", type=int, default=250, help="Positions to search.")
    parser.add_argument("--judge", default="nnue", help="The engine that judges moves.")
    parser.add_argument("--nodes", type=int, default=3000, help="Its nodes for each move.")
    parser.add_argument("--seed", type=int, default=1, help="Seed of the positions and of the searches' chance.")
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    options = parser.parse_args(words)
    where = machine()
    try:
        evaluator, _ = load_policy_net(options.network)
        judge = load_engine(options.judge)
        configs = [settings_of(text) for text in options.settings]
    except PhilidorError as error:
        parser.error(str(error))
    random = SplitMix64(options.seed)
    positions = own_positions(evaluator, options.positions, random)
    given_away = [losses(position, judge, options.nodes) for position in positions]
    own = [[float(prior) for prior in found.priors] for found in evaluator.evaluate(positions)]
    if not options.json:
        print(headline(where))
        print(
            f"{'percent of a point given away':58} {'drawn':>6} {'likeliest':>9} {'gain':>14} {'entropy':>8}",
            flush=True,
        )
    found = {"the policy": result(own, own, given_away)}
    _print("the policy", found["the policy"], options.json)
    for text, config in zip(options.settings, configs, strict=True):
        seeds = [random.next() >> 1 for _ in positions]
        lessons = [taught(position, config, evaluator, seed) for position, seed in zip(positions, seeds, strict=True)]
        found[text] = result(lessons, own, given_away)
        _print(text, found[text], options.json)
    if options.json:
        rows = [{"lesson": name, **asdict(each)} for name, each in found.items()]
        print(as_json("zero_targets", where, rows))


def _print(name: str, found: Result, is_json: bool) -> None:
    if is_json:
        return
    gain = f"{found.gain:.2f} ± {found.error:.2f}"
    print(f"{name:58} {found.drawn:6.2f} {found.likeliest:9.2f} {gain:>14} {found.entropy:8.2f}", flush=True)


if __name__ == "__main__":
    main()
