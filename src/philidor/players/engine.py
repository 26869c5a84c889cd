"""What the engines have in common that search by native alpha-beta: settings, clocks, reports (book, 3.3)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.games.chess import Move, Position
from philidor.players.native import AlphaBetaEngine, SearchInfo, SearchProgress, SearchResult, score_of
from philidor.players.player import Report, TimeLeft, check_lines, check_state, player_text, with_limits
from philidor.players.thinking import chess_position
from philidor.protocols.uci import Best, Go, Info
from philidor.search.limits import Stop

# The score that wins half of the games, and how fast that changes: fitted by tools/fit_wdl.py (docs/engine.md).
_WIN_AT_CP, _WIN_SPREAD_CP = 85.0, 119.0
_MAX_DEPTH = 199

# How long a search may run on after `stop` has said so.
_STOP_POLL_MS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """Knobs of the search."""

    hash: int = field(default=16, metadata=spin("Hash", 1, 1_048_576))
    """Size of the transposition table in megabytes."""
    threads: int = field(default=1, metadata=spin("Threads", 1, 512))
    """Threads that search together."""
    multi_pv: int = field(default=1, metadata=spin("MultiPV", 1, 256))
    """Lines to show."""
    move_overhead: int = field(default=10, metadata=spin("Move Overhead", 0, 5_000))
    """Milliseconds to keep in reserve for each move."""
    depth: int | None = field(default=None, metadata=spin(None, 1, _MAX_DEPTH))
    """Plies to search at most."""
    nodes: int | None = field(default=None, metadata=spin(None, 1))
    """Positions to visit at most."""
    movetime: float | None = field(default=None, metadata=real(None, 0.001))
    """Seconds to think at most."""
    without: tuple[str, ...] = field(default=(), metadata=text(None))
    """Search features to leave out, for measuring what they are worth."""
    parameters: tuple[str, ...] = field(default=(), metadata=text(None))
    """Numbers of the search to change, as NAME=VALUE, for tuning them by games."""

    def __post_init__(self) -> None:
        validate(self)


def wdl_of(cp: int) -> Wdl:
    """Returns how such a position ended between engines of this kind, in fast games."""
    win = 1 / (1 + math.exp((_WIN_AT_CP - cp) / _WIN_SPREAD_CP))
    loss = 1 / (1 + math.exp((_WIN_AT_CP + cp) / _WIN_SPREAD_CP))
    return Wdl(win, 1 - win - loss, loss)


E = TypeVar("E", bound=EngineConfig)


class EnginePlayer(ABC, Generic[E]):
    """A native search in the background; a subclass says what judges the positions."""

    name: ClassVar[str]
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)

    def __init__(self, config: E, /) -> None:
        self._config = config
        self.engine = self._make_engine(config)
        self._position = Position()
        self._apply(config)

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @abstractmethod
    def _make_engine(self, config: E) -> AlphaBetaEngine:
        """Returns a search over the evaluator that the config names. Raises ConfigError or NetError."""

    @abstractmethod
    def _has_same_evaluator(self, config: E, other: E) -> bool:
        """Says whether the search of one config will do for the other."""

    @abstractmethod
    def explain(self, position: Position) -> str:
        """Returns the evaluation in parts, in White's view."""

    @property
    def config(self) -> E:
        """The settings in force; nothing changes when new ones do not fit."""
        return self._config

    @config.setter
    def config(self, config: E) -> None:
        old, old_engine = self._config, self.engine
        if not self._has_same_evaluator(config, old):
            self.engine = self._make_engine(config)
        try:
            self._apply(config)
        except ConfigError:
            self.engine = old_engine
            self._apply(old)
            raise
        self._config = config

    def _apply(self, config: EngineConfig) -> None:
        try:
            self.engine.set_threads(config.threads)
            self.engine.set_table_size(config.hash)
            self.engine.set_options(
                config.multi_pv, config.move_overhead, list(config.without), _parameters(config.parameters)
            )
        except MemoryError:
            raise ConfigError(f"not enough memory for {config.hash} MB of hash and {config.threads} threads") from None
        except RuntimeError:
            raise ConfigError(f"this system does not allow {config.threads} threads") from None
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def choose(self, state: AnyState, /) -> Move:
        """Returns the move that the search finds best within the config's limits, or in a second without any."""
        best: Move | None = None
        for event in self.search(chess_position(state), **_limits(self._config)):
            if isinstance(event, SearchResult):
                best = event.move
        assert best is not None, "the game is not over"
        return best

    def think(
        self,
        state: AnyState,
        /,
        *,
        time_left: TimeLeft | None = None,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Searches within the config's limits; by the clock where it has none; in a second where there is none too."""
        limits = _limits(self._config)
        if time_left is not None and not _has_limits(self._config):
            limits = {
                "white_time": time_left.ms[0],
                "black_time": time_left.ms[1],
                "white_increment": time_left.increment_ms,
                "black_increment": time_left.increment_ms,
            }
        final = Analysis(best=None)
        for final in self._follow(chess_position(state), limits, stop):
            if report is not None and final.best is None:
                report(final)
        return final

    def search(
        self, position: Position, *, stop: Stop | None = None, **limits: Any
    ) -> Iterator[SearchInfo | SearchProgress | SearchResult]:
        """Starts a search and yields its events, the result last. Leaving the loop early stops the search."""
        self.engine.start(position.native, **limits)
        try:
            while True:
                event = self.engine.next_event(1_000 if stop is None else _STOP_POLL_MS)
                if stop is not None and stop():
                    self.engine.stop()  # the result is among the next events
                if event is None:
                    continue
                yield event
                if isinstance(event, SearchResult):
                    return
        finally:
            self.engine.stop()

    def start(self, position: Position, go: Go, *, spent_us: int = 0) -> None:
        """Begins to think in the background; `reports` tells how it goes. Raises IllegalMoveError."""
        moves = [position.parse_uci(text) for text in go.searchmoves]
        self._position = position
        self.engine.start(
            position.native,
            **native_limits(go),
            infinite=go.is_endless,
            ponder=go.ponder,
            search_moves=moves,
            spent_us=spent_us,
        )

    def reports(self) -> Iterator[Info | Best]:
        """Yields what the search says; its last word is the best move."""
        position = self._position
        while True:
            event = self.engine.next_event(1_000)
            if isinstance(event, SearchInfo):
                yield _info(position, event)
            elif isinstance(event, SearchProgress):
                yield _progress(position, event)
            elif isinstance(event, SearchResult):
                best, ponder = event.move, None
                if best is not None and event.ponder is not None:
                    ponder = position.play(best).uci(event.ponder)
                yield Best(None if best is None else position.uci(best), ponder)
                return

    def stop(self) -> None:
        """Ends the search."""
        self.engine.stop()

    def ponder_hit(self, spent_us: int = 0) -> None:
        """Turns pondering into an ordinary search."""
        self.engine.ponder_hit(spent_us)

    def new_game(self) -> None:
        """Forgets what was learned from earlier positions."""
        self.engine.new_game()

    def analyse(
        self,
        state: AnyState,
        /,
        *,
        movetime: float | None = None,
        nodes: int | None = None,
        lines: int = 1,
        **settings: Any,
    ) -> Analysis:
        """Searches for `movetime` seconds, `nodes` positions or `depth` plies; shows the best `lines`."""
        *_, final = self.stream(state, movetime=movetime, nodes=nodes, lines=lines, **settings)
        return final

    def stream(
        self,
        state: AnyState,
        /,
        *,
        movetime: float | None = None,
        nodes: int | None = None,
        lines: int = 1,
        **settings: Any,
    ) -> Iterator[Analysis]:
        """Searches as `analyse` does and yields what is known so far, line by line; the last one names the best move.

        Leaving the loop early ends the search.
        """
        check_state(state)
        check_lines(lines)
        given = {"movetime": movetime, "nodes": nodes, **settings}
        config = with_limits(self._config, {name: value for name, value in given.items() if value is not None})
        if state.is_over():
            yield Analysis(best=None)
            return
        before = self._config
        self.config = with_limits(config, {"multi_pv": lines})
        try:
            yield from self._follow(chess_position(state), _limits(config))
        finally:
            self.config = before

    def _follow(self, position: Position, limits: dict[str, Any], stop: Stop | None = None) -> Iterator[Analysis]:
        """Searches to the end, or until `stop`; yields the analysis after each line, and last with the best move."""
        found: dict[int, SearchInfo] = {}
        best: Move | None = None
        for event in self.search(position, stop=stop, **limits):
            if isinstance(event, SearchResult):
                best = event.move
            elif isinstance(event, SearchInfo):
                found[event.multi_pv] = event
                yield self._analysis(position, None, found)
        yield self._analysis(position, best, found)

    def _analysis(self, position: Position, best: Move | None, found: dict[int, SearchInfo]) -> Analysis:
        lines = tuple(_line(position, found[number]) for number in sorted(found))
        last = found.get(1)
        return Analysis(
            best=None if best is None else position.uci(best),
            score=lines[0].score if lines else None,
            wdl=lines[0].wdl if lines else None,
            lines=lines,
            depth=last.depth if last else None,
            nodes=self.engine.nodes,
            time_s=last.time_ms / 1000 if last else 0.0,
        )


def _parameters(texts: tuple[str, ...]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for text_ in texts:
        name, _, value = text_.partition("=")
        try:
            numbers[name.strip()] = int(value)
        except ValueError:
            raise ConfigError(f"parameters: expected NAME=NUMBER, got {text_!r}") from None
    return numbers


def _has_limits(config: EngineConfig) -> bool:
    return any(limit is not None for limit in (config.depth, config.nodes, config.movetime))


def _limits(config: EngineConfig) -> dict[str, Any]:
    """Returns the limits of a search; a second where the config has none."""
    move_time = None if config.movetime is None else max(1, round(1000 * config.movetime))
    if not _has_limits(config):
        return {"move_time": 1_000}
    return {"depth": config.depth, "nodes": config.nodes, "move_time": move_time}


def native_limits(go: Go) -> dict[str, Any]:
    """Returns the limits of a "go" as the compiled search takes them."""
    return {
        "depth": None if go.depth is None else min(go.depth, _MAX_DEPTH),
        "nodes": go.nodes,
        "mate": None if go.mate is None else min(go.mate, _MAX_DEPTH),
        "move_time": go.movetime,
        "white_time": go.wtime,
        "black_time": go.btime,
        "white_increment": go.winc,
        "black_increment": go.binc,
        "moves_to_go": None if go.movestogo is None else min(go.movestogo, 1000),
    }


def _info(position: Position, info: SearchInfo) -> Info:
    score = score_of(info.score)
    return Info(
        depth=info.depth,
        seldepth=info.selective_depth,
        multipv=info.multi_pv,
        score=score,
        bound={1: "lowerbound", 2: "upperbound"}.get(info.bound),
        wdl=_wdl(score),
        nodes=info.nodes,
        nps=info.nodes * 1000 // max(info.time_ms, 1),
        hashfull=info.table_fullness,
        tbhits=0,
        time_ms=info.time_ms,
        pv=[position.uci(move) for move in info.line],
    )


def _progress(position: Position, progress: SearchProgress) -> Info:
    return Info(
        depth=progress.depth,
        currmove=None if progress.move is None else position.uci(progress.move),
        currmovenumber=progress.move_number or None,
        nodes=progress.nodes,
        nps=progress.nodes * 1000 // max(progress.time_ms, 1),
        hashfull=progress.table_fullness,
        tbhits=0,
        time_ms=progress.time_ms,
    )


def _wdl(score: Score) -> Wdl:
    if score.cp is not None:
        return wdl_of(score.cp)
    return Wdl(1, 0, 0) if score.mate is not None and score.mate > 0 else Wdl(0, 0, 1)


def _line(position: Position, info: SearchInfo) -> Line:
    score = score_of(info.score)
    moves = tuple(position.uci(move) for move in info.line)
    return Line(moves, score, _wdl(score), info.depth, info.selective_depth)
