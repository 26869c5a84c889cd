"""AlphaGo as a player, in miniature: all of its parts, what is missing is told, and games end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.core.errors import ConfigError, NetError  # noqa: E402
from philidor.core.thinking import Limits  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.nets.network_config import NetworkConfig  # noqa: E402
from philidor.nets.patterns import FIXED_FEATURES, PatternKind, PatternNet, save_patterns  # noqa: E402
from philidor.nets.torch.files import save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402
from philidor.players import load_engine, offered_players, suits  # noqa: E402

GAME = load_game("go-5x5")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("nets")
    common = {"game": "go-5x5", "body": "plain", "blocks": 1, "filters": 4}
    networks = {
        "net": NetworkConfig(**common, encoding="alphago-48", policy="points", value="none"),  # type: ignore[arg-type]
        "value_net": NetworkConfig(**common, encoding="alphago-49", policy="none", value="tanh"),  # type: ignore[arg-type]
    }
    paths: dict[str, Path] = {}
    for name, config in networks.items():
        paths[name] = folder / f"{name}.safetensors"
        save_network(paths[name], build(config, seed=1))
    kinds: dict[str, PatternKind] = {"rollout": "rollout", "tree": "tree"}
    for name, kind in kinds.items():
        none = np.zeros(0, np.uint64)
        paths[name] = folder / f"{name}.phpt"
        save_patterns(paths[name], PatternNet(kind, none, none, none, np.zeros(FIXED_FEATURES, np.float32)))
    return paths


def test_it_takes_what_hangs_and_ends_its_games(files: dict[str, Any]) -> None:
    # The policy knows nothing; rollouts and the tree find that whoever plays e5 takes the other's stones.
    player = load_engine("alphago", simulations=600, mixing=1.0, threshold=2, c_puct=5.0, **files)
    state = load_game("go-5x5,komi=-7").state("OOOO./XXXXX/OOOOO/...../..... X")
    assert player.choose(state) == "e5"
    quick = load_engine("alphago", simulations=16, **files)
    for _ in range(60):
        if state.is_over():
            break
        state = state.play(quick.choose(state))
    assert state.is_over()


def test_an_analysis_tells_visits_and_priors(files: dict[str, Any]) -> None:
    found = load_engine("alphago", **files).analyse(GAME.state(), simulations=40)
    assert sum(move.visits or 0 for move in found.moves) == 40
    assert sum(move.prior or 0 for move in found.moves) == pytest.approx(1, abs=1e-4)


def test_what_is_missing_is_told(files: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="no value network for a board of 5x5"):
        load_engine("alphago").choose(GAME.state())
    with pytest.raises(ConfigError, match=r"no policy network for a board of 5x5 .*, only for 19x19 and 9x9:"):
        load_engine("alphago-sl").choose(GAME.state())
    with pytest.raises(ConfigError, match="rollout policy"):
        load_engine("alphago", net=files["net"], value_net=files["value_net"]).choose(GAME.state())
    with pytest.raises(NetError, match="PHPT"):
        load_engine("alphago", **{**files, "rollout": files["net"]}).choose(GAME.state())
    with pytest.raises(ConfigError, match="plays Go"):
        load_engine("alphago", **files).choose(load_game("gomoku").state())


def test_it_keeps_its_limits_and_hears_an_order_to_stop(files: dict[str, Any]) -> None:
    player = load_engine("alphago", simulations=1_000_000, batch=8, **files)
    asked: list[int] = []

    def after_three() -> bool:
        asked.append(1)
        return len(asked) == 3

    assert player.think(GAME.state(), Limits(), after_three).nodes == 24
    assert player.think(GAME.state(), Limits(nodes=20)).nodes == 20
    found = player.think(GAME.state(), Limits(time_s=0.05))
    assert found.best is not None
    assert found.time_s < 10


def test_it_plays_with_the_networks_that_ship_where_they_fit() -> None:
    small, large, other = (load_game(name) for name in ("go-9x9,komi=6.5", "go", "go-13x13"))
    state = small.state().play("e5").play("e3")
    assert load_engine("alphago", simulations=24).choose(state) in map(state.move_text, state.legal_moves())
    assert load_engine("alphago-sl").choose(large.state()) in {"d4", "d16", "q4", "q16", "q3", "r4", "c4", "d3"}
    assert {"alphago", "alphago-sl"} <= set(offered_players())
    fits = {name: [suits(name, game) for game in (small, large, other)] for name in ("alphago", "alphago-sl", "uct")}
    assert fits == {"alphago": [True, False, False], "alphago-sl": [True, True, False], "uct": [True, True, True]}
    with pytest.raises(ConfigError, match="no value network for a board of 19x19"):
        load_engine("alphago").choose(large.state())
