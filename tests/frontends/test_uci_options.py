"""The options that every engine has: strength, endgame tables, a book, a log, and which engine thinks."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.core.config import settings
from philidor.core.errors import ConfigError, NetError
from philidor.core.random import SplitMix64
from philidor.frontends.uci.options import UciConfig
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.nets.network_files import save_stored
from philidor.nets.nnue import save_network
from philidor.nets.nnue.reference import raw
from philidor.nets.shipped import DEFAULT_NET
from philidor.players import ENGINES, player_class
from philidor.records.polyglot import PolyglotBook
from tests.frontends.conversation import Conversation
from tests.games.chess.tables import needs_tables, unpack_tables
from tests.nets.leela_nets import residual_net
from tests.nets.networks import SHAPES, made_up
from tests.nets.stored_nets import own_net

ROOK_ENDING = "8/8/8/4k3/8/8/8/KR6 w - - 0 1"


@pytest.fixture
def talk() -> Iterator[Conversation]:
    conversation = Conversation()
    yield conversation
    conversation.loop.close()


def write_book(path: Path, entries: dict[str, int], position: Position) -> Path:
    """Writes a book of one position: moves in UCI with weights."""
    rows = []
    for text, weight in entries.items():
        from_square, to_square = ((ord(text[i]) - ord("a")) + 8 * (int(text[i + 1]) - 1) for i in (0, 2))
        rows.append(struct.pack(">QHHI", position.polyglot_key(), from_square << 6 | to_square, weight, 0))
    path.write_bytes(b"".join(rows))
    return path


def test_all_options_are_offered(talk: Conversation) -> None:
    named = [line.split(" type ")[0].removeprefix("option name ") for line in talk.say("uci") if "option" in line]
    offered = set(named)
    assert len(named) == len(offered), "an option that two engines have is one option"
    own = {setting.uci_name for name in ENGINES for setting in settings(player_class(name).config_class)} - {None}
    assert offered - own == {"Clear Hash", *(setting.uci_name for setting in settings(UciConfig))}
    assert offered >= own
    assert offered >= {
        *("Hash", "Threads", "MultiPV", "Move Overhead", "Clear Hash", "Ponder", "Engine"),
        *("UCI_Chess960", "UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo", "Skill Level"),
        *("SyzygyPath", "OwnBook", "BookFile", "Debug Log File", "EvalFile", "Hybrid"),
    }
    assert "option name UCI_Elo type spin default 1200 min 600 max 2600" in talk.say("uci")


def test_the_network_engine_is_the_default(talk: Conversation) -> None:
    lines = talk.say("uci")
    assert f"option name Engine type combo default nnue {' '.join(f'var {name}' for name in ENGINES)}" in lines
    assert f"option name EvalFile type string default {DEFAULT_NET}" in lines
    assert any(line.startswith("Raw output: ") for line in talk.say("eval"))
    talk.say("setoption name Engine value classic")
    assert any(line.startswith("Material") for line in talk.say("eval"))


def test_an_engine_that_cannot_be_is_chosen_but_does_not_play(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another engine's moves under its name would be a lie that a match believes."""
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", ())
    answer = talk.say("setoption name Engine value net")
    assert len(answer) == 1
    assert answer[0].startswith("info string ERROR: ")
    assert "WeightsFile" in answer[0]
    for go in ("go nodes 10", "go infinite"):
        assert talk.best(go) == ("0000", [*answer, "bestmove 0000"])
    assert talk.say("eval") == answer
    assert talk.say("bench 1") == answer
    assert talk.say("ucinewgame") == []
    talk.say("setoption name Engine value classic")
    Position().parse_uci(talk.best("go nodes 10")[0])


def test_the_order_of_engine_and_network_does_not_matter(talk: Conversation, tmp_path: Path) -> None:
    save_leela(residual_net(), tmp_path / "small.pb.gz")
    talk.say("setoption name Engine value net")
    assert talk.say(f"setoption name WeightsFile value {tmp_path / 'small.pb.gz'}") == []
    assert any(" nodes 20 " in line for line in talk.best("go nodes 20")[1])
    assert "Win " in talk.say("eval")[0]


def test_the_network_can_be_named_first(tmp_path: Path) -> None:
    talk = Conversation({"Engine": "classic"})
    (tmp_path / "x.nnue").write_bytes(b"no network")
    assert talk.say(f"setoption name EvalFile value {tmp_path / 'x.nnue'}") == []
    assert talk.say("setoption name Engine value nnue")[0].startswith("info string ERROR: ")
    assert talk.best("go nodes 10")[0] == "0000"
    talk.say("setoption name EvalFile value <empty>")
    Position().parse_uci(talk.best("go nodes 10")[0])
    talk.loop.close()


def test_no_network_plays_in_the_place_of_one_that_cannot_be_read(talk: Conversation, tmp_path: Path) -> None:
    before = talk.say("eval")
    (tmp_path / "x.nnue").write_bytes(b"no network")
    for name in (tmp_path / "x.nnue", "no-such-net"):
        answer = talk.say(f"setoption name EvalFile value {name}")
        assert answer[0].startswith("info string ERROR: ")
        assert talk.best("go nodes 10") == ("0000", [*answer, "bestmove 0000"])
        assert talk.say("setoption name Hash value 8") == [], "another option repairs nothing"
        assert talk.best("go nodes 10")[0] == "0000"
        talk.say("setoption name Engine value classic")
        assert talk.say("setoption name Engine value nnue") == answer
    for name in ("<empty>", "", DEFAULT_NET):
        assert talk.say(f"setoption name EvalFile value {name}") == []
        Position().parse_uci(talk.best("go nodes 10")[0])
        assert talk.say("eval") == before


def test_an_engine_plays_by_its_network(talk: Conversation, tmp_path: Path) -> None:
    network = made_up(SHAPES["tiny"])
    save_network(network, tmp_path / "net.phnn")
    assert talk.say(f"setoption name EvalFile value {tmp_path / 'net.phnn'}") == []
    assert talk.say("setoption name Engine value nnue") == []
    assert f"Raw output: {raw(network, Position())} (side to move)" in talk.say("eval")
    Position().parse_uci(talk.best("go nodes 100")[0])


def test_options_can_be_given_before_the_first_engine_is_made(tmp_path: Path) -> None:
    network = made_up(SHAPES["tiny"])
    save_network(network, tmp_path / "net.phnn")
    talk = Conversation({"EvalFile": str(tmp_path / "net.phnn"), "Engine": "nnue"})
    assert f"Raw output: {raw(network, Position())} (side to move)" in talk.say("eval")
    talk.loop.close()
    with pytest.raises(NetError, match="cannot read"):
        Conversation({"EvalFile": str(tmp_path / "none.phnn"), "Engine": "nnue"})


def test_options_hold_for_engines_that_are_not_loaded_yet(talk: Conversation) -> None:
    talk.say("setoption name MultiPV value 3")
    talk.say("setoption name Engine value Classic")
    _, lines = talk.best("go depth 3")
    assert any(" multipv 3 " in line for line in lines)


@pytest.mark.parametrize(
    ("config", "elo"),
    [
        (UciConfig(), None),
        (UciConfig(elo=900), None),
        (UciConfig(elo=900, limit_strength=True), 900),
        (UciConfig(skill_level=0), 800),
        (UciConfig(skill_level=19), 2400),
        (UciConfig(skill_level=3, elo=2000, limit_strength=True), 2000),
    ],
)
def test_strength_has_two_names(config: UciConfig, elo: int | None) -> None:
    assert config.limited_elo == elo


def test_limited_strength_plays_short_searches_and_analyses_at_full_strength(talk: Conversation) -> None:
    talk.say("setoption name UCI_LimitStrength value true")
    _, lines = talk.best("go wtime 60000 btime 60000")
    assert len(lines) == 2
    assert int(lines[0].split(" nodes ")[1].split()[0]) < 50_000
    talk.until("go infinite", "info depth 6")
    talk.best("stop")


def test_limited_strength_ponders(talk: Conversation) -> None:
    talk.say("setoption name UCI_LimitStrength value true")
    assert not any(line.startswith("bestmove") for line in talk.say("go ponder wtime 1000 btime 1000"))
    talk.best("ponderhit")


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("SyzygyPath value /no/such/folder", "no folder"),
        ("BookFile value /no/such/book.bin", "no such file"),
        ("BookFile value .", "no Polyglot book"),
        ("Debug Log File value /no/such/folder/log", "no such file"),
        ("Hash value 1000000", "not enough memory"),
        ("Engine value fritz", "classic"),
        ("UCI_Elo value 500", "600"),
        ("Sizygy", "SyzygyPath"),
    ],
)
def test_what_is_not_there_is_told_and_it_plays_on(talk: Conversation, option: str, told: str) -> None:
    answer = talk.say(f"setoption name {option}")
    assert len(answer) == 1
    assert answer[0].startswith("info string")
    assert told in answer[0]
    talk.best("go nodes 500")
    talk.say("setoption name Threads value 1")
    talk.best("go nodes 500")


def test_the_book_is_played_only_when_wanted(talk: Conversation, tmp_path: Path) -> None:
    book = write_book(tmp_path / "my book.bin", {"a2a3": 1}, Position())
    talk.say(f"setoption name BookFile value {book}")
    assert talk.best("go depth 6")[0] != "a2a3"
    talk.say("setoption name OwnBook value true")
    assert talk.best("go depth 6") == ("a2a3", ["bestmove a2a3"])
    talk.say("position startpos moves e2e4")
    Position().play("e4").parse_uci(talk.best("go depth 2")[0])
    talk.say("position startpos")
    talk.say("go infinite")
    assert not any(line.startswith("bestmove") for line in talk.take()), "analysis is no game"
    talk.best("stop")
    talk.say("setoption name BookFile value <empty>")
    assert talk.best("go depth 6")[0] != "a2a3"


def test_a_book_is_drawn_from_by_its_weights(tmp_path: Path) -> None:
    entries = {"e2e4": 3, "d2d4": 1, "e2e5": 100, "a2a3": 0}
    book = PolyglotBook(write_book(tmp_path / "book.bin", entries, Position()))
    assert [(move.move, move.weight) for move in book.moves(Position())] == [("e2e4", 3), ("d2d4", 1)]
    rng = SplitMix64(1)
    drawn = [book.choose(Position(), rng) for _ in range(400)]
    assert set(drawn) == {"e2e4", "d2d4"}
    assert 260 < drawn.count("e2e4") < 340
    assert book.choose(Position().play("e4"), rng) is None
    book.close()
    (tmp_path / "none.bin").write_bytes(b"x" * 17)
    with pytest.raises(ConfigError, match="no Polyglot book"):
        PolyglotBook(tmp_path / "none.bin")


def test_everything_is_logged(talk: Conversation, tmp_path: Path) -> None:
    log = tmp_path / "log"
    talk.say(f"setoption name Debug Log File value {log}")
    talk.say("isready")
    talk.say("setoption name Debug Log File value")
    talk.say("isready")
    lines = [line.split(" ", 1)[1] for line in log.read_text(encoding="utf-8").splitlines()]
    assert lines == [">> isready", "<< readyok", ">> setoption name Debug Log File value"]


@needs_tables
def test_tables_decide_what_is_played_and_said(talk: Conversation, tmp_path: Path) -> None:
    talk.say(f"setoption name SyzygyPath value {unpack_tables(tmp_path)}")
    talk.say("setoption name UCI_ShowWDL value true")
    talk.say(f"position fen {ROOK_ENDING}")
    _, lines = talk.best("go depth 1")
    assert "score cp 20000 wdl 1000 0 0" in lines[0]
    assert " tbhits 0" not in lines[0]
    talk.say("position fen 4k3/8/8/8/8/8/2b5/K6R b - - 0 1")
    _, lines = talk.best("go depth 3")
    assert all("score cp 0 wdl 0 1000 0" in line for line in lines[:-1])
    talk.say("position fen 7k/R7/6K1/8/8/8/8/8 w - - 0 1")
    best, lines = talk.best("go depth 3")
    assert best == "a7a8"
    assert "score mate 1" in lines[0]
    talk.say("position startpos")
    assert " tbhits 0" in talk.best("go depth 1")[1][0]


def test_the_table_of_engines_is_of_players() -> None:
    assert all("chess" in (player_class(name).games or ("chess",)) for name in ENGINES)


def test_a_network_that_overflows_is_named_and_a_legal_move_is_played(tmp_path: Path) -> None:
    net = tmp_path / "wild.safetensors"
    save_stored(net, own_net("chess", weight=1e30))
    talk = Conversation({"WeightsFile": str(net), "Engine": "net"})
    for go in ("go nodes 10", "go wtime 100 btime 100", "go depth 2 searchmoves a2a3"):
        best, lines = talk.best(go)
        Position().parse_uci(best)
        assert any(line.startswith("info string") and "not finite" in line for line in lines), lines
    assert best == "a2a3"
    assert talk.say("isready") == ["readyok"]
    talk.loop.close()
