"""The board behind a GTP conversation: what was played, by which rules, and what the player thinks of it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from philidor.core.analysis import Analysis
from philidor.core.errors import PhilidorError
from philidor.core.grid import EMPTY
from philidor.core.thinking import Limits, Stop
from philidor.frontends.gtp.clock import Clock
from philidor.frontends.gtp.rules import PRESETS, Preset
from philidor.frontends.playing.counting import Count, chains, count, likely_dead, likely_owners
from philidor.games.go import Go, GoRules, GoState
from philidor.games.go.board import chain, put
from philidor.games.go.handicap import fixed_handicap, most_stones, star_points
from philidor.games.go.rules import number_text, usual_komi
from philidor.players import Player, check_networks
from philidor.protocols.gtp import GtpError, vertex
from philidor.records import GameRecord, parse_sgf, write_sgf
from philidor.records.charsets import sgf_text
from philidor.records.sgf import recorded_moves

_LARGEST_FILE = 4_000_000


class GtpEngine:
    """One player and one board."""

    def __init__(self, player: Player, side: int = 19, resign_below: float = 0.0) -> None:
        self.player = player
        self.clock = Clock()
        self.preset: Preset = PRESETS["cgos"]
        self._resign_below = resign_below
        self._komi: float | None = None
        # Whether the player has networks for this board is not asked: most programs choose another one first.
        self.game = self._board(side, side)
        self.clear()

    # 1. The board.

    def set_size(self, width: int, height: int) -> None:
        """Takes another board, an empty one. Raises GtpError."""
        try:
            game = self._board(width, height)
        except ValueError:
            raise GtpError("unacceptable size") from None
        try:
            check_networks(self.player, game)
        except PhilidorError as error:
            raise GtpError(f"unacceptable size: {error}") from None
        self.game = game
        self.clear()

    def _board(self, width: int, height: int) -> Go:
        return Go(width, height, ko=self.preset.ko, suicide=self.preset.suicide)

    def clear(self) -> None:
        """Takes all stones off."""
        self.states = [self.game.state().with_rules(self.rules)]
        self._stones: list[int] = []
        self.player.new_game()

    @property
    def rules(self) -> GoRules:
        """The rules in force."""
        komi = usual_komi(self.game.grid.width, self.game.grid.height) if self._komi is None else self._komi
        return GoRules(komi, self.preset.ko, self.preset.suicide)

    @property
    def state(self) -> GoState:
        """The position on the board."""
        return self.states[-1]

    def set_komi(self, komi: float) -> None:
        """Changes komi. Raises GtpError."""
        try:
            GoRules(komi=komi)
        except ValueError:
            raise GtpError("komi is out of range") from None
        self._komi = komi
        self._apply_rules()

    def set_rules(self, rules: GoRules, preset: Preset) -> None:
        """Plays by other rules from now on; komi stays."""
        self.preset = dataclasses.replace(preset, ko=rules.ko, suicide=rules.suicide)
        self._apply_rules()

    def _apply_rules(self) -> None:
        self.states[-1] = self.state.with_rules(self.rules)

    def play(self, color: int, square: int | None) -> None:
        """Puts a stone down or passes, whoever's turn it is and even if both have passed. Raises GtpError."""
        state = self.to_play(color)
        move = state.pass_move if square is None else square
        if not state.is_legal(move):
            raise GtpError("illegal move")
        self.states.append(state.play(move))

    def to_play(self, color: int) -> GoState:
        """The position with this color to move, and not over: GTP knows no end."""
        state = self.state.with_turn(color)
        return state.reopened() if state.is_over() else state

    def undo(self) -> None:
        """Takes the last move back. Raises GtpError."""
        if len(self.states) < 2:
            raise GtpError("cannot undo")
        self.states.pop()
        self._apply_rules()

    def last_move(self) -> str:
        """Writes the last move with its color. Raises GtpError."""
        if len(self.states) < 2 or self.state.last is None:
            raise GtpError("no previous move known")
        return f"{('white', 'black')[self.state.to_move]} {self.vertex(self.state.last)}"

    def vertex(self, move: int) -> str:
        """Writes a move."""
        return "pass" if move == self.state.pass_move else vertex(move, self.game.grid)

    def set_stones(self, squares: Sequence[int]) -> None:
        """Puts handicap stones on the empty board; White is to move. Raises GtpError."""
        if len(self.states) > 1 or self.state.board.strip(EMPTY):
            raise GtpError("board not empty")
        if len(set(squares)) != len(squares):
            raise GtpError("repeated vertex")
        self._stones = list(squares)
        board = put(self.state.board, squares, "X")
        self.states = [dataclasses.replace(self.state, board=board, to_move=1)]

    def handicap(self, stones: int, *, is_free: bool) -> str:
        """Places handicap stones at their usual points and names them. Raises GtpError."""
        grid = self.game.grid
        if stones < 2 or (not is_free and stones > most_stones(grid)):
            raise GtpError("invalid number of stones")
        usual = min(stones, most_stones(grid))
        squares = fixed_handicap(grid, usual) if usual >= 2 else star_points(grid)[:stones]
        if not squares:
            raise GtpError("invalid number of stones")
        self.set_stones(squares)
        return " ".join(vertex(square, grid) for square in squares)

    def set_position(self, stones: Sequence[tuple[int, int]]) -> None:
        """Sets any stones up, as a new start. Raises GtpError."""
        board = EMPTY * self.game.grid.size
        for color, square in stones:
            if board[square] != EMPTY:
                raise GtpError("repeated vertex")
            board = put(board, [square], "XO"[color])
        for square, letter in enumerate(board):
            if letter != EMPTY and not chain(board, square, self.game.grid)[1]:
                raise GtpError("illegal position: a stone has no liberty")
        self.clear()
        self.states = [dataclasses.replace(self.state, board=board)]

    # 2. Files.

    def load_sgf(self, path: str, before: int | None) -> str:
        """Reads a game up to the move of this number, and says who is to move. Raises GtpError."""
        try:
            with Path(path).open("rb") as file:
                text = sgf_text(file.read(_LARGEST_FILE))
            game, record = parse_sgf(text)
        except (OSError, ValueError, PhilidorError) as error:
            raise GtpError(f"cannot load file: {getattr(error, 'strerror', None) or error}") from None
        self.set_size(game.grid.width, game.grid.height)
        start = game.state(record.start)
        self.set_komi(start.rules.komi)
        self.states = [start.with_rules(self.rules)]
        for move in recorded_moves(record, game)[: None if before is None else max(0, before - 1)]:
            state = self.state.reopened() if self.state.is_over() else self.state
            if not state.is_legal(move):
                raise GtpError("cannot load file: a move is not legal by the rules in force")
            self.states.append(state.play(move))
        return ("black", "white")[self.state.to_move]

    def sgf(self) -> str:
        """Writes the game; where turns were skipped, from the position after the last skipped one."""
        first = len(self.states) - 1
        while first > 0 and self.states[first].parent is self.states[first - 1]:
            first -= 1
        start = dataclasses.replace(self.states[first], ply=0, passes=0, past=frozenset())
        moves = [state.last for state in self.states[first + 1 :]]
        record = GameRecord.from_moves(self.game, moves, start=start.text(), tags={"KM": number_text(self.rules.komi)})
        return write_sgf(record, self.game)

    def show(self) -> str:
        """Draws the board."""
        return f"\n{self.state}\nkomi {number_text(self.rules.komi)}, {self.rules.ko} ko"

    # 3. The end.

    def owners(self, state: GoState | None = None) -> list[float]:
        """Returns by square how surely it is Black's (1) or White's (-1), from playouts."""
        return likely_owners(self.state if state is None else state)

    def status(self) -> dict[str, list[list[int]]]:
        """Returns the chains of stones that are alive, dead or in seki."""
        dead = set(likely_dead(self.state))
        found: dict[str, list[list[int]]] = {"alive": [], "dead": [], "seki": []}
        for stones in chains(self.state):
            found["dead" if stones[0] in dead else "alive"].append(stones)
        return found

    def final_score(self) -> str:
        """Writes the score by area without the stones that playouts call dead."""
        found = count(self.state, likely_dead(self.state))
        return Count(found.owners, found.komi + self._bonus()).text

    def _bonus(self) -> float:
        """White's points for handicap stones, where the rules have them."""
        count = len(self._stones)
        return float({"N": count, "N-1": max(0, count - 1)}.get(self.preset.handicap_bonus, 0))

    # 4. Thinking.

    def choose(self, color: int, stop: Stop, *, is_played: bool) -> str:
        """Returns the player's move, and plays it if it is to be. Raises GtpError."""
        state = self.to_play(color)
        began = time.perf_counter()
        limits = dataclasses.replace(self.clock.limits(color), began=began)
        found = self.player.think(state, limits, stop)
        if found.best is None:
            raise GtpError("the player has no move")
        if found.value is not None and (1 + found.value) / 2 < self._resign_below:
            return "resign"
        move = state.parse_move(found.best)
        if is_played:
            self.states.append(state.play(move))
        return self.vertex(move)

    def analyse(self, color: int, stop: Stop, report: Callable[[Analysis], None], limits: Limits) -> Analysis:
        """Lets the player think about a position and tell what it finds."""
        return self.player.think(self.to_play(color), limits, stop, report)
