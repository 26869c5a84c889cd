"""Self-play games become samples: the right side wins, every form has its own moves, old positions leave the window."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import ConfigError, RecordError
from philidor.core.evaluation import Wdl
from philidor.encodings import default_encoding, load_encoding
from philidor.games import load_game
from philidor.records import GameRecord, PlyFlag, RecordWriter, Result
from philidor.train.solved_data import SolvedPositions, solved_lessons
from philidor.train.symmetric_forms import SymmetricForms
from philidor.train.zero_config import WindowConfig, ZeroTrainingConfig
from philidor.train.zero_data import Lesson, ReplayWindow, encode_lessons, join, lessons
from tests.records.games import random_record, write

HEXAPAWN = load_game("hexapawn")


def _record(**changes: Any) -> GameRecord:
    """b1b2 a3xb2 a1xb2 c3xb2 c1xb2: five moves; then Black cannot move, and White has won."""
    moves = ["b1b2", "a3b2", "a1b2", "c3b2", "c1b2"]
    record = GameRecord.from_moves(
        HEXAPAWN,
        moves,
        visits=({0: 1, 1: 3}, {0: 4}, {0: 2, 1: 2}, {0: 5}, {0: 1}),
        flags=bytes([0, 0, PlyFlag.CHEAP, 0, 0]),
        **changes,
    )
    assert record.result is Result.FIRST_WINS
    return record


def test_targets_are_visits_and_the_result_for_the_side_to_move() -> None:
    taught = list(lessons(_record(), HEXAPAWN))
    assert [lesson.state.to_move for lesson in taught] == [0, 1, 1, 0]  # the third move was searched cheaply
    assert taught[0].policy == [0.25, 0.75, 0.0]
    assert [lesson.wdl for lesson in taught] == [(1, 0, 0), (0, 0, 1), (0, 0, 1), (1, 0, 0)]
    assert [lesson.moves_left for lesson in taught] == [5, 4, 2, 1]


def test_the_reply_is_the_next_full_search_by_its_movers_places() -> None:
    taught = list(lessons(_record(), HEXAPAWN))
    replies = [None if lesson.reply is None else lesson.reply.policy for lesson in taught]
    # After the second position came a cheap search, after the last nothing.
    assert [reply and reply[0] for reply in replies] == [1.0, None, 1.0, None]
    encoding = default_encoding(HEXAPAWN)
    samples = encode_lessons(taught, HEXAPAWN, encoding, symmetries=True, has_reply=True)
    assert samples.reply is not None
    assert samples.reply.shares.tolist() == [1, 1, 1, 1]
    for row, count in enumerate(np.diff(samples.reply.offsets)):
        lesson, form = taught[row // 2], list(HEXAPAWN.symmetries)[row % 2]
        assert (count > 0) == (lesson.reply is not None)
        if lesson.reply is not None:
            image = form.state(lesson.reply.state)
            move = image.legal_moves().index(form.move(lesson.reply.state.legal_moves()[0]))
            assert samples.reply.take(np.array([row])).places == encoding.encode([image]).legal(0)[move]
    drawn = join([samples, samples]).newest(5).take(np.array([1, 8]))
    assert drawn.reply is not None
    assert drawn.reply.offsets.tolist() == [0, 0, 0]  # the last position of one half, and of the other
    assert join([samples, samples]).newest(5).take(np.array([2, 6])).reply.places.tolist() == [  # type: ignore[union-attr]
        samples.reply.places[0],
        samples.reply.places[2],
    ]


def test_the_value_can_be_mixed_with_what_the_search_expected() -> None:
    expected = ((0.5, 0.2, 0.3),) * 5
    taught = list(lessons(_record(wdl=expected), HEXAPAWN, root_value_share=0.2))
    assert taught[0].wdl == pytest.approx((0.9, 0.04, 0.06))
    assert taught[1].wdl == pytest.approx((0.1, 0.04, 0.86))


def test_what_searches_expected_can_be_traced_to_the_end_of_the_game() -> None:
    """White wins; the last search expects a draw, the one before is not known, the third is cheap, but counts here."""
    draw, lead = (0.0, 1.0, 0.0), (0.6, 0.3, 0.1)
    record = _record(wdl=(lead, lead, lead, None, draw))
    taught = [lesson.wdl for lesson in lessons(record, HEXAPAWN, root_value_share=1.0, root_value_trace=0.5)]
    # Backwards: half a draw and half the win; the same from the other side; then half a lead and half of what follows.
    assert taught[3] == pytest.approx((0.5, 0.5, 0.0))
    assert taught[2] == pytest.approx((0.0, 0.5, 0.5))
    assert taught[1] == pytest.approx((0.325, 0.35, 0.325))
    assert taught[0] == pytest.approx((0.4625, 0.325, 0.2125))
    results = [lesson.wdl for lesson in lessons(record, HEXAPAWN, root_value_share=1.0, root_value_trace=1.0)]
    assert results == [lesson.wdl for lesson in lessons(record, HEXAPAWN)]


def test_the_window_mixes_the_value_as_its_config_says(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "0.rec", HEXAPAWN) as writer:
        writer.add(_record(wdl=((0.5, 0.2, 0.3),) * 5))
    window = _window(root_value_share=1.0)
    window.add(tmp_path / "0.rec")
    assert window.newest(4).wdl == pytest.approx(np.array([[0.5, 0.2, 0.3]] * 4), abs=0.01)


def test_games_without_a_result_or_without_visits_teach_nothing() -> None:
    assert not list(lessons(GameRecord(indices=(0,), visits=({0: 1},)), HEXAPAWN))
    assert not list(lessons(GameRecord(indices=(0,), result=Result.DRAW), HEXAPAWN))


def test_visits_of_a_move_that_is_not_there_are_refused() -> None:
    record = GameRecord(indices=(0,), result=Result.DRAW, visits=({7: 1},))
    with pytest.raises(RecordError, match="visits of move 7"):
        list(lessons(record, HEXAPAWN))


@pytest.mark.parametrize("name", ["hexapawn", "hexapawn-4x3", "tictactoe", "connect4"])
def test_every_symmetric_form_has_the_same_game_behind_it(name: str) -> None:
    """The probability of a move goes to its image's place: checked by playing on, not by the code that put it there."""
    game = load_game(name)
    encoding = default_encoding(game)
    state = game.state()
    for _ in range(2):
        state = state.play(state.legal_moves()[0])
    count = len(state.legal_moves())
    policy = [(place + 1) / sum(range(1, count + 1)) for place in range(count)]
    samples = encode_lessons([Lesson(state, policy, Wdl(0.0, 1.0, 0.0), 3)], game, encoding, symmetries=True)
    assert samples.forms == len(game.symmetries)
    for row, symmetry in enumerate(game.symmetries):
        image = symmetry.state(state)
        shares = samples.policy[samples.batch.legal_offsets[row] : samples.batch.legal_offsets[row + 1]]
        for move, share in zip(state.legal_moves(), policy, strict=True):
            after = symmetry.state(state.play(move))
            place = [image.play(each) for each in image.legal_moves()].index(after)
            assert shares[place] == pytest.approx(share)
        assert np.array_equal(samples.batch.planes[row], encoding.encode([image]).planes[0])


@pytest.mark.parametrize("name", ["hexapawn", "hexapawn-4x5", "tictactoe", "connect4", "gomoku-6x5", "gomoku-9x9"])
def test_forms_made_of_bits_are_those_made_of_states(name: str) -> None:
    game = load_game(name)
    encoding = default_encoding(game)
    record = _with_legal_visits(random_record(random.Random(3), game), game, random.Random(4))
    taught = list(lessons(replace(record, result=Result.DRAW), game))[:12]
    stored = encode_lessons(taught, game, encoding, symmetries=True, has_reply=True)
    once = encode_lessons(taught, game, encoding, symmetries=False, has_reply=True)
    forms = SymmetricForms.of(game, encoding)
    assert forms is not None
    assert len(forms) == stored.forms > 1
    rows, numbers = np.divmod(np.arange(len(stored)), stored.forms)
    turned = once.take(rows).turned(forms, numbers)
    assert np.array_equal(turned.batch.planes, stored.batch.planes)
    assert np.array_equal(turned.batch.scalars, stored.batch.scalars)
    for ours, theirs in zip(turned.lesson().shares.values(), stored.lesson().shares.values(), strict=True):
        assert np.array_equal(ours.offsets, theirs.offsets)
        for start, end in pairwise(ours.offsets):
            pairs = [zip(each.places[start:end], each.shares[start:end], strict=True) for each in (ours, theirs)]
            assert sorted(pairs[0]) == sorted(pairs[1])


def test_a_game_that_does_not_say_where_squares_go_keeps_all_forms(tmp_path: Path) -> None:
    window = ReplayWindow(HEXAPAWN, load_encoding("text", HEXAPAWN), ZeroTrainingConfig())
    window.add(_shard(tmp_path / "0.rec", 2))
    assert len(window.newest(100)) == window.size == 8
    assert len(np.unique(window.draw(200, np.random.default_rng(1)).batch.planes.reshape(200, -1), axis=0)) > 4


def _shard(path: Path, games: int) -> Path:
    with RecordWriter(path, HEXAPAWN) as writer:
        for _ in range(games):
            writer.add(_record())
    return path


def _window(**settings: object) -> ReplayWindow:
    config = ZeroTrainingConfig(**settings)  # type: ignore[arg-type]
    return ReplayWindow(HEXAPAWN, default_encoding(HEXAPAWN), config)


def test_the_window_forgets_what_is_old_and_grows_more_slowly_than_the_games(tmp_path: Path) -> None:
    window = _window(window=WindowConfig(start=20, growth=0.5, power=1.0))
    sizes = []
    for number in range(5):
        assert window.add(_shard(tmp_path / f"{number}.rec", 5)) == 20
        sizes.append(window.size)
    assert window.total == 100
    assert sizes == [20, 30, 40, 50, 60]


def test_drawn_samples_are_whole_positions_of_the_window(tmp_path: Path) -> None:
    window = _window()
    window.add(_shard(tmp_path / "0.rec", 3))
    drawn = window.draw(50, np.random.default_rng(1))
    assert len(drawn) == 50
    for row in range(50):
        own = slice(drawn.batch.legal_offsets[row], drawn.batch.legal_offsets[row + 1])
        assert drawn.policy[own].sum() == pytest.approx(1)
    again = window.draw(50, np.random.default_rng(1))
    assert np.array_equal(drawn.batch.planes, again.batch.planes)
    assert not np.array_equal(drawn.batch.planes, window.draw(50, np.random.default_rng(2)).batch.planes)
    # Both forms of a position are drawn: the book's first move has its pawn on b2, all others are not symmetric.
    assert len(np.unique(drawn.batch.planes.reshape(50, -1), axis=0)) > 4


def test_parts_join_to_what_they_were(tmp_path: Path) -> None:
    encoding = default_encoding(HEXAPAWN)
    taught = list(lessons(_record(), HEXAPAWN))
    whole = encode_lessons(taught, HEXAPAWN, encoding, symmetries=True)
    parts = [encode_lessons([lesson], HEXAPAWN, encoding, symmetries=True) for lesson in taught]
    joined = join(parts)
    assert np.array_equal(joined.batch.legal_offsets, whole.batch.legal_offsets)
    assert np.array_equal(joined.policy, whole.policy)
    assert np.array_equal(joined.newest(1).wdl, whole.wdl[-2:])
    assert np.array_equal(joined.newest(1).policy, parts[-1].policy)


def test_a_damaged_shard_is_refused(tmp_path: Path) -> None:
    path = _shard(tmp_path / "0.rec", 40)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    with pytest.raises(RecordError, match="damaged"):
        _window().add(path)


def test_a_shard_of_another_game_is_refused(tmp_path: Path) -> None:
    path = _shard(tmp_path / "0.rec", 1)
    game = load_game("tictactoe")
    with pytest.raises(RecordError, match="games of hexapawn, not tictactoe"):
        ReplayWindow(game, default_encoding(game), ZeroTrainingConfig()).add(path)


@pytest.mark.parametrize(
    ("name", "share", "trace"),
    [
        ("chess", 0.0, 0.0),
        ("chess", 0.3, 0.0),
        ("chess", 0.8, 0.9),
        ("hexapawn", 0.3, 0.0),
        ("hexapawn", 1.0, 0.5),
        ("connect4", 0.0, 0.0),
        ("go-5x5", 0.0, 0.0),
        ("go-5x5", 1.0, 0.95),
    ],
)
def test_the_compiled_loader_fills_the_window_as_the_readable_one_does(
    name: str, share: float, trace: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(name)
    generator = random.Random(1)
    games = [random_record(generator, game) for _ in range(12)]
    games = [_with_legal_visits(record, game, generator) for record in games]
    write(tmp_path / "0.rec", games, game.name)
    config = ZeroTrainingConfig(symmetries=False, root_value_share=share, root_value_trace=trace)
    windows = []
    for is_native in (True, False):
        window = ReplayWindow(game, default_encoding(game), config, has_ownership=name == "go-5x5", threads=2)
        assert window._is_native
        monkeypatch.setattr(ReplayWindow, "_is_native", is_native)
        assert window.add(tmp_path / "0.rec") > 20
        monkeypatch.undo()
        windows.append(window.newest(1000))
    native, readable = windows
    for column in ("planes", "scalars", "legal_offsets", "legal_index"):
        assert np.array_equal(getattr(native.batch, column), getattr(readable.batch, column)), column
    assert np.array_equal(native.policy, readable.policy)
    if name == "go-5x5":
        assert native.ownership is not None
        assert readable.ownership is not None
        assert np.any(native.ownership > 0)
        assert np.any(native.ownership < 0)
        assert np.array_equal(native.ownership, readable.ownership)
    assert np.array_equal(native.moves_left, readable.moves_left)
    assert np.allclose(native.wdl, readable.wdl, rtol=0, atol=1e-7)


def test_ownership_follows_the_board_into_all_its_forms() -> None:
    game, generator = load_game("go-5x4"), random.Random(3)
    record = _with_legal_visits(random_record(generator, game), game, generator)
    *_, end = record.states(game)
    taught = list(lessons(record, game))
    encoding = default_encoding(game)
    every = encode_lessons(taught, game, encoding, symmetries=True, has_ownership=True)
    forms = SymmetricForms.of(game, encoding)
    assert forms is not None
    assert every.ownership is not None
    plain = encode_lessons(taught, game, encoding, symmetries=False, has_ownership=True)
    for number, form in enumerate(game.symmetries):
        turned = plain.turned(forms, np.full(len(plain), number)).ownership
        assert turned is not None
        wanted = np.array(form.state(end).ownership())
        for row, lesson in enumerate(taught):
            sign = 1 if lesson.state.to_move == 0 else -1
            assert np.array_equal(every.ownership[row * len(forms) + number], sign * wanted)
        assert np.array_equal(turned, every.ownership[number :: len(forms)])
    numbers = plain.lesson().numbers
    assert np.array_equal(numbers["score"], numbers["ownership"].sum(axis=1))
    with pytest.raises(ConfigError, match="nobody owns squares in 'hexapawn'"):
        ReplayWindow(HEXAPAWN, default_encoding(HEXAPAWN), ZeroTrainingConfig(), has_ownership=True)


def _with_legal_visits(record: GameRecord, game: Any, generator: random.Random) -> GameRecord:
    counts = [len(state.legal_moves()) for state in record.states(game)][: len(record)]
    visits = tuple({place: generator.randrange(3) for place in range(count)} for count in counts)
    return replace(record, visits=visits, result=Result.FIRST_WINS)


def test_the_compiled_loader_refuses_a_shard_that_does_not_fit_the_rules(tmp_path: Path) -> None:
    write(tmp_path / "0.rec", [GameRecord(indices=(0,), result=Result.DRAW, visits=({99: 1},))], "chess")
    write(tmp_path / "1.rec", [GameRecord(indices=(0,), result=Result.DRAW)], "chess")
    window = ReplayWindow(load_game("chess"), default_encoding(load_game("chess")), ZeroTrainingConfig())
    with pytest.raises(RecordError, match="1 games do not fit the rules of chess"):
        window.add(tmp_path / "0.rec")
    assert window.add(tmp_path / "1.rec") == 0  # no visits, nothing to learn


def test_solved_hexapawn_has_the_books_positions() -> None:
    taught = list(solved_lessons(HEXAPAWN))
    assert len(taught) == 70
    start = next(lesson for lesson in taught if lesson.state.ply == 0)
    assert start.wdl == (0.0, 0.0, 1.0)  # Black wins
    assert start.moves_left == 6
    assert SolvedPositions(HEXAPAWN, default_encoding(HEXAPAWN)).size == 70


def test_a_window_is_never_larger_than_what_there_is() -> None:
    window = WindowConfig(start=1000)
    assert window.size(10) == 10
    assert window.size(1000) == 1000
    assert 1000 < window.size(10_000) < 10_000
    assert window.size(20_000) - window.size(10_000) < window.size(10_000)


def test_contradictory_learning_rates_are_refused() -> None:
    with pytest.raises(ConfigError, match="final_learning_rate must not exceed"):
        ZeroTrainingConfig(learning_rate=0.001, final_learning_rate=0.1)


def test_steps_hold_the_replay_ratio() -> None:
    config = ZeroTrainingConfig(batch=64, replay_ratio=4)
    assert config.steps(1600) == 100
    assert config.steps(1) == 1
