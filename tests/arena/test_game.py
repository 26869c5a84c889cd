"""One game: clocks, faults and who is to blame for them, adjudication, the score sheet."""

import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.arena.adjudication import Adjudicator, GameRules
from philidor.arena.competitors import Competitor, check_engines, competitor
from philidor.arena.engines import parse_engine, parse_engines
from philidor.arena.game import AbandonedError, GameResult, Pairing, play_game
from philidor.arena.limits import Clock, Limit, TimeControl, limit_from_words, limits_for, parse_time_control
from philidor.arena.openings import Opening
from philidor.arena.pgn import comment
from philidor.arena.thought import Thought
from philidor.core.analysis import Score
from philidor.core.errors import ConfigError
from philidor.core.thinking import Limits
from philidor.games.chess import Position
from philidor.players.external_uci import EngineHangError, UciProcess
from philidor.players.external_xboard import XboardProcess
from philidor.protocols.uci import Go, PositionCommand, go_of
from philidor.records import read_pgn

FAKE = Path(__file__).with_name("fake_engine.py")
FAKE_XBOARD = Path(__file__).with_name("fake_xboard.py")
# The first for programs that never answer; the second for all others, which must not lose by a busy machine.
SHORT = Limit(tc=TimeControl(base_ms=800, increment_ms=10))
CLOCK = Limit(tc=TimeControl(base_ms=30_000, increment_ms=10))
RULES = GameRules(hang_time=0.5, max_moves=12)


def fake(mode: str) -> str:
    return f"{sys.executable} {FAKE} {mode}"


def play(white: str, black: str, limit: Limit, rules: GameRules = RULES, opening: Opening | None = None) -> GameResult:
    specs = parse_engines([white, black])
    engines: tuple[Competitor, Competitor] = (competitor(specs[0], {}), competitor(specs[1], {}))
    try:
        pairing = Pairing(0, 0, 1, opening or Opening())
        return play_game(pairing, engines, (specs[0].name, specs[1].name), (limit, limit), rules, lambda: False)
    finally:
        for engine in engines:
            engine.close()


@pytest.mark.parametrize(
    ("mode", "fault", "detail"),
    [
        ("crashes", "crash", "exit code 3"),
        ("hangs", "hang", "no move for"),
        ("cheats", "illegal move", "e1e8"),
        ("gives-up", "illegal move", "0000"),
        ("sleeps", "time forfeit", "ms left"),
    ],
)
def test_a_fault_is_named_and_loses(mode: str, fault: str, detail: str) -> None:
    result = play("random", fake(mode), SHORT if mode in ("hangs", "sleeps") else CLOCK)
    assert (result.result, result.fault, result.reason) == ("1-0", fault, fault)
    assert detail in result.detail
    assert result.plies == 5
    assert f'[Termination "{fault}"]' in result.pgn


def test_the_fault_is_the_movers_also_with_white() -> None:
    result = play(fake("crashes"), "random", Limit(depth=1))
    assert (result.result, result.fault, result.plies) == ("0-1", "crash", 4)


def test_an_engine_that_failed_is_started_again_for_the_next_game() -> None:
    engine = competitor(parse_engine(fake("crashes")), {})
    other = competitor(parse_engine("random"), {})
    try:
        for number in range(2):
            pairing = Pairing(number, 0, 1, Opening())
            result = play_game(pairing, (engine, other), ("a", "b"), (Limit(), Limit()), RULES, lambda: False)
            assert (result.fault, result.plies) == ("crash", 4)
    finally:
        engine.close()


def test_an_engine_that_dies_between_games_loses_one_and_plays_on() -> None:
    engine = competitor(parse_engine(fake("dies-between-games")), {})
    other = competitor(parse_engine("random"), {})
    rules, faults = GameRules(max_moves=3), []
    try:
        for number in range(4):
            pairing = Pairing(number, 0, 1, Opening())
            result = play_game(pairing, (engine, other), ("a", "b"), (Limit(), Limit()), rules, lambda: False)
            faults.append(result.fault)
    finally:
        engine.close()
    assert faults == [None, "crash", None, "crash"]


def test_a_game_between_programs_is_legal_and_read_by_our_own_reader(tmp_path: Path) -> None:
    opening = Opening("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ("e2e4", "c7c5"))
    result = play(fake("plays"), fake("chatty"), CLOCK, GameRules(hang_time=5), opening)
    assert (result.fault, result.reason) == (None, "threefold repetition")
    file = tmp_path / "game.pgn"
    file.write_text(result.pgn, encoding="utf-8")
    (record,) = read_pgn(file, evals="mover")
    assert len(record) == result.plies + 2 > 10
    assert record.result.text == result.result
    assert record.scores is not None
    assert record.scores[:4] == (None, None, 12, 12)
    assert "1. e4 c5 2. " in result.pgn
    assert "{+0.12/3 " in result.pgn


def xboard(mode: str) -> str:
    return f"{sys.executable} {FAKE_XBOARD} {mode} proto=xboard"


def test_programs_that_speak_cecp_play(tmp_path: Path) -> None:
    opening = Opening("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ("e2e4", "c7c5"))
    result = play(xboard("plays"), fake("plays"), CLOCK, GameRules(hang_time=5), opening)
    assert (result.fault, result.reason) == (None, "threefold repetition")
    file = tmp_path / "game.pgn"
    file.write_text(result.pgn, encoding="utf-8")
    (record,) = read_pgn(file, evals="mover")
    assert record.scores is not None
    assert record.scores[:4] == (None, None, 12, 12)


@pytest.mark.parametrize(
    ("mode", "fault", "detail"),
    [("crashes", "crash", "exit code: 3"), ("hangs", "hang", "no move for"), ("cheats", "illegal move", "e1e8")],
)
def test_faults_in_cecp_are_named_too(mode: str, fault: str, detail: str) -> None:
    result = play("random", xboard(mode), SHORT if mode == "hangs" else CLOCK)
    assert (result.result, result.fault, result.plies) == ("1-0", fault, 5)
    assert detail in result.detail


def test_resigning_is_no_fault() -> None:
    result = play("random", xboard("resigns"), CLOCK)
    assert (result.result, result.fault, result.reason) == ("1-0", None, "resignation")


@pytest.fixture
def _collected() -> Iterator[None]:
    """python-chess kills a program that it cannot use but does not wait for its end, and Python warns of that."""
    yield
    gc.collect()


@pytest.mark.usefixtures("_collected")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("command", "error", "complaint"),
    [
        ([sys.executable, str(FAKE_XBOARD), "old"], ConfigError, "required feature: setboard"),
        ([sys.executable, str(FAKE_XBOARD), "silent"], EngineHangError, "does not answer"),
        (["no-such-program"], ConfigError, "cannot start 'no-such-program'"),
    ],
)
def test_cecp_programs_that_cannot_be_used_are_refused(
    command: list[str], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        XboardProcess(command, start_timeout_s=2.0)


def test_cecp_programs_need_a_clock() -> None:
    with pytest.raises(ConfigError, match="cannot count nodes"):
        play(xboard("plays"), "random", Limit(nodes=5))


def test_cecp_options_are_set_by_name() -> None:
    process = XboardProcess([sys.executable, str(FAKE_XBOARD), "plays"])
    try:
        assert process.name == "Fake plays"
        assert not process.knows_chess960
        process.set_options({"style": "3", "memory": "16"})
        with pytest.raises(ConfigError, match=r"no option 'Stile'; did you mean 'Style'\?"):
            process.set_options({"Stile": "1"})
        with pytest.raises(ConfigError, match="Style"):
            process.set_options({"Style": "many"})
    finally:
        process.quit()


def test_a_silent_program_does_not_start() -> None:
    with pytest.raises(EngineHangError, match="does not answer"):
        UciProcess([sys.executable, str(FAKE), "silent"], start_timeout_s=0.3)


def test_an_engine_without_its_network_plays_no_match() -> None:
    specs = parse_engines((fake("netless"), "random"))
    with pytest.raises(ConfigError, match=r"^Fake netless: cannot read the network 'x\.nnue'$"):
        check_engines(specs, {"Hash": "1"})


def test_options_are_set_by_name_and_unknown_ones_refused() -> None:
    process = UciProcess([sys.executable, str(FAKE), "plays"])
    try:
        assert process.name == "Fake plays"
        process.set_options({"move overhead": "20"})
        with pytest.raises(ConfigError, match=r"no option 'Hush'; did you mean 'Hash'\?"):
            process.set_options({"Hush": "1"})
        reply = process.go(PositionCommand(), Go(depth=1), 10)
        assert reply.move == Position().uci(Position().legal_moves()[0])
        assert (reply.info.score, reply.info.nodes) == (Score(cp=12), 5)
    finally:
        process.quit()


def test_a_game_can_be_abandoned() -> None:
    one = competitor(parse_engine("random"), {})
    with pytest.raises(AbandonedError):
        play_game(Pairing(0, 0, 1, Opening()), (one, one), ("a", "b"), (Limit(), Limit()), RULES, lambda: True)


def test_fixed_nodes_give_the_same_game_again() -> None:
    games = [play("classic", "classic without=null_move", Limit(nodes=300), GameRules()) for _ in range(2)]
    first, second = (re.sub(r"[\d.]+s}", "", game.pgn).split() for game in games)
    assert first == second
    assert games[0].plies == games[1].plies > 20


def test_random_games_differ_by_their_number() -> None:
    engines = (competitor(parse_engine("random"), {}), competitor(parse_engine("random seed=7"), {}))
    rules = GameRules(max_moves=10)
    sheets = []
    for number in (0, 1, 0):
        pairing = Pairing(number, 0, 1, Opening())
        result = play_game(pairing, engines, ("a", "b"), (Limit(), Limit()), rules, lambda: False)
        sheets.append([word for word in result.pgn.partition("\n\n")[2].split() if "{" not in word])
    assert sheets[0] == sheets[2] != sheets[1]


@pytest.mark.parametrize(
    ("text", "base_ms", "increment_ms", "moves", "shown"),
    [
        ("10+0.1", 10_000, 100, None, "10+0.1"),
        ("40/60", 60_000, 0, 40, "40/60"),
        ("40/1:30+.5", 90_000, 500, 40, "40/90+0.5"),
        ("0.05", 50, 0, None, "0.05"),
    ],
)
def test_time_controls_are_read(text: str, base_ms: int, increment_ms: int, moves: int | None, shown: str) -> None:
    control = parse_time_control(text)
    assert control == TimeControl(base_ms=base_ms, increment_ms=increment_ms, moves=moves)
    assert str(control) == shown


@pytest.mark.parametrize("text", ["", "ten", "0", "10+", "-1", "0/10", "1e3", "nan", "10+0.1+1"])
def test_senseless_time_controls_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="time control"):
        parse_time_control(text)


@pytest.mark.parametrize("words", [{"nodes": "0"}, {"nodes": "x"}, {"movetime": "nan"}, {"movetime": "inf"}])
def test_senseless_limits_are_refused(words: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="must be a positive number"):
        limit_from_words(words)


def test_a_clock_gets_its_increment_and_its_next_period() -> None:
    clock = Clock(parse_time_control("2/1+0.1"))
    assert clock.press(400, 0)
    assert (clock.left_ms, clock.moves_to_go) == (700, 1)
    assert clock.press(700, 0)
    assert (clock.left_ms, clock.moves_to_go) == (1100, 2)
    assert not clock.press(1101, 0)


def test_a_margin_forgives_and_gives_no_time_back() -> None:
    clock = Clock(parse_time_control("1"))
    assert clock.press(1040, 50)
    assert clock.left_ms == 0


def test_each_engine_sees_both_clocks() -> None:
    clocks = (Clock(parse_time_control("40/60+1")), Clock(parse_time_control("10+0.1")))
    limits = limits_for(Limit(tc=parse_time_control("40/60+1")), clocks, 0)
    assert go_of(limits) == Go(wtime=60_000, btime=10_000, winc=1000, binc=100, movestogo=40)
    assert limits_for(Limit(nodes=5), (Clock(None), clocks[1]), 0) == Limits(nodes=5)


def judged(rules: GameRules, scores: list[Score | None], fen: str = "8/8/8/8/8/2k5/8/K6R w - - 0 50") -> str | None:
    adjudicator = Adjudicator(rules)
    verdicts = [adjudicator.judge(score, Position(fen)) for score in scores]
    assert not any(verdicts[:-1])
    return None if verdicts[-1] is None else f"{verdicts[-1].winner} {verdicts[-1].reason}"


def test_a_draw_needs_both_sides_for_long_enough() -> None:
    rules = GameRules(draw_score=10, draw_moves=2, draw_after=40)
    assert judged(rules, [Score(cp=5)] * 4) == "None adjudication: drawn by score"
    assert judged(rules, [Score(cp=5), Score(cp=11), *[Score(cp=-5)] * 3]) is None
    assert judged(rules, [Score(cp=5), None, *[Score(cp=-5)] * 3]) is None
    assert judged(GameRules(draw_score=10, draw_moves=2, draw_after=60), [Score(cp=0)] * 9) is None


def test_a_win_needs_both_sides_for_long_enough() -> None:
    rules = GameRules(resign_score=500, resign_moves=1)
    assert judged(rules, [Score(cp=600), Score(mate=3)]) == "0 adjudication: won by score"
    assert judged(rules, [Score(cp=-600), Score(mate=-3)]) == "1 adjudication: won by score"
    assert judged(rules, [Score(cp=600), Score(cp=-600)]) is None
    assert judged(GameRules(), [Score(cp=600)] * 99) is None


@pytest.mark.parametrize(
    ("score", "shown"), [(Score(cp=33), "+0.33/9"), (Score(mate=2), "+M3/9"), (Score(mate=-2), "-M4/9")]
)
def test_comments_are_what_other_programs_read(score: Score, shown: str) -> None:
    assert comment(Thought("e2e4", 0.2104, score, 9)) == f"{shown} 0.210s"


def test_engines_are_read_as_written() -> None:
    ours = parse_engine("classic without=null_move,razoring nodes=5000 hash=4")
    assert (ours.player, ours.limit) == ("classic", Limit(nodes=5000))
    assert ours.settings == {"without": "null_move,razoring", "hash": "4"}
    assert ours.name == "classic without=null_move,razoring nodes=5000 hash=4"
    theirs = parse_engine("./engines/sf --quiet a=b 'option.Move Overhead=20' name=SF movetime=0.5")
    assert theirs.command == ("./engines/sf", "--quiet", "a=b")
    assert theirs.settings == {"Move Overhead": "20"}
    assert (theirs.name, theirs.limit) == ("SF", Limit(movetime_ms=500))
    assert parse_engine("alphabeta depth=2").settings == {"depth": "2"}
    assert [spec.name for spec in parse_engines(["random"] * 3)] == ["random", "random (2)", "random (3)"]
    assert [spec.name for spec in parse_engines(["random 'name=a\nb'", "random name="])] == ["a b", "random"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "got nothing"),
        ("classic fast", "expected setting=value"),
        ("classic witout=x", "did you mean 'without'"),
        ("classic hash=0", "hash must be"),
        ("name=x", "no program"),
        ("'a", "no closing quotation"),
        ("stockfish nodes=many", "nodes must be a positive number"),
        ("gnugo proto=telnet", "proto= is one of uci, xboard, gtp, got 'telnet'"),
    ],
)
def test_what_is_no_engine_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        parse_engine(text)
