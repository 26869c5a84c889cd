"""The reading of altered files: what is counted as too much memory, and repairs that let a file be read again."""

from pathlib import Path

import mutated_files
import pytest
from file_kinds import repair_pack, repair_sha256

from philidor.core.errors import NetError, RecordError
from philidor.games.chess import Chess
from philidor.nets.nnue import load_network, save_network
from philidor.records import GameRecord, RecordReader, RecordWriter
from philidor.records.packing import pack, unpack
from tests.nets.networks import SHAPES, made_up


@pytest.mark.parametrize("is_chained", [True, False])
def test_a_memory_error_behind_a_typed_one_is_found(
    is_chained: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Path) -> None:
        try:
            raise MemoryError
        except Exception as error:
            raise NetError("damaged") from (error if is_chained else None)

    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    file = tmp_path / "file"
    file.touch()
    assert mutated_files.outcome(read, file)[0] == "memory"


def test_an_altered_network_with_a_right_checksum_is_read(tmp_path: Path) -> None:
    file = tmp_path / "net.phnn"
    save_network(made_up(SHAPES["tiny"]), file)
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(NetError, match="altered"):
        load_network(file)
    file.write_bytes(repair_sha256(data))
    load_network(file)


def test_an_altered_pack_with_right_checksums_is_unpacked(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "games.rec") as writer:
        writer.add(GameRecord.from_moves(Chess(), ["e4", "e5"], source="here"))
    (file,) = pack([tmp_path / "games.rec"], tmp_path / "games.pack", part_bytes=10**6)
    data = bytearray(file.read_bytes())
    data[12] += 1  # more sections than there are
    file.write_bytes(data)
    with pytest.raises(RecordError, match="the header is damaged"):
        unpack(file, tmp_path / "back.rec")
    file.write_bytes(repair_pack(data))
    with pytest.raises(RecordError, match="it ends before section 2 of 2"):
        unpack(file, tmp_path / "back.rec")
    data[12] -= 1
    file.write_bytes(repair_pack(data))
    assert unpack(file, tmp_path / "back.rec") == 1
    assert len(RecordReader(tmp_path / "back.rec")) == 1
