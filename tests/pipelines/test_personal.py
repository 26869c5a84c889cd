"""Training on one person: only their moves are learned, what it has brought is measured on games that were kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.cli.run import run as philidor  # noqa: E402
from philidor.core.errors import ConfigError, NetError  # noqa: E402
from philidor.core.runs import Run  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.nets.network_config import NetworkConfig  # noqa: E402
from philidor.nets.torch.files import save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402
from philidor.pipelines.games import boards_of, open_games  # noqa: E402
from philidor.pipelines.personal import DEFAULT_TRAINING, own_moves, personal_recipe, split_games  # noqa: E402
from philidor.train.game_data import GameData  # noqa: E402
from tests.train.rated_games import WEAK, rated_game  # noqa: E402

torch.set_num_threads(1)

NETWORK = NetworkConfig(encoding="human-1", blocks=1, filters=16, policy_planes=4, value_hidden=8)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("net") / "human.safetensors"
    save_network(path, build(NETWORK, 1))
    return path


def write_games(path: Path, count: int) -> Path:
    """A weak player, now White, now Black, against others; games of others between them."""
    texts = []
    for seed in range(count):
        game = rated_game(seed, plies=8)
        names = {"White": "Club Player", "Black": "Other"} if game.ratings[0] == WEAK else {}
        names = names or {"White": "Other", "Black": "club  player"}
        texts += [replace(game, tags=names).to_pgn(), replace(game, tags={"White": "A", "Black": "B"}).to_pgn()]
    path.write_text("\n\n".join(texts) + "\n")
    return path


def test_a_person_is_foreseen_better_than_before(net: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = write_games(tmp_path / "mine.pgn", 120)
    command = [
        "train",
        "personal",
        "--games",
        str(games),
        "--player",
        "Club Player",
        "--net",
        str(net),
        "--threads",
        "1",
    ]
    settings = ["--training-epochs", "10", "--training-learning-rate", "0.01", "--training-device", "cpu"]
    assert philidor([*command, *settings, "--out", str(tmp_path / "run"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["is_better"]
    assert facts["games"] == 120
    assert 10 < facts["kept_games"] < 40
    assert facts["positions"] == 4 * facts["kept_games"], "only the person's own moves"
    assert facts["top1_after"] > 0.6 > 0.3 > facts["top1_before"]
    assert facts["cross_entropy"]["mean"] + facts["cross_entropy"]["margin"] < -0.5
    assert Path(facts["network"]).is_file()
    # Given again it only says so again.
    assert philidor([*command, *settings, "--out", str(tmp_path / "run")]) == 0
    said = capsys.readouterr().out
    assert "moves of Club Player in" in said
    assert "No improvement" not in said


def test_only_the_persons_moves_count(net: Path, tmp_path: Path) -> None:
    games = write_games(tmp_path / "mine.pgn", 80)
    recipe = personal_recipe(net, [games], DEFAULT_TRAINING, 1)
    run = Run.create("run", recipe, tmp_path)
    split = split_games([games], "club player", run, watch=lambda moment: None, is_stopped=lambda: False)
    assert split is not None
    learned, _ = split
    data = open_games(recipe, learned.files, recipe.data, "all", 1)
    with data.batches(epochs=1) as stream:
        batch = own_moves(next(stream))
    # The person is the weak one of each game.
    np.testing.assert_array_equal(batch.weight > 0, batch.ratings[:, 0] == WEAK)
    assert 0 < (batch.weight > 0).mean() < 1
    assert isinstance(data, GameData)
    assert boards_of(recipe.network.load_encoding()).name == "leela-1-flat"
    assert load_game(recipe.game).name == "chess"


def test_too_few_games_and_unknown_names_are_refused(net: Path, tmp_path: Path) -> None:
    recipe = personal_recipe(net, [], DEFAULT_TRAINING, 1)
    games = write_games(tmp_path / "mine.pgn", 20)
    for player, message in (
        ("Club Player", "20 games of 'Club Player' are too few to learn from: there must be 50"),
        ("Nobody", "no game of 'Nobody'; most games are of: "),
    ):
        run = Run.resume_or_create("run", recipe, tmp_path)
        with pytest.raises(ConfigError, match=message):
            split_games([games], player, run, watch=lambda moment: None, is_stopped=lambda: False)
        assert not list(run.shards.iterdir())


def test_a_network_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    save_network(path, build(replace(NETWORK, game="hexapawn", encoding="hexapawn"), 1))
    with pytest.raises(NetError, match="plays hexapawn over 'hexapawn'"):
        personal_recipe(path, [], DEFAULT_TRAINING, 1)
