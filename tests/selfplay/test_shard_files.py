"""One file of a run's games: what is in it after a kill, and how a writer goes on."""

from pathlib import Path

from philidor.records import GameRecord, RecordReader
from philidor.selfplay.shard_files import ShardWriter, games_in_file, shard_path


def _game(number: int) -> GameRecord:
    return GameRecord(indices=(number, 0, number), tags={"Game": str(number)})


def test_names_sort_as_numbers_do(tmp_path: Path) -> None:
    names = [shard_path(tmp_path, number, "a-").name for number in (2, 10, 9, 1000)]
    assert sorted(names) == ["a-000002.rec", "a-000009.rec", "a-000010.rec", "a-001000.rec"]


def test_a_writer_goes_on_where_a_kill_left_the_file(tmp_path: Path) -> None:
    path = shard_path(tmp_path, 0)
    assert games_in_file(path) == games_in_file(path, with_torn=True) == 0
    with ShardWriter(path, "chess") as file:
        file.add(_game(0))
        file.flush()
        assert games_in_file(path) == 1
        for number in (1, 2, 3):
            file.add(_game(number))
        assert (file.games, games_in_file(path)) == (4, 1)
    assert games_in_file(path) == 4
    # The kill: the second block has lost its end, and with it the last game.
    path.write_bytes(path.read_bytes()[:-1])
    torn = games_in_file(path, with_torn=True)
    assert (games_in_file(path), torn) == (1, 3)
    with ShardWriter(path, "chess") as file:
        assert file.games == torn
        file.add(_game(3))
    with RecordReader(path) as reader:
        assert [dict(record.tags)["Game"] for record in reader] == ["0", "1", "2", "3"]
        assert not reader.losses
