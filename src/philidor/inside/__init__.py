"""What evaluations, networks and searches see in a position, as plain data, each with a figure."""

from philidor.inside.comparing import Comparison, compare_networks
from philidor.inside.growth import SearchGrowth, search_growth
from philidor.inside.layers import Planes, activations, filters, input_planes, layer_count
from philidor.inside.mcts import MctsTree, grow_tree
from philidor.inside.neurons import Neurons, neurons
from philidor.inside.pieces import PieceValues, piece_values
from philidor.inside.saliency import Saliency, saliency
from philidor.inside.terms import TermValues, term_values
from philidor.inside.windows import WindowTree, alphabeta_tree

__all__ = [
    "Comparison",
    "MctsTree",
    "Neurons",
    "PieceValues",
    "Planes",
    "Saliency",
    "SearchGrowth",
    "TermValues",
    "WindowTree",
    "activations",
    "alphabeta_tree",
    "compare_networks",
    "filters",
    "grow_tree",
    "input_planes",
    "layer_count",
    "neurons",
    "piece_values",
    "saliency",
    "search_growth",
    "term_values",
]
