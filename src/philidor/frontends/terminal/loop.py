"""The conversation of a game in the terminal: show, read, answer, until somebody has won or has to leave."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from philidor.core.abilities import move_name
from philidor.core.errors import IllegalMoveError, PhilidorError
from philidor.core.game import SECOND, Outcome
from philidor.core.manners import Gesture, MannerlyPlayer
from philidor.frontends.playing.levels import followed_level
from philidor.frontends.playing.match import Match, describe_player
from philidor.frontends.playing.reading import read_move
from philidor.frontends.playing.score import result_text
from philidor.frontends.playing.setup import PERSON, GameChoice, new_match
from philidor.frontends.terminal import unfinished
from philidor.frontends.terminal.board import Board
from philidor.frontends.terminal.commands import COMMANDS, Leave, find_command
from philidor.frontends.terminal.keyboard import Keyboard
from philidor.frontends.terminal.menu import ReadLine, ask_for_game
from philidor.frontends.terminal.screen import draw_match
from philidor.games import load_game
from philidor.players import offered_players, suits


class Terminal:
    """One person at one terminal; `run` returns when they leave."""

    def __init__(
        self,
        choice: GameChoice,
        console: Console,
        *,
        is_interactive: bool,
        ascii_only: bool = False,
        read_line: ReadLine | None = None,
    ) -> None:
        self.choice = choice
        self.console = console
        self.ascii_only = ascii_only
        self.is_interactive = is_interactive
        self.match: Match
        self.is_flipped = False
        self.needs_drawing = True
        self._read_line = read_line or Keyboard(self._words)
        self._notes: list[RenderableType] = []
        self._can_keep = True
        self._is_new = True
        self._followed: Match | None = None
        self.offered_ply: int | None = None
        """Moves of the game after which the opponent has offered a draw."""
        self.saved: set[Path] = set()
        """Files this person has written; only these are written again."""

    def run(self, *, resume: bool | None = None) -> None:
        """Plays until the person leaves. `resume` takes up the unfinished game, or not; None asks where one can."""
        try:
            self.begin(self._unfinished(resume))
            while True:
                self._turn()
        except Leave:
            self._take_leave()
        except (EOFError, KeyboardInterrupt) as leaving:
            self.console.print()  # the cursor is behind a prompt
            self._take_leave()
            if isinstance(leaving, KeyboardInterrupt):
                raise

    def begin(self, match: Match | None = None) -> None:
        """Starts this game, or a new one by the person's choice."""
        if match is None:
            if self.is_interactive:
                self.choice = ask_for_game(self.choice, self.console, self._read_line)
            match = new_match(self.choice)
        self.match = match
        board = Board.of(match.start)
        has_sides = board is not None and board.has_facing_sides
        self.is_flipped = has_sides and match.person == SECOND
        self.needs_drawing = True
        self._is_new = True
        self.offered_ply = None

    def say(self, text: str, style: str = "") -> None:
        """Leaves a note to be read under the board."""
        self._notes.append(Text(text, style=style))

    def tell(self, content: RenderableType) -> None:
        """Shows something long, which scrolls on instead of being overdrawn."""
        self.needs_drawing = False
        self.console.print(content)

    def _words(self) -> list[str]:
        """Returns what may be typed now."""
        if not hasattr(self, "match"):
            game = load_game(self.choice.game)
            return [*(name for name in offered_players() if suits(name, game)), PERSON]
        state = self.match.state
        return [*(move_name(state, move) for move in state.legal_moves()), *COMMANDS]

    def _turn(self) -> None:
        outcome = self.match.outcome()
        if outcome is not None:
            self._announce(outcome)
            self._obey(self._read_line("Game over: new, undo, save FILE or quit > "))
        elif self.match.is_persons_turn:
            self._keep()
            self._greet()
            self._show()
            side = self.match.sides[self.match.state.to_move]
            self._obey(self._read_line(f"{side} to move > "))
        else:
            self._let_opponent_move()

    def _greet(self) -> None:
        """Says once per game how to play it."""
        if self._is_new:
            state = self.match.state
            examples = [move_name(state, move) for move in state.legal_moves()[-2:]]
            self.say(f"Type a move such as {' or '.join(examples)}; 'help' shows what else you can do.", "bright_black")
        self._is_new = False

    def _obey(self, line: str) -> None:
        """Does what a line asks for: a move, or a command."""
        self.needs_drawing = self.is_interactive
        text = line.strip()
        if not text:
            return
        command = find_command(text)
        if command is not None and not self._is_move(text):
            try:
                command.run(self, text.partition(" ")[2].strip())
            except (PhilidorError, OSError) as error:
                self.say(str(error), "yellow")
            return
        if self.match.outcome() is not None:
            self.say("The game is over. Type new for another one, or undo.", "yellow")
            return
        try:
            self.match.play(read_move(self.match.state, text, "Type 'moves' to see what is possible."))
            self.needs_drawing = True
        except IllegalMoveError as error:
            self.say(str(error), "yellow")

    def _is_move(self, text: str) -> bool:
        """Says whether a command's word is a move of this game as well, as "h" is on a wide board: moves come first."""
        try:
            self.match.state.parse_move(text)
        except IllegalMoveError:
            return False
        return True

    def _let_opponent_move(self) -> None:
        opponent = self.match.opponent
        assert opponent is not None
        if self.is_interactive:
            self._show()
        gesture = opponent.gesture(self.match.state) if isinstance(opponent, MannerlyPlayer) else None
        if gesture is Gesture.RESIGN:
            self.match.agreed = Outcome(self.match.person, "resignation")
            return
        start = time.perf_counter()
        if self.is_interactive:
            with self.console.status(f"{opponent.name} is thinking"):
                text = opponent.choose(self.match.state)
        else:
            text = opponent.choose(self.match.state)
        move = self.match.state.parse_move(text)
        seconds = time.perf_counter() - start
        number = self.match.state.ply // 2 + 1
        dots = "..." if self.match.state.to_move == SECOND else "."
        name = move_name(self.match.state, move)
        self.match.play(move)
        self.needs_drawing = True
        self.say(f"{opponent.name} plays {number}{dots} {name}  ({seconds:.1f} s)")
        if gesture is Gesture.OFFER_DRAW:
            self.offered_ply = len(self.match.moves)
            self.say(f"{opponent.name} offers a draw; 'draw' takes it.", "green")

    def _show(self) -> None:
        """Draws the board where it has changed or was scrolled away, then the notes."""
        if self.needs_drawing:
            if self.is_interactive:
                self.console.clear()
            else:
                self.console.print()
            self.console.print(
                draw_match(self.match, self.console, is_flipped=self.is_flipped, ascii_only=self.ascii_only)
            )
            self.console.print()
            self.needs_drawing = False
        for note in self._notes:
            self.console.print(note)
        self._notes.clear()

    def _announce(self, outcome: Outcome) -> None:
        unfinished.forget(self.choice.game)
        self.say(describe_outcome(self.match, outcome), "bold")
        self._follow()
        self._show()

    def _follow(self) -> None:
        """Lets the opponent's rating follow the result, once a game: who takes the end back gets no second change."""
        level = None if self._followed is self.match else followed_level(self.match)
        if level is None:
            return
        self._followed = self.match
        assert self.match.opponent is not None, "it follows"
        given = {**self.choice.settings, "follows": True}
        given.pop("rating", None)
        name = self.match.opponent.name
        self.choice = dataclasses.replace(self.choice, opponent=name, level=level, settings=given)
        self.say(f"'new' plays at {level}.")

    def _unfinished(self, resume: bool | None) -> Match | None:
        """Returns the game to take up again, if the person wants to."""
        if resume is False:
            return None
        match = unfinished.find(self.choice.game)
        if match is None:
            if resume:
                self.console.print("There is no unfinished game; here is a new one.", style="yellow")
            return None
        if resume is None:
            if not self.is_interactive or self.choice != GameChoice(game=self.choice.game):
                return None
            against = "a person" if match.opponent is None else describe_player(match.opponent)
            answer = self._read_line(f"Go on with your game against {against}, {len(match.moves)} moves? [Y/n] > ")
            if answer.strip().lower().startswith("n"):
                return None
        # A new game after this one is against the same opponent.
        if match.opponent is not None and self.choice.opponent is None:
            self.choice = dataclasses.replace(self.choice, opponent=match.opponent.name)
        return match

    def _keep(self) -> None:
        """Writes the game down before each turn, so that not even a power cut loses it."""
        if not self.match.moves or not self._can_keep or not unfinished.can_keep(self.match):
            return
        try:
            unfinished.keep(self.match, self.choice.game)
        except OSError as error:
            self._can_keep = False
            self.say(f"This game cannot be kept for later: {error}", "yellow")

    def _take_leave(self) -> None:
        if not hasattr(self, "match"):
            return
        if self.match.moves and self.match.outcome() is None:
            self._keep()
            if not unfinished.can_keep(self.match):
                self.console.print("Games against a network are not kept for later; 'save' writes them to a file.")
            elif self._can_keep:
                game = "" if self.choice.game == "chess" else f"--game {self.choice.game} "
                self.console.print(
                    f"Your game is kept: 'philidor play --terminal {game}--resume' continues it.", markup=False
                )
        self.console.print("Goodbye.")


def describe_outcome(match: Match, outcome: Outcome) -> str:
    """Writes who won and why."""
    result = result_text(outcome)
    if outcome.winner is None:
        return f"Draw: {outcome.reason}. {result}"
    winner = match.sides[outcome.winner]
    if match.opponent is None:
        return f"{winner} wins: {outcome.reason}. {result}"
    verdict = "You win" if outcome.winner == match.person else "You lose"
    return f"{verdict}: {outcome.reason}. {winner} wins, {result}"
