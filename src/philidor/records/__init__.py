"""Games as records: PGN and SGF in and out, the `.rec` format, filters, statistics (book, ch. 4.1.3, 4.2.2, 4.5)."""

from philidor.records.filters import RecordFilter
from philidor.records.native import RecordBatch
from philidor.records.pgn import PgnSource, parse_pgn, read_pgn
from philidor.records.reader import Losses, RecordReader
from philidor.records.record import GameRecord, PlyFlag, Result
from philidor.records.sgf import SgfSource, parse_sgf, read_sgf, write_sgf
from philidor.records.writer import RecordWriter

__all__ = [
    "GameRecord",
    "Losses",
    "PgnSource",
    "PlyFlag",
    "RecordBatch",
    "RecordFilter",
    "RecordReader",
    "RecordWriter",
    "Result",
    "SgfSource",
    "parse_pgn",
    "parse_sgf",
    "read_pgn",
    "read_sgf",
    "write_sgf",
]
