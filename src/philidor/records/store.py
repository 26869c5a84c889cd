"""A store of games: one folder of record files and packs, and a manifest that says what each is and who played it.

The store is a cache outside of version control: whatever is missing or altered can be named by the manifest, left out,
and made or fetched again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from philidor.core.errors import RecordError, RunError
from philidor.core.runs import append_line, read_lines
from philidor.records.native import RecordBatch
from philidor.records.packing import SUFFIX, read_sections
from philidor.records.reader import RecordReader

DEFAULT_STORE = Path("runs/store")
_CHUNK = 1 << 20
_LONGEST_NAME = 255
"""Bytes of a file's name; asking a file system for a longer one is an error of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the manifest."""

    file: str
    """The name inside the store."""
    sha256: str
    bytes: int
    games: int
    positions: int
    """Moves of all games."""
    players: tuple[dict[str, str], ...]
    """Who played: what the games' sources say, NAME=VALUE by name; of a pack, those of its first section."""
    added: str
    """When, in UTC."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that is not what the manifest says."""

    file: str
    what: str


class Store:
    """A folder and its manifest; the folder is made with the first file."""

    def __init__(self, folder: Path = DEFAULT_STORE) -> None:
        self.folder = folder
        self.manifest = folder / "manifest.jsonl"

    def entries(self) -> list[Entry]:
        """Reads the manifest. Raises RecordError."""
        try:
            lines = read_lines(self.manifest)
        except RunError as error:
            raise RecordError(str(error)) from None
        return [self._entry(number, line) for number, line in enumerate(lines, start=1)]

    def _entry(self, number: int, line: dict[str, Any]) -> Entry:
        try:
            entry = Entry(**{**line, "players": tuple(line["players"])})
            # A manifest is data: it must not lead anywhere else.
            size = len(entry.file.encode("utf-8", "surrogatepass"))
            is_name = Path(entry.file).name == entry.file and size <= _LONGEST_NAME
            is_ours = is_name and isinstance(entry.sha256, str)
        except (KeyError, TypeError, AttributeError):
            is_ours = False
        if not is_ours:
            raise RecordError(f"line {number} of {str(self.manifest)!r} is no entry of a store")
        return entry

    def add(self, path: Path) -> tuple[Entry, bool]:
        """Copies a file in, tells the manifest, and returns its entry; False if the same file was there already.

        Raises RecordError if it is no record file and no pack, or has lost something.
        """
        games, positions, players = _look_into(path)
        digest = _digest(path)
        for known in self.entries():
            target = self.folder / known.file
            if known.sha256 == digest:
                if not target.exists() or _digest(target) != digest:
                    self._copy(path, target)  # it was lost; the manifest knows it already
                return known, False
        target = self.folder / path.name
        if target.exists():
            target = target.with_name(f"{path.stem}-{digest[:8]}{path.suffix}")
        self._copy(path, target)
        entry = Entry(
            file=target.name,
            sha256=digest,
            bytes=target.stat().st_size,
            games=games,
            positions=positions,
            players=players,
            added=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        append_line(self.manifest, asdict(entry))
        return entry, True

    def verify(self) -> Iterator[Problem]:
        """Compares every file with the manifest. Raises RecordError if the manifest itself cannot be read."""
        entries = self.entries()
        for entry in entries:
            path = self.folder / entry.file
            if not path.is_file():
                yield Problem(entry.file, "missing")
            elif path.stat().st_size != entry.bytes or _digest(path) != entry.sha256:
                yield Problem(entry.file, "altered")
        known = {entry.file for entry in entries} | {self.manifest.name}
        for path in sorted(self.folder.glob("*")) if self.folder.is_dir() else ():
            if path.name not in known:
                yield Problem(path.name, "not in the manifest")

    def _copy(self, source: Path, target: Path) -> None:
        """Copies a file so that it appears whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            shutil.copyfile(source, temporary)
            temporary.replace(target)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise RecordError(f"cannot write {str(target)!r}: {error.strerror}") from None


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _look_into(path: Path) -> tuple[int, int, tuple[dict[str, str], ...]]:
    """Returns games, positions and players of a file. Raises RecordError."""
    if path.suffix == SUFFIX:
        sections = read_sections(path)
        sources = _sources(sections[0].unpacked()) if sections else {}
        games, plies = sum(part.games for part in sections), sum(part.plies for part in sections)
    else:
        games, plies, sources = 0, 0, {}
        with RecordReader(path) as reader:
            if reader.losses:
                raise RecordError(f"{str(path)!r}: {reader.losses}")
            for batch in reader.batches():
                games, plies = games + len(batch), plies + batch.plies
                sources |= _sources(batch)
    return games, plies, tuple(map(_facts, sources))


def _sources(batch: RecordBatch) -> dict[str, None]:
    return dict.fromkeys(facts[5] for facts in batch.facts())


def _facts(source: str) -> dict[str, str]:
    """Reads NAME=VALUE words, as self-play writes them; any other text is kept whole."""
    pairs = [word.partition("=") for word in source.split() if "=" in word]
    return {name: value for name, _, value in pairs} if pairs else {"source": source}
