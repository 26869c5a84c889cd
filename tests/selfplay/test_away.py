"""Shards whose games come from other machines: in any order, and after a kill."""

from __future__ import annotations

from pathlib import Path

from philidor.records import GameRecord, RecordReader, RecordWriter
from philidor.selfplay.away import Shelf, record_file
from philidor.selfplay.shards import shards_of

GAMES = 40


def _source(path: Path) -> Path:
    with RecordWriter(path) as writer:
        for number in range(GAMES):
            writer.add(GameRecord(indices=(number % 20, 0), source=f"{path.stem} {number}"))
    return path


def _texts(path: Path) -> list[str | None]:
    return [record.source for record in RecordReader(path)]


def test_each_game_finds_its_shard_in_whatever_order_they_come(tmp_path: Path) -> None:
    # Both files number their games from 0, so only the shard tells their games apart.
    shards = [
        shard
        for name in ("a", "b")
        for shard in shards_of(tmp_path, GAMES, 25, prefix=name, source=_source(tmp_path / f"{name}.source"))
    ]
    shelf = Shelf(shards)
    spans = list(shelf.spans())
    assert [list(span.numbers) for span in spans[:2]] == [list(range(16)), list(range(16, 25))]
    for span in sorted(spans, key=lambda span: (-span.numbers.start, span.shard)):
        shelf.put(span, record_file(span.given))
    for name, own in (("a", shards[:2]), ("b", shards[2:])):
        found = [text for shard in own for text in _texts(shard.path)]
        assert found == [f"{name} {number}" for number in range(GAMES)]
    assert not list(Shelf(shards).spans())


def test_a_shard_that_a_kill_has_torn_is_filled(tmp_path: Path) -> None:
    shards = shards_of(tmp_path, GAMES, GAMES, source=_source(tmp_path / "games.source"))
    shelf = Shelf(shards)
    for span in shelf.spans():
        shelf.put(span, record_file(span.given))
    (path,) = (shard.path for shard in shards)
    path.write_bytes(path.read_bytes()[:-3])
    lost = list(Shelf(shards).spans())
    assert 0 < len(lost[0].numbers) < 16
    shelf = Shelf(shards)
    for span in lost:
        shelf.put(span, record_file(span.given))
    assert _texts(path) == [f"games {number}" for number in range(GAMES)]


def test_a_worker_that_is_told_to_stop_sends_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "some.rec").write_bytes(record_file([GameRecord(indices=(1,)), None, GameRecord(indices=(2,))]))
    assert [record.indices for record in RecordReader(tmp_path / "some.rec")] == [(1,)]
