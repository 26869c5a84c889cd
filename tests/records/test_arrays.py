"""Games for number crunchers: slices of a file, its columns as arrays, and its positions as a dataset."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import ArgumentError
from philidor.encodings import load_encoding
from philidor.encodings.encoding import expand
from philidor.games import load_game
from philidor.records import GameRecord, RecordReader, RecordWriter, Result
from philidor.records.dataset import PositionDataset
from philidor.records.native import NO_SCORE


def _file_of_many_blocks(path: Path) -> list[GameRecord]:
    """Two kinds of games in turn: one that is over and has scores, and one that is not and has none."""
    chess = load_game("chess")
    mate = GameRecord.from_moves(chess, ["f3", "e5", "g4", "Qh4#"], ratings=(900, 1100), scores=(1, -2, None, 31999))
    open_game = GameRecord.from_moves(chess, ["e4", "e5"], flags=bytes([2, 2]), clocks_ms=(None, 900))
    games = [mate, open_game] * 1500
    with RecordWriter(path, chess) as writer:
        for game in games:
            writer.add(game)
    return games


def test_slices_are_lists_of_games(tmp_path: Path) -> None:
    games = _file_of_many_blocks(tmp_path / "games.rec")
    with RecordReader(tmp_path / "games.rec") as reader:
        assert len(reader.blocks) > 1
        for chosen in (slice(10, 20), slice(-3, None), slice(None, None, 501), slice(2990, 10, -700), slice(5, 5)):
            assert reader[chosen] == games[chosen]
        assert repr(reader) == f"<RecordReader {str(tmp_path / 'games.rec')!r}: 3,000 games of chess>"
        with pytest.raises(ArgumentError, match="expected the number of a game, or a slice, got 'first'"):
            reader["first"]  # type: ignore[call-overload]


def test_columns_are_arrays_of_all_games(tmp_path: Path) -> None:
    games = _file_of_many_blocks(tmp_path / "games.rec")
    with RecordReader(tmp_path / "games.rec") as reader:
        columns = reader.columns()
    assert len(columns) == len(games)
    assert columns.offsets.tolist()[:4] == [0, 4, 6, 10]
    assert columns.moves.tolist() == [index for game in games for index in game.indices]
    assert columns.result.tolist()[:2] == [Result.SECOND_WINS, Result.UNKNOWN]
    assert columns.ratings.tolist()[:2] == [[900, 1100], [0, 0]]
    assert columns.scores.tolist()[:6] == [1, -2, NO_SCORE, 31999, NO_SCORE, NO_SCORE]
    assert columns.flags.tolist()[:6] == [0, 0, 0, 0, 2, 2]
    assert columns.clocks_ms.tolist()[:6] == [-1] * 5 + [900]
    assert columns.game_of_ply.tolist()[:7] == [0, 0, 0, 0, 1, 1, 2]
    assert columns.ply.tolist()[:7] == [0, 1, 2, 3, 0, 1, 0]


def test_the_columns_of_no_games_are_empty(tmp_path: Path) -> None:
    RecordWriter(tmp_path / "games.rec", load_game("chess")).close()
    columns = RecordReader(tmp_path / "games.rec").columns()
    assert (len(columns), columns.plies, columns.ratings.shape) == (0, 0, (0, 2))


def test_a_dataset_has_every_position_of_the_games_with_a_result(tmp_path: Path) -> None:
    _file_of_many_blocks(tmp_path / "games.rec")
    dataset = PositionDataset(tmp_path / "games.rec")
    assert len(dataset) == 4 * 1500  # the open games teach nothing
    chess = load_game("chess")
    encoding = load_encoding("alphazero", chess)
    state = chess.state()
    for place, text in enumerate(["f2f3", "e7e5", "g2g4", "d8h4"]):
        item, again = dataset[place], dataset[place - len(dataset)]
        batch = encoding.encode([state])
        np.testing.assert_array_equal(item["planes"], expand(batch, encoding.shape)[0])
        moves = [state.move_text(move) for move in state.legal_moves()]
        assert item["move"] == batch.legal(0)[moves.index(text)]
        assert item["value"] == (-1, 1)[place % 2]
        assert all(np.array_equal(item[name], again[name]) for name in item)
        state = state.play(text)
    with pytest.raises(IndexError, match="no position 6000"):
        dataset[6000]
    copy = pickle.loads(pickle.dumps(dataset))
    assert (len(copy), repr(copy)) == (len(dataset), repr(dataset))


def test_torch_loads_batches_of_a_dataset(tmp_path: Path) -> None:
    data = pytest.importorskip("torch.utils.data")
    _file_of_many_blocks(tmp_path / "games.rec")
    loader = data.DataLoader(PositionDataset(tmp_path / "games.rec"), batch_size=8, shuffle=True)
    batch = next(iter(loader))
    assert batch["planes"].shape == (8, 119, 8, 8)
    assert batch["move"].shape == batch["value"].shape == (8,)
