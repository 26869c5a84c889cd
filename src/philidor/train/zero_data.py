"""Self-play games into training samples: replayed, encoded and drawn in a symmetric form, with their targets.

Book: ch. 4.2.2 and 5.4. What is kept of a position is packed (a kilobyte in chess); planes are unpacked where the
network is. The target policy is the search's visits, the target value the game's result in the view of the side to
move. Moves that a cheap search chose are played through and not learned from, as in KataGo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.core.abilities import TellsOwnership
from philidor.core.errors import ConfigError, RecordError
from philidor.core.evaluation import Wdl
from philidor.core.game import IDENTITY, AnyGame, AnyState
from philidor.encodings.encoding import Batch, Encoding
from philidor.nets.heads import OWNERSHIP, REPLY, SCORE
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, WDL
from philidor.records import GameRecord, PlyFlag, RecordReader, Result
from philidor.records.record import CAPPED
from philidor.train.shares import Shares, join_offsets, join_shares, rows_of
from philidor.train.symmetric_forms import SymmetricForms
from philidor.train.training_batch import TrainingBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.train.zero_config import ZeroTrainingConfig

# Games that are replayed before their states are encoded: enough to make the encoder's batches large.
_GAMES_AT_ONCE = 128


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions and what to learn from them. A position's symmetric forms stand in a row, `forms` of them."""

    batch: Batch
    policy: NDArray[np.float32]  # [len(batch.legal_index)]
    """One probability per legal move, in the order of the batch."""
    wdl: NDArray[np.float32]  # [n, 3]
    """Win, draw and loss of the side to move."""
    moves_left: NDArray[np.float32]  # [n]
    """Plies to the end of the game."""
    forms: int = 1
    reply: Shares | None = None
    """The search's choice in the next position, by its mover's places; None where no head asks for it."""
    value_weight: NDArray[np.float32] | None = None  # [n]
    """How much each result counts; None for all alike."""
    ownership: NDArray[np.int8] | None = None  # [n, squares]
    """Whose each square was in the end: 1 for the side to move; None where no head asks for it."""

    def __len__(self) -> int:
        return len(self.wdl)

    def lesson(self) -> TrainingBatch:
        """Returns them as what a step of training takes."""
        shares = {POLICY: Shares(self.batch.legal_offsets, self.batch.legal_index, self.policy)}
        if self.reply is not None:
            shares[REPLY] = self.reply
        numbers = {WDL: self.wdl, MOVES_LEFT: self.moves_left}
        if self.ownership is not None:
            owners = self.ownership.astype(np.float32)
            numbers |= {OWNERSHIP: owners, SCORE: owners.sum(axis=1)}
        return TrainingBatch(self.batch, shares, numbers, value_weight=self.value_weight)

    @property
    def positions(self) -> int:
        """How many positions there are, symmetric forms counted once."""
        return len(self.wdl) // self.forms

    def take(self, rows: NDArray[np.int64]) -> Samples:
        """Returns these rows, each as a position of its own."""
        places, offsets = rows_of(self.batch.legal_offsets, rows)
        batch = Batch(self.batch.planes[rows], self.batch.scalars[rows], offsets, self.batch.legal_index[places])
        reply = None if self.reply is None else self.reply.take(rows)
        return Samples(
            batch,
            self.policy[places],
            self.wdl[rows],
            self.moves_left[rows],
            reply=reply,
            value_weight=None if self.value_weight is None else self.value_weight[rows],
            ownership=None if self.ownership is None else self.ownership[rows],
        )

    def turned(self, forms: SymmetricForms, numbers: NDArray[np.int64]) -> Samples:
        """Returns each row in the form of its number."""
        reply = None if self.reply is None else forms.shares(self.reply, numbers)
        owners = None if self.ownership is None else forms.squares(self.ownership, numbers)
        return replace(self, batch=forms.batch(self.batch, numbers), reply=reply, ownership=owners)

    def newest(self, positions: int) -> Samples:
        """Returns the last so many positions, with all their forms."""
        first = len(self) - positions * self.forms
        start = self.batch.legal_offsets[first]
        batch = Batch(
            self.batch.planes[first:],
            self.batch.scalars[first:],
            self.batch.legal_offsets[first:] - start,
            self.batch.legal_index[start:],
        )
        reply = None if self.reply is None else self.reply.since(first)
        return Samples(
            batch,
            self.policy[start:],
            self.wdl[first:],
            self.moves_left[first:],
            self.forms,
            reply,
            value_weight=None if self.value_weight is None else self.value_weight[first:],
            ownership=None if self.ownership is None else self.ownership[first:],
        )


def join(parts: Sequence[Samples]) -> Samples:
    """Puts samples with the same number of forms behind each other."""
    if len(parts) == 1:
        return parts[0]
    batch = Batch(
        np.concatenate([part.batch.planes for part in parts]),
        np.concatenate([part.batch.scalars for part in parts]),
        join_offsets([part.batch.legal_offsets for part in parts]),
        np.concatenate([part.batch.legal_index for part in parts]),
    )
    replies = [part.reply for part in parts if part.reply is not None]
    has_weights = any(part.value_weight is not None for part in parts)
    owners = [part.ownership for part in parts if part.ownership is not None]
    return Samples(
        batch,
        np.concatenate([part.policy for part in parts]),
        np.concatenate([part.wdl for part in parts]),
        np.concatenate([part.moves_left for part in parts]),
        parts[0].forms,
        join_shares(replies) if replies else None,
        np.concatenate([_weights_of(part) for part in parts]) if has_weights else None,
        np.concatenate(owners) if owners else None,
    )


def _weights_of(samples: Samples) -> NDArray[np.float32]:
    return np.ones(len(samples), np.float32) if samples.value_weight is None else samples.value_weight


@dataclass(frozen=True, slots=True)
class Lesson:
    """One position to learn from, before it is encoded."""

    state: AnyState
    policy: Sequence[float]
    """By legal move."""
    wdl: Wdl
    moves_left: int
    reply: Reply | None = None
    """None where the game ends or the next move was not searched in full."""
    value_weight: float = 1.0
    """How much its result counts."""
    ownership: tuple[int, ...] | None = None
    """Whose each square was in the end, 1 for the side to move; None in games that do not tell."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the search of the next position liked."""

    state: AnyState
    policy: Sequence[float]
    """By legal move."""


def lessons(
    record: GameRecord,
    game: AnyGame,
    *,
    root_value_share: float = 0.0,
    root_value_trace: float = 0.0,
    capped_value_weight: float = 1.0,
) -> Iterator[Lesson]:
    """Replays a game and yields what it teaches. Raises RecordError if it does not fit the rules.

    A game without a result or without visits teaches nothing.
    """
    if record.result is Result.UNKNOWN or record.visits is None:
        return
    winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1}.get(record.result)
    weight = capped_value_weight if record.termination == CAPPED else 1.0
    states = list(record.states(game))
    owners = states[-1].ownership() if isinstance(states[-1], TellsOwnership) else None
    searches = [_searched(record, ply, state) for ply, state in enumerate(states)]
    results = [result_wdl(winner, state.to_move) for state in states]
    expected = _expectations(record, states, results[-1], root_value_trace)
    for ply, (searched, reply) in enumerate(pairwise(searches)):
        if searched is None:
            continue
        state = searched.state
        result, search = results[ply], expected[ply]
        if search is not None and root_value_share:
            result = _mixed(root_value_share, search, result)
        seen = None if owners is None else tuple(owner if state.to_move == 0 else -owner for owner in owners)
        yield Lesson(state, searched.policy, result, len(record) - ply, reply, weight, seen)


def result_wdl(winner: int | None, mover: int) -> Wdl:
    """Returns a result in the view of the player to move; None is a draw."""
    return Wdl(0.0, 1.0, 0.0) if winner is None else Wdl(1.0, 0.0, 0.0) if winner == mover else Wdl(0.0, 0.0, 1.0)


def _expectations(record: GameRecord, states: Sequence[AnyState], result: Wdl, trace: float) -> list[Wdl | None]:
    """Returns what the searches expected at each ply, in its mover's view, from the last backwards by TD(λ).

    `result` is the last state's. Without a trace it is what each search expected by itself; None is not known.
    """
    own = [None if wdl is None else Wdl(*wdl) for wdl in record.wdl or [None] * len(record)]
    if not trace:
        return own
    found: list[Wdl | None] = []
    later = result
    for ply in reversed(range(len(record))):
        if states[ply].to_move != states[ply + 1].to_move:
            later = later.flipped()
        search = own[ply]
        if search is not None:
            later = _mixed(trace, later, search)
        found.append(later)
    return found[::-1]


def _mixed(share: float, one: Wdl, other: Wdl) -> Wdl:
    return Wdl(*(share * a + (1 - share) * b for a, b in zip(one, other, strict=True)))


def _searched(record: GameRecord, ply: int, state: AnyState) -> Reply | None:
    """Returns what the search of a position liked; None at the end of the game and where it was cut short."""
    if ply == len(record):
        return None
    assert record.visits is not None
    visits = record.visits[ply]
    total = sum(visits.values())
    if (record.flags and record.flags[ply] & PlyFlag.CHEAP) or not total:
        return None
    count = len(state.legal_moves())
    if max(visits) >= count:
        raise RecordError(f"visits of move {max(visits)} at ply {ply}, but there are {count} legal moves")
    return Reply(state, [visits.get(place, 0) / total for place in range(count)])


def encode_lessons(
    given: Sequence[Lesson],
    game: AnyGame,
    encoding: Encoding,
    *,
    symmetries: bool,
    has_reply: bool = False,
    has_ownership: bool = False,
) -> Samples:
    """Encodes positions in all their symmetric forms, or only as they are.

    If asked, with the other side's answers, and with whose squares they were in the end.
    """
    forms = list(game.symmetries) if symmetries else [IDENTITY]
    states: list[AnyState] = []
    policy: list[float] = []
    for lesson in given:
        for form in forms:
            states.append(form.state(lesson.state))
            policy += _policy_of_form(lesson.state, lesson.policy, form, states[-1])
    rows = len(forms)
    is_weighted = any(lesson.value_weight != 1 for lesson in given)
    return Samples(
        encoding.encode(states),
        np.array(policy, dtype=np.float32),
        np.repeat(np.array([lesson.wdl for lesson in given], dtype=np.float32).reshape(-1, 3), rows, axis=0),
        np.repeat(np.array([lesson.moves_left for lesson in given], dtype=np.float32), rows),
        rows,
        _replies(given, forms, encoding) if has_reply else None,
        np.repeat(np.array([lesson.value_weight for lesson in given], dtype=np.float32), rows) if is_weighted else None,
        _owners(given, forms) if has_ownership else None,
    )


def _owners(given: Sequence[Lesson], forms: Sequence[Any]) -> NDArray[np.int8]:
    """Returns whose each square was in the end, for each position in each form."""
    owners = np.array([lesson.ownership for lesson in given], dtype=np.int8)
    turned = [owners if form is IDENTITY else owners[:, np.argsort(form.squares)] for form in forms]
    return np.stack(turned, axis=1).reshape(len(given) * len(forms), -1)


def _replies(given: Sequence[Lesson], forms: Sequence[Any], encoding: Encoding) -> Shares:
    """Returns the answers to each position in each form; what the search did not look at is left out."""
    states: list[AnyState] = []
    policy: list[float] = []
    for reply in (lesson.reply for lesson in given if lesson.reply is not None):
        for form in forms:
            states.append(form.state(reply.state))
            policy += _policy_of_form(reply.state, reply.policy, form, states[-1])
    batch, shares = encoding.encode(states), np.array(policy, dtype=np.float32)
    is_answered = np.repeat([lesson.reply is not None for lesson in given], len(forms))
    counts = np.zeros(len(given) * len(forms), np.int64)
    # A row's entries that are not zero: differences of their running count at the row's ends.
    counts[is_answered] = np.diff(np.concatenate([[0], np.cumsum(shares > 0)])[batch.legal_offsets])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return Shares(offsets, batch.legal_index[shares > 0], shares[shares > 0])


def _policy_of_form(state: AnyState, policy: Sequence[float], form: Any, image: AnyState) -> Sequence[float]:
    """Returns the policy in the order of the image's legal moves, which need not be that of the position's."""
    if form is IDENTITY:
        return policy
    by_move = {form.move(move): share for move, share in zip(state.legal_moves(), policy, strict=True)}
    return [by_move[move] for move in image.legal_moves()]


class ReplayWindow:
    """The newest positions of a run, encoded; as many as the window's config wants."""

    def __init__(
        self,
        game: AnyGame,
        encoding: Encoding,
        config: ZeroTrainingConfig,
        *,
        has_reply: bool = False,
        has_ownership: bool = False,
        threads: int = 1,
    ) -> None:
        """`threads` replay games that the compiled core knows.

        `has_reply`: a head learns the other side's answers. `has_ownership`: one learns whose squares are whose in the
        end. Raises ConfigError for a game that does not tell.
        """
        if has_ownership and not isinstance(game.state(), TellsOwnership):
            raise ConfigError(f"nobody owns squares in {game.name!r}: it has nothing for {OWNERSHIP!r} and {SCORE!r}")
        self._game, self._encoding, self._config = game, encoding, config
        self._has_reply, self._has_ownership, self._threads = has_reply, has_ownership, threads
        self._parts: list[Samples] = []
        self._forms = SymmetricForms.for_training(game, encoding) if config.symmetries else None
        # Where forms cannot be made of bits, every position is kept in all of them.
        self._keeps_forms = config.symmetries and len(game.symmetries) > 1 and self._forms is None
        self.total = 0
        """Positions that were ever added."""
        self.shards = 0
        """Shards that were added."""

    @property
    def size(self) -> int:
        """Positions in the window."""
        return sum(part.positions for part in self._parts)

    def use(self, config: ZeroTrainingConfig) -> None:
        """Goes on by other settings; they hold for what is added from now on, and for the window's size."""
        self._config = config

    def size_of(self, positions: int) -> int:
        """Returns how large the window is when there are so many positions in all."""
        return self._config.window.size(positions)

    def add(self, shard: Path) -> int:
        """Adds the games of a shard; returns how many positions are new. Raises RecordError if the shard is damaged."""
        parts = list(self._native_samples(shard) if self._is_native else self._readable_samples(shard))
        self._parts += parts
        new = sum(part.positions for part in parts)
        self.total += new
        self.shards += 1
        self._forget()
        return new

    def skip(self, positions: int) -> None:
        """Counts a shard of so many positions that are too old to be learned from."""
        self.total += positions
        self.shards += 1

    @property
    def _is_native(self) -> bool:
        """Whether the compiled loader makes the samples.

        It must know the game, keeps every position in one form, and has no answers of the other side.
        """
        from philidor.train.native import knows

        return not self._keeps_forms and not self._has_reply and knows(self._game, self._encoding)

    def _native_samples(self, shard: Path) -> Iterator[Samples]:
        from philidor.train.game_samples import read_samples

        return read_samples(
            shard,
            self._game,
            self._encoding,
            root_value_share=self._config.root_value_share,
            root_value_trace=self._config.root_value_trace,
            capped_value_weight=self._config.capped_value_weight,
            has_ownership=self._has_ownership,
            threads=self._threads,
        )

    def _readable_samples(self, shard: Path) -> Iterator[Samples]:
        with RecordReader(shard) as reader:
            if reader.game != self._game.name:
                raise RecordError(f"{str(shard)!r} has games of {reader.game}, not {self._game.name}")
            if reader.losses:
                raise RecordError(f"{str(shard)!r} is damaged: {reader.losses}")
            games, config = iter(reader), self._config
            while chunk := list(islice(games, _GAMES_AT_ONCE)):
                taught = [
                    lesson
                    for record in chunk
                    for lesson in lessons(
                        record,
                        self._game,
                        root_value_share=config.root_value_share,
                        root_value_trace=config.root_value_trace,
                        capped_value_weight=config.capped_value_weight,
                    )
                ]
                if taught:
                    yield encode_lessons(
                        taught,
                        self._game,
                        self._encoding,
                        symmetries=self._keeps_forms,
                        has_reply=self._has_reply,
                        has_ownership=self._has_ownership,
                    )

    def _forget(self) -> None:
        """Drops what is too old, and joins parts: there are few, and no position is copied more than a few times."""
        extra = self.size - self.size_of(self.total)
        while self._parts and extra >= self._parts[0].positions:
            extra -= self._parts.pop(0).positions
        if extra > 0:
            self._parts[0] = self._parts[0].newest(self._parts[0].positions - extra)
        while len(self._parts) > 1 and self._parts[-2].positions <= 2 * self._parts[-1].positions:
            last = self._parts.pop()
            self._parts[-1] = join([self._parts[-1], last])

    def newest(self, positions: int) -> Samples:
        """Returns the last positions that were added, as they were played; at most so many."""
        return self._rows(np.arange(max(0, self.size - positions), self.size), 0)

    def draw(self, count: int, random: np.random.Generator) -> Samples:
        """Draws positions, each in one of its forms; every position of the window is as likely as any other."""
        if not self.size:
            raise RecordError("there is nothing to learn from: no game has a searched move and a result")
        places = random.integers(self.size, size=count)
        if self._forms is None:
            return self._rows(places, random.integers(self._parts[0].forms, size=count))
        rows = self._rows(places, 0)
        return rows.turned(self._forms, self._forms.draw(rows.batch, random))

    def _rows(self, places: NDArray[np.int64], forms: NDArray[np.int64] | int) -> Samples:
        """Returns positions by their place in the window, those of each part together."""
        first, found = 0, []
        for part in self._parts:
            is_here = (places >= first) & (places < first + part.positions)
            shown = forms if isinstance(forms, int) else forms[is_here]
            if is_here.any():
                found.append(part.take((places[is_here] - first) * part.forms + shown))
            first += part.positions
        return join(found)
