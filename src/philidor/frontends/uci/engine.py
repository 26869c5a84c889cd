"""What the UCI loop asks of an engine, for the classic engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import philidor
from philidor.core.config import check, validate
from philidor.core.errors import IllegalMoveError
from philidor.core.options import set_uci_option, uci_options
from philidor.games.chess import Position
from philidor.players.bench import run_bench
from philidor.players.classic import ClassicConfig, ClassicPlayer, wdl_of
from philidor.players.native import SearchInfo, SearchResult, evaluation_table, score_of
from philidor.protocols.uci import Go, Info, PositionCommand, format_best, format_info


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
        self._player.engine.new_game()

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

    def start(self, go: Go) -> Iterator[str]:
        """Starts a search and returns its lines to be, the best move last. Raises IllegalMoveError."""
        position = self._position
        self._player.engine.start(
            position.native,
            depth=None if go.depth is None else min(go.depth, 199),
            nodes=go.nodes,
            mate=None if go.mate is None else min(go.mate, 100),
            move_time=go.movetime,
            white_time=go.wtime,
            black_time=go.btime,
            white_increment=go.winc,
            black_increment=go.binc,
            moves_to_go=None if go.movestogo is None else min(go.movestogo, 1000),
            infinite=go.infinite or _is_endless(go),
            ponder=go.ponder,
            search_moves=[position.parse_uci(text) for text in go.searchmoves],
        )
        return self._lines(position)

    def _lines(self, position: Position) -> Iterator[str]:
        while True:
            event = self._player.engine.next_event(60_000)
            if isinstance(event, SearchInfo):
                yield format_info(self._info(position, event))
            elif isinstance(event, SearchResult):
                best, ponder = event.move, None
                if best is not None and event.ponder is not None:
                    ponder = position.play(best).uci(event.ponder)
                yield format_best(None if best is None else position.uci(best), ponder)
                return

    def _info(self, position: Position, info: SearchInfo) -> Info:
        score = score_of(info.score)
        return Info(
            depth=info.depth,
            seldepth=info.selective_depth,
            multipv=info.multi_pv,
            score=score,
            bound={1: "lowerbound", 2: "upperbound"}.get(info.bound),
            wdl=wdl_of(score.cp if score.cp is not None else info.score) if self._config.show_wdl else None,
            nodes=info.nodes,
            nps=info.nodes * 1000 // max(info.time_ms, 1),
            hashfull=info.table_fullness,
            tbhits=0,
            time_ms=info.time_ms,
            pv=[position.uci(move) for move in info.line],
        )

    def stop(self) -> None:
        """Ends a search; its best move comes as the last line."""
        self._player.engine.stop()

    def ponder_hit(self) -> None:
        """Turns pondering into an ordinary search."""
        self._player.engine.ponder_hit()

    def perft(self, depth: int) -> str:
        """Returns each move's count and their sum, as Stockfish prints them."""
        counts = self._position.divide(depth)
        rows = [f"{move}: {count}" for move, count in counts.items()]
        return "\n".join([*rows, "", f"Nodes searched: {sum(counts.values())}"])

    def describe(self) -> str:
        """Draws the position."""
        position = self._position
        return f"{position}\n\nFen: {position.fen()}\nKey: {position.key:016X}"

    def explain(self) -> str:
        """Returns the evaluation, term by term, in White's view."""
        rows = [f"{'term':<20}{'White mg':>9}{'eg':>6}{'Black mg':>11}{'eg':>6}{'total mg':>11}{'eg':>6}"]
        for name, white_mg, white_eg, black_mg, black_eg in evaluation_table(self._position.native):
            if white_mg or white_eg or black_mg or black_eg:
                total = f"{white_mg - black_mg:>11}{white_eg - black_eg:>6}"
                rows.append(f"{name:<20}{white_mg:>9}{white_eg:>6}{black_mg:>11}{black_eg:>6}{total}")
        score = self._player.engine.evaluate(self._position.native)
        white = score if self._position.turn else -score
        return "\n".join([*rows, f"Evaluation: {white / 100:+.2f} (White's view)"])

    def flip(self) -> None:
        """Turns the board: the same position with colors changed. Raises FenError when that is no position."""
        fields = self._position.fen().split()
        board = "/".join(reversed(fields[0].split("/"))).swapcase()
        castling = fields[2] if fields[2] == "-" else "".join(sorted(fields[2].swapcase()))
        en_passant = fields[3] if fields[3] == "-" else fields[3][0] + {"3": "6", "6": "3"}[fields[3][1]]
        turn = "b" if fields[1] == "w" else "w"
        self._position = Position(" ".join([board, turn, castling, en_passant, *fields[4:]]))

    def bench(self, depth: int | None, say: Callable[[str], None]) -> None:
        """Searches the fixed positions, with this engine's settings."""
        run_bench(min(depth, 100) if depth else None, self._player.config, say)


def _is_endless(go: Go) -> bool:
    """Says whether a bare "go" was sent, which means to search until told to stop."""
    limits = (go.wtime, go.btime, go.depth, go.nodes, go.mate, go.movetime)
    return not go.ponder and all(limit is None for limit in limits)
