"""Recorded games become batches: what the encoders say, every position once, the same for any number of threads."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import ConfigError, RecordError
from philidor.core.game import AnyGame
from philidor.encodings import load_encoding
from philidor.encodings.encoding import Encoding
from philidor.games import load_game
from philidor.records import GameRecord, PlyFlag, RecordReader, RecordWriter, Result
from philidor.records.native import to_native
from philidor.train.game_data import NO_CLOCK, NO_SCORE, GameBatch, GameData, GameDataConfig, GameFile, StreamState
from philidor.train.native import game_part

CHESS: Any = load_game("chess")
LEELA = load_encoding("leela-1-flat", CHESS)
ALL_COLUMNS = [name for name in GameBatch.__dataclass_fields__ if name not in ("inputs", "state")]
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# Castling on both wings, en passant with and without a discovered check, promotions, Black to move, bare kings.
STARTS = [
    None,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 4 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/8/4k3/8/8/K6Q b - - 12 60",
]
CHESS960 = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rk4r/8/3b4/8/8/4B3/8/1RK4R w HBhb - 0 1",
]


def _random_game(generator: random.Random, game: AnyGame, start: str | None, plies: int) -> GameRecord:
    """Random moves with made-up facts; in chess every other move goes back where the piece came from, if it can."""
    state = game.state(start)
    moves: list[Any] = []
    visits: list[dict[int, int]] = []
    for _ in range(plies):
        legal = list(state.legal_moves())
        if not legal or state.is_over():
            break
        back = [move for move in legal if len(moves) > 1 and _undoes(move, moves[-2])]
        moves.append(back[0] if back and generator.random() < 0.6 else generator.choice(legal))
        visits.append({place: generator.randrange(1, 90) for place in generator.sample(range(len(legal)), 1)})
        state = state.play(moves[-1])
    count = len(moves)
    return GameRecord.from_moves(
        game,
        moves,
        start=start,
        result=generator.choice(list(Result)[1:]),
        ratings=(generator.choice([None, 1500, 2600]), generator.choice([1100, 2850])),
        scores=tuple(generator.choice([None, -31998, 0, 123]) for _ in range(count)),
        wdl=tuple(generator.choice([None, (0.2, 0.2, 0.6)]) for _ in range(count)),
        flags=bytes(generator.choice([0, PlyFlag.CHEAP, PlyFlag.BOOK]) for _ in range(count)),
        visits=tuple(generator.choice([{}, each]) for each in visits),
        clocks_ms=tuple(generator.choice([None, 0, 180_000]) for _ in range(count)),
        source=generator.choice([None, "Open", "League"]),
    )


def _undoes(move: Any, earlier: Any) -> bool:
    squares = ("from_square", "to_square")
    return all(hasattr(move, name) for name in squares) and (move.from_square, move.to_square) == (
        earlier.to_square,
        earlier.from_square,
    )


def _write(path: Path, records: Sequence[GameRecord], game: AnyGame = CHESS, per_block: int = 5) -> Path:
    # One of the starts is in the header, the others in the blocks.
    with RecordWriter(path, game, starts=(KIWIPETE,) if game is CHESS else ()) as writer:
        for number, record in enumerate(records, 1):
            writer.add(record)
            if number % per_block == 0:
                writer.flush()
    return path


def _chess_games(seed: int, count: int, starts: Sequence[str | None] = STARTS, plies: int = 40) -> list[GameRecord]:
    generator = random.Random(seed)
    return [_random_game(generator, CHESS, starts[number % len(starts)], plies) for number in range(count)]


@pytest.fixture(scope="module")
def chess_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write(tmp_path_factory.mktemp("games") / "chess.rec", _chess_games(1, 60))


def _data(path: Path | Sequence[Path | GameFile], encoding: Encoding = LEELA, **settings: Any) -> GameData:
    files = [path] if isinstance(path, Path) else path
    part = settings.pop("part", "all")
    return GameData(files, CHESS, encoding, GameDataConfig(**settings), part=part)


def _all(data: GameData, **options: Any) -> list[GameBatch]:
    return list(data.batches(epochs=1, **options))


def _same(first: Sequence[GameBatch], second: Sequence[GameBatch]) -> bool:
    def arrays(batch: GameBatch) -> list[np.ndarray[Any, Any]]:
        inputs = batch.inputs
        columns = [getattr(batch, name) for name in ALL_COLUMNS]
        return [inputs.planes, inputs.scalars, inputs.legal_offsets, inputs.legal_index, *columns]

    return len(first) == len(second) and all(
        np.array_equal(one, other)
        for batch, twin in zip(first, second, strict=True)
        for one, other in zip(arrays(batch), arrays(twin), strict=True)
    )


def _places(batches: Sequence[GameBatch]) -> list[tuple[int, int, int]]:
    return [
        (int(f), int(g), int(p)) for batch in batches for f, g, p in zip(batch.file, batch.game, batch.ply, strict=True)
    ]


def _check_inputs(
    batches: Sequence[GameBatch], records: Sequence[GameRecord], game: AnyGame, encoding: Encoding
) -> int:
    """Compares recorded order with the public encoder; returns the number of positions."""
    states = [state for record in records for state in list(record.states(game))[:-1]]
    wanted = encoding.encode(states)
    for name in ("planes", "scalars", "legal_index"):
        found = np.concatenate([getattr(batch.inputs, name) for batch in batches])
        assert np.array_equal(found, getattr(wanted, name)), name
    counts = np.concatenate([np.diff(batch.inputs.legal_offsets) for batch in batches])
    assert np.array_equal(counts, np.diff(wanted.legal_offsets))
    return len(states)


@pytest.mark.parametrize(
    "name",
    ["alphazero", "leela-1-flat", "leela-1-planes", *(f"leela-{number}-flat" for number in (2, 3, 4, 5, 132, 133))],
)
def test_positions_are_encoded_as_the_encoder_does(name: str, tmp_path: Path) -> None:
    encoding = load_encoding(name, CHESS)
    starts = STARTS if name in ("alphazero", "leela-1-flat", "leela-1-planes") else [*STARTS, *CHESS960]
    records = _chess_games(2, 48, starts)
    path = _write(tmp_path / "games.rec", records)
    batches = _all(_data(path, encoding, order="recorded", batch=100))
    assert _check_inputs(batches, records, CHESS, encoding) > 1000
    # The games are worth comparing: positions come back, also for the third time.
    played: list[Any] = [state for record in records for state in record.states(CHESS)]
    assert any(state.is_repetition(3) for state in played)


@pytest.mark.parametrize("name", ["alphazero", "leela-1-flat", "leela-3-flat", "leela-5-flat"])
def test_without_history_a_position_is_what_its_fen_is(name: str, tmp_path: Path) -> None:
    encoding = load_encoding(name, CHESS)
    records = _chess_games(3, 24)
    path = _write(tmp_path / "games.rec", records)
    (batch,) = _all(_data(path, encoding, order="recorded", drop_history=1.0))
    assert not batch.has_history.any()
    alone = [CHESS.state(state.text()) for record in records for state in list(record.states(CHESS))[:-1]]
    wanted = encoding.encode(alone)
    for column in ("planes", "scalars", "legal_index", "legal_offsets"):
        assert np.array_equal(getattr(batch.inputs, column), getattr(wanted, column)), column


def test_history_is_dropped_from_the_share_that_was_asked_for(chess_file: Path) -> None:
    plain = _all(_data(chess_file))
    (batch,) = _all(_data(chess_file, drop_history=0.25))
    assert 0.2 < 1 - batch.has_history.mean() < 0.3
    # It is the only difference.
    assert np.array_equal(batch.inputs.planes[batch.has_history], plain[0].inputs.planes[batch.has_history])
    assert not np.array_equal(batch.inputs.planes, plain[0].inputs.planes)


@pytest.mark.parametrize(
    ("name", "encoding", "start"),
    [
        ("hexapawn", "hexapawn", "p.p/.p./PPP w"),
        ("hexapawn-4x4", "boards-1", None),
        ("tictactoe", "boards-1", "X.O/.../..."),
        ("connect4", "boards-8", None),
        ("connect4-5x4", "boards-2", "...../...../...../XO..."),
    ],
)
def test_small_games_go_the_same_way(name: str, encoding: str, start: str | None, tmp_path: Path) -> None:
    game = load_game(name)
    chosen = load_encoding(encoding, game)
    generator = random.Random(4)
    records = [_random_game(generator, game, [None, start][number % 2], 50) for number in range(40)]
    path = _write(tmp_path / "games.rec", records, game)
    data = GameData([path], game, chosen, GameDataConfig(order="recorded", batch=64), part="all", threads=2)
    assert _check_inputs(_all(data), records, game, chosen) == data.positions


def test_targets_are_the_records_facts(chess_file: Path) -> None:
    (batch,) = _all(_data(chess_file, order="recorded"))
    row = 0
    with RecordReader(chess_file) as reader:
        for record in reader:
            for ply, state in enumerate(list(record.states(CHESS))[:-1]):
                _check_row(batch, row, record, ply, state.to_move)
                row += 1
    assert row == len(batch)


def _check_row(batch: GameBatch, row: int, record: Any, ply: int, mover: int) -> None:
    legal = batch.inputs.legal(row)
    assert batch.played[row] == legal[record.indices[ply]]
    won = {Result.FIRST_WINS: mover == 0, Result.SECOND_WINS: mover == 1}.get(record.result)
    assert list(batch.wdl[row]) == [won is True, won is None, won is False]
    assert batch.moves_left[row] == len(record) - ply
    assert batch.ply[row] == ply
    score, clock, expected = record.scores[ply], record.clocks_ms[ply], record.wdl[ply]
    assert batch.score[row] == (NO_SCORE if score is None else score)
    assert batch.clock_ms[row] == (NO_CLOCK if clock is None else clock)
    assert batch.flags[row] == record.flags[ply]
    assert list(batch.ratings[row]) == [record.ratings[mover] or 0, record.ratings[1 - mover] or 0]
    assert batch.search_wdl[row] == pytest.approx((0, 0, 0) if expected is None else expected)
    own = slice(batch.target_offsets[row], batch.target_offsets[row + 1])
    targets = dict(zip(batch.target_index[own].tolist(), batch.target_weight[own].tolist(), strict=True))
    visits = record.visits[ply]
    assert batch.has_visits[row] == bool(visits)
    total = sum(visits.values())
    wanted = {int(legal[place]): count / total for place, count in visits.items()} or {int(batch.played[row]): 1.0}
    assert targets == pytest.approx(wanted)


def test_phase_counts_the_pieces(tmp_path: Path) -> None:
    path = _write(tmp_path / "games.rec", [_chess_games(5, 1, [None], 1)[0], _chess_games(5, 1, [STARTS[5]], 1)[0]])
    (batch,) = _all(_data(path, order="recorded"))
    assert batch.phase.tolist() == [24, 4]


def test_an_epoch_has_every_position_once_on_any_number_of_threads(chess_file: Path) -> None:
    settings: dict[str, Any] = {"batch": 50, "passes": 7, "shuffle": 300}
    data = _data(chess_file, **settings)
    alone = _all(data)
    assert all(len(batch) == 50 for batch in alone[:-1])
    (ordered,) = _all(_data(chess_file, order="recorded"))
    recorded, places = _places([ordered]), _places(alone)
    assert sorted(places) == recorded
    rows = [recorded.index(place) for place in places]
    assert np.array_equal(np.concatenate([batch.inputs.planes for batch in alone]), ordered.inputs.planes[rows])
    assert np.array_equal(np.concatenate([batch.played for batch in alone]), ordered.played[rows])
    assert all(batch.played[row] in batch.inputs.legal(row) for batch in alone for row in range(len(batch)))
    assert len(places) == data.positions
    assert places != recorded
    for threads in (2, 5):
        assert _same(alone, _all(data, threads=threads))
    assert _places(_all(_data(chess_file, **settings, seed=2))) != places


def test_epochs_follow_each_other_in_other_orders(chess_file: Path) -> None:
    data = _data(chess_file, batch=64, passes=4, shuffle=500)
    both = _places(list(data.batches(epochs=2)))
    first, second = both[: data.positions], both[data.positions :]
    assert first != second
    assert sorted(first) == sorted(second)


def test_a_stream_is_resumed_where_it_stopped(chess_file: Path) -> None:
    data = _data(chess_file, batch=48, passes=3, shuffle=200)
    whole = list(data.batches(epochs=2))
    for taken in (0, 1, 7, len(whole) // 2, len(whole) - 1):
        with data.batches(epochs=2) as stream:
            for _ in range(taken):
                next(stream)
            saved = asdict(stream.state)
        assert _same(list(data.batches(epochs=2, start=StreamState(**saved), threads=2)), whole[taken:])


def test_a_place_in_another_stream_is_refused(chess_file: Path) -> None:
    saved = _data(chess_file, seed=1).batches().state
    with pytest.raises(ConfigError, match="another order"):
        _data(chess_file, seed=2).batches(start=saved)


def test_one_game_is_spread_over_many_batches(tmp_path: Path) -> None:
    path = _write(tmp_path / "games.rec", _chess_games(6, 200, [None], 30))

    def neighbors(**settings: Any) -> float:
        """How many positions of a position's own game are in its batch, besides itself."""
        batches = _all(_data(path, batch=100, **settings))
        counts = [count for batch in batches for count in Counter(batch.game.tolist()).values()]
        return sum(count * (count - 1) for count in counts) / sum(counts)

    assert neighbors(passes=1, shuffle=100) > 15
    assert neighbors(passes=30, shuffle=1000) < 1
    assert neighbors(passes=1, shuffle=1_000_000) < 1


def test_parts_are_fixed_for_ever() -> None:
    """Golden: a game that changed its part would be trained on and tested on by turns."""
    parts = [game_part(to_native(GameRecord(indices=(number,), result=Result.DRAW))).name for number in range(256)]
    assert [number for number, part in enumerate(parts) if part == "VALIDATION"] == VALIDATION
    assert [number for number, part in enumerate(parts) if part == "TEST"] == TEST
    many = Counter(
        game_part(to_native(GameRecord(indices=(number // 200, number % 200)))).name for number in range(40_000)
    )
    assert many["VALIDATION"] == pytest.approx(400, abs=60)
    assert many["TEST"] == pytest.approx(400, abs=60)
    # Nothing but start, moves and result matters.
    record = _chess_games(7, 1)[0]
    assert game_part(to_native(record)) == game_part(
        to_native(replace(record, ratings=(None, None), source="x", flags=None))
    )


VALIDATION = [95]
TEST = [36, 75]


def test_parts_have_no_game_in_common_and_miss_none(chess_file: Path) -> None:
    whole = _data(chess_file)
    with RecordReader(chess_file) as reader:
        parts = Counter(game_part(to_native(record)).name.lower() for record in reader)
    assert sum(parts.values()) == whole.games
    assert _data(chess_file, part="train").games == parts["train"]
    assert _data(chess_file, part="train").skipped == {"other part": whole.games - parts["train"]}


def test_games_and_positions_are_chosen(chess_file: Path) -> None:
    with RecordReader(chess_file) as reader:
        records: list[Any] = list(reader)
    rated = [record for record in records if None not in record.ratings]
    assert _data(chess_file, rated_only=True).games == len(rated)
    assert _data(chess_file, min_rating=1500).games == sum(min(record.ratings) >= 1500 for record in rated)
    assert _data(chess_file, decisive_only=True).games == sum(record.result is not Result.DRAW for record in records)
    league = _data(chess_file, sources=("League",))
    assert league.games == sum(record.source == "League" for record in records)
    assert league.skipped == {"other source": len(records) - league.games}
    skipping = _data(chess_file, skip_plies=10)
    assert skipping.positions == sum(max(len(record) - 10, 0) for record in records)
    assert min(batch.ply.min() for batch in _all(skipping)) == 10
    (visits,) = _all(_data(chess_file, learn_from="visits"))
    assert visits.has_visits.all()
    assert not (visits.flags & PlyFlag.CHEAP).any()
    (scores,) = _all(_data(chess_file, learn_from="scores"))
    assert (scores.score != NO_SCORE).all()
    assert len(scores) == sum(score is not None for record in records for score in record.scores or ())


def test_a_game_that_comes_twice_is_taken_once(chess_file: Path) -> None:
    single = _data(chess_file)
    twice = _data([chess_file, chess_file], deduplicate=True)
    assert twice.games == single.games
    assert twice.skipped == {"duplicate": single.games}
    assert _data([chess_file, chess_file]).games == 2 * single.games


def test_a_band_weighs_its_size_to_the_minus_a_half(tmp_path: Path) -> None:
    games = [replace(record, ratings=(1500, 1500)) for record in _chess_games(8, 8, [None])]
    games += [replace(record, ratings=(2600, 2600)) for record in _chess_games(9, 32, [None])]
    path = _write(tmp_path / "games.rec", games)
    data = _data(path, weighting="loss")
    (batch,) = _all(data)
    weak = batch.ratings[:, 0] == 1500
    assert batch.weight.mean() == pytest.approx(1, abs=1e-5)
    ratio = (weak.sum() / (~weak).sum()) ** -0.5
    assert batch.weight[weak][0] / batch.weight[~weak][0] == pytest.approx(ratio)
    assert data.band_weights[2] == pytest.approx(batch.weight[weak][0])
    # By sampling: as often as the weight says, in the mean of many epochs.
    drawn = list(_data(path, weighting="sampling").batches(epochs=40))
    often = np.concatenate([each.ratings[:, 0] for each in drawn]) == 1500
    assert often.sum() / (40 * weak.sum()) == pytest.approx(data.band_weights[2], rel=0.05)
    assert {float(weight) for each in drawn for weight in each.weight} == {1.0}
    assert max(_data(path, weighting="loss", max_weight=1.2).band_weights) == pytest.approx(1.2)


def test_files_are_mixed_by_their_shares(chess_file: Path, tmp_path: Path) -> None:
    other = _write(tmp_path / "masters.rec", _chess_games(10, 80, [None]))
    data = _data([chess_file, GameFile(other, 0.25)], shuffle=1000, batch=100)
    batches = list(data.batches(epochs=10))
    files = np.concatenate([batch.file for batch in batches])
    assert (files == 1).mean() == pytest.approx(0.25, abs=0.01)
    # The file without a share is in every epoch, each position once.
    once = Counter(place for place in _places(batches) if place[0] == 0)
    assert set(once.values()) == {10}
    for shares in ((0.5, 0.5), (1.5, None), (-0.1, None)):
        files_ = [GameFile(path, share) for path, share in zip((chess_file, other), shares, strict=True)]
        with pytest.raises(ConfigError, match="shares lie between"):
            _data(files_)
    none = _data([_write(tmp_path / "none.rec", []), GameFile(other, 0.25)])
    assert none.positions > 0
    with pytest.raises(ConfigError, match="shares are shares of what the other files have"):
        none.batches()


def test_damage_costs_what_it_hits(chess_file: Path, tmp_path: Path) -> None:
    data = bytearray(chess_file.read_bytes())
    data[len(data) // 2] ^= 255
    broken = tmp_path / "broken.rec"
    broken.write_bytes(data)
    damaged, whole = _data(broken), _data(chess_file)
    lost = whole.games - damaged.games
    assert 1 <= lost <= 5
    assert damaged.losses[0].damaged_blocks == 1
    assert damaged.losses[0].games == lost
    assert sum(map(len, _all(damaged))) == damaged.positions
    cut = tmp_path / "cut.rec"
    cut.write_bytes(chess_file.read_bytes()[:-100])
    assert _data(cut).losses[0].games >= 1


def test_games_that_do_not_fit_the_rules_or_the_encoding_are_counted(tmp_path: Path) -> None:
    good = _chess_games(11, 3, [None])
    bad = [
        GameRecord(indices=(200,), result=Result.DRAW),
        GameRecord(indices=(0,), result=Result.DRAW, start="no position"),
        GameRecord(indices=(0,), result=Result.DRAW, visits=({99: 1},)),
        GameRecord(indices=(), result=Result.DRAW),
        GameRecord(indices=(0,)),
        _chess_games(11, 1, CHESS960)[0],
    ]
    path = _write(tmp_path / "games.rec", [*good, *bad])
    data = _data(path, load_encoding("alphazero", CHESS))
    assert data.games == 3
    assert data.skipped == {"broken": 4, "no position to learn from": 1, "result": 1}


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path, chess_file: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        _data(tmp_path / "missing.rec")
    text = tmp_path / "text.rec"
    text.write_text("no records")
    with pytest.raises(RecordError, match=r"text\.rec.*not a \.rec file"):
        _data(text)
    game = load_game("tictactoe")
    with pytest.raises(RecordError, match="games of chess, not tictactoe"):
        GameData([chess_file], game, load_encoding("boards-1", game))
    with pytest.raises(ConfigError, match="no position to learn from"):
        _data(chess_file, min_rating=3000).batches()
    with pytest.raises(ConfigError, match="does not know 'chess' with the encoding 'text'"):
        _data(chess_file, load_encoding("text", CHESS))
    with pytest.raises(ConfigError, match="ascending"):
        GameDataConfig(rating_bands=(1800, 1500))


def test_the_loader_needs_neither_torch_nor_chess_nor_zstandard(chess_file: Path) -> None:
    program = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "chess", "zstandard"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
from pathlib import Path
from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.train.game_data import GameData
chess = load_game("chess")
data = GameData([Path({str(chess_file)!r})], chess, load_encoding("leela-1-flat", chess), part="all")
print(len(next(data.batches())), data.positions)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    size, positions = map(int, done.stdout.split())
    assert size == min(4096, positions * -(-4096 // positions))
