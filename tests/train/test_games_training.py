"""Training on recorded games: networks learn them, ratings matter, a stopped run goes on to the same weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.core.errors import ConfigError, NetError, RunError  # noqa: E402
from philidor.core.runs import Run  # noqa: E402
from philidor.evaluators.human import evaluate_at_ratings  # noqa: E402
from philidor.evaluators.loading import load_net  # noqa: E402
from philidor.evaluators.network import NetEvaluator  # noqa: E402
from philidor.nets.network_config import NetworkConfig  # noqa: E402
from philidor.nets.network_files import load_stored, save_stored  # noqa: E402
from philidor.pipelines.games import GamesLoop  # noqa: E402
from philidor.records import RecordWriter  # noqa: E402
from philidor.train.game_data import NO_SCORE, GameData, GameDataConfig, GameFile  # noqa: E402
from philidor.train.game_lessons import lesson, score_wdl, shown, value_target  # noqa: E402
from philidor.train.games_config import GamesRecipe, GamesTrainingConfig, named_files  # noqa: E402
from philidor.train.torch import games as training  # noqa: E402
from philidor.train.torch.packing import pack_run, unpack_run  # noqa: E402
from tests.train.rated_games import STRONG, WEAK, rated_game, rated_move, start_position, write_rated_games  # noqa: E402

torch.set_num_threads(1)

NETWORK = NetworkConfig(
    encoding="human-1", blocks=1, filters=16, policy="flat", policy_planes=4, value_hidden=8, moves_left=True
)
TRAINING = GamesTrainingConfig(
    steps=24, learning_rate=1e-2, ema=0.9, norm_batches=4, measure_every=10, measured=64, score_share=0.0, device="cpu"
)
RECIPE = GamesRecipe(
    game="chess",
    network=NETWORK,
    data=GameDataConfig(batch=32, passes=2, shuffle=256, drop_history=0.1),
    training=TRAINING,
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rated_games(tmp_path_factory.mktemp("games") / "rated.rec", 400, score=50)


def loop_of(recipe: GamesRecipe, games: Path, folder: Path, name: str = "run", **more: Any) -> GamesLoop:
    recipe = replace(recipe, games=(str(games),))
    return GamesLoop(recipe, Run.resume_or_create(name, recipe, folder), [GameFile(games)], **more)


def weights(loop: GamesLoop) -> list[np.ndarray[Any, Any]]:
    return [tensor.numpy().copy() for tensor in loop.trainer.player.state_dict().values()]


def assert_same_weights(one: GamesLoop, other: GamesLoop) -> None:
    for mine, theirs in zip(weights(one), weights(other), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def stop_after(calls: int) -> Callable[[], bool]:
    left = iter(range(calls))
    return lambda: next(left, None) is None


# --- Learning ---------------------------------------------------------------------------------------------------


def test_a_network_learns_to_move_as_the_rating_says(games: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, training=replace(TRAINING, steps=150, measure_every=50))
    loop = loop_of(recipe, games, tmp_path)
    assert loop.go()
    measured = [event for event in loop.run.metrics() if event["event"] == "measure"]
    assert [event["step"] for event in measured] == [50, 100, 150]
    assert measured[-1]["losses"]["policy"] < 0.5 * measured[0]["losses"]["policy"]
    last, chances = measured[-1]["held_out"], loop.facts()["equal_chances"]
    assert last["top1"] > 0.8 > 10 * chances["top1"]
    assert last["cross_entropy"] < 0.4 * chances["cross_entropy"]
    assert set(last["rating"]) == {"below 1400", "2200-2499"}
    assert last["rating"]["below 1400"]["value_error"] < 0.2  # the strong ones won all games
    # By the public way in, where nobody can have exchanged the two ratings.
    net = load_net(loop.network_path)
    assert isinstance(net, NetEvaluator)
    positions = [start_position(seed) for seed in range(10_000, 10_040)]
    for own, other in ((WEAK, STRONG), (STRONG, WEAK)):
        judged = evaluate_at_ratings(net, positions, [(own, other)] * len(positions))
        hits = [
            str(each.moves[int(np.argmax(each.priors))]) == rated_move(position, own)
            for position, each in zip(positions, judged, strict=True)
        ]
        assert np.mean(hits) > 0.7, (own, np.mean(hits))
        assert np.mean([each.value for each in judged]) * (1 if own == STRONG else -1) > 0.5


# --- Stopping and going on --------------------------------------------------------------------------------------


def test_a_stopped_run_goes_on_to_the_same_weights(games: Path, tmp_path: Path) -> None:
    unbroken = loop_of(RECIPE, games, tmp_path, "unbroken")
    assert unbroken.go()
    first = loop_of(RECIPE, games, tmp_path, "broken", is_stopped=stop_after(13))
    assert not first.go()
    assert 0 < first.trainer.step < 24
    second = loop_of(RECIPE, games, tmp_path, "broken")
    assert second.trainer.step == first.trainer.step
    assert second.go()
    assert_same_weights(unbroken, second)
    assert second.go(), "a training at its end has nothing to do"
    assert second.trainer.step == 24


def test_a_packed_run_goes_on_to_the_same_weights(games: Path, tmp_path: Path) -> None:
    unbroken = loop_of(RECIPE, games, tmp_path, "unbroken")
    assert unbroken.go()
    there = loop_of(RECIPE, games, tmp_path, "there", is_stopped=stop_after(9))
    assert not there.go()
    assert pack_run(there.run, tmp_path / "pack") == "everything"
    unpack_run(tmp_path / "pack", tmp_path / "here")
    here = loop_of(RECIPE, games, tmp_path, "here")
    assert here.trainer.step == there.trainer.step > 0
    assert here.go()
    assert_same_weights(unbroken, here)
    # With less room digits go, then the moments; it still goes on.
    size = sum(path.stat().st_size for path in (tmp_path / "pack").glob("*.part"))
    words = pack_run(there.run, tmp_path / "small", limit=6 * size // 10)
    assert words == "the weights, not the moments"
    unpack_run(tmp_path / "small", tmp_path / "small-run")
    assert loop_of(RECIPE, games, tmp_path, "small-run").go()


def test_a_cpu_that_can_learns_from_games_in_16_bits(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cpu._is_avx512_bf16_supported", lambda: True)
    for wanted, kind in ((False, torch.float32), (True, torch.bfloat16)):
        loop = loop_of(replace(RECIPE, training=replace(TRAINING, bfloat16=wanted)), games, tmp_path, str(kind))
        seen: set[Any] = set()
        for model in (loop.trainer.learner.model, loop.trainer.player):  # the steps, and the mean's statistics
            convolution = model.get_submodule("body.input.conv")
            convolution.register_forward_hook(
                lambda _layer, _given, output, model=model, seen=seen: seen.add((model.training, output.dtype))
            )
        assert loop.go()
        assert {dtype for is_training, dtype in seen if is_training} == {kind}
        assert not any(np.isnan(each).any() for each in weights(loop))


def test_other_games_are_refused_and_more_steps_are_not(games: Path, tmp_path: Path) -> None:
    loop = loop_of(RECIPE, games, tmp_path)
    assert loop.go()
    trainer = training.GamesTrainer(replace(RECIPE, training=replace(TRAINING, steps=30)), loop.data)
    trainer.restore(tmp_path / "run/checkpoints" / training.CHECKPOINT)
    assert not trainer.is_done
    assert trainer.train(tmp_path / "more.pt")
    assert trainer.step == 30
    others = write_rated_games(tmp_path / "others.rec", 60)
    recipe = replace(RECIPE, training=replace(TRAINING, steps=40))
    stranger = training.GamesTrainer(recipe, loop_of(recipe, others, tmp_path, "others").data)
    stranger.restore(tmp_path / "run/checkpoints" / training.CHECKPOINT)
    with pytest.raises(ConfigError, match="a stream of other games"):
        stranger.train(tmp_path / "none.pt")


def test_a_damaged_state_is_said_to_be_one(games: Path, tmp_path: Path) -> None:
    loop = loop_of(RECIPE, games, tmp_path, is_stopped=stop_after(3))
    loop.go()
    path = loop.run.checkpoints / training.CHECKPOINT
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(RunError, match="damaged"):
        loop_of(RECIPE, games, tmp_path)


# --- Schedules --------------------------------------------------------------------------------------------------


def test_the_learning_rate_follows_whatever_is_further() -> None:
    config = replace(TRAINING, steps=100, epochs=2.0, minutes=10.0, learning_rate=1e-2, final_learning_rate=1e-4)
    assert config.progress(50, 0.0, 1000) == 0.5
    assert config.progress(50, 0.9 * 600, 1000) == 0.9
    assert config.progress(50, 0.0, 30) == pytest.approx(50 / 60)
    assert config.progress(1000, 10_000.0, 1000) == 1.0
    assert config.rate_at(0.0) == 1e-2
    assert config.rate_at(1.0) == pytest.approx(1e-4)
    assert config.rate_at(0.5) == pytest.approx((1e-2 + 1e-4) / 2)
    with pytest.raises(ConfigError, match="never ends"):
        replace(TRAINING, steps=0)


def test_a_run_of_minutes_ends_annealed(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = replace(RECIPE, training=replace(TRAINING, steps=0, minutes=1.0))
    now, rates = [0.0], []
    monkeypatch.setattr("philidor.train.torch.games.time.monotonic", lambda: now[0])
    loop = loop_of(recipe, games, tmp_path)
    learn = loop.trainer.learner.learn

    def counted(batch: Any, rate: float) -> Any:
        now[0] += 5.0
        rates.append(rate)
        return learn(batch, rate)

    monkeypatch.setattr(loop.trainer.learner, "learn", counted)
    assert loop.go()
    assert len(rates) == 12
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == TRAINING.learning_rate
    assert rates[6] == pytest.approx((TRAINING.learning_rate + TRAINING.final_learning_rate) / 2)


# --- Lessons ----------------------------------------------------------------------------------------------------


def batch_of(games: Path, **config: Any) -> Any:
    from philidor.games import load_game
    from philidor.pipelines.games import boards_of

    data = GameData(
        [games], load_game("chess"), boards_of(NETWORK.load_encoding()), GameDataConfig(batch=400, **config), part="all"
    )
    with data.batches(epochs=1) as stream:
        return next(stream)


def test_the_value_learns_from_the_score_where_there_is_one(games: Path) -> None:
    batch = batch_of(games)
    config = replace(TRAINING, score_share=0.7, score_half=145.0, score_spread=60.0)
    expected = score_wdl(np.array([50, -50, 145, 32000, -32000], dtype=np.int16), 145.0, 60.0)
    win, loss = 1 / (1 + np.exp((145 - 50) / 60)), 1 / (1 + np.exp((145 + 50) / 60))
    np.testing.assert_allclose(expected[0], [win, 1 - win - loss, loss], atol=1e-6)
    np.testing.assert_allclose(expected[1], expected[0][::-1], atol=1e-6)
    assert expected[2][0] == pytest.approx(0.5)
    np.testing.assert_allclose(expected[3:], [[1, 0, 0], [0, 0, 1]], atol=1e-6)
    own = np.where(batch.score[:, np.newaxis] == 50, expected[0], expected[1])
    np.testing.assert_allclose(value_target(batch, config), 0.7 * own + 0.3 * batch.wdl, atol=1e-6)
    np.testing.assert_array_equal(value_target(batch, replace(config, score_share=0.0)), batch.wdl)
    unscored = replace(batch, score=np.full_like(batch.score, NO_SCORE))
    np.testing.assert_array_equal(value_target(unscored, config), batch.wdl)


def test_weights_and_ratings_are_handed_on(games: Path) -> None:
    batch = replace(batch_of(games), weight=np.linspace(0.5, 2, 400, dtype=np.float32))
    given = lesson(batch, TRAINING, has_ratings=True)
    assert given.weight is batch.weight
    own = given.batch.scalars[:, 3:13]
    np.testing.assert_array_equal(own[:, 1] == 1, batch.ratings[:, 0] == WEAK)
    np.testing.assert_array_equal(given.batch.scalars[:, 13 + 7] == 1, batch.ratings[:, 1] == STRONG)
    assert lesson(batch, TRAINING, has_ratings=False).batch is batch.inputs
    dropped = shown(batch, 0.1, np.random.default_rng(1)).scalars[:, 3:]
    unknown = dropped[:, 9] == 1
    np.testing.assert_array_equal(unknown, dropped[:, 19] == 1)
    assert 0.05 < unknown.mean() < 0.15


def test_positions_count_by_their_weight(games: Path) -> None:
    """Two trainings that differ in nothing but the weights of the two kinds of players."""
    from philidor.train.torch.inputs import inputs_of

    batch = batch_of(games)
    is_weak = batch.ratings[:, 0] == WEAK
    trainer_model = training.first_model_of(RECIPE)
    losses = []
    for weak, strong in ((1.0, 1.0), (3.0, 0.0), (0.0, 3.0)):
        weighed = replace(batch, weight=np.where(is_weak, weak, strong).astype(np.float32))
        given = lesson(weighed, TRAINING, has_ratings=True)
        planes, targets = inputs_of(trainer_model.shape, given, trainer_model.heads, torch.device("cpu"))
        with torch.no_grad():
            losses.append(trainer_model.eval().loss(trainer_model(planes), targets)["policy"].item())
    both, weak_only, strong_only = losses
    share = is_weak.mean()
    assert both == pytest.approx(share * weak_only + (1 - share) * strong_only, rel=1e-4)
    assert weak_only != pytest.approx(strong_only, rel=1e-3)


# --- Networks to start from, names of files ---------------------------------------------------------------------


def test_training_goes_on_from_a_network_of_the_same_shape(games: Path, tmp_path: Path) -> None:
    loop = loop_of(RECIPE, games, tmp_path, "first")
    loop.go()
    start = tmp_path / "start.safetensors"
    save_stored(start, load_stored(loop.network_path))
    recipe = replace(RECIPE, training=replace(TRAINING, start=start))
    again = loop_of(recipe, games, tmp_path, "second")
    first, second = load_stored(start).arrays, training.GamesTrainer(recipe, again.data).player
    from philidor.nets.torch.files import arrays_of

    for name, array in arrays_of(second).items():
        np.testing.assert_allclose(array, first[name].astype(np.float32), rtol=1e-5, atol=1e-8, err_msg=name)
    other = replace(recipe, network=replace(NETWORK, filters=32))
    with pytest.raises(NetError, match="another shape: 1x16 over 'human-1' with a flat policy, not 1x32"):
        loop_of(other, games, tmp_path, "third")


def test_files_are_named_with_their_shares() -> None:
    files = named_files(("a.rec", "b.rec=0.25", "c=d.pgn"))
    assert [(str(path), share) for path, share in files] == [("a.rec", None), ("b.rec", 0.25), ("c=d.pgn", None)]
    for wrong in (("a.rec=0.5",), ("a.rec", "b.rec=1.5"), ("a.rec", "b.rec=0.6", "c.rec=0.6")):
        with pytest.raises(ConfigError, match="share"):
            named_files(wrong)


def test_games_and_self_play_are_learned_from_together(games: Path, tmp_path: Path) -> None:
    """Files of both kinds in one window: a search's visits are the policy's target where there are any."""
    with RecordWriter(tmp_path / "self-play.rec") as writer:
        for seed in range(1000, 1060):
            record = rated_game(seed)
            writer.add(replace(record, visits=tuple({0: 3, 1: 1} for _ in record.indices)))
    files = [GameFile(games), GameFile(tmp_path / "self-play.rec", 0.5)]
    loop = GamesLoop(RECIPE, Run.create("mixed", RECIPE, tmp_path), files)
    with loop.data.batches() as stream:
        batch = next(stream)
    given = lesson(batch, TRAINING, has_ratings=True).shares["policy"]
    targets = [given.shares[start:end].tolist() for start, end in pairwise(given.offsets.tolist())]
    is_search = batch.file == 1
    assert 0.2 < is_search.mean() < 0.8
    assert all(
        sorted(target) == ([0.25, 0.75] if own else [1.0]) for target, own in zip(targets, is_search, strict=True)
    )
    assert loop.go()
