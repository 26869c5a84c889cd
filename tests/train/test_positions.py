"""Files of positions: what is written is read, strays are what they claim, a teacher says what its network says."""

from __future__ import annotations

import json
import math
import struct
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

import philidor
from philidor.cli import main
from philidor.core.errors import ConfigError, RecordError, RunError, UnknownNameError
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.nnue import ARCHITECTURES
from philidor.players.nnue import NnueConfig, NnuePlayer
from philidor.records import GameRecord, Result
from philidor.train import nnue_data, positions
from philidor.train.native import PositionSet
from philidor.train.nnue_data import Batch, Batches, PositionFilter, TrainingPositions
from philidor.train.position_files import borrow_positions, write_positions
from philidor.train.positions import PositionsConfig, PositionsRun, make_positions
from philidor.train.searching import SearchTeacher
from tests.train.scored_games import scored_games, write_games

EVERYTHING = PositionFilter(skip_plies=0, max_score=30_000, only_quiet=False, held_out=0.3)
_PIECES = "?PNBRQK??pnbrqk?"


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    return scored_games(24)


@pytest.fixture(scope="module")
def file(games: list[GameRecord], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("games") / "games.rec", games)


def _read(*paths: Path, filter_: PositionFilter = EVERYTHING) -> TrainingPositions:
    found = TrainingPositions(filter_)
    for _ in found.read(paths):
        pass
    return found


def _rows(positions: PositionSet) -> list[bytes]:
    data = positions.shuffled(0)
    return sorted(data[at : at + 32] for at in range(0, len(data), 32))


def _board(row: bytes) -> chess.Board:
    """Reads the 32 bytes as cpp/train/position_set.h describes them."""
    occupied, pieces, _, _, to_move = struct.unpack("<Q16shBB4x", row)
    board = chess.Board(None)
    for number, square in enumerate(chess.SquareSet(occupied)):
        letter = _PIECES[pieces[number // 2] >> (number % 2 * 4) & 15]
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = to_move == 0
    return board


def test_a_file_keeps_every_position(file: Path, tmp_path: Path) -> None:
    read = _read(file)
    write_positions(tmp_path / "all.pos", read.train, read.held_out)
    again = _read(tmp_path / "all.pos")
    assert len(read.held_out) > 0
    assert _rows(again.train) == _rows(read.train)
    assert _rows(again.held_out) == _rows(read.held_out)


def test_files_are_shown_one_behind_the_other(file: Path, tmp_path: Path) -> None:
    read = _read(file)
    write_positions(tmp_path / "a.pos", read.train, read.held_out)
    write_positions(tmp_path / "b.pos", read.held_out, read.train)
    both = _read(tmp_path / "a.pos", tmp_path / "b.pos")
    assert _rows(both.train) == sorted(_rows(read.train) + _rows(read.held_out))
    mixed = _read(tmp_path / "a.pos", file)
    assert _rows(mixed.train) == sorted(2 * _rows(read.train))
    assert mixed.train.borrowed == len(read.train)


@pytest.mark.parametrize("block", [1, 4, 7, 64, 100_000])
def test_an_epoch_of_files_has_every_position_once(
    block: int, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nnue_data, "_FILE_BLOCK", block)
    read = _read(file)
    write_positions(tmp_path / "all.pos", read.train, read.held_out)
    positions = _read(tmp_path / "all.pos").train
    batches = Batches(positions, ARCHITECTURES["mirrored-256"], 33)
    seen: list[int] = []
    make = batches.make

    def listen(indices: NDArray[np.uint32]) -> Batch:
        seen.extend(indices.tolist())
        return make(indices)

    monkeypatch.setattr(batches, "make", listen)
    assert sum(len(batch) for batch in batches.epoch(3)) == len(positions)
    assert sorted(seen) == list(range(len(positions)))
    if block < 100_000:
        assert seen != sorted(seen)
    whole = list(seen)
    seen.clear()
    list(batches.epoch(3, first=2))
    assert seen == whole[66:]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: data[:-1], "cut off"),
        (lambda data: data + b"\0" * 32, "cut off"),
        (lambda data: b"X" + data[1:], "no file of positions"),
        (lambda data: data[:20], "no file of positions"),
        (lambda data: data[:32] + b"\xff" * 8 + data[40:], "damaged"),
        (lambda data: data[:40] + b"\x00" * 16 + data[56:], "damaged"),
        (lambda data: data[:59] + b"\x07" + data[60:], "damaged"),
        (lambda _: b"", "empty"),
    ],
)
def test_damaged_files_are_refused(damage: object, words: str, file: Path, tmp_path: Path) -> None:
    read = _read(file)
    path = tmp_path / "all.pos"
    write_positions(path, read.train, read.held_out)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    sets = TrainingPositions()
    with pytest.raises(RecordError, match=words):
        borrow_positions(path, sets.train, sets.held_out)


def test_strays_are_quiet_positions_near_the_game(games: list[GameRecord], file: Path) -> None:
    found, plain = (_near(file, strays=strays, stray_plies=1) for strays in (3, 0))
    near = set()
    for game in games:
        for state in game.states(load_game("chess")):
            board = chess.Board(state.text())
            near |= {_after(board, move) for move in board.legal_moves}
    strays = _rows(found.train)
    for row in _rows(plain.train):
        strays.remove(row)
    assert len(strays) > len(plain.train) / 2
    for row in strays[:: max(len(strays) // 300, 1)]:
        board = _board(row)
        assert (board.board_fen(), board.turn) in near
        assert not board.is_check()
        position = Position(board.fen())
        assert all(position.see(move) <= 0 for move in position.legal_moves() if position.is_capture(move))


def _near(
    file: Path, *, strays: int, stray_plies: int = 4, positions: PositionFilter = EVERYTHING
) -> TrainingPositions:
    config = PositionsConfig(teacher=(Path("any"),), positions=positions, strays=strays, stray_plies=stray_plies)
    found = config.new_set()
    for _ in found.read([file]):
        pass
    return found


def _after(board: chess.Board, move: chess.Move) -> tuple[str, bool]:
    board.push(move)
    found = (board.board_fen(), board.turn)
    board.pop()
    return found


def test_the_result_of_a_game_says_nothing_of_its_strays(file: Path) -> None:
    plain, found = (_near(file, strays=strays).train for strays in (0, 1))
    batches = Batches(found, ARCHITECTURES["mirrored-256"], 64)
    results = np.concatenate([batch.result for batch in batches.in_order()])
    assert set(results.tolist()) == {-1.0, 0.0, 0.5, 1.0}
    assert (results >= 0).sum() == len(plain)


def test_strays_need_a_teacher() -> None:
    with pytest.raises(ConfigError, match="need a teacher"):
        PositionsConfig(strays=2)


def test_a_stopped_run_goes_on_to_the_same_files(file: Path, tmp_path: Path) -> None:
    # A file is written while the next two are made, so a stop may come that much later.
    config = PositionsRun(positions=EVERYTHING, shard_games=4, files=(file,) * 6)
    whole = Run.resume_or_create("whole", config, tmp_path)
    end = make_positions(whole, config, None)
    assert end.is_whole
    assert end.positions == 6 * len(_read(file))
    part = Run.resume_or_create("part", config, tmp_path)
    stopped = make_positions(part, config, None, is_stopped=lambda: len(list(part.shards.iterdir())) >= 1)
    assert not stopped.is_whole
    assert 1 <= len(list(part.shards.iterdir())) < end.files
    rest = make_positions(part, config, None)
    assert rest.is_whole
    assert rest.games == end.games
    for path in whole.shards.iterdir():
        assert (part.shards / path.name).read_bytes() == path.read_bytes()


def test_a_damaged_file_leaves_what_was_written_before_it(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.rec"
    bad.write_bytes(b"no records")
    config = PositionsRun(positions=EVERYTHING, shard_games=4, files=(file, bad))
    run = Run.resume_or_create("run", config, tmp_path)
    with pytest.raises(RecordError, match=r"bad\.rec"):
        make_positions(run, config, None)
    good = _read(*run.shards.iterdir())
    assert _rows(good.train) == _rows(_read(file).train)


def test_a_file_that_cannot_be_written_ends_the_work(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RunError("the disk is full")

    monkeypatch.setattr(positions, "write_positions", refuse)
    config = PositionsRun(positions=EVERYTHING, shard_games=100, files=(file,))
    with pytest.raises(RunError, match="the disk is full"):
        make_positions(Run.resume_or_create("run", config, tmp_path), config, None)


# --- The teacher ------------------------------------------------------------------------------------------------------


def _network(path: Path, seed: int) -> Path:
    torch = pytest.importorskip("torch")
    from philidor.nets.network_config import NetworkConfig
    from philidor.nets.torch.files import save_network
    from philidor.train.torch.first_model import first_model

    config = NetworkConfig(game="chess", encoding="leela-1-flat", blocks=1, filters=8)
    model = first_model(config, 4, start=None, scale_inputs=False)
    torch.manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.4)  # opinions that differ from position to position
    save_network(path, model)
    return path


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("nets")
    return [_network(folder / f"{seed}.safetensors", seed) for seed in (4, 5)]


@pytest.mark.parametrize("count", [1, 2])
def test_a_teacher_says_what_its_networks_say(count: int, networks: list[Path], file: Path) -> None:
    torch = pytest.importorskip("torch")
    from philidor.train.torch.teacher import Teacher

    found = _near(file, strays=1)
    teacher = Teacher(networks[:count], torch.device("cpu"))
    assert teacher.judge(found.train, 150.0, largest=400, threads=2)
    nets = [philidor.load_net(network) for network in networks[:count]]
    scores = set()
    for row in _rows(found.train)[::29]:
        score, castling = struct.unpack("<h", row[24:26])[0], row[30]
        board = _board(row)
        board.castling_rights = _castling(castling)
        said = []
        for net in nets:
            wdl = net.evaluate([Position(board.fen())])[0].wdl
            expected = wdl.win + wdl.draw / 2
            said.append(max(-400.0, min(150 * math.log(expected / (1 - expected)), 400.0)))
        assert score == pytest.approx(sum(said) / count, abs=0.51)
        scores.add(score)
    assert len(scores) > 20


def _castling(rights: int) -> int:
    corners = (chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8)
    return sum(corner for number, corner in enumerate(corners) if rights >> number & 1)


def test_a_teacher_of_another_kind_is_refused(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from philidor.nets.network_config import NetworkConfig
    from philidor.nets.torch.files import save_network
    from philidor.train.torch.first_model import first_model
    from philidor.train.torch.teacher import Teacher

    path = tmp_path / "other.safetensors"
    config = NetworkConfig(game="hexapawn", encoding="hexapawn", blocks=1, filters=8)
    save_network(path, first_model(config, 1, start=None, scale_inputs=False))
    with pytest.raises(ConfigError, match="a teacher is a network for chess"):
        Teacher([path], torch.device("cpu"))


# --- An engine --------------------------------------------------------------------------------------------------------

_SEARCH = {"engine": "nnue", "nodes": 30, "settings": ("parameters=late_moves_history=-1000",)}


def _unjudged(games: list[GameRecord], path: Path, **options: Any) -> TrainingPositions:
    """Returns all positions of these games in their order, none with a score, and none held out."""
    write_games(path, [replace(game, scores=None) for game in games])
    return _near(path, positions=replace(EVERYTHING, held_out=0.0), **options)


def _teacher(threads: int = 1, **options: Any) -> SearchTeacher:
    config = PositionsConfig(**{**_SEARCH, **options})
    return SearchTeacher(config, largest=config.positions.max_score, threads=threads)


def test_an_engine_says_what_its_searches_say(games: list[GameRecord], tmp_path: Path) -> None:
    found = _unjudged(games[:8], tmp_path / "games.rec", strays=0).train
    assert len(found) > 300
    assert _teacher().judge(found)
    player = NnuePlayer(NnueConfig(hash=2, parameters=("late_moves_history=-1000",)))
    states = [state for game in games[:8] for state in list(game.states(load_game("chess")))[:-1]]
    for number, state in enumerate(states):
        if number % 256 == 0:
            player.new_game()
        pieces, to_move, rights = state.text().split()[:3]
        alone = Position(f"{pieces} {to_move} {rights} - 0 1")
        wanted = player.engine.search(alone.native, soft_nodes=30, nodes=120).score
        assert found[number][0] == max(-2500, min(wanted, 2500))
    assert len({found[number][0] for number in range(len(found))}) > 50


def test_threads_of_an_engine_make_no_difference(games: list[GameRecord], tmp_path: Path) -> None:
    one, four = (_unjudged(games, tmp_path / "games.rec", strays=2).train for _ in range(2))
    assert len(one) > 4 * 256
    assert _teacher().judge(one)
    assert _teacher(threads=4).judge(four)
    scores = [one[number][0] for number in range(len(one))]
    assert scores == [four[number][0] for number in range(len(four))]
    assert -32768 not in scores


def test_an_engine_leaves_scores_that_are_there(file: Path) -> None:
    before, after = (_near(file, strays=1).train for _ in range(2))
    assert _teacher().judge(after)
    pairs = [(before[number][0], after[number][0]) for number in range(len(before))]
    assert {was for was, _ in pairs} > {-32768}
    assert all(was in (is_, -32768) for was, is_ in pairs)
    assert all(is_ != -32768 for _, is_ in pairs)


def test_a_position_that_nobody_judged_teaches_by_its_result_alone(games: list[GameRecord], tmp_path: Path) -> None:
    found = _unjudged(games[:1], tmp_path / "games.rec", strays=0).train
    (batch,) = Batches(found, ARCHITECTURES["mirrored-256"], len(found)).in_order()
    assert not batch.score.any()
    assert set(batch.result.tolist()) <= {0.0, 0.5, 1.0}


def test_an_engine_stops_when_it_is_told_to(file: Path) -> None:
    began = time.monotonic()
    found = _near(file, strays=1).train
    assert not _teacher(nodes=10**9, threads=2).judge(found, is_stopped=lambda: time.monotonic() > began + 0.2)
    assert time.monotonic() < began + 5


def test_rights_to_castle_from_other_squares_are_dropped(tmp_path: Path) -> None:
    start = "1r2k1r1/pppp1ppp/8/8/8/8/PPPP1PPP/1R2K1R1 w GBgb - 0 1"  # Chess960; castling is the first thing to do
    game = GameRecord(indices=(0, 0, 0), start=start, result=Result.DRAW, source="a test")
    found = _unjudged([game], tmp_path / "games.rec", strays=0).train
    assert len(found) == 3
    assert _teacher(nodes=1000).judge(found)
    without, with_them = (
        NnuePlayer(NnueConfig(hash=2, parameters=("late_moves_history=-1000",)))
        .engine.search(Position(start.replace("GBgb", rights)).native, soft_nodes=1000, nodes=4000)
        .score
        for rights in ("-", "GBgb")
    )
    assert found[0][0] == without != with_them


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "nnue", "teacher": (Path("net"),)}, "cannot both"),
        ({"engine": "nnue", "nodes": None}, "how far to search"),
        ({"engine": "stockfish"}, "stockfish"),
        ({"engine": "random"}, "does not search in C"),
        ({"engine": "nnue", "settings": ("depht=3",)}, "depht"),
    ],
)
def test_an_engine_that_cannot_judge_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises((ConfigError, UnknownNameError), match=words):
        _teacher(**{**options, "settings": options.get("settings", ())})


def test_the_command_lets_an_engine_judge(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(file), "--engine", "classic", "--depth", "1", "--strays", "2", "--out", str(tmp_path / "run")]
    assert main(["data", "positions", *words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    read = _read(*(tmp_path / "run/shards").iterdir())
    assert told["new_positions"] == len(read) > 0
    assert all(abs(read.train[number][0]) <= 2500 for number in range(len(read.train)))
    assert main(["data", "positions", str(file), "--nodes", "5", "--out", str(tmp_path / "other")]) == 2
    assert "there is no engine" in capsys.readouterr().err


def test_results_belong_to_the_side_to_move(games: list[GameRecord], tmp_path: Path) -> None:
    won = next(game for game in games if game.result is Result.FIRST_WINS)
    path = write_games(tmp_path / "won.rec", [won])
    found = _near(path, strays=2, stray_plies=3, positions=PositionFilter(skip_plies=0, held_out=0.0))
    results = np.array([[row[27], row[26]] for row in _rows(found.train)])
    assert set(map(tuple, results.tolist())) == {(0, 2), (1, 0)}
