"""Chess programs of anybody's as opponents. Their commands come from the command line of the server and from nowhere
else; each is started once at the beginning, so that a mistake is told then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from philidor.arena.engines import EngineSpec, parse_engine
from philidor.arena.limits import LIMIT_WORDS
from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.frontends.web.opponents import Kept, Opponent
from philidor.frontends.web.schema import LevelList, NoStrength, OpponentView
from philidor.players import Player
from philidor.players.external_uci import EngineCrashError, EngineHangError
from philidor.players.program import ProgramConfig, ProgramPlayer, start_program

PREFIX = "engine:"
"""Begins the names of all opponents that are programs."""
_NAMED = re.compile(r"\s*([^=]*[^=\s])\s*=(.*)", re.DOTALL)
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+()-]{0,59}")
_SECONDS = (0.1, 0.5, 1.0, 3.0, 10.0)
_DEFAULT_LEVEL = 3


def program_opponents(texts: Sequence[str]) -> list[Opponent]:
    """Starts each program once. Raises ConfigError for what cannot be an opponent."""
    found: dict[str, Opponent] = {}
    for text in texts:
        opponent = _opponent(parse_program(text))
        if opponent.name in found:
            raise ConfigError(f"two engines are called {opponent.title!r}; give one another name: NAME=COMMAND")
        found[opponent.name] = opponent
    return list(found.values())


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
    if spec.is_in_process:
        raise ConfigError(f"engine {text!r}: {spec.player} is one of ours and is in the menu already")
    if spec.protocol != "uci" or spec.limit.tc is not None:
        raise ConfigError(f"engine {text!r}: on the board programs speak UCI, and clocks are chosen for each game")
    if _SAFE.fullmatch(name) is None:
        raise ConfigError(f"an engine's name has letters, digits and . _ + - ( ), at most 60; got {name!r}")
    return EngineSpec(name=name, command=spec.command, settings=spec.settings, limit=spec.limit)


def _opponent(spec: EngineSpec) -> Opponent:
    config = _config(spec)
    try:
        process = start_program(config)
    except (EngineCrashError, EngineHangError) as error:
        raise ConfigError(f"{spec.name} does not start as a UCI engine: {error}") from None
    called, knows_chess960 = " ".join(process.name.split())[:80], process.knows_chess960
    process.quit()
    levels = LevelList(levels=[f"{seconds:g} s a move" for seconds in _SECONDS], default=_DEFAULT_LEVEL)
    view = OpponentView(
        name=PREFIX + spec.name,
        title=spec.name,
        description=f"A program of its own: {called}.",
        games=["chess"],
        strength=NoStrength() if spec.limit else levels,
        settings=[],
    )

    def make_player(strength: Kept, _seed: int) -> Player:
        return ProgramPlayer(config if "level" not in strength else _config(spec, _SECONDS[strength["level"] - 1]))

    def refuses(state: AnyState) -> str | None:
        is_chess960 = getattr(state, "is_chess960", False)
        return f"{spec.name} does not play Chess960" if is_chess960 and not knows_chess960 else None

    return Opponent(view=view, fits=lambda game: game.name == "chess", make_player=make_player, refuses=refuses)


def _config(spec: EngineSpec, seconds: float | None = None) -> ProgramConfig:
    milliseconds = spec.limit.movetime_ms
    return ProgramConfig(
        command=spec.command,
        options=tuple(f"{name}={value}" for name, value in spec.settings.items()),
        movetime=seconds if milliseconds is None else milliseconds / 1000,
        nodes=spec.limit.nodes,
        depth=spec.limit.depth,
    )
