"""AlphaGo's reinforcement learning in miniature: games in lockstep, the gradient's direction, stopping and going on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.core.errors import ConfigError  # noqa: E402
from philidor.core.runs import Run  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.games.go import Go  # noqa: E402
from philidor.nets.network_config import NetworkConfig  # noqa: E402
from philidor.nets.torch.files import load_network, save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402
from philidor.train.policy_gradient_config import PolicyGradientConfig  # noqa: E402
from philidor.train.torch.lockstep import first_results, masked_logits, play_games  # noqa: E402
from philidor.train.torch.policy_gradient import PolicyGradientLoop  # noqa: E402

torch.set_num_threads(1)

TINY = NetworkConfig(
    game="go-5x5", encoding="alphago-48", body="plain", blocks=1, filters=8, policy="points", value="none"
)
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "sl.safetensors"
    save_network(path, build(TINY, seed=1))
    return path


def config_of(policy: Path) -> PolicyGradientConfig:
    return PolicyGradientConfig(
        net=policy, game="go-5x5", updates=3, games=8, pool_every=1, measure_every=3, measured=8, device="cpu"
    )


def start(config: PolicyGradientConfig, folder: Path) -> PolicyGradientLoop:
    return PolicyGradientLoop(config, Run.resume_or_create("run", config, folder))


def test_games_in_lockstep_are_games(policy: Path) -> None:
    game = load_game("go-5x5")
    assert isinstance(game, Go)
    net = load_network(policy).eval()
    random = torch.Generator().manual_seed(1)
    played = play_games((net, net), game, 6, device=CPU, random=random)
    assert played is not None
    moves = played.moves
    for number in range(6):
        # The first network's moves are replayed; the other's fill the gaps, so only the first one is checked here.
        mine = moves.move[moves.game == number]
        assert len(mine) > 3
        assert ((mine >= 0) & (mine <= 25)).all()
    # Whoever has the first move sees an empty board; the other sees one stone.
    empty = moves.planes[:3, 2]
    assert [int(row[0]).bit_count() for row in empty] == [25, 25, 25]
    assert set(np.unique(played.results)) <= {-1.0, 0.0, 1.0}
    np.testing.assert_array_equal(first_results(played)[:3], played.results[:3])
    np.testing.assert_array_equal(first_results(played)[3:], -played.results[3:])


def test_moves_of_won_games_become_likelier_and_of_lost_ones_less(policy: Path, tmp_path: Path) -> None:
    loop = start(replace(config_of(policy), baseline="none", learning_rate=1.0), tmp_path)
    played = play_games((loop.model, loop.start), loop.game, 4, device=CPU, random=torch.Generator().manual_seed(2))
    assert played is not None

    def mean_log() -> float:
        with torch.no_grad():
            logs = masked_logits(loop.model, played.moves.planes, CPU).log_softmax(dim=1)
        return float(logs.gather(1, torch.from_numpy(played.moves.move)[:, None]).mean())

    first = mean_log()
    loop._learn(played, np.ones(4, np.float32))
    won = mean_log()
    loop._learn(played, -np.ones(4, np.float32))
    assert won > first + 1e-4
    assert mean_log() < won - 1e-4


def test_a_mean_result_teaches_nothing_above_its_baseline(policy: Path, tmp_path: Path) -> None:
    loop = start(config_of(policy), tmp_path)
    before = {name: tensor.clone() for name, tensor in loop.model.state_dict().items()}
    played = play_games((loop.model, loop.start), loop.game, 4, device=CPU, random=torch.Generator().manual_seed(2))
    assert played is not None
    loop._learn(played, np.ones(4, np.float32))
    for name, tensor in loop.model.state_dict().items():
        torch.testing.assert_close(tensor, before[name])


def test_stopped_and_gone_on_ends_at_the_same_network(policy: Path, tmp_path: Path) -> None:
    config = config_of(policy)
    whole = start(config, tmp_path / "whole")
    assert whole.go()
    events = whole.run.metrics()
    assert [event["pool"] for event in events] == [2, 3, 4]
    assert 0 <= events[-1]["against_start"] <= 1
    parts = start(config, tmp_path / "parts")
    assert not parts.go(is_stopped=lambda: parts.update >= 2)
    again = start(config, tmp_path / "parts")
    assert again.update == 2
    assert again.go()
    for name, tensor in again.model.state_dict().items():
        assert torch.equal(tensor, whole.model.state_dict()[name]), name


def test_what_does_not_fit_is_told(policy: Path, tmp_path: Path) -> None:
    config = config_of(policy)
    with pytest.raises(ConfigError, match="to begin with"):
        start(replace(config, net=None), tmp_path / "a")
    with pytest.raises(ConfigError, match="alphago-48"):
        start(replace(config, game="go-7x7"), tmp_path / "b")
    with pytest.raises(ConfigError, match="play Go"):
        start(replace(config, game="gomoku"), tmp_path / "c")
    with pytest.raises(ConfigError, match="even"):
        replace(config, games=7)
