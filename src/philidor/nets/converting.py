"""Network files in other formats; one table says what can become what, by the old file's content and the new name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame
from philidor.core.runs import write_atomic
from philidor.encodings.human import is_human
from philidor.nets.exporting import to_onnx
from philidor.nets.human import for_ratings
from philidor.nets.leela.convert import to_onnx as leela_to_onnx
from philidor.nets.leela.files import load_leela, save_leela
from philidor.nets.leela.messages import Net
from philidor.nets.leela.own import from_leela, to_leela
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_files import StoredNetwork, load_stored, save_stored
from philidor.nets.nnue import Network, load_network, save_network


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What some conversions can be told."""

    policy: str = "vanilla"
    """The policy head of a Leela network that has several."""
    value: str = "winner"
    """The value head of a Leela network that has several."""
    game: AnyGame | None = None
    """The game of a network of our own, if it is none of ours."""
    rating: int | None = None
    """The mover's rating for which a network with ratings is written as a plain one; None is not known."""
    opponent_rating: int | None = None
    """The opponent's."""

    @property
    def has_ratings(self) -> bool:
        """Whether any rating is given."""
        return self.rating is not None or self.opponent_rating is not None


DEFAULT = Choices()


def _leela_as_onnx(network: Net, target: Path, choices: Choices) -> None:
    write_atomic(target, leela_to_onnx(network, policy=choices.policy, value=choices.value))


def _leela_as_leela(network: Net, target: Path, _: Choices) -> None:
    save_leela(network, target)


def _leela_as_own(network: Net, target: Path, _: Choices) -> None:
    save_stored(target, from_leela(network))


def _own_as_onnx(network: StoredNetwork, target: Path, choices: Choices) -> None:
    write_atomic(target, to_onnx(network, game=choices.game))


def _own_as_leela(network: StoredNetwork, target: Path, choices: Choices) -> None:
    if choices.has_ratings or is_human(network.config.encoding):
        # Leela's format has no place for ratings.
        network = for_ratings(network, choices.rating, choices.opponent_rating)
    save_leela(to_leela(network), target)


def _nnue_as_nnue(network: Network, target: Path, _: Choices) -> None:
    save_network(network, target)


_READERS: dict[NetFormat, Callable[[Path], Any]] = {
    NetFormat.LEELA: load_leela,
    NetFormat.OWN: load_stored,
    NetFormat.NNUE: load_network,
}
CONVERSIONS: dict[tuple[NetFormat, str], Callable[[Any, Path, Choices], None]] = {
    (NetFormat.LEELA, ".onnx"): _leela_as_onnx,
    (NetFormat.LEELA, ".pb"): _leela_as_leela,
    (NetFormat.LEELA, ".pb.gz"): _leela_as_leela,
    (NetFormat.LEELA, ".safetensors"): _leela_as_own,
    (NetFormat.OWN, ".onnx"): _own_as_onnx,
    (NetFormat.OWN, ".pb"): _own_as_leela,
    (NetFormat.OWN, ".pb.gz"): _own_as_leela,
    (NetFormat.NNUE, ".nnue"): _nnue_as_nnue,
    (NetFormat.NNUE, ".nnue.zst"): _nnue_as_nnue,
    (NetFormat.NNUE, ".phnn"): _nnue_as_nnue,
    (NetFormat.NNUE, ".phnn.zst"): _nnue_as_nnue,
}
"""What writes a network of a format under a name with this ending."""


def convert(source: Path, target: Path, choices: Choices = DEFAULT) -> None:
    """Writes a network file in the format that the new file's name asks for, which appears only when it is complete.

    Raises NetError, LoadError, and ConfigError for a pair that is not in the table.
    """
    kind = net_format(source)
    write = _conversion(kind, target)
    network = _READERS[kind](source)
    if choices.has_ratings and write is not _own_as_leela:
        raise ConfigError("ratings are for writing a network with ratings as a plain one: .pb or .pb.gz")
    write(network, target, choices)


def export(network: StoredNetwork, target: Path, game: AnyGame | None = None) -> None:
    """Does the same for a network of our own that is in memory; a game of one's own must be given."""
    _conversion(NetFormat.OWN, target)(network, target, Choices(game=game))


def _conversion(kind: NetFormat, target: Path) -> Callable[[Any, Path, Choices], None]:
    for (source, ending), write in CONVERSIONS.items():
        if source is kind and target.name.endswith(ending):
            return write
    possible = "; ".join(
        f"{source} to {', '.join(ending for format_, ending in CONVERSIONS if format_ is source)}"
        for source in _READERS
    )
    raise ConfigError(f"no conversion from the format {kind} to {target.name!r}; possible: {possible}")
