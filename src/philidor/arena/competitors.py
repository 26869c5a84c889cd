"""Engines at the board: ours inside this program and others over UCI or CECP, seen by the game in the same way."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from philidor.arena.engines import EngineSpec, obeys_limits
from philidor.core.analysis import Score
from philidor.core.config import settings
from philidor.core.errors import ConfigError, nearest_name
from philidor.core.game import AnyState
from philidor.core.options import set_uci_option
from philidor.core.programs import find_program
from philidor.games.chess import Position
from philidor.players import PLAYERS, Player, player_class
from philidor.players.engine import native_limits
from philidor.players.external_uci import EngineCrashError, EngineHangError, EngineMoveError, UciProcess
from philidor.players.external_xboard import XboardProcess
from philidor.players.native import AlphaBetaEngine, SearchInfo, SearchProgress, SearchResult, score_of
from philidor.protocols.uci import Go, PositionCommand


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine answers: a move and how it came to it."""

    move: str | None
    """In UCI, or as the game writes it; None if it sees none."""
    time_s: float
    score: Score | None = None
    depth: int | None = None
    nodes: int | None = None
    resigns: bool = False


# How to speak with programs, by the name that match runners give to protocols.
_PROCESSES: dict[str, type[UciProcess] | type[XboardProcess]] = {"uci": UciProcess, "xboard": XboardProcess}


class Competitor(Protocol):
    """An engine at the board."""

    def new_game(self, number: int, *, is_chess960: bool) -> None:
        """Prepares for the game of this number; the same number gives the same game again."""

    def think(self, position: AnyState, history: PositionCommand, go: Go, timeout_s: float) -> Thought:
        """Chooses a move. Raises EngineCrashError, EngineMoveError and, after `timeout_s`, EngineHangError."""

    def close(self) -> None:
        """Ends it; the next game would start it again."""

    def kill(self) -> None:
        """Ends it without asking."""


class _SearchingPlayer(Protocol):
    """What players with a native search offer beyond `choose`: clocks, and reports while they think."""

    engine: AlphaBetaEngine

    def search(self, position: Position, **limits: Any) -> Iterator[SearchInfo | SearchProgress | SearchResult]: ...


class InProcess:
    """A player of ours. It cannot be stopped when it hangs, and a crash is everybody's."""

    def __init__(self, spec: EngineSpec, options: Mapping[str, str]) -> None:
        assert spec.player is not None
        config = spec.config()
        known = {setting.uci_name.lower() for setting in settings(type(config)) if setting.uci_name}
        self.known_options = {name for name in options if name.lower() in known}
        for name in self.known_options:
            config = set_uci_option(config, name, options[name])
        self._kind = player_class(spec.player)
        self._config = config
        self._player: Player = self._kind(config)
        self._obeys_limits = obeys_limits(spec.player)

    def new_game(self, number: int, *, is_chess960: bool) -> None:
        """Forgets the last game. A player with a seed gets another one for each game, or all would be alike."""
        if self._obeys_limits:
            cast(_SearchingPlayer, self._player).engine.new_game()
        elif "seed" in {field.name for field in dataclasses.fields(self._config)}:
            seed = self._config.seed + number  # type: ignore[attr-defined]
            self._player = self._kind(dataclasses.replace(self._config, seed=seed))

    def think(self, position: AnyState, history: PositionCommand, go: Go, timeout_s: float) -> Thought:
        """Searches within the limits, or as the player's own settings say."""
        start = time.monotonic()
        try:
            if self._obeys_limits and isinstance(position, Position):
                return self._search(position, go, start)
            move = position.move_text(self._player.choose(position))
        # Whatever a player raises, it has lost this game and not the match.
        except Exception as error:
            raise EngineCrashError(f"{type(error).__name__}: {error}") from error
        return Thought(move, time.monotonic() - start)

    def _search(self, position: Position, go: Go, start: float) -> Thought:
        last: SearchInfo | None = None
        best: SearchResult | None = None
        for event in cast(_SearchingPlayer, self._player).search(position, **native_limits(go)):
            if isinstance(event, SearchResult):
                best = event
            elif isinstance(event, SearchInfo) and event.multi_pv == 1:
                last = event
        used = time.monotonic() - start
        move = None if best is None or best.move is None else position.uci(best.move)
        if last is None:
            return Thought(move, used)
        return Thought(move, used, score_of(last.score), last.depth, last.nodes)

    def close(self) -> None:
        """Nothing runs between searches."""

    def kill(self) -> None:
        """It ends with this process."""


class External:
    """A program that speaks UCI or CECP; started for its first game and again after it failed."""

    def __init__(self, spec: EngineSpec, options: Mapping[str, str]) -> None:
        self._spec, self._options = spec, options
        self._process: UciProcess | XboardProcess | None = None
        self.known_options: set[str] = set()
        """Those of the options for all engines that this one has; known once it runs."""

    def start(self) -> UciProcess | XboardProcess:
        """Starts the program and sets its options. Raises ConfigError, EngineCrashError, EngineHangError."""
        try:
            process = _PROCESSES[self._spec.protocol](self._spec.command)
        except ConfigError as error:
            is_there = find_program(self._spec.command[0]) is not None
            nearest = None if is_there else nearest_name(self._spec.command[0], PLAYERS)
            raise ConfigError(f"{error}" + (f"; did you mean {nearest!r}?" if nearest else "")) from None
        try:
            self.known_options = {name for name in self._options if name.lower() in process.options}
            process.set_options({name: self._options[name] for name in sorted(self.known_options)})
            process.set_options(self._spec.settings)
            process.ready()
        except BaseException:
            process.kill()
            raise
        self._process = process
        return process

    def new_game(self, number: int, *, is_chess960: bool) -> None:
        """Starts the program if it does not run, and tells it about the game."""
        process = self._process or self.start()
        if is_chess960 and not process.knows_chess960:
            raise ConfigError(f"{self._spec.name} does not play Chess960, but an opening needs it")
        try:
            process.new_game(is_chess960=is_chess960)
        except (EngineCrashError, EngineHangError):
            self.kill()
            raise

    def think(self, position: AnyState, history: PositionCommand, go: Go, timeout_s: float) -> Thought:
        """Asks the program; it is ended if it fails."""
        assert self._process is not None, "new_game comes first"
        try:
            reply = self._process.go(history, go, timeout_s)
        except (EngineCrashError, EngineHangError, EngineMoveError):
            self.kill()
            raise
        info = reply.info
        return Thought(reply.move, reply.time_s, info.score, info.depth, info.nodes, resigns=reply.resigns)

    def close(self) -> None:
        """Asks the program to quit."""
        if self._process is not None:
            self._process.quit()
            self._process = None

    def kill(self) -> None:
        """Ends the program without asking; the next game starts it again."""
        if self._process is not None:
            self._process.kill()
            self._process = None


def competitor(spec: EngineSpec, options: Mapping[str, str]) -> InProcess | External:
    """Makes the competitor for an engine; `options` are for every engine that has them. Raises ConfigError."""
    return InProcess(spec, options) if spec.is_in_process else External(spec, options)


def check_engines(specs: tuple[EngineSpec, ...], options: Mapping[str, str]) -> None:
    """Starts each engine once, so that mistakes are known before the first game. Raises ConfigError."""
    known: set[str] = set()
    for spec in specs:
        entrant = competitor(spec, options)
        try:
            if isinstance(entrant, External):
                entrant.start()
        except (EngineCrashError, EngineHangError) as error:
            protocol = {"uci": "UCI"}.get(spec.protocol, spec.protocol)
            raise ConfigError(f"{spec.name} does not start as a {protocol} engine: {error}") from None
        finally:
            entrant.close()
        known |= entrant.known_options
    for name in options:
        if name not in known:
            raise ConfigError(f"none of the engines has an option {name!r}")
