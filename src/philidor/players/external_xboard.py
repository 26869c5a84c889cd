"""A chess engine that speaks CECP, the protocol of xboard, as a program of its own; python-chess does the talking."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import time
from collections.abc import Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from philidor.core.analysis import Score
from philidor.core.errors import ConfigError
from philidor.core.programs import find_program
from philidor.players.external_uci import (
    QUIT_TIMEOUT_S,
    START_TIMEOUT_S,
    EngineCrashError,
    EngineHangError,
    EngineMoveError,
    Reply,
    option_named,
)
from philidor.players.running import MOST_INFO, MOST_TALK
from philidor.protocols.uci import Go, Info, PositionCommand
from philidor.protocols.uci_client import OptionLine

if TYPE_CHECKING:
    import chess
    import chess.engine

T = TypeVar("T")


class XboardProcess:
    """One running engine, seen like a `UciProcess`. Its times are a few milliseconds longer: it must say "pong"."""

    def __init__(self, command: Sequence[str], *, start_timeout_s: float = START_TIMEOUT_S) -> None:
        """Starts the program. Raises ConfigError if that cannot be or python-chess cannot use it, EngineHangError."""
        import chess.engine

        from philidor.players.xboard_protocol import BoundedXboard

        # It warns of every line that is not of the protocol, and engines of that time are talkative.
        logging.getLogger("chess.engine").setLevel(logging.ERROR)
        self.command = tuple(command)
        self._game: object = object()
        self._is_chess960 = False
        try:
            self._engine = chess.engine.SimpleEngine.popen(
                BoundedXboard,
                [find_program(command[0]) or command[0], *command[1:]],
                timeout=start_timeout_s,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise EngineHangError(f"{self.command[0]} does not answer") from None
            raise ConfigError(f"cannot start {self.command[0]!r}: {(error.strerror or str(error)).lower()}") from None
        except chess.engine.EngineTerminatedError as error:
            raise EngineCrashError(f"{self.command[0]}: {error}") from None
        except chess.engine.EngineError as error:
            raise ConfigError(f"{self.command[0]}: {error}") from None
        assert isinstance(self._engine.protocol, BoundedXboard)
        self._protocol = self._engine.protocol
        self.name = self._engine.id.get("name", self.command[0])
        """What the engine calls itself."""
        self.options = {name.lower(): OptionLine(name, option.type) for name, option in self._engine.options.items()}
        """What can be set, by the name in lower case; "memory" and "cores" are among them where it has them."""

    @property
    def knows_chess960(self) -> bool:
        """Whether it can play from any array."""
        return "fischerandom" in str(self._protocol.features.get("variants", ""))

    def set_options(self, options: Mapping[str, str]) -> None:
        """Sets options by name. Raises ConfigError for one that the engine does not have or accept."""
        import chess.engine

        for name, value in options.items():
            option = option_named(self.options, name, self.name)
            try:
                self._engine.configure({option.name: value})
            except chess.engine.EngineError as error:
                raise ConfigError(f"{self.name}: {error}") from None

    def ready(self) -> None:
        """Waits until everything sent so far has been dealt with. Raises EngineCrashError, EngineHangError."""
        self._ask(self._protocol.ping(), START_TIMEOUT_S)

    def new_game(self, *, is_chess960: bool = False) -> None:
        """Notes that the next position is of another game: the engine hears of it with its first move."""
        self._game, self._is_chess960 = object(), is_chess960
        self.ready()

    def go(self, position: PositionCommand, go: Go, timeout_s: float) -> Reply:
        """Lets the engine think. Raises EngineCrashError, EngineMoveError, and EngineHangError after `timeout_s`."""
        import chess
        import chess.engine

        if go.nodes is not None and not self._protocol.features.get("nps", 0):
            raise ConfigError(f"{self.name} cannot count nodes; give it a clock, a depth or a time")
        fen = chess.STARTING_FEN if position.fen == "startpos" else position.fen
        board = chess.Board(fen, chess960=self._is_chess960)
        for move in position.moves:
            board.push_uci(move)
        start = time.monotonic()
        coroutine = self._protocol.play(board, _limit(go, self._game), game=self._game, info=chess.engine.INFO_ALL)
        result = self._ask(coroutine, timeout_s, MOST_INFO)
        used = time.monotonic() - start
        move_text = None if result.move is None else board.uci(result.move)
        return Reply(move_text, _info(result.info), used, resigns=result.resigned)

    def _ask(self, question: Coroutine[Any, Any, T], timeout_s: float, most_bytes: int = MOST_TALK) -> T:
        import chess.engine

        self._protocol.expect(most_bytes)
        try:
            return asyncio.run_coroutine_threadsafe(asyncio.wait_for(question, timeout_s), self._protocol.loop).result()
        except TimeoutError:
            raise EngineHangError(f"{self.name} does not answer") from None
        except chess.engine.EngineTerminatedError as error:
            if self._protocol.has_talked_too_much:
                raise EngineHangError(f"{self.name} writes without end and does not answer") from None
            raise EngineCrashError(f"{self.name} has ended ({error})") from None
        except chess.engine.EngineError as error:
            raise EngineMoveError(str(error)) from None

    def quit(self) -> None:
        """Ends the engine, by force if it does not want to."""
        import chess.engine

        self._engine.timeout = QUIT_TIMEOUT_S
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            self._engine.quit()
        self.kill()

    def kill(self) -> None:
        """Ends the engine and its children without asking."""
        # The loop is closed where the program has ended before.
        with contextlib.suppress(ProcessLookupError, RuntimeError, TimeoutError):
            self._protocol.end()
            self._engine.transport.kill()
            self._engine.returncode.result(QUIT_TIMEOUT_S)
        self._engine.close()


def _limit(go: Go, game: object) -> chess.engine.Limit:
    import chess.engine

    def seconds(milliseconds: int | None) -> float | None:
        return None if milliseconds is None else milliseconds / 1000

    has_clock = go.wtime is not None or go.btime is not None
    return chess.engine.Limit(
        time=seconds(go.movetime),
        depth=go.depth,
        nodes=go.nodes,
        white_clock=seconds(go.wtime),
        black_clock=seconds(go.btime),
        white_inc=seconds(go.winc) if has_clock else None,
        black_inc=seconds(go.binc) if has_clock else None,
        remaining_moves=go.movestogo,
        clock_id=game,  # "level" is sent once for each game, not with every move
    )


def _info(info: chess.engine.InfoDict) -> Info:
    score = None
    if (pov := info.get("score")) is not None:
        mate, cp = pov.relative.mate(), pov.relative.score()
        score = Score(mate=mate) if mate is not None else None if cp is None else Score(cp=cp)
    return Info(depth=info.get("depth"), nodes=info.get("nodes"), score=score)
