"""Networks of our own in torch: sizes, heads, losses, files."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import ConfigError, EncodingError, LoadError, NetError, UnknownNameError
from philidor.nets.network_config import PRESETS, NetworkConfig, preset
from philidor.nets.network_files import StoredNetwork, load_stored, save_stored

torch = pytest.importorskip("torch")

from philidor.nets.torch.files import arrays_of, load_network, save_network  # noqa: E402
from philidor.nets.torch.model import Model, build  # noqa: E402
from tests.core.canary import CanaryGame  # noqa: E402
from tests.nets.own_nets import planes_for, shake, small_configs  # noqa: E402


@given(config=small_configs(), count=st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_every_shape_of_network_answers_by_its_signature(config: NetworkConfig, count: int) -> None:
    model = build(config, seed=1).eval()
    with torch.no_grad():
        found = model.predict(planes_for(model, count))
    sizes = {name: tuple(output.shape) for name, output in found.items()}
    value = {"wdl": (count, 3)} if config.value == "wdl" else {"value": (count, 1)}
    left = {"moves_left": (count, 1)} if config.moves_left else {}
    assert sizes == {"policy": (count, model.shape.policy_size), **value, **left}
    if config.value == "wdl":
        torch.testing.assert_close(found["wdl"].sum(dim=1), torch.ones(count))
    else:
        assert found["value"].abs().max() <= 1
    if config.moves_left:
        assert found["moves_left"].min() >= 0


@given(config=small_configs())
@settings(max_examples=20, deadline=None)
def test_folding_changes_no_answer(config: NetworkConfig) -> None:
    model = shake(build(config, seed=2)).eval()
    folded = model.folded()
    planes = planes_for(model, 3)
    assert not any(isinstance(layer, torch.nn.BatchNorm2d) for layer in folded.modules())
    with torch.no_grad():
        for name, wanted in model.predict(planes).items():
            torch.testing.assert_close(folded.predict(planes)[name], wanted, atol=1e-5, rtol=1e-5)
    assert model.body is not folded.body


@given(config=small_configs())
@settings(max_examples=15, deadline=None)
def test_a_saved_network_loads_back(config: NetworkConfig, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("nets") / "net.safetensors"
    model = shake(build(config, seed=3))
    save_network(path, model, {"step": "17"})
    loaded = load_network(path, model.shape)
    assert loaded.config == config
    assert load_stored(path).remarks == {"step": "17"}
    assert load_stored(path).parameters == model.parameter_count
    for key, array in arrays_of(model).items():
        np.testing.assert_array_equal(arrays_of(loaded)[key], array)


def count_by_hand(blocks: int, filters: int, planes: int, squares: int, moves: int) -> int:
    """AlphaGo Zero's network as its paper's methods list it, counted layer by layer."""
    norm = 2
    tower = filters * (9 * planes + norm) + blocks * 2 * filters * (9 * filters + norm)
    policy = 2 * (filters + norm) + (2 * squares + 1) * moves
    value = (filters + norm) + (squares + 1) * 256 + 257
    return tower + policy + value


@pytest.mark.parametrize(("name", "blocks"), [("19x256", 19), ("39x256", 39)])
def test_alphago_zeros_towers_have_as_many_parameters_as_in_the_paper(name: str, blocks: int) -> None:
    config = preset(name, "connect4", "boards-8")
    with torch.device("meta"):
        model = Model(config, config.load_encoding().shape)
    assert model.parameter_count == count_by_hand(blocks, 256, 17, 42, 7)


def test_the_books_hexapawn_network_is_listing_5_1() -> None:
    model = build(preset("hexapawn", "hexapawn"))
    assert model.shape.policy_size == 28
    assert model.parameter_count == (21 + 1) * 128 + 4 * (128 + 1) * 128 + (128 + 1) * 28 + (128 + 1)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_fits_some_game(name: str) -> None:
    config = preset(name, "tictactoe")
    with torch.device("meta"):
        assert Model(config, config.load_encoding().shape).parameter_count > 1000


def test_chess_towers_have_a_policy_of_planes() -> None:
    assert preset("10x128-se").policy == "convolution"
    assert preset("10x128-se", policy="flat").policy == "flat"
    assert preset("2x32", "connect4").policy == "flat"


@pytest.mark.parametrize("game", ["chess", "tictactoe", "examples/last_stone.py:LastStone"])
def test_a_new_network_has_no_opinions(game: str) -> None:
    model = build(preset("5x64", game), seed=5).eval()
    with torch.no_grad():
        found = model.predict(planes_for(model, 8))
    assert found["policy"].std() < 1
    assert (found["wdl"][:, 0] - found["wdl"][:, 2]).abs().max() < 0.5


def test_the_same_seed_makes_the_same_network() -> None:
    config = preset("2x32", "tictactoe")
    one, same, other = (arrays_of(build(config, seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(one[key], same[key]) for key in one)
    assert not all(np.array_equal(one[key], other[key]) for key in one)


def test_one_batch_can_be_learned_by_heart() -> None:
    model = build(preset("2x32", "tictactoe", moves_left=True, reply=True), seed=1)
    planes = planes_for(model, 6)
    generator = torch.Generator().manual_seed(3)
    targets = {
        "policy": torch.nn.functional.one_hot(torch.randint(9, (6,), generator=generator), 9).float(),
        "wdl": torch.eye(3)[torch.tensor([0, 1, 2, 0, 1, 2])],
        "moves_left": torch.arange(6.0) * 9,
        "reply": torch.nn.functional.one_hot(torch.randint(9, (6,), generator=generator), 9).float(),
    }
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    for _ in range(120):
        parts = model.loss(model(planes), targets)
        optimizer.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        optimizer.step()
    assert set(parts) == {"policy", "wdl", "moves_left", "reply"}
    assert all(part < 0.05 for part in parts.values()), parts


def test_losses_are_those_of_the_papers() -> None:
    model = build(preset("2x32", "tictactoe", value="tanh", moves_left=True))
    outputs = {
        "policy": torch.log(torch.tensor([[0.5, 0.25, 0.25] + [1e-30] * 6, [1 / 9] * 9])),
        "value": torch.atanh(torch.tensor([[0.5], [-0.5]])),
        "moves_left": torch.tensor([[10.0], [50.0]]),
    }
    targets = {
        "policy": torch.tensor([[0.5, 0.5, 0] + [0.0] * 6, [0.0] * 9]),
        "wdl": torch.tensor([[1.0, 0, 0], [0, 0, 1.0]]),
        "moves_left": torch.tensor([12.0, 10.0]),
    }
    found = model.loss(outputs, targets)
    assert float(found["policy"]) == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(4)), "the second state has none"
    assert float(found["value"]) == pytest.approx(0.25)
    assert float(found["moves_left"]) == pytest.approx((0.5 * 0.1**2 + 0.5 * (2 - 0.25)) / 2)
    weighted = model.loss(outputs, {**targets, "weight": torch.tensor([1.0, 0.0])})
    assert float(weighted["moves_left"]) == pytest.approx(0.5 * 0.1**2)
    legal = torch.tensor([[True, True] + [False] * 7] * 2)
    masked = model.loss(outputs, {**targets, "legal": legal})
    assert float(masked["policy"]) == pytest.approx(0.5 * np.log(1.5) + 0.5 * np.log(3))


def test_a_missing_target_is_named() -> None:
    model = build(preset("mlp", "tictactoe", reply=True))
    outputs = model(planes_for(model, 2))
    with pytest.raises(ConfigError, match="the head 'policy' learns from 'policy', got wdl"):
        model.loss(outputs, {"wdl": torch.ones(2, 3) / 3})
    with pytest.raises(ConfigError, match="the head 'reply' learns from 'reply', got wdl, policy"):
        model.loss(outputs, {"wdl": torch.ones(2, 3) / 3, "policy": torch.ones(2, 9) / 9})


def test_contradictions_in_a_config_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="10x128-se"):
        preset("10x128")
    with pytest.raises(ConfigError, match="blokcs"):
        preset("2x32", "tictactoe", blokcs=3)
    with pytest.raises(ConfigError, match="flat policy"):
        NetworkConfig(body="mlp", policy="convolution")
    with pytest.raises(ConfigError, match="squeeze"):
        NetworkConfig(body="mlp", se_channels=8)
    with pytest.raises(ConfigError, match="multiple of 42"):
        build(preset("2x32", "connect4", policy="convolution"))
    with pytest.raises(EncodingError):
        build(NetworkConfig(game="tictactoe", encoding="alphazero"))


def test_weights_that_do_not_fit_their_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    model = build(preset("mlp", "tictactoe"))
    arrays = arrays_of(model)
    other = dataclasses.replace(model.config, game="connect4")
    save_stored(path, StoredNetwork(other, arrays, {}))
    with pytest.raises(NetError, match=r"body\.layers\.0\.weight should be 128 x 126 for its game, it is 128 x 27"):
        load_network(path)
    save_stored(path, StoredNetwork(model.config, {key: arrays[key] for key in list(arrays)[:-1]}, {}))
    with pytest.raises(NetError, match=r"has no weights 'heads\.wdl\.layers\.bias'"):
        load_network(path)
    save_stored(path, StoredNetwork(model.config, {**arrays, "more": np.zeros(3, np.float32)}, {}))
    with pytest.raises(NetError, match="'more'"):
        load_network(path)
    spoilt = {**arrays, "body.layers.0.bias": np.full(128, np.nan, np.float32)}
    save_stored(path, StoredNetwork(model.config, spoilt, {}))
    with pytest.raises(NetError, match="not finite"):
        load_network(path)


def test_a_checkpoint_that_names_code_does_not_run_it(tmp_path: Path) -> None:
    canary, path = CanaryGame(tmp_path), tmp_path / "net.safetensors"
    model = build(preset("mlp", "tictactoe"))
    save_stored(path, StoredNetwork(dataclasses.replace(model.config, game=canary.name), arrays_of(model), {}))
    with pytest.raises(LoadError, match="is for the game"):
        load_network(path)
    assert load_network(path, model.shape).config.game == canary.name
    assert not canary.was_run
