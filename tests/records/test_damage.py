"""Damaged `.rec` files: what was hit is lost and reported, what was not comes back; crashes cost little."""

import random
import resource
import signal
import subprocess
import sys
import textwrap
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import RecordError
from philidor.games.chess import Chess
from philidor.records import GameRecord, RecordReader, RecordWriter
from philidor.records.native import (
    RecordBlockBuilder,
    decode_record_block,
    read_record_header,
    scan_record_blocks,
    to_native,
)
from tests.records.games import random_record, records, rounded, write


def test_a_file_cut_off_at_any_byte_keeps_its_first_games(tmp_path: Path) -> None:
    generator = random.Random(5)
    games = [rounded(random_record(generator, Chess(), columns=number == 2)) for number in range(5)]
    data = write(tmp_path / "whole.rec", games, per_block=2)
    header_size = read_record_header(data)[3]
    path = tmp_path / "cut.rec"
    most = 0
    for size in range(len(data)):
        path.write_bytes(data[:size])
        if size < header_size:
            with pytest.raises(RecordError):
                RecordReader(path)
            continue
        with RecordReader(path) as reader:
            found = list(reader)
            assert found == games[: len(found)]
            assert len(found) >= most
            # Between two blocks nothing shows that there were more.
            is_whole_block = size in {header_size, *(block.offset + block.size for block in reader.blocks)}
            assert bool(reader.losses) != is_whole_block or all(not block.is_intact for block in reader.blocks[-1:])
            most = len(found)
    assert most == len(games) - 1


def test_an_altered_byte_costs_no_other_block(tmp_path: Path) -> None:
    generator = random.Random(6)
    games = [rounded(random_record(generator, Chess(), columns=False)) for _ in range(6)]
    data = write(tmp_path / "whole.rec", games, per_block=2)
    header_size = read_record_header(data)[3]
    path = tmp_path / "altered.rec"
    for at in range(header_size, len(data), 3):
        path.write_bytes(data[:at] + bytes([data[at] ^ generator.randrange(1, 256)]) + data[at + 1 :])
        with RecordReader(path) as reader:
            found = list(reader)
            assert reader.losses
            assert 4 <= len(found) < 6
            assert all(game in games for game in found)


def test_a_file_without_its_header_can_still_be_read(tmp_path: Path) -> None:
    games = [rounded(random_record(random.Random(seed), Chess())) for seed in range(3)]
    path = tmp_path / "games.rec"
    data = write(path, games)
    path.write_bytes(b"garbage!" + data[8:])
    with pytest.raises(RecordError, match=r"not a \.rec file"):
        RecordReader(path)
    with RecordReader(path, game="chess") as reader:
        assert list(reader) == games
        assert reader.losses.header == "not a .rec file: it does not start with the format's eight bytes"
        assert reader.losses.games == 0


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "later.rec"
    data = bytearray(write(path, [GameRecord(indices=(1,))]))
    data[8] = 2
    body_size = int.from_bytes(data[12:16], "little")
    data[16:20] = zlib.crc32(data[20 : 20 + body_size], zlib.crc32(data[:16])).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(RecordError, match="version 2 of the format; this program reads version 1"):
        RecordReader(path, game="chess")


@pytest.mark.parametrize("content", [b"", b"x", b"1. e4 e5", b"\x89REC\r\n\x1a\n" + b"\0" * 50])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="other"):
        RecordReader(path, game="chess")


@given(st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    read_record_header(data)
    for block in scan_record_blocks(data, 0)[0]:
        decode_record_block(data, block[0], [])


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_no_altered_file_crashes_the_reader(data: st.DataObject) -> None:
    builder = RecordBlockBuilder("chess", 1, [])
    for record in data.draw(st.lists(records(), min_size=1, max_size=3)):
        builder.add(to_native(record))
    block = bytearray(builder.finish())
    for _ in range(data.draw(st.integers(1, 4))):
        block[data.draw(st.integers(0, len(block) - 1))] = data.draw(st.integers(0, 255))
    del block[data.draw(st.integers(0, len(block))) :]
    for found in scan_record_blocks(bytes(block), 0)[0]:
        decode_record_block(bytes(block), found[0], [])


def test_appending_mends_a_file_cut_off_at_any_byte(tmp_path: Path) -> None:
    generator = random.Random(10)
    games = [rounded(random_record(generator, Chess(), columns=False)) for _ in range(4)]
    data = write(tmp_path / "whole.rec", games, per_block=2)
    path = tmp_path / "cut.rec"
    for size in range(read_record_header(data)[3], len(data), 5):
        path.write_bytes(data[:size])
        with RecordReader(path) as reader:
            before = list(reader)
        with RecordWriter(path, append=True) as writer:
            writer.add(games[-1])
        with RecordReader(path) as reader:
            assert list(reader) == [*before, games[-1]]
            assert not reader.losses


def test_appending_begins_a_file_again_that_ends_in_its_header(tmp_path: Path) -> None:
    game = GameRecord(indices=(3, 5))
    header = RecordBlockBuilder("chess", 1, []).header()
    path = tmp_path / "cut.rec"
    for size in range(len(header) + 1):
        path.write_bytes(header[:size])
        with RecordWriter(path, append=True) as writer:
            writer.add(game)
        with RecordReader(path) as reader:
            assert list(reader) == [game]
    path.write_bytes(b"another file")
    with pytest.raises(RecordError, match=r"not a \.rec file"):
        RecordWriter(path, append=True)
    assert path.read_bytes() == b"another file"


@pytest.mark.parametrize("append", [False, True])
@pytest.mark.parametrize("room", [0, 10])
def test_a_full_disk_leaves_no_file_without_games(append: bool, room: int, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(RecordError, match="cannot write"):
            RecordWriter(tmp_path / "new.rec", append=append)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


KILLED = """
    import os, signal, sys
    from philidor.records import GameRecord, RecordWriter
    writer = RecordWriter(sys.argv[1], append=True)
    for number in range(1000):
        writer.add(GameRecord(indices=(number % 20, 5), source=f"game {number}"))
        if number == 700:
            writer.flush()
            print("flushed", flush=True)
        if number == 900:
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_loses_only_what_was_not_flushed(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(path)], capture_output=True, check=False
    )
    assert process.returncode == -signal.SIGKILL
    assert process.stdout == b"flushed\n"
    with RecordReader(path) as reader:
        sources = [record.source for record in reader]
    assert len(sources) >= 701
    assert sources == [f"game {number}" for number in range(len(sources))]
    with RecordWriter(path, append=True) as writer:
        writer.add(GameRecord(indices=(1,)))
    assert len(RecordReader(path)) == len(sources) + 1


def test_texts_that_are_none_are_refused_although_all_checksums_hold(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    data = bytearray(write(path, [GameRecord(indices=(1,), source="abcdef")]))
    header_end = 20 + int.from_bytes(data[12:16], "little")
    name = data.index(b"chess")
    broken = bytearray(data)
    broken[name] = 0xFF
    broken[16:20] = zlib.crc32(broken[20:header_end], zlib.crc32(broken[:16])).to_bytes(4, "little")
    path.write_bytes(broken)
    with pytest.raises(RecordError, match=r"games\.rec': the header has a text that is not UTF-8"):
        RecordReader(path)
    data[data.index(b"abcdef")] = 0xFF
    sizes = [int.from_bytes(data[header_end + at : header_end + at + 4], "little") for at in (12, 16)]
    tables = header_end + 36
    crc = zlib.crc32(data[tables : tables + sum(sizes)])
    data[header_end + 24 : header_end + 28] = crc.to_bytes(4, "little")
    data[header_end + 32 : tables] = zlib.crc32(data[header_end : header_end + 32]).to_bytes(4, "little")
    path.write_bytes(data)
    with RecordReader(path) as reader:
        with pytest.raises(RecordError, match="a game has a text that is not UTF-8"):
            reader[0]
        with pytest.raises(RecordError, match="not UTF-8"):
            list(reader)
