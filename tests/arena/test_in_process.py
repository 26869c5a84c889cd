"""Our own players in a match: they keep the clock, say what they think, and take the limits that they declare."""

import time
from pathlib import Path

import pytest

from philidor.arena.competitors import InProcess
from philidor.arena.engines import parse_engine
from philidor.arena.limits import Limit
from philidor.core.errors import ConfigError
from philidor.core.thinking import ALL_LIMITS, Limits, TimeLeft
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.players import NETWORK_PLAYERS, PLAYERS, player_class
from tests.nets.leela_nets import residual_net

SECOND = Limits(time_left=TimeLeft(ms=(1_000, 1_000)))


@pytest.fixture(scope="module")
def net_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "small.pb.gz"
    save_leela(residual_net(), path)
    return path


@pytest.mark.parametrize("engine", ["net simulations=30000 net={net}", "uct iterations=100000", "alphabeta depth=5"])
def test_a_second_on_the_clock_is_not_overstepped(engine: str, net_file: Path) -> None:
    entrant = InProcess(parse_engine(engine.format(net=net_file)), {})
    entrant.new_game(0, is_chess960=False)
    begin = time.monotonic()
    thought = entrant.think(Position(), SECOND, 10.0)
    assert thought.time_s <= time.monotonic() - begin < 1.0
    assert thought.move is not None
    assert thought.nodes is not None
    assert (thought.score is not None) == engine.startswith("net")


def test_a_network_is_read_once_for_all_games(net_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entrant = InProcess(parse_engine(f"net simulations=4 temperature=1 net={net_file}"), {})
    monkeypatch.setattr("philidor.players.net._load", lambda *_: pytest.fail("the network was read again"))

    def moves(games: range) -> list[str | None]:
        found = []
        for number in games:
            entrant.new_game(number, is_chess960=False)
            found.append(entrant.think(Position(), Limits(), 10.0).move)
        return found

    first = moves(range(8))
    assert len(set(first)) > 1, "every game has a seed of its own"
    assert moves(range(7, -1, -1)) == first[::-1], "whoever plays it, and when"


def test_what_a_player_heeds_is_a_limit_and_the_rest_a_setting(net_file: Path) -> None:
    net = parse_engine(f"net net={net_file} nodes=70 movetime=0.5 simulations=9")
    assert net.limit == Limit(nodes=70, movetime_ms=500)
    assert net.settings == {"net": str(net_file), "simulations": "9"}
    reader = parse_engine("deepchess depth=2 nodes=500")
    assert (reader.limit, reader.settings) == (Limit(nodes=500), {"depth": "2"})
    with pytest.raises(ConfigError, match="nodes"):
        parse_engine("alphabeta nodes=500")
    engine = parse_engine("classic depth=2 tc=10+0.1")
    assert (engine.limit.depth, str(engine.limit.tc), engine.settings) == (2, "10+0.1", {})


@pytest.mark.parametrize("name", [*PLAYERS, *NETWORK_PLAYERS])
def test_every_player_declares_what_it_heeds(name: str) -> None:
    assert player_class(name).heeds <= ALL_LIMITS


@pytest.mark.parametrize("engine", ["sparring elo=1200", "alphabeta depth=2"])
def test_what_is_not_heeded_changes_nothing(engine: str) -> None:
    entrant = InProcess(parse_engine(engine), {})
    thoughts = []
    for limits in (Limits(), Limits(nodes=1, depth=1)):
        entrant.new_game(0, is_chess960=False)
        thoughts.append(entrant.think(Position(), limits, 10.0))
    assert (thoughts[0].move, thoughts[0].nodes) == (thoughts[1].move, thoughts[1].nodes)


def test_limits_and_settings_hold_together(net_file: Path) -> None:
    entrant = InProcess(parse_engine(f"net simulations=20 net={net_file}"), {})
    for limits, nodes in ((Limits(nodes=8), 8), (Limits(nodes=50), 20), (SECOND, 20)):
        entrant.new_game(0, is_chess960=False)
        assert entrant.think(Position(), limits, 10.0).nodes == nodes
