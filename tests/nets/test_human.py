"""Networks with ratings: every backend and file format judges alike, for any ratings, many of them in one batch."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from philidor.core.errors import ConfigError, EncodingError, NetError
from philidor.core.evaluation import Evaluation
from philidor.encodings import load_encoding
from philidor.encodings.human import (
    HUMAN_SHAPE,
    PLANES_PER_RATING,
    RATING_CENTERS,
    RATING_PLANES,
    HumanEncoding,
    Ratings,
    rating_scalars,
)
from philidor.encodings.native import NativeLeelaEncoding
from philidor.encodings.scales import scalar_scales
from philidor.evaluators.human import at_ratings, evaluate_at_ratings
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games.chess import Chess, Position
from philidor.nets.converting import Choices, convert
from philidor.nets.human import for_ratings
from philidor.nets.network_config import NetworkConfig
from philidor.nets.network_files import StoredNetwork, save_stored
from philidor.nets.torch.files import save_network, stored
from philidor.nets.torch.model import Model
from tests.encodings.positions import standard_positions
from tests.nets.own_nets import shake

PAIRS: list[Ratings] = [(1300, 2450), (None, 1100), (2599, None), (None, None), (800, 3000)]


def human_model(body: str = "residual") -> Model:
    tower = {"policy": "convolution", "se_channels": 4} if body == "residual" else {"body": "mlp"}
    config = replace(NetworkConfig(), game="chess", encoding="human-1", blocks=1, filters=16, moves_left=True)
    model = shake(Model(replace(config, value_hidden=8, **tower), HUMAN_SHAPE))
    with torch.no_grad():
        # Among the other planes the ratings would hardly be seen.
        by_plane = model.first_layer.weight.view(16, HUMAN_SHAPE.planes, -1)
        by_plane[:, -RATING_PLANES:] *= 100
    return model


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("human") / "human.safetensors"
    save_network(path, human_model())
    return path


def evaluator(path: Path, backend: str = "auto") -> NetEvaluator:
    net = load_net(path, backend=backend)
    assert isinstance(net, NetEvaluator)
    return net


def assert_alike(found: list[Evaluation[Position]], wanted: list[Evaluation[Position]], within: float) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.priors, other.priors, atol=within)
        np.testing.assert_allclose(one.wdl, other.wdl, atol=within)
        assert one.moves_left == pytest.approx(other.moves_left, abs=100 * within)


def test_a_rating_is_two_hats_that_add_up_to_one() -> None:
    own, other = np.split(rating_scalars([[1250, 2600]])[0], 2)
    assert own.tolist() == [0, 0.75, 0.25, 0, 0, 0, 0, 0, 0, 0]
    assert other.tolist() == [0] * 8 + [1, 0]
    many = rating_scalars([[rating, 0] for rating in range(1, 4000)])
    np.testing.assert_allclose(many[:, :PLANES_PER_RATING].sum(axis=1), 1, atol=1e-6)
    assert (many[:, PLANES_PER_RATING:-1] == 0).all()
    assert (many[:, -1] == 1).all()


def test_a_rating_beyond_the_ends_is_the_end() -> None:
    assert rating_scalars([[600, 3000]]).tolist() == rating_scalars([[1000, 2600]]).tolist()
    at_centers = rating_scalars([[center, 0] for center in RATING_CENTERS])
    assert (at_centers[:, : len(RATING_CENTERS)] == np.eye(len(RATING_CENTERS))).all()


def test_the_encoding_is_leelas_with_the_ratings_behind_it() -> None:
    positions = standard_positions(seed=3, games=1)[::7]
    encoding = load_encoding("human-1", Chess())
    assert isinstance(encoding, HumanEncoding)
    boards, batch = NativeLeelaEncoding().encode(positions), encoding.with_ratings(1500, None).encode(positions)
    np.testing.assert_array_equal(batch.planes, boards.planes)
    np.testing.assert_array_equal(batch.legal_index, boards.legal_index)
    np.testing.assert_array_equal(batch.scalars[:, :3], boards.scalars)
    np.testing.assert_array_equal(batch.scalars[:, 3:], rating_scalars([[1500, 0]] * len(positions)))
    assert batch.scalars.shape == (len(positions), encoding.shape.scalar_planes)
    assert encoding.rating is None
    mixed = encoding.encode_at(positions[:2], [(1500, None), (None, 2000)])
    np.testing.assert_array_equal(mixed.scalars[:, 3:], rating_scalars([[1500, 0], [0, 2000]]))


def test_only_the_clock_is_scaled_in_training() -> None:
    scales = scalar_scales("human-1", HUMAN_SHAPE)
    assert scales == (0.01, *(1.0,) * 22)


@pytest.mark.parametrize("rating", [0, -5, 1500.5, True, "1500"])
def test_what_is_no_rating_is_refused(rating: int) -> None:
    with pytest.raises(EncodingError, match="positive whole number"):
        HumanEncoding(rating)


def test_every_backend_judges_alike_for_any_pair_of_ratings(file: Path, tmp_path: Path) -> None:
    convert(file, tmp_path / "human.onnx")
    positions = standard_positions(seed=5, games=1)[::9]
    nets = [evaluator(file, backend) for backend in ("compiled", "onnx", "torch")]
    nets.append(evaluator(tmp_path / "human.onnx"))
    wanted = [at_ratings(nets[0], *pair).evaluate(positions) for pair in PAIRS]
    for net in nets[1:]:
        for pair, each in zip(PAIRS, wanted, strict=True):
            assert_alike(at_ratings(net, *pair).evaluate(positions), each, 2e-5)
    assert np.abs(wanted[0][0].priors - wanted[1][0].priors).max() > 1e-2, "ratings make no difference"


def test_many_pairs_in_one_batch_are_judged_as_one_by_one(file: Path) -> None:
    net = evaluator(file)
    position = Position().play("e4")
    curve = evaluate_at_ratings(net, [position] * len(PAIRS), PAIRS)
    alone = [at_ratings(net, *pair).evaluate([position])[0] for pair in PAIRS]
    assert_alike(curve, alone, 1e-6)
    # What is remembered for one pair is not another's.
    cached = evaluator(file).with_encoding(HumanEncoding(1500, 1500))
    assert_alike(cached.evaluate([position]), at_ratings(net, 1500, 1500).evaluate([position]), 1e-6)
    with pytest.raises(EncodingError, match="2 positions, 1 pairs"):
        evaluate_at_ratings(net, [position] * 2, [(None, None)])


@pytest.mark.parametrize("body", ["residual", "mlp"])
def test_a_network_for_one_pair_answers_as_the_one_for_all(body: str, tmp_path: Path) -> None:
    save_network(tmp_path / "all.safetensors", human_model(body))
    positions = standard_positions(seed=6, games=1)[::9]
    for own, other in PAIRS:
        plain = for_ratings(stored(human_model(body)), own, other)
        assert plain.config.encoding == "leela-1-flat"
        save_stored(tmp_path / "one.safetensors", plain)
        wanted = at_ratings(evaluator(tmp_path / "all.safetensors"), own, other).evaluate(positions)
        assert_alike(evaluator(tmp_path / "one.safetensors").evaluate(positions), wanted, 1e-5)


def test_leelas_file_for_one_pair_answers_as_the_network_itself(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "human-1300.pb.gz"
    convert(file, target, Choices(rating=1300, opponent_rating=2450))
    positions = standard_positions(seed=7, games=1)[::9]
    wanted = at_ratings(evaluator(file), 1300, 2450).evaluate(positions)
    # Leela's weights are whole numbers of 16 bits.
    assert_alike(evaluator(target).evaluate(positions), wanted, 1e-3)
    other = at_ratings(evaluator(file), 2450, 1300).evaluate(positions)
    assert max(float(np.abs(a.priors - b.priors).max()) for a, b in zip(wanted, other, strict=True)) > 1e-2


def test_networks_without_ratings_are_told_apart(tmp_path: Path, file: Path) -> None:
    model = Model(replace(NetworkConfig(), encoding="leela-1-flat", blocks=1, filters=16), NativeLeelaEncoding().shape)
    path = tmp_path / "plain.safetensors"
    save_network(path, model)
    with pytest.raises(NetError, match="knows no ratings"):
        at_ratings(evaluator(path), 1500, 1500)
    with pytest.raises(NetError, match="knows no ratings"):
        convert(path, tmp_path / "new.pb.gz", Choices(rating=1500))
    with pytest.raises(ConfigError, match=r"\.pb or \.pb\.gz"):
        convert(file, tmp_path / "new.onnx", Choices(rating=1500))
    with pytest.raises(NetError, match="is not 'leela-1-flat'"):
        evaluator(file).with_encoding(NativeLeelaEncoding())
    damaged = stored(human_model())
    with pytest.raises(NetError, match="should be"):
        for_ratings(StoredNetwork(replace(damaged.config, filters=32), damaged.arrays, {}), 1500, 1500)
