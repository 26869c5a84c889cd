"""What the engines have in common that search by native alpha-beta: settings, clocks, reports (book, 3.3)."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.config import Dataclass, real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.core.thinking import ALL_LIMITS, NO_LIMITS, Limits, Report, Signal, Stop
from philidor.games.chess import Position
from philidor.players.chess_player import chess_position
from philidor.players.native import AlphaBetaEngine, SearchInfo, SearchProgress, SearchResult, score_of
from philidor.players.player import check_lines, check_state, player_text, with_limits

_MAX_DEPTH = 199
# Where nothing else says how long.
_SECONDS_A_MOVE = 1.0

# How long a search may run on after `stop` has said so.
_STOP_POLL_MS = 20


class WinCurve(NamedTuple):
    """How often a score wins, for an engine that judges like this one: fitted by tools/fit_wdl.py (docs/engine.md)."""

    half_cp: float
    """The score that wins half of the games."""
    spread_cp: float
    """Centipawns by which the odds of a win change by a factor of e."""


CLASSIC_CURVE = WinCurve(85.0, 119.0)


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
    syzygy: tuple[str, ...] = field(default=(), metadata=text(None))
    """Folders with Syzygy endgame tables that the search asks."""

    def __post_init__(self) -> None:
        validate(self)


def wdl_of(cp: int, curve: WinCurve = CLASSIC_CURVE) -> Wdl:
    """Returns how such a position ended between engines of this kind, in fast games."""
    win = 1 / (1 + math.exp((curve.half_cp - cp) / curve.spread_cp))
    loss = 1 / (1 + math.exp((curve.half_cp + cp) / curve.spread_cp))
    return Wdl(win, 1 - win - loss, loss)


E = TypeVar("E", bound=EngineConfig)


class EnginePlayer(ABC, Generic[E]):
    """A native search in the background; a subclass says what judges the positions."""

    name: ClassVar[str]
    config_class: ClassVar[type[Dataclass]]
    levels: ClassVar[tuple[Any, ...]]
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)
    heeds: ClassVar[frozenset[str]] = ALL_LIMITS
    win_curve: ClassVar[WinCurve] = CLASSIC_CURVE
    silence_ms = 1000
    """After so long without news a search says where it is; a change holds from the next config on."""

    def __init__(self, config: E, /) -> None:
        self._config = config
        self.engine = self._make_engine(config)
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

    def another(self) -> Self:
        """Returns a second player with the same settings, a search of its own, and this one's network."""
        twin = copy.copy(self)
        twin.engine = twin._make_engine(self._config)
        twin._apply(self._config)
        return twin

    def _apply(self, config: EngineConfig) -> None:
        try:
            self._set_endings(config)
            self.engine.set_threads(config.threads)
            self.engine.set_table_size(config.hash)
            self.engine.set_options(
                config.multi_pv,
                config.move_overhead,
                list(config.without),
                _parameters(config.parameters),
                self.silence_ms,
            )
        except MemoryError:
            raise ConfigError(f"not enough memory for {config.hash} MB of hash and {config.threads} threads") from None
        except RuntimeError:
            raise ConfigError(f"this system does not allow {config.threads} threads") from None
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def _set_endings(self, config: EngineConfig) -> None:
        try:
            self.engine.set_endings(list(config.syzygy))
        except RuntimeError as error:
            raise ConfigError(f"syzygy: {error}") from None

    def choose(self, state: AnyState, /) -> str:
        """Returns the move that the search finds best within the config's limits, or in a second without any."""
        best = self.think(state).best
        assert best is not None, "the game is not over"
        return best

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Searches within the limits and the config's; for a second where there are none."""
        found = Analysis(best=None)
        for found in self._follow(chess_position(state), limits, self._config, stop):
            if report is not None and found.new_lines is not None:
                report(found)
        return found

    def _events(
        self, position: Position, limits: Limits, config: EngineConfig, stop: Stop | None
    ) -> Iterator[SearchInfo | SearchProgress | SearchResult]:
        """Starts a search and yields its events, the result last. Leaving the loop early stops the search."""
        clock_start = limits.clock_start
        spent_us = 0 if limits.began is None else _microseconds_since(limits.began)
        self.engine.start(position.native, **_native_limits(position, limits, config), spent_us=spent_us)
        with contextlib.ExitStack() as listening:
            listening.callback(self.engine.stop)
            if clock_start is not None:
                hit = clock_start
                listening.enter_context(hit.calling(lambda: self.engine.ponder_hit(_microseconds_since(hit.at))))
            if isinstance(stop, Signal):
                listening.enter_context(stop.calling(self.engine.stop))
            is_polled = stop is not None and not isinstance(stop, Signal)
            while True:
                event = self.engine.next_event(_STOP_POLL_MS if is_polled else 1_000)
                if is_polled and stop is not None and stop():
                    self.engine.stop()  # the result is among the next events
                if event is None:
                    continue
                yield event
                if isinstance(event, SearchResult):
                    return

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
            for found in self._follow(chess_position(state), NO_LIMITS, config, None):
                if found.new_lines != ():
                    yield found
        finally:
            self.config = before

    def _follow(
        self, position: Position, limits: Limits, config: EngineConfig, stop: Stop | None
    ) -> Iterator[Analysis]:
        """Searches to the end, or until `stop`; yields the analysis at each event, and last with the best move.

        Only the last one has no `new_lines`; those in between, without a new line, have empty ones.
        """
        lines: dict[int, Line] = {}
        found = Analysis(best=None)
        for event in self._events(position, limits, config, stop):
            if isinstance(event, SearchResult):
                yield self._with_result(position, found, event)
            elif isinstance(event, SearchInfo):
                lines[event.multi_pv] = _line(position, event, self.win_curve)
                found = _after_line(lines, event)
                yield found
            else:
                yield _in_between(position, found, event)

    def _with_result(self, position: Position, found: Analysis, result: SearchResult) -> Analysis:
        best, ponder = result.move, None
        if best is not None and result.ponder is not None:
            ponder = position.play(best).uci(result.ponder)
        return dataclasses.replace(
            found,
            best=None if best is None else position.uci(best),
            ponder=ponder,
            nodes=self.engine.nodes,
            new_lines=None,
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


def _native_limits(position: Position, limits: Limits, config: EngineConfig) -> dict[str, Any]:
    """Returns the limits as the compiled search takes them: the config's too, unless they are replaced."""
    moves = [position.parse_uci(text) for text in limits.moves]
    own = (None, None, None) if limits.replace_own else (config.depth, config.nodes, config.movetime)
    depth, nodes, time_s = map(_smaller, (limits.depth, limits.nodes, limits.time_s), own)
    clock = limits.time_left
    times = (depth, nodes, time_s, limits.mate, clock)
    if all(limit is None for limit in times) and limits.clock_start is None and not limits.is_endless:
        time_s = _SECONDS_A_MOVE
    return {
        "depth": None if depth is None else min(depth, _MAX_DEPTH),
        "nodes": nodes,
        "mate": None if limits.mate is None else min(limits.mate, _MAX_DEPTH),
        "move_time": None if time_s is None else max(1, round(1000 * time_s)),
        "white_time": None if clock is None else max(1, clock.ms[0]),
        "black_time": None if clock is None else max(1, clock.ms[1]),
        "white_increment": 0 if clock is None else clock.increments_ms[0],
        "black_increment": 0 if clock is None else clock.increments_ms[1],
        "moves_to_go": None if clock is None or clock.moves_to_go is None else min(clock.moves_to_go, 1000),
        "infinite": limits.is_endless,
        "ponder": limits.clock_start is not None,
        "search_moves": moves,
    }


def _smaller(first: Any, second: Any) -> Any:
    return min((value for value in (first, second) if value is not None), default=None)


def _microseconds_since(moment: float) -> int:
    return max(0, int(1e6 * (time.perf_counter() - moment)))


def _after_line(lines: dict[int, Line], info: SearchInfo) -> Analysis:
    numbers = sorted(lines)
    first = lines[numbers[0]]
    return Analysis(
        best=None,
        score=first.score,
        wdl=first.wdl,
        lines=tuple(lines[number] for number in numbers),
        depth=first.depth,
        nodes=info.nodes,
        time_s=info.time_ms / 1000,
        new_lines=(numbers.index(info.multi_pv),),
        hash_full=info.table_fullness,
        table_hits=info.ending_hits,
    )


def _in_between(position: Position, found: Analysis, progress: SearchProgress) -> Analysis:
    """Returns what was found, and where the search is now."""
    return dataclasses.replace(
        found,
        depth=progress.depth,
        nodes=progress.nodes,
        time_s=progress.time_ms / 1000,
        new_lines=(),
        current_move=None if progress.move is None else position.uci(progress.move),
        current_move_number=progress.move_number or None,
        hash_full=progress.table_fullness,
        table_hits=progress.ending_hits,
    )


def _wdl(score: Score, curve: WinCurve) -> Wdl:
    if score.cp is not None:
        return wdl_of(score.cp, curve)
    return Wdl(1, 0, 0) if score.mate is not None and score.mate > 0 else Wdl(0, 0, 1)


def _line(position: Position, info: SearchInfo, curve: WinCurve) -> Line:
    score = score_of(info.score)
    moves = tuple(position.uci(move) for move in info.line)
    bound = {1: "lowerbound", 2: "upperbound"}.get(info.bound)
    return Line(moves, score, _wdl(score, curve), info.depth, info.selective_depth, bound=bound)
