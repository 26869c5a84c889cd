"""The game in the terminal: a board, an opponent from the table of players, moves in SAN or UCI."""

from philidor.frontends.terminal.loop import Terminal
from philidor.frontends.terminal.setup import PERSON, GameChoice, default_opponent

__all__ = ["PERSON", "GameChoice", "Terminal", "default_opponent"]
