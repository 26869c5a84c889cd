"""The UCI loop answers whatever comes in, keeps the engine running, and never says what the protocol does not know."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import NetError
from philidor.core.thinking import Limits, Signal
from philidor.games.chess import Position
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.protocols.uci import Go, format_info
from tests.frontends.conversation import Conversation
from tests.players.asking import ask


@pytest.fixture
def talk() -> Iterator[Conversation]:
    conversation = Conversation()
    yield conversation
    conversation.loop.close()


def test_it_introduces_itself(talk: Conversation) -> None:
    lines = talk.say("uci")
    assert lines[0].startswith("id name philidor")
    assert lines[-1] == "uciok"
    names = {re.match(r"option name (.*?) type", line).group(1) for line in lines if line.startswith("option")}  # type: ignore[union-attr]
    assert {"Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash", "UCI_Chess960"} <= names


def test_it_finds_a_mate_and_says_so(talk: Conversation) -> None:
    talk.say("position fen r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    best, lines = talk.best("go depth 5")
    assert best == "h5f7"
    assert any("score mate 1" in line for line in lines)
    assert talk.best("go mate 1")[0] == "h5f7"


def test_every_form_of_go_is_answered(talk: Conversation) -> None:
    for go in (
        "depth 4",
        "nodes 1",
        "nodes 2000",
        "movetime 20",
        "wtime 50 btime 50",
        "wtime 0 btime -7 winc -1",
        "wtime 1000 btime 1000 winc 10 binc 10 movestogo 1",
        "depth 3 searchmoves a2a3 a2a4",
    ):
        talk.say("position startpos")
        best, _ = talk.best(f"go {go}")
        Position().parse_uci(best)


@pytest.mark.parametrize("engine", ["nnue", "classic"])
def test_the_last_info_tells_how_the_search_ended(engine: str) -> None:
    talk = Conversation({"Engine": engine})
    for go, nodes in (("go nodes 20000", 20_000), ("go nodes 777", 777)):
        best, lines = talk.best(go)
        last = lines[-2].split()
        assert last[last.index("nodes") + 1] == str(nodes)
        assert last[last.index("pv") + 1] == best
        assert {"depth", "score", "nps", "hashfull", "time"} <= set(last)
    _, lines = talk.best("go depth 5")
    assert lines[-2] not in lines[:-2], "what was said is not said again"
    talk.loop.close()


def test_a_long_iteration_tells_where_it_is() -> None:
    player = ClassicPlayer()
    player.engine.set_options(silence=0)  # milliseconds; a second is too long for a test
    lines = [format_info(info) for info in ask(player, Position(), Go(nodes=20_000))[0]]
    shape = re.compile(
        r"info depth \d+ currmove \w+ currmovenumber \d+ nodes \d+ nps \d+ hashfull \d+ tbhits 0 time \d+"
    )
    progress = [line for line in lines if "currmove" in line]
    assert len(progress) > 20
    assert all(shape.fullmatch(line) for line in progress)
    assert "currmove" not in lines[-1]
    found = player.analyse(Position(), nodes=5_000)
    assert found.lines
    assert found.score is not None


def test_it_is_ready_while_searching_and_stops_when_told(talk: Conversation) -> None:
    talk.say("go infinite")
    time.sleep(0.05)
    assert "readyok" in talk.say("isready")
    start = time.monotonic()
    best, _ = talk.best("stop")
    assert time.monotonic() - start < 10
    Position().parse_uci(best)


def test_a_finished_search_waits_for_stop_when_infinite(talk: Conversation) -> None:
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    talk.say("go infinite")
    time.sleep(0.1)
    assert not any(line.startswith("bestmove") for line in talk.take())
    assert talk.best("stop")[0] == "0000"


def test_pondering_ends_with_ponderhit(talk: Conversation) -> None:
    talk.say("position startpos moves e2e4 e7e5")
    talk.say("go ponder wtime 200 btime 200")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.take())
    talk.best("ponderhit")


@pytest.mark.parametrize("spent_ms", [0, 5_000])
def test_the_clock_starts_when_the_opponent_has_moved(spent_ms: int) -> None:
    player, now, opponent_moved = ClassicPlayer(ClassicConfig(hash=1)), time.perf_counter(), Signal()
    opponent_moved.give(now - spent_ms / 1000)
    # As if it had pondered for ten seconds: nobody has to wait for them here.
    limits = Limits(time_s=(spent_ms + 60) / 1000, began=now - 10, clock_start=opponent_moved)
    times: list[float] = []
    player.think(Position(), limits, None, lambda analysis: times.append(1000 * analysis.time_s))
    assert times[-1] < 10_000
    assert min(times) >= spent_ms


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "kings"),
        ("position startpos moves e2e5", "e2e5"),
        ("setoption name Hash value 0", "Hash"),
        ("setoption name Hush value 3", "Hash"),
        ("setoption name Threads value many", "Threads"),
        ("nonsense", "nonsense"),
        ("debug maybe", "debug"),
    ],
)
def test_what_is_wrong_is_told_and_it_goes_on(talk: Conversation, line: str, told: str) -> None:
    answer = talk.say(line)
    assert len(answer) == 1
    assert answer[0].startswith("info string")
    assert told in answer[0]
    assert talk.say("isready") == ["readyok"]


def test_unknown_words_before_a_command_are_skipped(talk: Conversation) -> None:
    assert talk.say("joho isready") == ["readyok"]


def test_a_position_is_taken_as_a_whole_or_not_at_all(talk: Conversation) -> None:
    talk.say("position startpos moves d2d4")
    before = talk.say("d")
    answer = talk.say("position startpos moves e2e4 e2e4 e7e5")
    assert len(answer) == 1
    assert answer[0].startswith("info string position: move 2:")
    assert talk.say("d") == before


@pytest.mark.parametrize(
    ("go", "told"),
    [
        ("go searchmoves e2e5", "no legal move 'e2e5'"),
        ("go searchmoves e2e5 depth 2", "no legal move 'e2e5'"),
        ("go searchmoves", "searchmoves needs moves"),
        ("go depth", "depth needs a number"),
        ("go depth x", "depth needs a number, got 'x'"),
        ("go depth movetime 10", "depth needs a number"),
        ("go wtime 50 btime", "btime needs a number"),
        ("go as fast as you can", "unknown word 'as'"),
        ("go perft", "perft needs a number"),
    ],
)
def test_a_go_that_makes_no_sense_is_answered_too(talk: Conversation, go: str, told: str) -> None:
    best, lines = talk.best(go)
    Position().parse_uci(best)
    assert told in lines[0]
    assert talk.say("isready") == ["readyok"]


def test_only_what_is_legal_is_searched(talk: Conversation) -> None:
    assert talk.best("go depth 2 searchmoves a2a3 e2e5")[0] == "a2a3"


def test_a_search_that_breaks_off_is_answered(talk: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("out of luck")

    for method in ("players.engine.EnginePlayer.think", "frontends.uci.resources.Resources.verdict"):
        with monkeypatch.context() as patch:
            patch.setattr(f"philidor.{method}", broken)
            best, lines = talk.best("go depth 2")
            Position().parse_uci(best)
            assert any("out of luck" in line for line in lines)
    talk.best("go depth 2")


def test_an_option_does_not_end_an_analysis(talk: Conversation) -> None:
    talk.until("go infinite", "info depth 3")
    assert any("is set when the search has ended" in line for line in talk.say("setoption name MultiPV value 2"))
    talk.say("setoption name Hush value 2")
    assert talk.say("isready")[-1] == "readyok"
    assert not any(line.startswith("bestmove") for line in talk.take())
    talk.best("stop")
    _, lines = talk.best("go depth 2")
    assert "Hash" in lines[0], "what was wrong with the other one is told now"
    assert any(" multipv 2 " in line for line in lines)


def test_chess960_castles_as_king_takes_rook(talk: Conversation) -> None:
    talk.say("setoption name UCI_Chess960 value true")
    talk.say("position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1")
    assert any("Fen: 4k3/8/8/8/8/8/8/5RK1 b" in line for line in talk.say("d"))


def test_flip_twice_is_nothing(talk: Conversation) -> None:
    talk.say("position startpos moves e2e4 c7c5 g1f3")
    before = talk.say("d")
    talk.say("flip")
    assert talk.say("d") != before
    talk.say("flip")
    assert talk.say("d") == before


def test_bench_has_one_signature(talk: Conversation) -> None:
    first, second = (talk.until("bench 5", "Nodes/second")[-2] for _ in range(2))
    assert first.startswith("Nodes searched")
    assert first == second


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=6))
def test_any_input_leaves_it_ready(lines: list[str]) -> None:
    talk = Conversation()
    for line in lines:
        if line.split()[:1] != ["quit"]:
            talk.loop.obey(line)
    talk.loop.obey("stop")
    talk.take()
    assert "readyok" in talk.say("isready")
    talk.loop.close()


def test_classic_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", ())
    talk = Conversation()
    assert talk.say("uci")[-1] == "uciok"
    with pytest.raises(NetError, match="install philidor again"):
        talk.say("isready")
    talk.loop.close()
    talk = Conversation({"Engine": "classic"})
    talk.best("go nodes 10")
    talk.loop.close()


def test_nothing_heavy_is_imported_before_it_has_introduced_itself() -> None:
    """GUIs start an engine often, and ask it who it is before anything else."""
    program = (
        "import sys; sys.argv = ['philidor-uci']; from philidor.cli.uci_program import main; code = main(); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), *(n for n in sys.modules if '.' in n), "
        "file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=b"uci\nquit\n", capture_output=True, timeout=60, check=True
    )
    assert done.stdout.rstrip().endswith(b"uciok")
    loaded = set(done.stderr.decode().split())
    assert "philidor.frontends.uci.loop" in loaded
    heavy = {"numpy", "typer", "click", "pydantic", "rich", "onnxruntime", "chess", "torch"}
    assert not loaded & {*heavy, "importlib.metadata", "philidor.nets.dense", "philidor.records"}


def test_the_program_ends_with_its_input() -> None:
    text = "uci\ngo depth 3\nposition startpos\n\xff\xfe\ngo infinite\n"
    done = subprocess.run(
        [sys.executable, "-m", "philidor", "uci"],
        input=text.encode("latin-1"),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert b"uciok" in done.stdout
    assert done.stdout.count(b"bestmove") == 2
    assert done.stderr == b""
