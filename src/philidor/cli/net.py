"""`philidor net`: what is in a network file, and other formats of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def net() -> None:
    """Looks into network files and converts them."""


@app.command()
def info(
    file: Annotated[Path, typer.Argument(help="A network file: Leela's .pb.gz, ONNX, NNUE.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Says what a network is made of."""
    facts = {"file": str(file), **describe_net(file)}
    if as_json:
        print(json.dumps(facts))
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        print(f"{name.replace('_', ' '):<{width}}  {words}")


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="A Leela network.")],
    target: Annotated[Path, typer.Argument(help="The new file: .onnx, or .pb or .pb.gz to pack it anew.")],
    policy: Annotated[str, typer.Option(help="The policy head of a network that has several.")] = "vanilla",
    value: Annotated[str, typer.Option(help="The value head of a network that has several.")] = "winner",
) -> None:
    """Writes a Leela network as ONNX, or as a weight file again."""
    from philidor.cli.arguments import check_writable
    from philidor.core.errors import ConfigError
    from philidor.core.runs import atomic_file
    from philidor.nets.leela.convert import to_onnx
    from philidor.nets.leela.files import load_leela, save_leela

    check_writable(target)
    loaded = load_leela(source)
    if target.suffix == ".onnx":
        with atomic_file(target) as file:
            file.write(to_onnx(loaded, policy=policy, value=value))
    elif target.name.endswith((".pb", ".pb.gz")):
        save_leela(loaded, target)
    else:
        raise ConfigError(f"the new file's name must end in .onnx, .pb or .pb.gz, got {target.name!r}")
    print(f"{target}: {target.stat().st_size:,} bytes")


def describe_net(path: Path) -> dict[str, Any]:
    """Returns what there is to say about a network file. Raises NetError."""
    from philidor.nets.loading import NetFormat, net_format

    kind = net_format(path)
    if kind is NetFormat.LEELA:
        from philidor.nets.leela.convert import describe
        from philidor.nets.leela.files import load_leela

        return {"format": str(kind), **describe(load_leela(path))}
    if kind is NetFormat.ONNX:
        from philidor.nets.onnx.files import describe as describe_onnx

        return {"format": str(kind), **describe_onnx(path.read_bytes(), repr(str(path)))}
    from philidor.nets.nnue import load_network

    network = load_network(path)
    shape = network.architecture
    return {
        "format": str(kind),
        "inputs": shape.features.count,
        "width": shape.width,
        "layers": [f"{inputs} -> {outputs}" for outputs, inputs in shape.layer_shapes],
        "output_buckets": shape.output_buckets,
        "description": network.description,
    }
