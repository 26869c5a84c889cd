"""The files that a conversation uses: endgame tables, an opening book, a log. Each is opened before the old is left."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from philidor.core.analysis import Score
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.random import SplitMix64
from philidor.frontends.uci.options import UciConfig
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Tablebases, Verdict
from philidor.protocols.uci import Info

if TYPE_CHECKING:
    from philidor.records.polyglot import PolyglotBook

# What GUIs know from Stockfish as a win by the tables; a win that the fifty-move rule spoils is next to nothing.
_TABLE_WIN_CP, _SPOILT_WIN_CP = 20_000, 1


class Resources:
    """What `SyzygyPath`, `BookFile` and `Debug Log File` name."""

    def __init__(self) -> None:
        self.tables: Tablebases | None = None
        self.folders: tuple[str, ...] = ()
        """Of the tables."""
        self._book: PolyglotBook | None = None
        self._log: IO[str] | None = None
        self._rng = SplitMix64(int.from_bytes(os.urandom(8)))

    def adopt(self, old: UciConfig, new: UciConfig) -> None:
        """Opens what has changed. Raises ConfigError, and then nothing has."""
        if new.syzygy_path != old.syzygy_path:
            folders = tuple(part for part in (new.syzygy_path or "").split(os.pathsep) if part)
            self.tables = Tablebases([Path(folder) for folder in folders]) if folders else None
            self.folders = folders
        if new.book_file != old.book_file:
            book = None if new.book_file is None else _open_book(Path(new.book_file))
            if self._book is not None:
                self._book.close()
            self._book = book
        if new.debug_log_file != old.debug_log_file:
            log = None if new.debug_log_file is None else _open_log(Path(new.debug_log_file))
            if self._log is not None:
                self._log.close()
            self._log = log

    def book_move(self, position: Position) -> str | None:
        """Draws a move of the book."""
        return None if self._book is None else self._book.choose(position, self._rng)

    def verdict(self, position: Position) -> Verdict | None:
        """Asks the tables."""
        return None if self.tables is None else self.tables.verdict(position)

    def log(self, direction: str, text: str) -> None:
        """Writes down what was said or heard."""
        if self._log is not None:
            from datetime import datetime

            now = datetime.now().isoformat(timespec="milliseconds")
            self._log.writelines(f"{now} {direction} {line}\n" for line in text.splitlines() or [""])
            self._log.flush()

    def close(self) -> None:
        """Closes all files."""
        self.adopt(UciConfig(syzygy_path="?", book_file="?", debug_log_file="?"), UciConfig())


def with_verdict(info: Info, verdict: Verdict) -> Info:
    """Puts the tables' word in the place of the search's; a mate that was found is as true, and tells more."""
    is_mate = info.score is not None and info.score.mate is not None and info.score.mate * verdict.wdl > 0
    cp = {2: _TABLE_WIN_CP, 1: _SPOILT_WIN_CP, 0: 0, -1: -_SPOILT_WIN_CP, -2: -_TABLE_WIN_CP}[verdict.wdl]
    return replace(
        info,
        score=info.score if is_mate else Score(cp=cp),
        bound=None,
        wdl=Wdl(float(verdict.wdl == 2), float(abs(verdict.wdl) < 2), float(verdict.wdl == -2)),
        tbhits=verdict.probes,
    )


def _open_book(path: Path) -> PolyglotBook:
    # Here, not above: few want a book, and everybody waits for the imports.
    from philidor.records.polyglot import PolyglotBook

    return PolyglotBook(path)


def _open_log(path: Path) -> IO[str]:
    try:
        return path.open("a", encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"cannot write the log {str(path)!r}: {(error.strerror or str(error)).lower()}") from None
