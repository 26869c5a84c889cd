"""The networks of a zero run over its time: each is measured once, by what it has, and placed where it belongs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

from philidor.cli import main
from philidor.core.errors import ConfigError, NetError, RunError
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.nets.torch.files import save_network
from philidor.nets.torch.model import build
from philidor.pipelines.learning.over_time import Measured, OverTime, OverTimeConfig
from philidor.pipelines.learning.over_time_report import charts_of
from philidor.pipelines.learning.teacher import record_games
from philidor.pipelines.recipes import load_recipe
from philidor.pipelines.zero.files import ZeroFiles

GENERATIONS = 6
RECIPE = load_recipe("hexapawn-4x4-zero")
_POLICY = replace(RECIPE.network, encoding="boards-1", body="plain", filters=8, value="none")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of six networks that nobody trained, a network beside, and games."""
    folder = tmp_path_factory.mktemp("over-time")
    run = Run.create("zero", RECIPE, folder)
    files = ZeroFiles(run)
    for number in range(GENERATIONS):
        save_network(files.network(number), build(RECIPE.network, seed=number))
        run.log({"event": "play", "generation": number, "evaluations": 1_000_000})
    save_network(folder / "policy.safetensors", build(_POLICY, seed=9))
    record_games(folder / "games.rec", load_game("hexapawn-4x4"), "random", 30, opening_plies=2, seed=1)
    run.release()
    return folder


def config_of(folder: Path, **settings: object) -> OverTimeConfig:
    given = {"anchors": ("random", "uct iterations=5"), "pairs": 1, "simulations": 2, "networks": 3, "part": "all"}
    return OverTimeConfig(
        zero=folder / "zero",
        games=(folder / "games.rec",),
        beside=(str(folder / "policy.safetensors"),),
        **(given | settings),  # type: ignore[arg-type]
    )


def test_networks_are_spread_over_the_run_and_measured_by_the_heads_they_have(folder: Path, tmp_path: Path) -> None:
    config = config_of(folder)
    over_time = OverTime(config, Run.create("whole", config, tmp_path))
    assert over_time.go()
    first, middle, last, beside = over_time.measured()
    assert [each.generation for each in (first, middle, last)] == [0, 2, 5]
    # What was evaluated before a network was made: nothing before the first, by five networks before the last.
    assert [each.evaluations for each in (first, middle, last)] == [0, 2e6, 5e6]
    assert all(each.elo and each.top1 and each.value_error for each in (first, middle, last))
    assert beside.top1 is not None
    assert (beside.value_error, beside.elo) == (None, None), "it has no value"
    assert over_time.anchor_ratings()["random"].value == 0


def test_a_stopped_measurement_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    config = config_of(folder)
    whole = OverTime(config, Run.create("whole", config, tmp_path))
    whole.go()
    run, patience, seen = Run.create("pieces", config, tmp_path), 0, []
    while True:
        left = patience

        def is_stopped() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        over_time = OverTime(config, run, watch=lambda moment: seen.append(moment.what), is_stopped=is_stopped)
        if over_time.go():
            break
        patience += 1
    assert len(seen) == len(set(seen)) == 5, "one meeting of the anchors and four networks, none of them twice"
    assert over_time.measured() == whole.measured()


def test_without_ratings_no_game_is_played(folder: Path, tmp_path: Path) -> None:
    config = config_of(folder, pairs=0)
    over_time = OverTime(config, Run.create("unrated", config, tmp_path))
    assert over_time.go()
    assert {each.elo for each in over_time.measured()} == {None}
    assert over_time.anchor_ratings() == {}


def test_a_network_beside_is_a_level_line() -> None:
    from philidor.arena.statistics import Estimate

    own = [Measured("zero", n, n * 1e6, None, Estimate(0.1 * n, 0.02), None) for n in (0, 3)]
    beside = Measured("games-1", None, 0.0, None, Estimate(0.5, 0.01), None)
    rating, moves, error = charts_of([*own, beside])
    assert rating.series == error.series == ()
    assert [(line.name, line.points) for line in moves.series] == [
        ("from zero", ((0.0, 0.0), (3.0, pytest.approx(0.3)))),
        ("games-1", ((0.0, 0.5), (3.0, 0.5))),
    ]


def test_what_is_missing_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run.create("bad", config_of(folder), tmp_path)
    with pytest.raises(ConfigError, match="--zero RUN --games FILE"):
        OverTime(OverTimeConfig(), run)
    with pytest.raises(RunError, match="no run in"):
        OverTime(config_of(tmp_path), run)
    with pytest.raises(ConfigError, match="they must differ"):
        config_of(folder, anchors=("random", "random"))
    empty = Run.create("empty", RECIPE, tmp_path)
    with pytest.raises(ConfigError, match="has no networks"):
        OverTime(replace(config_of(folder), zero=empty.path), run)
    other = tmp_path / "other.safetensors"
    save_network(other, build(load_recipe("tictactoe-zero").network, seed=1))
    over_time = OverTime(replace(config_of(folder, pairs=0), beside=(str(other),)), run)
    with pytest.raises(NetError, match="is a network for tictactoe"):
        over_time.go()


def test_the_command_prints_a_table_and_writes_the_curves(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--zero", str(folder / "zero"), "--games", str(folder / "games.rec"), "--part", "all", "--pairs", "0"]
    out = ["--networks", "2", "--out", str(tmp_path / "out")]
    assert main(["experiment", "zero-over-time", *words, *out]) == 0
    assert "| from zero, 5 | 5.0 |" in capsys.readouterr().out
    assert (tmp_path / "out/report/curves.svg").read_text().startswith("<svg")
    assert main(["experiment", "zero-over-time", *words, *out, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["networks"]) == 2
