"""AlphaGo's value network in miniature: one position a game, what is learned, stopping and going on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.core.errors import ConfigError, RunError  # noqa: E402
from philidor.core.runs import Run  # noqa: E402
from philidor.evaluators.loading import load_net  # noqa: E402
from philidor.evaluators.patterns import PatternEvaluator  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.games.go import Go  # noqa: E402
from philidor.nets.patterns import FIXED_FEATURES, PatternNet  # noqa: E402
from philidor.nets.torch.files import save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402
from philidor.players.alphago_policy import sensible_moves  # noqa: E402
from philidor.train.native import native_root  # noqa: E402
from philidor.train.torch.lockstep import draw_linear_moves, start_games  # noqa: E402
from philidor.train.torch.value_games import play_value_games  # noqa: E402
from philidor.train.torch.value_network import ValueLoop  # noqa: E402
from philidor.train.value_config import ValueTrainingConfig  # noqa: E402
from tests.train.test_policy_gradient import TINY  # noqa: E402

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "sl.safetensors"
    save_network(path, build(TINY, seed=1))
    return path


def config_of(policy: Path) -> ValueTrainingConfig:
    return ValueTrainingConfig(
        sl=policy,
        rl=policy,
        game="go-5x5",
        games=60,
        games_at_once=20,
        last_ply=20,
        blocks=1,
        filters=8,
        steps=20,
        batch=16,
        learning_rate=0.01,
        measure_every=10,
        device="cpu",
    )


def start(config: ValueTrainingConfig, folder: Path) -> ValueLoop:
    return ValueLoop(config, Run.resume_or_create("run", config, folder))


def positions(policy: Path, *, whole_games: bool = False, last_ply: int = 12):  # type: ignore[no-untyped-def]
    from philidor.nets.torch.files import load_network

    game, net = load_game("go-5x5"), load_network(policy).eval()
    assert isinstance(game, Go)
    found = play_value_games(
        net, net, game, 16, last_ply=last_ply, whole_games=whole_games, device=torch.device("cpu"), seed=(1, 2)
    )
    assert found is not None
    return found


def test_there_is_one_position_of_each_game(policy: Path) -> None:
    found = positions(policy)
    assert len(set(found.game.tolist())) == len(found.game) > 10
    # The stones on the board are at most as many as the plies before the position.
    empty = np.array([int(row[0]).bit_count() for row in found.planes[:, 2]])
    assert (25 - empty).max() <= 12
    assert set(np.unique(found.result)) <= {-1.0, 0.0, 1.0}
    # After the first ply White is to move: results are the mover's.
    first = positions(policy, last_ply=1)
    assert not first.is_black.any()
    again = positions(policy)
    np.testing.assert_array_equal(again.planes, found.planes)


def test_linear_policies_draw_sensible_moves_by_their_chances() -> None:
    none, game = np.zeros(0, np.uint64), load_game("go-5x5")
    assert isinstance(game, Go)
    weights = np.random.default_rng(1).normal(size=FIXED_FEATURES).astype(np.float32)
    policy = PatternEvaluator(PatternNet("tree", none, none, none, weights))
    states, games = [game.state()] * 3, start_games(game, 3)
    for ply in range(2 * game.grid.size):
        numbers = games.ongoing()
        shares = np.random.default_rng(ply).random(len(numbers))
        moves = draw_linear_moves(policy, games, numbers, games.encode(numbers), np.random.default_rng(ply))
        for number, move, share in zip(numbers.tolist(), moves.tolist(), shares.tolist(), strict=True):
            state = states[number]
            points, weights = policy.compiled.evaluate(native_root(state), [])
            chances, sensible = dict(zip(points.tolist(), weights.tolist(), strict=True)), sensible_moves(state)
            left = share * sum(chances[each] for each in sensible)
            for each in sensible:
                left -= chances[each]
                if left < 0:
                    break
            assert move == (each if sensible else state.pass_move), state.text()
            states[number] = state.play(move)
        games.play(numbers, moves)
    assert all(state.is_over() for state in states)


def test_whole_games_have_many(policy: Path) -> None:
    found = positions(policy, whole_games=True)
    assert len(found.game) > 4 * len(set(found.game.tolist()))
    for number in set(found.game.tolist()):
        # One game has one winner: the results alternate with the player to move.
        mine = found.game == number
        assert len(set((found.result * (2 * found.is_black - 1))[mine].tolist())) == 1


def test_it_learns_and_plays_a_part_in_evaluations(policy: Path, tmp_path: Path) -> None:
    loop = start(config_of(policy), tmp_path)
    assert loop.go()
    events = loop.run.metrics()
    assert [event["step"] for event in events] == [10, 20]
    assert 0 < events[-1]["train_error"] < 0.3
    net = load_net(loop.run.checkpoints / "network.safetensors")
    state = load_game("go-5x5").state()
    (judged,) = net.evaluate([state])
    assert -1 < judged.value < 1
    assert judged.priors.tolist() == pytest.approx([1 / 26] * 26)


def test_stopped_and_gone_on_ends_at_the_same_network(policy: Path, tmp_path: Path) -> None:
    whole = start(config_of(policy), tmp_path / "whole")
    whole.go()
    parts = start(config_of(policy), tmp_path / "parts")
    asked = iter(range(10**6))
    assert not parts.go(is_stopped=lambda: next(asked) > 75)
    assert list(parts.run.shards.glob("*.npz"))
    again = start(config_of(policy), tmp_path / "parts")
    again.go(is_stopped=lambda: again.step >= 7)
    last = start(config_of(policy), tmp_path / "parts")
    assert last.step == 7
    assert last.go()
    for name, tensor in last.model.state_dict().items():
        torch.testing.assert_close(tensor, whole.model.state_dict()[name])


def test_what_does_not_fit_is_told(policy: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--rl"):
        start(replace(config_of(policy), rl=None), tmp_path / "a")
    with pytest.raises(ConfigError, match="alphago-48"):
        start(replace(config_of(policy), game="go-7x7"), tmp_path / "b")
    loop = start(config_of(policy), tmp_path / "c")
    loop.go(is_stopped=lambda: loop.step >= 1)
    shard = next(loop.run.shards.glob("*.npz"))
    shard.write_bytes(shard.read_bytes()[:50])
    with pytest.raises(RunError, match="played again"):
        start(config_of(policy), tmp_path / "c").go()
