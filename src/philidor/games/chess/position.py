"""A chess position: immutable, with its history, fast underneath and familiar to users of python-chess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from philidor.core.abilities import HasTwin, RemembersPast, TellsExchanges, WritesSan
from philidor.core.errors import ArgumentError, ConfigError, FenError, IllegalMoveError, checked_text
from philidor.core.game import Outcome
from philidor.games.chess.descriptor import CHESS
from philidor.games.chess.native import Move, NativePosition

if TYPE_CHECKING:
    import chess

    from philidor.games.chess.drawing import Arrows, Heat, Labels

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WHITE, BLACK = 0, 1
_LETTERS = ".PNBRQK..pnbrqk"
_CODES = {letter: code for code, letter in enumerate(_LETTERS) if letter != "."}
T = TypeVar("T")


class Position(WritesSan, TellsExchanges, RemembersPast, HasTwin):
    """A position and the moves that led to it. Playing a move returns a new position; the history is shared."""

    __slots__ = ("_native",)
    descriptor = CHESS

    def __init__(self, fen: str = "startpos", *, chess960: bool | None = None) -> None:
        """Reads FEN, X-FEN or Shredder-FEN, or "startpos".

        With `chess960=None` the position is a Chess960 one if its castling rights need it. Raises FenError.
        """
        text = START_FEN if fen == "startpos" else _utf8(fen)
        try:
            self._native = NativePosition(text, chess960)
        except ValueError as error:
            raise FenError(str(error)) from None
        except TypeError:
            raise ArgumentError("chess960 to be True, False or None", chess960) from None

    @classmethod
    def of_native(cls, native: NativePosition) -> Position:
        """Returns the position that the compiled core handed out."""
        position = cls.__new__(cls)
        position._native = native
        return position

    @property
    def native(self) -> NativePosition:
        """The compiled position underneath, for what runs in the compiled core."""
        return self._native

    def twin(self) -> tuple[NativePosition]:
        """Returns the compiled position, which is all there is."""
        return (self._native,)

    # --- Moves ---------------------------------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        """Returns the legal moves by (from, to, promotion); also when a draw rule has ended the game."""
        return self._native.legal_moves()

    def is_legal(self, move: Move | str) -> bool:
        """Says whether `move` may be played here."""
        try:
            return self._about_move(self._native.is_legal, move)
        except IllegalMoveError:  # a text that means no legal move
            return False

    def play(self, move: Move | str, /) -> Position:
        """Returns the position after `move`, a Move or its text in UCI or SAN. Raises IllegalMoveError."""
        return Position.of_native(self._about_legal_move(self._native.play, move))

    def parse_move(self, text: str, /) -> Move:
        """Reads a legal move in UCI ("g1f3") or SAN ("Nf3"). Raises IllegalMoveError."""
        move = self._native.parse_uci(_utf8(text))
        return move if move is not None else self.parse_san(text)

    def parse_uci(self, text: str) -> Move:
        """Reads a legal move in UCI; castling as e1g1 or as king takes rook. Raises IllegalMoveError."""
        move = self._native.parse_uci(_utf8(text))
        if move is None:
            raise IllegalMoveError(f"no legal move {text!r} in {self.fen()!r}")
        return move

    def parse_san(self, text: str) -> Move:
        """Reads a legal move in SAN, as found in the wild ("0-0", "e8Q!?"). Raises IllegalMoveError."""
        move, problem = self._native.parse_san(_utf8(text))
        if move is None:
            what = {"syntax": "not a move", "illegal": "no legal move", "ambiguous": "ambiguous move"}[problem]
            raise IllegalMoveError(f"{what} {text!r} in {self.fen()!r}")
        return move

    def uci(self, move: Move | str) -> str:
        """Writes a move in UCI, castling by the rules of this position's variant."""
        return self._about_move(self._native.uci, move)

    def san(self, move: Move | str) -> str:
        """Writes a legal move in SAN, with "+" or "#". Raises IllegalMoveError."""
        return self._about_legal_move(self._native.san, move)

    move_text = uci

    def is_capture(self, move: Move | str) -> bool:
        """Says whether a legal move takes a piece."""
        return self._about_move(self._native.is_capture, move)

    def gives_check(self, move: Move | str) -> bool:
        """Says whether a legal move attacks the enemy king. Raises IllegalMoveError."""
        return self._about_legal_move(self._native.gives_check, move)

    def see(self, move: Move | str) -> int:
        """Returns the static exchange evaluation of a legal move, in centipawns for the mover."""
        return self._about_legal_move(self._native.see, move)

    def perft(self, depth: int, *, bulk: bool = True) -> int:
        """Counts the leaves of the tree of legal moves; `bulk` does not play the last ply. Raises ConfigError."""
        try:
            return self._native.perft(depth, bulk)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        except TypeError:
            raise ArgumentError("a depth from 0 to 99", depth) from None

    def divide(self, depth: int) -> dict[str, int]:
        """Returns the perft of each legal move by its UCI text. Raises ConfigError."""
        try:
            return {self.uci(move): count for move, count in self._native.divide(depth)}
        except ValueError as error:
            raise ConfigError(str(error)) from None
        except TypeError:
            raise ArgumentError("a depth from 0 to 99", depth) from None

    # --- What stands where ---------------------------------------------------------------------------------

    @property
    def to_move(self) -> int:
        """0 when White is to move, 1 when Black is."""
        return self._native.to_move

    @property
    def turn(self) -> bool:
        """True when White is to move, as in python-chess."""
        return self._native.to_move == WHITE

    def piece_at(self, square: int) -> str | None:
        """Returns the piece's FEN letter ("P" to "k"), or None. Squares count from a1 = 0 to h8 = 63."""
        try:
            code = self._native.piece_at(square)
        except TypeError:
            raise ArgumentError("a square from 0 to 63", square) from None
        return _LETTERS[code] if code else None

    def pieces(self, letter: str) -> list[int]:
        """Returns the squares of all pieces with this FEN letter ("P" to "k"), in ascending order."""
        if letter not in _CODES:
            raise ValueError(f"expected one of the letters PNBRQKpnbrqk, got {letter!r}")
        code = _CODES[letter]
        bits = self._native.pieces(code >> 3, code & 7)
        return [square for square in range(64) if bits >> square & 1]

    @property
    def ply(self) -> int:
        """Half moves since the start of the game, by the FEN's move number."""
        return self._native.ply

    @property
    def halfmove_clock(self) -> int:
        """Half moves since the last capture or pawn move."""
        return self._native.halfmove_clock

    @property
    def fullmove_number(self) -> int:
        """The number the next move has in a score sheet."""
        return 1 + self._native.ply // 2

    @property
    def is_chess960(self) -> bool:
        """Whether castling is written and done by Chess960 rules."""
        return self._native.is_chess960

    @property
    def key(self) -> int:
        """Polyglot's Zobrist key, but with en passant only where the capture is legal (as repetition needs it)."""
        return self._native.key

    @property
    def pawn_key(self) -> int:
        """The pawns' share of the key."""
        return self._native.pawn_key

    def polyglot_key(self) -> int:
        """Returns the key under which a Polyglot book lists this position."""
        return self._native.polyglot_key()

    # --- The end -------------------------------------------------------------------------------------------

    def is_check(self) -> bool:
        """Says whether the side to move is in check."""
        return self._native.is_check()

    def checked_square(self) -> int | None:
        """Returns where the king of the side to move stands if it is in check."""
        return self.pieces("Kk"[self.to_move])[0] if self.is_check() else None

    def is_checkmate(self) -> bool:
        """Says whether the side to move is mated."""
        return self._native.is_check() and self._native.count_legal_moves() == 0

    def is_stalemate(self) -> bool:
        """Says whether the side to move has no move but is not in check."""
        return not self._native.is_check() and self._native.count_legal_moves() == 0

    def is_insufficient_material(self) -> bool:
        """Says whether neither side could ever mate."""
        return self._native.is_insufficient_material()

    def is_repetition(self, count: int = 3) -> bool:
        """Says whether this position has occurred at least `count` times, this time included."""
        if not isinstance(count, int):
            raise ArgumentError("a number of times", count)
        return self._native.count_repetitions(count - 1) >= count - 1

    def is_fifty_moves(self) -> bool:
        """Says whether fifty moves of each side passed without capture or pawn move: a draw can be claimed."""
        return self._native.halfmove_clock >= 100

    def is_seventyfive_moves(self) -> bool:
        """Says whether seventy-five did: a draw without any claim."""
        return self._native.halfmove_clock >= 150

    def outcome(self) -> Outcome | None:
        """Returns how the game ended; draws that could be claimed count as claimed."""
        ending = self._native.ending()
        if ending is None:
            return None
        reason, winner = ending
        return Outcome(None if winner < 0 else winner, reason)

    def is_over(self) -> bool:
        """Says whether the game has ended."""
        return self._native.ending() is not None

    # --- History -------------------------------------------------------------------------------------------

    @property
    def parent(self) -> Position | None:
        """The position before the last move; None where the history begins."""
        native = self._native.parent
        return None if native is None else Position.of_native(native)

    @property
    def last_move(self) -> Move | None:
        """The move that led here."""
        return self._native.last_move

    def history(self) -> Iterator[Position]:
        """Yields this position and those before it, newest first."""
        position: Position | None = self
        while position is not None:
            yield position
            position = position.parent

    def root(self) -> Position:
        """Returns the position the history begins with."""
        position = self
        while (parent := position.parent) is not None:
            position = parent
        return position

    def moves(self) -> list[Move]:
        """Returns the moves from the root to here."""
        moves = [position.last_move for position in self.history()]
        return [move for move in reversed(moves) if move is not None]

    # --- Text and other libraries --------------------------------------------------------------------------

    def fen(self, *, shredder: bool = False, raw_en_passant: bool = False) -> str:
        """Writes FEN: X-FEN castling rights, and an en passant square only where the capture is legal.

        `shredder` writes rights by file; `raw_en_passant` writes the square after every double step.
        """
        return self._native.fen(bool(shredder), bool(raw_en_passant))

    def text(self) -> str:
        """Writes the FEN, for `Chess.state`."""
        return self.fen()

    @classmethod
    def from_board(cls, board: chess.Board) -> Position:
        """Takes over a `chess.Board` with its history."""
        if not hasattr(board, "move_stack"):
            raise ArgumentError("a chess.Board of python-chess", board)
        position = cls(board.root().fen(en_passant="fen"), chess960=board.chess960)
        for move in board.move_stack:
            position = position.play(position.parse_uci(move.uci()))
        return position

    def to_board(self) -> chess.Board:
        """Returns a `chess.Board` with the same history."""
        import chess

        board = chess.Board(self.root().fen(raw_en_passant=True), chess960=self.is_chess960)
        for move in self.moves():
            board.push(board.parse_uci(move.uci(self.is_chess960)))
        return board

    def _about_legal_move(self, question: Callable[[Move], T], move: Move | str) -> T:
        """Asks the compiled core something that only a legal move has."""
        try:
            return self._about_move(question, move)
        except ValueError as error:
            raise IllegalMoveError(str(error)) from None

    def _about_move(self, question: Callable[[Move], T], move: Move | str) -> T:
        """Asks the compiled core something about a move or its text, which is read only if it is no Move."""
        try:
            return question(move)  # type: ignore[arg-type]
        except TypeError:
            if isinstance(move, str):
                return question(self.parse_move(move))
            raise ArgumentError("a Move, or its text such as 'e2e4' or 'Nf3'", move) from None

    def __str__(self) -> str:
        rows = []
        for rank in reversed(range(8)):
            letters = (_LETTERS[self._native.piece_at(8 * rank + file)] for file in range(8))
            rows.append(f"{rank + 1} {' '.join(letters)}")
        return "\n".join([*rows, "  a b c d e f g h"])

    def svg(
        self,
        *,
        arrows: Arrows = (),
        heat: Heat | None = None,
        labels: Labels | None = None,
        is_flipped: bool = False,
        size: int = 400,
    ) -> str:
        """Draws the position, as notebooks show it: `arrows={"e4": 0.6, "d4": 0.3}`, `heat={"e4": 0.6}`.

        An arrow's width is its move's share; an analysis's or a player's `policy` can be given as it is. Squares glow
        by their numbers, and `labels` are written on them. Raises ArgumentError, IllegalMoveError.
        """
        from philidor.games.chess.drawing import board_svg

        return board_svg(self, arrows=arrows, heat=heat, labels=labels, is_flipped=is_flipped, size=size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"Position({self.fen()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        # The key decides, but for the one collision in 2^64 that a test of billions of positions might meet.
        return self.key == other.key and self.fen().split()[:4] == other.fen().split()[:4]

    def __hash__(self) -> int:
        return self.key

    def __reduce__(self) -> tuple[Any, ...]:
        root = self.root()
        fen = root.fen(shredder=root.is_chess960, raw_en_passant=True)
        return _unpickle, (fen, root.is_chess960, [move.raw for move in self.moves()])


def _utf8(text: str) -> str:
    """Replaces what is no text: command lines may hold bytes that Python keeps as lone surrogates."""
    return checked_text(text).encode("utf-8", "replace").decode("utf-8")


def _unpickle(fen: str, chess960: bool, moves: list[int]) -> Position:
    position = Position(fen, chess960=chess960)
    for raw in moves:
        position = position.play(Move(raw))
    return position
