"""Programs of anybody's as opponents, for chess and Go. Their commands come from the command line of the server and
from nowhere else; each is started once beside the beginning, so that a mistake is told soon and nobody waits for it.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

from philidor.arena.engines import EngineSpec, parse_engine
from philidor.arena.limits import LIMIT_WORDS
from philidor.core.errors import ConfigError, PhilidorError
from philidor.core.game import AnyGame, AnyState
from philidor.frontends.web.opponents import ENGINE_HABITS, Kept, Opponent
from philidor.frontends.web.schema import LevelList, NoStrength, OpponentView
from philidor.games.chess import is_chess960
from philidor.games.go import Go, GoState
from philidor.players import Player, check_networks, player_class
from philidor.players.external_gtp import GtpProcess
from philidor.players.external_uci import UciProcess
from philidor.players.gtp_program import GtpProgramConfig, GtpProgramPlayer
from philidor.players.program import ProgramConfig, ProgramPlayer, start_program

PREFIX = "engine:"
"""Begins the names of all opponents that are programs."""
_NAMED = re.compile(r"\s*([^=]*[^=\s])\s*=(.*)", re.DOTALL)
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+()-]{0,59}")
_FOLDER = re.compile(r"'[^']*[/\\](?=[^'/\\]+')")
_SECONDS = (0.1, 0.5, 1.0, 3.0, 10.0)
_DEFAULT_LEVEL = 3
_NETWORK_PLAYERS = ("alphago", "alphago-sl")
"""Players of ours that are in no menu, as they need files of the user's."""
_PATIENCE_S = 10.0
"""How long a program may take to say who it is, and again to be ready."""


def program_opponents(texts: Sequence[str], left_out: Callable[[str], None]) -> list[Opponent]:
    """Begins to ask each program who it is; `left_out` hears, from other threads, of those that are of no use.

    Raises ConfigError for what cannot be an opponent.
    """
    found: dict[str, EngineSpec] = {}
    for text in texts:
        spec = parse_program(text)
        if spec.name in found:
            raise ConfigError(f"two engines are called {spec.name!r}; give one another name: NAME=COMMAND")
        found[spec.name] = spec
    return [_opponent(spec, left_out) for spec in found.values()]


def parse_program(text: str) -> EngineSpec:
    """Reads "NAME=COMMAND", the command as in matches ("stockfish option.Hash=64 nodes=1000"). Raises ConfigError.

    A text whose first "=" belongs to such a word has no name of its own: it is called after its program.
    """
    named = _NAMED.fullmatch(text)
    last_word = "" if named is None else named[1].split()[-1]
    has_name = named is not None and last_word not in (*LIMIT_WORDS, "name", "proto") and "option." not in last_word
    spec = parse_engine(named[2] if named is not None and has_name else text)
    name = named[1] if named is not None and has_name else spec.name
    if not has_name and _SAFE.fullmatch(name) is None and spec.command:
        name = PurePath(spec.command[0]).name
    if spec.is_in_process and spec.player not in _NETWORK_PLAYERS:
        raise ConfigError(f"engine {text!r}: {spec.player} is one of ours and is in the menu already")
    if spec.protocol not in ("uci", "gtp") or spec.limit.tc is not None:
        raise ConfigError(
            f"engine {text!r}: on the board programs speak UCI or GTP, and clocks are chosen for each game"
        )
    if spec.protocol == "gtp" and spec.settings:
        raise ConfigError(f"engine {text!r}: GTP has no options; write them into the command")
    if _SAFE.fullmatch(name) is None:
        raise ConfigError(f"an engine's name has letters, digits and . _ + - ( ), at most 60; got {name!r}")
    return dataclasses.replace(spec, name=name)


class _Inquiry:
    """Asks a program who it is, in a thread of its own: nobody waits for an answer that may never come."""

    def __init__(self, spec: EngineSpec, left_out: Callable[[str], None]) -> None:
        self.news: dict[str, Any] = {"status": "asking"}
        """Of its view; replaced as a whole by the answer."""
        self.knows_chess960 = True
        self._spec, self._left_out = spec, left_out
        threading.Thread(target=self._ask, name="inquiry", daemon=True).start()

    def _ask(self) -> None:
        try:
            process = _start(self._spec)
        except PhilidorError as error:
            # Where the program lies is nobody's business but the server's owner's.
            problem = " ".join(str(error).split()).replace(self._spec.command[0], self._spec.name)
            self.news = {"status": "unavailable", "problem": problem}
            self._left_out(f"{self._spec.name}: {problem}")
            return
        called = " ".join(process.name.split())[:80]
        self.knows_chess960 = isinstance(process, UciProcess) and process.knows_chess960
        self.news = {"status": "ready", "description": f"A program of its own: {called}."}
        process.quit()


def _seconds_name(seconds: float) -> str:
    words = ((0.5, "Quick thinker"), (2, "Steady thinker"), (5, "Careful thinker"))
    word = next((word for most, word in words if seconds <= most), "Deep thinker")
    return f"{word} ({seconds:g} s a move)"


def _start(spec: EngineSpec) -> UciProcess | GtpProcess:
    """Starts a program to ask who it is. Raises a PhilidorError."""
    if spec.protocol == "uci":
        return start_program(_config(spec), _PATIENCE_S)
    return GtpProcess(spec.command, start_timeout_s=_PATIENCE_S)


def _opponent(spec: EngineSpec, left_out: Callable[[str], None]) -> Opponent:
    if spec.is_in_process:
        return _of_ours(spec)
    if shutil.which(spec.command[0]) is None:
        raise ConfigError(f"cannot start {spec.command[0]!r}: there is no such program")
    inquiry = _Inquiry(spec, left_out)
    levels = LevelList(levels=[_seconds_name(seconds) for seconds in _SECONDS], default=_DEFAULT_LEVEL)
    is_go = spec.protocol == "gtp"
    view = OpponentView(
        name=PREFIX + spec.name,
        title=spec.name,
        description="A program of its own.",
        games=["go"] if is_go else ["chess"],
        # How strong a Go program plays is said in its command.
        strength=NoStrength() if spec.limit or is_go else levels,
        settings=[],
        habits=[] if is_go else ENGINE_HABITS,
    )

    def make_player(strength: Kept, _seed: int) -> Player:
        if is_go:
            milliseconds = spec.limit.movetime_ms
            seconds = None if milliseconds is None else milliseconds / 1000
            return GtpProgramPlayer(GtpProgramConfig(command=spec.command, movetime=seconds))
        seconds = _SECONDS[strength["level"] - 1] if "level" in strength else None
        return ProgramPlayer(_config(spec, seconds))

    def refuses(state: AnyState) -> str | None:
        if (problem := inquiry.news.get("problem")) is not None:
            return f"{spec.name} cannot play: {problem}"
        cannot = is_chess960(state) and not inquiry.knows_chess960
        return f"{spec.name} does not play Chess960" if cannot else None

    return Opponent(
        view=view,
        fits=_is_square_go if is_go else lambda game: game.name == "chess",
        make_player=make_player,
        refuses=refuses,
        news=lambda: inquiry.news,
    )


def _is_square_go(game: AnyGame) -> bool:
    return isinstance(game, Go) and game.grid.width == game.grid.height


def _of_ours(spec: EngineSpec) -> Opponent:
    """A player of ours with networks that the command line names: AlphaGo and its policies."""
    assert spec.player is not None
    kind, config = player_class(spec.player), spec.config()
    view = OpponentView(
        name=PREFIX + spec.name,
        title=spec.name,
        description=(kind.__doc__ or "").splitlines()[0],
        games=["go"],
        strength=NoStrength(),
        settings=[],
    )

    def make_player(_strength: Kept, seed: int) -> Player:
        player: Player = kind(dataclasses.replace(config, seed=seed) if "seed" not in spec.settings else config)
        return player

    @functools.cache
    def problem(width: int, height: int) -> str | None:
        try:
            check_networks(kind(config), Go(width, height))
        except PhilidorError as error:
            # Where a file lies is nobody's business but the server's owner's.
            return f"{spec.name} cannot play: " + _FOLDER.sub("'", str(error))
        return None

    def refuses(state: AnyState) -> str | None:
        return problem(state.grid.width, state.grid.height) if isinstance(state, GoState) else None

    return Opponent(view=view, fits=lambda game: isinstance(game, Go), make_player=make_player, refuses=refuses)


def _config(spec: EngineSpec, seconds: float | None = None) -> ProgramConfig:
    milliseconds = spec.limit.movetime_ms
    return ProgramConfig(
        command=spec.command,
        options=tuple(f"{name}={value}" for name, value in spec.settings.items()),
        movetime=seconds if milliseconds is None else milliseconds / 1000,
        nodes=spec.limit.nodes,
        depth=spec.limit.depth,
    )
