"""The board's default opponent: one that plays like people, with their habits if the person wishes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from philidor.frontends.playing.levels import next_level
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.schema import EloRange
from philidor.games import load_game
from philidor.nets import shipped
from philidor.nets.leela.files import save_leela
from philidor.players.human_policy import WORDS
from tests.human_nets import write_human
from tests.nets.leela_nets import residual_net
from tests.web.conftest import Server, human_server
from tests.web.tab import Tab, new_game


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = human_server(tmp_path_factory.mktemp("quiet"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module", params=["resign", "offer_draw"])
def mannered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Server]]:
    server = human_server(tmp_path_factory.mktemp("mannered"), request.param)
    server.start()
    yield request.param, server
    server.kill()


def about(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server.url}/api/about").json()
    return found


def test_it_is_the_default_and_says_what_its_ratings_are(quiet: Server) -> None:
    chess = about(quiet)["games"][0]
    assert chess["default_opponent"] == "human"
    assert chess["first_opponents"] == ["human", "nnue", "classic", "person"]
    [human] = [each for each in about(quiet)["opponents"] if each["name"] == "human"]
    assert human["strength"] == {
        "kind": "elo",
        "min": 600,
        "max": 2600,
        "step": 50,
        "default": 1500,
        "has_full": False,
        "scale": "over-the-board rating, like FIDE's",
        "estimated_below": 1000,
        "words": [[below, word] for below, word in WORDS],
    }
    assert human["habits"] == ["resign", "pace", "follow"]


def test_networks_and_the_sparring_partner_are_one_choice_further(tmp_path: Path) -> None:
    for name in ("maia-1100", "maia-1500"):
        save_leela(residual_net(), tmp_path / f"{name}.pb.gz")
    roster, chess = Roster(nets=[tmp_path]), load_game("chess")
    assert {"net:maia", "sparring"} <= set(roster.fitting(chess)) - set(roster.first_for(chess))
    hexapawn = load_game("hexapawn")
    assert roster.first_for(hexapawn) == roster.fitting(hexapawn)


def test_a_network_of_ones_own_with_ratings_has_the_slider_too(tmp_path: Path) -> None:
    write_human(tmp_path).rename(tmp_path / "my-club.safetensors")
    own = Roster(nets=[tmp_path]).find("net:my-club")
    assert isinstance(own.view.strength, EloRange)
    assert (own.view.strength.min, own.view.strength.max) == (600, 2600)
    assert own.view.habits == ["resign", "pace"]
    player = own.make_player({"elo": 1850}, 7)
    assert (player.name, player.config.rating, player.config.seed) == ("human", 1850, 7)
    assert player.config.net == tmp_path / "my-club.safetensors"


def test_without_its_network_everything_is_as_if_there_were_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "shipped_nets", lambda: {"giraffe": Path(), "deepchess": Path()})
    roster, chess = Roster(), load_game("chess")
    assert "human" not in roster.fitting(chess)
    assert roster.default_for(chess) == "sparring"
    assert roster.first_for(chess) == ["sparring", "nnue", "classic", "person"]


def test_it_plays_at_the_rating_that_was_chosen(quiet: Server) -> None:
    view = new_game(quiet.url, opponent="human", strength={"elo": 850})
    with Tab(quiet.url, view["id"]) as tab:
        tab.move_and_wait("e4")
        assert tab.game["players"][1]["name"] == "Human, 850"
        assert len(tab.game["moves"]) == 2


def test_habits_are_for_those_who_have_them(quiet: Server) -> None:
    answer = httpx.post(f"{quiet.url}/api/games", json={"game": "chess", "opponent": "nnue", "habits": ["pace"]})
    assert answer.status_code == 422
    assert "NNUE engine has no habit 'pace'" in answer.text


def test_at_a_human_pace_it_takes_its_time_and_can_be_interrupted(quiet: Server) -> None:
    view = new_game(quiet.url, opponent="human", habits=["pace"])
    with Tab(quiet.url, view["id"]) as tab:
        begin = time.monotonic()
        tab.move_and_wait("e4")
        assert time.monotonic() - begin > 0.35
        tab.move("d4")
        begin = time.monotonic()
        tab.send("takeback", revision=tab.game["revision"])
        tab.wait("game", status="your_turn")
        assert time.monotonic() - begin < 10.0


def test_it_resigns_and_offers_draws_only_if_that_was_agreed(mannered: tuple[str, Server]) -> None:
    gesture, server = mannered
    with Tab(server.url, new_game(server.url, opponent="human")["id"]) as tab:
        tab.move_and_wait("e4")
        assert (tab.game["status"], tab.game["draw_offer"]) == ("your_turn", None)
    with Tab(server.url, new_game(server.url, opponent="human", habits=["resign"])["id"]) as tab:
        tab.move_and_wait("e4")
        if gesture == "resign":
            assert tab.game["result"]["text"].startswith("White wins")
            assert tab.game["result"]["reason"] == "resignation"
            return
        assert tab.game["draw_offer"] == 1
        tab.send("decline_draw")
        tab.wait("game", draw_offer=None, status="your_turn")
        tab.move_and_wait("d4")
        assert tab.game["draw_offer"] == 1
        tab.move("c4")  # to play on is to decline
        assert tab.game["draw_offer"] is None
        tab.wait("game", status="your_turn")
        tab.send("accept_draw")
        tab.wait("game", status="over")
        assert tab.game["result"]["reason"] == "agreement"


def test_its_offer_waits_for_the_person(mannered: tuple[str, Server]) -> None:
    gesture, server = mannered
    if gesture == "resign":
        return
    view = new_game(server.url, opponent="human", habits=["resign"])
    with Tab(server.url, view["id"]) as tab:
        tab.move_and_wait("e4")
    with Tab(server.url, view["id"]) as tab:
        assert tab.game["draw_offer"] == 1


@pytest.mark.parametrize(("score", "level"), [(1.0, 1550), (0.5, 1500), (0.0, 1450)])
def test_a_level_follows_by_fifty_points_a_game(score: float, level: int) -> None:
    assert next_level(1500, score, 600, 2600) == level
    assert 600 <= next_level(600, score, 600, 2600) <= 650


def test_the_level_follows_the_persons_results(quiet: Server) -> None:
    def play(**wishes: Any) -> dict[str, Any]:
        view = new_game(quiet.url, opponent="human", strength={"elo": 1500}, **wishes)
        with Tab(quiet.url, view["id"]) as tab:
            for _ in range(5):
                tab.move_and_wait(tab.game["legal"][0]["text"])
            tab.send("resign")
            tab.wait("game", status="over")
        return view

    play()
    assert "human_level" not in about(quiet)["settings"]
    lost = play(habits=["follow"])
    assert about(quiet)["settings"]["human_level"] == 1450
    again = httpx.post(f"{quiet.url}/api/games/{lost['id']}/rematch").json()
    assert "Human, 1450" in [player["name"] for player in again["players"]]
    copy = httpx.post(f"{quiet.url}/api/games/{lost['id']}/play_on").json()
    with Tab(quiet.url, copy["id"]) as tab:
        tab.send("resign")
        tab.wait("game", status="over")
    assert about(quiet)["settings"]["human_level"] == 1450
