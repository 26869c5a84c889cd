"""What moves are worth, by small searches of an engine of ours, kept in a file so that nothing is searched twice.

A move is worth what a search of the position after it says, and so is the best move, which a search of the position
itself names: both have been looked at equally deeply. The file is an SQLite database, for one engine and one number of
nodes; it survives a kill and grows from run to run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from philidor.core.config import spin, validate
from philidor.core.errors import ConfigError
from philidor.core.processes import Processes
from philidor.games.chess import Position
from philidor.nets.shipped import DEFAULT_NET
from philidor.players import load_engine
from philidor.players.engine import EnginePlayer
from philidor.players.native import MATE

# Our engines finish an iteration, so that no score is a bound; even that is cut short at so many times the nodes.
_OVERRUN = 4
_HASH_MB = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfig:
    """Who judges, and how long."""

    judge: str = "nnue"
    """Engine that judges: nnue or classic."""
    nodes: int = field(default=30_000, metadata=spin(None, 1, 100_000_000))
    """Positions that it looks at for each move."""

    def __post_init__(self) -> None:
        validate(self)
        if self.judge not in ("nnue", "classic"):
            raise ConfigError(f"the judge is nnue or classic, got {self.judge!r}")

    def words(self) -> str:
        """Names the judge; one with another network is another judge."""
        network = f" net={DEFAULT_NET}" if self.judge == "nnue" else ""
        return f"{self.judge}{network} nodes={self.nodes}"


class Judgment(NamedTuple):
    """A position and what some of its moves are worth."""

    best: str
    """The move that the search prefers, in UCI."""
    scores: dict[str, int]
    """Move -> centipawns for its mover; mates as the engine counts them, 32,000 less the plies."""


class Judge:
    """An engine in a process of its own."""

    def __init__(self, config: JudgeConfig, is_stopped: Callable[[], bool]) -> None:
        self._nodes, self._is_stopped = config.nodes, is_stopped
        player: Any = load_engine(config.judge, hash=_HASH_MB)
        assert isinstance(player, EnginePlayer)
        self._player: EnginePlayer[Any] = player

    def judge(self, fen: str, moves: Iterable[str], best: str | None) -> Judgment | None:
        """Says what moves are worth, the best one too, which is looked for if it is not known. None if stopped."""
        position = Position(fen)
        self._player.new_game()
        if best is None:
            verdict = self._search(position)
            best = position.uci(verdict.move)
        scores = {}
        for move in dict.fromkeys((best, *moves)):
            if self._is_stopped():
                return None
            scores[move] = self._worth(position.play(move))
        return Judgment(best, scores)

    def _worth(self, after: Position) -> int:
        """Returns what a position is worth to the player who has just moved."""
        outcome = after.outcome()
        if outcome is not None:
            return 0 if outcome.winner is None else MATE - 1
        # Nothing that other moves have taught, so that each is judged alike.
        self._player.new_game()
        return -int(self._search(after).score)

    def _search(self, position: Position) -> Any:
        return self._player.engine.search(position.native, soft_nodes=self._nodes, nodes=_OVERRUN * self._nodes)

    def close(self) -> None:
        """There is nothing to end: the engine is ours."""

    def kill(self) -> None:
        """There is nothing to end."""


class Judgments:
    """The file; use it in a `with` statement."""

    def __init__(self, path: Path, config: JudgeConfig) -> None:
        """Opens or makes it. Raises ConfigError for a file that is none, or of another judge."""
        self.config = config
        wanted = config.words()
        try:
            self._file = sqlite3.connect(path)
            self._file.execute("CREATE TABLE IF NOT EXISTS judge (name TEXT)")
            self._file.execute("CREATE TABLE IF NOT EXISTS best (fen TEXT PRIMARY KEY, move TEXT)")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS worth (fen TEXT, move TEXT, cp INT, PRIMARY KEY (fen, move))"
            )
            known = self._file.execute("SELECT name FROM judge").fetchone()
            if known is None:
                self._file.execute("INSERT INTO judge VALUES (?)", (wanted,))
                self._file.commit()
        except sqlite3.Error as error:
            raise ConfigError(f"cannot use {str(path)!r} for judgments: {error}") from None
        if known is not None and known[0] != wanted:
            self._file.close()
            raise ConfigError(f"{str(path)!r} has judgments by {known[0]}, not by {wanted}; name another file")

    def find(self, fens: Iterable[str]) -> dict[str, Judgment]:
        """Returns what is known of these positions."""
        found = {}
        for fen in fens:
            row = self._file.execute("SELECT move FROM best WHERE fen = ?", (fen,)).fetchone()
            if row is not None:
                worths = self._file.execute("SELECT move, cp FROM worth WHERE fen = ?", (fen,))
                found[fen] = Judgment(row[0], dict(worths.fetchall()))
        return found

    def add(self, fen: str, judgment: Judgment) -> None:
        """Keeps a judgment; it is safe at once."""
        with self._file:
            self._file.execute("INSERT OR REPLACE INTO best VALUES (?, ?)", (fen, judgment.best))
            rows = [(fen, move, score) for move, score in judgment.scores.items()]
            self._file.executemany("INSERT OR REPLACE INTO worth VALUES (?, ?, ?)", rows)

    def __enter__(self) -> Judgments:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


Report = Callable[[str, int, int], None]


def judge_moves(
    wanted: Mapping[str, Sequence[str]], store: Judgments, *, workers: int = 1, report: Report = lambda *_: None
) -> dict[str, Judgment]:
    """Judges moves, in UCI, of positions, in FEN; only what the file does not have is searched."""
    known = store.find(wanted)
    tasks: list[tuple[str, tuple[str, ...], str | None]] = []
    for fen, moves in wanted.items():
        old = known.get(fen)
        missing = tuple(dict.fromkeys(move for move in moves if old is None or move not in old.scores))
        if old is None or missing:
            tasks.append((fen, missing, None if old is None else old.best))
    if not tasks:
        return known
    pool = Processes(Judge, store.config, workers)
    try:
        futures = {pool.submit(_judge, task): task[0] for task in tasks}
        for done, future in enumerate(as_completed(futures), start=1):
            fen, judgment = futures[future], future.result()
            if judgment is not None:
                before = known[fen].scores if fen in known else {}
                known[fen] = Judgment(judgment.best, {**before, **judgment.scores})
                store.add(fen, judgment)
            report("judging moves", done, len(tasks))
    finally:
        pool.close()
    return known


def _judge(judge: Judge, task: tuple[str, tuple[str, ...], str | None]) -> Judgment | None:
    return judge.judge(*task)
