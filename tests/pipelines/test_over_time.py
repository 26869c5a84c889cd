"""The networks of a zero run over its time: each is measured once, by what it has, and placed where it belongs."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")


from philidor.arena.people.predictors import Chances
from philidor.arena.people.sample import SampleConfig, draw_sample
from philidor.arena.statistics import Estimate
from philidor.cli import main
from philidor.core.errors import ConfigError, NetError, RunError
from philidor.core.runs import Run
from philidor.encodings.alphazero import AlphaZeroEncoding
from philidor.encodings.encoding import Batch
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.torch.files import save_network
from philidor.nets.torch.model import build
from philidor.pipelines.learning.knowledge import _differences, piece_worths
from philidor.pipelines.learning.over_time import Measured, OverTime, OverTimeConfig
from philidor.pipelines.learning.over_time_report import charts_of, knowledge_charts
from philidor.pipelines.learning.teacher import record_games
from philidor.pipelines.recipes import load_recipe
from philidor.pipelines.zero.files import ZeroFiles
from tests.arena.people_data import random_games, write_games

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
    assert sum(last.openings.values()) == pytest.approx(1, abs=1e-4)
    assert over_time.first_move == max(last.openings, key=last.openings.__getitem__)
    assert last.pieces == {}, "only chess has pieces with values"


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
        patience = 2 * patience + 1
    assert patience > 100, "it can be stopped within a game"
    assert len(set(seen)) == 5, "one meeting of the anchors and four networks"
    measured = [event["network"] for event in run.metrics() if event["event"] == "measure"]
    assert len(measured) == len(set(measured)) == 4, "none of them twice"
    assert over_time.measured() == whole.measured()


def test_answers_stay_those_to_one_move_when_the_run_goes_on(folder: Path, tmp_path: Path) -> None:
    config = config_of(folder, pairs=0)
    run = Run.create("first", config, tmp_path)
    before = OverTime(config, run)
    before.go()
    shares = before.measured()[-2].openings
    other = next(move for move in shares if move != before.first_move)
    run.metrics_path.write_text(
        run.metrics_path.read_text().replace(f'"move": "{before.first_move}"', f'"move": "{other}"')
    )
    assert OverTime(config, run).first_move == other, "what was measured first decides, not the newest network"


def test_without_ratings_no_game_is_played(folder: Path, tmp_path: Path) -> None:
    config = config_of(folder, pairs=0)
    over_time = OverTime(config, Run.create("unrated", config, tmp_path))
    assert over_time.go()
    assert {each.elo for each in over_time.measured()} == {None}
    assert over_time.anchor_ratings() == {}


def measured(generation: int, top1: Estimate, **openings: float) -> Measured:
    return Measured("zero", generation, generation * 1e6, None, top1, None, openings, {}, {})


def test_openings_are_those_that_the_last_network_likes_most() -> None:
    nothing = Estimate(0.0, 0.0)
    early = measured(1, nothing, a3=0.7, b3=0.1, c3=0.1, d3=0.05, e3=0.03, f3=0.02)
    late = measured(2, nothing, a3=0.01, b3=0.02, c3=0.07, d3=0.1, e3=0.3, f3=0.5)
    (chart,) = knowledge_charts([early, late], "f3")
    assert [line.name for line in chart.series] == ["f3", "e3", "d3", "c3", "b3"]
    assert chart.series[0].points == ((1.0, 0.02), (2.0, 0.5))


WORTHS = (0.1, 0.3, 0.32, 0.5, 0.9)


class Counter:
    """Expects results by counting pieces, and by the move."""

    boards = AlphaZeroEncoding()

    def __init__(self, states: list[Position]) -> None:
        self._values = [
            math.tanh(0.05 + sum(map(math.prod, zip(WORTHS, _differences(s), strict=False)))) for s in states
        ]

    def expect(self, batch: Batch, ratings: object) -> Chances:
        values, self._values = self._values[: len(batch)], self._values[len(batch) :]
        return Chances(np.zeros(0, np.float32), batch.legal_offsets, np.array(values, np.float32))


def test_the_worths_of_pieces_are_found_again(tmp_path: Path) -> None:
    file = write_games(tmp_path / "games.rec", random_games(40, plies=90))
    sample = draw_sample([file], SampleConfig(part="all", bands=("all",), positions=0))
    states = [state for state, _ in sample.positions()]
    found = piece_worths(sample, Counter(states))  # type: ignore[arg-type]
    assert list(found) == list("PNBRQ")
    # Where a piece hangs, or all is won, the regression does not look or stops to grow: nearly, not exactly.
    assert list(found.values()) == pytest.approx(WORTHS, rel=0.1)


def test_a_network_beside_is_a_level_line() -> None:
    own = [measured(n, Estimate(0.1 * n, 0.02)) for n in (0, 3)]
    beside = replace(measured(0, Estimate(0.5, 0.01)), name="games-1", generation=None)
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
