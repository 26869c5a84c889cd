"""Many games are reviewed on all cores, block by block; what is judged is kept, so that a killed run goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from philidor.core.config import to_dict
from philidor.core.errors import RunError
from philidor.core.processes import Processes, kept_busy
from philidor.core.runs import append_line, read_lines
from philidor.games.chess import Position
from philidor.reviews.assembling import assemble
from philidor.reviews.config import ReviewConfig
from philidor.reviews.crowd import crowd_files, nearest
from philidor.reviews.judging import Judge, Verdict, blocks
from philidor.reviews.review import GameReview
from philidor.reviews.sheets import Sheet

Block = tuple[Position, int]
"""A block's last position, and how many positions it has."""


class Judged:
    """The blocks that have been judged, in a file of JSON lines. A line is safe when `add` returns."""

    def __init__(self, path: Path | None, config: ReviewConfig) -> None:
        """Reads what is there; without a path nothing is kept. Raises RunError for a file that is none of ours."""
        self._path, self._settings = path, _settings(config)
        self._known: dict[str, list[Verdict]] = {}
        try:
            for line in [] if path is None else read_lines(path):
                self._known[line["block"]] = [Verdict.from_dict(each) for each in line["verdicts"]]
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{str(path)!r} has no judged positions: {error!r}") from None

    def find(self, block: Block) -> list[Verdict] | None:
        """Returns what an engine with the same settings said of the same positions; None if none has."""
        return self._known.get(self.key(block))

    def add(self, block: Block, verdicts: list[Verdict]) -> None:
        """Keeps a block."""
        key = self.key(block)
        self._known[key] = verdicts
        if self._path is not None:
            append_line(self._path, {"block": key, "verdicts": [verdict.to_dict() for verdict in verdicts]})

    def key(self, block: Block) -> str:
        """Names a block by all that its verdicts depend on: the moves that led to it, and the settings."""
        last, count = block
        root = last.root()
        game = [root.fen(shredder=True, raw_en_passant=True), root.is_chess960, [move.raw for move in last.moves()]]
        return hashlib.sha256(json.dumps([self._settings, game, count]).encode()).hexdigest()[:32]


def review_many(
    sheets: Sequence[Sheet],
    config: ReviewConfig,
    judged: Judged,
    *,
    workers: int,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> list[GameReview]:
    """Reviews games, in their order; only what `judged` lacks is searched, in so many processes.

    `progress` is told how many positions of how many have been judged. Raises RunError if a process dies.
    """
    # The same game may be there twice; by its key it is searched once.
    tasks = {judged.key(block): block for sheet in sheets for block in blocks(sheet.positions)}.values()
    open_tasks = [block for block in tasks if judged.find(block) is None]
    total = sum(count for _, count in tasks)
    done = total - sum(count for _, count in open_tasks)
    progress(done, total)
    for block, verdicts in _judge_all(open_tasks, config, workers) if open_tasks else ():
        judged.add(block, verdicts)
        done += len(verdicts)
        progress(done, total)
    return [assemble(sheet, _verdicts(sheet, judged), config) for sheet in sheets]


def _judge_all(tasks: Sequence[Block], config: ReviewConfig, workers: int) -> Iterator[tuple[Block, list[Verdict]]]:
    # Loaded here once first: what is wrong with a network is said by one error, not by a dead process.
    Judge(config)
    pool = Processes(Judge, config, min(workers, len(tasks)))

    def submit(number: int) -> Future[tuple[int, list[Verdict] | None]]:
        return pool.submit(_judge, (number, tasks[number]))

    try:
        for number, verdicts in kept_busy(submit, iter(range(len(tasks))), workers, None):
            if verdicts is not None:
                yield tasks[number], verdicts
    except BrokenProcessPool:
        raise RunError("a worker process died; what was judged is kept, run again to go on") from None
    finally:
        pool.close()


def _judge(judge: Judge, item: tuple[int, Block]) -> tuple[int, list[Verdict] | None]:
    number, block = item
    return number, judge.judge_block(*block)


def _verdicts(sheet: Sheet, judged: Judged) -> list[Verdict]:
    found: list[Verdict] = []
    for block in blocks(sheet.positions):
        verdicts = judged.find(block)
        assert verdicts is not None, "all blocks have been judged"
        found += verdicts
    return found


def _settings(config: ReviewConfig) -> dict[str, object]:
    """Returns what the verdicts of a position depend on, networks by their content."""
    import philidor
    from philidor.nets.shipped import find_net

    plain: dict[str, object] = dict(to_dict(config))
    if config.net is not None:
        plain["net"] = _digest(find_net(config.net))
    if config.human is not None and config.human_net is not None:
        files = crowd_files(config.human_net)
        plain["human_net"] = _digest(files[nearest(files, config.human)])
    return {**{name: str(value) for name, value in plain.items()}, "version": philidor.__version__}


def _digest(path: Path | None) -> str:
    """Names a file by its content; one that is not there is somebody else's to complain about."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path is not None and path.is_file() else str(path)
