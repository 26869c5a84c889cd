"""All five networks of AlphaGo by one pipeline, in miniature: what is made, what is handed on, and going on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from philidor.core.errors import ConfigError  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.pipelines.alphago import STEPS, AlphaGoPipeline, AlphaGoRecipe, match_command  # noqa: E402
from philidor.players import load_engine  # noqa: E402
from philidor.train.pattern_config import PatternTrainingConfig  # noqa: E402
from philidor.train.policy_gradient_config import PolicyGradientConfig  # noqa: E402
from philidor.train.value_config import ValueTrainingConfig  # noqa: E402
from tests.pipelines.test_alphago import RECIPE  # noqa: E402
from tests.train.go_games import write_go_games  # noqa: E402

torch.set_num_threads(1)

LINEAR = PatternTrainingConfig(epochs=1.0, least_squares=1, least_responses=1, least_diamonds=1)


def recipe_in(folder: Path) -> AlphaGoRecipe:
    policy = folder / "policy.toml"
    policy.write_text(RECIPE.replace("steps = 120", "steps = 5\nbatch_norm = true"), encoding="utf-8")
    return AlphaGoRecipe(
        policy=str(policy),
        rollout=LINEAR,
        tree=LINEAR,
        rl=PolicyGradientConfig(game="go-5x5", updates=2, games=4, measured=4, measure_every=2, device="cpu"),
        value=ValueTrainingConfig(
            game="go-5x5", games=16, games_at_once=8, last_ply=6, blocks=1, filters=4, steps=3, batch=4, device="cpu"
        ),
    )


def test_all_steps_are_made_and_a_stopped_pipeline_goes_on(tmp_path: Path) -> None:
    games = write_go_games(tmp_path / "games.rec", 200)
    recipe, told = recipe_in(tmp_path), list[str]()

    def pipeline(last: str = "") -> AlphaGoPipeline:
        return AlphaGoPipeline(
            recipe,
            [games],
            tmp_path / "run",
            watch=lambda step, *_: told.append(step),
            is_stopped=lambda: bool(last) and last in told,
        )

    assert not pipeline("rl").go()
    assert list(dict.fromkeys(told)) == ["policy", "rollout", "tree", "rl"]
    made = pipeline()
    before = made.network("policy").read_bytes()
    assert made.go()
    assert made.network("policy").read_bytes() == before
    assert all(made.network(step).is_file() for step in STEPS)
    parts = {"net": "policy", "value_net": "value", "rollout": "rollout", "tree": "tree"}
    files: dict[str, Any] = {name: made.network(step) for name, step in parts.items()}  # type: ignore[arg-type]
    state = load_game("go-5x5").state()
    assert load_engine("alphago", simulations=8, **files).choose(state) in map(state.move_text, state.legal_moves())
    assert str(made.network("value")) in match_command(made)


def test_a_pipeline_hands_its_networks_on_by_itself(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="hand their networks on"):
        AlphaGoRecipe(rl=PolicyGradientConfig(net=tmp_path / "other"))
    with pytest.raises(ConfigError, match="no policy network of AlphaGo's kind"):
        AlphaGoPipeline(AlphaGoRecipe(policy="human"), [], tmp_path)
