"""How people err: moves are judged by searches, kept in a file, and averaged by rating, phase and size."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from philidor.arena.people import judgments
from philidor.arena.people.errors import (
    ErrorsConfig,
    chosen_moves,
    draw_moves,
    measure_losses,
    summarize_errors,
    win_probability,
)
from philidor.arena.people.intervals import clustered_ratio
from philidor.arena.people.judgments import JudgeConfig, Judgments, judge_moves
from philidor.arena.people.predictors import Chances, load_predictors
from philidor.arena.people.sample import SampleConfig, draw_sample
from philidor.cli import main
from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.games.chess.phases import phase_of
from philidor.nets.shipped import DEFAULT_NET
from tests.arena.people_data import CHESS, random_games, write_games, write_net

QUICK = JudgeConfig(nodes=500)
# White can take a queen for nothing, or leave it.
FREE_QUEEN = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
# Qb6 is stalemate, Qc8 mate.
STALEMATE = "k7/8/1K6/8/8/8/2Q5/8 w - - 0 1"


def test_moves_are_worth_what_a_search_of_the_next_position_says(tmp_path: Path) -> None:
    wanted = {FREE_QUEEN: ["e4d5", "e1e2"], MATE_IN_ONE: ["a1a8", "g1f1"], STALEMATE: ["c2c7", "c2c8"]}
    with Judgments(tmp_path / "j.sqlite", QUICK) as store:
        found = judge_moves(wanted, store)
    assert found[FREE_QUEEN].best == "e4d5"
    assert found[FREE_QUEEN].scores["e4d5"] > found[FREE_QUEEN].scores["e1e2"] + 500
    assert found[MATE_IN_ONE].best == "a1a8"
    assert found[MATE_IN_ONE].scores["a1a8"] == 31_999
    assert found[STALEMATE].scores["c2c7"] == 0
    assert found[STALEMATE].scores["c2c8"] == 31_999


def test_nothing_is_judged_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j.sqlite"
    with Judgments(path, QUICK) as store:
        first = judge_moves({FREE_QUEEN: ["e1e2"]}, store)
    with Judgments(path, QUICK) as store:
        more = judge_moves({FREE_QUEEN: ["e1e2", "e1f2"]}, store)
    assert more[FREE_QUEEN].scores.items() >= first[FREE_QUEEN].scores.items()

    def refuse(*_: object) -> None:
        raise AssertionError("nothing is left to judge")

    monkeypatch.setattr(judgments, "Processes", refuse)
    with Judgments(path, QUICK) as store:
        assert judge_moves({FREE_QUEEN: ["e1f2"]}, store) == more


def test_a_file_of_another_judge_and_one_that_is_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    Judgments(path, QUICK).__exit__()
    with pytest.raises(ConfigError, match=f"has judgments by nnue net={DEFAULT_NET} nodes=500, not by .* nodes=600"):
        Judgments(path, JudgeConfig(nodes=600))
    path.write_text("no database, but longer than the header of one, which has a hundred bytes. " * 3)
    with pytest.raises(ConfigError, match="for judgments: file is not a database"):
        Judgments(path, QUICK)
    with pytest.raises(ConfigError, match="the judge is nnue or classic"):
        JudgeConfig(judge="random")


def test_moves_are_drawn_by_their_chances() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.15, 0.05], np.float32))
    count = 4000
    chances = Chances(np.tile(logits, count), 4 * np.arange(count + 1), np.zeros(count, np.float32))
    lots = np.random.default_rng(1).random(count)

    def shares(**settings: float) -> list[float]:
        found: list[float] = (np.bincount(draw_moves(chances, lots, **settings), minlength=4) / count).tolist()
        return found

    assert shares() == pytest.approx([0.5, 0.3, 0.15, 0.05], abs=0.03)
    assert shares(temperature=0) == [1, 0, 0, 0]
    assert shares(temperature=0.5) == pytest.approx([0.685, 0.247, 0.062, 0.007], abs=0.03)
    # The likeliest moves that reach 70 % together are the first two.
    assert shares(top_p=0.7) == pytest.approx([0.625, 0.375, 0, 0], abs=0.03)


def test_random_movers_err_more_than_an_engine_and_the_engine_is_its_own_judge(tmp_path: Path) -> None:
    """The oracle: games of random moves, judged beside the engine that judges."""
    config = ErrorsConfig(part="all", positions=0, bands=("all",), nodes=500, min_ply=16)
    sample = draw_sample([write_games(tmp_path / "a.rec", random_games(6))], config)
    movers = chosen_moves(sample, load_predictors(["nnue nodes=3000"], CHESS))
    assert [mover.name for mover in movers] == ["people", "nnue nodes=3000"]
    with Judgments(tmp_path / "j.sqlite", config.judging) as store:
        losses, phases = measure_losses(sample, movers, store)
    everything = summarize_errors(sample, losses, phases)[0]
    people, engine = everything.losses["people"], everything.losses["nnue nodes=3000"]
    assert people["loss_cp"].value > 100 > 4 * engine["loss_cp"].value
    assert people["errors_100"].value > people["errors_200"].value >= people["errors_300"].value > 0
    ratio = everything.ratios["nnue nodes=3000"]["loss_cp"].value
    assert ratio == pytest.approx(engine["loss_cp"].value / people["loss_cp"].value)
    # Nobody loses less than nothing, nor more than from ten pawns ahead to ten pawns behind.
    assert all(each.cp.min() >= 0 and each.cp.max() <= 2000 and each.chance.max() <= 1 for each in losses)


def test_phases_go_by_pieces_and_plies() -> None:
    assert phase_of(Position().fen(), 0) == 0
    assert phase_of(Position().fen(), 20) == 1
    assert phase_of(FREE_QUEEN, 4) == 2
    rooks_and_minors = "r3k2r/2bn4/8/8/8/8/2BN4/R3K2R w - - 0 1"  # twelve points
    assert phase_of(rooks_and_minors, 40) == 1
    assert phase_of(rooks_and_minors.replace("2bn4", "8"), 40) == 2


def test_win_probability_is_the_rating_formula() -> None:
    assert win_probability(np.array([0.0, 400.0, -400.0])).tolist() == pytest.approx([0.5, 10 / 11, 1 / 11])


def test_a_ratio_has_the_interval_of_a_bootstrap_by_game() -> None:
    chance = np.random.default_rng(5)
    clusters = np.repeat(np.arange(200), 5)
    below = chance.exponential(40, 1000) * chance.random(200)[clusters]
    above = 0.8 * below + chance.exponential(20, 1000)
    found = clustered_ratio(above, below, clusters)
    sums = np.stack([np.bincount(clusters, above), np.bincount(clusters, below)])
    ratios = [np.divide(*sums[:, chance.integers(0, 200, 200)].sum(axis=1)) for _ in range(3000)]
    low, high = np.quantile(ratios, [0.025, 0.975])
    assert found.value == pytest.approx(above.sum() / below.sum())
    assert found.error == pytest.approx((high - low) / 2, rel=0.08)
    assert math.isnan(clustered_ratio(above, np.zeros(1000), clusters).value)


def test_the_command_reports_people_and_networks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, net = write_games(tmp_path / "a.rec", random_games(8)), write_net(tmp_path / "human.safetensors")
    common = ["net", "errors", "--games", str(file), "--part", "all", "--positions", "4", "--nodes", "200"]
    common += ["--cache", str(tmp_path / "j.sqlite"), "--workers", "1"]
    command = [*common, f"{net} temperature=0.5"]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    row = next(row for row in report["rows"] if (row["band"], row["phase"]) == ("all", "all"))
    assert list(row["losses"]) == ["people", "human temperature=0.5"]
    assert row["losses"]["people"]["loss_cp"]["mean"] >= 0
    assert main(command) == 0
    assert "human temperature=0.5 / people" in capsys.readouterr().out
    assert main([*common, f"{net} top_p=2"]) == 2
    assert "top_p= is a number from 0.001 to 1, got '2'" in capsys.readouterr().err


def test_only_chess_has_a_judge(tmp_path: Path) -> None:
    from philidor.games import load_game

    game = load_game("hexapawn")
    file = write_games(tmp_path / "a.rec", random_games(4, game=game), game)
    sample = draw_sample([file], SampleConfig(part="all", bands=("all",)))
    with (
        Judgments(tmp_path / "j.sqlite", QUICK) as store,
        pytest.raises(ConfigError, match="errors are judged in chess"),
    ):
        measure_losses(sample, chosen_moves(sample, []), store)
