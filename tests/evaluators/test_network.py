"""Networks as evaluators: policies that are probabilities, chances of the right side, errors with a name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import philidor
from philidor.cli import main
from philidor.core.errors import ConfigError, EncodingError, NetError
from philidor.core.evaluation import Wdl
from philidor.encodings import default_encoding, load_encoding
from philidor.encodings.encoding import expand
from philidor.evaluators.centipawns import FORMULAS, centipawns
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator, checked_outputs
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.leela.convert import to_onnx
from philidor.nets.leela.files import save_leela
from philidor.nets.leela.messages import PolicyKind, ValueKind
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.onnx.graph import BATCH, Graph
from philidor.nets.onnx.messages import DataType, ModelProto
from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY
from philidor.nets.protobuf import decode, encode
from tests.encodings.positions import standard_positions
from tests.nets.leela_nets import attention_net, residual_net

FILLS = ("no", "fen_only", "always")


@pytest.fixture
def leela_file(tmp_path: Path) -> Path:
    save_leela(residual_net(), tmp_path / "small.pb.gz")
    return tmp_path / "small.pb.gz"


def leela_evaluator(path: Path, **config: Any) -> NetEvaluator:
    net = load_net(path, **config)
    assert isinstance(net, NetEvaluator)
    return net


def test_a_network_gives_every_legal_move_a_probability(leela_file: Path) -> None:
    positions = standard_positions(seed=2, games=1)
    for position, found in zip(positions, philidor.load_net(leela_file).evaluate(positions), strict=True):
        assert list(found.moves) == position.legal_moves()
        assert set(found.policy) == {position.uci(move) for move in position.legal_moves()}
        if found.moves:
            assert abs(float(found.priors.sum(dtype=np.float64)) - 1) < 1e-6, position.fen()
        assert abs(sum(found.wdl) - 1) < 1e-6
        assert found.moves_left is not None


def test_evaluations_do_not_depend_on_their_company(leela_file: Path) -> None:
    positions = standard_positions(seed=5, games=1)[:90]
    net = leela_evaluator(leela_file, batch=16)
    together = net.evaluate(positions)
    for position, found in list(zip(positions, together, strict=True))[::7]:
        alone = net.evaluate([position])[0]
        np.testing.assert_allclose(alone.priors, found.priors, atol=1e-5)
        np.testing.assert_allclose(alone.wdl, found.wdl, atol=1e-5)
    assert net.evaluate([]) == []


def test_the_outputs_are_those_of_the_policy(leela_file: Path) -> None:
    net = leela_evaluator(leela_file)
    position = Position()
    logits = net.outputs([position])["policy"][0]
    batch = net.encoding.encode([position])
    powers = np.exp(logits[batch.legal(0)].astype(float))
    np.testing.assert_allclose(net.evaluate([position])[0].priors, powers / powers.sum(), atol=1e-6)


def test_a_tanh_network_knows_no_draws(tmp_path: Path) -> None:
    save_leela(residual_net(value=ValueKind.CLASSICAL, moves_left=False), tmp_path / "net.pb")
    found = load_net(tmp_path / "net.pb").evaluate([Position()])[0]
    assert found.wdl.draw == 0
    assert found.moves_left is None
    assert -1 < found.value < 1


def test_temperature_flattens_the_policy(leela_file: Path) -> None:
    plain = leela_evaluator(leela_file).evaluate([Position()])[0].priors
    flat = leela_evaluator(leela_file, policy_temperature=2.0).evaluate([Position()])[0].priors
    np.testing.assert_allclose(flat, np.sqrt(plain) / np.sqrt(plain).sum(), atol=1e-6)


def test_unknown_history_is_filled_as_asked(leela_file: Path) -> None:
    position = Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    values = {fill: leela_evaluator(leela_file, history_fill=fill).evaluate([position])[0].value for fill in FILLS}
    assert values["fen_only"] == values["always"] != values["no"]
    values = {fill: leela_evaluator(leela_file, history_fill=fill).evaluate([Position()])[0].value for fill in FILLS}
    assert values["fen_only"] == values["no"] != values["always"]


def test_the_cache_answers_for_the_same_history_only(leela_file: Path) -> None:
    net = leela_evaluator(leela_file, cache=3)
    start, position = Position(), Position()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"]:
        position = position.play(move)
    assert position == start
    first, repeated, again = net.evaluate([start, position, start])
    assert net.cache_hits == 0
    assert first.wdl == again.wdl
    assert first.wdl != repeated.wdl
    assert net.evaluate([start])[0].wdl == first.wdl
    assert net.cache_hits == 1
    others = [start.play(move) for move in start.legal_moves()]
    net.evaluate(others)
    net.evaluate([start])
    assert net.cache_hits == 1, "the oldest were forgotten"


def test_the_cache_tells_positions_apart_that_differ_only_in_their_clock(leela_file: Path) -> None:
    """The fifty-move clock is a number beside the planes; kings and rooks stand the same."""
    calm, late = (Position(f"8/5k2/8/8/8/8/5K2/R7 w - - {clock} 60") for clock in (0, 90))
    plain, cached = (leela_evaluator(leela_file, cache=cache).evaluate([calm, late]) for cache in (0, 10))
    assert plain[0].wdl != plain[1].wdl
    assert [found.wdl for found in cached] == [found.wdl for found in plain]


def test_onnx_files_know_their_encoding(tmp_path: Path, leela_file: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(to_onnx(residual_net()))
    assert net_format(tmp_path / "net.onnx") is NetFormat.ONNX
    positions = [Position(), Position().play("e4")]
    for ours, theirs in zip(
        load_net(tmp_path / "net.onnx").evaluate(positions), load_net(leela_file).evaluate(positions), strict=True
    ):
        np.testing.assert_allclose(ours.priors, theirs.priors, atol=1e-6)


def small_game_model(planes: int, size: int, policy: int, *, metadata: dict[str, str], scale: float = 1.0) -> bytes:
    """A network that says the same of every state."""
    graph = Graph("small")
    flat = graph.reshape(graph.input("planes", [BATCH, planes, size, size]), -1, planes * size * size)
    zeros = graph.constant(np.zeros((planes * size * size, policy), np.float32))
    logits = graph.add("Add", graph.add("MatMul", flat, zeros), graph.constant(np.arange(policy, dtype=np.float32)))
    graph.output(graph.add("Mul", logits, graph.scalar(scale)), "policy", [BATCH, policy])
    value = graph.add("ReduceSum", logits, graph.ints(1), keepdims=1)
    graph.output(graph.add("Tanh", value), "value", [BATCH, 1])
    return graph.model(metadata)


def test_other_games_have_networks_too(tmp_path: Path) -> None:
    path = tmp_path / "tictactoe.onnx"
    path.write_bytes(small_game_model(3, 3, 9, metadata={ENCODING_KEY: "boards-1", GAME_KEY: "tictactoe"}))
    game = load_game("tictactoe")
    found = load_net(path).evaluate([game.state().play("c3")])[0]
    assert found.priors.argmax() == 7
    assert default_encoding(game).name == "boards-1"
    path.write_bytes(small_game_model(3, 3, 9, metadata={}))
    with pytest.raises(NetError, match="does not say what its encoding is"):
        load_net(path)
    assert len(load_net(path, encoding="boards-1", game="tictactoe").evaluate([game.state()])) == 1


def test_networks_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    game = load_game("tictactoe")
    for planes, policy, problem in ((4, 9, "takes 4 x 3 x 3 planes"), (3, 8, "'policy' should be n x 9")):
        path.write_bytes(small_game_model(planes, 3, policy, metadata={}))
        with pytest.raises(NetError, match=problem):
            load_net(path, encoding="boards-1", game="tictactoe")
    path.write_bytes(small_game_model(3, 3, 9, metadata={}, scale=float("nan")))
    with pytest.raises(NetError, match="not finite"):
        load_net(path, encoding="boards-1", game="tictactoe").evaluate([game.state()])
    with pytest.raises(ConfigError, match="threads must be"):
        load_net(path, encoding="boards-1", game="tictactoe", threads=0)
    with pytest.raises(EncodingError, match="no encoding"):
        load_net(path, encoding="planes", game="tictactoe")


def foreign_model(
    *,
    half: str = "",
    batch: Any = BATCH,
    value: str = "value",
    size: int = 1,
    declared: Any = None,
    scale: float = 0,
) -> bytes:
    """A model for tic-tac-toe as another program might write it: it answers `scale` in every place of `value`."""
    graph = Graph("foreign")
    flat = graph.add("Cast", graph.reshape(graph.input("planes", [batch, 3, 3, 3]), -1, 27), to=int(DataType.FLOAT))
    graph.output(graph.add("MatMul", flat, graph.constant(np.zeros((27, 9), np.float32))), "policy", [BATCH, 9])
    zeros = graph.add("MatMul", flat, graph.constant(np.zeros((27, size), np.float32)))
    found = graph.add("Add", zeros, graph.scalar(scale))
    if declared == [BATCH]:
        found = graph.reshape(found, -1)
    if half == "value":
        found = graph.add("Cast", found, to=int(DataType.FLOAT16))
    graph.output(found, value, declared or [BATCH, size])
    model = decode(ModelProto, graph.model({ENCODING_KEY: "boards-1", GAME_KEY: "tictactoe"}))
    if half == "planes":
        model.graph.input[0].type.tensor_type.elem_type = DataType.FLOAT16  # type: ignore[union-attr]
    if half == "value":
        model.graph.output[1].type.tensor_type.elem_type = DataType.FLOAT16  # type: ignore[union-attr]
    return encode(model)


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ({"half": "planes"}, r"the input 'planes' should be tensor\(float\), it is tensor\(float16\)"),
        ({"half": "value"}, r"the output 'value' should be tensor\(float\), it is tensor\(float16\)"),
        ({"batch": 1}, "the input 'planes' takes 1 states at a time; it must take any number"),
        ({"declared": [BATCH]}, "the output 'value' should be n x 1 for the encoding, it is"),
        ({"size": 2}, "the output 'value' should be n x 1 for the encoding, it is .* x 2"),
        ({"scale": 1.5}, "the output 'value' should be from -1 to 1, it is 1.5"),
        ({"value": "wdl", "size": 3, "scale": 2.5}, "the output 'wdl' should be probabilities, it is 2.5, 2.5, 2.5"),
        ({"value": "wdl", "size": 3, "scale": -1.0}, "the output 'wdl' should be probabilities, it is -1"),
        ({"value": "wdl", "size": 3, "scale": float("inf")}, "not finite: output 'wdl'"),
    ],
)
def test_what_a_foreign_model_does_wrong_is_named(model: dict[str, Any], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "foreign.onnx"
    path.write_bytes(foreign_model(**model))
    with pytest.raises(NetError, match=problem):
        load_net(path).evaluate([load_game("tictactoe").state()])


def test_outputs_that_a_model_did_not_declare_are_checked_too() -> None:
    policy = np.zeros((2, 9), np.float32)
    for shape, problem in (((2, 3), "2 x 1, it is 2 x 3"), ((2,), "2 x 1, it is 2"), ((1, 1), "it is 1 x 1")):
        value = np.zeros(shape)
        with pytest.raises(NetError, match=problem):
            checked_outputs({"policy": policy, "value": value.astype(np.float32)}, 2, 9)
    with pytest.raises(NetError, match="'policy' should be 2 x 8, it is 2 x 9"):
        checked_outputs({"policy": policy}, 2, 8)


def test_a_foreign_model_that_is_right_is_played(tmp_path: Path) -> None:
    path = tmp_path / "foreign.onnx"
    path.write_bytes(foreign_model(value="wdl", size=3, scale=1 / 3))
    assert load_net(path).evaluate([load_game("tictactoe").state()])[0].value == 0


def test_a_network_of_chess_refuses_another_game(leela_file: Path) -> None:
    with pytest.raises(EncodingError, match="encodes a Position, got TicTacToeState"):
        load_net(leela_file).evaluate([load_game("tictactoe").state()])


def test_a_network_of_a_small_game_refuses_other_games_and_boards(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(small_game_model(3, 3, 9, metadata={ENCODING_KEY: "boards-1", GAME_KEY: "tictactoe"}))
    net = load_net(path)
    for name in ("connect4", "hexapawn", "chess"):
        with pytest.raises(EncodingError, match=r"boards-1 encodes a TicTacToeState here, got"):
            net.evaluate([load_game(name).state()])
    assert main(["eval", "--net", str(path), "--game", "connect4"]) == 2
    for encoding in ("boards-1", "text", "hexapawn"):
        small = load_encoding(encoding, load_game("hexapawn"))
        with pytest.raises(EncodingError, match="encodes a board of 3x3 here, got a board of 4x3"):
            small.encode([load_game("hexapawn-4x3").state()])


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "no network of a known format"),
        (b"hello", "no network"),
        (b"\x1f\x8b", "cannot read"),
        (b"1\nx", "old text"),
    ],
    ids=["empty", "text", "gzip", "old"],
)
def test_other_files_are_no_networks(data: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "net").write_bytes(data)
    with pytest.raises(NetError, match=problem):
        load_net(tmp_path / "net")


def test_a_folder_and_nothing_are_no_networks(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(NetError, match=r"network|directory"):
            load_net(path)


def test_an_unsupported_network_is_named_with_its_file(tmp_path: Path) -> None:
    net = attention_net()
    assert net.format is not None
    assert net.format.network_format is not None
    net.format.network_format.policy = PolicyKind.CLASSICAL
    save_leela(net, tmp_path / "odd.pb.gz")
    with pytest.raises(NetError, match=r"odd\.pb\.gz.*classical policy head on an attention body"):
        load_net(tmp_path / "odd.pb.gz")


def test_expansion_of_a_small_board(tmp_path: Path) -> None:
    from philidor.encodings.native import expand as native_expand

    game = load_game("connect4")
    encoding = default_encoding(game)
    batch = encoding.encode([game.state().play("a"), game.state()])
    np.testing.assert_array_equal(native_expand(batch, encoding.shape), expand(batch, encoding.shape))


def test_centipawns_grow_with_the_value_in_every_formula() -> None:
    for formula in FORMULAS:
        scores = [centipawns(Wdl.from_value(value / 20), formula) for value in range(-19, 20)]
        assert scores == sorted(scores)
        even = 5_000 if formula == "win_percentage" else 0
        assert scores[19] == even
        assert scores == [2 * even - score for score in reversed(scores)]
    assert centipawns(Wdl.from_value(0.5), "book") == 111
    assert centipawns(Wdl(0.3, 0.6, 0.1)) == 44
    assert centipawns(Wdl(1.0, 0.0, 0.0)) == 10_000
