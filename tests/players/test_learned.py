"""Giraffe and DeepChess as players: by name, by file, in matches and over UCI."""

import threading
from pathlib import Path

import pytest

import philidor
from philidor.arena.engines import parse_engine
from philidor.core.analysis import Analysis
from philidor.core.errors import ConfigError, NetError, UnknownNameError
from philidor.core.thinking import Limits
from philidor.frontends.uci.engine import UciEngine
from philidor.games.chess import Position
from philidor.nets.dense import save_dense
from philidor.nets.shipped import DEFAULT_NET, GAMES_NET, HUMAN_NET, find_net, shipped_nets
from philidor.players.deepchess import DeepChessConfig, DeepChessPlayer
from philidor.players.giraffe import GiraffeConfig, GiraffePlayer
from philidor.protocols.uci import Go, PositionCommand
from tests.nets.dense_networks import made_up_deepchess, made_up_giraffe
from tests.players.asking import ask

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
    assert player.think(Position(MATE_IN_ONE), Limits(depth=4)).best == "a1a8"


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


def test_deepchess_thinks_as_every_engine_does(files: Path) -> None:
    player = DeepChessPlayer(DeepChessConfig(net=files / "deepchess.phfl", depth=2))
    position = Position(MATE_IN_ONE)
    (found,), answer = ask(player, position, Go(movetime=60_000))
    assert answer.best == "a1a8"
    assert (found.depth, found.pv, found.multipv) == (2, ("a1a8",), None)
    _, answer = ask(player, position, Go(depth=1, searchmoves=("h1g1", "h1g2")))
    assert (answer.best in ("h1g1", "h1g2"), answer.depth) == (True, 1)
    assert ask(player, position, Go(depth=3))[1].depth == 3, "a GUI's depth takes the place of the setting"
    assert player.think(position, Limits(depth=3)).depth == 2, "but elsewhere both hold"
    for clock in (Go(movetime=0), Go(wtime=1, btime=10**6), Go(wtime=1, movestogo=1)):  # there is always a move
        assert ask(player, position, clock)[1].best is not None
    assert ask(player, Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Go(movetime=10)) == ([], Analysis(best=None))
    assert "no score" in player.explain(position)


@pytest.mark.parametrize("go", [Go(infinite=True), Go(ponder=True, wtime=60_000, btime=60_000)])
def test_deepchess_keeps_its_move_until_it_is_asked_for(go: Go, files: Path) -> None:
    engine = UciEngine({"DeepChessFile": str(files / "deepchess.phfl"), "Engine": "deepchess"})
    engine.set_position(PositionCommand(MATE_IN_ONE))
    told: list[str] = []
    is_found = threading.Event()

    def say(line: str) -> None:
        told.append(line)
        is_found.set()

    job = engine.start(go)
    thread = threading.Thread(target=job, args=(say,))
    thread.start()
    assert is_found.wait(30)
    assert len(told) == 1
    engine.ponder_hit() if go.ponder else engine.stop()
    thread.join(30)
    assert told[1:] == ["bestmove a1a8"]


def test_deepchess_refuses_a_bad_network_and_plays_on(files: Path) -> None:
    player = DeepChessPlayer(DeepChessConfig(net=files / "deepchess.phfl", depth=1))
    with pytest.raises(NetError, match="judges positions"):
        player.config = DeepChessConfig(net=files / "giraffe.phfl")
    assert player.config.net == files / "deepchess.phfl"


@pytest.mark.parametrize("name", ["giraffe", "deepchess"])
def test_they_play_wherever_players_are_named(name: str) -> None:
    from philidor.frontends.playing.setup import load_opponent
    from philidor.frontends.web.roster import Roster
    from philidor.players.scoring import SearchSettings

    chess = philidor.load_game("chess")
    assert load_opponent(name, 1, {}).name == name
    assert name in Roster().fitting(chess)
    assert name not in Roster().fitting(philidor.load_game("hexapawn"))
    assert any("type combo default nnue" in line and f"var {name}" in line for line in UciEngine().introduction())
    assert SearchSettings(engine=name).player().name == name


def test_a_network_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="girafe"):
        philidor.load_engine("giraffe", net="girafe")
    with pytest.raises(NetError, match="cannot read"):
        philidor.load_engine("giraffe", net=tmp_path / "missing.phfl")
    with pytest.raises(ConfigError, match="deptth"):
        philidor.load_engine("deepchess", deptth=1)


def test_what_ships_plays_by_name_and_has_a_card() -> None:
    assert {"giraffe", "amateur", "deepchess", DEFAULT_NET, GAMES_NET, HUMAN_NET} <= set(shipped_nets())
    for path in shipped_nets().values():
        assert path.with_name(path.name.split(".")[0] + ".md").is_file(), f"{path} has no card"
    queen_up = Position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    for net in ("giraffe", "amateur"):
        judge = GiraffePlayer(GiraffeConfig(net=Path(net))).evaluator
        assert judge.centipawns(queen_up) > judge.centipawns(Position()) + 300
        assert philidor.load_engine("giraffe", net=net, nodes=500).analyse(Position()).best is not None
    takes_the_queen = Position("rnb1kbnr/pppp1ppp/8/4p3/4P1q1/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1")
    assert takes_the_queen.san(philidor.load_engine("deepchess", depth=1).choose(takes_the_queen)) == "Qxg4"


def test_the_network_from_games_knows_openings_and_what_is_hanging() -> None:
    player = philidor.load_engine("net", simulations=60, batch=8)
    ruy = Position().play("e4").play("e5").play("Nf3").play("Nc6").play("Bb5").play("a6")
    assert ruy.san(player.choose(ruy)) in ("Ba4", "Bxc6")
    hanging = Position("r1b1kbnr/pppp1ppp/2n5/4p1q1/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5")
    assert hanging.san(player.choose(hanging)) in ("Nxg5", "Bxg5")


def test_paths_are_not_taken_for_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, path in shipped_nets().items():
        assert find_net(name) == path
    Path("giraffe").write_bytes(b"a file of the user's")
    assert find_net("giraffe") == Path("giraffe")
    assert find_net("nets/giraffe") == Path("nets/giraffe")
