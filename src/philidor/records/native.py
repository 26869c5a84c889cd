"""The compiled PGN reader and record codec, and the way between its records and `GameRecord`."""

from philidor._native._ext import (
    PgnReader,
    Record,
    RecordBatch,
    RecordBlockBuilder,
    SgfReader,
    batch_to_sgf,
    chess_move_indices,
    decode_record_block,
    game_part,
    go_record_moves,
    pack_records,
    read_record_header,
    record_termination_names,
    scan_record_blocks,
    unpack_records,
)
from philidor._native._ext import RecordFilter as NativeFilter
from philidor.core.errors import RecordError
from philidor.records.record import GameRecord, Result, Wdl, wdl_bytes

__all__ = [
    "NO_CLOCK",
    "NO_SCORE",
    "NativeFilter",
    "PgnReader",
    "Record",
    "RecordBatch",
    "RecordBlockBuilder",
    "SgfReader",
    "batch_to_sgf",
    "chess_move_indices",
    "decode_record_block",
    "from_native",
    "go_record_moves",
    "pack_records",
    "part_name",
    "read_record_header",
    "record_termination_names",
    "scan_record_blocks",
    "to_native",
    "unpack_records",
]

# The core's numbers for "not known"; cpp/records/record.h.
NO_SCORE = -32768
NO_CLOCK = -1
_NO_WDL = (255, 255)


def part_name(record: Record) -> str:
    """Returns the part of the fixed split that a game belongs to: "train", "validation" or "test"."""
    return game_part(record).name.lower()


def from_native(record: Record) -> GameRecord:
    """Copies a record of the core. Raises RecordError for a text that is none."""
    try:
        return _copied(record)
    except UnicodeDecodeError:
        raise RecordError("a game has a text that is not UTF-8") from None


def _copied(record: Record) -> GameRecord:
    first, second = record.ratings
    scores, flags, wdl, visits, clocks = record.scores, record.flags, record.wdl, record.visits, record.clocks_ms
    return GameRecord(
        indices=tuple(record.moves),
        start=record.start or None,
        result=Result(record.result),
        termination=record.termination or None,
        ratings=(first or None, second or None),
        source=record.source or None,
        tags=dict(line.split(" ", 1) for line in record.tags.splitlines() if " " in line),
        final_score=None if record.final_score == NO_SCORE else record.final_score,
        scores=tuple(None if score == NO_SCORE else score for score in scores) if scores else None,
        wdl=tuple(None if pair == _NO_WDL else _wdl(*pair) for pair in wdl) if wdl else None,
        flags=bytes(flags) if flags else None,
        visits=tuple(dict(ply) for ply in visits) if visits else None,
        clocks_ms=tuple(None if clock == NO_CLOCK else clock for clock in clocks) if clocks else None,
    )


def to_native(game: GameRecord) -> Record:
    """Makes a record of the core; raises RecordError if a number does not fit the format."""
    record = Record()
    try:
        record.start = game.start or ""
        record.moves = list(game.indices)
        record.result = int(game.result)
        record.termination = game.termination or ""
        record.ratings = (game.ratings[0] or 0, game.ratings[1] or 0)
        record.source = game.source or ""
        record.tags = "".join(f"{_tag_name(name)} {_one_line(value)}\n" for name, value in game.tags.items())
        if game.final_score is not None:
            record.final_score = game.final_score
        if game.scores is not None:
            record.scores = [NO_SCORE if score is None else score for score in game.scores]
        if game.wdl is not None:
            record.wdl = [_NO_WDL if wdl is None else wdl_bytes(wdl) for wdl in game.wdl]
        if game.flags is not None:
            record.flags = list(game.flags)
        if game.visits is not None:
            record.visits = [[(index, min(count, 65535)) for index, count in ply.items()] for ply in game.visits]
        if game.clocks_ms is not None:
            record.clocks_ms = [NO_CLOCK if clock is None else clock for clock in game.clocks_ms]
    except TypeError as error:
        raise RecordError(f"a number of the game does not fit the record format: {game!r}") from error
    return record


def _tag_name(name: str) -> str:
    if not name or any(character.isspace() for character in name):
        raise RecordError(f"a tag's name is one word, got {name!r}")
    return name


def _one_line(value: str) -> str:
    return " ".join(value.splitlines())


def _wdl(win: int, loss: int) -> Wdl:
    return (win / 255, (255 - win - loss) / 255, loss / 255)
