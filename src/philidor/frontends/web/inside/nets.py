"""The networks that can be looked into, by the names that pages know: shipped ones, and the opponents' own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from philidor.core.errors import ConfigError, PhilidorError, UnknownNameError
from philidor.frontends.web.inside.schema import InsideNet
from philidor.frontends.web.roster import Roster
from philidor.nets.leela.files import load_leela
from philidor.nets.leela.residual import is_residual, tower_of
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_files import load_stored
from philidor.nets.onnx.files import read_metadata
from philidor.nets.onnx.signature import GAME_KEY
from philidor.nets.shipped import shipped_nets

_DESCRIBED = 200


def net_paths(roster: Roster) -> dict[str, Path]:
    """Returns files by their safe names; requests never say a path."""
    return {**shipped_nets(), **roster.net_paths}


def find_path(roster: Roster, name: str | None, game: str, *, needs_policy: bool) -> Path:
    """Returns the file of a network for a game. Raises ConfigError, UnknownNameError."""
    if name is None:
        raise ConfigError("a network has to be named")
    known = net_paths(roster)
    if name not in known:
        raise UnknownNameError("network", name, known)
    net = _describe(name, known[name])
    if net is None:
        raise ConfigError(f"the network {name} cannot be looked into")
    if needs_policy and net.kind == "value":
        raise ConfigError(f"the network {net.title} has no policy, only a value")
    # The board decides what fits: komi and the ko rule are nothing that planes show.
    if net.game.partition(",")[0] != game.partition(",")[0]:
        raise ConfigError(f"the network {net.title} plays {net.game}, not {game}")
    return known[name]


def inside_nets(roster: Roster) -> list[InsideNet]:
    """Describes all that can be shown; a file that cannot be read any more is left out."""
    found = (_describe(name, path) for name, path in net_paths(roster).items())
    return [net for net in found if net is not None]


@lru_cache(maxsize=_DESCRIBED)
def _describe(name: str, path: Path) -> InsideNet | None:
    """Reads what a file says of itself, without making a network of it; None for what has no view of its own."""
    try:
        facts = _facts(path)
    except (PhilidorError, OSError):
        return None
    return None if facts is None else InsideNet(name=name, title=name.partition(":")[2] or name, **facts)


def _facts(path: Path) -> dict[str, Any] | None:
    kind = net_format(path)
    if kind is NetFormat.NNUE:
        return {"game": "chess", "kind": "nnue", "has_value": True, "layers": None, "filters": None}
    if kind is NetFormat.OWN:
        config = load_stored(path).config
        is_tower = config.body != "mlp"
        return {
            "game": config.game,
            "kind": "value" if config.policy == "none" else "policy",
            "has_value": config.value != "none",
            "layers": config.blocks + 1 if is_tower else None,
            "filters": config.filters if is_tower else None,
        }
    if kind is NetFormat.LEELA:
        read = load_leela(path)
        tower = tower_of(read) if is_residual(read) else None
        layers = None if tower is None else len(tower.blocks) + 1
        filters = None if tower is None else tower.filters
        return {"game": "chess", "kind": "policy", "has_value": True, "layers": layers, "filters": filters}
    if kind is NetFormat.ONNX:
        game = read_metadata(path.read_bytes(), repr(str(path))).get(GAME_KEY, "chess")
        return {"game": game, "kind": "policy", "has_value": True, "layers": None, "filters": None}
    return None
