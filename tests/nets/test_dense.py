"""Networks of floats: what they see is what the book's text says, and one clear error for each way to be wrong."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import NetError
from philidor.games.chess import Position
from philidor.nets.dense import DeepChessNetwork, GiraffeNetwork, Layer, load_deepchess, load_giraffe, save_dense
from philidor.nets.dense.deepchess import active_inputs
from philidor.nets.dense.features import COUNT, GROUPS, features
from philidor.nets.dense.files import load_dense
from tests.nets.dense_networks import made_up_deepchess, made_up_giraffe

PLACE = 5
"""Numbers of a piece that does not slide."""


def test_a_rook_ending_is_seen_as_the_text_says() -> None:
    # White: Ke1, Ra1 with the right to castle there. Black: Ke8, pawn a4.
    facts, pieces, squares = np.split(features(Position("4k3/8/8/8/p7/8/8/R3K3 w Q - 0 1")), np.cumsum(GROUPS)[:-1])
    assert facts.tolist() == [0, 1, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.125]
    sevenths = np.arange(8, dtype=np.float32) / np.float32(7)
    # The king on e1 stands on file 4 of 7, rank 0, held by its own rook (0.5) and by nobody else.
    assert pieces[:PLACE].tolist() == [1, sevenths[4], 0, 0.5, 0]
    assert not pieces[PLACE : PLACE + 13].any()  # no queen
    rook = pieces[PLACE + 13 : PLACE + 22]
    # Up to the pawn on a4, right up to the own king, and no further.
    assert rook.tolist() == [1, 0, 0, 0, 0, sevenths[3], sevenths[4], 0, 0]
    own, theirs = squares[:64].reshape(8, 8), squares[64:].reshape(8, 8)
    assert own[3, 0] == 0.5
    assert own[1, 3] == np.float32(0.15)
    assert theirs[2, 1] == 1.0  # the pawn holds b3
    assert theirs[4, 1] == 0.0


def test_both_sides_see_their_own_board() -> None:
    board = Position("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 b kq - 0 6").to_board()
    mirrored = Position.from_board(board.mirror())
    assert np.array_equal(features(Position.from_board(board)), features(mirrored))
    assert features(mirrored)[:4].tolist() == [1, 1, 0, 0]


def test_deepchess_sees_773_bits_in_whites_view() -> None:
    assert active_inputs(Position("4k3/8/8/8/8/8/P7/4K3 b - - 0 1")) == [8, 5 * 64 + 4, 11 * 64 + 60]
    everything = active_inputs(Position())
    assert len(everything) == 32 + 1 + 4
    assert everything[-5:] == [768, 769, 770, 771, 772]
    assert active_inputs(Position("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"))[-3:] == [768, 770, 771]


def test_a_comparison_never_contradicts_itself() -> None:
    network = made_up_deepchess()
    first, second = network.embed(Position()), network.embed(Position().play("e4"))
    assert network.compare(first, second) == -network.compare(second, first) != 0
    assert network.compare(first, first) == 0


def _layers(network: GiraffeNetwork | DeepChessNetwork) -> list[Layer]:
    if isinstance(network, GiraffeNetwork):
        return [*network.first, *network.above]
    return [*network.position, *network.comparison]


@pytest.mark.parametrize("network", [made_up_giraffe(), made_up_deepchess()], ids=["giraffe", "deepchess"])
def test_a_network_comes_back(network: GiraffeNetwork | DeepChessNetwork, tmp_path: Path) -> None:
    save_dense(network, tmp_path / "net.phfl")
    read = load_dense(tmp_path / "net.phfl")
    assert type(read) is type(network)
    assert read.description == "made up"
    for layer, twin in zip(_layers(network), _layers(read), strict=True):
        assert np.array_equal(layer.weights, twin.weights)
        assert np.array_equal(layer.biases, twin.biases)
    if isinstance(network, GiraffeNetwork):
        assert load_giraffe(tmp_path / "net.phfl").scale == network.scale
        with pytest.raises(NetError, match=r"judges positions .* cannot compare"):
            load_deepchess(tmp_path / "net.phfl")
    else:
        with pytest.raises(NetError, match=r"compares positions .* cannot judge"):
            load_giraffe(tmp_path / "net.phfl")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("dense") / "net.phfl"
    save_dense(made_up_giraffe(), path)
    return path.read_bytes()


def _header_of(data: bytes) -> tuple[dict[str, object], bytes]:
    length = int.from_bytes(data[8:12], "little")
    return json.loads(data[12 : 12 + length]), data[12 + length :]


def _with_header(data: bytes, **changes: object) -> bytes:
    header, rest = _header_of(data)
    text = json.dumps({**header, **changes}).encode()
    return data[:8] + len(text).to_bytes(4, "little") + text + rest


DAMAGES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("nothing", lambda _: b"", "cut off"),
    ("another file", lambda _: b"MZ\x90\x00" * 100, "is no network of floats"),
    ("an NNUE network", lambda data: b"PHNN" + data[4:], "is no network of floats"),
    ("a later version", lambda data: data[:4] + b"\x02" + data[5:], "has version 2"),
    ("a huge header", lambda data: data[:8] + b"\xff\xff\xff\x7f" + data[12:], "more than 65536: damaged"),
    ("cut off", lambda data: data[:-1], "cut off: the biases of layer 5"),
    ("too long", lambda data: data + b"x", "more bytes behind the network"),
    ("altered", lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "altered"),
    ("a deep header", lambda data: data[:8] + b"\x60\xea\0\0" + b"[" * 60_000, "its header is damaged: RecursionError"),
    ("no JSON", lambda data: data[:12] + b"?" + data[13:], "its header is damaged"),
    ("huge layers", lambda data: _with_header(data, layers=[[4096, 2**40]]), "from 1 to 512"),
    ("no layers", lambda data: _with_header(data, layers=[], first=0), "its header is damaged"),
    ("another kind", lambda data: _with_header(data, kind="elephant"), "not known: 'elephant'"),
    ("other groups", lambda data: _with_header(data, first=2), "the first layers should have"),
    ("no scale", lambda data: _with_header(data, scale=-1.0), "the scale should be a positive"),
    ("a scale of nothing", lambda data: _with_header(data, scale=float("nan")), "the scale should be a positive"),
]


@pytest.mark.parametrize(("damage", "words"), [(d, w) for _, d, w in DAMAGES], ids=[name for name, _, _ in DAMAGES])
def test_a_damaged_file_says_what_is_wrong(
    damage: Callable[[bytes], bytes], words: str, good: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "bad.phfl"
    path.write_bytes(damage(good))
    with pytest.raises(NetError, match=words) as error:
        load_giraffe(path)
    assert str(path) in str(error.value)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_changed_byte_is_noticed_or_harmless(
    good: bytes, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = data.draw(st.integers(0, len(good) - 1))
    value = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "changed.phfl"
    path.write_bytes(good[:place] + bytes([value]) + good[place + 1 :])
    try:
        network = load_giraffe(path)
    except NetError:
        return
    # Only the description, the scale and spaces may change without anybody noticing.
    for layer, twin in zip(_layers(network), _layers(made_up_giraffe()), strict=True):
        assert np.array_equal(layer.weights, twin.weights)


def test_what_is_no_number_is_refused(tmp_path: Path) -> None:
    network = made_up_giraffe()
    weights = network.above[0].weights.copy()
    weights[3, 3] = np.nan
    with pytest.raises(NetError, match="not a number"):
        Layer(weights, network.above[0].biases)
    weights[3, 3] = 1e6
    large = dataclasses.replace(network, above=(Layer(weights, network.above[0].biases), network.above[1]))
    with pytest.raises(NetError, match="too large for the file"):
        save_dense(large, tmp_path / "large.phfl")
    with pytest.raises(NetError, match=r"ends in \.phfl"):
        save_dense(network, tmp_path / "net.bin")
    assert sum(GROUPS) == COUNT
