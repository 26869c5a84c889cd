"""Asks a player as a GUI would, without the text around it."""

from pathlib import Path

from philidor.core.analysis import Analysis
from philidor.core.thinking import Signal
from philidor.frontends.uci.engine import UciEngine
from philidor.games.chess import Position
from philidor.players import Player
from philidor.protocols.uci import Go, Info, infos_of, limits_of


def ask(player: Player, position: Position, go: Go, stop: Signal | None = None) -> tuple[list[Info], Analysis]:
    """Returns what the player says on the way, and its answer."""
    infos: list[Info] = []
    answer = player.think(position, limits_of(go), stop, lambda analysis: infos.extend(infos_of(analysis)))
    return infos, answer


def net_engine(net: Path) -> UciEngine:
    """Returns the engine that a GUI talks to, with a network chosen."""
    return UciEngine({"WeightsFile": str(net), "Engine": "net", "MinibatchSize": "4"})
