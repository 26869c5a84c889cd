"""Programs at the Go board: engines of anybody's, over GTP."""

from __future__ import annotations

from philidor.arena.engines import EngineSpec
from philidor.arena.thought import Thought
from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.thinking import Limits
from philidor.games.go import GoState
from philidor.players.external_gtp import GtpProcess
from philidor.players.external_uci import EngineCrashError, EngineHangError, EngineMoveError


class GoProgram:
    """A program that speaks GTP; started for its first game and again after it failed."""

    def __init__(self, spec: EngineSpec) -> None:
        if spec.settings:
            raise ConfigError(f"GTP has no options; write them into the command of {spec.name!r}")
        self._spec = spec
        self._process: GtpProcess | None = None
        self.known_options: set[str] = set()
        """GTP has none."""

    def start(self) -> GtpProcess:
        """Starts the program. Raises ConfigError, EngineCrashError, EngineHangError."""
        try:
            self._process = GtpProcess(self._spec.command)
        except EngineMoveError as error:
            raise ConfigError(f"{self._spec.name} does not speak GTP: {error}") from None
        return self._process

    def new_game(self, number: int, *, is_chess960: bool) -> None:
        """Starts the program if it does not run, and has it forget the last game."""
        (self._process or self.start()).new_game()

    def think(self, position: AnyState, limits: Limits, timeout_s: float) -> Thought:
        """Asks the program; it is ended if it fails."""
        assert self._process is not None, "new_game comes first"
        assert isinstance(position, GoState), "these programs play Go"
        try:
            reply = self._process.genmove(position, limits, timeout_s)
        except (EngineCrashError, EngineHangError, EngineMoveError):
            self.kill()
            raise
        return Thought(reply.move, reply.time_s, resigns=reply.move is None)

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
