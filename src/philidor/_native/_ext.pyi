"""philidor's compiled core."""

from collections.abc import Mapping, Sequence
import enum
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


class Move:
    """
    A chess move in 16 bits: from, to, kind. Castling is king takes own rook.
    """

    def __init__(self, raw: int) -> None:
        """From its 16 bits; it need not be legal anywhere."""

    @property
    def from_square(self) -> int:
        """0 (a1) to 63 (h8)."""

    @property
    def to_square(self) -> int:
        """0 (a1) to 63 (h8); the rook's square when castling."""

    @property
    def promotion(self) -> int | None:
        """The new piece (2 knight ... 5 queen), or None."""

    @property
    def is_castling(self) -> bool: ...

    @property
    def is_en_passant(self) -> bool: ...

    @property
    def raw(self) -> int:
        """The 16 bits; their order is the canonical order of moves."""

    def uci(self, chess960: bool = False) -> str:
        """UCI text, such as e2e4, e7e8q or e1g1 (e1h1 in Chess960)."""

    def __hash__(self) -> int: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __lt__(self, arg: Move, /) -> bool: ...

    def __le__(self, arg: Move, /) -> bool: ...

    def __gt__(self, arg: Move, /) -> bool: ...

    def __ge__(self, arg: Move, /) -> bool: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[type[Move], tuple[int]]: ...

class Position:
    """An immutable chess position that shares its history."""

    def __init__(self, fen: str, chess960: bool | None = None) -> None: ...

    def legal_moves(self) -> list[Move]:
        """All legal moves in canonical order."""

    def count_legal_moves(self) -> int: ...

    def is_legal(self, move: Move) -> bool: ...

    def play(self, move: Move) -> Position:
        """The position after a legal move."""

    def parse_uci(self, text: str) -> Move | None:
        """The legal move that the text names, or None."""

    def parse_san(self, text: str) -> tuple[Move | None, str]:
        """The move, and '' or what was wrong: 'syntax', 'illegal', 'ambiguous'."""

    def uci(self, move: Move) -> str: ...

    def san(self, move: Move) -> str: ...

    def gives_check(self, move: Move) -> bool: ...

    def is_capture(self, move: Move) -> bool: ...

    def see(self, move: Move) -> int:
        """Static exchange evaluation in centipawns."""

    def see_at_least(self, move: Move, threshold: int) -> bool: ...

    def dirty_pieces(self, move: Move) -> list[tuple[int, int, int]]:
        """
        (piece code, from, to) of each piece the move changes; 64 is off the board.
        """

    def perft(self, depth: int, bulk: bool = True) -> int:
        """Leaves of the tree of legal moves."""

    def divide(self, depth: int) -> list[tuple[Move, int]]:
        """Perft of each legal move."""

    @property
    def to_move(self) -> int:
        """0 for White, 1 for Black."""

    @property
    def key(self) -> int: ...

    @property
    def pawn_key(self) -> int: ...

    def polyglot_key(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def halfmove_clock(self) -> int: ...

    @property
    def is_chess960(self) -> bool: ...

    @property
    def castling_rights(self) -> int:
        """Bits: 1 White short, 2 White long, 4 Black short, 8 Black long."""

    @property
    def en_passant(self) -> int | None:
        """The target square where a capture en passant is legal."""

    @property
    def en_passant_raw(self) -> int | None:
        """The square behind a pawn that has just made a double step."""

    @property
    def parent(self) -> Position | None: ...

    @property
    def last_move(self) -> Move | None: ...

    def piece_at(self, square: int) -> int:
        """8 * color + type (1 pawn ... 6 king), 0 for an empty square."""

    def pieces(self, color: int, type: int) -> int:
        """A bitboard; bit 0 is a1."""

    def attackers_to(self, square: int) -> int:
        """A bitboard of the pieces of both colors that attack the square."""

    def is_check(self) -> bool: ...

    def count_repetitions(self, limit: int) -> int:
        """
        How often this position occurred before in its history, at most `limit`.
        """

    def is_insufficient_material(self) -> bool: ...

    def has_insufficient_material(self, color: int) -> bool: ...

    def ending(self) -> tuple[str, int] | None:
        """
        (reason, winner) if the game is over; winner is 0, 1, or -1 for a draw.
        """

    def is_consistent(self) -> bool:
        """
        Whether all that is kept incrementally equals what a fresh board computes (for tests).
        """

    def fen(self, shredder: bool = False, raw_en_passant: bool = False) -> str: ...

class Tictactoe:
    """both players' squares as bits"""

    def __init__(self, arg0: int, arg1: int, /) -> None:
        """both players' squares as bits"""

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def ending(self) -> int | None:
        """The winner, -1 after a draw, None while the game goes on."""

    def count_moves(self) -> int:
        """How many legal moves there are; 0 when the game is over."""

    def play(self, place: int) -> Tictactoe:
        """The state after the move at this place of the canonical order."""

    def perft(self, depth: int) -> int:
        """Leaves of the tree of legal moves."""

class Connect4:
    """
    width, height, both players' stones as bits: column * (height + 1) + row
    """

    def __init__(self, arg0: int, arg1: int, arg2: int, arg3: int, /) -> None:
        """
        width, height, both players' stones as bits: column * (height + 1) + row
        """

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def ending(self) -> int | None:
        """The winner, -1 after a draw, None while the game goes on."""

    def count_moves(self) -> int:
        """How many legal moves there are; 0 when the game is over."""

    def play(self, place: int) -> Connect4:
        """The state after the move at this place of the canonical order."""

    def perft(self, depth: int) -> int:
        """Leaves of the tree of legal moves."""

class Hexapawn:
    """
    width, height, both players' pawns as bits: row * width + column, the player to move
    """

    def __init__(self, arg0: int, arg1: int, arg2: int, arg3: int, arg4: int, /) -> None:
        """
        width, height, both players' pawns as bits: row * width + column, the player to move
        """

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def ending(self) -> int | None:
        """The winner, -1 after a draw, None while the game goes on."""

    def count_moves(self) -> int:
        """How many legal moves there are; 0 when the game is over."""

    def play(self, place: int) -> Hexapawn:
        """The state after the move at this place of the canonical order."""

    def perft(self, depth: int) -> int:
        """Leaves of the tree of legal moves."""

class Gomoku:
    """
    width, height, both players' stones: row * width + column, in words of 64
    """

    def __init__(self, arg0: int, arg1: int, arg2: Sequence[int], arg3: Sequence[int], /) -> None:
        """
        width, height, both players' stones: row * width + column, in words of 64
        """

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def ending(self) -> int | None:
        """The winner, -1 after a draw, None while the game goes on."""

    def count_moves(self) -> int:
        """How many legal moves there are; 0 when the game is over."""

    def play(self, place: int) -> Gomoku:
        """The state after the move at this place of the canonical order."""

    def perft(self, depth: int) -> int:
        """Leaves of the tree of legal moves."""

class Go:
    """
    width, height, komi, ko rule, suicide, longest game, stones, player to move, ply, passes, ko, past: one character a square, row by row from the bottom; the last moves and the boards before this, newest first
    """

    def __init__(self, arg0: int, arg1: int, arg2: float, arg3: str, arg4: bool, arg5: int, arg6: str, arg7: int, arg8: int, arg9: int, arg10: int, arg11: Sequence[str], arg12: Sequence[int], arg13: Sequence[str], /) -> None:
        """
        width, height, komi, ko rule, suicide, longest game, stones, player to move, ply, passes, ko, past: one character a square, row by row from the bottom; the last moves and the boards before this, newest first
        """

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def ending(self) -> int | None:
        """The winner, -1 after a draw, None while the game goes on."""

    def count_moves(self) -> int:
        """How many legal moves there are; 0 when the game is over."""

    def play(self, place: int) -> Go:
        """The state after the move at this place of the canonical order."""

    def perft(self, depth: int) -> int:
        """Leaves of the tree of legal moves."""

    @property
    def score(self) -> float:
        """Black's points less White's and komi."""

    @property
    def ko(self) -> int:
        """The square that may not be played, or -1."""

    @property
    def board_key(self) -> int:
        """Hash of the stones alone."""

    def legal_moves(self) -> list[int]:
        """Squares, then the pass."""

    def ownership(self) -> list[int]:
        """By square: 1 Black's, -1 White's, 0 nobody's."""

    def playouts(self, count: int, seed: int) -> GoPlayouts:
        """
        Plays this position out many times, evenly among the moves that fill no eye of the mover's.
        """

    def ladder_captures(self) -> list[int]:
        """Squares where the side to move catches a chain in a ladder."""

    def ladder_escapes(self) -> list[int]:
        """Squares where the side to move saves a chain that is in atari."""

class GoPlayouts:
    """What came of many playouts."""

    @property
    def moves(self) -> int:
        """Moves of all, passes too."""

    @property
    def score(self) -> int:
        """Sum of Black's points less White's."""

    @property
    def squares(self) -> int:
        """Sum of the scores' squares."""

    @property
    def counts(self) -> list[int]:
        """Playouts by score, from -area to area."""

    @property
    def owners(self) -> list[int]:
        """By square: how often it was Black's less how often White's."""

def go_final_owners(games: RecordBatch, starts: Mapping[str, Go]) -> Annotated[NDArray[numpy.int8], dict(shape=(None, None))]:
    """
    By game and square whose it is at the end: 1 Black's, -1 White's, 0 nobody's. The starts by their texts, the normal one's empty.
    """

def count_go_positions(width: int, height: int) -> int:
    """How many boards are positions: each chain has a liberty."""

def native_games() -> dict[str, type[Any]]:
    """The classes of the games, by the names of their descriptors' twins."""

class HistoryFill(enum.Enum):
    """What stands for the boards before the first known one."""

    NO = 0

    FEN_ONLY = 1

    ALWAYS = 2

class LeelaPolicy(enum.Enum):
    """How a policy head numbers the moves."""

    FLAT = 0

    PLANES = 1

def encode_leela(positions: Sequence[Position], input_format: int, fill: HistoryFill, policy: LeelaPolicy) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
    """
    (planes, scalars, legal offsets, legal indices) in one of Leela's input formats.
    """

def encode_alphazero(positions: Sequence[Position]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
    """(planes, scalars, legal offsets, legal indices) as AlphaZero has them."""

def expand_planes(planes: Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], scalars: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], height: int, width: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None))]:
    """Bits and scalars as a float for each square."""

class TowerNetwork:
    """A residual network on 8x8 boards, laid out for this CPU."""

    def __init__(self, *, input: tuple[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], blocks: Sequence[tuple[tuple[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], tuple[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], tuple[tuple[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], tuple[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]]] | None]], heads: Sequence[tuple[Sequence[tuple[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]]], Sequence[int] | None]], activation: str, kernels: str = '') -> None: ...

    def run(self, planes: Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], scalars: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 1) -> list[Annotated[NDArray[numpy.float32], dict(shape=(None, None))]]:
        """For each head the last layer's plain numbers, one row per board."""

    @property
    def kernels(self) -> str:
        """The name of the instruction set in use."""

def tower_kernels() -> list[str]:
    """The kernels that this CPU can run, the fastest first."""

class Record:
    """One game; see philidor.records.GameRecord, which wraps it."""

    def __init__(self) -> None: ...

    @property
    def start(self) -> str: ...

    @start.setter
    def start(self, arg: str, /) -> None: ...

    @property
    def moves(self) -> list[int]: ...

    @moves.setter
    def moves(self, arg: Sequence[int], /) -> None: ...

    @property
    def result(self) -> int: ...

    @result.setter
    def result(self, arg: int, /) -> None: ...

    @property
    def termination(self) -> str: ...

    @termination.setter
    def termination(self, arg: str, /) -> None: ...

    @property
    def ratings(self) -> tuple[int, int]: ...

    @ratings.setter
    def ratings(self, arg: tuple[int, int], /) -> None: ...

    @property
    def source(self) -> str: ...

    @source.setter
    def source(self, arg: str, /) -> None: ...

    @property
    def tags(self) -> str: ...

    @tags.setter
    def tags(self, arg: str, /) -> None: ...

    @property
    def final_score(self) -> int: ...

    @final_score.setter
    def final_score(self, arg: int, /) -> None: ...

    @property
    def scores(self) -> list[int]: ...

    @scores.setter
    def scores(self, arg: Sequence[int], /) -> None: ...

    @property
    def wdl(self) -> list[tuple[int, int]]: ...

    @wdl.setter
    def wdl(self, arg: Sequence[tuple[int, int]], /) -> None: ...

    @property
    def flags(self) -> list[int]: ...

    @flags.setter
    def flags(self, arg: Sequence[int], /) -> None: ...

    @property
    def visits(self) -> list[list[tuple[int, int]]]: ...

    @visits.setter
    def visits(self, arg: Sequence[Sequence[tuple[int, int]]], /) -> None: ...

    @property
    def clocks_ms(self) -> list[int]: ...

    @clocks_ms.setter
    def clocks_ms(self, arg: Sequence[int], /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def content_hash(self, seed: int = 0) -> int: ...

    def uci_moves(self) -> list[str]: ...

    def to_pgn(self) -> str: ...

class RecordBatch:
    """Games in bulk."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> Record: ...

    @property
    def plies(self) -> int:
        """Moves of all games together."""

    def append(self, arg: Record, /) -> None: ...

    def extend(self, arg: RecordBatch, /) -> None: ...

    def take(self, places: Sequence[int]) -> RecordBatch:
        """The games at these places, in this order."""

    def facts(self) -> list[tuple[int, str, int, int, int, str, bool, int]]: ...

    def tags(self) -> list[str]:
        """The lines of each game's tags."""

    def split(self, bounds: Sequence[float], seed: int) -> list[RecordBatch]: ...

    def replay(self) -> int:
        """
        Plays every move of chess games; returns how many games are legal to the end.
        """

    def to_pgn(self) -> str: ...

def chess_move_indices(start: str, moves: Sequence[str]) -> list[int]: ...

class PgnReader:
    """Text in pieces of any size in, checked games out."""

    def __init__(self, mover_evals: bool = False, annotations: bool = True, tags: Sequence[str] = []) -> None: ...

    def feed(self, text: object) -> RecordBatch: ...

    def finish(self) -> RecordBatch: ...

    @property
    def games(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def skipped(self) -> dict[str, int]: ...

    @property
    def first_problem(self) -> str: ...

class RecordFilter:
    """Which games to keep; see philidor.records.RecordFilter."""

    def __init__(self, min_rating: int, max_rating: int, max_gap: int, min_plies: int, max_plies: int, results: int, deduplicate: bool) -> None: ...

    def apply(self, arg: RecordBatch, /) -> RecordBatch: ...

    def remember(self, arg: RecordBatch, /) -> None: ...

    @property
    def dropped(self) -> dict[str, int]: ...

class RecordBlockBuilder:
    """Turns games into the bytes of blocks."""

    def __init__(self, game: str, move_width: int, starts: Sequence[str]) -> None: ...

    def header(self) -> bytes: ...

    def add(self, arg: Record, /) -> None: ...

    def add_batch(self, arg: RecordBatch, /) -> bytes: ...

    def finish(self) -> bytes: ...

    @property
    def games(self) -> int: ...

    @property
    def is_full(self) -> bool: ...

def read_record_header(file: object) -> tuple[str, int, list[str], int, str]: ...

def scan_record_blocks(file: object, offset: int, max_blocks: int = ...) -> tuple[list[tuple[int, int, int, int, bool, bool]], list[tuple[int, int]]]: ...

def decode_record_block(file: object, offset: int, starts: Sequence[str]) -> RecordBatch: ...

def record_start_positions(file: object) -> list[str]: ...

def record_termination_names() -> list[str]: ...

def pack_records(batch: RecordBatch) -> bytes:
    """Chess games in about a third of what blocks take."""

def unpack_records(packed: object, games: int, plies: int) -> RecordBatch: ...

class SgfReader:
    """Text in pieces of any size in, checked games of Go out."""

    def __init__(self, width: int = 0, height: int = 0, tags: Sequence[str] = []) -> None: ...

    def feed(self, text: object) -> RecordBatch: ...

    def finish(self) -> RecordBatch: ...

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def skipped(self) -> dict[str, int]: ...

    @property
    def first_problem(self) -> str: ...

def batch_to_sgf(batch: RecordBatch, width: int, height: int, ko_rule: str, suicide: bool, max_plies: int) -> bytes:
    """Games of Go as lines of SGF in UTF-8."""

def go_record_moves(record: Record, width: int, height: int, ko_rule: str, suicide: bool, max_plies: int) -> list[int]:
    """
    The squares of a record's moves; the pass is the number after the last.
    """

class UctEvent:
    """What a rollout search has found so far."""

    @property
    def end(self) -> str:
        """
        'running', or why the search ended: 'simulations', 'time', 'memory', 'stopped'.
        """

    @property
    def seconds(self) -> float:
        """Since `start`."""

    @property
    def simulations(self) -> int: ...

    @property
    def nodes(self) -> int:
        """Positions in the tree."""

    @property
    def wins(self) -> int:
        """Of the root's side to move."""

    @property
    def draws(self) -> int: ...

    @property
    def losses(self) -> int: ...

    @property
    def visits(self) -> list[int]:
        """Of the root's moves, in canonical order."""

    @property
    def half_points(self) -> list[int]:
        """
        Of the root's moves: 2 for each win of the side to move, 1 for each draw.
        """

    @property
    def line(self) -> list[int]:
        """The most visited line: places of its moves in canonical order."""

class UctSettings:
    """Knobs of UCT; philidor.search.uct explains them."""

    def __init__(self) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def playout_limit(self) -> int: ...

    @playout_limit.setter
    def playout_limit(self, arg: int, /) -> None: ...

    @property
    def memory_mb(self) -> int: ...

    @memory_mb.setter
    def memory_mb(self, arg: int, /) -> None: ...

class RolloutUct:
    """UCT with random playouts, in a thread of its own."""

    @overload
    def __init__(self, root: Tictactoe, settings: UctSettings) -> None: ...

    @overload
    def __init__(self, root: Connect4, settings: UctSettings) -> None: ...

    @overload
    def __init__(self, root: Hexapawn, settings: UctSettings) -> None: ...

    @overload
    def __init__(self, root: Gomoku, settings: UctSettings) -> None: ...

    @overload
    def __init__(self, root: Go, settings: UctSettings) -> None: ...

    @overload
    def __init__(self, root: Position, settings: UctSettings) -> None:
        """A search from `root`, which must not be over."""

    def start(self, simulations: int = 0, seconds: float = 0.0, report_every: float = 0.1) -> None:
        """
        Begins, or goes on from the last end; 0 means no limit. Raises RuntimeError if the search is running.
        """

    def next_event(self, timeout: float) -> UctEvent | None:
        """
        Waits up to `timeout` seconds for the next event; None if there is none, at once after the last.
        """

    def stop(self) -> None:
        """Asks the search to end soon; its last event follows."""

class NnueNetwork:
    """An NNUE network ready to evaluate; see philidor.nets.nnue."""

    def __init__(self, *, buckets: Sequence[int], black_mask: int, is_mirrored: bool, has_kings: bool, spare: int, width: int, activation: str, hidden: Sequence[int], output_buckets: int, scale: tuple[int, int], feature_biases: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)], stacks: Sequence[Sequence[tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)]]]], kernels: str = '') -> None:
        """Copies the arrays. An empty `kernels` is the best."""

    @property
    def kernels(self) -> str: ...

    def raw(self, positions: Sequence[Position]) -> list[int]:
        """The network's integers, in each side to move's view."""

    def raw_without(self, position: Position, square: int) -> int:
        """The same with the piece on a square taken off."""

    def time(self, positions: Sequence[Position], rounds: int) -> list[float]:
        """
        Nanoseconds per move: made and taken back; with an evaluation too; with one from refreshed sums.
        """

class NnueBoard:
    """A board to walk on, with a network's sums kept from move to move."""

    def __init__(self, network: NnueNetwork, position: Position) -> None: ...

    def push(self, move: Move) -> None: ...

    def push_null(self) -> None: ...

    def pop(self) -> None: ...

    def legal_moves(self) -> list[Move]: ...

    def raw(self) -> int:
        """The network's integer."""

    def fresh(self) -> int:
        """The same, computed from nothing."""

def nnue_kernels() -> list[str]:
    """
    The instruction sets that this CPU can evaluate networks with, the fastest first.
    """

class SearchInfo:
    """What the search found so far, in the side to move's view."""

    @property
    def depth(self) -> int: ...

    @property
    def selective_depth(self) -> int: ...

    @property
    def multi_pv(self) -> int: ...

    @property
    def score(self) -> int:
        """Centipawns; a mate in n plies is 32000 - n."""

    @property
    def bound(self) -> int:
        """0 exact, 1 lower bound, 2 upper bound."""

    @property
    def nodes(self) -> int: ...

    @property
    def time_ms(self) -> int: ...

    @property
    def table_fullness(self) -> int:
        """In thousandths."""

    @property
    def ending_hits(self) -> int:
        """Answers of the endgame tables."""

    @property
    def line(self) -> list[Move]: ...

class SearchVerdict:
    """What a search stands by: an iteration's result, never a bound."""

    @property
    def move(self) -> Move | None: ...

    @property
    def score(self) -> int:
        """Centipawns; a mate in n plies is 32000 - n."""

    @property
    def depth(self) -> int: ...

class SearchProgress:
    """Where a long iteration is."""

    @property
    def depth(self) -> int: ...

    @property
    def move(self) -> Move | None:
        """Of the root, being searched."""

    @property
    def move_number(self) -> int:
        """From 1."""

    @property
    def nodes(self) -> int: ...

    @property
    def time_ms(self) -> int: ...

    @property
    def table_fullness(self) -> int:
        """In thousandths."""

    @property
    def ending_hits(self) -> int:
        """Answers of the endgame tables."""

class SearchResult:
    """The last event of a search."""

    @property
    def move(self) -> Move | None: ...

    @property
    def ponder(self) -> Move | None: ...

class SyzygyTables:
    """The Syzygy tables of results (.rtbw) of some folders."""

    def __init__(self, folders: Sequence[str]) -> None: ...

    @property
    def men(self) -> int:
        """Positions with more men are in no table."""

    def probe(self, position: Position) -> int | None:
        """
        2 for a win of the side to move, 0, -2; 1 and -1 where the fifty-move rule spoils it; None if unknown.
        """

class AlphaBetaEngine:
    """Alpha-beta search over a native evaluator, in threads of its own."""

    @overload
    def __init__(self, evaluator: str = 'handcrafted') -> None: ...

    @overload
    def __init__(self, network: NnueNetwork, is_hybrid: bool = False) -> None: ...

    @overload
    def __init__(self, network: GiraffeNetwork) -> None: ...

    def new_game(self) -> None: ...

    def set_table_size(self, megabytes: int) -> None: ...

    def clear_table(self) -> None: ...

    def set_threads(self, count: int) -> None: ...

    def set_options(self, multi_pv: int = 1, move_overhead: int = 10, without: Sequence[str] = [], parameters: Mapping[str, int] = {}, silence: int = 1000) -> None:
        """
        `without` names search features to leave out, `parameters` numbers to change; after `silence` milliseconds without news a search tells where it is.
        """

    def set_endings(self, folders: Sequence[str]) -> None:
        """
        Folders with Syzygy tables that the search asks, or none. RuntimeError if there are no tables in them.
        """

    def start(self, position: Position, *, depth: int | None = None, nodes: int | None = None, mate: int | None = None, move_time: int | None = None, white_time: int | None = None, black_time: int | None = None, white_increment: int = 0, black_increment: int = 0, moves_to_go: int | None = None, infinite: bool = False, ponder: bool = False, search_moves: Sequence[Move] = [], spent_us: int = 0) -> None:
        """
        Times are milliseconds; `spent_us`, microseconds, is how long ago the order came.
        """

    def search(self, position: Position, *, depth: int | None = None, soft_nodes: int | None = None, nodes: int | None = None) -> SearchVerdict:
        """
        Searches in the calling thread. `soft_nodes` ends the search after an iteration, `nodes` at once.
        """

    def next_event(self, timeout_ms: int) -> SearchInfo | SearchProgress | SearchResult | None:
        """The next event, or None after the timeout."""

    @property
    def is_searching(self) -> bool: ...

    def stop(self) -> None: ...

    def ponder_hit(self, spent_us: int = 0) -> None: ...

    @property
    def nodes(self) -> int: ...

    def evaluate(self, position: Position) -> int:
        """The evaluator's verdict in centipawns, in the side to move's view."""

def search_features() -> list[tuple[str, bool, str]]:
    """
    (name, whether it keeps the value of a fixed-depth search, meaning) of each part of the search.
    """

def search_parameters() -> list[tuple[str, int, int, int, str]]:
    """
    (name, standard value, lowest, highest, meaning) of each number of the search.
    """

class ExplainedTerm:
    """One term of the handcrafted evaluation."""

    @property
    def name(self) -> str: ...

    @property
    def meaning(self) -> str: ...

    @property
    def white_middlegame(self) -> int: ...

    @property
    def white_endgame(self) -> int: ...

    @property
    def black_middlegame(self) -> int: ...

    @property
    def black_endgame(self) -> int: ...

class Explanation:
    """How the handcrafted evaluation comes to its verdict; White's view."""

    @property
    def terms(self) -> list[ExplainedTerm]:
        """Centipawns; the differences add up to `middlegame` and `endgame`."""

    @property
    def danger(self) -> list[ExplainedTerm]:
        """What went into the term KingDanger, before it was squared."""

    @property
    def middlegame(self) -> int: ...

    @property
    def endgame(self) -> int: ...

    @property
    def phase(self) -> int:
        """Of 24: how much the middlegame counts."""

    @property
    def scale(self) -> int:
        """Of 64: how much of the endgame's advantage counts."""

    @property
    def bare_king(self) -> int:
        """For driving a bare king to mate."""

    @property
    def white_score(self) -> int:
        """The verdict in centipawns."""

def explain_evaluation(position: Position) -> Explanation:
    """The handcrafted evaluation of a position, term by term."""

class TunerOptions:
    """Knobs of the tuner; philidor.train explains them."""

    def __init__(self) -> None: ...

    @property
    def sample_every(self) -> int: ...

    @sample_every.setter
    def sample_every(self, arg: int, /) -> None: ...

    @property
    def result_share(self) -> float: ...

    @result_share.setter
    def result_share(self, arg: float, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def decay(self) -> float: ...

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def batch_size(self) -> int: ...

    @batch_size.setter
    def batch_size(self, arg: int, /) -> None: ...

class EvaluationTuner:
    """Fits the handcrafted evaluation's weights to scored games."""

    def __init__(self, start: Sequence[tuple[float, float]], options: TunerOptions) -> None:
        """`start`: (middlegame, endgame) of every weight."""

    def add_game(self, record: Record) -> int:
        """Takes the quiet scored positions; returns how many."""

    def __len__(self) -> int: ...

    def run_epoch(self, learning_rate: float) -> float:
        """
        Visits all positions but the held-out games' once; returns the mean squared error on the way.
        """

    def held_out_error(self) -> float: ...

    def weights(self) -> list[tuple[float, float]]:
        """(middlegame, endgame) of every weight."""

def evaluation_terms() -> list[tuple[str, int, str]]:
    """
    (name, number of weights, meaning) of each term of the handcrafted evaluation.
    """

def connect4_plies(state: Connect4, score: int) -> int:
    """
    Moves to the end of the game under perfect play from a state with this score.
    """

class Connect4Solver:
    """
    Solves connect four. A score is positive when the side to move wins: 1 if with its last stone, 2 with the one before, and so on; negative when it loses, 0 for a draw. All calls give None when stopped or over the node limit.
    """

    def __init__(self, memory_mb: int) -> None:
        """Remembers what fits into `memory_mb` MiB."""

    def score(self, root: Connect4, node_limit: int = 18446744073709551615) -> int | None:
        """The score of a state."""

    def move_scores(self, root: Connect4, node_limit: int = 18446744073709551615) -> list[int] | None:
        """The scores of the legal moves in the mover's view, in canonical order."""

    def line(self, root: Connect4, node_limit: int = 18446744073709551615) -> list[int] | None:
        """
        A perfect game: places of its moves in canonical order, the first of equal ones.
        """

    @property
    def nodes(self) -> int:
        """Positions visited by all calls that have ended."""

    def stop(self) -> None:
        """Ends the running call and later ones soon, until `resume`."""

    def resume(self) -> None: ...

class PuctSettings:
    """Knobs of PUCT; philidor.search.puct explains them."""

    def __init__(self) -> None: ...

    @property
    def c_puct(self) -> float: ...

    @c_puct.setter
    def c_puct(self, arg: float, /) -> None: ...

    @property
    def c_factor(self) -> float: ...

    @c_factor.setter
    def c_factor(self, arg: float, /) -> None: ...

    @property
    def c_base(self) -> float: ...

    @c_base.setter
    def c_base(self, arg: float, /) -> None: ...

    @property
    def fpu_is_absolute(self) -> bool: ...

    @fpu_is_absolute.setter
    def fpu_is_absolute(self, arg: bool, /) -> None: ...

    @property
    def fpu_value(self) -> float: ...

    @fpu_value.setter
    def fpu_value(self, arg: float, /) -> None: ...

    @property
    def noise(self) -> float: ...

    @noise.setter
    def noise(self, arg: float, /) -> None: ...

    @property
    def noise_alpha(self) -> float: ...

    @noise_alpha.setter
    def noise_alpha(self, arg: float, /) -> None: ...

    @property
    def forced_playouts(self) -> float: ...

    @forced_playouts.setter
    def forced_playouts(self, arg: float, /) -> None: ...

    @property
    def two_fold(self) -> bool: ...

    @two_fold.setter
    def two_fold(self, arg: bool, /) -> None: ...

    @property
    def prove(self) -> bool: ...

    @prove.setter
    def prove(self, arg: bool, /) -> None: ...

    @property
    def is_fixed_perspective(self) -> bool: ...

    @is_fixed_perspective.setter
    def is_fixed_perspective(self, arg: bool, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def is_gumbel(self) -> bool: ...

    @is_gumbel.setter
    def is_gumbel(self, arg: bool, /) -> None: ...

    @property
    def simulations(self) -> int: ...

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def considered(self) -> int: ...

    @considered.setter
    def considered(self, arg: int, /) -> None: ...

    @property
    def gumbel_scale(self) -> float: ...

    @gumbel_scale.setter
    def gumbel_scale(self, arg: float, /) -> None: ...

    @property
    def c_visit(self) -> float: ...

    @c_visit.setter
    def c_visit(self, arg: float, /) -> None: ...

    @property
    def c_scale(self) -> float: ...

    @c_scale.setter
    def c_scale(self, arg: float, /) -> None: ...

    @property
    def moves_left_max_effect(self) -> float: ...

    @moves_left_max_effect.setter
    def moves_left_max_effect(self, arg: float, /) -> None: ...

    @property
    def moves_left_slope(self) -> float: ...

    @moves_left_slope.setter
    def moves_left_slope(self, arg: float, /) -> None: ...

    @property
    def moves_left_threshold(self) -> float: ...

    @moves_left_threshold.setter
    def moves_left_threshold(self, arg: float, /) -> None: ...

    @property
    def moves_left_constant(self) -> float: ...

    @moves_left_constant.setter
    def moves_left_constant(self, arg: float, /) -> None: ...

    @property
    def moves_left_linear(self) -> float: ...

    @moves_left_linear.setter
    def moves_left_linear(self, arg: float, /) -> None: ...

    @property
    def moves_left_quadratic(self) -> float: ...

    @moves_left_quadratic.setter
    def moves_left_quadratic(self, arg: float, /) -> None: ...

    @property
    def virtual_loss(self) -> float: ...

    @virtual_loss.setter
    def virtual_loss(self, arg: float, /) -> None: ...

    @property
    def memory_mb(self) -> int: ...

    @memory_mb.setter
    def memory_mb(self, arg: int, /) -> None: ...

class PuctTree:
    """The tree alone, for a game that Python plays."""

    def __init__(self, settings: PuctSettings, to_move: int) -> None: ...

    def descend(self) -> tuple[int, int]:
        """(0 new, 1 waiting or 2 settled; the node) at the end of a walk."""

    def descend_to(self, place: int) -> int:
        """Begins a visit of a root move that was never tried."""

    def untried_if_won_late(self) -> list[int]:
        """
        The root's untried moves, if it is won but not by a move that ends the game.
        """

    def path(self, node: int) -> tuple[int | None, int]:
        """
        (parent, place of the move that leads from there); no parent at the root.
        """

    def settle(self, node: int, to_move: int, result_for_mover: int, is_repetition: bool = False) -> None: ...

    def expand(self, node: int, to_move: int, priors: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: float, draw: float, moves_left: float = -1.0) -> None: ...

    def cancel(self, node: int) -> None: ...

    def subtree(self, place: int, settings: PuctSettings) -> tuple[PuctTree, list[int]]:
        """
        The tree below a root move as a tree of its own, and which node each of its nodes was.
        """

    @property
    def visits(self) -> int:
        """Finished simulations."""

    @property
    def value_sum(self) -> float:
        """W of the root, in the view of the player who moved there."""

    @property
    def draw_sum(self) -> float: ...

    @property
    def proven(self) -> int | None:
        """The result for the player who moved to the root, once it is known."""

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def is_full(self) -> bool: ...

    @property
    def best(self) -> int:
        """The place of the move to play."""

    @property
    def line(self) -> list[int]:
        """Places of the best moves, one a ply."""

    def line_after(self, place: int) -> list[int]:
        """The same after a move of the root."""

    @property
    def own_value(self) -> float:
        """What the network said of the root, in the view of the player to move."""

    def scores(self) -> list[tuple[float, float, float]]:
        """
        (Q or what stands for it, U, M) of each root move: the search takes the highest sum.
        """

    @property
    def moves_left_sum(self) -> float: ...

    @property
    def knows_moves_left(self) -> bool:
        """Whether the network tells how many plies are left."""

    @property
    def likeliest(self) -> int:
        """The place of the root's move by Gumbel search without its draw."""

    def improved_policy(self, c_scale: float | None = None) -> list[float]:
        """
        Gumbel search's target for the root's priors, by its own c_scale or another.
        """

    def moves(self) -> list[tuple[float, int, float, float, int | None, float, float]]:
        """
        (prior, visits, value sum, draw sum, proven, own value, moves left sum) of each root move, in canonical order; all in the view of the player to move.
        """

class PuctLeaf:
    """A position that waits for its evaluation."""

    @property
    def position(self) -> Position: ...

class ChessPuct:
    """PUCT over chess."""

    def __init__(self, root: Position, settings: PuctSettings, root_places: Sequence[int] = []) -> None: ...

    def collect(self, count: int, simulations: int) -> list[PuctLeaf]:
        """
        Leaves that wait for their evaluation, at most `count`, of at most `simulations` more visits.
        """

    def apply(self, leaf: PuctLeaf, priors: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: float, draw: float, moves_left: float = -1.0) -> None:
        """
        Hands over the evaluation of a leaf, in its mover's view; negative plies left are unknown.
        """

    def cancel(self, leaf: PuctLeaf) -> None:
        """Gives a leaf up; its visit never happened."""

    def advance(self, place: int, settings: PuctSettings) -> None:
        """
        Plays a root move and keeps the tree below it; from now on with these settings.
        """

    @property
    def visits(self) -> int:
        """Finished simulations."""

    @property
    def value_sum(self) -> float:
        """W of the root, in the view of the player who moved there."""

    @property
    def draw_sum(self) -> float: ...

    @property
    def proven(self) -> int | None:
        """The result for the player who moved to the root, once it is known."""

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def is_full(self) -> bool: ...

    @property
    def best(self) -> int:
        """The place of the move to play."""

    @property
    def line(self) -> list[int]:
        """Places of the best moves, one a ply."""

    def line_after(self, place: int) -> list[int]:
        """The same after a move of the root."""

    @property
    def own_value(self) -> float:
        """What the network said of the root, in the view of the player to move."""

    def scores(self) -> list[tuple[float, float, float]]:
        """
        (Q or what stands for it, U, M) of each root move: the search takes the highest sum.
        """

    @property
    def moves_left_sum(self) -> float: ...

    @property
    def knows_moves_left(self) -> bool:
        """Whether the network tells how many plies are left."""

    @property
    def likeliest(self) -> int:
        """The place of the root's move by Gumbel search without its draw."""

    def improved_policy(self, c_scale: float | None = None) -> list[float]:
        """
        Gumbel search's target for the root's priors, by its own c_scale or another.
        """

    def moves(self) -> list[tuple[float, int, float, float, int | None, float, float]]:
        """
        (prior, visits, value sum, draw sum, proven, own value, moves left sum) of each root move, in canonical order; all in the view of the player to move.
        """

class PoolSettings:
    """Knobs of self-play; philidor.selfplay.pool explains them."""

    def __init__(self) -> None: ...

    @property
    def search(self) -> PuctSettings: ...

    @search.setter
    def search(self, arg: PuctSettings, /) -> None: ...

    @property
    def simulations(self) -> int: ...

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def cheap_simulations(self) -> int: ...

    @cheap_simulations.setter
    def cheap_simulations(self, arg: int, /) -> None: ...

    @property
    def full_share(self) -> float: ...

    @full_share.setter
    def full_share(self, arg: float, /) -> None: ...

    @property
    def prune_targets(self) -> bool: ...

    @prune_targets.setter
    def prune_targets(self, arg: bool, /) -> None: ...

    @property
    def target_scale(self) -> float: ...

    @target_scale.setter
    def target_scale(self, arg: float, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def temperature_plies(self) -> int: ...

    @temperature_plies.setter
    def temperature_plies(self, arg: int, /) -> None: ...

    @property
    def temperature_decay(self) -> int: ...

    @temperature_decay.setter
    def temperature_decay(self, arg: int, /) -> None: ...

    @property
    def final_temperature(self) -> float: ...

    @final_temperature.setter
    def final_temperature(self, arg: float, /) -> None: ...

    @property
    def drawn_plies(self) -> int: ...

    @drawn_plies.setter
    def drawn_plies(self, arg: int, /) -> None: ...

    @property
    def opening_plies(self) -> int: ...

    @opening_plies.setter
    def opening_plies(self, arg: int, /) -> None: ...

    @property
    def max_plies(self) -> int:
        """0 for no such limit."""

    @max_plies.setter
    def max_plies(self, arg: int, /) -> None: ...

    @property
    def first_pass_ply(self) -> int: ...

    @first_pass_ply.setter
    def first_pass_ply(self, arg: int, /) -> None: ...

    @property
    def keeps_tree(self) -> bool: ...

    @keeps_tree.setter
    def keeps_tree(self, arg: bool, /) -> None: ...

    @property
    def decided_value(self) -> float:
        """1 for never."""

    @decided_value.setter
    def decided_value(self, arg: float, /) -> None: ...

    @property
    def decided_plies(self) -> int: ...

    @decided_plies.setter
    def decided_plies(self, arg: int, /) -> None: ...

    @property
    def decided_share(self) -> float: ...

    @decided_share.setter
    def decided_share(self, arg: float, /) -> None: ...

class PoolSetup:
    """What a pool is made with, whatever the game."""

    def __init__(self) -> None: ...

    @property
    def settings(self) -> PoolSettings: ...

    @settings.setter
    def settings(self, arg: PoolSettings, /) -> None: ...

    @property
    def start_count(self) -> int:
        """
        How many of the roots are for new games: the normal start and those to choose from instead.
        """

    @start_count.setter
    def start_count(self, arg: int, /) -> None: ...

    @property
    def starts(self) -> list[str]:
        """The text of each root; none for the normal start."""

    @starts.setter
    def starts(self, arg: Sequence[str], /) -> None: ...

    @property
    def source(self) -> str:
        """Where the records say that they are from."""

    @source.setter
    def source(self, arg: str, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def games(self) -> int: ...

    @games.setter
    def games(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

class GamePool:
    """Games of self-play in C++; for one thread at a time."""

    def set_numbers(self, gaps: Sequence[int], next: int) -> None:
        """The numbers of new games: these, then from `next`, unless it is -1."""

    def add_numbers(self, numbers: Sequence[int]) -> None:
        """Adds numbers of new games."""

    def set_end(self, end: int) -> None:
        """No new game has this number or a higher one; -1 for no end."""

    def resume(self, games: RecordBatch) -> None:
        """Adds games to go on with, as `unfinished` handed them out."""

    def collect(self, limit: int) -> tuple[int, Annotated[NDArray[numpy.uint64], dict(shape=(None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]] | None:
        """
        (id, planes [n, words], scalars, legal offsets, legal indices, seats) of up to `limit` leaves, or None.
        """

    def apply(self, id: int, logits: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], moves_left: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Answers for a batch; the sizes must fit."""

    def cancel(self, id: int) -> None: ...

    def take_finished(self) -> RecordBatch:
        """Games that ended, by number, which is among their tags."""

    def unfinished(self) -> RecordBatch:
        """
        Games that have not; the tags have the random state from before the move at hand.
        """

    @property
    def live(self) -> int:
        """Games that have begun and not ended."""

def alphazero_pool(setup: PoolSetup, roots: Sequence[Position]) -> GamePool:
    """A pool of chess that sees AlphaZero's planes."""

def leela_pool(setup: PoolSetup, roots: Sequence[Position], input_format: int, fill: HistoryFill, policy: LeelaPolicy) -> GamePool:
    """A pool of chess that sees Leela's planes."""

@overload
def boards_pool(arg0: PoolSetup, arg1: Sequence[Tictactoe], arg2: int, /) -> GamePool: ...

@overload
def boards_pool(arg0: PoolSetup, arg1: Sequence[Connect4], arg2: int, /) -> GamePool: ...

@overload
def boards_pool(arg0: PoolSetup, arg1: Sequence[Hexapawn], arg2: int, /) -> GamePool: ...

@overload
def boards_pool(arg0: PoolSetup, arg1: Sequence[Gomoku], arg2: int, /) -> GamePool: ...

@overload
def boards_pool(arg0: PoolSetup, arg1: Sequence[Go], arg2: int, /) -> GamePool:
    """A pool of games that are seen by this encoder."""

def hexapawn_pool(arg0: PoolSetup, arg1: Sequence[Hexapawn], /) -> GamePool:
    """A pool of games that are seen by this encoder."""

def alphago_pool(arg0: PoolSetup, arg1: Sequence[Go], arg2: int, /) -> GamePool:
    """A pool of games that are seen by this encoder."""

class PositionFilter:
    """Which positions to take; philidor.train explains it."""

    def __init__(self) -> None: ...

    @property
    def skip_plies(self) -> int: ...

    @skip_plies.setter
    def skip_plies(self, arg: int, /) -> None: ...

    @property
    def max_score(self) -> int: ...

    @max_score.setter
    def max_score(self, arg: int, /) -> None: ...

    @property
    def only_quiet(self) -> bool: ...

    @only_quiet.setter
    def only_quiet(self, arg: bool, /) -> None: ...

    @property
    def needs_scores(self) -> bool: ...

    @needs_scores.setter
    def needs_scores(self, arg: bool, /) -> None: ...

    @property
    def strays(self) -> int: ...

    @strays.setter
    def strays(self, arg: int, /) -> None: ...

    @property
    def stray_plies(self) -> int: ...

    @stray_plies.setter
    def stray_plies(self, arg: int, /) -> None: ...

    @property
    def keep(self) -> float: ...

    @keep.setter
    def keep(self, arg: float, /) -> None: ...

    @property
    def from_share(self) -> float: ...

    @from_share.setter
    def from_share(self, arg: float, /) -> None: ...

    @property
    def to_share(self) -> float: ...

    @to_share.setter
    def to_share(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class PositionSet:
    """Positions of scored games, 32 bytes each."""

    def __init__(self, filter: PositionFilter) -> None: ...

    def add(self, batch: RecordBatch, threads: int = 1) -> int:
        """
        Takes the positions of games; returns how many games could not be replayed.
        """

    def borrow(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: int, count: int, threads: int = 1) -> None:
        """Shows positions of a file that is mapped; ValueError if some are none."""

    def shuffled(self, key: int) -> bytes:
        """The bytes of all positions, in an order that is the key's."""

    @property
    def borrowed(self) -> int:
        """How many positions, the first ones, are in files."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> tuple[int, float, int, int]:
        """(score, result, side to move, ply), in the side to move's view."""

    def encode_leela(self, first: int, planes: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu')], scalars: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], threads: int, input_format: int, fill: HistoryFill, policy: LeelaPolicy) -> None:
        """
        Writes positions without their history, from the first on, as Leela's networks see them.
        """

    def encode_alphazero(self, first: int, planes: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu')], scalars: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
        """The same as AlphaZero's networks see them."""

    def set_scores(self, first: int, scores: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Replaces scores, from the first position on."""

class BatchMaker:
    """Turns positions into the inputs of an NNUE network."""

    def __init__(self, *, buckets: Sequence[int], black_mask: int, is_mirrored: bool, has_kings: bool, spare: int, output_buckets: int) -> None: ...

    @property
    def padding(self) -> int:
        """What stands where there is no further input."""

    def fill(self, positions: PositionSet, indices: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], own: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')], theirs: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')], bucket: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], score: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], result: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
        """Writes the positions at these indices into arrays."""

def sum_rows(table: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], sums: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes the sum of the rows that each list of indices names; the first index that is no row ends it.
    """

def add_to_rows(table: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], indices: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], gradients: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 1) -> None:
    """
    Adds each list's gradient to the rows that it names: what `sum_rows` leads back to.
    """

class PositionJudge:
    """Engines that judge training positions; see philidor.train."""

    def __init__(self, engines: Sequence[AlphaBetaEngine], *, largest: int, depth: int | None, soft_nodes: int | None, nodes: int | None) -> None: ...

    def judge(self, positions: PositionSet) -> bool:
        """
        Gives a score to each position that has none; False if it was told to stop.
        """

    def stop(self) -> None:
        """From any thread."""

def judge_sums(activation: int, sums: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], biases: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]], layer_biases: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]], found: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes what an NNUE network's layers make of sums [2n, width], first the sides to move's.
    """

def differentiate_sums(activation: int, sums: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], biases: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]], layer_biases: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]], gradient: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], bias_gradient: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], weight_gradients: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu')]], layer_bias_gradients: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]], threads: int = 1) -> None:
    """
    What `judge_sums` leads back to: adds to gradients, and turns the sums into their own.
    """

class GiraffeNetwork:
    """A network that judges; see philidor.nets.dense."""

    def __init__(self, *, first: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], above: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], scale: float) -> None:
        """Copies the arrays."""

    def raw(self, positions: Sequence[Position]) -> list[float]:
        """What comes out before tanh, in each side to move's view."""

    def centipawns(self, raw: float) -> int: ...

def giraffe_features(position: Position) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """What the network sees of a position."""

class DeepChessNetwork:
    """A network that compares; see philidor.nets.dense."""

    def __init__(self, *, position: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], comparison: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> None:
        """Copies the arrays."""

    def embed(self, position: Position) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """A position's vector."""

    def compare(self, first: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """Above zero if the first is better for White."""

def fill_giraffe(positions: PositionSet, indices: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], score: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], result: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes the positions at these indices into arrays, in the side to move's view.
    """

def fill_deepchess(positions: PositionSet, indices: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], inputs: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')], score: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], result: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """Writes the positions at these indices into arrays, in White's view."""

DEEPCHESS_MAX_ACTIVE: int = 69

class GameSettings:
    """Knobs of such games; philidor.selfplay explains them."""

    def __init__(self) -> None: ...

    @property
    def random_plies(self) -> int: ...

    @random_plies.setter
    def random_plies(self, arg: int, /) -> None: ...

    @property
    def book_random_plies(self) -> int: ...

    @book_random_plies.setter
    def book_random_plies(self, arg: int, /) -> None: ...

    @property
    def opening_limit(self) -> int: ...

    @opening_limit.setter
    def opening_limit(self, arg: int, /) -> None: ...

    @property
    def win_cp(self) -> int: ...

    @win_cp.setter
    def win_cp(self, arg: int, /) -> None: ...

    @property
    def win_plies(self) -> int: ...

    @win_plies.setter
    def win_plies(self, arg: int, /) -> None: ...

    @property
    def draw_cp(self) -> int: ...

    @draw_cp.setter
    def draw_cp(self, arg: int, /) -> None: ...

    @property
    def draw_plies(self) -> int: ...

    @draw_plies.setter
    def draw_plies(self, arg: int, /) -> None: ...

    @property
    def draw_from(self) -> int: ...

    @draw_from.setter
    def draw_from(self, arg: int, /) -> None: ...

    @property
    def max_plies(self) -> int: ...

    @max_plies.setter
    def max_plies(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def source(self) -> str: ...

    @source.setter
    def source(self, arg: str, /) -> None: ...

class EngineGames:
    """Games of an engine against itself; see philidor.selfplay."""

    def __init__(self, engine: AlphaBetaEngine, book: Sequence[tuple[str, Sequence[int]]], settings: GameSettings, *, depth: int | None, soft_nodes: int | None, nodes: int | None) -> None: ...

    def play(self, number: int) -> Record | None:
        """The game of this number; None if it was told to stop."""

    def stop(self) -> None:
        """From any thread."""

class DuelRules:
    """When a game ends early; philidor.arena.adjudication explains it."""

    def __init__(self) -> None: ...

    @property
    def draw_score(self) -> int | None: ...

    @draw_score.setter
    def draw_score(self, arg: int | None, /) -> None: ...

    @property
    def draw_moves(self) -> int: ...

    @draw_moves.setter
    def draw_moves(self, arg: int, /) -> None: ...

    @property
    def draw_after(self) -> int: ...

    @draw_after.setter
    def draw_after(self, arg: int, /) -> None: ...

    @property
    def resign_score(self) -> int | None: ...

    @resign_score.setter
    def resign_score(self, arg: int | None, /) -> None: ...

    @property
    def resign_moves(self) -> int: ...

    @resign_moves.setter
    def resign_moves(self, arg: int, /) -> None: ...

    @property
    def max_moves(self) -> int | None: ...

    @max_moves.setter
    def max_moves(self, arg: int | None, /) -> None: ...

class DuelMove:
    """A move and what its engine thought."""

    @property
    def move(self) -> Move: ...

    @property
    def score(self) -> int:
        """Centipawns, the mover's view; a mate in n plies is 32000 - n."""

    @property
    def depth(self) -> int: ...

    @property
    def nodes(self) -> int: ...

class DuelGame:
    """A game between two engines."""

    @property
    def moves(self) -> list[DuelMove]: ...

    @property
    def winner(self) -> int:
        """0 for White, 1 for Black, -1 for a draw."""

    @property
    def reason(self) -> str: ...

class Duel:
    """Games between two engines; see philidor.arena.native."""

    def __init__(self, first: AlphaBetaEngine, second: AlphaBetaEngine, rules: DuelRules) -> None: ...

    def play(self, start: Position, white: int, first: tuple[int | None, int | None, int | None], second: tuple[int | None, int | None, int | None]) -> DuelGame | None:
        """
        A game in which engine `white` (0 or 1) has White; `first` and `second` are the engines' limits: depth, soft nodes, nodes. None if it was told to stop.
        """

    def stop(self) -> None:
        """From any thread."""

class GamePart(enum.Enum):
    """What a game is for, by the hash of its moves."""

    TRAIN = 0

    VALIDATION = 1

    TEST = 2

    ALL = 3

class GameIndexOptions:
    """Which games and positions; see philidor.train.game_data."""

    def __init__(self) -> None: ...

    @property
    def part(self) -> GamePart: ...

    @part.setter
    def part(self, arg: GamePart, /) -> None: ...

    def set_filter(self, arg: RecordFilter, /) -> None: ...

    @property
    def sources(self) -> list[str]: ...

    @sources.setter
    def sources(self, arg: Sequence[str], /) -> None: ...

    @property
    def rating_bands(self) -> list[int]: ...

    @rating_bands.setter
    def rating_bands(self, arg: Sequence[int], /) -> None: ...

    def set_plies(self, *, skip: int, needs_visits: bool, needs_scores: bool, skips_cheap: bool) -> None: ...

class GameIndex:
    """The games of files that are trained on, eight bytes each."""

    def add(self, file: object, game: str, threads: int = 1) -> tuple[int, int, int]:
        """
        Adds a file; returns the lost games, the damaged blocks and the stray bytes.
        """

    @property
    def games(self) -> int: ...

    @property
    def positions(self) -> int: ...

    def positions_by_band(self, file: int) -> list[int]:
        """
        Positions of a file by the band of the mover's rating; the first has the unknown ones.
        """

    @property
    def skipped(self) -> dict[str, int]:
        """Games that were left out, by reason."""

    @property
    def fingerprint(self) -> int: ...

def game_part(record: Record) -> GamePart:
    """The part that a game belongs to."""

def alphazero_game_index(options: GameIndexOptions) -> GameIndex:
    """An index of chess games that are seen in AlphaZero's planes."""

def leela_game_index(options: GameIndexOptions, input_format: int, fill: HistoryFill, policy: LeelaPolicy) -> GameIndex:
    """An index of chess games that are seen in Leela's planes."""

@overload
def boards_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Tictactoe], arg2: int, /) -> GameIndex: ...

@overload
def boards_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Connect4], arg2: int, /) -> GameIndex: ...

@overload
def boards_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Hexapawn], arg2: int, /) -> GameIndex: ...

@overload
def boards_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Gomoku], arg2: int, /) -> GameIndex: ...

@overload
def boards_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Go], arg2: int, /) -> GameIndex:
    """
    An index of games that are seen by this encoder; the texts of their starts, the normal one's empty.
    """

def hexapawn_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Hexapawn], /) -> GameIndex:
    """
    An index of games that are seen by this encoder; the texts of their starts, the normal one's empty.
    """

def alphago_game_index(arg0: GameIndexOptions, arg1: Mapping[str, Go], arg2: int, /) -> GameIndex:
    """
    An index of games that are seen by this encoder; the texts of their starts, the normal one's empty.
    """

class GameStreamOptions:
    """How batches are made; see philidor.train.game_data."""

    def __init__(self) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def passes(self) -> int: ...

    @passes.setter
    def passes(self, arg: int, /) -> None: ...

    @property
    def shuffle(self) -> int: ...

    @shuffle.setter
    def shuffle(self, arg: int, /) -> None: ...

    @property
    def is_shuffled(self) -> bool: ...

    @is_shuffled.setter
    def is_shuffled(self, arg: bool, /) -> None: ...

    @property
    def drop_history(self) -> float: ...

    @drop_history.setter
    def drop_history(self, arg: float, /) -> None: ...

    @property
    def trace(self) -> float: ...

    @trace.setter
    def trace(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def epochs(self) -> int:
        """0 for no end."""

    @epochs.setter
    def epochs(self, arg: int, /) -> None: ...

    def set_forms(self, squares: Sequence[Sequence[int]], places: Sequence[Sequence[int]]) -> None:
        """
        By symmetric form: where each square and each place of the policy goes.
        """

    @property
    def rates(self) -> list[list[float]]:
        """By file and band: how often a position is in an epoch."""

    @rates.setter
    def rates(self, arg: Sequence[Sequence[float]], /) -> None: ...

    @property
    def weights(self) -> list[list[float]]:
        """By file and band: its weight in the loss."""

    @weights.setter
    def weights(self, arg: Sequence[Sequence[float]], /) -> None: ...

class GameStream:
    """Batches of positions, made ahead of the one who takes them."""

    def __init__(self, index: GameIndex, options: GameStreamOptions, start: tuple[int, int, int] = (0, 0, 0), threads: int = 1) -> None: ...

    def next(self) -> dict[str, Any] | None:
        """
        The columns of the next batch, or None after the last; `next` among them is where the stream goes on.
        """

class GoGames:
    """Games of Go that are played side by side, known by their numbers."""

    def __init__(self, root: Go, count: int, planes: int, threads: int) -> None: ...

    def ongoing(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The games that are not over, in order."""

    def to_move(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """By game: the player to move."""

    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """By game: Black's points less White's and komi, as the board stands."""

    def state(self, number: int) -> Go:
        """A copy of one game."""

    def encode(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))]:
        """The planes of these games, which must not be over."""

    def play(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Plays a move in each of these games: a square, or the number of squares for a pass.
        """

def encode_alphago(states: Sequence[Go], example: Go, planes: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
    """
    (planes, scalars, legal offsets, legal indices) of states on a board of the example's size.
    """

def pattern_features(state: Go, captured: Sequence[int], is_tree: bool) -> list[tuple[int, int, int]]:
    """(square, kind, canonical key) of every feature of the legal points."""

class PatternPolicy:
    """A linear softmax over pattern features."""

    def __init__(self, squares: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], responses: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], diamonds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], is_tree: bool) -> None: ...

    def evaluate(self, state: Go, captured: Sequence[int]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        The legal points and their probabilities; `captured` are the squares that the last move took.
        """

class PatternRollouts:
    """Games played out by a rollout policy."""

    def __init__(self, policy: PatternPolicy) -> None: ...

    def run(self, state: Go, captured: Sequence[int], count: int, seed: int) -> tuple[int, int, int]:
        """
        (moves of all, Black's wins, White's wins) of many rollouts from one position.
        """

    def walk(self, state: Go, captured: Sequence[int], plies: int, seed: int) -> list[tuple[int, list[float]]]:
        """
        The first moves of a rollout, each with the chances of all squares before it.
        """

class PatternWalk:
    """Which positions a visit to a game takes."""

    def __init__(self) -> None: ...

    @property
    def passes(self) -> int: ...

    @passes.setter
    def passes(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def is_shuffled(self) -> bool: ...

    @is_shuffled.setter
    def is_shuffled(self, arg: bool, /) -> None: ...

class PatternTrainer:
    """Learns a linear policy from recorded games."""

    def __init__(self, starts: Mapping[str, Go], is_tree: bool) -> None: ...

    def count(self, games: GameIndex, walk: PatternWalk, first: int, end: int) -> None:
        """Counts the shapes at the moves of these visits."""

    def choose(self, squares: int, responses: int, diamonds: int) -> None:
        """Takes the shapes that were counted at least this often."""

    def restore(self, squares: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], responses: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], diamonds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient_squares: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def learn(self, games: GameIndex, walk: PatternWalk, first: int, end: int, rate: float) -> tuple[int, int, float]:
        """
        (positions, hits, sum of losses) of these visits, each before it was learned from.
        """

    def measure(self, games: GameIndex, walk: PatternWalk, first: int, end: int) -> tuple[int, int, float]:
        """(positions, hits, sum of losses) of these visits."""

    @property
    def squares(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def responses(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def diamonds(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def gradient_squares(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

class ApvSettings:
    """Knobs of APV-MCTS."""

    def __init__(self) -> None: ...

    @property
    def mixing(self) -> float: ...

    @mixing.setter
    def mixing(self, arg: float, /) -> None: ...

    @property
    def c_puct(self) -> float: ...

    @c_puct.setter
    def c_puct(self, arg: float, /) -> None: ...

    @property
    def policy_temperature(self) -> float: ...

    @policy_temperature.setter
    def policy_temperature(self, arg: float, /) -> None: ...

    @property
    def threshold(self) -> int: ...

    @threshold.setter
    def threshold(self, arg: int, /) -> None: ...

    @property
    def virtual_loss(self) -> int: ...

    @virtual_loss.setter
    def virtual_loss(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class GoApv:
    """A search of AlphaGo's that is under way."""

    def __init__(self, root: Go, captured: Sequence[int], settings: ApvSettings, rollout: PatternPolicy | None, tree_policy: PatternPolicy | None) -> None: ...

    def group(self, simulations: int) -> None:
        """Runs simulations together, rollouts and all."""

    @property
    def waiting_groups(self) -> int:
        """Groups whose questions have no answer yet."""

    def policy_questions(self, planes: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
        """
        (planes, scalars, legal offsets, legal indices) of what the oldest group asks of the policy.
        """

    def policy_positions(self) -> list[tuple[Go, list[int]]]:
        """The same as states, each with the squares that the last move took."""

    def value_questions(self, planes: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
        """
        (planes, scalars, legal offsets, legal indices) of what it asks of the value network.
        """

    def answer(self, priors: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Answers the oldest group: probabilities of all legal moves in turn, and values.
        """

    @property
    def simulations(self) -> int:
        """So far."""

    def rows(self) -> list[tuple[int, int, float, float, int, float, float]]:
        """(move, Nr, Wr, P, Nv, Wv, Q) of the moves of the root."""
