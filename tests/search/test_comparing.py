"""Alpha-beta that compares positions: with numbers behind the comparison it is ordinary alpha-beta, move for move."""

import pytest

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.evaluators.book import evaluate
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.comparing import ComparingConfig, compare_positions
from philidor.search.limits import Limits
from tests.nets.networks import random_positions


def best_move(position: Position, config: ComparingConfig) -> str:
    found = compare_positions(position, Numbers(), config).best
    assert found is not None
    return position.san(found)


class Numbers:
    """Compares by the book's evaluation."""

    def look(self, state: AnyState, /) -> int:
        return evaluate(state) if isinstance(state, Position) else 0

    def compare(self, first: int, second: int, /) -> float:
        return first - second

    def compare_with_draw(self, view: int, /) -> float:
        return view


FENS = [position.fen() for position in random_positions(5, 8)[::3] if not position.is_over()]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("fen", FENS)
def test_with_numbers_it_visits_what_alpha_beta_visits(fen: str, depth: int) -> None:
    position = Position(fen)
    config = ComparingConfig(depth=depth, order="canonical", quiescence=False, deepening=False)
    found = compare_positions(position, Numbers(), config)
    wanted = alphabeta(
        position, AlphaBetaConfig(depth=depth, root_window="shared", prefers_quick_wins=True), heuristic=evaluate
    )
    assert found.best == wanted.best
    assert found.analysis.nodes == wanted.analysis.nodes
    assert found.analysis.lines[0].moves == wanted.analysis.lines[0].moves


def test_a_mate_is_better_than_any_position_and_the_sooner_the_better() -> None:
    mate_in_one = Position("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    for depth in (1, 2, 3):
        assert best_move(mate_in_one, ComparingConfig(depth=depth)) == "Ra8#"
    for_black = Position("r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert best_move(for_black, ComparingConfig(depth=2)) == "Ra1#"


def test_the_worse_side_takes_a_draw_and_the_better_one_avoids_it() -> None:
    # Taking the last pawn leaves bare kings: a draw, and better than to be a pawn down.
    assert best_move(Position("8/8/8/8/8/2k5/1P6/7K b - - 0 1"), ComparingConfig(depth=1)) == "Kxb2"
    # Stalemate is in reach, but a queen is better than a draw.
    better = Position("k7/8/8/1Q6/8/8/8/K7 w - - 0 1")
    best = best_move(better, ComparingConfig(depth=1))
    assert any(better.play(move).is_stalemate() for move in better.legal_moves())
    assert not better.play(best).is_stalemate()


def test_quiescence_looks_through_an_exchange() -> None:
    # The queen may take a pawn that is defended: without quiescence a gain, with it a blunder.
    position = Position("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1")
    assert best_move(position, ComparingConfig(depth=1, quiescence=False)) == "Qxd6"
    assert best_move(position, ComparingConfig(depth=1)) != "Qxd6"


def test_time_and_nodes_end_it_with_a_move() -> None:
    config = ComparingConfig(depth=9)
    result = compare_positions(Position(), Numbers(), config, limits=Limits(nodes=500))
    assert result.best in Position().legal_moves()
    assert result.analysis.nodes == 500
    assert (result.analysis.depth or 0) < 9
    nothing = compare_positions(Position(), Numbers(), config, stop=lambda: True)
    assert nothing.best in Position().legal_moves()


def test_other_games_are_compared_without_quiescence() -> None:
    state = load_game("tictactoe").state("XX./OO./...")
    with pytest.raises(ConfigError, match="quiescence"):
        compare_positions(state, Numbers())
    config = ComparingConfig(depth=1, quiescence=False, order="canonical")
    best = compare_positions(state, Numbers(), config).best
    assert state.play(best).is_over()
