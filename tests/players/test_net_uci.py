"""What the network player tells chess programs: lines, chances, centipawns, moves left and the statistics of moves."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.core.errors import ConfigError, IllegalMoveError
from philidor.core.evaluation import Wdl
from philidor.core.thinking import Limits
from philidor.evaluators.centipawns import FORMULAS, centipawns
from philidor.frontends.uci.engine import UciEngine
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.players.net import NetPlayer, NetPlayerConfig
from philidor.protocols.uci import Go, PositionCommand
from tests.nets.leela_nets import residual_net
from tests.players.asking import ask, net_engine

MATE_IN_ONE = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
SORTED = ("N:", "(P:", "(WL:", "(D:", "(M:", "(Q:", "(U:", "(S:", "(V:")


@pytest.fixture(scope="module")
def net_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "small.pb.gz"
    save_leela(residual_net(), path)
    return path


@pytest.fixture
def engine(net_file: Path) -> Iterator[UciEngine]:
    with contextlib.closing(net_engine(net_file)) as engine:
        yield engine


def as_nibbler_reads(line: str) -> dict[str, str]:
    """Finds the word after each name, as Nibbler's parser does."""
    words = line.split()
    return {"string": words[2], **{name: words[words.index(name) + 1] for name in SORTED if name in words}}


def number(word: str) -> float:
    """Reads what JavaScript's parseFloat would: the number that the word begins with."""
    found = re.match(r"-?\d+(\.\d+)?", word)
    assert found is not None, word
    return float(found[0])


def said(engine: UciEngine, go: Go) -> list[str]:
    lines: list[str] = []
    engine.start(go)(lines.append)
    return lines


def report(engine: UciEngine, go: Go) -> list[str]:
    """Returns the last words on all moves."""
    *lines, best = said(engine, go)
    assert best.startswith("bestmove ")
    ends = [place for place, line in enumerate(lines) if line.startswith("info string node ")]
    begin = 0 if len(ends) == 1 else ends[-2] + 1
    return [line for line in lines[begin : ends[-1] + 1] if line.startswith("info string")]


def test_statistics_of_all_moves_are_told_as_lc0_does(engine: UciEngine) -> None:
    engine.set_option("VerboseMoveStats", "true")
    *lines, root = report(engine, Go(nodes=60))
    form = re.compile(
        r"info string [a-h1-8]{4}[qrbn]?\s+\(\d+\s*\) N: +\d+ \(\+ 0\) \(P: +\d+\.\d\d%\) "
        r"\(WL: +-?[\d-]\.[\d-]{5}\) \(D: [\d-]\.[\d-]{3}\) \(M: +[\d-]+\.[\d-]\) \(Q: +-?\d\.\d{5}\) "
        r"\(U: \d+\.\d{5}\) \(S: +-?\d+\.\d{5}\) \(V: +-?[\d-]\.[\d-]{4}\)"
    )
    assert len(lines) == 20
    for line in lines:
        assert form.fullmatch(line), line
    told = {values["string"]: values for values in map(as_nibbler_reads, lines)}
    assert "(322 )" in next(line for line in lines if " e2e4 " in line)
    assert sum(int(move["N:"]) for move in told.values()) == 59
    assert sum(number(move["(P:"]) for move in told.values()) == pytest.approx(100, abs=0.2)
    visits = [int(move["N:"]) for move in told.values()]
    assert visits == sorted(visits)
    values = as_nibbler_reads(root)
    assert (values["string"], values["N:"]) == ("node", "60")
    assert "(  20) N:      60 (+ 0)" in root


def test_the_statistics_are_the_trees(engine: UciEngine, net_file: Path) -> None:
    engine.set_option("VerboseMoveStats", "true")
    engine.set_position(PositionCommand("startpos", ("e2e4",)))
    position = Position().play("e2e4")
    player = NetPlayer(NetPlayerConfig(net=net_file, batch=4))
    found = {stats.move: stats for stats in player.analyse(position, nodes=80).moves}
    *lines, root = report(engine, Go(nodes=80))
    for line in lines:
        told = as_nibbler_reads(line)
        stats = found[told["string"]]
        assert int(told["N:"]) == stats.visits
        assert number(told["(S:"]) == pytest.approx(number(told["(Q:"]) + number(told["(U:"]), abs=2e-5)
        if not stats.visits:
            assert told["(D:"] == "-.---)"
            continue
        assert stats.value is not None
        assert stats.draw is not None
        assert stats.moves_left is not None
        assert number(told["(Q:"]) == number(told["(WL:"]) == pytest.approx(stats.value, abs=1e-5)
        assert number(told["(D:"]) == pytest.approx(stats.draw, abs=1e-3)
        assert number(told["(M:"]) == pytest.approx(stats.moves_left, abs=0.1)
        own = player.evaluator.evaluate([position.play(stats.move)])[0]
        assert number(told["(V:"]) == pytest.approx(-own.value, abs=1e-4)
    assert number(as_nibbler_reads(root)["(V:"]) == pytest.approx(
        player.evaluator.evaluate([position])[0].value, abs=1e-4
    )


def test_proven_moves_are_marked(engine: UciEngine) -> None:
    engine.set_option("VerboseMoveStats", "true")
    engine.set_position(PositionCommand(MATE_IN_ONE))
    lines = report(engine, Go(nodes=200))
    mate = next(line for line in lines if " g5g7 " in line)
    assert mate.endswith("(V:  1.0000) (T)")
    assert as_nibbler_reads(mate)["(M:"] == "0.0)"
    assert lines[-1].endswith("(T)")


# --- Lines -----------------------------------------------------------------------------------------------------------


def test_several_lines_have_their_own_chances(net_file: Path) -> None:
    player = NetPlayer(NetPlayerConfig(net=net_file, batch=4, multi_pv=4, score="book"))
    infos, answer = ask(player, Position(), Go(nodes=150))
    last = infos[-4:]
    assert [info.multipv for info in last] == [1, 2, 3, 4]
    assert last[0].pv[0] == answer.best
    assert len({info.pv[0] for info in last}) == 4
    found = {stats.move: stats for stats in player.describe(player._tree_for(Position()), 0.0).moves}
    visits = [found[info.pv[0]].visits or 0 for info in last]
    assert visits == sorted(visits, reverse=True)
    for info in last:
        stats, position = found[info.pv[0]], Position()
        assert info.wdl is not None
        assert info.score is not None
        assert info.wdl.value == pytest.approx(stats.value)
        assert info.wdl.draw == pytest.approx(stats.draw)
        assert info.score.cp == centipawns(info.wdl, "book")
        for move in info.pv:
            position = position.play(move)
    assert any(len(info.pv) > 1 for info in last[1:]), "other lines go on too"


def test_an_unvisited_line_has_the_chances_of_the_position(net_file: Path) -> None:
    player = NetPlayer(NetPlayerConfig(net=net_file, multi_pv=20))
    infos, _ = ask(player, Position(), Go(nodes=1))
    assert len(infos[-20:]) == 20
    own = player.evaluator.evaluate([Position()])[0]
    assert infos[-1].wdl == pytest.approx(own.wdl, abs=1e-6)


def test_chances_and_moves_left_are_told_when_asked_for(engine: UciEngine) -> None:
    def last_info() -> str:
        return [line for line in said(engine, Go(nodes=40)) if " pv " in line][-1]

    assert " wdl " not in last_info()
    assert " movesleft " not in last_info()
    engine.set_option("UCI_ShowWDL", "true")
    engine.set_option("UCI_ShowMovesLeft", "true")
    words = last_info().split()
    chances = [int(word) for word in words[words.index("wdl") + 1 : words.index("wdl") + 4]]
    assert sum(chances) == 1000
    assert min(chances) >= 0
    assert int(words[words.index("movesleft") + 1]) >= 0


def test_moves_left_are_half_the_plies_rounded_up(net_file: Path) -> None:
    player = NetPlayer(NetPlayerConfig(net=net_file, batch=4))
    infos, answer = ask(player, Position(), Go(nodes=60))
    stats = next(each for each in player.describe(player._tree_for(Position()), 0.0).moves if each.move == answer.best)
    assert stats.moves_left is not None
    assert infos[-1].moves_left == int((1 + stats.moves_left) / 2)


def test_a_network_without_that_head_tells_none(tmp_path: Path) -> None:
    save_leela(residual_net(moves_left=False), tmp_path / "net.pb.gz")
    player = NetPlayer(NetPlayerConfig(net=tmp_path / "net.pb.gz"))
    infos, _ = ask(player, Position(), Go(nodes=20))
    assert infos[-1].moves_left is None
    assert all(stats.moves_left is None for stats in player.analyse(Position(), nodes=20).moves)


@pytest.mark.parametrize("name", FORMULAS)
def test_every_score_type_can_be_chosen(engine: UciEngine, name: str) -> None:
    engine.set_option("UCI_ShowWDL", "true")
    engine.set_option("ScoreType", name.upper())
    words = [line for line in said(engine, Go(nodes=1)) if " pv " in line][-1].split()
    chances = [int(word) / 1000 for word in words[words.index("wdl") + 1 : words.index("wdl") + 4]]
    shown = int(words[words.index("cp") + 1])
    # The chances were rounded to thousandths: the score is that of chances near them.
    near = [centipawns(Wdl(chances[0] + e, chances[1] - 2 * e, chances[2] + e), name) for e in (-0.0005, 0.0005)]
    near += [centipawns(Wdl(chances[0] + e, chances[1], chances[2] - e), name) for e in (-0.001, 0.001)]
    assert min(near) - 1 <= shown <= max(near) + 1
    with pytest.raises(ConfigError, match="ScoreType"):
        engine.set_option("ScoreType", "parsecs")


# --- searchmoves -----------------------------------------------------------------------------------------------------


def test_the_urgency_of_unvisited_moves_is_an_option(engine: UciEngine) -> None:
    engine.set_position(PositionCommand("startpos"))
    for name, value in (("VerboseMoveStats", "true"), ("FpuStrategy", "absolute"), ("FpuValue", "-0.25")):
        engine.set_option(name, value)
    unvisited = [read for line in report(engine, Go(nodes=3)) if number((read := as_nibbler_reads(line))["N:"]) == 0]
    assert len(unvisited) >= 17
    assert {number(read["(Q:"]) for read in unvisited} == {-0.25}


def test_search_moves_are_all_that_is_searched(engine: UciEngine, net_file: Path) -> None:
    engine.set_option("VerboseMoveStats", "true")
    lines = report(engine, Go(nodes=50, searchmoves=("a2a3", "h2h4")))
    told = [as_nibbler_reads(line) for line in lines]
    assert {values["string"] for values in told} == {"a2a3", "h2h4", "node"}
    assert sum(int(values["N:"]) for values in told[:-1]) == 49
    # The priors are the network's, not stretched to fill the whole.
    policy = NetPlayer(NetPlayerConfig(net=net_file)).evaluator.evaluate([Position()])[0].policy
    for values in told[:-1]:
        assert number(values["(P:"]) == pytest.approx(100 * policy[values["string"]], abs=0.006)


def test_a_mate_that_is_not_allowed_is_not_played(net_file: Path) -> None:
    player = NetPlayer(NetPlayerConfig(net=net_file, batch=4))
    position = Position(MATE_IN_ONE)
    assert ask(player, position, Go(nodes=400))[1].best == "g5g7"
    infos, answer = ask(player, position, Go(nodes=100, searchmoves=("g5g1", "f6e5")))
    assert answer.best in ("g5g1", "f6e5")
    assert infos[-1].nodes == 100, "the mate has proven nothing about these"
    assert ask(player, position, Go(nodes=400))[1].best == "g5g7"
    with pytest.raises(IllegalMoveError):
        player.think(position, Limits(moves=("e2e4",)))
