"""Measures networks on a GPU: evaluations per second, raw and all the way from packed bits to legal logits.

    python benchmarks/gpu.py [--json] [--nets 10x128-se 15x192-se] [--batches 256 1024 2048 4096] [--precision float16]
                             [--seconds 1] [--no-compile] [--device cpu]

Rows are ways to compute the same network on the same batch:

    eager      planes on the device, batch norm not folded, one kernel launch after the other
    folded     the same, folded
    graph      bits on the device, folded, recorded as a CUDA graph
    compiled   the same with PyTorch's compiler: the raw rate that the other parts are compared with
    judge      TorchBackend, from the bits in host memory to the logits of legal moves in host memory
    in turn    the same with two batches under way, as two pools of games have them

All of them run in turn and the median of the rounds counts. It needs PyTorch, but neither the compiled core nor a game:
positions are random bits with 35 legal moves each.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from measure import as_json, headline, machine

from philidor.encodings.encoding import Batch, Shape
from philidor.nets.network_config import NetworkConfig, preset

CHESS = Shape(packed_planes=112, scalar_planes=7, height=8, width=8, policy_size=4672)
LEGAL_MOVES = 35
ROUNDS = 5


def random_batch(count: int) -> Batch:
    """Returns positions as a network would see them, though no game has them."""
    rng = np.random.default_rng(1)
    planes = rng.integers(0, 1 << 64, (count, CHESS.packed_planes, 1), dtype=np.uint64)
    # Three of four planes' bits are off, about as many as on real boards.
    planes &= rng.integers(0, 1 << 64, planes.shape, dtype=np.uint64)
    legal = rng.integers(0, CHESS.policy_size, count * LEGAL_MOVES, dtype=np.uint16)
    offsets = np.arange(count + 1, dtype=np.int64) * LEGAL_MOVES
    return Batch(planes, rng.random((count, CHESS.scalar_planes), dtype=np.float32), offsets, legal)


def ways(
    config: NetworkConfig, batch: Batch, device: str, precision: str, compiles: bool
) -> dict[str, Callable[[], None]]:
    """Returns the ways to compute a network; each call judges the batch once (`in turn`: starts one, ends one)."""
    import torch

    from philidor.evaluators.torch import Graphs, TorchBackend, computation, record_cuda_graph
    from philidor.nets.torch.model import Model

    place, kind = torch.device(device), getattr(torch, precision)
    model = Model(config, CHESS).eval()
    twin = Model(config, CHESS).eval().to(place, kind)
    data, scalars = (torch.from_numpy(array).to(place) for array in (batch.planes.view("u1"), batch.scalars))
    planes = torch.rand(len(batch), CHESS.planes, 8, 8, device=place, dtype=kind)
    planes = planes.contiguous(memory_format=torch.channels_last)
    folded = model.folded().to(place, kind)
    for each in (twin, folded):
        for parameter in each.parameters():
            if parameter.dim() == 4:
                parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)
    found: dict[str, Callable[[], object]] = {
        "eager": lambda: twin.predict(planes),
        "folded": lambda: folded.predict(planes),
    }
    compute = computation(folded, kind)
    backend = TorchBackend(model, place, precision, compile=compiles)  # type: ignore[arg-type]
    if place.type == "cuda":
        graph = Graphs(compute, CHESS, place, record_cuda_graph)
        found["graph"] = lambda: graph.run(data, scalars)
        if compiles:
            better = Graphs(torch.compile(compute, dynamic=False), CHESS, place, record_cuda_graph)
            found["compiled"] = lambda: better.run(data, scalars)
    found["judge"] = lambda: backend.judge(batch)
    under_way = [backend.submit(batch)]

    def in_turn() -> None:
        under_way.append(backend.submit(batch))
        under_way.pop(0).result()

    found["in turn"] = in_turn

    def calling(way: Callable[[], object]) -> Callable[[], None]:
        def call() -> None:
            with torch.inference_mode():
                way()

        return call

    return {name: calling(way) for name, way in found.items()}


def rate(way: Callable[[], None], wait: Callable[[], None], count: int, seconds: float) -> float:
    """Returns evaluations per second by the clock; what was started is waited for."""
    wait()
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        # The host runs ahead of a GPU; a few calls at a time keep it near.
        for _ in range(4):
            way()
        calls += 4
        wait()
    return calls * count / (time.perf_counter() - start)


def main() -> None:
    """Prints the table or its JSON."""
    parser = argparse.ArgumentParser(description="Measures networks on a GPU.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--nets", nargs="+", default=["10x128-se", "15x192-se"])
    parser.add_argument("--batches", nargs="+", type=int, default=[256, 1024, 2048, 4096])
    parser.add_argument("--precision", choices=["float16", "bfloat16", "float32"], default="float16")
    parser.add_argument("--seconds", type=float, default=1.0, help="of all rounds, for each way and size")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    arguments = parser.parse_args()
    try:
        import torch
    except ModuleNotFoundError:
        sys.exit("PyTorch is not installed: pip install philidor[train]")
    if arguments.device == "cuda" and not torch.cuda.is_available():
        print("no GPU here: nothing is measured (--device cpu tries the program itself)", file=sys.stderr)
        return
    wait = torch.cuda.synchronize if arguments.device == "cuda" else lambda: None
    where = {**machine(), "torch": torch.__version__, "device": arguments.device}
    if arguments.device == "cuda":
        where["gpu"] = torch.cuda.get_device_name()
    rows: list[dict[str, object]] = []
    for name in arguments.nets:
        config = preset(name, "chess", "alphazero")
        for size in arguments.batches:
            batch = random_batch(size)
            found = ways(config, batch, arguments.device, arguments.precision, not arguments.no_compile)
            rates: dict[str, list[float]] = {way: [] for way in found}
            for _ in range(ROUNDS + 1):
                for way, call in found.items():
                    rates[way].append(rate(call, wait, size, arguments.seconds / ROUNDS))
            # The first round warms up.
            row = {way: round(statistics.median(each[1:])) for way, each in rates.items()}
            rows.append({"net": name, "batch": size, "precision": arguments.precision, **row})
            if not arguments.json:
                print(
                    ", ".join(
                        f"{key} {value:,}" if isinstance(value, int) else str(value) for key, value in rows[-1].items()
                    ),
                    flush=True,
                )
    print(as_json("gpu", where, rows) if arguments.json else f"{headline(where)}, {where.get('gpu', 'no GPU')}")


if __name__ == "__main__":
    main()
