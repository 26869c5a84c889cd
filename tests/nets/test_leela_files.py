"""Leela's weight files: read, written, read again; old ones repaired; bad ones refused by name."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import NetError, UnknownNameError
from philidor.encodings.leela import LeelaInput
from philidor.nets.leela.convert import describe, to_onnx
from philidor.nets.leela.files import format_of, load_leela, parse_leela, save_leela
from philidor.nets.leela.messages import (
    Activation,
    Embedding,
    EngineVersion,
    Layer,
    Net,
    NetworkFormat,
    PolicyKind,
    Structure,
    ValueKind,
    WeightCode,
)
from philidor.nets.leela.weights import array_of, convolution, layer_of
from philidor.nets.magic import LEELA
from philidor.nets.protobuf import encode
from tests.nets.leela_nets import Maker, attention_net, residual_net


def form_of(net: Net) -> NetworkFormat:
    assert net.format is not None
    assert net.format.network_format is not None
    return net.format.network_format


@pytest.mark.parametrize("name", ["net.pb", "net.pb.gz"])
def test_a_written_file_loads_back_identically(name: str, tmp_path: Path) -> None:
    for net in (residual_net(), attention_net(), attention_net(dense=True)):
        save_leela(net, tmp_path / name)
        assert load_leela(tmp_path / name) == net
    first = (tmp_path / name).read_bytes()
    save_leela(load_leela(tmp_path / name), tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def test_numbers_survive_the_sixteen_bits() -> None:
    array = np.random.default_rng(1).normal(size=(5, 7)).astype(np.float32)
    for code, allowed in ((WeightCode.LINEAR16, np.ptp(array) / 131070 * 1.01), (WeightCode.FLOAT16, 2e-3)):
        read = array_of(layer_of(array, code), "array", 5, 7)
        assert np.abs(read - array).max() <= allowed
    np.testing.assert_array_equal(array_of(layer_of(array, WeightCode.FLOAT32), "array", 5, 7), array)
    np.testing.assert_array_equal(array_of(layer_of(np.full(3, 0.25)), "array", 3), np.full(3, 0.25, np.float32))
    truncated = (array.view(np.uint32) >> 16).astype("<u2")
    read = array_of(Layer(params=truncated.tobytes(), encoding=WeightCode.BFLOAT16), "array", 5, 7)
    assert np.abs(read - array).max() <= 2**-7 * np.abs(array).max()


def test_what_was_read_is_written_bit_for_bit_the_same() -> None:
    layer = Maker(3).layer(1000)
    again = layer_of(array_of(layer, "layer", 1000))
    assert again.params == layer.params


def test_old_batch_norm_is_folded() -> None:
    block = Maker(5).old_conv(4, 3, 3)
    folded = convolution(block, "convolution", 3, 3)
    scale = array_of(block.bn_gammas, "", 4) / np.sqrt(array_of(block.bn_stddivs, "", 4) + 1e-5)
    np.testing.assert_allclose(
        folded.weights, array_of(block.weights, "", 4, 3, 3, 3) * scale.reshape(4, 1, 1, 1), rtol=1e-6
    )
    shift = array_of(block.bn_means, "", 4) - array_of(block.biases, "", 4)
    np.testing.assert_allclose(folded.biases, array_of(block.bn_betas, "", 4) - scale * shift, rtol=1e-5, atol=1e-6)
    block.bn_betas = None
    deviation = np.sqrt(array_of(block.bn_stddivs, "", 4) + 1e-5)
    np.testing.assert_allclose(convolution(block, "", 3, 3).biases, -shift / deviation, rtol=1e-5, atol=1e-6)


def test_files_from_before_formats_are_classical() -> None:
    net = residual_net(policy=PolicyKind.CLASSICAL, value=ValueKind.CLASSICAL, squeeze=False, moves_left=False)
    assert net.format is not None
    net.format.network_format = None
    form = format_of(parse_leela(encode(net)))
    assert (form.structure, form.policy, form.value) == (
        Structure.CLASSICAL_WITH_HEADS,
        PolicyKind.CLASSICAL,
        ValueKind.CLASSICAL,
    )
    assert form.input is LeelaInput.CLASSICAL
    to_onnx(net)


@pytest.mark.parametrize(("old", "new"), [(1, Structure.CLASSICAL_WITH_HEADS), (2, Structure.SE_WITH_HEADS)])
def test_structures_without_heads_have_classical_ones(old: int, new: Structure) -> None:
    net = residual_net(policy=PolicyKind.CLASSICAL, value=ValueKind.CLASSICAL)
    form = form_of(net)
    form.network, form.policy, form.value = old, None, None
    assert (format_of(net).structure, format_of(net).policy) == (new, PolicyKind.CLASSICAL)


def test_attention_bodies_from_before_their_name() -> None:
    net = attention_net()
    form = form_of(net)
    form.network, form.input_embedding = Structure.SE_WITH_HEADS, None
    form.smolgen_activation = form.ffn_activation = None
    found = format_of(net)
    assert found.structure is Structure.ATTENTION
    assert found.embedding is Embedding.PE_MAP
    assert (found.ffn_activation, found.smolgen_activation) == (Activation.RELU_2, Activation.SWISH)
    net = attention_net(dense=True)
    form_of(net).network, form_of(net).input_embedding = Structure.ATTENTION, None
    assert (format_of(net).structure, format_of(net).embedding) == (Structure.ATTENTION_MULTIHEAD, Embedding.PE_DENSE)
    form_of(net).network = Structure.ATTENTION_MULTIHEAD_LEGACY
    assert format_of(net).structure is Structure.ATTENTION_MULTIHEAD


def test_a_network_is_described() -> None:
    facts = describe(residual_net(blocks=3, filters=16, mish=True))
    assert (facts["blocks"], facts["filters"], facts["activation"], facts["value"]) == (3, 16, "mish", "wdl")
    facts = describe(attention_net(dense=True))
    assert (facts["encoders"], facts["policy_heads"], facts["value_heads"]) == (2, ["vanilla", "soft"], ["winner", "q"])


WHOLE = encode(residual_net())


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "no Leela network"),
        (b"1\n0.1 0.2", "old text format"),
        (b"\x1f\x8bnonsense", "cannot be unpacked"),
        (gzip.compress(b"hello there"), "no Leela network"),
        (WHOLE[:5000], "cut off"),
        (gzip.compress(WHOLE)[:-200], "cannot be unpacked"),
        (encode(replace(residual_net(), weights=None)), "has no weights"),
        (encode(replace(residual_net(), min_version=EngineVersion(0, 99, 0))), "asks for lc0 0.99.0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_files_are_refused(data: bytes, problem: str) -> None:
    with pytest.raises(NetError, match=problem):
        parse_leela(data)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NetError, match=r"cannot read .*nothing\.pb"):
        load_leela(tmp_path / "nothing.pb")
    with pytest.raises(NetError, match="cannot write"):
        save_leela(residual_net(), tmp_path / "no folder" / "net.pb")


def test_unsupported_parts_are_named() -> None:
    cases = [
        ("network", 99, "structure that is not known here: 99"),
        ("input", 6, "input format that is not known here: 6"),
        ("policy", 9, "policy head that is not known here: 9"),
        ("value", 3, "value head is not supported: PARAM"),
        ("default_activation", 5, "default activation that is not known here: 5"),
        ("moves_left", 2, "moves-left head that is not known here: 2"),
    ]
    for name, number, problem in cases:
        net = residual_net()
        setattr(form_of(net), name, number)
        with pytest.raises(NetError, match=problem):
            to_onnx(net)


def test_missing_and_misshapen_weights_are_named() -> None:
    net = residual_net()
    assert net.weights is not None
    net.weights.ip1_val_w = None
    with pytest.raises(NetError, match="the network has no value 1 weights"):
        to_onnx(net)
    net = residual_net()
    assert net.weights is not None
    net.weights.residual[1].conv2 = Maker(1).conv(8, 16, 3)
    with pytest.raises(NetError, match="block 1 convolution 2 weights should have 16 x 16 x 3 x 3 numbers"):
        to_onnx(net)
    net = residual_net()
    assert net.weights is not None
    net.weights.ip2_val_b = Layer(params=np.array([np.nan] * 3, "<f4").tobytes(), encoding=WeightCode.FLOAT32)
    with pytest.raises(NetError, match="value 2 biases has numbers that are not finite"):
        to_onnx(net)


def test_unknown_heads_are_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="no policy head 'vanila'; did you mean 'vanilla'"):
        to_onnx(attention_net(dense=True), policy="vanila")
    with pytest.raises(UnknownNameError, match="no value head 'q'"):
        to_onnx(residual_net(), value="q")


def test_attention_features_that_are_not_supported_are_named() -> None:
    net = attention_net()
    assert net.weights is not None
    assert net.weights.encoder[0].mha is not None
    net.weights.encoder[0].mha.rpe_q = Maker(1).layer(4)
    with pytest.raises(NetError, match="encoder 0 has relative position encodings"):
        to_onnx(net)
    net = attention_net()
    form_of(net).policy = PolicyKind.CONVOLUTION
    with pytest.raises(NetError, match="convolution policy head on an attention body"):
        to_onnx(net)
    net = attention_net()
    assert net.weights is not None
    net.weights.headcount = 7
    with pytest.raises(NetError, match="15 channels for 7 heads"):
        to_onnx(net)


def test_a_file_made_to_fill_the_memory_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("philidor.nets.leela.files._UNPACKED_BYTES", 1 << 20)
    path = tmp_path / "bomb.pb.gz"
    bomb = gzip.compress(LEELA + bytes(1 << 24))
    path.write_bytes(bomb)
    problem = r"has [\d,]+ bytes and unpacks to more than [\d,]+, which is no network"
    with pytest.raises(NetError, match=problem):
        load_leela(path)
    with pytest.raises(NetError, match=problem):
        parse_leela(bomb)
    save_leela(residual_net(), path)
    assert load_leela(path).weights is not None


def test_a_file_of_nothing_but_small_fields_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.nets.protobuf._MAX_FIELDS", 1_000)
    assert parse_leela(encode(residual_net())).weights is not None
    for field in (b"\x78\x01", b"\x12\x00"):
        with pytest.raises(NetError, match="more than 1,000 fields"):
            parse_leela(LEELA + 1_001 * field)
