"""Packed games: what comes back, how large it is, and what damage costs."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from philidor.cli import main
from philidor.cli.data import app
from philidor.core.errors import RecordError
from philidor.games import load_game
from philidor.records import GameRecord, RecordReader, RecordWriter, Result
from philidor.records.packing import pack, read_sections, unpack
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    maker = GameMaker(EngineGamesConfig(nodes=30), source="self-play engine=classic")
    return [game for number in range(40) if (game := maker.game(number)) is not None]


@pytest.fixture
def file(games: list[GameRecord], tmp_path: Path) -> Path:
    return written(tmp_path / "games.rec", games)


def written(path: Path, games: list[GameRecord]) -> Path:
    with RecordWriter(path) as writer:
        for game in games:
            writer.add(game)
            writer.flush()  # a block of its own: sections are made of whole blocks
    return path


def rounded(game: GameRecord) -> GameRecord:
    def near(score: int | None) -> int | None:
        if score is None or abs(score) > 31_000:
            return score
        return 4 * ((abs(score) + 2) // 4) * (1 if score > 0 else -1)

    return replace(game, scores=tuple(map(near, game.scores or ())))


def test_games_come_back_but_for_the_rounding_of_scores(games: list[GameRecord], file: Path, tmp_path: Path) -> None:
    assert any(score is not None and score > 31_000 for game in games for score in game.scores or ())
    (part,) = pack([file, file], tmp_path / "a.pack", part_bytes=10**6, threads=2)
    assert part == tmp_path / "a-000.pack"
    assert unpack(part, tmp_path / "back.rec", threads=2) == 2 * len(games)
    assert list(RecordReader(tmp_path / "back.rec")) == 2 * list(map(rounded, games))
    # Even so few games, with little to learn from, take less than half.
    assert part.stat().st_size < file.stat().st_size


def test_the_score_of_the_last_position_comes_back(games: list[GameRecord], tmp_path: Path) -> None:
    last = [None, 44, -44, 31_990, -31_990]
    ended = [replace(rounded(game), final_score=score) for game, score in zip(games, last, strict=False)]
    (part,) = pack([written(tmp_path / "ended.rec", ended)], tmp_path / "a.pack", part_bytes=10**6)
    unpack(part, tmp_path / "back.rec")
    assert list(RecordReader(tmp_path / "back.rec")) == ended


def test_a_pack_is_the_same_on_every_machine(tmp_path: Path) -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f6e4"]
    indices = GameRecord.from_moves(load_game("chess"), moves).indices
    scores = (None, None, 31, -29, 40, 0, 31_995, -31_994, -17, 250)
    game = GameRecord(indices=indices, scores=scores, result=Result.DRAW, termination="adjudication", source="here")
    (part,) = pack([written(tmp_path / "one.rec", [game] * 5)], tmp_path / "one.pack", part_bytes=1000)
    (section,) = read_sections(part)
    assert (section.games, section.plies, len(section.data), zlib.crc32(section.data)) == (5, 50, 66, 1279706305)


def test_parts_are_no_larger_than_asked_for(
    games: list[GameRecord], file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("philidor.records.packing._SECTION_PLIES", 500)
    parts = pack([file], tmp_path / "p.pack", part_bytes=3_000, threads=2)
    assert len(parts) > 1
    assert all(part.stat().st_size <= 3_000 for part in parts)
    back: list[GameRecord] = []
    for part in parts:
        unpack(part, part.with_suffix(".rec"))
        back += RecordReader(part.with_suffix(".rec"))
    assert back == list(map(rounded, games))
    with pytest.raises(RecordError, match="is there already"):
        pack([file], tmp_path / "p.pack", part_bytes=3_000)
    with pytest.raises(RecordError, match="too small"):
        pack([file], tmp_path / "q.pack", part_bytes=300)
    assert list(tmp_path.glob("q*")) == []


def test_every_damaged_byte_is_noticed(file: Path, tmp_path: Path) -> None:
    (part,) = pack([file], tmp_path / "a.pack", part_bytes=10**6)
    whole = part.read_bytes()
    for at in [*range(60), *range(60, len(whole), 97)]:
        part.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        with pytest.raises(RecordError, match=r"a-000\.pack"):
            unpack(part, tmp_path / "back.rec")
    for length in (0, 5, 27, 35, 44, len(whole) // 2, len(whole) - 1):
        part.write_bytes(whole[:length])
        with pytest.raises(RecordError, match=r"a-000\.pack"):
            unpack(part, tmp_path / "back.rec")
    part.write_bytes(whole + b"x")
    with pytest.raises(RecordError, match="does not end with its last section"):
        unpack(part, tmp_path / "back.rec")
    assert not (tmp_path / "back.rec").exists()


def test_a_later_version_is_refused_by_its_number(file: Path, tmp_path: Path) -> None:
    (part,) = pack([file], tmp_path / "a.pack", part_bytes=10**6)
    data = part.read_bytes()
    head = data[:8] + struct.pack("<H", 2) + data[10:24]
    part.write_bytes(head + struct.pack("<I", zlib.crc32(head)) + data[28:])
    with pytest.raises(RecordError, match="version 2"):
        read_sections(part)


def test_right_checksums_do_not_make_games(file: Path, tmp_path: Path) -> None:
    (part,) = pack([file], tmp_path / "a.pack", part_bytes=10**6)
    (section,) = read_sections(part)
    with pytest.raises(RecordError, match="damaged"):
        replace(section, data=section.data[: len(section.data) // 2]).unpacked()
    with pytest.raises(RecordError, match="damaged"):
        replace(section, games=section.games + 1).unpacked()


def test_what_a_pack_would_lose_is_refused(games: list[GameRecord], tmp_path: Path) -> None:
    rated = written(tmp_path / "rated.rec", [replace(games[0], ratings=(1500, 1600))])
    with pytest.raises(RecordError, match="ratings"):
        pack([rated], tmp_path / "a.pack", part_bytes=10**6)
    with RecordWriter(tmp_path / "other.rec", "hexapawn") as writer:
        writer.add(GameRecord(indices=(0,)))
    with pytest.raises(RecordError, match="hexapawn"):
        pack([tmp_path / "other.rec"], tmp_path / "a.pack", part_bytes=10**6)


def test_the_commands_pack_and_unpack(games: list[GameRecord], file: Path, tmp_path: Path) -> None:
    packed = CliRunner().invoke(app, ["pack", str(file), "-o", str(tmp_path / "out"), "--json"])
    assert packed.exit_code == 0, packed.output
    assert f'"games": {len(games)}' in packed.output
    back = CliRunner().invoke(app, ["unpack", str(tmp_path / "out-000.pack"), "-o", str(tmp_path / "back")])
    assert back.exit_code == 0, back.output
    assert list(RecordReader(tmp_path / "back" / "out-000.rec")) == list(map(rounded, games))
    assert main(["data", "unpack", str(tmp_path / "out-000.pack"), "-o", str(tmp_path / "back")]) == 2
