"""Our own networks in the formats of other programs: ONNX for everyone, `.pb.gz` for lc0."""

from __future__ import annotations

from pathlib import Path

from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame
from philidor.core.runs import write_atomic
from philidor.nets.network_files import StoredNetwork
from philidor.nets.network_weights import check_weights, fold
from philidor.nets.onnx.networks import network_to_onnx
from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY


def to_onnx(network: StoredNetwork, name: str = "the network", game: AnyGame | None = None) -> bytes:
    """Returns an ONNX model with an open batch size and batch norm folded; a game of one's own must be given.

    Raises NetError, LoadError.
    """
    config = network.config
    shape = network.load_encoding(game).shape
    check_weights(network.arrays, config, shape, name)
    metadata = {ENCODING_KEY: config.encoding, GAME_KEY: config.game, **network.remarks}
    return network_to_onnx(fold(network.arrays, config, shape), shape, metadata)


def export(network: StoredNetwork, target: Path, game: AnyGame | None = None) -> None:
    """Writes a network in the format that the new file's name asks for: .onnx, .pb or .pb.gz.

    A game of one's own must be given. Raises NetError, LoadError.
    """
    if target.suffix == ".onnx":
        write_atomic(target, to_onnx(network, game=game))
    elif target.name.endswith((".pb", ".pb.gz")):
        from philidor.nets.leela.files import save_leela
        from philidor.nets.leela.own import to_leela

        save_leela(to_leela(network), target)
    else:
        raise ConfigError(f"the new file's name must end in .onnx, .pb or .pb.gz, got {target.name!r}")
