"""The screen finds planted effects, SPSA climbs a planted hill, and runs of either resume."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from philidor.arena.statistics import score_of
from philidor.arena.tuning import Screen, Spsa, parse_range, with_parameters
from philidor.arena.tuning_run import TuningConfig, TuningRun
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.random import SplitMix64
from philidor.games.chess import Position
from philidor.players.classic import ClassicConfig, ClassicPlayer


def _points(random: SplitMix64, elo: float) -> float:
    """Plays a pair between players so far apart: two games without draws."""
    return float(sum(random.below(1 << 20) / (1 << 20) < score_of(elo) for _ in range(2)))


def test_a_screen_finds_the_worth_of_each_change() -> None:
    truth = {"cut_reduction=2": 40.0, "hindsight=1": -25.0, "table_pv_kept=1,improving_unknown=1": 0.0}
    screen, random = Screen(list(truth), seed=3), SplitMix64(11)
    for number in range(6000):
        first, _ = screen.sides(number)
        elo = sum(worth * (1 if set(_values(text)) <= set(first) else -1) for text, worth in truth.items())
        screen.add(number, _points(random, elo))
    for worth, estimate in zip(truth.values(), screen.estimates(), strict=True):
        assert abs(worth - estimate.value) < 1.5 * estimate.error
        assert 4 < estimate.error < 9
    assert screen.report()["changes"][0]["change"] == "cut_reduction=2"


def _values(text: str) -> list[str]:
    return [piece.partition("=")[0] for piece in text.split(",")]


def test_each_change_is_with_one_side_of_a_pair() -> None:
    screen = Screen(["cut_reduction=2", "hindsight=1"], seed=1)
    for number in range(20):
        first, second = screen.sides(number)
        assert {**first, **second} == {"cut_reduction": 2, "hindsight": 1}
        assert len(first) + len(second) == 2
    assert all(math.isinf(estimate.error) for estimate in screen.estimates())


def test_a_change_may_leave_out_parts_of_the_search() -> None:
    screen = Screen(["null_move=0,futility_base=60", "probcut=0"], seed=1)
    sides = {tuple(sorted(side.items())) for number in range(20) for side in screen.sides(number)}
    assert (("futility_base", 60), ("null_move", 0)) in sides
    config = ClassicConfig(parameters=("futility_base=80",), without=("razoring",))
    changed = with_parameters(config, {"null_move": 0, "futility_base": 60, "probcut": 0})
    assert changed.parameters == ("futility_base=60",)
    assert changed.without == ("razoring", "null_move", "probcut")
    # What the engine then searches is what the same settings of a match search.
    nodes = set()
    for settings in (config, changed, ClassicConfig(parameters=changed.parameters, without=changed.without)):
        player = ClassicPlayer(settings)
        player.engine.search(Position().native, depth=9)
        nodes.add(player.engine.nodes)
    assert len(nodes) == 2


def test_spsa_climbs_a_hill() -> None:
    spsa, random = Spsa(["futility_base", "probcut_margin=100:80:350"], seed=5, length=4000, step=1.4), SplitMix64(7)
    best = {"futility_base": 180, "probcut_margin": 250}
    for number in range(4000):
        heights = [-sum(abs(best[name] - value) for name, value in side.items()) for side in spsa.sides(number)]
        spsa.add(number, _points(random, 4.0 * (heights[0] - heights[1])))
    assert spsa.values[0] == pytest.approx(180, abs=25)
    assert spsa.values[1] == pytest.approx(250, abs=30)


def test_spsa_stays_in_its_range() -> None:
    spsa = Spsa(["cut_reduction=0:2"], seed=5, length=100, step=50.0)
    for number in range(100):
        first, second = spsa.sides(number)
        assert 0 <= first["cut_reduction"] <= 2
        spsa.add(number, 2.0 if first["cut_reduction"] > second["cut_reduction"] else 0.0)
    assert 0 <= spsa.values[0] <= 2


@pytest.mark.parametrize("method", ["screen", "spsa"])
def test_a_run_continues_where_it_was(method: str, tmp_path: Path) -> None:
    numbers = ("reduction_divisor=300", "hindsight=1") if method == "screen" else ("reduction_divisor", "futility_base")
    config = TuningConfig(engine="classic hash=1", method=method, pairs=6, nodes=150, numbers=numbers)  # type: ignore[arg-type]
    run = TuningRun(config, tmp_path / "run")
    run.play(2, lambda: None)
    again = TuningRun(config, tmp_path / "run")
    assert again.method.pairs == 6
    assert again.method.report() == run.method.report()
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "run" / "metrics.jsonl").write_text("".join(lines[:3]) + lines[3][:5])
    rest = TuningRun(config, tmp_path / "run")
    assert rest.method.pairs == 3
    rest.play(1, lambda: None)
    assert rest.method.pairs == 6
    if method == "screen":  # SPSA's later games depend on what the earlier ones have changed
        assert rest.method.report() == run.method.report()


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'hindsight'"):
        Screen(["hindsigt=1"], 1)
    with pytest.raises(ConfigError, match="in two changes"):
        Screen(["hindsight=1", "cut_reduction=2,hindsight=1"], 1)
    with pytest.raises(ConfigError, match="must be 0 to 3"):
        Screen(["cut_reduction=9"], 1)
    with pytest.raises(ConfigError, match="whole number"):
        Screen(["cut_reduction"], 1)
    with pytest.raises(ConfigError, match="with the start within it"):
        parse_range("futility_base=200:100")
    with pytest.raises(ConfigError, match="is --nodes"):
        TuningRun(TuningConfig(engine="classic movetime=1", numbers=("futility_base",)))


@pytest.mark.parametrize("winner", [0, 1])
def test_a_pair_counts_for_the_player_and_not_for_the_color(winner: int) -> None:
    class OneWinner:
        """A table at which one of the players always wins."""

        players = (ClassicPlayer(ClassicConfig(hash=1)), ClassicPlayer(ClassicConfig(hash=1)))

        def play(self, start: Position, white: int) -> SimpleNamespace:
            return SimpleNamespace(winner=0 if white == winner else 1)

    run = TuningRun(TuningConfig(engine="classic hash=1", method="screen", nodes=100, numbers=("hindsight=1",)))
    assert run._job(4)(OneWinner()) == (4, 2.0 if winner == 0 else 0.0)  # type: ignore[arg-type]
