"""The compiled NNUE: the reference's integers with every set of kernels, and sums that survive any walk."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import ConfigError
from philidor.evaluators.native import NnueBoard, compile_network, nnue_kernels
from philidor.evaluators.nnue import NnueEvaluator
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.games.chess.game import chess960_position
from philidor.nets.nnue import load_network, reference
from tests.nets.networks import (
    REAL,
    SHAPES,
    SHARED,
    made_up,
    random_positions,
    real_network,
    stockfish_judgments,
)

# One instance for all examples of a test: compiling a network takes longer than walking with it.
WALKED = {name: compile_network(made_up(SHAPES[name], is_extreme=True)) for name in ("odd", "pairwise", "mirrored-512")}


@pytest.mark.parametrize("is_extreme", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_gives_the_references_integers_with_all_kernels(name: str, is_extreme: bool) -> None:
    positions = random_positions(3, 30) + random_positions(4, 10, chess960=True)
    network = made_up(SHAPES[name], is_extreme=is_extreme)
    wanted = [reference.raw(network, position) for position in positions]
    for kernels in nnue_kernels():
        native = compile_network(network, kernels)
        assert native.kernels == kernels
        assert native.raw([position.native for position in positions]) == wanted, kernels


@pytest.mark.skipif(SHARED is None, reason="needs PHILIDOR_SHARED")
@pytest.mark.parametrize("kernels", nnue_kernels())
def test_real_networks_give_stockfishs_integers(kernels: str) -> None:
    networks = {f"{name}.nnue": compile_network(load_network(real_network(name)), kernels) for name in REAL}
    boards: dict[int, NnueBoard] = {}
    for name, position, wanted in stockfish_judgments():
        assert networks[name].raw([position.native]) == [wanted], position.fen()
        # The same through a whole game without a refresh.
        move, parent = position.last_move, position.parent
        board = boards.pop(parent.key, None) if parent is not None else None
        if board is None or move is None:
            board = NnueBoard(networks[name], position.native)
        else:
            board.push(move)
        boards[position.key] = board
        assert board.raw() == wanted, position.fen()


@pytest.mark.skipif(SHARED is None, reason="needs PHILIDOR_SHARED")
@pytest.mark.parametrize("name", REAL)
def test_real_networks_survive_ten_thousand_moves(name: str) -> None:
    network = load_network(real_network(name))
    native, generator = compile_network(network), random.Random(name)
    made, position = 0, Position()
    board = NnueBoard(native, position.native)
    while made < 10_000:
        if position.is_over():
            position = chess960_position(generator.randrange(960))
            board = NnueBoard(native, position.native)
        move = generator.choice(position.legal_moves())
        position = position.play(move)
        board.push(move)
        made += 1
        if generator.random() < 0.7:  # some plies are never asked for
            assert board.raw() == native.raw([position.native])[0], position.fen()
        if made % 500 == 0:
            assert board.raw() == reference.raw(network, position), position.fen()


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(sorted(WALKED)),
    start=st.integers(0, 959),
    steps=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**16)), max_size=60),
)
def test_moves_null_moves_and_retreats_keep_the_sums(name: str, start: int, steps: list[tuple[int, int]]) -> None:
    position = chess960_position(start)
    board, path = NnueBoard(WALKED[name], position.native), [position]
    for kind, choice in steps:
        moves = board.legal_moves()
        if kind == 0 and len(path) > 1:
            board.pop()
            path.pop()
        elif kind == 1 and not path[-1].is_check():
            board.push_null()
            path.append(path[-1])
            assert board.raw() == board.fresh()
            board.pop()
            path.pop()
        elif moves:
            move = moves[choice % len(moves)]
            path.append(path[-1].play(move))
            board.push(move)
        if kind % 2:
            assert board.raw() == board.fresh() == WALKED[name].raw([path[-1].native])[0]
    assert board.raw() == board.fresh()


def test_a_walk_refuses_what_is_not_possible() -> None:
    board = NnueBoard(WALKED["odd"], Position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").native)
    with pytest.raises(ValueError, match="no null move in check"):
        board.push_null()
    with pytest.raises(ValueError, match="no move to take back"):
        board.pop()
    with pytest.raises(ValueError, match="not legal"):
        board.push(Position().parse_move("e2e4"))


def test_evaluations_are_timed() -> None:
    move, kept, refreshed = WALKED["odd"].time([Position().native], 2)
    assert 0 < move < min(kept, refreshed)


def test_unknown_kernels_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"no NNUE kernels 'abacus' on this CPU; it has .*plain"):
        compile_network(made_up(SHAPES["tiny"]), "abacus")


def test_kernels_can_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHILIDOR_KERNELS", "plain")
    assert compile_network(made_up(SHAPES["tiny"])).kernels == "plain"


def test_a_piece_is_worth_what_is_missing_without_it() -> None:
    evaluator = NnueEvaluator(made_up(SHAPES["direct"]))
    position = Position("4k3/3r4/8/8/8/8/3P4/4K3 b - - 0 1")
    without = Position("4k3/3r4/8/8/8/8/8/4K3 b - - 0 1")
    values = evaluator.piece_values(position)
    assert set(values) == {11, 51}
    assert values[11] == -(evaluator.centipawns(position) - evaluator.centipawns(without))
    with pytest.raises(ValueError, match="no piece there that could leave"):
        evaluator.native.raw_without(position.native, 4)


def test_it_judges_like_any_evaluator() -> None:
    evaluator = NnueEvaluator(made_up(SHAPES["tiny"]))
    position, mated = Position(), Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    first, second = evaluator.evaluate([position, mated])
    assert len(first.moves) == 20
    assert -1 < first.value < 1
    assert (first.value > 0) == (evaluator.centipawns(position) > 0)
    assert second.value == -1
    with pytest.raises(ConfigError, match="judges chess"):
        evaluator.evaluate([load_game("tictactoe").state()])
