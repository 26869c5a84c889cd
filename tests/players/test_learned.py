"""Giraffe and DeepChess as players: by name, by file, in matches and over UCI."""

from pathlib import Path

import pytest

import philidor
from philidor.arena.engines import parse_engine
from philidor.core.errors import ConfigError, NetError, UnknownNameError
from philidor.games.chess import Position
from philidor.nets.dense import save_dense
from philidor.nets.shipped import DEFAULT_NET, find_net, shipped_nets
from philidor.players.deepchess import DeepChessConfig, DeepChessPlayer
from philidor.players.giraffe import GiraffeConfig, GiraffePlayer
from philidor.protocols.uci import Best, Go
from tests.nets.dense_networks import made_up_deepchess, made_up_giraffe

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nets")
    save_dense(made_up_giraffe(), folder / "giraffe.phfl")
    save_dense(made_up_deepchess(), folder / "deepchess.phfl")
    return folder


def test_the_leaves_are_judged_by_the_network(files: Path) -> None:
    player = GiraffePlayer(GiraffeConfig(net=files / "giraffe.phfl"))
    for fen in ("4k3/3r4/8/8/8/8/3P4/4K3 b - - 0 1", "startpos"):
        position = Position(fen)
        assert player.engine.evaluate(position.native) == player.evaluator.network.centipawns(position)
        assert "White's view" in player.explain(position)


def test_giraffe_thinks_as_every_engine_does(files: Path) -> None:
    player = GiraffePlayer(GiraffeConfig(net=files / "giraffe.phfl"))
    player.start(Position(MATE_IN_ONE), Go(depth=4))
    *_, last = player.reports()
    assert last == Best("a1a8")


def test_another_network_takes_over_and_a_bad_one_does_not(files: Path, tmp_path: Path) -> None:
    player, position = GiraffePlayer(GiraffeConfig(net=files / "giraffe.phfl")), Position()
    before = player.engine.evaluate(position.native)
    save_dense(made_up_giraffe(seed=7), tmp_path / "other.phfl")
    player.config = GiraffeConfig(net=tmp_path / "other.phfl")
    changed = player.engine.evaluate(position.native)
    assert changed != before
    with pytest.raises(NetError, match="compares positions"):
        player.config = GiraffeConfig(net=files / "deepchess.phfl")
    assert player.engine.evaluate(position.native) == changed


def test_deepchess_finds_a_mate_and_answers_in_a_match(files: Path) -> None:
    player = DeepChessPlayer(DeepChessConfig(net=files / "deepchess.phfl", depth=2))
    position = Position(MATE_IN_ONE)
    assert position.san(player.choose(position)) == "Ra8#"
    analysis = player.analyse(Position(), movetime=0.05, depth=9)
    assert analysis.best in {Position().uci(move) for move in Position().legal_moves()}
    assert analysis.score is None  # nothing is a number
    assert analysis.counters["comparisons"] > 0
    spec = parse_engine(f"deepchess net={files / 'deepchess.phfl'} depth=1")
    assert spec.config() == DeepChessConfig(net=files / "deepchess.phfl", depth=1)
    with pytest.raises(NetError, match="judges positions"):
        DeepChessPlayer(DeepChessConfig(net=files / "giraffe.phfl"))


def test_a_network_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="girafe"):
        philidor.load_engine("giraffe", net="girafe")
    with pytest.raises(NetError, match="cannot read"):
        philidor.load_engine("giraffe", net=tmp_path / "missing.phfl")
    with pytest.raises(ConfigError, match="deptth"):
        philidor.load_engine("deepchess", deptth=1)


def test_what_ships_plays_by_name_and_has_a_card() -> None:
    assert {"giraffe", "amateur", "deepchess", DEFAULT_NET} <= set(shipped_nets())
    for path in shipped_nets().values():
        assert path.with_name(path.name.split(".")[0] + ".md").is_file(), f"{path} has no card"
    queen_up = Position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    for net in ("giraffe", "amateur"):
        judge = GiraffePlayer(GiraffeConfig(net=Path(net))).evaluator
        assert judge.centipawns(queen_up) > judge.centipawns(Position()) + 300
        assert philidor.load_engine("giraffe", net=net, nodes=500).analyse(Position()).best is not None
    takes_the_queen = Position("rnb1kbnr/pppp1ppp/8/4p3/4P1q1/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1")
    assert takes_the_queen.san(philidor.load_engine("deepchess", depth=1).choose(takes_the_queen)) == "Qxg4"


def test_paths_are_not_taken_for_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, path in shipped_nets().items():
        assert find_net(name) == path
    Path("giraffe").write_bytes(b"a file of the user's")
    assert find_net("giraffe") == Path("giraffe")
    assert find_net("nets/giraffe") == Path("nets/giraffe")
