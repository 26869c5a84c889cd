"""The one object that every analysis yields and every view shows: UCI, CLI, web, PGN comments, notebooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from philidor.core.evaluation import Wdl


@dataclass(frozen=True, slots=True)
class Score:
    """A verdict in the side to move's view: centipawns, or moves to mate; exactly one of the two."""

    cp: int | None = None
    mate: int | None = None
    """Moves (not plies) until mate; negative when the side to move is mated, 0 when it is so already."""

    def __post_init__(self) -> None:
        if (self.cp is None) == (self.mate is None):
            raise ValueError(f"a score is either cp or mate, got cp={self.cp!r} and mate={self.mate!r}")

    def flipped(self) -> Score:
        """Returns the same as the other side sees it; "mated already" has no other side and stays."""
        return Score(cp=-self.cp) if self.cp is not None else Score(mate=-(self.mate or 0))

    def uci(self) -> str:
        """Writes the score as in a UCI info line: "cp 35", "mate -3"."""
        return f"cp {self.cp}" if self.cp is not None else f"mate {self.mate}"

    def __str__(self) -> str:
        if self.cp is not None:
            return f"{self.cp / 100:+.2f}"
        return f"#{self.mate}"


@dataclass(frozen=True, slots=True)
class Line:
    """One principal variation, best first among its sisters."""

    moves: tuple[str, ...]
    score: Score | None = None
    wdl: Wdl | None = None
    depth: int | None = None
    seldepth: int | None = None
    moves_left: float | None = None
    """Plies that are expected to follow, from searches whose network knows them."""
    bound: str | None = None
    """"lowerbound" or "upperbound" where the score is only that; None where it is exact."""


@dataclass(frozen=True, slots=True)
class MoveStats:
    """What the search knows of one root move, in the literature's letters; values are the root mover's view."""

    move: str
    prior: float | None = None
    """P: the network's probability."""
    visits: int | None = None
    """N: simulations through the move."""
    value: float | None = None
    """Q: the mean value of these simulations, in [-1, 1]."""
    exploration: float | None = None
    """U: the bonus for being little visited."""
    draw: float | None = None
    """D: the mean chance of a draw in these simulations."""
    moves_left: float | None = None
    """M: the mean of the plies that are left after the move, where the network knows them."""
    raw_value: float | None = None
    """V: the network's own value of the position after the move."""
    score: Score | None = None
    """The alpha-beta world's verdict."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a player found in a position; every view is the side to move's."""

    best: str | None
    """The chosen move's text; None when the game is over."""
    score: Score | None = None
    wdl: Wdl | None = None
    lines: tuple[Line, ...] = ()
    moves: tuple[MoveStats, ...] = ()
    """The root moves, in canonical order."""
    depth: int | None = None
    nodes: int = 0
    """Positions visited (alpha-beta) or simulations run (Monte Carlo)."""
    time_s: float = 0.0
    counters: Mapping[str, int] = field(default_factory=dict)
    """What else was counted: "cutoffs", "evaluations", "tb_hits", ..."""
    human: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """By rating: how likely a person of that strength plays each move."""
    ponder: str | None = None
    """The reply that is expected to the chosen move, to be thought about on the opponent's time."""
    new_lines: tuple[int, ...] | None = None
    """In a report: the places of the lines that the report before did not have; None for all."""
    current_move: str | None = None
    """The root move that is being searched."""
    current_move_number: int | None = None
    """Which of the root moves that is, from 1."""
    hash_full: int | None = None
    """How full the transposition table is, in thousandths."""
    table_hits: int | None = None
    """Positions that were looked up in endgame tables."""
    notes: tuple[str, ...] = ()
    """Anything else that people may want to read, line by line."""

    @property
    def policy(self) -> dict[str, float]:
        """The search's shares of visits by move, most visited first; without visits, the priors."""
        counts = {stats.move: float(stats.visits) for stats in self.moves if stats.visits is not None}
        if not any(counts.values()):
            counts = {stats.move: stats.prior for stats in self.moves if stats.prior is not None}
        total = sum(counts.values())
        return {m: n / total for m, n in sorted(counts.items(), key=lambda pair: -pair[1])} if total else {}

    @property
    def value(self) -> float | None:
        """The expected result in [-1, 1]: from the WDL, or else the chosen move's Q."""
        if self.wdl is not None:
            return self.wdl.value
        return next((stats.value for stats in self.moves if stats.move == self.best), None)

    @property
    def nodes_per_second(self) -> int:
        """Speed, 0 when no time was measured."""
        return round(self.nodes / self.time_s) if self.time_s > 0 else 0

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON; what is unknown is left out."""
        plain = asdict(self)
        plain["human"] = {str(rating): dict(policy) for rating, policy in self.human.items()}
        compact = _without_unknown(plain)
        assert isinstance(compact, dict)
        compact["best"] = self.best
        return compact

    def to_json(self, *, indent: int | None = None) -> str:
        """Writes `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def _repr_html_(self) -> str:
        """Shows the lines and the moves' statistics as tables, in a notebook."""
        from philidor.core.tables import html_table

        chances = (
            "" if self.wdl is None else f", win {self.wdl.win:.0%} draw {self.wdl.draw:.0%} loss {self.wdl.loss:.0%}"
        )
        found = self.best or "no move yet"
        caption = f"{found}: {self.score or '?'}{chances}; depth {self.depth or '?'}, {self.nodes:,} nodes"
        lines = [[str(line.score or ""), line.depth, " ".join(line.moves)] for line in self.lines]
        tables = html_table(("score", "depth", "line"), lines, caption=caption)
        if not self.moves:
            return tables
        known = sorted(self.moves, key=lambda stats: (-(stats.visits or 0), -(stats.prior or 0.0)))
        rows = [[m.move, m.prior, m.visits, m.value, m.exploration, m.raw_value, m.score] for m in known]
        return tables + html_table(("move", "P", "N", "Q", "U", "V", "score"), rows)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Analysis:
        """Reads what `to_dict` wrote."""
        values = dict(data)
        values["score"], values["wdl"] = _score(data), _wdl(data)
        values["lines"] = tuple(_line(line) for line in values.get("lines", ()))
        values["moves"] = tuple(_move_stats(stats) for stats in values.get("moves", ()))
        for name in ("new_lines", "notes"):
            if name in values:
                values[name] = tuple(values[name])
        values["human"] = {int(rating): policy for rating, policy in values.get("human", {}).items()}
        return cls(**values)


def _without_unknown(data: object) -> object:
    """Drops None and empty containers from nested dicts."""
    if isinstance(data, dict):
        return {key: _without_unknown(value) for key, value in data.items() if value not in (None, (), {})}
    if isinstance(data, tuple | list):
        return [_without_unknown(value) for value in data]
    return data


def _score(data: Mapping[str, Any]) -> Score | None:
    return Score(**data["score"]) if "score" in data else None


def _wdl(data: Mapping[str, Any]) -> Wdl | None:
    return Wdl(*data["wdl"]) if "wdl" in data else None


def _line(data: Mapping[str, Any]) -> Line:
    return Line(**{**data, "moves": tuple(data.get("moves", ())), "score": _score(data), "wdl": _wdl(data)})


def _move_stats(data: Mapping[str, Any]) -> MoveStats:
    return MoveStats(**{**data, "score": _score(data)})
