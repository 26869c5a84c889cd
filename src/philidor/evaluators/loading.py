"""Loads a network of any format as an evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from philidor.core.config import from_dict
from philidor.core.errors import ConfigError, NetError
from philidor.evaluators.network import Backend, NetConfig, NetEvaluator
from philidor.nets.loading import NetFormat, net_format

if TYPE_CHECKING:
    from philidor.encodings.encoding import Shape
    from philidor.evaluators.nnue import NnueEvaluator
    from philidor.nets.leela.messages import Net as Message

    Net: TypeAlias = NetEvaluator | NnueEvaluator


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


def load_leela_net(path: str | Path, config: NetConfig) -> NetEvaluator:
    """Loads one of Leela's weight files. Raises NetError."""
    from philidor.encodings.leela import HistoryFill
    from philidor.encodings.native import NativeLeelaEncoding
    from philidor.nets.leela.files import format_of, load_leela

    net = load_leela(path)
    encoding = NativeLeelaEncoding(format_of(net).input, HistoryFill(config.history_fill))
    try:
        backend = _leela_backend(net, encoding.shape, config)
    except (NetError, ConfigError) as error:
        raise NetError(f"{str(path)!r}: {error}") from None
    return NetEvaluator(backend, encoding, config, name=Path(path).name)


def _leela_backend(net: Message, shape: Shape, config: NetConfig) -> Backend:
    """Returns the backend that the config asks for; "auto" is the compiled tower if it can compute the network."""
    from philidor.evaluators.onnx import OnnxBackend
    from philidor.nets.leela.convert import to_onnx
    from philidor.nets.leela.residual import is_residual, tower_of
    from philidor.nets.tower import FILTER_STEP

    if config.backend != "onnx" and (config.backend == "compiled" or is_residual(net)):
        from philidor.evaluators.tower import TowerBackend

        tower = tower_of(net)
        if config.backend == "compiled" or tower.filters % FILTER_STEP == 0:
            return TowerBackend(tower, threads=config.threads)
    return OnnxBackend(to_onnx(net), shape, threads=config.threads, name="the network")


def load_onnx_net(path: str | Path, config: NetConfig, encoding: str | None, game: str | None) -> NetEvaluator:
    """Loads an ONNX file; what it says about itself is asked for where nothing is given. Raises NetError."""
    from philidor.encodings import load_encoding
    from philidor.evaluators.onnx import OnnxBackend
    from philidor.games import load_game
    from philidor.nets.onnx.files import read_metadata
    from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY

    model = Path(path).read_bytes()
    metadata = read_metadata(model, repr(str(path)))
    name = encoding or metadata.get(ENCODING_KEY)
    if name is None:
        raise NetError(f"{str(path)!r} does not say what its encoding is; name one, such as encoding='leela-1-flat'")
    if config.backend == "compiled":
        raise NetError(f"{str(path)!r}: ONNX models are computed by ONNX Runtime, not by the compiled tower")
    known = load_encoding(name, load_game(game or metadata.get(GAME_KEY, "chess")))
    backend = OnnxBackend(model, known.shape, threads=config.threads, name=repr(str(path)))
    return NetEvaluator(backend, known, config, name=Path(path).name)
