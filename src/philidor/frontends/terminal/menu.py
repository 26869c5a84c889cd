"""Asks for opponent, level and side before a game; Enter takes what is offered."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

from philidor.core.descriptor import descriptor_of
from philidor.core.errors import PhilidorError
from philidor.core.game import AnyGame
from philidor.frontends.playing.setup import (
    PERSON,
    GameChoice,
    default_level,
    default_opponent,
    load_opponent,
    parse_side,
)
from philidor.games import load_game
from philidor.players import offered_players, player_class, rating_setting, suits

ReadLine: TypeAlias = Callable[[str], str]
"""Asks with a prompt and returns the line typed; raises EOFError when there is no more."""


def ask_for_game(choice: GameChoice, console: Console, read_line: ReadLine) -> GameChoice:
    """Fills in what the choice leaves open by asking."""
    game = load_game(choice.game)
    if choice.opponent is None:
        opponent, level = _ask_opponent(game, default_opponent(game), console, read_line)
        choice = dataclasses.replace(choice, opponent=opponent, level=level)
    if choice.side is None and choice.opponent != PERSON:
        choice = dataclasses.replace(choice, side=_ask_side(descriptor_of(game).sides, console, read_line))
    return choice


def _ask_opponent(game: AnyGame, default: str, console: Console, read_line: ReadLine) -> tuple[str, int | None]:
    names = [*(name for name in offered_players() if suits(name, game)), PERSON]
    console.print(f"\nWhom do you want to play at {game.name}?\n", style="bold")
    console.print(_opponents(names))
    console.print()
    kind = player_class(default)
    rating = rating_setting(kind.config_class)
    usual = default_level(kind) if rating is None else rating.default
    prompt = f"Opponent and level, such as '{default} {usual}' [Enter: that one] > "
    while True:
        words = read_line(prompt).split()
        if not words:
            return default, None
        number = read_number(words[0])
        name = names[number - 1] if number is not None and 0 < number <= len(names) else words[0].lower()
        try:
            level = read_level(words[1:])
            if name != PERSON:
                load_opponent(name, level, {})
            return name, level if name != PERSON else None
        except PhilidorError as error:
            console.print(str(error), style="yellow", markup=False)


def read_level(words: list[str]) -> int | None:
    """Returns the first number among the words."""
    numbers = [number for number in map(read_number, words) if number is not None]
    return numbers[0] if numbers else None


def read_number(word: str) -> int | None:
    """Reads a small number; None for other words."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 5 else None


def _opponents(names: list[str]) -> Table:
    table = Table(box=None, padding=(0, 2), header_style="bright_black")
    table.add_column("", justify="right")
    for column in ("Opponent", "Levels", "How it plays"):
        table.add_column(column)
    for number, name in enumerate(names, start=1):
        if name == PERSON:
            table.add_row(str(number), name, "", "Somebody beside you, at the same keyboard.")
            continue
        kind = player_class(name)
        levels = f"1 to {len(kind.levels)}" if len(kind.levels) > 1 else ""
        if (rating := rating_setting(kind.config_class)) is not None:
            levels = f"{rating.range} (rating)"
        table.add_row(str(number), f"[bold]{name}", levels, (kind.__doc__ or "").splitlines()[0])
    return table


def _ask_side(sides: tuple[str, str], console: Console, read_line: ReadLine) -> str:
    while True:
        text = read_line(f"Your side, {sides[0]}, {sides[1]} or random [Enter: {sides[0]}] > ").strip() or "first"
        try:
            parse_side(text, sides)
            return text
        except PhilidorError as error:
            console.print(str(error), style="yellow", markup=False)
