"""`philidor net`: what is in a network file, whether it is right, other formats of it, and how it compares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.cli.arguments import AsJson, check_writable, give
from philidor.cli.people.compare import compare
from philidor.cli.people.errors import errors
from philidor.cli.people.fit_human import fit_human
from philidor.cli.people.match_moves import match_moves
from philidor.cli.people.puzzles import puzzles
from philidor.cli.people.resignations import resignations
from philidor.cli.ruler import ruler

app = typer.Typer(add_completion=False, no_args_is_help=True)
app.command("match-moves")(match_moves)
app.command()(errors)
app.command()(puzzles)
app.command()(compare)
app.command()(resignations)
app.command("fit-human")(fit_human)
app.command()(ruler)

_AnyNet = Annotated[
    Path,
    typer.Argument(
        help="A network file (our .safetensors, Leela's .pb.gz, ONNX, NNUE, .phfl) or a shipped one's name."
    ),
]

_OwnGame = Annotated[
    str | None,
    typer.Option(help="The game, if it is your own ('file.py:Class'): that is code, which no file may name."),
]


@app.callback()
def net() -> None:
    """Looks into network files, converts, verifies and measures them."""


@app.command()
def info(
    file: _AnyNet,
    as_json: AsJson = False,
) -> None:
    """Says what a network is made of."""
    from philidor.nets.describing import describe_net
    from philidor.nets.shipped import find_net

    file = find_net(file)
    facts = {"file": str(file), **describe_net(file)}
    if as_json:
        print(json.dumps(facts))
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        print(f"{name.replace('_', ' '):<{width}}  {_printable(words)}")


def _printable(words: str) -> str:
    """Takes out what a terminal would obey rather than show: a description may hold any bytes."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words)


@app.command()
def convert(
    source: Annotated[
        Path, typer.Argument(help="A network of our own, a Leela or an NNUE network: a file or a shipped one's name.")
    ],
    target: Annotated[
        Path,
        typer.Argument(
            help="The new file: .onnx, .pb, .pb.gz or .safetensors of Leela's, .onnx, .pb or .pb.gz of our own, "
            ".nnue or .phnn of NNUE, each .zst too."
        ),
    ],
    policy: Annotated[str, typer.Option(help="The policy head of a network that has several.")] = "vanilla",
    value: Annotated[str, typer.Option(help="The value head of a network that has several.")] = "winner",
    rating: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Rating of the side to move for which a network with ratings is written for lc0.",
            show_default="unknown",
        ),
    ] = None,
    opponent_rating: Annotated[
        int | None,
        typer.Option(min=1, help="Opponent's rating, together with --rating.", show_default="the same as --rating"),
    ] = None,
    game: _OwnGame = None,
    as_json: AsJson = False,
) -> None:
    """Writes a network in another format.

    Leela networks become ONNX models or networks of our own, to be trained on; ours become ONNX models or files for
    lc0; NNUE networks change between Stockfish's format and philidor's. Leela and NNUE networks can also be packed
    again.
    """
    from philidor.games import load_game
    from philidor.nets.converting import Choices
    from philidor.nets.converting import convert as convert_net
    from philidor.nets.shipped import find_net

    source = find_net(source)
    check_writable(target, [source])
    own_game = None if game is None else load_game(game)
    other = rating if opponent_rating is None else opponent_rating
    convert_net(
        source, target, Choices(policy=policy, value=value, game=own_game, rating=rating, opponent_rating=other)
    )
    _tell_written(target, as_json)


@app.command()
def export(
    source: Annotated[Path, typer.Argument(help="A network of our own: a .safetensors file or a shipped one's name.")],
    target: Annotated[Path, typer.Argument(help="The new file: .onnx for any program, .pb.gz or .pb for lc0.")],
    game: _OwnGame = None,
    as_json: AsJson = False,
) -> None:
    """Writes a network of our own for other programs: as ONNX, or for lc0 if it sees chess as lc0 does."""
    from philidor.games import load_game
    from philidor.nets.converting import export as export_network
    from philidor.nets.network_files import load_stored
    from philidor.nets.shipped import find_net

    source = find_net(source)
    check_writable(target, [source])
    export_network(load_stored(source), target, None if game is None else load_game(game))
    _tell_written(target, as_json)


def _tell_written(path: Path, as_json: bool) -> None:
    size = path.stat().st_size
    give({"file": str(path), "bytes": size}, f"{path}: {size:,} bytes", as_json=as_json)


@app.command()
def verify(file: _AnyNet, game: _OwnGame = None, as_json: AsJson = False) -> None:
    """Reads a whole network and lets it judge; an NNUE network by all kernels of this CPU, against the reference."""
    from philidor.nets.loading import NetFormat, net_format
    from philidor.nets.shipped import find_net

    file = find_net(file)
    if net_format(file) is NetFormat.NNUE:
        give(*_verify_nnue(file), as_json=as_json)
        return
    if net_format(file) is NetFormat.DENSE:
        give(*_verify_dense(file), as_json=as_json)
        return
    from philidor.evaluators.loading import load_net
    from philidor.evaluators.network import NetEvaluator
    from philidor.games import known_game, load_game

    net = load_net(file, game=game)
    assert isinstance(net, NetEvaluator)
    (evaluation,) = net.evaluate([(known_game(net.game) if game is None else load_game(game)).state()])
    words = f"{file}: can be read; the start position's value is {evaluation.value:+.4f}"
    give({"file": str(file), "value": evaluation.value}, words, as_json=as_json)


def _verify_nnue(file: Path) -> tuple[dict[str, Any], str]:
    """Returns what was found to be right, as data and in words. Raises NetError."""
    from philidor.core.errors import NetError
    from philidor.evaluators.native import compile_network, nnue_kernels
    from philidor.games.chess import Position
    from philidor.nets.nnue import load_network, reference
    from philidor.nets.nnue.facts import checksum, name_problem
    from philidor.players.bench import POSITIONS

    network = load_network(file)
    if problem := name_problem(file, network):
        raise NetError(f"{str(file)!r}: {problem}")
    positions = [Position(fen) for fen in POSITIONS]
    wanted = [reference.raw(network, position) for position in positions]
    for kernels in nnue_kernels():
        if compile_network(network, kernels).raw([position.native for position in positions]) != wanted:
            raise NetError(f"{str(file)!r}: the kernels {kernels} do not give the reference's integers")
    names, digest = nnue_kernels(), checksum(network)
    facts = {"file": str(file), "sha256": digest, "kernels": list(names), "positions": len(positions)}
    agree = f"{', '.join(names)} agree with the reference on {len(positions)} positions"
    return facts, f"{file}: SHA-256 {digest}; {agree}"


def _verify_dense(file: Path) -> tuple[dict[str, Any], str]:
    """Returns what was found to be right, as data and in words. Raises NetError."""
    from philidor.core.errors import NetError
    from philidor.evaluators.deepchess import DeepChessJudge
    from philidor.evaluators.giraffe import GiraffeEvaluator
    from philidor.games.chess import Position
    from philidor.nets.dense import GiraffeNetwork
    from philidor.nets.dense.files import load_dense
    from philidor.players.bench import POSITIONS

    network = load_dense(file)
    positions = [Position(fen) for fen in POSITIONS]
    if isinstance(network, GiraffeNetwork):
        evaluator = GiraffeEvaluator(network)
        agree = all(evaluator.raw(position) == network.raw(position) for position in positions)
    else:
        judge = DeepChessJudge(network)
        agree = all((judge.look(position)[0] == network.embed(position)).all() for position in positions)
    if not agree:
        raise NetError(f"{str(file)!r}: the compiled network does not give the reference's floats")
    words = f"{file}: the compiled network agrees with the reference on {len(positions)} positions"
    return {"file": str(file), "positions": len(positions)}, words
