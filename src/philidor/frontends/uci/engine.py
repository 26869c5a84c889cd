"""What the UCI loop asks of an engine, for the classic engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

import philidor
from philidor.core.config import check, validate
from philidor.core.errors import IllegalMoveError
from philidor.core.options import set_uci_option, uci_options
from philidor.games.chess import Position
from philidor.players.bench import bench_lines
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.protocols.uci import Best, Go, PositionCommand, format_best, format_info


@dataclass(frozen=True, slots=True, kw_only=True)
class UciConfig(ClassicConfig):
    """The engine's knobs and those that concern the conversation only."""

    ponder: bool = field(default=False, metadata=check("Ponder"))
    """Whether the GUI may let the engine think on the opponent's time; it asks by "go ponder"."""
    chess960: bool = field(default=False, metadata=check("UCI_Chess960"))
    """Whether castling is written as king takes rook."""
    show_wdl: bool = field(default=False, metadata=check("UCI_ShowWDL"))
    """Whether info lines tell win, draw and loss in thousandths."""

    def __post_init__(self) -> None:
        validate(self)


class UciEngine:
    """The classic engine in UCI's terms. Its methods do not overlap, but for stop, ponder_hit and reading reports."""

    def __init__(self) -> None:
        self._config = UciConfig()
        self._player = ClassicPlayer()
        self._position = Position()
        self._is_stopped = False

    def introduction(self) -> list[str]:
        """Returns the answer to "uci"."""
        name = f"id name philidor {philidor.__version__}"
        return [
            name,
            "id author the philidor authors",
            *uci_options(self._config),
            "option name Clear Hash type button",
        ]

    def set_option(self, name: str, value: str) -> None:
        """Changes a setting; nothing changes when it does not fit. Raises ConfigError."""
        if name.lower() == "clear hash":
            self._player.engine.clear_table()
            return
        config = set_uci_option(self._config, name, value)
        names = [f.name for f in dataclasses.fields(ClassicConfig)]
        self._player.config = ClassicConfig(**{name: getattr(config, name) for name in names})
        self._config = config

    def new_game(self) -> None:
        """Forgets what was learnt in the last game."""
        self._player.new_game()

    def set_position(self, command: PositionCommand) -> None:
        """Sets up a position; the moves before an illegal one stand. Raises IllegalMoveError, FenError."""
        position = Position(command.fen, chess960=True if self._config.chess960 else None)
        for number, text in enumerate(command.moves, start=1):
            try:
                position = position.play(position.parse_uci(text))
            except IllegalMoveError as error:
                self._position = position
                raise IllegalMoveError(f"position: move {number}: {error}") from None
        self._position = position

    def start(self, go: Go, spent_us: int = 0) -> Iterator[str]:
        """Starts a search that was asked for `spent_us` ago; returns its lines to be. Raises IllegalMoveError."""
        self._player.start(self._position, go, spent_us=spent_us)
        return self._lines()

    def _lines(self) -> Iterator[str]:
        for report in self._player.reports():
            if isinstance(report, Best):
                yield format_best(report)
            else:
                yield format_info(report if self._config.show_wdl else dataclasses.replace(report, wdl=None))

    def stop(self) -> None:
        """Ends what is under way; a search's best move comes as its last line."""
        self._is_stopped = True
        self._player.stop()

    def ponder_hit(self, spent_us: int = 0) -> None:
        """Turns pondering into an ordinary search."""
        self._player.ponder_hit(spent_us)

    def perft(self, depth: int) -> Iterator[str]:
        """Returns each move's count and their sum, as Stockfish prints them; the lines come as they are counted."""
        self._is_stopped = False
        return self._perft_lines(self._position, depth)

    def _perft_lines(self, position: Position, depth: int) -> Iterator[str]:
        total = 0
        for move in position.legal_moves():
            count = self._count(position.play(move), depth - 1)
            if self._is_stopped:
                yield "info string perft was stopped"
                return
            total += count
            yield f"{position.uci(move)}: {count}"
        yield f"\nNodes searched: {total}"

    def _count(self, position: Position, depth: int) -> int:
        """Counts in pieces of a few milliseconds, as the compiled core does not listen meanwhile."""
        if depth <= 5:
            return position.perft(depth)
        return sum(0 if self._is_stopped else self._count(position.play(m), depth - 1) for m in position.legal_moves())

    def describe(self) -> str:
        """Draws the position."""
        position = self._position
        return f"{position}\n\nFen: {position.fen()}\nKey: {position.key:016X}"

    def explain(self) -> str:
        """Returns how the engine judges the position without search."""
        return self._player.explain(self._position)

    def flip(self) -> None:
        """Turns the board: the same position with colors changed. Raises FenError when that is no position."""
        fields = self._position.fen().split()
        board = "/".join(reversed(fields[0].split("/"))).swapcase()
        castling = fields[2] if fields[2] == "-" else "".join(sorted(fields[2].swapcase()))
        en_passant = fields[3] if fields[3] == "-" else fields[3][0] + {"3": "6", "6": "3"}[fields[3][1]]
        turn = "b" if fields[1] == "w" else "w"
        self._position = Position(" ".join([board, turn, castling, en_passant, *fields[4:]]))

    def bench(self, depth: int | None) -> Iterator[str]:
        """Searches the fixed positions with this engine's settings."""
        self._is_stopped = False
        return bench_lines(self._player, None if depth is None else min(max(depth, 1), 100), lambda: self._is_stopped)
