"""The fit of what the player human sees: it finds the habit that people have, and their losses; looks are kept."""

from pathlib import Path

import numpy as np
import pytest

from philidor.arena.people.fitting import (
    Choices,
    FitConfig,
    Looked,
    fit_all,
    fit_habit,
    fit_text,
    look_at_all,
    measure_all,
    measure_habit,
)
from philidor.arena.people.resignations import Following, follow_games, summarize_resignations
from philidor.arena.people.sample import SampleConfig, draw_sample
from philidor.core.errors import ConfigError
from philidor.games.chess.phases import PHASES
from philidor.players import human_manners, load_engine
from philidor.players.human import HumanPlayer
from philidor.players.human_sight import HABITS, Habit
from tests.arena.people_data import random_games, write_games, write_net


def made_up(habit: Habit, count: int, phase: int = 1) -> list[Looked]:
    """Positions in which people choose by a habit."""
    chance = np.random.default_rng(3)
    looked = []
    for _ in range(count):
        shares = chance.dirichlet([1.0] * 5)
        losses = np.where(chance.random(5) < 0.4, chance.exponential(200, 5), 0)
        losses -= losses.min()
        looked.append(Looked(phase, int(chance.integers(1000, 2500)), shares.tolist(), losses.tolist(), 0))
    choices = Choices(looked)
    drawn = choices.chances(habit).reshape(-1, 5)
    played = (chance.random((count, 1)) > np.cumsum(drawn, axis=1)).sum(axis=1)
    return [
        Looked(each.phase, each.rating, each.shares, each.losses, int(min(place, 4)))
        for each, place in zip(looked, played, strict=True)
    ]


def test_the_fit_finds_the_habit_that_people_have() -> None:
    people = Habit(0.8, 1.2, 0.5)
    looked = made_up(people, 8_000)
    found = fit_habit(looked, 0.8)
    assert found.weight == pytest.approx(people.weight, abs=0.08)
    assert found.slope == pytest.approx(people.slope, abs=0.12)
    row = measure_habit("middlegame", looked, found)
    assert row.loss[1] == pytest.approx(row.loss[0], rel=1e-3), "that is what is solved for"
    assert row.errors[200][1] == pytest.approx(row.errors[200][0], rel=0.1)


def test_no_slope_falls_and_a_phase_without_errors_is_refused() -> None:
    falling = fit_habit(made_up(Habit(1.0, 1.0, -0.5), 2_000), 1.0)
    assert falling.slope == 0
    with pytest.raises(ConfigError, match="nobody erred in the 0 positions of the opening"):
        fit_all(made_up(Habit(1.0, 1.0, 0.0), 50))


def test_the_players_own_habits_are_measured_by_phase_and_band() -> None:
    looked = [each for phase, habit in enumerate(HABITS) for each in made_up(habit, 3_000, phase)]
    rows = measure_all(looked, SampleConfig(bands=("1000-1699", "1700-2499")).parsed_bands())
    assert [row.phase for row in rows] == [*PHASES, "1000-1699", "1700-2499"]
    assert [row.habit for row in rows] == [*HABITS, None, None]
    assert sum(row.positions for row in rows[3:]) == len(looked) == 9_000
    for row in rows:
        assert row.loss[1] == pytest.approx(row.loss[0], rel=0.15), row
    assert rows[4].loss < rows[3].loss, "who is stronger loses less"
    assert rows[0].errors[100] > rows[0].errors[300]
    assert "1700-2499" in fit_text(rows)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return write_games(tmp_path / "games.rec", random_games(12))


@pytest.fixture
def player(tmp_path: Path) -> HumanPlayer:
    found = load_engine("human", net=write_net(tmp_path / "net.safetensors", scale=0.1))
    assert isinstance(found, HumanPlayer)
    return found


def test_looks_are_kept_and_a_line_that_was_cut_off_is_looked_at_again(
    games: Path, player: HumanPlayer, tmp_path: Path
) -> None:
    sample = draw_sample([games], FitConfig(part="all", bands=("all",), positions=12, nodes=20))
    cache, reports = tmp_path / "looks.jsonl", list[int]()
    first = look_at_all(sample, player.network, 20, cache, lambda _, done, __: reports.append(done))
    assert reports[-1] == len(sample) == 12
    assert first
    assert all(min(each.losses) == 0 and each.played < len(each.shares) for each in first)
    text = cache.read_text()
    cache.write_text(text[:-20])
    assert look_at_all(sample, player.network, 20, cache, lambda *_: None) == first
    cache.write_text("no looks\n" + text)
    with pytest.raises(ConfigError, match=r"line 1: not a look at a position"):
        look_at_all(sample, player.network, 20, cache, lambda *_: None)


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
