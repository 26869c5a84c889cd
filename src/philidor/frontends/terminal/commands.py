"""The words a person can type besides moves; a new one is a function and a line in the table."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from philidor.core.abilities import move_name
from philidor.core.analysis import Analysis
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.game import Outcome
from philidor.core.manners import MannerlyPlayer
from philidor.frontends.playing.advice import accepts_draw, advise
from philidor.frontends.playing.match import Match
from philidor.frontends.playing.reading import moves_from
from philidor.frontends.playing.score import write_pgn
from philidor.frontends.playing.setup import (
    PERSON,
    GameChoice,
    new_match,
    parse_side,
)
from philidor.frontends.terminal.menu import read_level, read_number
from philidor.players import PLAYERS, Player

if TYPE_CHECKING:
    from philidor.frontends.terminal.loop import Terminal


class Leave(Exception):  # noqa: N818 (a wish, not an error)
    """The person wants to go."""


@dataclass(frozen=True)
class Command:
    """What a word does: it gets the terminal and the rest of the line."""

    run: Callable[[Terminal, str], None]
    argument: str
    help: str


def show_help(terminal: Terminal, _: str) -> None:
    """Lists the commands."""
    table = Table(box=None, padding=(0, 2), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, command in COMMANDS.items():
        table.add_row(Text(f"{name} {command.argument}".rstrip()), command.help)
    terminal.tell(table)
    terminal.tell(Text("Moves: e4, Nf3, exd5, O-O, e8=Q, or squares: e2e4, e7e8q. Case does not matter."))


def show_moves(terminal: Terminal, square: str) -> None:
    """Lists the legal moves by the square they start from."""
    state = terminal.match.state
    if terminal.match.outcome() is not None:
        terminal.say("The game is over: there are no moves.")
        return
    moves = moves_from(state, square) if square else list(state.legal_moves())
    if not moves:
        terminal.say(f"Nothing on {square} can move.", "yellow")
        return
    groups: dict[str, list[str]] = {}
    for move in moves:
        groups.setdefault(state.move_text(move)[:2], []).append(move_name(state, move))
    if all(len(names) == 1 for names in groups.values()):
        terminal.tell(Text(" ".join(name for names in groups.values() for name in names)))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for origin, names in groups.items():
        table.add_row(origin, " ".join(names))
    terminal.tell(table)


def give_hint(terminal: Terminal, _: str) -> None:
    """Says what a player of the table would do."""
    state = terminal.match.state
    if terminal.match.outcome() is not None:
        terminal.say("The game is over.")
        return
    who, analysis = advise(terminal.match.game, state)
    assert analysis.best is not None
    name = move_name(state, state.parse_move(analysis.best))
    terminal.say(f"Hint: {name}  ({who}{_verdict(analysis)})", "green")


def take_back(terminal: Terminal, _: str) -> None:
    """Takes back the last move, and the opponent's answer."""
    count = terminal.match.undo()
    terminal.needs_drawing = True
    terminal.say(f"Took back {count} move{'s' if count != 1 else ''}." if count else "There is no move to take back.")


def flip(terminal: Terminal, _: str) -> None:
    """Turns the board."""
    terminal.is_flipped = not terminal.is_flipped
    terminal.needs_drawing = True


def resign(terminal: Terminal, _: str) -> None:
    """Gives the game up."""
    match = terminal.match
    if match.outcome() is None:
        loser = match.state.to_move if match.person is None else match.person
        match.agreed = Outcome(1 - loser, "resignation")


def offer_draw(terminal: Terminal, _: str) -> None:
    """Asks the opponent for a draw, who agrees when it does not think itself ahead; or takes the one it has offered."""
    match = terminal.match
    if match.outcome() is not None:
        return
    if match.opponent is None or terminal.offered_ply == len(match.moves) or _agrees(match, match.opponent):
        match.agreed = Outcome(None, "agreement")
    else:
        terminal.say(f"{match.opponent.name} wants to play on.")


def _agrees(match: Match, opponent: Player) -> bool:
    if isinstance(opponent, MannerlyPlayer) and match.person is not None:
        return opponent.accepts_draw(match.state, 1 - match.person)
    return accepts_draw(opponent.analyse(match.state), len(match.moves))


def save(terminal: Terminal, name: str) -> None:
    """Writes the game as PGN; a file that is there already is not overwritten."""
    path = Path(name or f"philidor-{datetime.datetime.now():%Y-%m-%d-%H%M}.pgn").expanduser()
    if path.exists() and path not in terminal.saved:
        raise ConfigError(f"{path} exists already; choose another name")
    write_pgn(terminal.match, path)
    terminal.saved.add(path)
    terminal.say(f"Saved as {path}.", "green")


def start_new(terminal: Terminal, words: str) -> None:
    """Starts another game: with the menu, or with the opponent, level and side that are named."""
    given = words.lower().split()
    choice = choice_from_words(terminal.choice, given, is_open=terminal.is_interactive)
    if given and choice.side is not None:
        try:
            parse_side(choice.side, terminal.match.sides)
        except UnknownNameError as error:
            raise UnknownNameError("opponent or side", choice.side, [*PLAYERS, PERSON, *error.known]) from None
    new_match(choice)  # what does not fit is refused before the running game is given up
    terminal.choice = choice
    terminal.begin()


def choice_from_words(choice: GameChoice, words: list[str], *, is_open: bool) -> GameChoice:
    """Reads "uct 2 black" in any order; without words everything stays, or `is_open` leaves it to the menu.

    An opponent whose level follows stays in any case.
    """
    if not words and choice.settings.get("follows"):
        return choice  # a rematch, at the level that has followed
    if not words:
        return dataclasses.replace(choice, opponent=None, level=None, settings={}, side=None) if is_open else choice
    names = [word for word in words if word in PLAYERS or word == PERSON]
    others = [word for word in words if word not in names and read_number(word) is None]
    if names:
        choice = dataclasses.replace(choice, opponent=names[0], level=None, settings={})
    if (level := read_level(words)) is not None:
        choice = dataclasses.replace(choice, level=level)
    return dataclasses.replace(choice, side=others[0]) if others else choice


def show_text(terminal: Terminal, _: str) -> None:
    """Writes the position in a line that `load` reads."""
    terminal.tell(Text(terminal.match.state.text()))


def load(terminal: Terminal, text: str) -> None:
    """Starts a game from a position."""
    if not text:
        raise ConfigError("load needs a position, such as the one that 'fen' shows")
    choice = dataclasses.replace(terminal.choice, start=text, chess960=None)
    terminal.begin(new_match(choice))


def leave(terminal: Terminal, _: str) -> None:
    """Ends the program; an unfinished game is kept."""
    raise Leave


COMMANDS = {
    "help": Command(show_help, "", "show this list"),
    "moves": Command(show_moves, "[e2]", "show the legal moves, of all pieces or of one"),
    "hint": Command(give_hint, "", "ask for a good move"),
    "undo": Command(take_back, "", "take back your last move"),
    "flip": Command(flip, "", "turn the board"),
    "draw": Command(offer_draw, "", "offer a draw"),
    "resign": Command(resign, "", "give up"),
    "save": Command(save, "[FILE.pgn]", "write the game as PGN"),
    "fen": Command(show_text, "", "show the position as text"),
    "load": Command(load, "FEN", "start a game from a position"),
    "new": Command(start_new, "[WHO] [LEVEL] [SIDE]", "start another game"),
    "quit": Command(leave, "", "leave; an unfinished game is kept"),
}
_ALIASES = {"?": "help", "h": "help", "back": "undo", "takeback": "undo", "exit": "quit", "q": "quit"}


def find_command(line: str) -> Command | None:
    """Returns the command that a line begins with, or None for what may be a move."""
    word = line.split(maxsplit=1)[0].lower()
    return COMMANDS.get(_ALIASES.get(word, word))


def _verdict(analysis: Analysis) -> str:
    if analysis.score is not None:
        return f": {analysis.score}"
    return f": value {analysis.value:+.2f}" if analysis.value is not None else ""
