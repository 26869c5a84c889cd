"""The game in the terminal: a board, an opponent from the table of players, moves in SAN or UCI."""

from philidor.frontends.playing.setup import PERSON, GameChoice, default_opponent
from philidor.frontends.terminal.loop import Terminal

__all__ = ["PERSON", "GameChoice", "Terminal", "default_opponent"]
