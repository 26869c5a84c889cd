"""Judges states by a network with a policy: our own networks, Leela's and Maia's alike (book, ch. 4.2 to 4.8)."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, final

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError, NetError
from philidor.core.evaluation import Evaluation, Wdl, check_states
from philidor.core.game import AnyGame, AnyState
from philidor.encodings.encoding import Batch, Encoding
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL, output_sizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor.core.grid import Grid

# How far half precision may be from probabilities that add up to 1.
_ROUNDING = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class NetConfig:
    """How a network is run."""

    backend: Literal["auto", "compiled", "onnx", "torch"] = "auto"
    """What computes: our own compiled tower, for residual networks on 8x8 boards; ONNX Runtime, for all; PyTorch, for
    all, on a GPU if there is one; or the quicker of the first two that can."""
    threads: int = field(default=1, metadata=spin("Threads", 1, 512))
    """Threads of one evaluation. One is best where several evaluations run at a time."""
    batch: int = field(default=64, metadata=spin("MaxBatch", 1, 65_536))
    """States per run of the network; larger requests are cut into such pieces."""
    cache: int = field(default=0, metadata=spin("NNCacheSize", 0, 100_000_000))
    """How many evaluations to remember; 0 for none."""
    policy_temperature: float = field(default=1.0, metadata=real("PolicyTemperature", 0.01, 100.0))
    """Divides the logits: above 1 the policy is flatter. 1 is what the network learned."""
    history_fill: Literal["no", "fen_only", "always"] = "fen_only"
    """What Leela's networks see before the first known board: nothing, copies of it unless it is the start position, or
    copies always."""

    def __post_init__(self) -> None:
        validate(self)


DEFAULT = NetConfig()


class Backend(Protocol):
    """Computes a network. It may be asked by several threads at a time."""

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Returns the outputs that `nets/onnx/signature.py` names, one row per state."""


class Judgment(NamedTuple):
    """What the network says of one state: probabilities of its legal moves, win, draw and loss, plies left."""

    priors: NDArray[np.float32]
    wdl: Wdl
    moves_left: float | None


class Judgments(NamedTuple):
    """What the network says of a batch, as a pool of searches takes it."""

    legal_logits: NDArray[np.float32]
    """[legal moves of all states], in the order of `Batch.legal_index`."""
    wdl: NDArray[np.float32]
    """[n, 3]: probabilities of win, draw and loss for the side to move."""
    moves_left: NDArray[np.float32] | None
    """[n]: plies, from networks that know it."""


def judge(backend: Backend, batch: Batch) -> Judgments:
    """Judges a batch by any backend. Raises NetError for an answer that is not finite."""
    import numpy as np

    outputs = checked_outputs(backend.run(batch), len(batch), None)
    rows = np.repeat(np.arange(len(batch)), np.diff(batch.legal_offsets))
    if WDL in outputs:
        wdl = outputs[WDL]
    else:
        value = outputs[VALUE]
        wdl = np.concatenate([(1 + value) / 2, np.zeros_like(value), (1 - value) / 2], axis=1)
    moves_left = outputs[MOVES_LEFT][:, 0] if MOVES_LEFT in outputs else None
    return Judgments(outputs[POLICY][rows, batch.legal_index], wdl, moves_left)


def check_judgments(judgments: Judgments, name: str = "the network") -> None:
    """Refuses answers with NaN or infinity, and chances that are none: a search that believed them would be spoilt.

    Raises NetError.
    """
    import numpy as np

    if not all(part is None or np.isfinite(part).all() for part in judgments):
        raise NetError(f"{name} answers with numbers that are not finite")
    _check_range({WDL: judgments.wdl}, name)


def checked_outputs(
    outputs: dict[str, NDArray[np.float32]], count: int, policy_size: int | None, name: str = "the network"
) -> dict[str, NDArray[np.float32]]:
    """Returns a backend's outputs if they are what `nets/onnx/signature.py` says, a row for each of `count` states.

    Foreign models may answer with anything; `policy_size` is None where any is right. Raises NetError that names the
    output.
    """
    import numpy as np

    sizes = output_sizes(outputs[POLICY].shape[-1] if policy_size is None else policy_size)
    for key in (key for key in sizes if key in outputs):
        values = outputs[key]
        if values.shape != (count, sizes[key]):
            got = " x ".join(map(str, values.shape)) or "one number"
            raise NetError(f"{name}: the output {key!r} should be {count} x {sizes[key]}, it is {got}")
        if not np.isfinite(values).all():
            raise NetError(f"{name} answers with numbers that are not finite: output {key!r}")
    _check_range(outputs, name)
    return outputs


def _check_range(outputs: dict[str, NDArray[np.float32]], name: str) -> None:
    """Refuses chances that are no probabilities, such as logits, and values beyond -1 to 1. Raises NetError."""
    import numpy as np

    if WDL in outputs and len(wdl := outputs[WDL]):
        if wdl.min() < -_ROUNDING or np.abs(wdl.sum(axis=1, dtype=np.float64) - 1).max() > _ROUNDING:
            shown = ", ".join(f"{chance:g}" for chance in wdl[0].tolist())
            raise NetError(f"{name}: the output 'wdl' should be probabilities, it is {shown}; logits need a softmax")
    elif VALUE in outputs and len(value := outputs[VALUE]) and np.abs(value).max() > 1 + _ROUNDING:
        raise NetError(f"{name}: the output 'value' should be from -1 to 1, it is {np.abs(value).max():g}")


def is_for(name: str, game: AnyGame) -> bool:
    """Says whether networks of the game of this name play `game`: in Go on boards of the same size, by any rules."""
    if name == game.name:
        return True
    boards = _go_boards(name, game)
    return boards is not None and boards[0] == boards[1]


def _go_boards(name: str, game: AnyGame) -> tuple[Grid, Grid] | None:
    """Returns the boards of the game of this name and of `game` if both are Go."""
    if name.partition("-")[0].partition(",")[0] != "go":
        return None
    from philidor.games import load_game
    from philidor.games.go import Go

    own = load_game(name) if isinstance(game, Go) else None
    return (own.grid, game.grid) if isinstance(own, Go) and isinstance(game, Go) else None


@final
class NetEvaluator:
    """A network that is ready to judge. It may be asked by several threads at a time."""

    def __init__(
        self,
        backend: Backend,
        encoding: Encoding,
        config: NetConfig = DEFAULT,
        *,
        name: str = "network",
        game: str = "chess",
    ) -> None:
        """Takes a backend and the encoding that it was made for; `game` is the game's name for `load_game`."""
        self.name = name
        self.game = game
        self.backend = backend
        self.encoding = encoding
        self.config = config
        self.cache_hits = 0
        self._cache: OrderedDict[bytes, Judgment] = OrderedDict()
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {self.game}, encoding {self.encoding.name}>"

    def check_plays(self, game: AnyGame) -> None:
        """Refuses to judge another game than the network was made for. Raises ConfigError, which names both."""
        if is_for(self.game, game):
            return
        if (boards := _go_boards(self.game, game)) is not None:
            own, other = [f"{each.width}x{each.height}" for each in boards]
            raise ConfigError(f"the network {self.name!r} is for boards of {own}, not of {other}")
        raise ConfigError(f"the network {self.name!r} plays {self.game}, not {game.name}; --game {self.game} does")

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        """Judges states as the network sees them, finished games too. Raises NetError if it answers nonsense."""
        check_states(states)
        return self.evaluate_encoded(states, self.encoding.encode(states))

    def evaluate_encoded(self, states: Sequence[AnyState], batch: Batch, /) -> list[Evaluation[Any]]:
        """Judges states that were encoded for this network already. Raises NetError if it answers nonsense."""
        judgments = self.judgments(batch)
        return [
            Evaluation(state.legal_moves(), judgment.priors, judgment.wdl, judgment.moves_left, state.move_text)
            for state, judgment in zip(states, judgments, strict=True)
        ]

    def with_encoding(self, encoding: Encoding, /) -> NetEvaluator:
        """Returns the same network behind another encoding of the same shape; what it remembers is its own."""
        if encoding.shape != self.encoding.shape:
            raise NetError(f"{self.name} is made for {self.encoding.name!r}, which is not {encoding.name!r}")
        return NetEvaluator(self.backend, encoding, self.config, name=self.name, game=self.game)

    def outputs(self, states: Sequence[AnyState], /) -> dict[str, NDArray[np.float32]]:
        """Returns the network's outputs by name, one row per state: "policy" are logits of all moves."""
        import numpy as np

        batch = self.encoding.encode(states)
        pieces = [self._run(piece) for piece in _pieces(batch, self.config.batch)]
        if not pieces:
            return {}
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}

    def judgments(self, batch: Batch, /) -> list[Judgment]:
        """Judges positions that were encoded for this network already. Raises NetError if it answers nonsense."""
        if not self.config.cache:
            return [judgment for piece in _pieces(batch, self.config.batch) for judgment in self._network(piece)]
        keys = [_digest(batch, row) for row in range(len(batch))]
        with self._lock:
            found = {key: self._cache[key] for key in keys if key in self._cache}
            self.cache_hits += sum(key in found for key in keys)
        unknown = {key: row for row, key in enumerate(keys) if key not in found}
        fresh = _rows(batch, list(unknown.values()))
        judged = [judgment for piece in _pieces(fresh, self.config.batch) for judgment in self._network(piece)]
        with self._lock:
            for key, judgment in zip(unknown, judged, strict=True):
                found[key] = self._cache[key] = judgment
            while len(self._cache) > self.config.cache:
                self._cache.popitem(last=False)
        return [found[key] for key in keys]

    def _network(self, batch: Batch) -> list[Judgment]:
        import numpy as np

        outputs = self._run(batch)
        offsets = batch.legal_offsets
        rows = np.repeat(np.arange(len(batch)), np.diff(offsets))
        logits = outputs[POLICY][rows, batch.legal_index] / np.float32(self.config.policy_temperature)
        priors = softmax(logits, offsets)
        lines = [priors[start:end] for start, end in pairwise(offsets.tolist())]
        known = MOVES_LEFT in outputs
        moves_left: list[float | None] = outputs[MOVES_LEFT][:, 0].tolist() if known else [None] * len(batch)
        return [Judgment(*judged) for judged in zip(lines, _wdl(outputs), moves_left, strict=True)]

    def _run(self, batch: Batch) -> dict[str, NDArray[np.float32]]:
        return checked_outputs(self.backend.run(batch), len(batch), self.encoding.shape.policy_size, self.name)


def softmax(logits: NDArray[np.float32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
    """Returns probabilities, those of each state's moves summing to 1 as well as single precision can.

    `offsets` say where each state's moves begin and end, as in `Batch`; a state may have none.
    """
    import numpy as np

    counts = np.diff(offsets)
    counts, starts = counts[counts > 0], offsets[:-1][counts > 0]
    if not len(counts):
        return logits
    powers = np.exp(logits.astype(np.float64) - np.repeat(np.maximum.reduceat(logits, starts), counts))
    return np.asarray(powers / np.repeat(np.add.reduceat(powers, starts), counts), dtype=np.float32)


def _wdl(outputs: dict[str, NDArray[np.float32]]) -> list[Wdl]:
    if WDL not in outputs:
        return [Wdl.from_value(value) for value in outputs[VALUE][:, 0].tolist()]
    return [Wdl(*chances) for chances in outputs[WDL].tolist()]


def _digest(batch: Batch, row: int) -> bytes:
    """Returns a key of all that the network sees of a state and of its moves."""
    digest = hashlib.blake2b(batch.planes[row].tobytes(), digest_size=16)
    digest.update(batch.scalars[row].tobytes())
    digest.update(batch.legal(row).tobytes())
    return digest.digest()


def _rows(batch: Batch, rows: list[int]) -> Batch:
    import numpy as np

    parts = [batch.legal(row) for row in rows]
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    legal = np.concatenate(parts) if parts else batch.legal_index[:0]
    return Batch(batch.planes[rows], batch.scalars[rows], offsets, legal)


def _pieces(batch: Batch, size: int) -> list[Batch]:
    """Cuts a batch into pieces of at most `size` states."""
    pieces = []
    for start in range(0, len(batch), size):
        offsets = batch.legal_offsets[start : start + size + 1]
        legal = batch.legal_index[offsets[0] : offsets[-1]]
        end = start + len(offsets) - 1
        pieces.append(Batch(batch.planes[start:end], batch.scalars[start:end], offsets - offsets[0], legal))
    return pieces
