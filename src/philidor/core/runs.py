"""Run folders: what every training, match and data run leaves behind, in files that survive a kill.

A run is runs/NAME/ with config.toml (what was asked for), metrics.jsonl (one JSON object per line, appended
while running) and the folders checkpoints/, shards/ and report/.
"""

import json
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from weakref import WeakValueDictionary, finalize

from philidor.core.config import C, Dataclass
from philidor.core.errors import RunError
from philidor.core.toml import config_to_toml, load_config

FOLDERS = ("checkpoints", "shards", "report")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Opens a file for writing that appears under its name only when complete and on disk.

    After a kill there is the old file or the new one, never half of one; a leftover `.tmp` may be removed.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with naming(path), temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomic(path: Path, data: bytes | str) -> None:
    """Writes a whole file at once; see `atomic_file`."""
    with atomic_file(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


def append_line(path: Path, facts: Mapping[str, Any]) -> None:
    """Appends a JSON object to a file of such lines and waits until it is on disk; a torn last line goes first."""
    line = json.dumps(facts, allow_nan=False) + "\n"
    with naming(path), path.open("a+b") as file:
        _cut_torn_line(file)
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Reads all complete lines; one torn by a kill is as if never written. Raises RunError if one is no JSON object."""
    return read_lines_from(path, 0)[0]


def read_lines_from(path: Path, start: int) -> tuple[list[dict[str, Any]], int]:
    """Reads the complete lines from a byte on, and returns the byte to go on from; see `read_lines`."""
    if not path.exists():
        return [], start
    with path.open("rb") as file:
        file.seek(start)
        complete, newline, _torn = file.read().rpartition(b"\n")
    lines = []
    for number, line in enumerate(complete.splitlines(), start=1):
        try:
            facts = json.loads(line)
        except ValueError:
            facts = None
        if not isinstance(facts, dict):
            place = f"line {number}" if start == 0 else f"line {number} after byte {start}"
            raise RunError(f"{place} of {str(path)!r} is no JSON object")
        lines.append(facts)
    return lines, start + len(complete) + len(newline)


class FolderLock:
    """Shuts a folder to other processes, not to this one, as long as it lives."""

    def __init__(self, folder: Path) -> None:
        try:
            import fcntl
        except ImportError:  # pragma: no cover - Windows: no two writers, on trust
            return
        file = (folder / ".lock").open("ab")
        finalize(self, file.close)
        try:
            # Unlike flock's, this lock is the process's own: workers that outlive a killed run do not keep it.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"another program is at work in {str(folder)!r}") from None


# One for each folder: the first file of a process that is closed ends all its locks on it.
_locks: WeakValueDictionary[Path, FolderLock] = WeakValueDictionary()


def hold_folder(folder: Path) -> FolderLock:
    """Keeps other processes out as long as the result lives. Raises RunError if one is in there already."""
    place = folder.resolve()
    return _locks.get(place) or _locks.setdefault(place, FolderLock(place))


def is_held(folder: Path) -> bool:
    """Says whether another process keeps a folder to itself. Only asks: to try the lock would keep others out."""
    path = folder / ".lock"
    if not path.exists() or not sys.platform.startswith("linux"):
        return False
    import fcntl
    import struct

    # struct flock: type, whence, start, length, process. The answer's type says what stands in the way.
    question = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    with path.open("rb") as file:
        answer = fcntl.fcntl(file, fcntl.F_GETLK, question)
    return bool(struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK)


class Run:
    """One run folder. One process writes to it at a time; any number may read."""

    def __init__(self, path: Path) -> None:
        """Opens an existing folder; use `create` for a new one."""
        self.path = path
        self._lock: FolderLock | None = None
        if not self.config_path.is_file():
            raise RunError(f"no run in {str(path)!r}: it has no config.toml")

    @classmethod
    def create(cls, name: str, config: Dataclass, root: Path = Path("runs")) -> "Run":
        """Makes a new folder; refuses a name that is taken."""
        if not _NAME.fullmatch(name):
            raise RunError(f"a run's name is letters, digits, '.', '_' and '-', got {name!r}")
        path = root / name
        if (path / "config.toml").exists():
            raise RunError(f"run {str(path)!r} is there already; resume it or choose another name")
        for folder in FOLDERS:
            (path / folder).mkdir(parents=True, exist_ok=True)
        # Last, because it is what makes the folder a run.
        write_atomic(path / "config.toml", config_to_toml(config))
        run = cls(path)
        run.hold()
        return run

    @classmethod
    def resume_or_create(cls, name: str, config: Dataclass, root: Path = Path("runs")) -> "Run":
        """Opens the run of this name if its config is the same, or makes it.

        A run that has made nothing may begin again with another config: most often the first one was a mistake.
        """
        if not (root / name / "config.toml").exists():
            return cls.create(name, config, root)
        run = cls(root / name)
        run.hold()
        if run.config(type(config)) != config:
            if not run.is_empty:
                raise RunError(f"run {str(run.path)!r} was started with another config; see {str(run.config_path)!r}")
            write_atomic(run.config_path, config_to_toml(config))
        return run

    def hold(self) -> None:
        """Keeps other processes from writing here as long as this object lives. Raises RunError if one does already."""
        self._lock = hold_folder(self.path)

    def release(self) -> None:
        """Lets another process write here."""
        self._lock = None

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.name

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been made yet, not even a piece of a file."""
        return not self.metrics_path.exists() and not any(self.path.glob("*/*"))

    @property
    def config_path(self) -> Path:
        """What was asked for."""
        return self.path / "config.toml"

    @property
    def metrics_path(self) -> Path:
        """What was measured, line by line."""
        return self.path / "metrics.jsonl"

    @property
    def checkpoints(self) -> Path:
        """Where networks and states to resume from go."""
        return self.path / "checkpoints"

    @property
    def shards(self) -> Path:
        """Where games and positions go."""
        return self.path / "shards"

    @property
    def report(self) -> Path:
        """Where tables, plots and pages go."""
        return self.path / "report"

    def config(self, config_class: type[C]) -> C:
        """Reads the config the run was started with."""
        return load_config(config_class, self.config_path)

    def log(self, metrics: Mapping[str, Any]) -> None:
        """Appends one line to metrics.jsonl and waits until it is on disk.

        Numbers that JSON cannot write (NaN, infinities) become null.
        """
        append_line(self.metrics_path, {key: _finite(value) for key, value in metrics.items()})

    def metrics(self) -> list[dict[str, Any]]:
        """Reads all complete lines; a line torn by a kill is as if never written."""
        return read_lines(self.metrics_path)


@contextmanager
def no_empty_run(folder: Path) -> Iterator[None]:
    """Removes the run that failed work inside has made in `folder` and left empty, as if it had never been begun."""
    was_there = folder.exists()
    try:
        yield
    except Exception:
        if not was_there and (folder / "config.toml").is_file() and Run(folder).is_empty:
            for file in (folder / "config.toml", folder / ".lock"):
                file.unlink(missing_ok=True)
            for empty in (*(folder / name for name in FOLDERS), folder):
                empty.rmdir()
        raise


def list_runs(root: Path = Path("runs")) -> list[Run]:
    """Finds all runs under `root`, by name."""
    return [Run(path.parent) for path in sorted(root.glob("*/config.toml"))]


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Adds a file's name to the error of a write inside, which does not say where the disk is full."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _cut_torn_line(file: IO[bytes]) -> None:
    """Removes what follows the last newline: the start of a line whose writer was killed."""
    end = file.seek(0, os.SEEK_END)
    position = end
    while position > 0:
        step = min(position, 4096)
        file.seek(position - step)
        newline = file.read(step).rfind(b"\n")
        if newline >= 0:
            position += newline + 1 - step
            break
        position -= step
    if position < end:
        file.truncate(position)
    file.seek(position)


def _sync_folder(folder: Path) -> None:
    """Makes a rename last through a power cut; not every system can open a folder."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
