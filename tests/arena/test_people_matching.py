"""Move matching: which positions are drawn, what is counted in them, and how sure that is."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.arena.people.intervals import clustered_mean
from philidor.arena.people.matching import predict_all, summarize
from philidor.arena.people.predictors import NetPredictor, RatingView, load_predictors
from philidor.arena.people.sample import Sample, SampleConfig, draw_sample
from philidor.cli import main
from philidor.core.errors import ConfigError, RecordError
from philidor.encodings.human import at_ratings
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.records.native import part_name, to_native
from tests.arena.people_data import CHESS, random_games, write_games, write_net

EVERYTHING = SampleConfig(part="all", positions=0)


def names(sample: Sample) -> list[tuple[int, int, int]]:
    """What was drawn: game, ply and band."""
    hashes = [game.record.content_hash() for game in sample.games for _ in game.plies]
    return list(zip(hashes, sample.ply.tolist(), sample.band.tolist(), strict=True))


def test_the_draw_depends_on_nothing_but_games_and_seed(tmp_path: Path) -> None:
    games = random_games(60)
    one = write_games(tmp_path / "a.rec", games)
    # The same games in another order, in two files, some of them twice, and one file as PGN.
    pgn = tmp_path / "b.pgn"
    pgn.write_text("\n\n".join(game.to_pgn() for game in games[40:]))
    other = [write_games(tmp_path / "c.rec", [*games[39::-1], *games[:7]]), pgn]
    config = SampleConfig(part="all", positions=40)
    first = draw_sample([one], config)
    assert names(first) == names(draw_sample(other, config))
    assert np.array_equal(first.ratings, draw_sample(other, config).ratings)
    assert len(first) == 40 * 6
    assert set(names(first)) <= set(names(draw_sample([one], replace(config, positions=50))))
    assert names(first) != names(draw_sample([one], replace(config, seed=2)))
    # Every third to fourth position of a band is drawn: at all plies alike.
    assert abs(first.ply.mean() - 11.5) < 1.5


def test_a_row_has_the_movers_view(tmp_path: Path) -> None:
    games = random_games(20)
    sample = draw_sample([write_games(tmp_path / "a.rec", games)], EVERYTHING)
    known = {game.content_hash(): game for game in games}
    rows = 0
    for row, ((state, played), (identity, ply, band)) in enumerate(zip(sample.positions(), names(sample), strict=True)):
        game = known[identity]
        mover = state.to_move
        assert tuple(sample.ratings[row]) == (game.ratings[mover], game.ratings[1 - mover])
        low, high = map(int, sample.bands[band].split("-"))
        assert low <= sample.ratings[row, 0] <= high
        assert state.text() == list(game.states(CHESS))[ply].text()
        assert played == game.indices[ply]
        value = {1: 1 - 2 * mover, 2: 0, 3: 2 * mover - 1}.get(game.result, math.nan)
        assert sample.value[row] == pytest.approx(value, nan_ok=True)
        rows += 1
    # All that were not drawn have a mover in no band.
    assert rows == sum(
        1000 <= (game.ratings[state.to_move] or 0) <= 2499
        for game in games
        for state in list(game.states(CHESS))[:-1]
    )  # fmt: skip


def test_parts_bands_and_plies_are_kept_to(tmp_path: Path) -> None:
    games = {game.content_hash(): game for game in random_games(300, plies=12)}
    file = write_games(tmp_path / "a.rec", list(games.values()))
    sample = draw_sample([file], SampleConfig(part="train", positions=0, min_ply=4, bands=("1440-1560",)))
    assert sample.ply.min() == 4
    assert set(sample.ratings[:, 0]) == {1450, 1550}
    sizes = {part: len(draw_sample([file], everybody(part))) for part in ("train", "validation", "test", "all")}
    for part in ("train", "validation", "test"):
        assert sizes[part] == sum(len(game) for game in games.values() if part_name(to_native(game)) == part)
    assert sizes["all"] == sum(map(len, games.values()))


def everybody(part: Any) -> SampleConfig:
    return SampleConfig(part=part, positions=0, bands=("all",))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"bands": ("1000-1399", "1300-1500")}, "must not overlap"),
        ({"bands": ("1399-1000",)}, "a band is written 1000-1399"),
        ({"bands": ("weak",)}, "a band is written 1000-1399"),
    ],
)
def test_bands_that_make_no_sense_are_refused(settings: dict[str, tuple[str, ...]], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        SampleConfig(bands=settings["bands"])


def test_nothing_to_judge_is_said(tmp_path: Path) -> None:
    file = write_games(tmp_path / "a.rec", random_games(3))
    with pytest.raises(ConfigError, match=r"none of the 3 games has a position to judge.*band all everybody"):
        draw_sample([file], SampleConfig(part="all", bands=("2600-2700",)))
    with pytest.raises(RecordError, match="no such file"):
        draw_sample([tmp_path / "b.rec"], SampleConfig())


@pytest.mark.parametrize(("ratings", "told"), [("true", None), ("none", (0, 0)), ("1500", (1500, 1500))])
def test_scores_are_what_the_evaluator_says_position_by_position(
    ratings: str, told: tuple[int, int] | None, tmp_path: Path
) -> None:
    """The oracle: one position at a time through the public evaluator, with its own softmax."""
    sample = draw_sample([write_games(tmp_path / "a.rec", random_games(12))], EVERYTHING)
    net = write_net(tmp_path / "human.safetensors")
    predictors = load_predictors([f"{net} ratings={ratings}"], CHESS)
    (found,) = predict_all(sample, predictors)
    evaluator = load_net(net)
    assert isinstance(evaluator, NetEvaluator)
    for row, (state, played) in enumerate(sample.positions()):
        batch = at_ratings(evaluator.encoding.encode([state]), [told or sample.ratings[row]])
        (judged,) = evaluator.evaluate_encoded([state], batch)
        order = np.argsort(-judged.priors, kind="stable").tolist()
        assert found.top1[row] == (order[0] == played)
        assert found.top3[row] == (played in order[:3])
        assert found.cross_entropy[row] == pytest.approx(-math.log(judged.priors[played]), abs=1e-4)
        error = (judged.value - sample.value[row]) ** 2
        assert found.value_error[row] == pytest.approx(error, abs=1e-4, nan_ok=True)


def test_ratings_are_told_as_asked() -> None:
    ratings = np.array([[1500, 1600], [0, 2000], [300, 1]])
    assert RatingView("true").of(ratings).tolist() == ratings.tolist()
    assert RatingView("none").of(ratings).tolist() == [[0, 0]] * 3
    assert RatingView("+600").of(ratings).tolist() == [[2100, 2200], [0, 2600], [900, 601]]
    assert RatingView("-600").of(ratings).tolist() == [[900, 1000], [0, 1400], [1, 1]]
    assert RatingView("1800").of(ratings).tolist() == [[1800, 1800]] * 3
    with pytest.raises(ConfigError, match="ratings are none, true"):
        RatingView("high")


def test_a_network_without_a_policy_is_refused_with_the_way_to_use_it() -> None:
    with pytest.raises(ConfigError, match="has no policy; an engine that plays by it is written nnue net=philidor-4"):
        load_predictors(["philidor-4"], CHESS)


def test_positions_of_a_game_do_not_count_as_independent() -> None:
    chance = np.random.default_rng(3)
    values = chance.random(200)
    alone = clustered_mean(values, np.arange(200))
    assert alone.error == pytest.approx(1.96 * values.std(ddof=1) / math.sqrt(200), rel=1e-3)
    # Ten times the same measurement is no more than one.
    repeated = clustered_mean(values.repeat(10), np.arange(200).repeat(10))
    assert (repeated.value, repeated.error) == pytest.approx((alone.value, alone.error))
    assert clustered_mean(np.array([1.0, np.nan]), np.array([0, 1])).error == math.inf
    assert math.isnan(clustered_mean(np.array([np.nan]), np.array([0])).value)


def test_the_interval_is_that_of_a_bootstrap_by_game() -> None:
    chance = np.random.default_rng(4)
    clusters = np.repeat(np.arange(150), chance.integers(1, 12, 150))
    values = (chance.random(150)[clusters] + 0.3 * chance.random(len(clusters)) > 0.6).astype(float)
    members = [values[clusters == number] for number in range(150)]
    means = [np.concatenate([members[number] for number in chance.integers(0, 150, 150)]).mean() for _ in range(3000)]
    low, high = np.quantile(means, [0.025, 0.975])
    assert clustered_mean(values, clusters).error == pytest.approx((high - low) / 2, rel=0.06)


def test_differences_are_paired(tmp_path: Path) -> None:
    sample = draw_sample([write_games(tmp_path / "a.rec", random_games(40))], EVERYTHING)
    net = write_net(tmp_path / "human.safetensors")
    texts = [f"{net} name=own", f"{net} ratings=+600 name=wrong"]
    predictors = load_predictors(texts, CHESS)
    assert isinstance(predictors[0], NetPredictor)
    assert isinstance(predictors[1], NetPredictor)
    assert predictors[0].net is predictors[1].net, "a file is loaded once"
    own, wrong = predict_all(sample, predictors)
    row = next(row for row in summarize(sample, [own, wrong]) if (row.band, row.plies) == ("all", ">10"))
    late = sample.ply >= 10
    difference = row.differences["own", "wrong"]["cross_entropy"]
    values = (own.cross_entropy - wrong.cross_entropy)[late]
    assert difference.value == pytest.approx(values.mean())
    assert difference.value != 0
    assert difference.error == clustered_mean(values, sample.cluster[late]).error
    assert row.positions == late.sum()


def test_the_command_compares_networks_and_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = random_games(6, plies=8)
    file, net = write_games(tmp_path / "a.rec", games), write_net(tmp_path / "human.safetensors")
    common = ["net", "match-moves", str(net), "--games", str(file), "--part", "all", "--positions", "3"]
    assert main([*common, "classic depth=1", f"{net} ratings=none", "--workers", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["predictors"] == ["human", "classic depth=1", "human ratings=none"]
    everything = next(row for row in report["rows"] if row["band"] == "all" and row["plies"] == "all")
    assert everything["positions"] == sum(
        row["positions"] for row in report["rows"] if row["band"] != "all" and row["plies"] == "all"
    )
    assert everything["scores"]["classic depth=1"]["cross_entropy"]["mean"] is None
    assert 0 <= everything["scores"]["classic depth=1"]["top1"]["mean"] <= 1
    assert [(each["a"], each["b"]) for each in everything["differences"]] == [
        ("human", "classic depth=1"),
        ("human", "human ratings=none"),
        ("classic depth=1", "human ratings=none"),
    ]
    assert main(common) == 0
    assert "1000-1399, all plies: 3 positions of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("predictor", "words"),
    [
        ("missing.pb.gz", "missing.pb.gz"),
        ("leela.safetensors ratings=none", "knows no ratings"),
        ("leela.safetensors speed=2", "expected ratings=, name=, temperature= or top_p=, got 'speed=2'"),
        ("", "got nothing"),
        ("no-such-engine", "no-such-engine"),
    ],
)
def test_predictors_that_cannot_be_had_are_one_line(
    predictor: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_games(tmp_path / "a.rec", random_games(2))
    write_net(tmp_path / "leela.safetensors", encoding="leela-1-flat")
    assert main(["net", "match-moves", predictor, "--games", "a.rec", "--part", "all"]) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_torch_gives_the_same_scores_as_the_compiled_network(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    sample = draw_sample([write_games(tmp_path / "a.rec", random_games(6))], EVERYTHING)
    path = write_net(tmp_path / "human.safetensors")
    nets = [load_net(path, backend=backend) for backend in ("compiled", "torch")]
    predictors = [NetPredictor(net, name, RatingView()) for net, name in zip(nets, "ab", strict=True)]  # type: ignore[arg-type]
    compiled, torch = predict_all(sample, predictors)
    np.testing.assert_allclose(torch.cross_entropy, compiled.cross_entropy, atol=1e-3)
    np.testing.assert_allclose(torch.value_error, compiled.value_error, atol=1e-3)
    assert np.array_equal(torch.top1, compiled.top1)
