"""The fit of what the player human sees: it finds the habit that people have, and their losses; looks are kept."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.arena.people.fitting import (
    Choices,
    fit_all,
    fit_habits,
    fit_text,
    measure_all,
)
from philidor.arena.people.judgments import Judgments
from philidor.arena.people.looks import FitConfig, Judged, Looked, draw_looked_at, judge_all, look_at_all
from philidor.arena.people.resignations import Following, follow_games, summarize_resignations
from philidor.arena.people.sample import SampleConfig, draw_sample
from philidor.core.errors import ConfigError
from philidor.games.chess.phases import PHASES
from philidor.players import human_manners, load_engine
from philidor.players.human import HumanPlayer
from philidor.players.human_sight import HABITS, LAPSES, Habit, weighed
from philidor.players.sampling import heated
from tests.arena.people_data import random_games, write_games, write_net

MOVES = "abcde"


def made_up(habit: Habit, count: int, phase: int = 1, *, blur: float = 0.0, lapses: float = LAPSES) -> list[Judged]:
    """Positions in which people choose by a habit; the look sees what moves lose with some blur, the judge knows."""
    chance = np.random.default_rng(3)
    judged = []
    for game in range(count):
        shares = dict(zip(MOVES, chance.dirichlet([1.0] * 5).tolist(), strict=True))
        losses = np.where(chance.random(5) < 0.4, chance.exponential(200, 5), 0)
        losses -= losses.min()
        seen = losses + blur * chance.exponential(1, 5)
        rating = int(chance.integers(1000, 2500))
        looked = Looked(game, phase, rating, "", shares, (seen - seen.min()).tolist(), "a")
        judged.append(Judged(looked, losses.tolist(), 0.0))
    drawn = Choices(judged).chances(habit, lapses).reshape(-1, 5)
    places = (chance.random((count, 1)) > np.cumsum(drawn, axis=1)).sum(axis=1).clip(0, 4).tolist()
    return [
        Judged(dataclasses.replace(each.looked, played=MOVES[place]), each.losses, each.losses[place])
        for each, place in zip(judged, places, strict=True)
    ]


def test_the_chances_of_the_fit_are_the_players() -> None:
    habit = Habit(0.6, 1.2, 1.5)
    judged = made_up(habit, 60, blur=40.0)
    assert min(each.looked.rating for each in judged) < 1400 < max(each.looked.rating for each in judged)
    for each, chances in zip(judged, Choices(judged).chances(habit).reshape(-1, 5), strict=True):
        looked = each.looked
        shares = heated(looked.shares, habit.temperature_at(looked.rating))
        losses = dict(zip(MOVES, looked.losses, strict=True))
        assert chances.tolist() == pytest.approx(list(weighed(shares, losses, habit, looked.rating).values()))


@pytest.mark.parametrize("blur", [0.0, 40.0])
def test_the_fit_finds_the_habit_that_people_have(blur: float) -> None:
    people = Habit(0.8, 1.2, 1.5)
    judged = made_up(people, 8_000, blur=blur)
    (found,) = fit_habits([Choices(judged)], [0.8])
    assert found.weight == pytest.approx(people.weight, abs=0.12)
    assert found.growth == pytest.approx(people.growth, abs=0.15)
    rows = [fit_all([*judged, *made_up(people, 300, 0), *made_up(people, 300, 2)])[1]]
    assert rows[0].loss[1] == pytest.approx(rows[0].loss[0], rel=1e-3), "that is what is solved for"
    assert rows[0].ratio.value == pytest.approx(1, abs=1e-3)
    assert rows[0].errors[200][1] == pytest.approx(rows[0].errors[200][0], rel=0.1)


def test_lapses_are_counted_and_make_the_moves_of_people_who_have_them_likelier() -> None:
    people = Habit(0.8, 3.0, 1.5)
    judged = made_up(people, 4_000, lapses=0.12)
    right, without = (fit_all(judged, [0.8] * 3, ["middlegame"], share)[0] for share in (0.12, 0.0))
    assert right.habit is not None
    assert right.habit.weight == pytest.approx(people.weight, rel=0.15)
    assert right.loss[1] == pytest.approx(right.loss[0], rel=1e-3)
    assert right.errors[300][1] == pytest.approx(right.errors[300][0], rel=0.15)
    assert right.log_chance > without.log_chance + 0.01
    assert without.habit is not None
    assert without.habit.weight < 0.8 * people.weight, "one error too many is taken for weak sight"


def test_what_the_look_misses_is_no_loss_of_peoples() -> None:
    """Who never errs is not taken for somebody who does, only because the look sees errors where there are none."""
    careful = made_up(Habit(0.8, 8.0, 1.0), 2_000, blur=60.0)
    assert fit_habits([Choices(careful)], [0.8])[0].weight > 6


def test_no_weight_falls_and_a_phase_without_errors_is_refused() -> None:
    (falling,) = fit_habits([Choices(made_up(Habit(1.0, 1.0, 0.6), 2_000))], [1.0])
    assert falling.growth == 1
    with pytest.raises(ConfigError, match="nobody erred in the 0 positions of the opening"):
        fit_all(made_up(Habit(1.0, 1.0, 1.0), 50))


def test_the_players_own_habits_are_measured_by_phase_and_band() -> None:
    looked = [each for phase, habit in enumerate(HABITS) for each in made_up(habit, 3_000, phase)]
    rows = measure_all(looked, SampleConfig(bands=("1000-1699", "1700-2499")).parsed_bands())
    bands = ["1000-1699", "1700-2499"]
    cells = [f"{band} {phase}" for band in bands for phase in PHASES]
    assert [row.phase for row in rows] == [*PHASES, *bands, "all", *cells]
    assert [row.habit for row in rows] == [*HABITS, *[None] * 9]
    assert sum(row.positions for row in rows[3:5]) == rows[5].positions == len(looked) == 9_000
    assert sum(row.positions for row in rows[6:]) == 9_000
    for row in rows:
        assert row.loss[1] == pytest.approx(row.loss[0], rel=0.15), row
        assert abs(row.ratio.value - 1) < 1.5 * row.ratio.error, "people choose by these habits here"
        people, own = row.errors[100]
        assert row.error_ratios[100].value == pytest.approx(own / people)
        assert abs(own / people - 1) < 1.5 * row.error_ratios[100].error
    assert rows[4].loss < rows[3].loss, "who is stronger loses less"
    assert rows[0].errors[100] > rows[0].errors[300]
    assert "1700-2499" in fit_text(rows)


def test_a_ratio_to_people_who_never_err_is_left_out() -> None:
    faultless = [dataclasses.replace(each, own=0.0) for each in made_up(HABITS[0], 40, 0)]
    rows = measure_all(faultless, SampleConfig(bands=("1000-2499",)).parsed_bands())
    assert math.isnan(rows[0].ratio.value)
    assert "nan" not in fit_text(rows)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return write_games(tmp_path / "games.rec", random_games(12))


def test_a_phase_is_kept_with_its_own_moves_and_the_phases_are_the_whole(games: Path) -> None:
    def positions(phase: Any) -> list[tuple[str, int, int]]:
        config = FitConfig(part="all", bands=("all",), positions=150, phase=phase)
        sample = draw_looked_at([games], config, lambda _: None)
        drawn = zip(sample.positions(), sample.ply.tolist(), strict=True)
        return [(str(state), played, ply) for (state, played), ply in drawn]

    parts = {phase: positions(phase) for phase in ("opening", "middlegame")}
    assert sorted(each for part in parts.values() for each in part) == sorted(positions("all"))
    assert all(ply < 20 for _, _, ply in parts["opening"])
    assert all(ply >= 20 for _, _, ply in parts["middlegame"])
    with pytest.raises(ConfigError, match="none of the 150 positions is of the endgame"):
        positions("endgame")


def test_phases_have_weights_of_their_own_and_one_growth() -> None:
    people = [Habit(1.0, 0.6, 1.5), Habit(0.8, 1.2, 1.5), Habit(0.8, 2.0, 1.5)]
    made = [made_up(habit, 3_000, phase, lapses=0.0) for phase, habit in enumerate(people)]
    found = fit_habits([Choices(part) for part in made], [1.0, 0.8, 0.8], 0.0)
    assert [habit.weight for habit in found] == pytest.approx([0.6, 1.2, 2.0], rel=0.15)
    assert found[0].growth == found[1].growth == found[2].growth == pytest.approx(1.5, abs=0.12)


def test_one_phase_is_fitted_alone() -> None:
    (row,) = fit_all(made_up(Habit(0.6, 1.0, 1.2), 300, 2), phases=["endgame"])
    assert row.phase == "endgame"
    assert row.habit is not None
    assert row.habit.temperature == HABITS[2].temperature


@pytest.fixture
def player(tmp_path: Path) -> HumanPlayer:
    found = load_engine("human", net=write_net(tmp_path / "net.safetensors", scale=0.1))
    assert isinstance(found, HumanPlayer)
    return found


def test_looks_are_kept_and_a_line_that_was_cut_off_is_looked_at_again(
    games: Path, player: HumanPlayer, tmp_path: Path
) -> None:
    config = FitConfig(part="all", bands=("all",), positions=12, judge_nodes=30)
    sample = draw_sample([games], config)
    own = dataclasses.replace(player.config, look_nodes=20)
    cache, reports = tmp_path / "looks.jsonl", list[int]()
    first = look_at_all(sample, player.network, own, cache, lambda _, done, __: reports.append(done))
    assert reports[-1] == len(sample) == len(first) == 12
    assert all(min(each.losses) == 0 and len(each.losses) == len(each.shares) for each in first)
    text = cache.read_text()
    cache.write_text(text[:-20])
    assert look_at_all(sample, player.network, own, cache, lambda *_: None) == first
    cache.write_text("no looks\n" + text)
    with pytest.raises(ConfigError, match=r"line 1: not a look at a position"):
        look_at_all(sample, player.network, own, cache, lambda *_: None)
    with Judgments(tmp_path / "judgments.sqlite", config.judging) as store:
        judged = judge_all(first, store, workers=1, report=lambda *_: None)
        again = judge_all(first, store, workers=1, report=lambda *_: pytest.fail("everything is known"))
    assert judged == again
    assert [each.looked for each in judged] == first
    for each in judged:
        own_place = (
            list(each.looked.shares).index(each.looked.played) if each.looked.played in each.looked.shares else None
        )
        assert own_place is None or each.losses[own_place] in (each.own, each.looked.losses[own_place])
        assert min(each.losses) >= 0


def test_a_game_is_resigned_once_and_wrongly_if_the_person_did_not_lose(
    games: Path, player: HumanPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def resigns(chances: list[object], threshold: float, moves: int) -> bool:
        asked.append(len(chances))
        return len(chances) == moves and threshold == player.config.resign_loss

    monkeypatch.setattr(human_manners, "resigns", resigns)
    sample = draw_sample([games], SampleConfig(part="all", bands=("all",), positions=0))
    followed = follow_games(sample, player)
    assert len(followed) == 18, "two sides of each game with a result"
    assert {each.ply for each in followed} == {4, 5}, "the third turn of each side"
    assert asked[:3] == [1, 2, 3]
    row = summarize_resignations(sample, followed)[-1]
    assert (row.games, row.lost, row.resigned) == (18, 6, 18)
    assert row.false.value == pytest.approx(12 / 18)
    assert not Following(0, 0, 1.0, None).is_false
