"""Games in the terminal against a network's file: in its own game, and in no other."""

import dataclasses
from pathlib import Path

import pytest

from philidor.core.errors import ConfigError
from philidor.frontends.playing.setup import new_match
from philidor.frontends.terminal import GameChoice
from philidor.nets.network_files import save_stored
from tests.frontends.test_terminal import data_folder, play
from tests.nets.stored_nets import LAST_STONE, own_net

__all__ = ["data_folder"]  # a fixture, which keeps the games of these tests apart from the user's


def test_a_network_plays_its_own_game_and_no_other(
    tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = tmp_path / "noughts.safetensors"
    save_stored(net, own_net("tictactoe"))
    against = GameChoice(game="tictactoe", opponent="net", settings={"net": net, "simulations": 4})
    shown = play(against, "b2")
    assert "net, noughts.safetensors" in shown
    assert "Games against a network are not kept" in shown
    assert not list(data_folder.rglob("*.json"))
    with pytest.raises(
        ConfigError, match=r"^the network 'noughts\.safetensors' plays tictactoe, not chess; --game tic"
    ):
        new_match(dataclasses.replace(against, game="chess"))
    with pytest.raises(ConfigError, match="net has no levels, got 2"):
        new_match(dataclasses.replace(against, level=2))
    (tmp_path / "games-1.safetensors").write_bytes(net.read_bytes())
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (tmp_path,))
    assert "net, games-1" in play(dataclasses.replace(against, settings={"simulations": 4}), "b2")


def test_a_network_of_go_plays_on_boards_of_its_size_by_any_rules() -> None:
    small = GameChoice(game="go-9x9,komi=0.5", opponent="net", settings={"net": "alphago-9x9-policy"})
    assert new_match(small).opponent is not None
    with pytest.raises(ConfigError, match=r"alphago-9x9-policy\.safetensors' is for boards of 9x9, not of 13x13$"):
        new_match(dataclasses.replace(small, game="go-13x13"))
    with pytest.raises(ConfigError, match="no value network for a board of 13x13"):
        new_match(GameChoice(game="go-13x13", opponent="alphago"))


def test_a_network_of_ones_own_game_plays_that(tmp_path: Path) -> None:
    net = tmp_path / "stone.safetensors"
    save_stored(net, own_net(LAST_STONE))
    match = new_match(GameChoice(game=LAST_STONE, opponent="net", settings={"net": net, "simulations": 4}))
    assert match.opponent is not None
    assert match.state.parse_move(match.opponent.choose(match.state)) in match.state.legal_moves()
