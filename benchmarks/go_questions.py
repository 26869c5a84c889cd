"""Questions to GNU Go with the answers that we expect, sent in bulk, and a tally of what differs."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from philidor.core.programs import find_program
from philidor.games.go import GoState
from philidor.games.go.board import STONES
from philidor.games.go.rules import number_text
from philidor.protocols.gtp import read_answer, vertex

MOST_EXAMPLES = 20
_TIMEOUT_S = 3600.0
_KO_OPTIONS = {"simple": (), "positional": ("--positional-superko",), "situational": ("--situational-superko",)}


@dataclass
class Tally:
    """What was compared, by kind, and how often it was not the same."""

    compared: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def compare(self, kind: str, ours: object, theirs: object, where: str) -> None:
        """Notes one comparison."""
        self.compared[kind] += 1
        if ours != theirs:
            self.different[kind] += 1
            if len(self.examples) < MOST_EXAMPLES:
                self.examples.append(f"{where}: {kind}: ours {ours!s:.400}, theirs {theirs!s:.400}")

    def skip(self, reason: str) -> None:
        """Notes that something could not be compared."""
        self.skipped[reason] += 1

    @classmethod
    def read(cls, line: str) -> Tally:
        """Reads what `text` has written."""
        found = json.loads(line)
        names = ("compared", "different", "skipped")
        return cls(**{name: Counter(found[name]) for name in names}, examples=found["examples"])

    def text(self) -> str:
        """Writes all of it as a line of JSON."""
        return json.dumps(vars(self))

    def add(self, other: Tally) -> None:
        """Adds what another has counted."""
        for mine, its in zip(self._counters(), other._counters(), strict=True):
            mine.update(its)
        self.examples = [*self.examples, *other.examples][:MOST_EXAMPLES]

    def _counters(self) -> tuple[Counter[str], Counter[str], Counter[str]]:
        return self.compared, self.different, self.skipped

    def table(self) -> str:
        """Writes all of it for people."""
        rows = [f"{kind:32} {count:>12,}  {self.different[kind]:>8,} differ" for kind, count in self.compared.items()]
        rows += [f"{reason:32} {count:>12,}  not compared" for reason, count in self.skipped.items()]
        return "\n".join([*rows, *self.examples])


@dataclass(frozen=True, slots=True)
class Question:
    """A line for GNU Go, empty if it needs not be asked, and what we expect; of no kind, it must only be accepted."""

    line: str
    kind: str = ""
    ours: object = True
    where: str = ""
    read: Callable[[bool, str], object] = lambda is_good, _: is_good
    theirs: object = None

    @classmethod
    def accepted(cls, line: str, kind: str, where: str) -> Question:
        """Asks for something that is allowed."""
        return cls(line, kind, True, where)

    @classmethod
    def refused(cls, line: str, kind: str, where: str) -> Question:
        """Asks for something that is forbidden."""
        return cls(line, kind, False, where)

    @classmethod
    def words(cls, line: str, kind: str, ours: frozenset[str], where: str) -> Question:
        """Asks for points in any order."""
        return cls(line, kind, ours, where, lambda is_good, text: frozenset(text.split()) if is_good else text)

    @classmethod
    def number(cls, line: str, kind: str, ours: int, where: str) -> Question:
        """Asks for a whole number."""
        return cls(line, kind, ours, where, lambda is_good, text: int(text) if is_good else text)

    @classmethod
    def points(cls, line: str, kind: str, ours: float, where: str) -> Question:
        """Asks for a score, which is Black's for us."""
        return cls(line, kind, ours, where, _score)

    @classmethod
    def same(cls, kind: str, ours: object, theirs: object, where: str) -> Question:
        """Asks nobody: both answers are known."""
        return cls("", kind, ours, where, theirs=theirs)

    @classmethod
    def skipped(cls, reason: str, where: str) -> Question:
        """Asks nobody and compares nothing."""
        return cls("", "", reason, where)


def _score(is_good: bool, text: str) -> object:
    sign = {"B": 1, "W": -1}.get(text[:1])
    if not is_good or (sign is None and text != "0"):
        return text
    return 0.0 if sign is None else sign * float(text[2:])


def new_board(state: GoState) -> Iterator[Question]:
    """An empty board with these stones and this komi. One by one they take nothing: all have liberties in the end."""
    yield Question(f"boardsize {state.grid.width}")
    yield Question("clear_board")
    yield Question(f"komi {number_text(state.rules.komi)}")
    for player, letter in enumerate(STONES):
        for square, each in enumerate(state.board):
            if each == letter:
                yield Question(f"play {'bw'[player]} {vertex(square, state.grid)}")


def ask_all(questions: Sequence[Question], ko: str, tally: Tally, *, options: Sequence[str] = ()) -> None:
    """Lets GNU Go answer, all in one go, and compares. Raises RuntimeError if it is not there or ends too early."""
    asked = [question for question in questions if question.line]
    answers = iter(_answers([question.line for question in asked], [*_KO_OPTIONS[ko], *options]))
    for question in questions:
        if not question.line:
            if question.kind:
                tally.compare(question.kind, question.ours, question.theirs, question.where)
            else:
                tally.skip(str(question.ours))
            continue
        theirs = question.read(*next(answers))
        if question.kind:
            tally.compare(question.kind, question.ours, theirs, question.where)
        elif theirs is not True:
            raise RuntimeError(f"{question.where}: GNU Go refuses {question.line!r}")


def _answers(lines: Sequence[str], options: Sequence[str]) -> list[tuple[bool, str]]:
    program = find_program("gnugo")
    if program is None:
        raise RuntimeError("GNU Go is not installed; on Debian: apt install gnugo")
    command = [str(program), "--mode", "gtp", "--level", "0", "--chinese-rules", *options]
    text = "\n".join([*lines, "quit", ""])
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    blocks = [block for block in done.stdout.split("\n\n") if block.strip()]
    if done.returncode != 0 or len(blocks) != len(lines) + 1:
        last = lines[min(len(blocks), len(lines) - 1)] if lines else ""
        raise RuntimeError(f"GNU Go ended with {done.returncode} at {last!r}: {done.stderr[-200:]}")
    return [read_answer(block.strip("\n").split("\n")) for block in blocks[:-1]]
