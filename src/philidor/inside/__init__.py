"""What evaluations, networks and searches see in a position, as plain data, each with a figure."""

from philidor.inside.growth import SearchGrowth, search_growth
from philidor.inside.layers import Planes, activations, input_planes
from philidor.inside.pieces import PieceValues, piece_values
from philidor.inside.terms import TermValues, term_values

__all__ = [
    "PieceValues",
    "Planes",
    "SearchGrowth",
    "TermValues",
    "activations",
    "input_planes",
    "piece_values",
    "search_growth",
    "term_values",
]
