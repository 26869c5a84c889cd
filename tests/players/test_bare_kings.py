"""A bare king is mated by every engine whose pieces can, within fifty moves, whatever judges the positions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from philidor.core.game import Outcome
from philidor.games.chess import Position
from philidor.players import load_engine
from tests.games.chess.tables import needs_tables, unpack_tables

ENDINGS = {
    "bishop and knight": ["8/8/8/4k3/8/8/8/2BNK3 w - - 0 1", "7k/8/8/3K4/8/8/1N6/5B2 w - - 0 1"],
    "rook": ["8/8/8/4k3/8/8/8/4KR2 w - - 0 1", "K7/8/8/3k4/8/8/6R1/8 b - - 0 1"],
    "queen": ["8/8/8/4k3/8/8/8/4K2Q w - - 0 1", "q7/8/8/3k4/8/8/8/3K4 b - - 0 1"],
    "two bishops": ["8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1", "2bb4/8/8/3k4/8/8/8/4K3 w - - 0 1"],
}
CASES = [pytest.param(fen, id=f"{name} {number}") for name, fens in ENDINGS.items() for number, fen in enumerate(fens)]


def strong_side(position: Position) -> int:
    """The player whose king is not bare."""
    return 0 if any(letter in position.fen().split()[0] for letter in "QRBN") else 1


def played_out(fen: str, nodes: int, defend: Callable[[Position], Any]) -> Outcome:
    """Lets nnue play the stronger side to the end."""
    engine, position = load_engine("nnue", nodes=nodes), Position(fen)
    strong = strong_side(position)
    while (outcome := position.outcome()) is None:
        position = position.play(engine.choose(position) if position.to_move == strong else defend(position))
    return outcome


@pytest.mark.parametrize("fen", CASES[::2])
def test_nnue_mates_a_bare_king(fen: str) -> None:
    opponent = load_engine("classic", nodes=500)
    outcome = played_out(fen, 10_000, opponent.choose)
    assert (outcome.winner, outcome.reason) == (strong_side(Position(fen)), "checkmate")


@pytest.mark.slow
@needs_tables
@pytest.mark.parametrize("fen", CASES)
def test_nnue_mates_a_bare_king_that_resists_as_long_as_it_can(fen: str, tmp_path: Path) -> None:
    import chess
    import chess.syzygy

    with chess.syzygy.open_tablebase(str(unpack_tables(tmp_path))) as tables:

        def resist(position: Position) -> str:
            """Plays what keeps the distance to the end longest, or a draw where there is one."""
            board = chess.Board(position.fen())

            def distance(move: chess.Move) -> int:
                board.push(move)
                dtz = tables.probe_dtz(board)
                board.pop()
                return dtz if dtz > 0 else 10_000

            return max(board.legal_moves, key=distance).uci()

        outcome = played_out(fen, 20_000, resist)
    assert (outcome.winner, outcome.reason) == (strong_side(Position(fen)), "checkmate")


@pytest.mark.parametrize(("name", "settings"), [("nnue", {}), ("nnue", {"hybrid": True}), ("giraffe", {})])
def test_every_network_is_told_who_wins_and_where(name: str, settings: dict[str, Any]) -> None:
    engine: Any = load_engine(name, **settings)

    def score(fen: str) -> int:
        found: int = engine.engine.evaluate(Position(fen).native)
        return found

    for fens in ENDINGS.values():
        for fen in fens:
            position = Position(fen)
            assert score(fen) * (1 if position.to_move == strong_side(position) else -1) > 2_000
    # At the edge more than in the center, with the kings together more than apart.
    assert score("4k3/8/8/8/8/8/8/4KR2 w - - 0 1") > score("8/8/8/4k3/8/8/8/4KR2 w - - 0 1")
    assert score("4k3/8/4K3/8/8/8/8/5R2 w - - 0 1") > score("4k3/8/8/8/8/8/8/4KR2 w - - 0 1")
    # Light squares: the corners are a8 and h1.
    assert score("k7/8/2K5/8/8/8/8/3N1B2 w - - 0 1") > score("7k/8/5K2/8/8/8/8/3N1B2 w - - 0 1")


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/2NNK3 w - - 0 1",  # two knights
        "8/8/8/5k2/8/8/8/B1B1K3 w - - 0 1",  # bishops of one color
        "8/8/8/4k3/4p3/8/8/4KR2 w - - 0 1",  # a pawn is left
    ],
)
def test_what_does_not_win_by_itself_is_the_networks_to_judge(fen: str) -> None:
    engine: Any = load_engine("nnue")
    assert engine.engine.evaluate(Position(fen).native) == engine.evaluator.centipawns(Position(fen))
