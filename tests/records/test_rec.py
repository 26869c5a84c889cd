"""`.rec` files: what is written comes back, whatever the game; damage costs only what was hit; crashes cost little."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import IllegalMoveError, RecordError
from philidor.games import load_game
from philidor.games.chess import Chess
from philidor.games.chess.game import chess960_position
from philidor.records import GameRecord, PlyFlag, RecordReader, RecordWriter, Result
from philidor.records.native import (
    RecordBlockBuilder,
    record_termination_names,
    to_native,
)
from tests.records import plain_reader
from tests.records.games import KINDS, random_record, records, rounded, write


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_every_kind_come_back(kind: str, tmp_path: Path) -> None:
    game = load_game(kind)
    generator = random.Random(kind)
    games = [random_record(generator, game, columns=number % 2 == 0) for number in range(30)]
    path = tmp_path / "games.rec"
    write(path, games, kind, per_block=7)
    with RecordReader(path) as reader:
        assert reader.game == kind
        assert not reader.losses
        assert len(reader) == len(games)
        assert list(reader) == [rounded(record) for record in games]
        assert [reader[number] for number in range(len(games))] == list(reader)
        assert reader[-1] == rounded(games[-1])
        for record in reader:
            final = list(record.states(load_game(reader.game)))[-1]
            assert Result.from_outcome(final.outcome()) == record.result


@pytest.mark.parametrize("number", range(0, 960, 41))
def test_chess960_games_come_back(number: int, tmp_path: Path) -> None:
    start = chess960_position(number).fen(shredder=True)
    games = [random_record(random.Random(number + seed), Chess(), start=start) for seed in range(5)]
    path = tmp_path / "games.rec"
    write(path, games, starts=(start,))
    with RecordReader(path) as reader:
        assert list(reader) == [rounded(record) for record in games]
        for record, original in zip(reader, games, strict=True):
            assert record.moves(Chess()) == original.moves(Chess())
            assert len(record.uci_moves()) == len(record)


@given(st.lists(records(), max_size=5), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_the_format_is_what_its_page_says(games: list[GameRecord], per_block: int) -> None:
    starts = ["one", "two"]
    builder = RecordBlockBuilder("chess", 1, starts)
    data = builder.header()
    for number, record in enumerate(games):
        builder.add(to_native(record if number % 2 else replace(record, start="two")))
        if builder.games == per_block:
            data += builder.finish()
    file = plain_reader.read(data + builder.finish())
    assert (file.game, file.move_width, file.starts) == ("chess", 1, starts)
    again = [GameRecord(**{**game, "result": Result(game["result"])}) for game in file.games]
    assert again == [
        rounded(record if number % 2 else replace(record, start="two")) for number, record in enumerate(games)
    ]


@given(records(), st.integers(0, 2**64 - 1))
@settings(max_examples=100, deadline=None)
def test_the_hash_is_what_its_page_says(record: GameRecord, seed: int) -> None:
    expected = plain_reader.content_hash(record.start or "", record.indices, int(record.result), seed)
    assert record.content_hash(seed) == expected


def test_the_terminations_are_those_of_the_page() -> None:
    assert [name or None for name in record_termination_names()] == plain_reader.TERMINATIONS


def test_a_new_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    record = random_record(random.Random(0), Chess())
    with pytest.raises(ZeroDivisionError), RecordWriter(path) as writer:  # noqa: PT012
        writer.add(record)
        writer.flush()
        assert not path.exists()
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    write(path, [record])
    with pytest.raises(ZeroDivisionError), RecordWriter(path):
        raise ZeroDivisionError
    assert list(RecordReader(path)) == [rounded(record)]


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    with RecordWriter(path, append=True), pytest.raises(RecordError, match="another program is writing"):
        RecordWriter(path, append=True)


def test_appending_goes_on_where_the_file_ends(tmp_path: Path) -> None:
    generator = random.Random(9)
    games = [rounded(random_record(generator, Chess())) for _ in range(6)]
    path = tmp_path / "games.rec"
    for record in games:
        with RecordWriter(path, append=True) as writer:
            writer.add(record)
    assert list(RecordReader(path)) == games
    with pytest.raises(RecordError, match="has games of chess, not tictactoe"):
        RecordWriter(path, "tictactoe", append=True)


def test_games_with_many_moves_take_two_bytes_each(tmp_path: Path) -> None:
    record = GameRecord(indices=(0, 361, 65535), visits=({361: 7}, {}, {65535: 1}))
    with RecordWriter(tmp_path / "go.rec", "go-19x19", width=2) as writer:
        writer.add(record)
    with RecordReader(tmp_path / "go.rec") as reader:
        assert (reader.game, reader.move_width, reader[0]) == ("go-19x19", 2, record)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "games.rec") as writer:
        for bad in (
            GameRecord(indices=(256,)),
            GameRecord(indices=(-1,)),
            GameRecord(indices=(1, 2), scores=(1,)),
            GameRecord(indices=(1,), scores=(40000,)),
            GameRecord(indices=(1,), wdl=((0.5, 0.6, 0.5),)),
            GameRecord(indices=(), tags={"two words": "x"}),
        ):
            with pytest.raises(RecordError):
                writer.add(bad)
        writer.add(GameRecord(indices=(1,), flags=bytes([PlyFlag.CHEAP | PlyFlag.SAMPLED])))
    assert len(RecordReader(tmp_path / "games.rec")) == 1


def test_illegal_moves_and_indices_are_refused() -> None:
    with pytest.raises(IllegalMoveError):
        GameRecord.from_moves(Chess(), ["e2e4", "e7e4"])
    impossible = GameRecord(indices=(0, 250))
    with pytest.raises(RecordError, match="move 250 at ply 1"):
        list(impossible.states(Chess()))
    with pytest.raises(RecordError):
        impossible.uci_moves()
    with pytest.raises(RecordError):
        impossible.to_pgn()


def test_equal_games_have_equal_hashes_whatever_is_said_about_them() -> None:
    record = random_record(random.Random(3), Chess())
    assert record.content_hash() == replace(record, source="elsewhere", ratings=(1, 2), scores=None).content_hash()
    assert record.content_hash() != replace(record, result=Result((record.result + 1) % 4)).content_hash()
    assert record.content_hash() != record.content_hash(seed=1)
