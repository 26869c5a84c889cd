"""Endgame tables: who wins when nobody errs, for positions with few men (Ronald de Man's Syzygy, by python-chess)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from philidor.core.errors import ConfigError
from philidor.core.game import Outcome
from philidor.games.chess.position import Position

# A table's distance may be one ply short; what is closer to the fifty-move rule than that is left to be played.
_CERTAIN_PLIES = 99


class Tablebases:
    """The tables of some folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Opens the tables. Raises ConfigError if there are none."""
        import chess.syzygy

        self._tables = chess.syzygy.Tablebase()
        for folder in folders:
            if not folder.is_dir():
                raise ConfigError(f"no folder {str(folder)!r} with Syzygy tables")
            self._tables.add_directory(str(folder))
        # KQvKR.rtbw has a letter for each man.
        sizes = [sum(letter.isupper() for letter in table) for table in self._tables.wdl]
        if not sizes:
            raise ConfigError(f"no Syzygy tables (.rtbw) in {', '.join(map(repr, map(str, folders)))}")
        self.men = max(sizes)
        """Positions with more men than this are in no table."""

    def wdl(self, position: Position) -> int | None:
        """Returns 2, 0 or -2 for a win, draw or loss of the side to move, or None if no table has the position.

        1 and -1 are a win and a loss that the fifty-move rule turns into a draw. The clock is taken to be at 0.
        """
        import chess

        fen = position.fen()
        if sum(letter.isalpha() for letter in fen.partition(" ")[0]) > self.men:
            return None
        return self._tables.get_wdl(chess.Board(fen))

    def outcome(self, position: Position) -> Outcome | None:
        """Returns how the game ends with best play, the fifty-move rule and its clock included, or None if unknown."""
        import chess

        wdl = self.wdl(position)
        if wdl is None:
            return None
        if abs(wdl) < 2:
            return Outcome(None, "tablebase")
        winner = position.to_move if wdl > 0 else 1 - position.to_move
        if position.halfmove_clock:
            plies = self._tables.get_dtz(chess.Board(position.fen()))
            if plies is None or abs(plies) + position.halfmove_clock > _CERTAIN_PLIES:
                return None
        return Outcome(winner, "tablebase")
