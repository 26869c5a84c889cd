"""Draws the figures of docs/inside.md: `python tools/inside_figures.py`, with philidor installed."""

from __future__ import annotations

from pathlib import Path

from philidor.chess import Position
from philidor.evaluators.heuristic import HeuristicEvaluator
from philidor.games import load_game
from philidor.inside import (
    activations,
    alphabeta_tree,
    compare_networks,
    grow_tree,
    neurons,
    piece_values,
    saliency,
    search_growth,
    term_values,
)

FOLDER = Path(__file__).resolve().parent.parent / "docs/images"
NET = "human-1"


def main() -> None:
    """Writes the pictures."""
    position = Position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5")
    pictures = {
        "pieces": piece_values(position).svg(),
        "terms": term_values(position).svg(),
        "growth": search_growth(position, NET, 100).svg(),
        "layer": activations(position, NET, 1).svg(),
        "mcts": grow_tree(load_game("tictactoe").state(), None, 40).svg(25),
        "windows": alphabeta_tree(load_game("hexapawn").state(), depth=4).svg(30),
        "neurons": neurons(position, move="O-O").svg(),
        "saliency": saliency(position, NET).svg(),
        "compare": compare_networks(position, NET, HeuristicEvaluator(lambda _: 0)).svg(),
    }
    for name, picture in pictures.items():
        (FOLDER / f"inside-{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
