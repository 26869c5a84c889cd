"""Lets KataGo judge how many points the moves of Go games lost, by player.

    python benchmarks/go_points.py games.sgf [more.rec] --judge "katago analysis -config c.cfg -model m.bin.gz" \
        --visits 100 --out runs/points [--games 200] [--from-ply 4] [--count agreed] [--json]

A move loses the judge's lead before it less the lead after it, in the mover's view; a gain counts as 0, except in the
signed mean. The same for the chances of winning, which is what most programs care for. Leads are asked for in Black's
view, with area scoring, positional superko and the game's komi. `--count board`, as in our matches, counts the board as
it stands after two passes: that judges the last pass, and the judge searches by it. `--count agreed` is for people, who
agree on dead stones: the last pass is not judged. Intervals (95 %) are by whole games, because the moves of one are not
independent. DIR/points.jsonl has a line for each judged game, DIR/judge.log what the judge wrote to stderr. Stopped,
the same command continues. 1 as exit code says that the judge refused games; 2, that the judge or a file failed.
"""

import argparse
import contextlib
import hashlib
import json
import math
import queue
import shlex
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from philidor.core.errors import PhilidorError
from philidor.core.markdown import table_lines
from philidor.core.programs import find_program
from philidor.core.runs import append_line, hold_folder, read_lines
from philidor.games import known_game
from philidor.games.go import Go
from philidor.games.go.board import STONES, place
from philidor.players.running import end_group
from philidor.protocols.gtp import vertex
from philidor.records import GameRecord, RecordReader, SgfSource
from philidor.records.sgf import recorded_moves

Facts: TypeAlias = dict[str, Any]
COLORS = "BW"
RULES = {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "hasButton": False, "whiteHandicapBonus": "0"}
SHARES = ("chances lost a move", "first choice")
LIMITS = {"lost 1+": 1, "lost 3+": 3, "lost 6+": 6}
PHASES = {"plies 0-19": range(20), "plies 20-39": range(20, 40), "plies 40+": range(40, sys.maxsize)}
_IN_FLIGHT = 32
"""Games that the judge knows of: enough for all its threads, few enough for its memory."""


class JudgeError(PhilidorError):
    """A judge that is missing, ended, hangs, or prints something else than answers."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game to be judged."""

    where: str
    players: tuple[str, str]
    query: Facts
    """What the judge is asked, without an id."""
    end: float | None
    """Black's lead as the board stands after two passes; None for another end, or where people agreed on it."""

    def key(self, judge: Sequence[str]) -> str:
        """The same for the same moves and settings, whichever file has the game and wherever the judge lies."""
        words = [Path(word).name for word in judge]
        return hashlib.sha256(json.dumps([words, self.query], sort_keys=True).encode()).hexdigest()[:16]


def read_game(record: GameRecord, rules: Go, where: str, given: argparse.Namespace) -> Game:
    """Makes a question of a record."""
    start, grid = rules.state(record.start), rules.grid
    board, moves = start.board, list[list[str]]()
    for ply, move in enumerate(recorded_moves(record, rules), start.to_move):
        is_pass = move == grid.size
        moves.append([COLORS[ply % 2], "pass" if is_pass else vertex(move, grid)])
        board = board if is_pass else place(board, move, STONES[ply % 2], grid)[0]
    has_ended = [move for _, move in moves[-2:]] == ["pass", "pass"]
    is_counted = given.count == "board"
    stones = [(square, COLORS[STONES.index(stone)]) for square, stone in enumerate(start.board) if stone in STONES]
    query = {
        "initialStones": [[color, vertex(square, grid)] for square, color in stones],
        "initialPlayer": COLORS[start.to_move],
        "moves": moves,
        "rules": {**RULES, "suicide": start.rules.suicide, "friendlyPassOk": False},
        "komi": start.rules.komi,
        "boardXSize": grid.width,
        "boardYSize": grid.height,
        "analyzeTurns": list(range(given.from_ply, len(moves) + (not has_ended))),
        "maxVisits": given.visits,
        "analysisPVLen": 1,
        # A conservative search does not end the game with a pass at its root.
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "conservativePass": not is_counted},
    }
    names = given.players or (record.tags.get("PB") or "Black", record.tags.get("PW") or "White")
    end = replace(start, board=board).score() if has_ended and is_counted else None
    return Game(where, (names[0], names[1]), query, end)


def read_games(given: argparse.Namespace) -> Iterator[Game]:
    """Yields the games of all files in order. Raises PhilidorError."""
    for path in given.files:
        if path.suffix == ".rec":
            with RecordReader(path) as reader:
                rules = known_game(reader.game, repr(path.name))
                if not isinstance(rules, Go):
                    raise PhilidorError(f"{path.name!r} has games of {reader.game}, not of Go")
                for number, record in enumerate(reader, 1):
                    yield read_game(record, rules, f"{path.name}, game {number}", given)
            continue
        source = SgfSource([path])
        for number, record in enumerate(source, 1):
            assert source.game is not None
            yield read_game(record, source.game, f"{path.name}, game {number}", given)
        if source.skipped:
            print(f"{path.name}: {sum(source.skipped.values())} broken games: {source.first_problem}", file=sys.stderr)


class Judge:
    """KataGo's analysis engine, or a program that speaks its protocol: a line of JSON for each question and answer."""

    def __init__(self, command: Sequence[str], log: Path, timeout_s: float) -> None:
        self._log, self._timeout_s = log, timeout_s
        self._questions, self._lines = queue.SimpleQueue[bytes | None](), queue.SimpleQueue[bytes | None]()
        pipe, words = subprocess.PIPE, [find_program(command[0]) or command[0], *command[1:]]
        try:
            with log.open("wb") as errors:
                self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True)
        except OSError as error:
            raise JudgeError(f"cannot start the judge {command[0]!r}: {error.strerror}") from None
        # In threads, so that neither a judge that does not read nor one that does not answer can stop us.
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._send, self._receive)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Ends it."""
        self._questions.put(None)
        end_group(self._process)
        for thread in self._threads:
            thread.join()

    def ask(self, question: Facts) -> None:
        """Sends a question."""
        self._questions.put(json.dumps(question).encode() + b"\n")

    def answer(self) -> Facts:
        """Waits for the next answer, to whichever question. Raises JudgeError."""
        try:
            line = self._lines.get(timeout=self._timeout_s)
        except queue.Empty:
            raise JudgeError(f"the judge has not answered for {self._timeout_s:g} s{self._last_words()}") from None
        if line is None:
            raise JudgeError(f"the judge ended before it had answered{self._last_words()}")
        with contextlib.suppress(ValueError):
            answer = json.loads(line)
            if isinstance(answer, dict):
                return answer
        raise JudgeError(f"the judge printed something else than an answer: {line[:200]!r}")

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((f"; its last words: {line}" for line in reversed(lines) if line.strip()), "")

    def _send(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # a judge that has ended; its answers end too
            while (question := self._questions.get()) is not None:
                self._process.stdin.write(question)
                self._process.stdin.flush()

    def _receive(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)


class Verdict(NamedTuple):
    """What the judge thinks of a position, in Black's view, and the moves that it would play."""

    lead: float
    win_rate: float
    choices: list[str]
    """The first choice and, on a symmetric board, the moves that are the same."""


def read_verdict(answer: Facts, turns: Sequence[int]) -> tuple[int, Verdict]:
    """Returns a turn and its verdict. Raises JudgeError."""
    try:
        turn, root = answer["turnNumber"], answer["rootInfo"]
        first = min(answer["moveInfos"], key=lambda info: int(info["order"]))["move"]
        choices = [info["move"] for info in answer["moveInfos"] if first in (info["move"], info.get("isSymmetryOf"))]
        verdict = Verdict(float(root["scoreLead"]), float(root["winrate"]), choices)
    except (KeyError, TypeError, ValueError):
        raise JudgeError(f"the judge's answer lacks something: {json.dumps(answer)}") from None
    if turn not in turns or not math.isfinite(verdict.lead + verdict.win_rate):
        raise JudgeError(f"the judge's answer cannot be right: {json.dumps(answer)}")
    return turn, verdict


def judge_all(judge: Judge, games: dict[str, Game], keep: Callable[[Facts], None]) -> int:
    """Has all games judged, some at a time; returns how many the judge refused. Raises JudgeError."""
    waiting, asked, refused = iter(games), dict[str, dict[int, Verdict]](), set[str]()
    while True:
        for key in islice(waiting, _IN_FLIGHT - len(asked)):
            asked[key] = {}
            judge.ask({"id": key, **games[key].query})
        if not asked:
            return len(refused)
        answer = judge.answer()
        # What comes with a warning was judged by other rules or settings.
        problem = answer.get("error") or answer.get("warning") or ("no result" if "noResults" in answer else None)
        key = str(answer.get("id"))
        if key in refused:
            continue
        if key not in asked:
            raise JudgeError(f"the judge answers what nobody asked: {json.dumps(answer)}")
        if problem is not None:
            del asked[key]
            refused.add(key)
            print(f"{games[key].where}: refused by the judge: {problem}", file=sys.stderr)
        elif not answer.get("isDuringSearch"):
            turns = games[key].query["analyzeTurns"]
            turn, verdict = read_verdict(answer, turns)
            asked[key][turn] = verdict
            if len(asked[key]) == len(turns):
                verdicts = asked.pop(key)
                facts = {"id": key, "where": games[key].where, "players": games[key].players}
                keep({**facts, "verdicts": [[each, *verdicts[each]] for each in turns]})


class Loss(NamedTuple):
    """What a move lost, in the mover's view; negative where the judge sees more after it than before."""

    game: int
    ply: int
    points: float
    chances: float
    """Of winning, from 0 to 1: who is far ahead may give points away for nothing."""
    is_first_choice: bool


def losses(
    number: int, game: Game, verdicts: Sequence[tuple[int, float, float, list[str]]]
) -> Iterator[tuple[str, Loss]]:
    """Yields the mover and the loss of each move of a judged game."""
    seen = [(lead, chances) for _, lead, chances, _ in verdicts]
    if game.end is not None:
        seen.append((game.end, (1 + (game.end > 0) - (game.end < 0)) / 2))
    for (ply, _, _, choices), (before, after) in zip(verdicts, pairwise(seen), strict=False):
        color, move = game.query["moves"][ply]
        sign = 1 if color == "B" else -1
        points, chances = (sign * (was - now) for was, now in zip(before, after, strict=True))
        yield game.players[COLORS.index(color)], Loss(number, ply, points, chances, move in choices)


def mean_lost(moves: Iterable[Loss]) -> float | None:
    """Returns the points that a move lost on average; a gain is no loss."""
    lost = [max(0.0, move.points) for move in moves]
    return sum(lost) / len(lost) if lost else None


def error_by_game(moves: Sequence[Loss]) -> float | None:
    """Returns half of the 95 % interval of `mean_lost`, which is a ratio of two sums over games."""
    mean, deviations = mean_lost(moves) or 0.0, defaultdict[int, float](float)
    for move in moves:
        deviations[move.game] += max(0.0, move.points) - mean
    count, squares = len(deviations), sum(each**2 for each in deviations.values())
    return 1.96 * math.sqrt(count / (count - 1) * squares) / len(moves) if count > 1 else None


def summary(player: str, moves: Sequence[Loss]) -> Facts:
    """Returns all numbers of a player."""
    return {
        "player": player,
        "games": len({move.game for move in moves}),
        "moves": len(moves),
        "points lost a move": mean_lost(moves),
        "error": error_by_game(moves),
        "signed": sum(move.points for move in moves) / len(moves),
        **{name: sum(move.points >= limit for move in moves) / len(moves) for name, limit in LIMITS.items()},
        **{name: mean_lost(move for move in moves if move.ply in plies) for name, plies in PHASES.items()},
        "chances lost a move": sum(max(0.0, move.chances) for move in moves) / len(moves),
        "first choice": sum(move.is_first_choice for move in moves) / len(moves),
    }


def table(players: Sequence[Facts]) -> str:
    """Writes the numbers of all players in Markdown."""

    def cell(name: str, facts: Facts) -> str:
        value = facts[name]
        if not isinstance(value, float):
            return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
        text = f"{100 * value:.1f} %" if name in (*LIMITS, *SHARES) else f"{value:.2f}"
        return f"{text} ± {cell('error', facts)}" if name == "points lost a move" else text

    header = [name for name in summary("", [Loss(0, 0, 0.0, 0.0, False)]) if name != "error"]
    return "\n".join(table_lines(header, [[cell(name, facts) for name in header] for facts in players]))


def run(given: argparse.Namespace) -> Facts:
    """Judges what is not judged yet, and returns the report. Raises PhilidorError."""
    games = [(game.key(given.judge), game) for game in islice(read_games(given), given.games)]
    given.out.mkdir(parents=True, exist_ok=True)
    path, _lock = given.out / "points.jsonl", hold_folder(given.out)
    rows = {row["id"]: row for row in read_lines(path)}
    todo = {key: game for key, game in games if key not in rows and given.from_ply < len(game.query["moves"])}

    def keep(row: Facts) -> None:
        append_line(path, row)
        rows[row["id"]] = row
        print(f"{row['where']}: judged", file=sys.stderr)

    refused = 0
    if todo:
        with contextlib.closing(Judge(given.judge, given.out / "judge.log", given.timeout)) as judge:
            refused = judge_all(judge, todo, keep)
    moves = defaultdict[str, list[Loss]](list)
    for number, (key, game) in enumerate(games):
        for player, loss in losses(number, game, rows[key]["verdicts"]) if key in rows else ():
            moves[player].append(loss)
    players = sorted((summary(*each) for each in moves.items()), key=lambda each: each["points lost a move"])
    judged = sum(key in rows for key, _ in games)
    return {"games": judged, "visits": given.visits, "refused": refused, "players": players}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the report; returns 1 if the judge refused games."""
    parser = argparse.ArgumentParser(description="Points that the moves of Go games lost, by player, in KataGo's eyes.")
    parser.add_argument("files", nargs="+", type=Path, metavar="GAMES", help="SGF, plain or compressed, or .rec")
    parser.add_argument("--judge", type=shlex.split, required=True, metavar="COMMAND", help="KataGo's analysis engine")
    parser.add_argument("--visits", type=int, default=100, metavar="N", help="visits a position")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the results so far")
    parser.add_argument("--games", type=int, metavar="N", help="judge the first N games only")
    parser.add_argument("--from-ply", type=int, default=0, metavar="N", help="first ply to judge")
    parser.add_argument("--players", nargs=2, metavar=("BLACK", "WHITE"), help="names in place of the files' own")
    parser.add_argument("--count", choices=("board", "agreed"), default="board", help="how a finished game is counted")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="S", help="seconds to wait for an answer")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    if not given.judge or given.visits < 2 or given.from_ply < 0 or (given.games is not None and given.games < 1):
        parser.error("--judge is a command, --visits at least 2, --from-ply at least 0, --games at least 1")
    try:
        report = run(given)
    except (PhilidorError, OSError) as error:
        parser.exit(2, f"{error}\n")
    ending = f"\n\n{report['games']} games, {report['visits']} visits a position, {report['refused']} games refused"
    print(json.dumps(report) if given.json else table(report["players"]) + ending)
    return int(report["refused"] > 0)


if __name__ == "__main__":
    sys.exit(main())
