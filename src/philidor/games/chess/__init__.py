"""Chess: `Position` (immutable, with history), `Board` (push and pop), `Move`, EPD, and the `Chess` game."""

from philidor.games.chess.board import Board
from philidor.games.chess.epd import Epd, parse_epd, read_epd_file, write_epd
from philidor.games.chess.game import Chess, chess960_position, is_chess960
from philidor.games.chess.native import Move
from philidor.games.chess.position import BLACK, START_FEN, WHITE, Position

__all__ = [
    "BLACK",
    "START_FEN",
    "WHITE",
    "Board",
    "Chess",
    "Epd",
    "Move",
    "Position",
    "chess960_position",
    "is_chess960",
    "parse_epd",
    "read_epd_file",
    "write_epd",
]
