"""Files are data: a game that a file names as code is never run, unless the user names it too."""

import json
from pathlib import Path

import numpy as np
import pytest

from philidor.cli import main
from philidor.core.errors import ConfigError, LoadError, PhilidorError
from philidor.evaluators.loading import load_net
from philidor.frontends.playing.setup import GameChoice, new_match
from philidor.frontends.terminal import unfinished
from philidor.games import known_game, load_game
from philidor.nets.network_config import preset
from philidor.nets.network_files import StoredNetwork, save_stored
from philidor.nets.network_weights import weight_shapes
from philidor.pipelines.recipes import load_recipe, read_recipe
from philidor.players import load_engine
from tests.core.canary import CanaryGame
from tests.nets.onnx_nets import tictactoe_net


@pytest.fixture
def canary(tmp_path: Path) -> CanaryGame:
    return CanaryGame(tmp_path)


def own_network(path: Path, game: str) -> Path:
    """Writes a network that fits tic-tac-toe and says that it is for `game`."""
    config = preset("mlp", "tictactoe", filters=4, blocks=1)
    shapes = weight_shapes(config, config.load_encoding().shape)
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    fields = {name: getattr(config, name) for name in ("encoding", "body", "blocks", "filters")}
    save_stored(path, StoredNetwork(type(config)(**fields, game=game), arrays, {}))
    return path


@pytest.fixture(params=["safetensors", "onnx"])
def network(request: pytest.FixtureRequest, tmp_path: Path, canary: CanaryGame) -> Path:
    """A network that names the canary as its game."""
    path = tmp_path / f"net.{request.param}"
    if request.param == "onnx":
        path.write_bytes(tictactoe_net(canary.name))
        return path
    return own_network(path, canary.name)


def test_a_network_that_names_code_is_refused_and_the_code_is_not_run(network: Path, canary: CanaryGame) -> None:
    with pytest.raises(LoadError, match=r"net\..* is for the game '.*canary\.py:C.*name it yourself"):
        load_net(network)
    with pytest.raises(LoadError, match="name it yourself"):
        load_engine("net", net=str(network))
    assert not canary.was_run


@pytest.mark.parametrize("command", [["eval", "--net"], ["net", "verify"], ["net", "info"], ["bench", "--net"]])
def test_no_command_runs_what_a_network_names(
    command: list[str], network: Path, canary: CanaryGame, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*command, str(network)])
    assert code == (0 if command[-1] == "info" else 2), capsys.readouterr()
    assert not canary.was_run


def test_export_runs_no_code(tmp_path: Path, canary: CanaryGame, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = own_network(tmp_path / "net.safetensors", canary.name), tmp_path / "new.onnx"
    assert main(["net", "export", str(source), str(target)]) == 2
    assert "name it yourself" in capsys.readouterr().err
    assert not canary.was_run
    assert main(["net", "export", str(source), str(target), "--game", canary.name]) == 0


def test_who_names_the_game_plays_the_network(
    network: Path, canary: CanaryGame, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load_game(canary.name)
    for given in (canary.name, game):
        assert len(load_net(network, game=given).evaluate([game.state()])) == 1
    assert load_engine("net", net=str(network), game=game, simulations=2).choose(game.state()) is not None
    assert main(["net", "verify", str(network), "--game", canary.name]) == 0
    capsys.readouterr()
    assert main(["eval", "--net", str(network), "--game", canary.name, "--moves", "b2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["policy"]) == 8
    assert main(["eval", "--net", str(network), "--game", canary.name]) == 0


def test_a_players_game_is_no_setting(network: Path, canary: CanaryGame) -> None:
    settings = {"net": str(network), "game": canary.name}
    with pytest.raises(ConfigError, match="as load_game returned it"):
        load_engine("net", **settings)  # type: ignore[arg-type]  # as a file with settings would
    assert not canary.was_run


@pytest.mark.parametrize("name", ["os:abort", "evil.py:Game", ":", "philidor.games.hexapawn:Hexapawn"])
def test_a_file_can_name_games_of_the_table_only(name: str) -> None:
    with pytest.raises(LoadError, match="the file is for the game"):
        known_game(name)
    assert known_game("hexapawn-4x4").name == "hexapawn-4x4"
    with pytest.raises(PhilidorError, match="did you mean 'hexapawn'"):
        known_game("hexpawn")


def test_a_saved_game_runs_no_code(tmp_path: Path, canary: CanaryGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    match = new_match(GameChoice(game="tictactoe", opponent="random"))
    match.play(match.state.legal_moves()[0])
    path = unfinished.keep(match, "tictactoe")
    assert unfinished.find("tictactoe") is not None
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "game": canary.name}))
    assert unfinished.find("tictactoe") is None
    network = own_network(tmp_path / "net.safetensors", "tictactoe")
    for opponent in ({"name": "net", "config": {"net": str(network), "game": canary.name}}, {"name": "net"}):
        path.write_text(json.dumps({**data, "opponent": opponent}))
        assert unfinished.find("tictactoe") is None
    assert not canary.was_run


RECIPE = 'game = "{}"\n[network]\npreset = "mlp"\n'


def test_a_recipe_that_names_code_needs_the_users_word(tmp_path: Path, canary: CanaryGame) -> None:
    text, path = RECIPE.format(canary.name), tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(LoadError, match="the recipe is for the game"):
        read_recipe(text)
    with pytest.raises(LoadError, match="the recipe is for the game"):
        load_recipe(str(path))
    assert not canary.was_run
    assert load_recipe(str(path), canary.name).network.game == canary.name
    assert load_recipe(str(path), "connect4").network.encoding == "boards-1"


def test_training_runs_no_code_of_a_config(
    tmp_path: Path, canary: CanaryGame, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RECIPE.format(canary.name))
    assert main(["train", str(path), "--out", str(tmp_path / "run")]) == 2
    assert "name it yourself" in capsys.readouterr().err
    path.write_text(f'game = "{canary.name}"\n[network]\ngame = "{canary.name}"\nencoding = "boards-1"\n')
    assert main(["train", "hexapawn-zero", "--config", str(path), "--out", str(tmp_path / "run")]) == 2
    assert "name it yourself" in capsys.readouterr().err
    assert not canary.was_run
    assert main(["train", str(path), "--game", canary.name, "--help"]) == 0
    assert canary.was_run
