"""`philidor eval`: what a network or an evaluation by hand says of a position, part by part (book, ch. 3)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson

if TYPE_CHECKING:
    from philidor.games.chess import Position

app = typer.Typer(add_completion=False)

EVALUATORS = ("nnue", "handcrafted", "book")


@app.command()
def evaluate(
    context: typer.Context,
    fen: Annotated[str | None, typer.Option("--fen", "--state", help="The position; the start if not given.")] = None,
    moves: Annotated[str | None, typer.Option(help="Moves to play first, such as 'e4 e5 Nf3'.")] = None,
    net: Annotated[
        str | None, typer.Option(help="A network: a file (Leela's .pb.gz, ONNX, NNUE) or a shipped one's name.")
    ] = None,
    game: Annotated[
        str, typer.Option(help="The network's game: a name, a size ('hexapawn-4x4') or your own 'file.py:Class'.")
    ] = "chess",
    evaluator: Annotated[
        str,
        typer.Option(
            help="nnue: the network that comes with philidor. handcrafted: the classic engine's terms. book: piece "
            "values and a table of squares."
        ),
    ] = "nnue",
    as_json: AsJson = False,
) -> None:
    """Evaluates a chess position by a network, by the classic engine's terms, or by the book's first evaluation.

    Positions of other games are evaluated by a network that was trained for them.
    """
    from philidor.cli.arguments import own_game, refuse_ignored, state_after
    from philidor.core.errors import ConfigError, UnknownNameError
    from philidor.games import load_game

    if evaluator not in EVALUATORS:
        raise UnknownNameError("evaluator", evaluator, EVALUATORS)
    if evaluator != "nnue":
        refuse_ignored(context, ["net"], f"--evaluator {evaluator} asks no network")
    rules = load_game(game)
    if net is None and rules.name != "chess":
        raise ConfigError(f"a position of {rules.name} is evaluated by a network: --net FILE")
    position: Any = state_after(rules, fen, moves)
    if evaluator == "nnue":
        from philidor.cli.evaluate_net import evaluate_by_net

        evaluate_by_net(position, net, own_game(game), as_json=as_json)
        return
    white_score, parts, table = _book(position) if evaluator == "book" else _handcrafted(position)
    outcome = position.outcome()
    result = {
        "fen": position.fen(),
        "evaluator": evaluator,
        "white_score_cp": white_score,
        "score_cp": white_score if position.turn else -white_score,
        "to_move": "white" if position.turn else "black",
        "outcome": None if outcome is None else outcome.reason,
        **parts,
    }
    print(json.dumps(result)) if as_json else _show(position, result, table)


def _handcrafted(position: Position) -> tuple[int, dict[str, Any], Any]:
    from philidor.evaluators.handcrafted import as_data, as_table, explain

    explanation = explain(position)
    return explanation.white_score, as_data(explanation), as_table(explanation)


def _book(position: Position) -> tuple[int, dict[str, Any], Any]:
    from philidor.evaluators.book import evaluate as book

    contributions = pieces(position)
    return book(position), {"pieces": contributions}, _table(contributions)


def pieces(position: Position) -> list[dict[str, Any]]:
    """Returns what each piece contributes to its side, in centipawns."""
    from philidor.evaluators.book import PIECE_SQUARE_TABLE, PIECE_VALUES

    found = []
    for square in range(64):
        piece = position.piece_at(square)
        if piece is not None and piece.upper() in PIECE_VALUES:
            file, rank = square % 8, square // 8
            name = f"{'abcdefgh'[file]}{rank + 1}"
            placement = PIECE_SQUARE_TABLE[file][rank]
            found.append(
                {"piece": piece, "square": name, "material": PIECE_VALUES[piece.upper()], "placement": placement}
            )
    return found


def _show(position: Position, result: dict[str, Any], table: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(str(position), markup=False)
    console.print()
    console.print(table)
    console.print()
    side = "White" if position.turn else "Black"
    console.print(
        f"White's view {result['white_score_cp'] / 100:+.2f}   {side} to move: {result['score_cp'] / 100:+.2f}"
    )
    if result["outcome"] is not None:
        console.print(f"The game is over: {result['outcome']}. The evaluation takes no notice of that.", style="yellow")


def _table(contributions: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(title="Placement by square, and sums with material, in centipawns", title_style="", box=None)
    for column in ("", "White", "sum", "Black", "sum", "difference"):
        table.add_column(column, justify="right" if column in ("sum", "difference") else "left")
    totals = [0, 0]
    for kind in "QRBNP":
        cells, sums = [], []
        for side, letter in enumerate((kind, kind.lower())):
            own = [each for each in contributions if each["piece"] == letter]
            total = sum(each["material"] + each["placement"] for each in own)
            squares = " ".join(f"{each['square']}[bright_black]{each['placement']:+d}[/]" for each in own)
            cells += [squares, str(total)]
            sums.append(total)
            totals[side] += total
        table.add_row(f"[bold]{kind}", *cells, f"{sums[0] - sums[1]:+d}")
    table.add_section()
    table.add_row("", "", str(totals[0]), "", str(totals[1]), f"[bold]{totals[0] - totals[1]:+d}")
    return table
