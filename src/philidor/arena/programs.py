"""Programs at the board: engines of anybody's, over UCI or CECP."""

from __future__ import annotations

from collections.abc import Mapping

from philidor.arena.engines import EngineSpec
from philidor.arena.thought import Thought
from philidor.core.errors import ConfigError, nearest_name
from philidor.core.game import AnyState
from philidor.core.programs import find_program
from philidor.core.thinking import Limits
from philidor.games.chess import Position
from philidor.players import PLAYERS
from philidor.players.external_uci import (
    EngineCrashError,
    EngineHangError,
    EngineMoveError,
    UciProcess,
    position_command,
)
from philidor.players.external_xboard import XboardProcess
from philidor.protocols.uci import go_of

# How to speak with programs, by the name that match runners give to protocols.
_PROCESSES: dict[str, type[UciProcess] | type[XboardProcess]] = {"uci": UciProcess, "xboard": XboardProcess}


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

    def think(self, position: AnyState, limits: Limits, timeout_s: float) -> Thought:
        """Asks the program; it is ended if it fails."""
        assert self._process is not None, "new_game comes first"
        assert isinstance(position, Position), "programs play chess"
        try:
            reply = self._process.go(position_command(position), go_of(limits), timeout_s)
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
