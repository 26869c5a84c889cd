"""The seam between games and networks: states become packed planes, legal moves become places in a policy head.

Book: ch. 4.2.1, 4.3.1 and 4.4.1, where each system has its own planes; the shape of the answer is the same for all.

A plane is a board of bits. Planes that are the same on every square (whose turn, castling rights, counters) are kept
as one number each, a scalar; in the network's input they come after the packed planes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol

from philidor.core.abilities import StonesOnGrid
from philidor.core.errors import EncodingError
from philidor.core.game import AnyState, S, Symmetry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor.core.grid import Grid

WORD_BITS = 64
MAX_POLICY_SIZE = 1 << 16
"""Places in a policy head are 16-bit numbers in a batch."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a network sees and answers: the sizes of its input and of its policy head."""

    packed_planes: int
    scalar_planes: int
    height: int
    width: int
    policy_size: int

    def __post_init__(self) -> None:
        if not 1 <= self.policy_size <= MAX_POLICY_SIZE:
            raise EncodingError(f"a policy has 1 to {MAX_POLICY_SIZE} places, got {self.policy_size}")

    @property
    def planes(self) -> int:
        """All planes: the packed ones, then the scalars."""
        return self.packed_planes + self.scalar_planes

    @property
    def words(self) -> int:
        """64-bit words per packed plane."""
        return -(-self.height * self.width // WORD_BITS)


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Encoded states with the policy places of their legal moves, in the canonical order of the moves."""

    planes: NDArray[np.uint64]  # [n, packed planes, words]
    """Square i of a plane is bit i % 64 of word i // 64; squares count row by row from the bottom left."""
    scalars: NDArray[np.float32]  # [n, scalar planes]
    legal_offsets: NDArray[np.int64]  # [n + 1]
    """State i's legal moves are legal_index[legal_offsets[i] : legal_offsets[i + 1]]."""
    legal_index: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.planes)

    def legal(self, row: int) -> NDArray[np.uint16]:
        """Returns the policy places of one state's legal moves."""
        return self.legal_index[self.legal_offsets[row] : self.legal_offsets[row + 1]]


class Encoding(Protocol):
    """Turns states of one game into batches."""

    @property
    def name(self) -> str:
        """What `load_encoding` reads back."""

    @property
    def shape(self) -> Shape:
        """The sizes of what `encode` returns."""

    @property
    def twin(self) -> tuple[str, tuple[Any, ...]] | None:
        """The encoder of the compiled core that writes the same numbers, and what it is made with; None without one."""

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> tuple[int, ...] | None:
        """Returns where each bit of a packed plane goes under a symmetry of the game; None if that is not so simple."""

    def encode(self, states: Sequence[Any], /) -> Batch:
        """Encodes states; raises EncodingError for one that has no encoding."""


class ReadableEncoding(ABC, Generic[S]):
    """What the readable encoders have in common: one state at a time, planes as Python integers."""

    name: str
    shape: Shape
    example: AnyState | None = None
    """A state of the game that the encoding is for, if it is not for one kind of state anyway: others are refused."""
    twin: tuple[str, tuple[Any, ...]] | None = None
    """The compiled encoder that pools and loaders use in its place."""
    shows_squares: bool = False
    """Whether bit i of every plane is square i of the board, and scalars are the same in all symmetric forms."""

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> tuple[int, ...] | None:
        """Returns where each bit of a packed plane goes; None unless the encoding shows squares as they lie."""
        return symmetry.squares if self.shows_squares else None

    @abstractmethod
    def planes(self, state: S) -> tuple[list[int], list[float]]:
        """Returns the packed planes, one integer each (square i is bit i), and the scalars."""

    @abstractmethod
    def policy_index(self, state: S, move: Any) -> int:
        """Returns the place of a legal move in the policy head."""

    def encode(self, states: Sequence[S], /) -> Batch:
        """Encodes states one by one. Raises EncodingError for a state of another game."""
        import numpy as np

        if self.example is not None:
            check_same_game(states, self.example, self.name)

        words = self.shape.words
        planes = np.zeros((len(states), self.shape.packed_planes, words), dtype=np.uint64)
        scalars = np.zeros((len(states), self.shape.scalar_planes), dtype=np.float32)
        indices: list[int] = []
        offsets = [0]
        for row, state in enumerate(states):
            bits, numbers = self.planes(state)
            data = b"".join(plane.to_bytes(8 * words, "little") for plane in bits)
            planes[row] = np.frombuffer(data, dtype="<u8").reshape(-1, words)
            scalars[row] = numbers
            indices += [self.policy_index(state, move) for move in state.legal_moves()]
            offsets.append(len(indices))
        return Batch(planes, scalars, np.array(offsets, dtype=np.int64), np.array(indices, dtype=np.uint16))


def move_at(encoding: ReadableEncoding[S], state: S, index: int) -> Any:
    """Returns the legal move at a place of the policy head. Raises EncodingError if there is none."""
    for move in state.legal_moves():
        if encoding.policy_index(state, move) == index:
            return move
    raise EncodingError(f"no legal move has place {index} of {encoding.name} in {state.text()!r}")


def expand(batch: Batch, shape: Shape) -> NDArray[np.float32]:  # [n, planes, height, width]
    """Unpacks a batch into the network's input: bits become 0 and 1, scalars fill a plane each."""
    import numpy as np

    squares = shape.height * shape.width
    bits = np.unpackbits(batch.planes.astype("<u8").view(np.uint8), axis=-1, bitorder="little", count=squares)
    expanded = np.empty((len(batch), shape.planes, squares), dtype=np.float32)
    expanded[:, : shape.packed_planes] = bits
    expanded[:, shape.packed_planes :] = batch.scalars[:, :, np.newaxis]
    return expanded.reshape(len(batch), shape.planes, shape.height, shape.width)


def check_states(states: Sequence[AnyState], wanted: type, encoding: str) -> None:
    """Refuses states of another game. Raises EncodingError."""
    for state in states:
        if not isinstance(state, wanted):
            raise EncodingError(f"{encoding} encodes a {wanted.__name__}, got {type(state).__name__}")


def check_same_game(states: Sequence[AnyState], example: AnyState, encoding: str) -> None:
    """Refuses states of another game or on another board than `example`: their bits would mean something else.

    Raises EncodingError.
    """
    wanted, board = type(example), _grid(example)
    for state in states:
        # A game's states may be of several classes, one derived from the other.
        if not isinstance(state, wanted) and not isinstance(example, type(state)):
            raise EncodingError(f"{encoding} encodes a {wanted.__name__} here, got {type(state).__name__}")
        if _grid(state) != board:
            raise EncodingError(f"{encoding} encodes {_board(board)} here, got {_board(_grid(state))}")


def _board(grid: Grid | None) -> str:
    return "no board" if grid is None else f"a board of {grid.width}x{grid.height}"


def _grid(state: AnyState) -> Grid | None:
    return state.grid if isinstance(state, StonesOnGrid) else None
