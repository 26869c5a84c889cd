"""Loads a network of any format as an evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from philidor.core.config import from_dict
from philidor.core.errors import ConfigError, NetError
from philidor.evaluators.onnx import NetConfig, OnnxEvaluator
from philidor.nets.loading import NetFormat, net_format

if TYPE_CHECKING:
    from philidor.evaluators.nnue import NnueEvaluator

    Net: TypeAlias = OnnxEvaluator | NnueEvaluator


def load_net(path: str | Path, *, encoding: str | None = None, game: str | None = None, **config: Any) -> Net:
    """Loads a network from a file, whose format is told by its content: Leela's `.pb.gz`, ONNX, NNUE.

    An ONNX file names its encoding and its game itself, unless another program wrote it; then they must be given.
    `config` are settings of `NetConfig`, such as `threads=2`; NNUE has none. Raises NetError.
    """
    settings = from_dict(NetConfig, config)
    kind = net_format(path)
    if kind is NetFormat.LEELA:
        return load_leela_net(path, settings)
    if kind is NetFormat.ONNX:
        return load_onnx_net(path, settings, encoding, game)
    if config:
        raise ConfigError(f"an NNUE network has no settings, got {', '.join(config)}")
    from philidor.evaluators.nnue import NnueEvaluator

    return NnueEvaluator.load(path)


def load_leela_net(path: str | Path, config: NetConfig) -> OnnxEvaluator:
    """Loads one of Leela's weight files. Raises NetError."""
    from philidor.encodings.native import NativeLeelaEncoding
    from philidor.nets.leela.convert import to_onnx
    from philidor.nets.leela.files import format_of, load_leela

    net = load_leela(path)
    try:
        model = to_onnx(net)
    except NetError as error:
        raise NetError(f"{str(path)!r}: {error}") from None
    return OnnxEvaluator(model, NativeLeelaEncoding(format_of(net).input), config, name=Path(path).name)


def load_onnx_net(path: str | Path, config: NetConfig, encoding: str | None, game: str | None) -> OnnxEvaluator:
    """Loads an ONNX file; what it says about itself is asked for where nothing is given. Raises NetError."""
    from philidor.encodings import load_encoding
    from philidor.games import load_game
    from philidor.nets.onnx.files import read_metadata
    from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY

    model = Path(path).read_bytes()
    metadata = read_metadata(model, repr(str(path)))
    name = encoding or metadata.get(ENCODING_KEY)
    if name is None:
        raise NetError(f"{str(path)!r} does not say what its encoding is; name one, such as encoding='leela-1-flat'")
    made_for = load_game(game or metadata.get(GAME_KEY, "chess"))
    return OnnxEvaluator(model, load_encoding(name, made_for), config, name=Path(path).name)
