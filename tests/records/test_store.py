"""The store of games: what its manifest says, and that missing and altered files are named."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from philidor.cli.data import app
from philidor.core.errors import RecordError
from philidor.records import GameRecord, RecordWriter, Result
from philidor.records.packing import pack
from philidor.records.store import Problem, Store

SOURCE = "self-play engine=nnue nodes=1500 net=philidor-3.phnn net_sha256=0123456789abcdef bench8=105827"
PLAYER = {
    "engine": "nnue",
    "nodes": "1500",
    "net": "philidor-3.phnn",
    "net_sha256": "0123456789abcdef",
    "bench8": "105827",
}


def games(path: Path, count: int, source: str | None = SOURCE) -> Path:
    with RecordWriter(path) as writer:
        for number in range(count):
            writer.add(GameRecord(indices=(0, number), scores=(0, 3), result=Result.DRAW, source=source))
    return path


def test_the_manifest_says_what_a_file_is_and_who_played(tmp_path: Path) -> None:
    path, store = games(tmp_path / "a.rec", 3), Store(tmp_path / "store")
    entry, is_new = store.add(path)
    assert is_new
    assert (entry.file, entry.games, entry.positions, entry.players) == ("a.rec", 3, 6, (PLAYER,))
    assert entry.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (store.folder / "a.rec").read_bytes() == path.read_bytes()
    assert store.entries() == [entry]
    assert json.loads(store.manifest.read_text())["bytes"] == path.stat().st_size


def test_packs_are_counted_by_their_sections(tmp_path: Path) -> None:
    (part,) = pack([games(tmp_path / "a.rec", 5)], tmp_path / "a.pack", part_bytes=10_000)
    entry, _ = Store(tmp_path / "store").add(part)
    assert (entry.games, entry.positions, entry.players) == (5, 10, (PLAYER,))


def test_a_file_is_added_once_and_a_namesake_gets_another_name(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    first, _ = store.add(games(tmp_path / "a.rec", 3))
    assert store.add(tmp_path / "a.rec") == (first, False)
    other, is_new = store.add(games(tmp_path / "a.rec", 4, source="a club evening"))
    assert is_new
    assert other.file == f"a-{other.sha256[:8]}.rec"
    assert other.players == ({"source": "a club evening"},)
    assert list(store.verify()) == []


def test_missing_and_altered_files_are_named_and_can_be_added_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    for number, name in enumerate(("a.rec", "b.rec", "c.rec")):
        store.add(games(tmp_path / name, 2 + number))
    (store.folder / "a.rec").unlink()
    altered = bytearray((store.folder / "b.rec").read_bytes())
    altered[-1] ^= 1
    (store.folder / "b.rec").write_bytes(altered)
    (store.folder / "d.rec").write_bytes(b"")
    problems = list(store.verify())
    assert problems == [
        Problem("a.rec", "missing"),
        Problem("b.rec", "altered"),
        Problem("d.rec", "not in the manifest"),
    ]
    result = CliRunner().invoke(app, ["store", "verify", "--store", str(store.folder)])
    assert (result.exit_code, result.output.splitlines()[0]) == (1, "a.rec: missing")
    (store.folder / "d.rec").unlink()
    for name in ("a.rec", "b.rec"):
        assert store.add(tmp_path / name)[1] is False
    assert list(store.verify()) == []


def test_a_damaged_file_is_not_taken_in(tmp_path: Path) -> None:
    path = games(tmp_path / "a.rec", 3)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(RecordError, match="lost"):
        Store(tmp_path / "store").add(path)
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("line", ["no json", "[]", '{"file": "a.rec"}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "manifest.jsonl").write_text(line + "\n")
    with pytest.raises(RecordError, match=r"line 1 of .*manifest\.jsonl"):
        Store(tmp_path).entries()


@pytest.mark.parametrize("name", ["../a.rec", "a" * 256, "ä" * 128, 5])
def test_a_manifest_leads_nowhere_else(tmp_path: Path, name: object) -> None:
    store = Store(tmp_path / "store")
    store.add(games(tmp_path / "a.rec", 3))
    line = json.loads(store.manifest.read_text()) | {"file": name}
    store.manifest.write_text(json.dumps(line) + "\n")
    with pytest.raises(RecordError, match="no entry"):
        list(store.verify())


def test_the_commands_add_list_and_verify(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store")]
    path = str(games(tmp_path / "a.rec", 3))
    assert "a.rec: 3 games" in CliRunner().invoke(app, ["store", "add", path, *store]).output
    assert "there already" in CliRunner().invoke(app, ["store", "add", path, *store]).output
    assert "net=philidor-3.phnn" in CliRunner().invoke(app, ["store", "list", *store]).output
    listed = CliRunner().invoke(app, ["store", "list", "--json", *store])
    assert json.loads(listed.output)["files"][0]["games"] == 3
    assert CliRunner().invoke(app, ["store", "list", "--paths", *store]).output.strip() == str(
        tmp_path / "store" / "a.rec"
    )
    assert "1 files as the manifest has them" in CliRunner().invoke(app, ["store", "verify", *store]).output
