"""One game between two engines: the clocks, the rules, and who is to blame when it ends early."""

from __future__ import annotations

import dataclasses
import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from philidor.arena.adjudication import Adjudicator, GameRules
from philidor.arena.competitors import Competitor
from philidor.arena.limits import Clock, Limit, limits_for
from philidor.arena.moves import read_move
from philidor.arena.openings import Opening
from philidor.arena.pgn import PlayedMove, write_game
from philidor.core.abilities import move_name
from philidor.core.errors import IllegalMoveError
from philidor.core.game import AnyGame, AnyState, Outcome
from philidor.games import load_game
from philidor.games.chess import is_chess960
from philidor.players.external_uci import EngineCrashError, EngineHangError, EngineMoveError

FAULTS = ("crash", "hang", "illegal move", "time forfeit")
"""How an engine can lose without being beaten."""
# Engines stop a little after the time for a move; a tenth of a second is not worth a lost game.
_MOVE_TIME_MARGIN_MS = 100


class AbandonedError(Exception):
    """The match was stopped in the middle of this game."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to be played."""

    number: int
    """Its place in the match, from 0."""
    white: int
    """An engine, by its place in the list."""
    black: int
    opening: Opening
    game: str = "chess"
    """As `load_game` reads it. White is whoever moves first."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game went."""

    number: int
    white: int
    black: int
    result: str
    """1-0, 0-1 or 1/2-1/2."""
    reason: str
    """The rule that ended it, or the fault."""
    fault: str | None
    """One of FAULTS; the loser's."""
    detail: str
    """What exactly was wrong, for a fault."""
    plies: int
    """Moves made by the engines."""
    seconds: float
    pgn: str = field(repr=False)

    @property
    def white_points(self) -> float:
        """1, 0.5 or 0."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)


@dataclass(frozen=True, slots=True)
class _Ending:
    outcome: Outcome
    fault: str | None = None
    detail: str = ""


class _Table:
    """The board, the clocks and the score sheet of one game."""

    def __init__(
        self,
        game: AnyGame,
        opening: Opening,
        engines: tuple[Competitor, Competitor],
        limits: tuple[Limit, Limit],
        rules: GameRules,
    ) -> None:
        self.start = opening.state(game)
        self.position = self.start
        self.sheet: list[PlayedMove] = []
        for text in opening.moves:
            self._push(text, None)
        self._engines, self._limits, self._rules = engines, limits, rules
        self._clocks = (Clock(limits[0].tc), Clock(limits[1].tc))
        self._adjudicator = Adjudicator(rules)

    def _push(self, text: str, move: PlayedMove | None) -> None:
        chosen = read_move(self.position, text)
        self.sheet.append(move or PlayedMove(move_name(self.position, chosen)))
        self.position = self.position.play(chosen)

    def prepare(self, number: int) -> _Ending | None:
        """Tells the engines about the game; one that fails now has lost it."""
        for side, engine in enumerate(self._engines):
            try:
                engine.new_game(number, is_chess960=is_chess960(self.start))
            except (EngineCrashError, EngineHangError) as error:
                return _lost(side, "crash" if isinstance(error, EngineCrashError) else "hang", str(error))
        return self._ended_by_rules()

    def play_move(self) -> _Ending | None:
        """Lets the side to move think and play; returns how the game has ended, or None."""
        side = self.position.to_move
        limit, clock, rules = self._limits[side], self._clocks[side], self._rules
        limits = limits_for(limit, self._clocks, side)
        budget_ms = clock.left_ms if clock.is_running else limit.movetime_ms
        timeout_s = rules.hang_time + (budget_ms or 0) / 1000
        start = time.monotonic()
        try:
            thought = self._engines[side].think(self.position, limits, timeout_s)
        except EngineCrashError as error:
            return _lost(side, "crash", str(error))
        except EngineHangError as error:
            return _lost(side, "hang", f"no move for {time.monotonic() - start:.1f} s: {error}")
        except EngineMoveError as error:
            return _lost(side, "illegal move", str(error))
        used_ms = 1000 * thought.time_s
        if not clock.press(used_ms, 1000 * rules.time_margin):
            return _lost(side, "time forfeit", f"{used_ms:.0f} ms used, {budget_ms:.0f} ms left")
        if limit.movetime_ms and used_ms > limit.movetime_ms + 1000 * rules.time_margin + _MOVE_TIME_MARGIN_MS:
            return _lost(side, "time forfeit", f"{used_ms:.0f} ms used, {limit.movetime_ms} ms allowed")
        if thought.resigns:
            return _Ending(Outcome(1 - side, "resignation"))
        try:
            move = read_move(self.position, thought.move or "0000")
        except IllegalMoveError as error:
            return _lost(side, "illegal move", str(error))
        self._push(self.position.move_text(move), PlayedMove(move_name(self.position, move), thought))
        white_score = thought.score if side == 0 or thought.score is None else thought.score.flipped()
        verdict = self._adjudicator.judge(white_score, self.position)
        return self._ended_by_rules() or (_Ending(verdict) if verdict else None)

    def _ended_by_rules(self) -> _Ending | None:
        outcome = self.position.outcome()
        return _Ending(outcome) if outcome else None


def play_game(
    pairing: Pairing,
    engines: tuple[Competitor, Competitor],
    names: tuple[str, str],
    limits: tuple[Limit, Limit],
    rules: GameRules,
    is_stopped: Callable[[], bool],
) -> GameResult:
    """Plays a game to its end; White's engine, name and limit come first. Raises AbandonedError, ConfigError."""
    start = time.monotonic()
    game = load_game(pairing.game)
    table = _Table(game, pairing.opening, engines, limits, rules)
    ending = table.prepare(pairing.number)
    while ending is None:
        if is_stopped():
            raise AbandonedError
        ending = table.play_move()
    result = result_of(pairing, names, limits, table.sheet, ending.outcome, time.monotonic() - start)
    return dataclasses.replace(result, fault=ending.fault, detail=ending.detail)


def result_of(
    pairing: Pairing,
    names: tuple[str, str],
    limits: tuple[Limit, Limit],
    sheet: Sequence[PlayedMove],
    outcome: Outcome,
    seconds: float,
) -> GameResult:
    """Writes up a game that has ended without a fault; White's name and limit come first."""
    game = load_game(pairing.game)
    start = pairing.opening.state(game)
    result = "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
    headers = _headers(pairing, names, limits, game, start)
    headers |= {"Result": result, "Termination": outcome.reason}
    return GameResult(
        number=pairing.number,
        white=pairing.white,
        black=pairing.black,
        result=result,
        reason=outcome.reason,
        fault=None,
        detail="",
        plies=len(sheet) - len(pairing.opening.moves),
        seconds=round(seconds, 3),
        pgn=write_game(headers, start, sheet, result),
    )


def _headers(
    pairing: Pairing, names: tuple[str, str], limits: tuple[Limit, Limit], game: AnyGame, start: AnyState
) -> dict[str, str]:
    headers = {
        "Event": "philidor match",
        "Site": "?",
        "Date": f"{datetime.date.today():%Y.%m.%d}",
        # Round 3.2 is the second game of the third pair.
        "Round": f"{pairing.number // 2 + 1}.{pairing.number % 2 + 1}",
        "White": names[0],
        "Black": names[1],
        "Result": "*",
    }
    if start.text() != game.state().text():
        headers |= {"SetUp": "1", "FEN": start.text()}
    if game.name != "chess" or is_chess960(start):
        headers["Variant"] = "Chess960" if game.name == "chess" else pairing.game
    same = limits[0] == limits[1]
    return {**headers, "TimeControl": str(limits[0]) if same else f"{limits[0]} | {limits[1]}"}


def _lost(side: int, fault: str, detail: str) -> _Ending:
    return _Ending(Outcome(1 - side, fault), fault, detail)
