"""Compares our Go with programs that we did not write, on every game of a file: GNU Go's rules and sgfmill's SGF.

    python benchmarks/go_agreement.py files GAMES.sgf.zst --out runs/agreement
    python benchmarks/go_agreement.py moves GAMES.sgf.zst --out runs/agreement [--every 16] [--ko positional]
    python benchmarks/go_agreement.py scores GAMES.sgf.zst --out runs/agreement [--sample 10]

A file has one game a line, plain or compressed. `files` reads each with sgfmill too, and what we write of it; `moves`
lets GNU Go play it, with captures, stones at the end, and legal moves at every ko and every `--every` plies; `scores`
plays it out by our playout until nothing is left but eyes, so that every chain is alive for certain, and lets GNU Go
count. `--sample N` takes every N-th game, `--processes N` compares in N processes. Stopped, the same command continues.
1 as exit code says that something differs; 2, that a file or a program is missing.
"""

import argparse
import dataclasses
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from go_questions import Question, Tally, ask_all, new_board
from sgfmill import boards, sgf, sgf_grammar, sgf_moves

from philidor.core.errors import PgnError
from philidor.core.processes import Processes
from philidor.core.random import SplitMix64
from philidor.games.go import Go, GoState
from philidor.games.go.board import STONES, place
from philidor.games.go.playouts import play_out
from philidor.protocols.gtp import vertex
from philidor.records import GameRecord, Result, parse_sgf, write_sgf
from philidor.records.sgf import recorded_moves
from philidor.records.streams import read_chunks
from philidor.search.native import native_root

COLORS = "bw"
CHUNK = 200
"""Games of one conversation with GNU Go; what is done of them is done for good."""
_OWN_TAGS = {"FF", "GM", "CA", "AP", "SZ", "AB", "AW", "PL"}
"""What a writer says by itself, and what becomes the start of a record."""


# --- Files ------------------------------------------------------------------------------------------------------------


def check_file(line: bytes, where: str, tally: Tally) -> None:
    """Compares what we read in a game with what sgfmill reads, there and in what we write of it."""
    theirs = sgf.Sgf_game.from_bytes(line)
    try:
        game, record = parse_sgf(line.decode("utf-8", "replace"))
    except PgnError:
        tally.skip("files that we refuse")
        return
    moves = recorded_moves(record, game)
    compare_reading(theirs, game, record, moves, where, tally)
    written = sgf.Sgf_game.from_bytes(write_sgf(record, game).encode())
    compare_reading(written, game, record, moves, f"{where}, written", tally)
    compare_end(written, game, record, moves, where, tally)


def compare_reading(theirs: Any, game: Go, record: GameRecord, moves: list[int], where: str, tally: Tally) -> None:
    """Size, set-up, moves with their colors, komi, result, and every other property of the root."""
    side, start = theirs.get_size(), game.state(record.start)
    tally.compare("sizes", (game.grid.width, game.grid.height), (side, side), where)
    board, played = sgf_moves.get_setup_and_moves(theirs)
    tally.compare("set-ups", start.board, text_of(board), where)
    colors = [COLORS[(start.to_move + ply) % 2] for ply in range(len(moves))]
    points = [None if move == game.grid.size else divmod(move, side) for move in moves]
    tally.compare("lists of moves", list(zip(colors, points, strict=True)), played, where)
    root = theirs.get_root()
    if root.has_property("KM"):
        tally.compare("komis", start.rules.komi, theirs.get_komi(), where)
    winner = {Result.FIRST_WINS: "b", Result.SECOND_WINS: "w"}.get(record.result) if record.result else None
    tally.compare("winners", winner, theirs.get_winner(), where)
    names = [name for name in root.properties() if name not in _OWN_TAGS]
    values = {name: sgf_grammar.simpletext_value(root.get_raw(name)).decode() for name in names}
    tally.compare("other properties", {name: value for name, value in record.tags.items() if value}, values, where)


def compare_end(theirs: Any, game: Go, record: GameRecord, moves: list[int], where: str, tally: Tally) -> None:
    """The last board and its area, as it stands."""
    board, played = sgf_moves.get_setup_and_moves(theirs)
    for color, point in played:
        if point is not None:
            board.play(*point, color)
    start = game.state(record.start)
    end, twin = start.board, native_root(start)
    for ply, (index, move) in enumerate(zip(record.indices, moves, strict=True)):
        twin = twin.play(index)
        if move != game.grid.size:
            end, _ = place(end, move, STONES[(start.to_move + ply) % 2], game.grid)
    tally.compare("last boards", end, text_of(board), where)
    tally.compare("areas as they stand", twin.score + start.rules.komi, board.area_score(), where)


def text_of(board: boards.Board) -> str:
    """A board of sgfmill's as ours: a letter for each square, row by row from the bottom."""
    letters = {"b": "X", "w": "O", None: "."}
    return "".join(letters[board.get(row, column)] for row in range(board.side) for column in range(board.side))


# --- Moves ------------------------------------------------------------------------------------------------------------


def moves_questions(line: bytes, where: str, ko: str, every: int) -> Iterator[Question]:
    """What GNU Go is told and asked about one game, with what we expect."""
    try:
        game, record = parse_sgf(line.decode("utf-8", "replace"))
    except PgnError:
        yield from refused_questions(line, where)
        return
    start, grid = game.state(record.start), game.grid
    rules = dataclasses.replace(start.rules, ko=ko)
    twin, strict = native_root(start), native_root(start.with_rules(rules))
    board, taken = start.board, [0, 0]
    yield from new_board(start)
    for ply, (index, move) in enumerate(zip(record.indices, recorded_moves(record, game), strict=True)):
        player, here = (start.to_move + ply) % 2, f"{where}, ply {ply}"
        is_same = twin.count_moves() == strict.count_moves()
        if ply % every == 0 or twin.ko >= 0 or not is_same:
            names = frozenset(vertex(each, grid) for each in strict.legal_moves()[:-1])
            yield Question.words(f"all_legal {COLORS[player]}", "lists of legal moves", names, here)
        text = "pass" if move == grid.size else vertex(move, grid)
        if not is_same and move not in strict.legal_moves():
            yield Question.refused(f"play {COLORS[player]} {text}", "moves against superko", here)
            break
        yield Question.accepted(f"play {COLORS[player]} {text}", "moves", here)
        strict = strict.play(index if is_same else strict.legal_moves().index(move))
        twin = twin.play(index)
        if move != grid.size:
            board, captured = place(board, move, STONES[player], grid)
            if captured:
                taken[player] += len(captured)
                yield Question.number(f"captures {COLORS[player]}", "captures", taken[player], here)
    end = dataclasses.replace(start, board=board)
    yield Question.same("last boards of both our forms", end.board_key, strict.board_key, where)
    yield from stones_questions(end, where)


def stones_questions(state: GoState, where: str) -> Iterator[Question]:
    """All stones of a board."""
    for player, letter in enumerate(STONES):
        names = frozenset(vertex(square, state.grid) for square, each in enumerate(state.board) if each == letter)
        yield Question.words(f"list_stones {COLORS[player]}", "stones of a color at the end", names, where)


def refused_questions(line: bytes, where: str) -> Iterator[Question]:
    """A game that we refuse to read, by the readable rules: up to its illegal move, or to its end."""
    theirs = sgf.Sgf_game.from_bytes(line)
    board, played = sgf_moves.get_setup_and_moves(theirs)
    state = dataclasses.replace(Go(theirs.get_size(), theirs.get_size(), ko="simple").state(), board=text_of(board))
    yield from new_board(state)
    for color, point in played:
        # GTP knows neither turns nor an end.
        state = state.with_turn(COLORS.index(color))
        state = state.reopened() if state.is_over() else state
        move = state.pass_move if point is None else point[0] * state.grid.width + point[1]
        command = f"play {color} {'pass' if point is None else vertex(move, state.grid)}"
        if not state.is_legal(move):
            yield Question.refused(command, "illegal moves", where)
            break
        yield Question.accepted(command, "moves", where)
        state = state.play(move)
    yield from stones_questions(state, where)


# --- Scores -----------------------------------------------------------------------------------------------------------


def score_questions(line: bytes, where: str, seed: int) -> Iterator[Question]:
    """One board for GNU Go to count: the game's last, played out."""
    try:
        game, record = parse_sgf(line.decode("utf-8", "replace"))
    except PgnError:
        return
    start = game.state(record.start)
    board = start.board
    for ply, move in enumerate(recorded_moves(record, game)):
        if move != game.grid.size:
            board, _ = place(board, move, STONES[(start.to_move + ply) % 2], game.grid)
    end = dataclasses.replace(start, board=board, to_move=(start.to_move + len(record)) % 2)
    most = 3 * game.grid.size
    board, moves = play_out(end, SplitMix64(seed), most)
    if moves == most:
        yield Question.skipped("playouts without an end", where)
        return
    end = dataclasses.replace(end, board=board)
    yield from new_board(end)
    yield Question.same("scores of both our forms", end.score(), native_root(end).score, where)
    yield Question.points("final_score", "scores", end.score(), where)


# --- The run ----------------------------------------------------------------------------------------------------------


def lines_of(path: Path) -> list[bytes]:
    """The games of a file."""
    text = b"".join(chunk for chunk, _ in read_chunks(path))
    return [line for line in text.split(b"\n") if line.strip()]


def check_chunk(given: argparse.Namespace, lines: Sequence[bytes], first: int) -> Tally:
    """Compares some games."""
    tally = Tally()
    if given.check == "files":
        for number, line in enumerate(lines, first + 1):
            check_file(line, f"game {number}", tally)
        return tally
    questions = list[Question]()
    for number, line in enumerate(lines, first + 1):
        where = f"game {number}"
        if given.check == "moves":
            questions += moves_questions(line, where, given.ko, given.every)
        else:
            questions += score_questions(line, where, number)
    ask_all(questions, given.ko, tally)
    return tally


class Checker:
    """What a process needs to compare chunks; the GNU Go of a chunk ends with its input."""

    def __init__(self, given: argparse.Namespace, _: Callable[[], bool]) -> None:
        self.given = given

    def check(self, chunk: tuple[Sequence[bytes], int]) -> Tally:
        """Compares some games."""
        return check_chunk(self.given, *chunk)

    def close(self) -> None:
        """Has nothing to end."""

    kill = close


def check_all(given: argparse.Namespace, lines: Sequence[bytes], begin: int) -> Iterator[Tally]:
    """Compares the games from one on, chunk by chunk in their order, whichever process has which."""
    chunks = [(lines[first : first + CHUNK], first) for first in range(begin, len(lines), CHUNK)]
    if given.processes == 1:
        yield from (check_chunk(given, *chunk) for chunk in chunks)
        return
    pool = Processes(Checker, given, given.processes)
    try:
        for future in [pool.submit(Checker.check, chunk) for chunk in chunks]:
            yield future.result()
    finally:
        pool.close()


def whole_rows(path: Path) -> list[str]:
    """What earlier runs wrote; a row that a kill has torn is taken off, and its games are compared again."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return whole.splitlines()


def run(given: argparse.Namespace) -> Tally:
    """Compares all games, from where the last run stopped."""
    lines, total = lines_of(given.games)[:: given.sample], Tally()
    ending = f"-{given.ko}-every-{given.every}" if given.check == "moves" else ""
    ending += f"-sample-{given.sample}" if given.sample > 1 else ""
    path = given.out / f"{given.check}-{given.games.name}{ending}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    done = whole_rows(path)
    for row in done:
        total.add(Tally.read(row))
    for number, tally in enumerate(check_all(given, lines, CHUNK * len(done)), len(done) + 1):
        with path.open("a", encoding="utf-8") as file:
            file.write(tally.text() + "\n")
        total.add(tally)
        reached = min(CHUNK * number, len(lines))
        print(f"{reached:,} of {len(lines):,} games, {sum(total.different.values())} differences", file=sys.stderr)
    total.compared["games"] = len(lines)
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what was compared; returns 1 if something differs."""
    parser = argparse.ArgumentParser(description="Agreement of our Go with GNU Go and sgfmill.")
    parser.add_argument("check", choices=("files", "moves", "scores"), help="what to compare")
    parser.add_argument("games", type=Path, metavar="GAMES", help="SGF file with one game a line")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the results so far")
    parser.add_argument("--every", type=int, default=16, metavar="N", help="plies between lists of legal moves")
    parser.add_argument("--ko", choices=("simple", "positional", "situational"), default="simple", help="ko rule")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="compare every N-th game only")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="processes that compare at a time")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    try:
        total = run(given)
    except (PgnError, RuntimeError) as error:
        parser.exit(2, f"{error}\n")
    print(total.text() if given.json else total.table())
    return int(any(total.different.values()))


if __name__ == "__main__":
    sys.exit(main())
