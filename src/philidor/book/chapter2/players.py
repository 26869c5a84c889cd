"""Section 2.14: what a network should see of a position, and two ways to play by one without any search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from philidor.book.chapter2.losses import mean_squared
from philidor.book.chapter2.neurons import LINEAR, TANH, Array, Network
from philidor.book.chapter2.optimizers import adam, fit
from philidor.book.items import Exhibit, Finding, Item, Table
from philidor.core.charts import Chart, Series
from philidor.core.random import SplitMix64
from philidor.evaluators.book import evaluate
from philidor.games.chess import Position
from philidor.players import load_engine

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluator

# --- Input --------------------------------------------------------------------------------------------------------

_LEARNED, _KEPT = 2_000, 500
_LONGEST_FEN = 90
_SCALE_CP = 500.0
_HIDDEN, _EPOCHS = 16, 12


def _random_positions(count: int) -> list[Position]:
    """Returns positions of games by chance, each of another game."""
    random = SplitMix64(1)
    found: list[Position] = []
    while len(found) < count:
        position = Position()
        for _ in range(6 + random.below(50)):
            if position.is_over():
                break
            legal = position.legal_moves()
            position = position.play(legal[random.below(len(legal))])
        found.append(position)
    return found


def fen_bits(position: Position) -> Array:
    """Returns the bits of the FEN's letters, with zeros to a fixed length."""
    letters = position.fen().encode().ljust(_LONGEST_FEN, b"\0")[:_LONGEST_FEN]
    return np.unpackbits(np.frombuffer(letters, dtype=np.uint8)).astype(np.float64)


def piece_planes(position: Position) -> Array:
    """Returns 12 planes of 64 squares, one for each kind of piece."""
    planes = np.zeros((12, 64))
    for plane, kind in enumerate("PNBRQKpnbrqk"):
        planes[plane, list(position.pieces(kind))] = 1.0
    return planes.ravel()


def _learning_curve(x: Array, targets: Array) -> list[tuple[float, float]]:
    """Trains on the first rows; returns the error on the others after each epoch."""
    network = Network.random((x.shape[1], _HIDDEN, 1), (TANH, LINEAR), seed=1)
    curve: list[tuple[float, float]] = []

    def watch(epoch: int, _: Array) -> None:
        error, _slope = mean_squared(network.predict(x[_LEARNED:]), targets[_LEARNED:])
        curve.append((float(epoch), float(error)))

    learned = x[:_LEARNED], targets[:_LEARNED]
    fit(network, *learned, adam(0.002), error=mean_squared, epochs=_EPOCHS, batch=25, every=1, watch=watch)
    return curve


def fen_bits_or_planes() -> Exhibit:
    """Trains the same small network on the same positions, shown as text and as planes."""
    positions = _random_positions(_LEARNED + _KEPT)
    targets = np.tanh(np.array([[evaluate(position) / _SCALE_CP] for position in positions]))
    right, kept = targets[:_LEARNED], targets[_LEARNED:]
    know_nothing = float(((kept - right.mean()) ** 2).mean())
    series, errors = [], {}
    inputs: dict[str, Callable[[Position], Array]] = {"FEN bits": fen_bits, "planes": piece_planes}
    for name, encode in inputs.items():
        x = np.stack([encode(position) for position in positions])
        curve = _learning_curve(x, targets)
        series.append(Series(name, tuple(curve)))
        errors[name] = curve[-1][1]
    findings = (
        Finding("error of who always says the mean", "", f"{know_nothing:.3f}"),
        Finding("error with FEN bits", "far from optimal", f"{errors['FEN bits']:.3f}"),
        Finding("error with planes", "better", f"{errors['planes']:.3f}", errors["planes"] < errors["FEN bits"] / 2),
    )
    notes = (
        f"Learned: Listing 3.2's evaluation of {_LEARNED:,} random positions, as tanh of pawns divided by 5; judged on "
        f"{_KEPT:,} others. One hidden layer of {_HIDDEN}, {_EPOCHS} epochs.",
    )
    return Exhibit(findings, notes, (Chart("Error on positions that were not learned", "epoch", tuple(series)),))


# --- Output -------------------------------------------------------------------------------------------------------

_RATING = 1500
_PAIRS = 5
_MOST_PLIES = 120
Choose = Callable[[Position], str]


def _by_policy(net: Evaluator[Position]) -> Choose:
    """Plays the likeliest move: classification."""

    def choose(position: Position) -> str:
        policy = net.evaluate([position])[0].policy
        return max(policy, key=policy.__getitem__)

    return choose


def _by_value(net: Evaluator[Position]) -> Choose:
    """Plays each move, asks who wins there, and takes what is worst for the other side: regression."""

    def choose(position: Position) -> str:
        moves = position.legal_moves()
        after = [position.play(move) for move in moves]
        for move, state in zip(moves, after, strict=True):
            outcome = state.outcome()
            if outcome is not None and outcome.winner == position.to_move:
                return position.uci(move)
        values = [judged.value for judged in net.evaluate(after)]
        return position.uci(moves[min(range(len(moves)), key=values.__getitem__)])

    return choose


def _by_chance(seed: int) -> Choose:
    random = SplitMix64(seed)

    def choose(position: Position) -> str:
        moves = position.legal_moves()
        return position.uci(moves[random.below(len(moves))])

    return choose


def _score(first: Choose, second: Choose, starts: Sequence[Position]) -> float:
    """Returns the first one's share of points, with each start from both sides; long games by who has more pieces."""
    points = 0.0
    for start in starts:
        for players, side in (((first, second), 0), ((second, first), 1)):
            position = start
            for _ in range(_MOST_PLIES):
                if position.is_over():
                    break
                mover = players[0] if position.to_move == 0 else players[1]
                position = position.play(mover(position))
            outcome = position.outcome()
            white = 0.5
            if outcome is None:
                balance = evaluate(position)
                white = 0.5 if abs(balance) < 300 else float(balance > 0)
            elif outcome.winner is not None:
                white = float(outcome.winner == 0)
            points += white if side == 0 else 1 - white
    return points / (2 * len(starts))


def _network(net: Path | None) -> Evaluator[Position]:
    from philidor import load_net
    from philidor.evaluators.human import at_ratings
    from philidor.evaluators.network import NetEvaluator

    found = load_net("human-1" if net is None else str(net))
    assert isinstance(found, NetEvaluator)
    return at_ratings(found, _RATING, _RATING) if net is None else found


def value_or_policy(net: Path | None = None) -> Exhibit:
    """One network asked in both ways: which move is likely, and who wins after each move."""
    from philidor.arena.openings import DEFAULT_BOOK, read_openings, shuffled

    network = _network(net)
    starts = [Position(opening.fen) for opening in shuffled(read_openings(DEFAULT_BOOK, None), 1)[:_PAIRS]]
    policy, value, chance = _by_policy(network), _by_value(network), _by_chance(1)
    few = starts[:3]
    engine = load_engine("alphabeta", depth=1)
    rows = {
        "value against policy": _score(value, policy, starts),
        "policy against a random player": _score(policy, chance, few),
        "value against a random player": _score(value, chance, few),
        "policy against one ply of Listing 3.2": _score(policy, engine.choose, few),
        "value against one ply of Listing 3.2": _score(value, engine.choose, few),
    }
    strong = min(rows["policy against a random player"], rows["value against a random player"])
    findings = (
        Finding("both ways play chess", "both can be used", f"{100 * strong:.0f} % against chance", strong > 0.8),
        Finding(
            "score of the value player against the policy player",
            "more or less the same",
            f"{100 * rows['value against policy']:.0f} %",
        ),
    )
    table = Table("Scores", ("", "score"), tuple((name, f"{100 * share:.0f} %") for name, share in rows.items()))
    which = f"the network human-1 as a player of {_RATING}" if net is None else net.name
    notes = (
        f"Both ask {which}; the value player asks it once for every legal move. {2 * _PAIRS} games, 6 in the "
        f"other rows; after {_MOST_PLIES} plies three pawns more win. --net FILE asks another network.",
    )
    return Exhibit(findings, notes, tables=(table,))


_HERE = "src/philidor/book/chapter2/players.py"
ITEMS = (
    Item(
        name="2.14-inputs",
        title="FEN bits or planes as a network's input",
        section="2.14",
        status="experiment",
        code=_HERE,
        run=fen_bits_or_planes,
    ),
    Item(
        name="2.14-players",
        title="A one-ply value player against a policy player",
        section="2.14",
        status="experiment",
        code=_HERE,
        run=value_or_policy,
        takes_net=True,
    ),
)
