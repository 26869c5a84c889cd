"""From scored games to batches: the inputs are the reference's, filters filter, and whole games are held out."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import ConfigError
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.nnue import ARCHITECTURES
from philidor.nets.nnue.reference import active_features
from philidor.records import GameRecord, RecordWriter, Result
from philidor.train.nnue_data import Batches, PositionFilter, TrainingPositions
from tests.train.scored_games import scored_games, write_games

EVERYTHING = PositionFilter(skip_plies=0, max_score=30_000, only_quiet=False, held_out=0.0)


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    return scored_games(30)


@pytest.fixture(scope="module")
def file(games: list[GameRecord], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("games") / "games.rec", games)


def _read(path: Path, filter_: PositionFilter, threads: int = 1) -> TrainingPositions:
    positions = TrainingPositions(filter_)
    for _ in positions.read([path], threads=threads):
        pass
    return positions


def _scored(games: list[GameRecord]) -> list[tuple[Position, str, int, GameRecord]]:
    """All positions with a score that is no mate, and the move played in them."""
    found = []
    for game in games:
        assert game.scores is not None
        for state, index, score in zip(game.states(load_game("chess")), game.indices, game.scores, strict=False):
            assert isinstance(state, Position)
            if score is not None and abs(score) <= EVERYTHING.max_score:
                found.append((state, state.uci(state.legal_moves()[index]), score, game))
    return found


@pytest.mark.parametrize("name", ["halfkp-256", "fat-fritz-2", "mirrored-256", "mirrored-768"])
def test_inputs_are_the_reference_s(name: str, games: list[GameRecord], file: Path) -> None:
    architecture = ARCHITECTURES[name]
    positions = _read(file, EVERYTHING)
    expected = _scored(games)
    assert len(positions.train) == len(expected)
    batches = Batches(positions.train, architecture, 64)
    rows = [row for batch in batches.in_order() for row in zip(batch.own, batch.theirs, batch.bucket, strict=True)]
    assert batches.padding == architecture.features.count
    for (own, theirs, bucket), (position, *_) in list(zip(rows, expected, strict=True))[::7]:
        for inputs, is_black in ((own, not position.turn), (theirs, position.turn)):
            used = sorted(int(index) for index in inputs if index != batches.padding)
            assert used == active_features(architecture, position, is_black=is_black)
        pieces = sum(len(position.pieces(letter)) for letter in "PNBRQKpnbrqk")
        assert bucket == architecture.output_bucket(pieces)


def test_targets_are_the_side_to_move_s(games: list[GameRecord], file: Path) -> None:
    positions = _read(file, EVERYTHING)
    for index, (position, _, score, game) in enumerate(_scored(games)):
        white = {Result.FIRST_WINS: 1.0, Result.DRAW: 0.5, Result.SECOND_WINS: 0.0}[game.result]
        result = white if position.turn else 1 - white
        assert positions.train[index][:3] == (score, result, position.to_move)


def test_quiet_positions_only(games: list[GameRecord], file: Path) -> None:
    filter_ = PositionFilter(skip_plies=16, max_score=500, held_out=0.0)
    quiet = [
        score
        for position, text, score, _ in _scored(games)
        if position.ply >= 16
        and abs(score) <= 500
        and not position.is_check()
        and not position.is_capture(position.parse_uci(text))
        and not position.gives_check(position.parse_uci(text))
        and len(text) == 4
    ]
    positions = _read(file, filter_)
    assert [positions.train[i][0] for i in range(len(positions.train))] == quiet
    half = _read(file, PositionFilter(skip_plies=16, max_score=500, held_out=0.0, keep=0.5))
    assert 0.35 < len(half.train) / len(quiet) < 0.65


def test_whole_games_are_held_out(games: list[GameRecord], file: Path, tmp_path: Path) -> None:
    split = _read(file, PositionFilter(skip_plies=0, max_score=30_000, only_quiet=False, held_out=0.4))
    together = _read(file, EVERYTHING)
    assert len(split.train) + len(split.held_out) == len(together.train)
    assert 0.1 < len(split.held_out) / len(together.train) < 0.8
    # Each game by itself lies wholly on one side.
    for number, game in enumerate(games):
        path = tmp_path / f"{number}.rec"
        with RecordWriter(path) as writer:
            writer.add(game)
        alone = TrainingPositions(split.filter)
        try:
            for _ in alone.read([path]):
                pass
        except ConfigError:
            assert len(alone.held_out) > 0
        assert min(len(alone.train), len(alone.held_out)) == 0


def test_threads_change_nothing(file: Path) -> None:
    one, three = _read(file, EVERYTHING), _read(file, EVERYTHING, threads=3)
    assert len(one.train) == len(three.train)
    assert all(one.train[i] == three.train[i] for i in range(len(one.train)))
    architecture = ARCHITECTURES["mirrored-256"]
    for a, b in zip(
        Batches(one.train, architecture, 100).epoch(5),
        Batches(three.train, architecture, 100, threads=3).epoch(5),
        strict=True,
    ):
        assert np.array_equal(a.own, b.own)
        assert np.array_equal(a.score, b.score)


def test_an_epoch_has_every_position_once(file: Path) -> None:
    positions = _read(file, EVERYTHING)
    batches = Batches(positions.train, ARCHITECTURES["mirrored-256"], 33)
    first = np.concatenate([batch.score for batch in batches.epoch(1)])
    second = np.concatenate([batch.score for batch in batches.epoch(2)])
    assert len(first) == len(positions.train)
    assert not np.array_equal(first, second)
    assert np.array_equal(np.sort(first), np.sort(second))


def test_nothing_to_learn_from_is_said(tmp_path: Path) -> None:
    path = tmp_path / "unscored.rec"
    with RecordWriter(path) as writer:
        writer.add(GameRecord.from_moves(load_game("chess"), ["f3", "e5", "g4", "Qh4#"]))
    with pytest.raises(ConfigError, match="no position to learn from"):
        _read(path, EVERYTHING)
    other = tmp_path / "hexapawn.rec"
    with RecordWriter(other, "hexapawn") as writer:
        writer.add(GameRecord(indices=(0,)))
    with pytest.raises(ConfigError, match="games of hexapawn"):
        _read(other, EVERYTHING)


def test_a_file_that_is_cut_off_is_used_and_named(file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cut = tmp_path / "cut.rec"
    cut.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    logger = logging.getLogger("philidor.records")
    logger.addHandler(caplog.handler)
    try:
        assert 0 < len(_read(cut, EVERYTHING).train) < len(_read(file, EVERYTHING).train)
    finally:
        logger.removeHandler(caplog.handler)
    (warning,) = set(caplog.messages)  # none of the whole file
    assert str(cut) in warning
    assert "games lost in 1 damaged blocks" in warning


def test_positions_that_are_not_there_are_refused(file: Path) -> None:
    positions = _read(file, EVERYTHING)
    batches = Batches(positions.train, ARCHITECTURES["mirrored-256"], 8)
    with pytest.raises(ValueError, match="no such position"):
        batches.make(np.array([len(positions.train)], dtype=np.uint32))
