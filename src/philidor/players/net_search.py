"""How the network player's tree grows: in slices, by clock, visits or depth, in the background for UCI."""

from __future__ import annotations

import bisect
import logging
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from philidor.core.errors import one_line
from philidor.core.random import SplitMix64
from philidor.games.chess import Position
from philidor.players.net_statistics import move_statistics
from philidor.players.player import TimeLeft
from philidor.protocols.uci import Best, Go, Info
from philidor.search.limits import Stop

if TYPE_CHECKING:
    from philidor.core.analysis import Analysis
    from philidor.core.game import AnyState
    from philidor.evaluators.network import NetEvaluator
    from philidor.search.trees.native import PuctSearch

_log = logging.getLogger(__name__)

REPORT_S = 1.0
"""A search says what it found so often."""
# It is asked about its clock and its stop so often.
_SLICE_S = 0.02
# How much faster than so far the rest may go: a move that lags further behind cannot come first any more.
_HOPE = 1.33
_ENDLESS = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What one search may spend; None is no limit."""

    visits: int | None = None
    """Simulations, those of a tree that was kept included."""
    end: float | None = None
    """When it must be over, by `time.perf_counter`."""
    depth: int | None = None
    """Moves of the most visited line."""
    may_end_early: bool = False
    """Whether to stop when no other move can come first any more."""


def grow(tree: PuctSearch, evaluator: NetEvaluator, batch: int, allowance: Allowance, stop: Stop) -> Iterator[None]:
    """Lets a tree grow in short slices until the allowance is spent; yields after each.

    A bare root is judged in any case, so that there is something to say.
    """
    if not tree.visits:
        tree.run(evaluator, 1)
        yield
    begin, before = time.perf_counter(), tree.visits
    while not stop():
        now = time.perf_counter()
        left = _ENDLESS if allowance.visits is None else allowance.visits - tree.visits
        if left <= 0 or (allowance.end is not None and now >= allowance.end):
            return
        if allowance.depth is not None and _depth(tree) >= allowance.depth:
            return
        if allowance.may_end_early and allowance.end is not None and now > begin + _SLICE_S:
            to_come = _HOPE * (tree.visits - before) / (now - begin) * (allowance.end - now)
            if _lead(tree) > to_come:
                return
        slice_end = now + _SLICE_S if allowance.end is None else min(now + _SLICE_S, allowance.end)
        if not tree.run(evaluator, left, batch=batch, stop=_after_a_batch(slice_end, stop)):
            return  # stopped, proven or full: on a busy machine too, as a slice has a batch at least
        yield


def _after_a_batch(end: float, stop: Stop) -> Stop:
    """Returns a stop that looks at the clock from its second question on: a search asks before each batch."""
    is_first = True

    def is_over() -> bool:
        nonlocal is_first
        was_first, is_first = is_first, False
        return stop() or (not was_first and time.perf_counter() >= end)

    return is_over


def _lead(tree: PuctSearch) -> int:
    """Returns by how many visits the first move leads."""
    visits = sorted((row.visits for row in tree.moves()), reverse=True)
    return visits[0] - visits[1] if len(visits) > 1 else _ENDLESS


def _depth(tree: PuctSearch) -> int:
    lines = tree.result().analysis.lines
    return len(lines[0].moves) if lines else 0


def drawn_move(analysis: Analysis, temperature: float, random: SplitMix64) -> str | None:
    """Draws a move by its visits, or by its prior where there were none, to the power 1 / temperature, as lc0 does.

    What wins for certain is played, and what loses for certain is not.
    """
    best = next((stats for stats in analysis.moves if stats.move == analysis.best), None)
    sound = [stats for stats in analysis.moves if stats.value != -1.0]
    if temperature <= 0 or best is None or best.value == 1.0 or not sound:
        return analysis.best
    has_visits = any(stats.visits for stats in sound)
    weights = [float((stats.visits if has_visits else stats.prior) or 0.0) for stats in sound]
    highest = max(weights)
    total, sums = 0.0, []
    for weight in weights:
        total += (weight / highest) ** (1 / temperature)
        sums.append(total)
    place = bisect.bisect_right(sums, total * random.below(2**53) / 2**53)
    return sound[min(place, len(sound) - 1)].move


def best_places(tree: PuctSearch) -> list[int]:
    """Returns the places of the tree's root moves, the best first.

    What wins for certain comes first, the soonest before; then by visits, Q and P; then what loses, the latest before.
    """
    rows = tree.moves()

    def rank(place: int) -> tuple[bool, bool, bool, float, int, float, float]:
        row = rows[place]
        # The first is the tree's own choice, whatever breaks its ties.
        is_chosen = row.visits > 0 and place == tree.best
        delay = -(row.proven or 0) * (row.distance or 0.0)
        return is_chosen, row.proven == 1, row.proven != -1, delay, row.visits, row.value or 0.0, row.prior

    return sorted(range(len(rows)), key=rank, reverse=True)


class _Player(Protocol):
    """What a background search needs of the player."""

    @property
    def evaluator(self) -> NetEvaluator: ...

    @property
    def config(self) -> _Config: ...

    def describe(self, tree: PuctSearch, time_s: float, lines: int = 1) -> Analysis: ...

    def decide(self, state: AnyState, analysis: Analysis) -> Analysis: ...


class _Config(Protocol):
    @property
    def batch(self) -> int: ...

    @property
    def multi_pv(self) -> int: ...

    @property
    def verbose_move_stats(self) -> bool: ...

    @property
    def move_overhead(self) -> int: ...

    @property
    def simulations(self) -> int: ...


class Thinking:
    """One search in a thread of its own, from "go" to "bestmove"."""

    def __init__(self, player: _Player, position: Position, tree: PuctSearch | None, go: Go, begin: float) -> None:
        """Begins at once; `begin` is when the order came, and without a tree the game is over."""
        self._player = player
        self._position = position
        self._tree = tree
        self._go = go
        self._begin = begin
        self._is_stopped = threading.Event()
        self._is_hit = threading.Event()
        self._reports: queue.SimpleQueue[Info | Best] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="net search", daemon=True).start()

    def reports(self) -> Iterator[Info | Best]:
        """Yields infos, and the best move last."""
        while True:
            report = self._reports.get()
            yield report
            if isinstance(report, Best):
                return

    def stop(self) -> None:
        """Ends the search."""
        self._is_stopped.set()
        self._is_hit.set()

    def ponder_hit(self, begin: float) -> None:
        """Lets the clock run from `begin` on."""
        self._begin = begin
        self._is_hit.set()

    def _run(self) -> None:
        try:
            best = self._think(self._tree) if self._tree is not None else self._without_search()
        except Exception as error:
            # Whatever the network did, a move must be answered; the cause is for the log, and a line of it for the GUI.
            _log.exception("the search broke off")
            self._reports.put(Info(string=one_line(f"the search broke off: {error}")))
            moves = self._position.legal_moves()
            best = Best(self._go.searchmoves[0] if self._go.searchmoves else self._position.uci(moves[0]))
        if self._go.ponder:
            self._is_hit.wait()
        if self._go.is_endless:
            self._is_stopped.wait()
        self._reports.put(best)

    def _think(self, tree: PuctSearch) -> Best:
        batch, last = self._player.config.batch, 0.0
        if self._go.ponder:
            waiting = Allowance(visits=None)
            for _ in grow(tree, self._player.evaluator, batch, waiting, self._is_hit.is_set):
                last = self._say(tree, last)
        for _ in grow(tree, self._player.evaluator, batch, self._allowance(), self._is_stopped.is_set):
            last = self._say(tree, last)
        analysis = self._player.decide(self._position, self._say_now(tree))
        line = next((line.moves for line in analysis.lines if line.moves[0] == analysis.best), ())
        return Best(analysis.best, line[1] if len(line) > 1 else None)

    def _allowance(self) -> Allowance:
        go, config = self._go, self._player.config
        if go.is_endless:
            return Allowance()
        visits, end, may_end_early = go.nodes, None, False
        reserve = config.move_overhead / 1000
        if go.movetime is not None:
            end = self._begin + max(0.001, go.movetime / 1000 - reserve)
        clock, increment = (go.wtime, go.winc) if self._position.turn else (go.btime, go.binc)
        if end is None and clock is not None:
            may_end_early = True
            share = TimeLeft(ms=(clock, clock), increment_ms=increment).share_s(0)
            if go.movestogo is not None:
                share = max(share, min(clock / 2, clock / (go.movestogo + 1)) / 1000)
            end = self._begin + max(0.001, share - reserve)
        if visits is None and end is None and go.depth is None:
            visits = config.simulations
        return Allowance(visits=visits, end=end, depth=go.depth, may_end_early=may_end_early)

    def _say(self, tree: PuctSearch, last: float) -> float:
        now = time.perf_counter()
        if now - last < REPORT_S:
            return last
        self._say_now(tree)
        return now

    def _say_now(self, tree: PuctSearch) -> Analysis:
        spent = time.perf_counter() - self._begin
        analysis = self._player.describe(tree, spent, self._player.config.multi_pv)
        for number, line in enumerate(analysis.lines, start=1):
            info = Info(
                depth=line.depth,
                multipv=number,
                score=line.score,
                wdl=line.wdl,
                moves_left=None if line.moves_left is None else int((1 + line.moves_left) / 2),
                nodes=analysis.nodes,
                nps=round(analysis.nodes / spent) if spent > 0 else 0,
                time_ms=round(1000 * spent),
                pv=line.moves,
            )
            self._reports.put(info)
        if self._player.config.verbose_move_stats:
            legal = [self._position.uci(move) for move in self._position.legal_moves()]
            places = self._player.evaluator.encoding.encode([self._position]).legal(0).tolist()
            for string in move_statistics(tree, dict(zip(legal, places, strict=True))):
                self._reports.put(Info(string=string))
        return analysis

    def _without_search(self) -> Best:
        """Answers where a rule has ended the game: a drawn position still has moves, and a GUI may want one."""
        policy = self._player.evaluator.evaluate([self._position])[0].policy
        moves = [move for move in policy if not self._go.searchmoves or move in self._go.searchmoves]
        return Best(moves[0] if moves else None)
