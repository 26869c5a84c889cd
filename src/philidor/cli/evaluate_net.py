"""What `philidor eval --net` says: the network's chances, its number, and the moves it would look at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluation
    from philidor.evaluators.loading import Net

_MOST_MOVES = 12


def evaluate_by_net(position: Any, name: str | None, own_game: str | None, *, as_json: bool) -> None:
    """Prints a network's judgment of a position: that of a file, of a shipped one, or of the default one.

    `own_game` is the position's game if it is one of the user's own; others a network names itself.
    """
    from philidor.evaluators.loading import load_net
    from philidor.nets.shipped import DEFAULT_NET

    net = load_net(name, game=own_game) if name is not None else _default_net()
    result = judge(position, net, name or DEFAULT_NET)
    print(json.dumps(result)) if as_json else _show(position, result)


def _default_net() -> Net:
    """Loads the default network, whose own loader says what to do where it is missing. Raises NetError."""
    from philidor.evaluators.nnue import NnueEvaluator
    from philidor.nets.shipped import DEFAULT_NET

    return NnueEvaluator.load(DEFAULT_NET)


def judge(position: Any, net: Net, path: str) -> dict[str, Any]:
    """Returns a network's judgment as plain data; all views are the side to move's."""
    from philidor.evaluators.network import NetEvaluator
    from philidor.games.chess import Position

    outcome = position.outcome()
    is_chess = isinstance(position, Position)
    result: dict[str, Any] = {
        ("fen" if is_chess else "state"): position.text(),
        "evaluator": path,
        "to_move": (("white", "black") if is_chess else ("first player", "second player"))[position.to_move],
        "outcome": None if outcome is None else outcome.reason,
    }
    if isinstance(net, NetEvaluator):
        return {**result, **_judged(net.evaluate([position])[0])}
    from philidor.evaluators.giraffe import GiraffeEvaluator

    if isinstance(net, GiraffeEvaluator):
        judged = net.evaluate([position])[0]
        return {
            **result,
            "raw": net.raw(position),
            "value": judged.value,
            "wdl": judged.wdl._asdict(),
            "score_cp": net.centipawns(position),
            "score_formula": f"{net.network.scale:g} x the output",
            "plies_left": None,
            "policy": {},  # such a network has none
        }
    import chess

    score = net.centipawns(position)
    numerator, denominator = net.network.architecture.scale
    return {
        **result,
        "raw": net.raw(position),
        "score_cp": score,
        "score_formula": f"{numerator}/{denominator} x raw",
        "white_score_cp": score if position.turn else -score,
        "pieces": [
            {"piece": position.piece_at(square), "square": chess.square_name(square), "value_cp": value}
            for square, value in net.piece_values(position).items()
        ],
    }


def _judged(evaluation: Evaluation[Any]) -> dict[str, Any]:
    from philidor.evaluators.centipawns import DEFAULT_FORMULA, centipawns

    return {
        "value": evaluation.value,
        "wdl": evaluation.wdl._asdict(),
        "score_cp": centipawns(evaluation.wdl),
        "score_formula": f"lc0's {DEFAULT_FORMULA}",
        "plies_left": evaluation.moves_left,
        "policy": evaluation.policy,
    }


def _show(position: Any, result: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    from philidor.cli.arguments import readable_line

    console = Console(highlight=False)
    side = result["to_move"].capitalize()
    if "pieces" in result:
        import chess

        from philidor.evaluators.nnue import draw_values

        values = {chess.parse_square(each["square"]): each["value_cp"] for each in result["pieces"]}
        console.print(draw_values(position, values), markup=False)
        console.print("\nBelow each piece: what White's evaluation loses when it is left out, in pawns.")
        formula = f"raw {result['raw']}, centipawns {result['score_formula']}"
        console.print(f"{side} to move: {result['score_cp'] / 100:+.2f} ({formula})")
    else:
        console.print(str(position), markup=False)
        console.print()
        wdl = result["wdl"]
        chances = f"wins {wdl['win']:.1%}, draws {wdl['draw']:.1%}, loses {wdl['loss']:.1%}"
        left = "" if result["plies_left"] is None else f"   {result['plies_left']:.0f} plies left"
        pawns = f"{result['score_cp'] / 100:+.2f} ({result['score_formula']})"
        console.print(f"{side} to move: {chances}   value {result['value']:+.4f}{left}", soft_wrap=True)
        console.print(f"In pawns, by a formula: {pawns}")
        table = Table(box=None, show_header=False)
        for text, share in list(result["policy"].items())[:_MOST_MOVES]:
            table.add_row(
                readable_line(position, (text,))[0], f"{share:.2%}", "[bright_black]" + "█" * round(40 * share) + "[/]"
            )
        console.print(table)
    if result["outcome"] is not None:
        console.print(f"The game is over: {result['outcome']}. The network takes no notice of that.", style="yellow")
