"""Studies: what is imported, edited and exported, in one tab and in two, and what is refused."""

from __future__ import annotations

import io
from typing import Any

import chess.pgn
import httpx
import pytest

from philidor.core.errors import PgnError
from philidor.frontends.web.analysis import tree
from philidor.frontends.web.analysis.importing import split_games
from philidor.frontends.web.drawing import Drawer
from philidor.games import load_game
from tests.web.analysis.desk import StudyTab, new_study, pgn_of
from tests.web.conftest import Server
from tests.web.tab import new_game

RICH = """[Event "Club <b>evening</b>"]
[Site "?"]
[Date "2026.01.02"]
[Round "?"]
[White "Anna"]
[Black "Bela"]
[Result "1-0"]
[WhiteElo "1500"]
[Annotator "She said "hi" twice"]

{ A lesson } 1. e4 { [%clk 0:05:00] best by test } 1... e5 ( 1... c5 $1 { the [%eval 0.3] Sicilian }
2. Nf3 ( 2. c3 $14 ) 2... d6 ) ( { Instead } 1... e6 ) 2. Nf3 $6 Nc6 3. Bb5 a6 $10 1-0
"""
HOSTILE = [
    "1. e4 e5 2. Qh7 *",
    '[White "<script>alert(1)</script>"]\n\nno moves here *',
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "",
    "\x00\x01\x02",
    "1. e4 {never closed",
    '[FEN "garbage"]\n\n1. e4 *',
]


def same_game(first: str, second: str) -> None:
    """Compares two PGNs by what python-chess reads of them."""
    games = [chess.pgn.read_game(io.StringIO(text)) for text in (first, second)]
    assert all(game is not None and not game.errors for game in games), games

    def plain(node: Any) -> Any:
        comments = [" ".join(str(getattr(node, name, "")).split()) for name in ("comment", "starting_comment")]
        return [str(getattr(node, "move", "")), comments, sorted(node.nags), [plain(n) for n in node.variations]]

    headers = [dict(game.headers) for game in games if game is not None]
    assert headers[0] == headers[1]
    assert plain(games[0]) == plain(games[1])


def test_all_of_a_pgn_survives_import_export_and_a_killed_server(server: Server) -> None:
    study = new_study(server.url, RICH)
    same_game(RICH, pgn_of(server.url, study))
    server.restart()
    with StudyTab(server.url, study) as tab:
        sicilian = tab.nodes[tab.child("e4", "c5")]
        assert (sicilian["comment"], sicilian["nags"]) == ("the Sicilian", [1])
        assert sicilian["opening"]["name"] == "Sicilian Defense"
        assert tab.nodes[tab.child("e4", "e6")]["before"] == "Instead"
        assert tab.nodes[0]["comment"] == "A lesson"
    same_game(RICH, pgn_of(server.url, study))


def test_edits_are_kept_and_told_to_other_tabs(shared_server: Server) -> None:
    study = new_study(shared_server.url, RICH)
    with StudyTab(shared_server.url, study) as tab, StudyTab(shared_server.url, study) as other:
        made = tab.edit("move", node=tab.child("e4", "e5"), move="f4")
        gambit = made["focus"]
        assert tab.nodes[gambit]["san"] == "f4"
        tab.edit("comment", node=gambit, text="a brave\nmove } {")
        tab.edit("nags", node=gambit, nags=[5, 14])
        tab.edit("promote", node=gambit)
        assert tab.nodes[tab.child("e4", "e5")]["children"][0] == gambit
        tab.edit("line", node=gambit, moves=["e5f4", "g1f3", "g7g5"])
        # A variation inside a variation becomes the main line with all that leads to it.
        tab.edit("promote", node=tab.child("e4", "c5", "c3"), main=True)
        assert [tab.nodes[0]["san"], tab.nodes[tab.nodes[1]["children"][0]]["san"]] == ["", "c5"]
        tab.edit("delete", node=tab.child("e4", "e6"))
        tab.edit("tags", tags={"White": "Clara", "Round": "3", "WhiteElo": ""})
        while other.revision < tab.revision:
            other.receive()
        assert other.nodes == tab.nodes
        with StudyTab(shared_server.url, study) as third:
            assert sorted(node["fen"] for node in third.nodes.values()) == sorted(
                node["fen"] for node in tab.nodes.values()
            )
    pgn = pgn_of(shared_server.url, study)
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    assert [node.san() for node in game.mainline()] == ["e4", "c5", "c3"]
    assert (game.headers["White"], game.headers["Round"], "WhiteElo" in game.headers) == ("Clara", "3", False)
    assert "{ a brave move ) ( }" in pgn
    assert "f4 $5 $14" in pgn
    assert "e6" not in pgn


def test_a_change_meant_for_an_older_study_is_refused_and_the_newer_one_shown(shared_server: Server) -> None:
    study = new_study(shared_server.url, RICH)
    with StudyTab(shared_server.url, study) as tab, StudyTab(shared_server.url, study) as other:
        tab.edit("comment", node=1, text="first")
        other.send("comment", revision=1, node=1, text="second", id=9)
        assert other.wait("error")["code"] == "stale_position"
        other.wait("study")
        assert other.nodes[1]["comment"] == "first"
    assert "{ [%clk 0:05:00] first }" in pgn_of(shared_server.url, study)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_game_gets_a_reason(shared_server: Server, text: str) -> None:
    answer = httpx.post(f"{shared_server.url}/api/studies/text", content=text.encode())
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["message"]


def test_an_illegal_variation_costs_itself_and_nothing_else(shared_server: Server) -> None:
    study = new_study(shared_server.url, "1. e4 (1. d4 Ke4 2. c4) (1. c4 -- 2. d4) e5 2. Nf3 {fine} *")
    with StudyTab(shared_server.url, study) as tab:
        assert [tab.nodes[node]["san"] for node in tab.nodes[0]["children"]] == ["e4", "d4", "c4"]
        assert tab.nodes[tab.child("e4", "e5", "Nf3")]["comment"] == "fine"
        assert len(tab.study["problems"]) == 2
        assert "Ke4" in tab.study["problems"][0]


def test_edits_that_make_no_sense_change_nothing(shared_server: Server) -> None:
    study = new_study(shared_server.url, RICH)
    before = pgn_of(shared_server.url, study)
    with StudyTab(shared_server.url, study) as tab:
        edits: list[tuple[str, dict[str, Any]]] = [
            ("move", {"node": 0, "move": "e5"}),
            ("move", {"node": 999, "move": "e4"}),
            ("line", {"node": 0, "moves": ["d2d4", "d2d4"]}),
            ("delete", {"node": 0}),
            ("nags", {"node": 1, "nags": [300]}),
            ("tags", {"tags": {"FEN": "x"}}),
            ("comment", {"node": 1, "text": "x" * 6000}),
            ("promote", {"node": 0}),
        ]
        for kind, content in edits:
            tab.send(kind, revision=tab.revision, **content)
            assert tab.wait("error")["message"], kind
    assert pgn_of(shared_server.url, study) == before


def test_a_deep_and_a_broad_tree_are_taken_and_a_huge_one_is_not(
    shared_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = " ".join(f"{n}. Nf3 Nc6 {n + 1}. Ng1 Nb8" for n in range(2, 400, 2))
    new_study(shared_server.url, f"1. e4 e5 {long} *")
    nested = "1. e4 " + "(" * 500 + "1. d4" + ")" * 500 + " *"
    answer = httpx.post(f"{shared_server.url}/api/studies/text", content=nested.encode())
    assert answer.status_code in (201, 422)
    monkeypatch.setattr(tree, "MOST_NODES", 100)
    with pytest.raises(PgnError, match="more than 100 moves"):
        tree.StudyTree.parse("1. e4 " + "(1. d4 d5) " * 50 + "*", Drawer(load_game("chess")))


def test_a_game_of_ours_becomes_one_study_and_keeps_its_clocks(shared_server: Server) -> None:
    game = new_game(shared_server.url, start={"kind": "pgn", "text": "1. f3 e5 2. g4 Qh4# 0-1"})
    study = new_study(shared_server.url, game=game["id"])
    assert study == new_study(shared_server.url, game=game["id"])
    assert "Qh4# 0-1" in pgn_of(shared_server.url, study)
    other = new_game(shared_server.url, "connect4")
    answer = httpx.post(f"{shared_server.url}/api/studies", json={"game": other["id"]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "does_not_fit")
    assert httpx.delete(f"{shared_server.url}/api/studies/{study}").status_code == 204
    assert httpx.get(f"{shared_server.url}/api/studies/{study}/pgn").status_code == 404


def test_a_position_and_a_chess960_game_keep_their_start(shared_server: Server) -> None:
    fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
    study = new_study(shared_server.url, position=fen)
    with StudyTab(shared_server.url, study) as tab:
        tab.edit("move", node=0, move="Qd7+")
    assert f'[FEN "{fen}"]' in pgn_of(shared_server.url, study)
    assert new_study(shared_server.url, "4k3/8/8/8/8/8/8/3QK3 w")
    chess960 = (
        '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"]\n\n'
        "1. Nf3 Nf6 2. O-O (2. g3 O-O) O-O *\n"
    )
    with StudyTab(shared_server.url, new_study(shared_server.url, chess960)) as tab:
        tab.edit("move", node=tab.child("Nf3", "Nf6"), move="Nb3")
        assert tab.nodes[tab.child("Nf3", "Nf6", "O-O", "O-O")]["to"] == "f8"


def test_games_of_a_file_are_split_where_they_begin() -> None:
    comment = '1. e4 {a comment\n[White "of no game"]\nends} e5 1-0'
    text = f'[White "A"]\n\n{comment}\n\n[White "B"]\n[Black "C"]\n\n1. d4 *\n\n\n[White "D"]\n\n*\n'
    assert [game.tags["White"] for game in split_games(text)] == ["A", "B", "D"]


def test_a_file_of_many_games_is_a_list_to_search_and_open(shared_server: Server) -> None:
    games = [
        '[White "Anna"]\n[Black "Bela"]\n[Result "1-0"]\n\n1. e4 c5 2. Nf3 1-0\n',
        '[White "Carl"]\n[Black "Anna"]\n[Result "0-1"]\n\n1. d4 d5 2. c4 0-1\n',
        '[White "Dora"]\n[Black "Emil"]\n[Result "*"]\n\n1. e4 Ke4 *\n',
    ]
    answer = httpx.post(f"{shared_server.url}/api/studies/text?name=club.pgn", content="\n".join(games).encode())
    file = answer.json()["file"]

    def find(query: str) -> list[int]:
        found = httpx.get(f"{shared_server.url}/api/files/{file}", params={"query": query}).json()
        return [game["number"] for game in found["games"]]

    assert [find(query) for query in ("anna", "sicilian", "anna 0-1", "dora", "nobody")] == [[1, 2], [1], [2], [3], []]
    listed = httpx.get(f"{shared_server.url}/api/files/{file}").json()
    assert listed["file"]["name"] == "club.pgn"
    assert "Ke4" in listed["games"][2]["problem"]
    study = new_study(shared_server.url, file=file, number=2)
    assert study == new_study(shared_server.url, file=file, number=2)
    assert "1. d4 d5 2. c4 0-1" in pgn_of(shared_server.url, study)
    assert httpx.post(f"{shared_server.url}/api/studies", json={"file": file, "number": 3}).status_code == 422
    assert httpx.delete(f"{shared_server.url}/api/files/{file}").status_code == 204
    assert httpx.get(f"{shared_server.url}/api/files/{file}").status_code == 404
