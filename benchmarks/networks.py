"""Measures a 64x6 network with squeeze and excitation on the CPU: evaluations and nodes per second, in one thread.

    python benchmarks/networks.py [--json] [--net FILE] [--repeats 7] [--nodes 1000]

The compiled tower and ONNX Runtime compute the same network on the same batches in turn, so that a busy moment of the
machine hits both; the median counts. Rates are by the clock; those by CPU time tell, on a busy machine, how much of it
was waiting. Without a file the network has random weights, which takes the same time.

The rows "search" are the player `net` on positions of a game, each searched for `--nodes` nodes with a new tree and an
empty cache, by `MinibatchSize`; of the nodes some end the game or are found in the cache, and `asked` is the share that
the network had to judge. A search over random weights is no search: give it a network.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from measure import as_json, headline, machine

from philidor.encodings.encoding import Batch
from philidor.encodings.leela import LeelaInput
from philidor.encodings.native import NativeLeelaEncoding
from philidor.evaluators.network import Backend, NetConfig, NetEvaluator
from philidor.evaluators.onnx import OnnxBackend
from philidor.evaluators.tower import TowerBackend
from philidor.games.chess import Position
from philidor.nets.leela.convert import to_onnx
from philidor.nets.leela.files import MAGIC, format_of, load_leela
from philidor.nets.leela.messages import (
    ConvBlock,
    Format,
    Layer,
    Net,
    NetworkFormat,
    PolicyKind,
    Residual,
    SeUnit,
    Structure,
    ValueKind,
    Weights,
)
from philidor.nets.leela.residual import tower_of
from philidor.nets.leela.weights import Array, conv_block, layer_of
from philidor.players.net import NetPlayerConfig
from philidor.search.trees.native import PuctSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCHES = (1, 16, 64, 256)
BLOCKS, FILTERS, SQUEEZED = 6, 64, 32
POSITIONS_PER_RUN = 256
SEARCH_BATCHES = (1, 16, 64)
# Steinitz - von Bardeleben, Hastings 1895; looked at after moves 4, 10 and 17.
GAME = (
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4 Nc3 d5 exd5 Nxd5 O-O Be6 Bg5 Be7 "
    "Bxd5 Bxd5 Nxd5 Qxd5 Bxe7 Nxe7 Re1 f6 Qe2 Qd7 Rac1 c6 d5 cxd5"
)
PLIES = (8, 20, 34)


def random_net() -> Net:
    """Returns a network of Maia's shape."""
    rng = np.random.default_rng(1)

    def numbers(*shape: int) -> Array:
        fan_in = int(np.prod(shape[1:])) if len(shape) > 1 else 9
        return np.asarray(rng.normal(size=shape) / np.sqrt(fan_in), dtype=np.float32)

    def layer(*shape: int) -> Layer:
        return layer_of(numbers(*shape))

    def conv(outputs: int, inputs: int, size: int = 3) -> ConvBlock:
        return conv_block(numbers(outputs, inputs, size, size), numbers(outputs))

    def unit() -> SeUnit:
        return SeUnit(layer(SQUEEZED, FILTERS), layer(SQUEEZED), layer(2 * FILTERS, SQUEEZED), layer(2 * FILTERS))

    weights = Weights(
        input=conv(FILTERS, 112),
        residual=[Residual(conv(FILTERS, FILTERS), conv(FILTERS, FILTERS), unit()) for _ in range(BLOCKS)],
        policy1=conv(FILTERS, FILTERS),
        policy=conv(80, FILTERS),
        value=conv(32, FILTERS, 1),
        ip1_val_w=layer(128, 2048),
        ip1_val_b=layer(128),
        ip2_val_w=layer(3, 128),
        ip2_val_b=layer(3),
    )
    form = NetworkFormat(input=LeelaInput.CLASSICAL, output=2, network=Structure.SE_WITH_HEADS)
    form.policy, form.value = PolicyKind.CONVOLUTION, ValueKind.WDL
    return Net(magic=MAGIC, format=Format(weights_encoding=1, network_format=form), weights=weights)


def measure(backends: dict[str, Backend], encoding: NativeLeelaEncoding, size: int, repeats: int) -> dict[str, object]:
    """Returns evaluations per second of each backend, by the clock and by CPU time."""
    start_position = Position()
    positions = [start_position.play(move) for move in start_position.legal_moves()]
    batch = encoding.encode((positions * size)[:size])
    runs = max(1, POSITIONS_PER_RUN // len(batch))
    clock: dict[str, list[float]] = {name: [] for name in backends}
    cpu: dict[str, list[float]] = {name: [] for name in backends}
    for repeat in range(repeats + 1):
        for name, backend in backends.items():
            start, start_cpu = time.perf_counter(), time.process_time()
            for _ in range(runs):
                backend.run(batch)
            seconds, seconds_cpu = time.perf_counter() - start, time.process_time() - start_cpu
            if repeat:  # the first round warms up
                clock[name].append(runs * len(batch) / seconds)
                cpu[name].append(runs * len(batch) / seconds_cpu)
    row: dict[str, object] = {"what": "network", "batch": len(batch)}
    for name in backends:
        row[name] = round(statistics.median(clock[name]))
        row[f"{name}_cpu"] = round(statistics.median(cpu[name]))
    row["ratio_cpu"] = round(statistics.median(cpu["compiled"]) / statistics.median(cpu["onnxruntime"]), 2)
    return row


def positions_of_a_game() -> list[Position]:
    """Returns an opening, a middlegame and a position full of threats."""
    line = [Position()]
    for move in GAME.split():
        line.append(line[-1].play(move))
    return [line[ply] for ply in PLIES]


class Counting:
    """A backend that knows how many positions it was asked about."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.positions = 0

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Computes."""
        self.positions += len(batch)
        return self._backend.run(batch)


def measure_search(
    backends: dict[str, Backend], encoding: NativeLeelaEncoding, size: int, nodes: int, repeats: int
) -> dict[str, object]:
    """Returns nodes per second of CPU time of the network player's search, by backend."""
    config = NetPlayerConfig(batch=size)
    settings = NetConfig(batch=size, cache=config.cache, policy_temperature=config.policy_temperature)
    rates: dict[str, list[float]] = {name: [] for name in backends}
    asked = searched = 0
    for _ in range(repeats):
        for name, backend in backends.items():
            counting, done, start = Counting(backend), 0, time.process_time()
            for position in positions_of_a_game():
                evaluator = NetEvaluator(counting, encoding, settings)
                done += PuctSearch(position, config).run(evaluator, nodes, batch=size)
            rates[name].append(done / (time.process_time() - start))
            asked, searched = asked + counting.positions, searched + done
    row: dict[str, object] = {"what": "search", "batch": size}
    row |= {f"{name}_cpu": round(statistics.median(found)) for name, found in rates.items()}
    ratio = statistics.median(rates["compiled"]) / statistics.median(rates["onnxruntime"])
    return row | {"ratio_cpu": round(ratio, 2), "asked": round(asked / searched, 2)}


def show(rows: list[dict[str, object]]) -> None:
    """Prints the tables."""
    print(f"{'batch':>6} {'compiled':>9} {'by CPU':>8} {'onnxruntime':>12} {'by CPU':>8} {'ratio':>6}  {'asked':>5}")
    names = ("batch", "compiled", "compiled_cpu", "onnxruntime", "onnxruntime_cpu", "ratio_cpu", "asked")
    for row in rows:
        numbers = [row.get(name, "") for name in names]
        print("{:>6} {:>9} {:>8} {:>12} {:>8} {:>6}  {:>5}".format(*numbers), row["what"])


def main() -> None:
    """Prints the table or its JSON."""
    parser = argparse.ArgumentParser(description="Measures a 64x6 network on the CPU.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--net", type=Path)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--nodes", type=int, default=1000, help="of each search")
    arguments = parser.parse_args()
    net = random_net() if arguments.net is None else load_leela(arguments.net)
    encoding = NativeLeelaEncoding(format_of(net).input)
    tower = TowerBackend(tower_of(net))
    backends: dict[str, Backend] = {"compiled": tower, "onnxruntime": OnnxBackend(to_onnx(net), encoding.shape)}
    where = machine()
    rows = [measure(backends, encoding, size, arguments.repeats) for size in BATCHES]
    searches = ((backends, encoding, size, arguments.nodes, arguments.repeats) for size in SEARCH_BATCHES)
    rows += [measure_search(*each) for each in searches]
    if arguments.json:
        print(as_json("networks", where, rows))
        return
    print(f"{headline(where)}; kernels {tower.native.kernels}")
    show(rows)


if __name__ == "__main__":
    main()
