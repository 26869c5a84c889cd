"""Small networks of floats that judge a position from scratch: Giraffe's and DeepChess's (book, 2.14).

The native twins that searches use are in cpp/evaluators; they give the same floats.
"""

from philidor.nets.dense.deepchess import DeepChessNetwork
from philidor.nets.dense.files import load_deepchess, load_giraffe, save_dense
from philidor.nets.dense.giraffe import GiraffeNetwork
from philidor.nets.dense.layers import Layer

__all__ = ["DeepChessNetwork", "GiraffeNetwork", "Layer", "load_deepchess", "load_giraffe", "save_dense"]
