"""Endgame tables: who wins when nobody errs, for positions with few men (Ronald de Man's Syzygy, by python-chess)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import ConfigError
from philidor.core.game import Outcome
from philidor.games.chess.native import Move
from philidor.games.chess.position import Position

# A table's distance may be one ply short; what is closer to the fifty-move rule than that is left to be played.
_CERTAIN_PLIES = 99


# For a win that is near enough and a loss; a mate counts as one.
_WIN, _LOSS = 2, -2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tables say of a position in a game, the fifty-move rule and its clock included."""

    wdl: int
    """2 a win of the side to move, 0 a draw, -2 a loss; 1 and -1 are drawn only by the fifty-move rule."""
    moves: tuple[str, ...]
    """Those that keep it, in UCI: the quickest in a win, the slowest in a loss, all in a draw."""
    probes: int
    """How often the tables were asked."""


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

    def verdict(self, position: Position) -> Verdict | None:
        """Returns who wins and which moves are right, or None if a table is missing."""
        if self.wdl(position) is None:
            return None
        ranks: dict[str, tuple[int, int]] = {}
        for move in position.legal_moves():
            rank = self._rank(position, move)
            if rank is None:
                return None
            ranks[position.uci(move)] = rank
        best = max(ranks.values(), default=None)
        if best is None:
            return None
        return Verdict(best[0], tuple(move for move, rank in ranks.items() if rank == best), 2 * len(ranks) + 1)

    def _rank(self, position: Position, move: Move) -> tuple[int, int] | None:
        """Returns what a move leads to, and how soon it is good or how late bad; larger is better."""
        import chess

        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            return (_WIN, 0) if outcome.winner is not None else (0, 0)
        reply, distance = self.wdl(after), self._tables.get_dtz(chess.Board(after.fen()))
        if reply is None:
            return None
        # A capture or pawn move sets the clock to zero: the win is closer than by any other move. Without a table of
        # distances all moves that win are alike.
        is_zeroing = after.halfmove_clock == 0
        plies = 0 if is_zeroing or distance is None else abs(distance)
        wdl = -reply
        if abs(wdl) == _WIN and plies + after.halfmove_clock > _CERTAIN_PLIES:
            wdl //= 2
        return wdl, -plies if wdl > 0 else plies if wdl < 0 else 0
