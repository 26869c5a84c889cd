"""Loads a network of any format as an evaluator."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from philidor.core.config import from_dict
from philidor.core.errors import ConfigError, NetError
from philidor.evaluators.network import DEFAULT, Backend, NetConfig, NetEvaluator
from philidor.nets.loading import NetFormat, format_of_file, open_net
from philidor.nets.shipped import find_net

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding, Shape
    from philidor.evaluators.giraffe import GiraffeEvaluator
    from philidor.evaluators.nnue import NnueEvaluator
    from philidor.nets.leela.messages import Net as Message
    from philidor.nets.network_files import StoredNetwork
    from philidor.nets.tower import Folded

    Net: TypeAlias = NetEvaluator | NnueEvaluator | GiraffeEvaluator
    NamedGame: TypeAlias = AnyGame | str | None
    """The game that the user of this function named, or None if it is the file's to say."""


def load_net(path: str | Path, *, encoding: str | None = None, game: NamedGame = None, **config: Any) -> Net:
    """Loads a network from a file, whose format is told by its content: our safetensors, `.phfl`, Leela's, ONNX, NNUE.

    A shipped network may be given by its name alone, such as "giraffe".
    Our networks name their encoding and their game; so do ONNX files, unless another program wrote them: then they must
    be given. A game of your own must be given in any case, as `load_game` reads it or as it returned it: a file that
    names code is refused with a LoadError.
    `config` are settings of `NetConfig`, such as `threads=2`; NNUE and `.phfl` have none. Raises NetError.
    """
    settings = from_dict(NetConfig, config)
    path = find_net(path)
    with open_net(path) as file:
        kind = format_of_file(file, path)
        if kind is NetFormat.LEELA:
            return load_leela_net(path, settings, file)
    if kind is NetFormat.ONNX:
        return load_onnx_net(path, settings, encoding, game)
    if kind is NetFormat.OWN:
        return load_own_net(path, settings, encoding, game)
    if config:
        raise ConfigError(f"such a network has no settings, got {', '.join(config)}")
    if kind is NetFormat.DENSE:
        from philidor.evaluators.giraffe import GiraffeEvaluator

        return GiraffeEvaluator.load(path)
    from philidor.evaluators.nnue import NnueEvaluator

    return NnueEvaluator.load(path)


def load_leela_net(path: str | Path, config: NetConfig, opened: IO[bytes] | None = None) -> NetEvaluator:
    """Loads one of Leela's weight files, which may be open already. Raises NetError."""
    from philidor.encodings.leela import LeelaPolicy, leela_name
    from philidor.games.chess import Chess
    from philidor.nets.leela.files import format_of, load_leela

    net = load_leela(path, opened)
    encoding = _encoding(leela_name(format_of(net).input, LeelaPolicy.FLAT), Chess(), config)
    try:
        backend = _leela_backend(net, encoding.shape, config)
    except (NetError, ConfigError) as error:
        raise NetError(f"{str(path)!r}: {error}") from None
    return NetEvaluator(backend, encoding, config, name=Path(path).name)


def _leela_backend(net: Message, shape: Shape, config: NetConfig) -> Backend:
    """Returns the backend that the config asks for; "auto" is the compiled tower if it can compute the network."""
    if config.backend == "torch":
        from philidor.nets.leela.convert import to_onnx

        return _torch_graph(to_onnx(net), shape, "the network")
    from philidor.nets.leela.residual import is_residual, tower_of

    if config.backend == "compiled" or (config.backend == "auto" and is_residual(net)):
        tower = tower_of(net)
        if config.backend == "compiled" or _is_compilable(tower, shape):
            return _tower_backend(tower, shape, config)
    from philidor.evaluators.onnx import OnnxBackend
    from philidor.nets.leela.convert import to_onnx

    return OnnxBackend(to_onnx(net), shape, threads=config.threads, name="the network")


def load_own_net(path: str | Path, config: NetConfig, encoding: str | None, game: NamedGame) -> NetEvaluator:
    """Loads a network of our own, without torch unless that is asked for; it names its encoding and its game.

    Others may be given, such as a game of one's own, if the network fits them. Raises NetError, LoadError.
    """
    from philidor.nets.network_files import load_stored

    network = load_stored(path)
    own = network.config
    name, rules = _game(game, own.game, path)
    network = replace(network, config=replace(own, game=name, encoding=encoding or own.encoding))
    known = _encoding(network.config.encoding, rules, config)
    try:
        backend = backend_of(network, known.shape, config, name=repr(str(path)))
    except NetError as error:
        if name == own.game:
            raise
        detail = str(error).removeprefix(f"{str(path)!r}: ")
        raise NetError(f"{str(path)!r} is a network for {own.game} and does not fit {name}: {detail}") from None
    return NetEvaluator(backend, known, config, name=Path(path).name, game=name)


def _game(given: NamedGame, stored: str, path: str | Path) -> tuple[str, AnyGame]:
    """Returns the name and the rules of the game that the user named, or else of the file's. Raises LoadError."""
    from philidor.games import known_game, load_game

    if given is None:
        return stored, known_game(stored, repr(str(path)))
    return (given, load_game(given)) if isinstance(given, str) else (given.name, given)


def backend_of(
    network: StoredNetwork, shape: Shape, config: NetConfig = DEFAULT, *, name: str = "the network"
) -> Backend:
    """Returns what computes a network of our own over an encoding of this shape. Raises NetError if they do not fit."""
    from philidor.evaluators.onnx import OnnxBackend
    from philidor.nets.onnx.networks import network_to_onnx

    # For torch too, which folds by itself: what cannot be played is refused alike.
    folded = _folded(network, shape, name)
    if config.backend == "torch":
        _need_torch()
        from philidor.evaluators.torch import TorchBackend
        from philidor.nets.torch.files import model_of

        return TorchBackend(model_of(network, name, shape))
    if config.backend == "compiled" or (config.backend == "auto" and _is_compilable(folded, shape)):
        return _tower_backend(folded, shape, config)
    return OnnxBackend(network_to_onnx(folded, shape, {}), shape, threads=config.threads, name=name)


def compiled_backend(
    network: StoredNetwork, shape: Shape, config: NetConfig = DEFAULT, *, name: str = "the network"
) -> Backend | None:
    """Returns the compiled tower of a network of our own; None where there is none. Raises NetError as `backend_of`."""
    folded = _folded(network, shape, name)
    return _tower_backend(folded, shape, config) if _is_compilable(folded, shape) else None


def _folded(network: StoredNetwork, shape: Shape, name: str) -> Folded:
    """Returns a network for playing. Raises NetError if its weights do not fit it or the encoding."""
    from philidor.nets.network_weights import check_weights, fold

    check_weights(network.arrays, network.config, shape, name)
    try:
        return fold(network.arrays, network.config, shape)
    except NetError as error:
        raise NetError(f"{name}: {error}") from None


def _is_compilable(network: Folded, shape: Shape) -> bool:
    from philidor.nets.tower import FILTER_STEP, Tower

    is_board = (shape.height, shape.width) == (8, 8)
    return isinstance(network, Tower) and is_board and network.filters % FILTER_STEP == 0


def _tower_backend(network: Folded, shape: Shape, config: NetConfig) -> Backend:
    from philidor.evaluators.tower import TowerBackend
    from philidor.nets.tower import Tower

    if not isinstance(network, Tower) or (shape.height, shape.width) != (8, 8):
        raise ConfigError("the compiled tower computes residual networks on boards of 8x8; choose backend = 'onnx'")
    return TowerBackend(network, threads=config.threads)


def _torch_graph(model: bytes, shape: Shape, name: str) -> Backend:
    _need_torch()
    from philidor.evaluators.torch import TorchBackend
    from philidor.nets.torch.graphs import GraphModel

    return TorchBackend(GraphModel(model, shape, name))


def _need_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        raise ConfigError("backend = 'torch' needs PyTorch: pip install '.[train]' in philidor's folder")


def _encoding(name: str, game: AnyGame, config: NetConfig) -> Encoding:
    """Returns an encoding; Leela's fill in what was before the first known board as the config asks for."""
    from philidor.encodings import load_encoding
    from philidor.encodings.human import HumanEncoding
    from philidor.encodings.leela import HistoryFill
    from philidor.encodings.native import NativeLeelaEncoding

    encoding = load_encoding(name, game)
    if isinstance(encoding, NativeLeelaEncoding | HumanEncoding):
        return encoding.filled(HistoryFill(config.history_fill))
    return encoding


def load_onnx_net(path: str | Path, config: NetConfig, encoding: str | None, game: NamedGame) -> NetEvaluator:
    """Loads an ONNX file; what it says about itself is asked for where nothing is given. Raises NetError, LoadError."""
    from philidor.evaluators.onnx import OnnxBackend
    from philidor.nets.onnx.files import read_metadata
    from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY

    model = Path(path).read_bytes()
    metadata = read_metadata(model, repr(str(path)))
    name = encoding or metadata.get(ENCODING_KEY)
    if name is None:
        raise NetError(f"{str(path)!r} does not say what its encoding is; name one, such as encoding='leela-1-flat'")
    if config.backend == "compiled":
        raise NetError(f"{str(path)!r}: ONNX models are computed by ONNX Runtime or PyTorch, not by the compiled tower")
    game_name, rules = _game(game, metadata.get(GAME_KEY, "chess"), path)
    known = _encoding(name, rules, config)
    # ONNX Runtime reads it in any case: it says what does not fit together.
    backend: Backend = OnnxBackend(model, known.shape, threads=config.threads, name=repr(str(path)))
    if config.backend == "torch":
        backend = _torch_graph(model, known.shape, repr(str(path)))
    return NetEvaluator(backend, known, config, name=Path(path).name, game=game_name)
