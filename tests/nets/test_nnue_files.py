"""Files of NNUE networks: byte for byte back and forth, and one clear error for each way to be wrong."""

import hashlib
import io
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import NetError
from philidor.nets.loading import net_format
from philidor.nets.nnue import ARCHITECTURES, Network, load_network, own, save_network, stockfish
from philidor.nets.nnue.source import Source
from tests.nets.networks import REAL, SHAPES, SHARED, made_up, real_network


def written(network: Network, form: Callable[[Network], object] = own.parts) -> bytes:
    parts: object = form(network)
    return b"".join(parts)  # type: ignore[arg-type]


TINY = written(made_up(SHAPES["tiny"]))
HALFKP = written(made_up(ARCHITECTURES["halfkp-256"]), stockfish.parts)


def assert_same(network: Network, other: Network) -> None:
    assert network.architecture == other.architecture
    assert network.description == other.description
    assert np.array_equal(network.feature_biases, other.feature_biases)
    assert np.array_equal(network.feature_weights, other.feature_weights)
    for stack, twin in zip(network.stacks, other.stacks, strict=True):
        for layer, copy in zip(stack, twin, strict=True):
            assert np.array_equal(layer.biases, copy.biases)
            assert np.array_equal(layer.weights, copy.weights)


@pytest.mark.skipif(SHARED is None, reason="needs PHILIDOR_SHARED")
@pytest.mark.parametrize("name", REAL)
def test_real_networks_come_back_byte_for_byte(name: str, tmp_path: Path) -> None:
    network = load_network(real_network(name))
    assert network.description == stockfish.describe(network.architecture)
    path = tmp_path / "copy.nnue"
    save_network(network, path)
    data = path.read_bytes()
    assert len(data) == 21_022_697
    assert f"nn-{hashlib.sha256(data).hexdigest()[:12]}" == name
    save_network(network, tmp_path / "copy.phnn")
    assert_same(load_network(tmp_path / "copy.phnn"), network)


@pytest.mark.parametrize("suffix", [".phnn", ".phnn.zst"])
@pytest.mark.parametrize("shape", ["mirrored-256", "pairwise", "tiny", "odd"])
def test_networks_of_any_shape_come_back(shape: str, suffix: str, tmp_path: Path) -> None:
    network = made_up(SHAPES[shape], is_extreme=True)
    save_network(network, tmp_path / f"net{suffix}")
    assert_same(load_network(tmp_path / f"net{suffix}"), network)


@pytest.mark.parametrize("shape", ["halfkp-256", "fat-fritz-2"])
def test_stockfishs_format_comes_back(shape: str, tmp_path: Path) -> None:
    network = replace(made_up(SHAPES[shape]), description="straße, 177 times\0")
    save_network(network, tmp_path / "net.nnue")
    assert_same(load_network(tmp_path / "net.nnue"), network)


def test_hashes_and_sizes_are_stockfishs() -> None:
    shape = ARCHITECTURES["halfkp-256"]
    assert stockfish.features_hash(shape) == 0x5D69D7B8
    assert stockfish.layers_hash(shape) == 0x63337156
    assert stockfish.file_hash(shape) == 0x3E5AA6EE
    assert len(stockfish.describe(shape)) == 177
    assert len(HALFKP) - len("made up from seed 0") == 21_022_697 - 177
    assert shape.parameter_bytes == 21_022_697 - 177 - 20


def test_formats_follow_the_name(tmp_path: Path) -> None:
    network = made_up(SHAPES["tiny"])
    with pytest.raises(NetError, match=r"ends in \.nnue or \.phnn"):
        save_network(network, tmp_path / "net.bin")
    with pytest.raises(NetError, match="HalfKP networks with clipped layers only"):
        save_network(network, tmp_path / "net.nnue")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NetError, match="cannot write"):
        save_network(network, tmp_path / "nowhere" / "net.phnn")


def problem_of(data: bytes, tmp_path: Path) -> str:
    path = tmp_path / "bad.nnue"
    path.write_bytes(data)
    with pytest.raises(NetError) as caught:
        load_network(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def patched(data: bytes, offset: int, number: int) -> bytes:
    return data[:offset] + struct.pack("<I", number) + data[offset + 4 :]


def test_a_bad_stockfish_file_says_what_is_wrong(tmp_path: Path) -> None:
    features_at = 12 + len("made up from seed 0")
    layers_at = features_at + 4 + 512 + 41_024 * 512
    assert "begins with 0x7AF32F20" in problem_of(patched(HALFKP, 0, 0x7AF32F20), tmp_path)
    assert "hash 0x00000001 is of no known shape" in problem_of(patched(HALFKP, 4, 1), tmp_path)
    assert "4294967295 bytes, more than" in problem_of(patched(HALFKP, 8, 0xFFFFFFFF), tmp_path)
    assert "hash of the inputs should be 0x5D69D7B8" in problem_of(patched(HALFKP, features_at, 7), tmp_path)
    assert "hash of the layers should be 0x63337156" in problem_of(patched(HALFKP, layers_at, 7), tmp_path)
    assert "more bytes behind the network" in problem_of(HALFKP + b"\0", tmp_path)
    assert "the weights of layer 3 should be 32 bytes, the file ends after 31" in problem_of(HALFKP[:-1], tmp_path)
    assert "the inputs' weights should be" in problem_of(HALFKP[:1_000_000], tmp_path)
    assert "the first number should be 4 bytes" in problem_of(b"", tmp_path)


def test_padding_must_be_empty(tmp_path: Path) -> None:
    data = bytearray(written(made_up(ARCHITECTURES["fat-fritz-2"]), stockfish.parts))
    data[-1] = 1  # the last layer has 16 inputs, in a row of 32
    assert "padding of layer 3 should be zero" in problem_of(bytes(data), tmp_path)


def test_a_bad_file_of_our_own_says_what_is_wrong(tmp_path: Path) -> None:
    length = struct.unpack("<I", TINY[8:12])[0]
    altered = bytearray(TINY)
    altered[-1] ^= 1
    assert "SHA-256 should be" in problem_of(bytes(altered), tmp_path)
    assert "version 2 of philidor's format" in problem_of(patched(TINY, 4, 2), tmp_path)
    assert "header is damaged" in problem_of(patched(TINY, 8, length - 1), tmp_path)
    assert "more than 65536" in problem_of(patched(TINY, 8, 1 << 30), tmp_path)
    assert "cut off" in problem_of(TINY[:-1], tmp_path)
    assert "more bytes" in problem_of(TINY + b"x", tmp_path)
    huge = TINY.replace(b'"width":64', b'"width":65')
    assert "width must be a multiple" in problem_of(huge, tmp_path)
    missing = TINY.replace(b'"width":', b'"wodth":')
    assert "header is damaged: KeyError 'width'" in problem_of(missing, tmp_path)
    other = TINY.replace(b'"spare":0', b'"spare":t')
    assert "header is damaged" in problem_of(other, tmp_path)
    nested = TINY[:8] + struct.pack("<I", 60_000) + b"[" * 60_000
    assert "header is damaged: RecursionError" in problem_of(nested, tmp_path)


def test_packed_files_that_are_damaged_are_refused(tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(TINY)
    assert "cut off" in problem_of(packed[:-200], tmp_path)
    assert "cannot be read" in problem_of(packed[:20] + b"\xff" * 40 + packed[60:], tmp_path)
    assert "is no NNUE network" in problem_of(zstandard.ZstdCompressor().compress(b"plain text"), tmp_path)


@pytest.mark.parametrize("place", [4, 8, 12])
def test_the_format_of_a_packed_file_that_is_damaged_is_not_known(place: int, tmp_path: Path) -> None:
    packed = bytearray(zstandard.ZstdCompressor().compress(TINY))
    packed[place] ^= 0xFF
    path = tmp_path / "bad.phnn.zst"
    path.write_bytes(packed)
    with pytest.raises(NetError, match=r"cannot read .*zstd"):
        net_format(path)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.nnue"):
        with pytest.raises(NetError, match="cannot read"):
            load_network(path)


class Endless(io.RawIOBase):
    """A stream that never ends and counts what is taken from it."""

    def __init__(self, start: bytes) -> None:
        self.start = start
        self.taken = 0

    def read(self, count: int = -1) -> bytes:
        assert count >= 0, "nobody reads an endless stream to its end"
        part = self.start[self.taken : self.taken + count]
        self.taken += count
        return part + b"\x55" * (count - len(part))


@pytest.mark.parametrize("size", [2 << 30])
def test_gigabytes_of_noise_are_refused_at_once(size: int, tmp_path: Path) -> None:
    path = tmp_path / "noise.nnue"
    for start in (b"\x55" * 64, HALFKP[:12] + b"\x55" * 64):
        with path.open("wb") as file:
            file.write(start)
            file.truncate(size)
        with pytest.raises(NetError):
            load_network(path)
    # A true beginning: no more is read than such a network has, and one byte.
    stream = Endless(TINY)
    source = Source(stream, "noise", 1 << 20)  # type: ignore[arg-type]
    source.take(4, "magic")
    own.read(source)
    with pytest.raises(NetError, match="more bytes"):
        source.expect_end()
    assert stream.taken == len(TINY) + 1


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_altered_files_never_load_and_never_crash(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("altered") / "net.phnn"
    altered = bytearray(TINY)
    spots = st.one_of(st.integers(0, 800), st.integers(0, len(TINY) - 1))
    for spot in data.draw(st.lists(spots, min_size=1, max_size=4, unique=True)):
        altered[spot] ^= data.draw(st.integers(1, 255))
    path.write_bytes(bytes(altered))
    try:
        network = load_network(path)
    except NetError:
        return
    # Only the words of the description and the scale of centipawns are not weights.
    original = made_up(SHAPES["tiny"])
    assert np.array_equal(network.feature_weights, original.feature_weights)


def test_a_network_must_fit_its_shape() -> None:
    network = made_up(SHAPES["tiny"])
    with pytest.raises(NetError, match=r"feature biases: expected int16\[64\], got int16\[63\]"):
        replace(network, feature_biases=network.feature_biases[:-1])
    with pytest.raises(NetError, match="4 output buckets, got 1"):
        replace(network, stacks=network.stacks[:1])


def test_a_file_made_to_fill_the_memory_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.nnue.zst"
    monkeypatch.setattr("philidor.nets.nnue.source._UNPACKED_BYTES", 1 << 10)
    path.write_bytes(zstandard.ZstdCompressor().compress(HALFKP + bytes(100)))
    with pytest.raises(NetError, match=r"the whole network can have [\d,]+"):
        load_network(path)
