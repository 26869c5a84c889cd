"""The network player: plays any game by a network, carries its tree along, obeys clocks and UCI."""

import contextlib
import itertools
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.analysis import Analysis, MoveStats
from philidor.core.errors import ConfigError, NetError
from philidor.core.random import SplitMix64
from philidor.core.thinking import MOVES_TO_COME, Limits, TimeLeft
from philidor.evaluators.network import NetEvaluator
from philidor.frontends.uci.engine import UciEngine
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.nets.network_config import preset
from philidor.nets.shipped import GAMES_NET
from philidor.players import load_engine
from philidor.players.net import NetPlayer, NetPlayerConfig
from philidor.players.net_search import Allowance, drawn_move, moves_to_come
from philidor.protocols.uci import Go, PositionCommand
from tests.nets.leela_nets import residual_net
from tests.nets.onnx_nets import tictactoe_net
from tests.players.asking import ask, net_engine

MATE_IN_ONE = Position("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")


@pytest.fixture(scope="module")
def net_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "small.pb.gz"
    save_leela(residual_net(), path)
    return path


@pytest.fixture
def player(net_file: Path) -> NetPlayer:
    return NetPlayer(NetPlayerConfig(net=net_file, simulations=60, batch=4))


@pytest.fixture
def engine(net_file: Path) -> Iterator[UciEngine]:
    with contextlib.closing(net_engine(net_file)) as engine:
        yield engine


def test_it_finds_a_mate(player: NetPlayer) -> None:
    found = player.analyse(MATE_IN_ONE, nodes=400)
    assert MATE_IN_ONE.play(found.best or "").is_checkmate()
    assert found.score is not None
    assert found.score.mate == 1


def test_it_counts_its_simulations(player: NetPlayer) -> None:
    found = player.analyse(Position(), nodes=50, lines=3)
    assert found.nodes == 50
    assert sum(stats.visits or 0 for stats in found.moves) == 49
    assert len(found.lines) == 3
    assert found.score is not None
    assert found.wdl is not None
    assert player.think(Position("r3k3/8/8/8/8/8/8/4K2R w K - 0 1")).nodes == 60


def test_the_first_look_trusts_the_network(player: NetPlayer) -> None:
    found = player.analyse(Position(), nodes=1)
    assert found.nodes == 1
    assert found.best == next(iter(player.evaluator.evaluate([Position()])[0].policy))


def test_the_tree_is_carried_along(player: NetPlayer) -> None:
    first = player.think(Position())
    line = first.lines[0].moves
    assert len(line) >= 2
    later = Position().play(line[0]).play(line[1])
    kept = player.analyse(later, nodes=1)
    assert kept.nodes > 1, "what was known of this position is still known"
    elsewhere = player.analyse(Position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), nodes=10)
    assert elsewhere.nodes == 10
    player.think(Position())
    player.new_game()
    assert player.analyse(later, nodes=1).nodes == 1


def test_settings_for_one_analysis_are_forgotten(player: NetPlayer) -> None:
    player.analyse(Position(), nodes=5, c_puct=4.0)
    assert player.config.c_puct == NetPlayerConfig().c_puct
    with pytest.raises(ConfigError, match="lines must be at least 1"):
        player.analyse(Position(), lines=0)


def test_a_clock_is_kept(player: NetPlayer) -> None:
    begin = time.perf_counter()
    found = player.think(Position(), Limits(time_left=TimeLeft(ms=(3_000, 100))))
    assert time.perf_counter() - begin < 2
    assert found.best is not None


def test_the_clock_is_shared_out_by_the_moves_that_the_network_expects(
    net_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[float] = []

    def record(tree: Any, evaluator: Any, batch: int, allowance: Allowance, stop: Any) -> Iterator[None]:
        assert allowance.end is not None
        ends.append(allowance.end)
        yield from ()

    monkeypatch.setattr("philidor.players.net.grow", record)
    clock = Limits(time_left=TimeLeft(ms=(600_000, 600_000)), began=0.0)
    for is_on in (True, False):
        player = NetPlayer(NetPlayerConfig(net=net_file, moves_left_clock=is_on, move_overhead=0))
        player.think(Position(), clock)
    plies = NetPlayer(NetPlayerConfig(net=net_file)).evaluator.evaluate([Position()])[0].moves_left
    assert plies is not None
    assert ends == pytest.approx([600 / moves_to_come(plies), 600 / MOVES_TO_COME])
    assert ends[0] != ends[1]


@pytest.mark.parametrize(("plies", "moves"), [(None, MOVES_TO_COME), (0.0, 10), (40.0, 18), (80.0, 30), (500.0, 45)])
def test_more_moves_to_come_leave_less_for_each(plies: float | None, moves: float) -> None:
    assert moves_to_come(plies) == pytest.approx(moves)


def test_a_stop_is_heard(player: NetPlayer) -> None:
    asked = itertools.count()
    found = player.think(Position(), stop=lambda: next(asked) > 5)
    assert 0 < found.nodes < 60


def test_other_games_are_played_by_their_networks(tmp_path: Path) -> None:
    path = tmp_path / "tictactoe.onnx"
    path.write_bytes(tictactoe_net())
    engine = load_engine("net", net=str(path), simulations=300)
    state = load_game("tictactoe").state().play("a1").play("b1").play("a2").play("b2")
    assert engine.choose(state) == "a3"


def test_a_network_finds_five_in_a_row_on_a_large_board(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")
    from philidor.nets.torch.files import save_network
    from philidor.nets.torch.model import build

    save_network(tmp_path / "net.safetensors", build(preset("2x32", "gomoku-9x9", blocks=1, filters=16), seed=1))
    engine = load_engine("net", net=str(tmp_path / "net.safetensors"), simulations=400)
    state = load_game("gomoku-9x9").state()
    for move in ("e5", "a1", "f5", "c1", "g5", "e1", "h5", "i5"):
        state = state.play(move)
    assert engine.choose(state) == "d5"


def test_without_a_file_it_plays_with_the_shipped_network(
    net_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{GAMES_NET}.pb.gz").write_bytes(net_file.read_bytes())
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (tmp_path,))
    player = load_engine("net", simulations=4)
    assert isinstance(player, NetPlayer)
    assert player.evaluator.name == f"{GAMES_NET}.pb.gz"
    Position().parse_uci(player.choose(Position()))
    with pytest.raises(ConfigError, match=r"plays chess, not tictactoe"):
        player.evaluator.check_plays(load_game("tictactoe"))


def test_a_network_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (tmp_path,))
    with pytest.raises(ConfigError, match="the network of net, 'games-1', is not here; name another with --net FILE"):
        NetPlayer()
    with pytest.raises(NetError, match="there is no network"):
        load_engine("net", net=str(tmp_path / "nothing.pb.gz"))


def test_a_slice_that_is_over_before_it_begins_does_not_end_the_search(
    player: NetPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the thread may wait longer for the processor than a slice lasts."""
    monkeypatch.setattr("philidor.players.net_search._SLICE_S", 0.0)
    assert player.analyse(Position(), nodes=300).nodes == 300
    infos, _ = ask(player, Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), Go(nodes=150))
    assert infos[-1].nodes == 150


# --- UCI -----------------------------------------------------------------------------------------------------------


def test_go_nodes_and_depth(player: NetPlayer) -> None:
    infos, answer = ask(player, Position(), Go(nodes=80))
    assert infos[-1].nodes == 80
    assert infos[-1].pv[0] == answer.best
    assert answer.ponder == infos[-1].pv[1]
    infos, _ = ask(player, Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), Go(depth=3))
    assert infos[-1].depth is not None
    assert infos[-1].depth >= 3


def test_go_by_the_clock(player: NetPlayer) -> None:
    begin = time.perf_counter()
    for go in (Go(movetime=60), Go(wtime=2_000, btime=2_000), Go(wtime=1_000, btime=1_000, movestogo=20), Go(wtime=1)):
        _, answer = ask(player, Position(), go)
        assert answer.best is not None
    assert time.perf_counter() - begin < 5


def test_only_stop_ends_an_endless_search(engine: UciEngine) -> None:
    engine.set_position(PositionCommand(MATE_IN_ONE.fen()))
    job, lines, begin = engine.start(Go(infinite=True)), list[str](), time.perf_counter()
    threading.Timer(0.1, engine.stop).start()
    job(lines.append)
    assert time.perf_counter() - begin >= 0.1, "the mate was proven before"
    assert any(line.endswith("pv g5g7") and "score mate 1 " in line for line in lines)
    assert lines[-1] == "bestmove g5g7"


def test_pondering_goes_on_until_the_move_came(engine: UciEngine) -> None:
    job, lines, begin = engine.start(Go(ponder=True, nodes=20)), list[str](), time.perf_counter()
    threading.Timer(0.2, engine.ponder_hit).start()
    job(lines.append)
    assert time.perf_counter() - begin >= 0.2
    assert lines[-1].startswith("bestmove ")
    words = lines[-2].split()
    assert int(words[words.index("nodes") + 1]) >= 20


@pytest.mark.parametrize(
    ("fen", "has_move"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", True),
        ("7k/8/8/8/8/8/8/KR6 w - - 100 90", True),
    ],
)
def test_a_finished_game_is_answered_without_a_search(player: NetPlayer, fen: str, has_move: bool) -> None:
    _, answer = ask(player, Position(fen), Go(nodes=10))
    assert (answer.best is not None) == has_move


def test_a_network_that_breaks_down_still_answers(engine: UciEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(states: Any) -> Any:
        raise NetError("numbers that are not finite")

    monkeypatch.setattr(NetEvaluator, "evaluate", lambda self, states: broken(states))
    for go, expected in ((Go(nodes=10), Position().legal_moves()[0]), (Go(nodes=10, searchmoves=("g1f3",)), "g1f3")):
        lines: list[str] = []
        engine.start(go)(lines.append)
        told, best = lines
        assert told == "info string the search broke off: numbers that are not finite"
        assert best == f"bestmove {expected if isinstance(expected, str) else Position().uci(expected)}"


def test_a_gui_can_choose_it(net_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", ())
    engine = UciEngine()
    with pytest.raises(ConfigError, match="the network of net, 'games-1', is not here"):
        engine.set_option("Engine", "net")
    engine.set_option("WeightsFile", str(net_file))
    engine.set_option("Engine", "net")
    engine.set_option("MinibatchSize", "8")
    engine.set_position(PositionCommand("startpos", ("e2e4",)))
    lines: list[str] = []
    engine.start(Go(nodes=40))(lines.append)
    assert lines[-1].startswith("bestmove ")
    assert " nodes 40 " in lines[-2]
    assert "option name WeightsFile type string" in "\n".join(engine.introduction())
    assert "Win " in engine.explain()


# --- Drawn moves -----------------------------------------------------------------------------------------------------


def stats(move: str, visits: int, prior: float, value: float | None = 0.0) -> MoveStats:
    return MoveStats(move, prior=prior, visits=visits, value=value)


def draws(analysis: Analysis, temperature: float, count: int = 4_000) -> dict[str | None, float]:
    random = SplitMix64(7)
    drawn = Counter(drawn_move(analysis, temperature, random) for _ in range(count))
    return {move: number / count for move, number in drawn.items()}


def test_moves_are_drawn_by_visits_and_without_visits_by_priors() -> None:
    searched = Analysis(best="a", moves=(stats("a", 60, 0.1), stats("b", 30, 0.8), stats("c", 10, 0.1)))
    assert draws(searched, 1.0) == pytest.approx({"a": 0.6, "b": 0.3, "c": 0.1}, abs=0.03)
    assert draws(searched, 0.5) == pytest.approx({"a": 36 / 46, "b": 9 / 46, "c": 1 / 46}, abs=0.03)
    assert draws(searched, 0.0) == {"a": 1.0}
    looked = Analysis(best="b", moves=(stats("a", 0, 0.25, None), stats("b", 0, 0.75, None)))
    assert draws(looked, 1.0) == pytest.approx({"a": 0.25, "b": 0.75}, abs=0.03)


def test_no_draw_spoils_what_is_proven() -> None:
    won = Analysis(best="b", moves=(stats("a", 50, 0.5), stats("b", 5, 0.5, 1.0)))
    assert draws(won, 5.0) == {"b": 1.0}
    lost = Analysis(best="b", moves=(stats("a", 50, 0.5, -1.0), stats("b", 5, 0.5, -0.9)))
    assert draws(lost, 5.0) == {"b": 1.0}


def test_drawn_moves_fade_with_the_game_and_change_with_it(net_file: Path) -> None:
    config = NetPlayerConfig(net=net_file, simulations=1, temperature=1.0, temperature_moves=10)
    player = NetPlayer(config)
    found = set()
    for _ in range(20):
        player.new_game()
        found.add(player.think(Position()).best)
    assert len(found) > 1
    assert NetPlayer(config).think(Position()).best == NetPlayer(config).think(Position()).best
    late = Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 60")
    likeliest = next(iter(player.evaluator.evaluate([late])[0].policy))
    for _ in range(5):
        player.new_game()
        assert player.think(late).best == likeliest


class NanBackend:
    """Computes a network whose answers are not numbers."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def run(self, batch: Any, /) -> dict[str, Any]:
        return {name: values * np.nan for name, values in self._backend.run(batch).items()}


def test_a_network_that_answers_nan_is_named(player: NetPlayer) -> None:
    player.evaluator.backend = NanBackend(player.evaluator.backend)
    with pytest.raises(NetError, match="not finite"):
        player.think(Position(), Limits(nodes=10))
