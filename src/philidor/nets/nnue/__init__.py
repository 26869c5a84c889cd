"""Efficiently updatable networks, NNUE (book, ch. 4.6): shapes as data, files, and a readable reference.

The native twin that searches use is in cpp/evaluators/nnue; it gives the same integers.
"""

from philidor.nets.nnue.architecture import ARCHITECTURES, Activation, Architecture, Features, Orientation
from philidor.nets.nnue.files import load_network, save_network
from philidor.nets.nnue.network import Layer, Network

__all__ = [
    "ARCHITECTURES",
    "Activation",
    "Architecture",
    "Features",
    "Layer",
    "Network",
    "Orientation",
    "load_network",
    "save_network",
]
