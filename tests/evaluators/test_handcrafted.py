"""The handcrafted evaluation explains itself, and the classic engine wins with it what is won."""

import pytest

import philidor
from philidor.evaluators.handcrafted import as_data, as_table, explain
from philidor.games.chess import Position
from philidor.players.classic import ClassicPlayer


def test_an_explanation_names_what_counts() -> None:
    explanation = explain(Position("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1"))
    names = {row["name"] for row in as_data(explanation)["terms"]}
    assert {"Material", "RookSquare", "RookMobility", "Tempo"} <= names
    assert "KnightSquare" not in names
    material = next(row for row in as_data(explanation)["terms"] if row["name"] == "Material")
    assert material["white"][1] - material["black"][1] > 400
    assert explanation.white_score > 300
    assert "RookSquare" in as_table(explanation)


def test_an_explanation_is_whites_view_and_agrees_with_the_engine() -> None:
    engine = ClassicPlayer().engine
    for turn, sign in (("w", 1), ("b", -1)):
        position = Position(f"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR {turn} KQkq - 4 4")
        assert explain(position).white_score == sign * engine.evaluate(position.native)


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/4k3/8/8/4P3/4K2R w - - 0 1", "driving the bare king"),
        ("4k3/5p2/8/8/3b4/8/3B1PP1/4K3 w - - 0 1", "of the endgame's advantage"),
    ],
)
def test_a_table_says_what_endgame_knowledge_did(fen: str, words: str) -> None:
    assert words in as_table(explain(Position(fen)))


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 25),
        ("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 15),
        ("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", 30),
        ("8/8/8/3k4/8/8/8/2B1K1N1 w - - 0 1", 50),
    ],
    ids=["rook", "queen", "bishops", "bishop and knight"],
)
def test_a_bare_king_is_mated(fen: str, moves: int) -> None:
    engine = philidor.load_engine("classic", nodes=20_000)
    position = Position(fen)
    for _ in range(2 * moves):
        position = position.play(engine.choose(position))
        if position.is_over():
            break
    outcome = position.outcome()
    assert outcome is not None, position.fen()
    assert outcome.reason == "checkmate", position.fen()
