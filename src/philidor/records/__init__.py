"""Games as records: PGN in and out, the `.rec` format, filters and statistics (book, ch. 4.1.3, 4.2.2 and 4.5)."""

from philidor.records.filters import RecordFilter
from philidor.records.pgn import PgnSource, parse_pgn, read_pgn
from philidor.records.reader import Losses, RecordReader
from philidor.records.record import GameRecord, PlyFlag, Result
from philidor.records.writer import RecordWriter

__all__ = [
    "GameRecord",
    "Losses",
    "PgnSource",
    "PlyFlag",
    "RecordFilter",
    "RecordReader",
    "RecordWriter",
    "Result",
    "parse_pgn",
    "read_pgn",
]
