"""Go (book, ch. 3.5.1 and 4.1): positions, moves, ko and the end, readable rather than fast.

cpp/games/go is the native twin: searches, playouts and records use it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

from philidor.core.abilities import HasTwin, MayPass, RemembersPast, StonesOnGrid, TellsOwnership
from philidor.core.descriptor import Descriptor
from philidor.core.errors import FenError, IllegalMoveError, checked_text
from philidor.core.game import FIRST, Outcome
from philidor.core.grid import EMPTY, Grid
from philidor.core.random import SplitMix64
from philidor.core.zobrist import zobrist_numbers
from philidor.games.go.board import STONES, chain, ko_after, neighbors, ownership, place
from philidor.games.go.descriptor import GO
from philidor.games.go.playouts import play_out
from philidor.games.go.rules import GoRules, number_text

MAX_AREA = 19 * 19
PASS_TEXT = "pass"
RECENT_MOVES = 7
# After the stones' numbers: the mover, one and two passes, and a ko on each square.
_MOVER, _PASSES, _KO = 2 * MAX_AREA, 2 * MAX_AREA, 2 * MAX_AREA + 3


@dataclass(frozen=True)
class GoState(StonesOnGrid, RemembersPast, MayPass, TellsOwnership, HasTwin):
    """A position. A move is its square's number, row by row from the bottom, or the number after the last: a pass."""

    descriptor: ClassVar[Descriptor] = GO
    twin_history: ClassVar[int] = 8

    grid: Grid
    rules: GoRules
    max_plies: int
    """The game ends with this ply at the latest and is scored."""
    board: str
    """One character a square: "X" black, "O" white, "." empty."""
    to_move: int = FIRST
    passes: int = 0
    """Of the last two moves."""
    ko: int | None = None
    """Where a single stone was just taken that may not be taken back at once."""
    ply: int = field(default=0, compare=False)
    past: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """What may not come back by a superko rule: boards, with the letter of the player to move if it is situational."""
    last: int | None = field(default=None, compare=False, repr=False)
    """The move that led here."""
    recent: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The last moves, newest first, as many as AlphaGo's planes show one by one."""
    parent: GoState | None = field(default=None, compare=False, repr=False)
    """The position before it; None at the start, and for a copy from another process."""

    def __getstate__(self) -> dict[str, object]:
        # A game's line is deeper than pickle goes; what the rules remember of it is in `past`.
        return {each.name: getattr(self, each.name) for each in dataclasses.fields(self)} | {"parent": None}

    def __setstate__(self, values: dict[str, object]) -> None:
        self.__dict__.update(values)

    @property
    def line(self) -> list[GoState]:
        """The positions of the game up to this one, as far as they are known."""
        states = list[GoState]()
        state: GoState | None = self
        while state is not None:
            states.append(state)
            state = state.parent
        return states[::-1]

    @property
    def stone(self) -> str:
        """The letter of the player to move."""
        return STONES[self.to_move]

    @property
    def pass_move(self) -> int:
        """The number of a pass."""
        return self.grid.size

    @cached_property
    def board_key(self) -> int:
        """A hash of the stones alone."""
        numbers, key = zobrist_numbers("go", _KO + MAX_AREA), 0
        for square, letter in enumerate(self.board):
            if letter != EMPTY:
                key ^= numbers[2 * square + STONES.index(letter)]
        return key

    @cached_property
    def key(self) -> int:
        """A hash of the position: stones, mover, passes and ko; the same in every process."""
        numbers = zobrist_numbers("go", _KO + MAX_AREA)
        key = self.board_key ^ (numbers[_MOVER] if self.to_move else 0)
        key ^= numbers[_PASSES + self.passes] if self.passes else 0
        return key ^ (0 if self.ko is None else numbers[_KO + self.ko])

    @cached_property
    def board_bits(self) -> tuple[int, int]:
        """Both players' stones: bit row * width + column. Kept, because encoders ask each state eight times."""
        black, white = (int("".join("01"[c == stone] for c in reversed(self.board)), 2) for stone in STONES)
        return black, white

    def twin(self) -> tuple[Any, ...]:
        """Returns what the compiled core makes the same position of, with boards of the past.

        Those that may not come back, and, newest first, those that encoders show.
        """
        rules, ko = self.rules, -1 if self.ko is None else self.ko
        size = (self.grid.width, self.grid.height)
        turn = (self.board, self.to_move, self.ply, self.passes, ko)
        rest = (sorted(self.past), list(self.recent), self._boards_before())
        return (*size, rules.komi, rules.ko, rules.suicide, self.max_plies, *turn, *rest)

    def _boards_before(self) -> list[str]:
        boards, state = list[str](), self.parent
        while state is not None and len(boards) < self.twin_history - 1:
            boards.append(state.board)
            state = state.parent
        return boards

    def legal_moves(self) -> list[int]:
        """Returns the squares that may be played in order, and the pass."""
        return [] if self.is_over() else list(self._legal)

    def play(self, move: int | str, /) -> Self:
        """Returns the position after a stone or a pass."""
        if isinstance(move, str):
            move = self.parse_move(move)
        elif not self.is_legal(move):
            raise IllegalMoveError(f"no legal move {move!r} in {self.text()!r}")
        board, ko = self.board, None
        if move != self.pass_move:
            board, taken = place(self.board, move, self.stone, self.grid)
            ko = ko_after(self.board, move, self.stone, taken, self.grid)
        return dataclasses.replace(
            self,
            board=board,
            to_move=1 - self.to_move,
            passes=self.passes + 1 if move == self.pass_move else 0,
            ko=ko,
            ply=self.ply + 1,
            past=self._past_with_this,
            last=move,
            recent=(move, *self.recent)[:RECENT_MOVES],
            parent=self,
        )

    def is_legal(self, move: int) -> bool:
        """Says whether a move is allowed here, without listing the others."""
        if self.is_over() or not 0 <= move <= self.pass_move:
            return False
        return move == self.pass_move or self._is_allowed(move)

    def outcome(self) -> Outcome | None:
        """Says who has more points after two passes, or after the longest game we play."""
        if not self.is_over():
            return None
        score = self.score()
        winner = None if score == 0 else 0 if score > 0 else 1
        return Outcome(winner, "two passes" if self.passes >= 2 else "move limit")

    def is_over(self) -> bool:
        """Says whether both have passed, or the game has gone on for too long."""
        return self.passes >= 2 or self.ply >= self.max_plies

    def ownership(self) -> tuple[int, ...]:
        """Returns whose each square is by area, as the board stands: 1 Black's, -1 White's, 0 nobody's."""
        return ownership(self.board, self.grid)

    def score(self) -> float:
        """Returns Black's points less White's and komi, by area, as the board stands."""
        return sum(self.ownership()) - self.rules.komi

    def score_text(self) -> str:
        """Writes the score as servers do: "B+3.5", "W+0.5" or "0"."""
        score = self.score()
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{number_text(abs(score))}"

    def playout(self, random: SplitMix64, limit: int) -> Outcome:
        """Plays to the end with moves that fill no eye of the mover's; the tree search asks for it."""
        board = play_out(self, random, min(limit, 3 * self.grid.size))[0]
        score = sum(ownership(board, self.grid)) - self.rules.komi
        return Outcome(None if score == 0 else 0 if score > 0 else 1, "playout")

    def move_text(self, move: int, /) -> str:
        """Writes a move: "d4", with no column "i", or "pass"."""
        return PASS_TEXT if move == self.pass_move else self.grid.name(move)

    def parse_move(self, text: str, /) -> int:
        """Reads a legal move."""
        word = checked_text(text).strip().lower()
        move = self.pass_move if word == PASS_TEXT else self.grid.square(word)
        if move is None or not self.is_legal(move):
            raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")
        return move

    def text(self) -> str:
        """Writes rows from the top, who is to move, ply, passes, and where a ko or another komi is at stake."""
        words = [self.grid.text(self.board), self.stone, str(self.ply), str(self.passes)]
        words.append("-" if self.ko is None else self.grid.name(self.ko))
        return " ".join([*words, f"komi{number_text(self.rules.komi)}"])

    def reopened(self) -> Self:
        """Returns the position as if nobody had passed, so that a finished game can go on."""
        return dataclasses.replace(self, passes=0, ply=min(self.ply, self.max_plies // 2))

    def with_turn(self, player: int) -> Self:
        """Returns the same board with this player to move, as when one side puts down stones in a row."""
        return self if player == self.to_move else dataclasses.replace(self, to_move=player, ko=None, passes=0)

    def with_rules(self, rules: GoRules) -> Self:
        """Returns the same board under other rules; what was forbidden by a superko rule is forgotten with it."""
        past = self.past if rules.ko == self.rules.ko else frozenset[str]()
        return dataclasses.replace(self, rules=rules, past=past)

    def __str__(self) -> str:
        side = "Black (X)" if self.to_move == FIRST else "White (O)"
        return f"{self.grid.draw(self.board)}\n{side} to move"

    @cached_property
    def _legal(self) -> tuple[int, ...]:
        return (*(square for square in range(self.grid.size) if self._is_allowed(square)), self.pass_move)

    @cached_property
    def _past_with_this(self) -> frozenset[str]:
        """The boards that may not come back, this one too."""
        return self.past if self.rules.ko == "simple" else self.past | {self._situation(self.board, self.to_move)}

    def _situation(self, board: str, to_move: int) -> str:
        return board + STONES[to_move] if self.rules.ko == "situational" else board

    @cached_property
    def _liberties(self) -> dict[int, int]:
        """How many liberties the chain of each stone has."""
        found: dict[int, int] = {}
        for square, letter in enumerate(self.board):
            if letter != EMPTY and square not in found:
                stones, liberties = chain(self.board, square, self.grid)
                found |= dict.fromkeys(stones, len(liberties))
        return found

    def _is_allowed(self, square: int) -> bool:
        """Says whether a stone may be put here: the square is empty, no ko forbids it, and it is no suicide."""
        if self.board[square] != EMPTY:
            return False
        beside = neighbors(self.grid)[square]
        own = [near for near in beside if self.board[near] == self.stone]
        enemies = [near for near in beside if self.board[near] == STONES[1 - self.to_move]]
        takes = sum(self._liberties[near] == 1 for near in enemies)
        # Only the stone that took can be taken from one side alone: with others beside it the board is a new one.
        if square == self.ko and takes == 1:
            return False
        lives = any(self.board[near] == EMPTY for near in beside) or any(self._liberties[near] > 1 for near in own)
        if not (takes or lives or (self.rules.suicide and own)):
            return False
        if not self.past:
            return True
        board = place(self.board, square, self.stone, self.grid)[0] if takes or not lives else None
        board = board or self.board[:square] + self.stone + self.board[square + 1 :]
        return self._situation(board, 1 - self.to_move) not in self._past_with_this


def read_state(text: str, start: GoState) -> GoState:
    """Reads what `text` wrote, for the board and rules of `start`; only the rows must be there. Raises FenError."""
    words = checked_text(text).split()
    if not words:
        raise FenError("a position of Go is its rows and who is to move, got nothing")
    rows, *rest = words
    stone, ply, passes, ko, komi = (*rest, *("X", "0", "0", "-", "")[len(rest) :])[:5]
    board = start.grid.parse(rows, STONES)
    for stone_at, letter in enumerate(board):
        if letter != EMPTY and not chain(board, stone_at, start.grid)[1]:
            raise FenError(f"the stone on {start.grid.name(stone_at)} has no liberty in {text!r}")
    square = None if ko == "-" else start.grid.square(ko)
    is_known = stone in STONES and len(stone) == 1 and passes in ("0", "1", "2") and len(rest) <= 5
    is_known &= ply.isascii() and ply.isdecimal() and len(ply) < 6
    if not is_known or (ko != "-" and (square is None or board[square] != EMPTY)):
        raise FenError(f"after the rows come X or O, ply, passes, and '-' or the square of a ko, got {text!r}")
    rules = start.rules if not komi else dataclasses.replace(start.rules, komi=_komi(komi, text))
    state = dataclasses.replace(start, rules=rules, board=board, to_move=STONES.index(stone), ko=square)
    return dataclasses.replace(state, passes=int(passes), ply=int(ply))


def _komi(word: str, text: str) -> float:
    try:
        komi = float(word.removeprefix("komi"))
        GoRules(komi=komi)
    except ValueError:
        raise FenError(f"komi is written komi6.5, got {word!r} in {text!r}") from None
    return komi
