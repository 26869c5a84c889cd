"""A small ONNX network of a game other than chess."""

import numpy as np

from philidor.nets.onnx.graph import BATCH, Graph
from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY


def tictactoe_net(game: str = "tictactoe") -> bytes:
    """Returns a network that likes all moves of tic-tac-toe alike; `game` is what it says it is for."""
    graph = Graph("tictactoe")
    flat = graph.reshape(graph.input("planes", [BATCH, 3, 3, 3]), -1, 27)
    zeros = graph.constant(np.zeros((27, 9), np.float32))
    logits = graph.add("MatMul", flat, zeros)
    graph.output(logits, "policy", [BATCH, 9])
    graph.output(graph.add("Tanh", graph.add("ReduceSum", logits, graph.ints(1), keepdims=1)), "value", [BATCH, 1])
    return graph.model({ENCODING_KEY: "boards-1", GAME_KEY: game})
