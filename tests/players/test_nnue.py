"""The NNUE engine: the network's verdict at the leaves, one clear error without its network."""

import subprocess
import sys
from pathlib import Path

import pytest

import philidor
from philidor.arena.engines import parse_engine
from philidor.core.errors import ConfigError, NetError, UnknownNameError
from philidor.core.thinking import Limits
from philidor.games.chess import Position
from philidor.nets.nnue import Network, save_network
from philidor.nets.shipped import DEFAULT_NET, find_net
from philidor.players.bench import run_bench
from philidor.players.classic import ClassicPlayer
from philidor.players.nnue import NnueConfig, NnuePlayer
from tests.nets.networks import SHAPES, made_up


@pytest.fixture(scope="module")
def network() -> Network:
    return made_up(SHAPES["pairwise"])


@pytest.fixture(scope="module")
def path(network: Network, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "made-up.phnn"
    save_network(network, path)
    return path


def test_it_is_loaded_by_name(path: Path) -> None:
    player = philidor.load_engine("nnue", net=path, nodes=2000)
    analysis = player.analyse(Position(), lines=2)
    assert len(analysis.lines) == 2
    assert analysis.best in {"e2e4", *(Position().uci(move) for move in Position().legal_moves())}


def test_the_network_that_ships_knows_what_a_queen_is_worth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(DEFAULT_NET).mkdir()  # a folder of that name is no network
    player = NnuePlayer()
    queen_up = Position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert player.evaluator.centipawns(queen_up) > player.evaluator.centipawns(Position()) + 200
    takes_the_queen = Position("rnb1kbnr/pppp1ppp/8/4p3/4P1q1/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1")
    assert takes_the_queen.san(philidor.load_engine("nnue", nodes=100).choose(takes_the_queen)) == "Qxg4"


def test_it_plays_without_any_package_that_unpacks() -> None:
    code = "import sys; sys.modules['zstandard'] = None; import philidor; philidor.load_engine('nnue', nodes=10)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_shipped_network_that_is_missing_or_broken_is_told_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remedy = "install philidor again, name a network file, or play the engine classic"
    shipped = find_net(DEFAULT_NET).read_bytes()
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (tmp_path,))
    with pytest.raises(NetError, match=f"no network '{DEFAULT_NET}'.*; {remedy}"):
        philidor.load_engine("nnue")
    (tmp_path / f"{DEFAULT_NET}.phnn").write_bytes(shipped[:-1])
    with pytest.raises(NetError, match=f"cut off.*; {remedy}"):
        philidor.load_engine("nnue")
    assert philidor.load_engine("classic", nodes=10).analyse(Position()).best is not None
    with pytest.raises(NetError, match=r"cannot read '.*missing.nnue'[^;]*$"):
        philidor.load_engine("nnue", net=tmp_path / "missing.nnue")


def test_a_shipped_network_is_found_by_its_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (path.parent,))
    assert philidor.load_engine("nnue", net="made-up", nodes=100).analyse(Position()).best is not None
    with pytest.raises(UnknownNameError, match="did you mean 'made-up'"):
        philidor.load_engine("nnue", net="mad-up")


def test_the_leaves_are_judged_by_the_network(path: Path) -> None:
    player = NnuePlayer(NnueConfig(net=path))
    for fen in ("4k3/3r4/8/8/8/8/3P4/4K3 b - - 0 1", "startpos"):
        position = Position(fen)
        assert player.engine.evaluate(position.native) == player.evaluator.centipawns(position)


def test_another_network_takes_over_and_a_bad_one_does_not(path: Path, tmp_path: Path) -> None:
    player, position = NnuePlayer(NnueConfig(net=path)), Position()
    before = player.engine.evaluate(position.native)
    other = tmp_path / "other.phnn"
    save_network(made_up(SHAPES["pairwise"], seed=7), other)
    player.config = NnueConfig(net=other)
    changed = player.engine.evaluate(position.native)
    assert changed != before
    (tmp_path / "bad.nnue").write_bytes(b"no network")
    with pytest.raises(NetError):
        player.config = NnueConfig(net=tmp_path / "bad.nnue")
    with pytest.raises(ConfigError):
        player.config = NnueConfig(net=path, without=("no such feature",))
    assert player.config.net == other
    assert player.engine.evaluate(position.native) == changed
    assert f"Raw output: {player.evaluator.raw(position)}" in player.explain(position)


def test_a_hybrid_asks_the_handcrafted_evaluation_where_one_side_is_far_ahead(path: Path) -> None:
    player, classic = NnuePlayer(NnueConfig(net=path, hybrid=True)), ClassicPlayer()
    even, ahead = Position(), Position("4k3/4p3/8/8/8/8/3PPP2/QR2K3 b - - 0 1")
    assert player.engine.evaluate(even.native) == player.evaluator.centipawns(even)
    assert player.engine.evaluate(ahead.native) == classic.engine.evaluate(ahead.native)
    player.config = NnueConfig(net=path)
    assert player.engine.evaluate(ahead.native) == player.evaluator.centipawns(ahead)


def test_it_thinks_like_any_engine(path: Path) -> None:
    assert NnuePlayer(NnueConfig(net=path)).think(Position(), Limits(depth=5)).depth == 5
    # Two threads vote, and the other one may not be as deep when the first has finished.
    found = NnuePlayer(NnueConfig(net=path, threads=2)).think(Position(), Limits(depth=5))
    assert 1 <= (found.depth or 0) <= 5
    assert Position().is_legal(found.best or "")
    assert run_bench(NnuePlayer(NnueConfig(net=path)), 4).nodes == run_bench(NnuePlayer(NnueConfig(net=path)), 4).nodes


def test_it_shows_what_each_piece_is_worth(path: Path) -> None:
    player = NnuePlayer(NnueConfig(net=path))
    position = Position("4k3/3r4/8/8/8/8/3P4/4K3 b - - 0 1")
    text = player.explain(position)
    values = player.evaluator.piece_values(position)
    assert f"{values[11] / 100:+.2f}" in text
    assert f"{values[51] / 100:+.2f}" in text
    assert "White's view" in text


def test_a_match_knows_it(path: Path) -> None:
    spec = parse_engine(f"nnue net={path} nodes=500")
    assert spec.is_in_process
    assert spec.config() == NnueConfig(net=path)
