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

All of them run in turn and the median of the rounds counts. `error` is the largest difference of a legal logit between
`judge` and single precision on the CPU, relative to their spread. It needs PyTorch, but neither the compiled core nor a
game: positions are random bits with 35 legal moves each.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from measure import as_json, headline, machine

from philidor.encodings.encoding import Batch, Shape
from philidor.nets.network_config import NetworkConfig, preset

if TYPE_CHECKING:
    from philidor.evaluators.torch import TorchBackend
    from philidor.nets.torch.model import Model

CHESS = Shape(packed_planes=112, scalar_planes=7, height=8, width=8, policy_size=4672)
LEGAL_MOVES = 35
ROUNDS = 5
_CALLS_AT_A_TIME = 8


def random_batch(count: int) -> Batch:
    """Returns positions as a network would see them, though no game has them."""
    rng = np.random.default_rng(1)
    planes = rng.integers(0, 1 << 64, (count, CHESS.packed_planes, 1), dtype=np.uint64)
    # Three of four planes' bits are off, about as many as on real boards.
    planes &= rng.integers(0, 1 << 64, planes.shape, dtype=np.uint64)
    legal = rng.integers(0, CHESS.policy_size, count * LEGAL_MOVES, dtype=np.uint16)
    offsets = np.arange(count + 1, dtype=np.int64) * LEGAL_MOVES
    return Batch(planes, rng.random((count, CHESS.scalar_planes), dtype=np.float32), offsets, legal)


def lively_model(config: NetworkConfig) -> Model:
    """Returns a network whose blocks all do something, which those of a new one do not."""
    import torch

    from philidor.nets.torch.model import Model

    model = Model(config, CHESS).eval()
    for layer in model.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(layer.weight, 0.2, 0.8)
    return model


def ways(model: Model, batch: Batch, plain: TorchBackend, better: TorchBackend) -> dict[str, Callable[[], object]]:
    """Returns the ways to compute a network; each call judges the batch once (`in turn`: starts one, ends one)."""
    import torch

    place, kind = plain.device, getattr(torch, plain.precision)
    data, scalars = (torch.from_numpy(array).to(place) for array in (batch.planes.view("u1"), batch.scalars))
    planes = torch.rand(len(batch), CHESS.planes, 8, 8, device=place, dtype=kind)
    planes = planes.contiguous(memory_format=torch.channels_last)
    unfolded, folded = copy.deepcopy(model).to(place, kind), model.folded().to(place, kind)
    for each in (unfolded, folded):
        cast("Any", each).to(memory_format=torch.channels_last)
    under_way = [better.submit(batch)]

    def in_turn() -> None:
        under_way.append(better.submit(batch))
        under_way.pop(0).result()

    return {
        "eager": lambda: unfolded.predict(planes),
        "folded": lambda: folded.predict(planes),
        "graph": lambda: plain.compute(data, scalars),
        "compiled": lambda: better.compute(data, scalars),
        "judge": lambda: better.judge(batch),
        "in turn": in_turn,
    }


def error(model: Model, batch: Batch, backend: TorchBackend) -> float:
    """Returns the largest difference of a legal logit from single precision on the CPU, relative to their spread."""
    from philidor.evaluators.torch import TorchBackend

    found, wanted = (each.judge(batch).legal_logits for each in (backend, TorchBackend(model, "cpu", "float32")))
    return float(np.abs(found - wanted).max() / wanted.std())


def rate(way: Callable[[], object], wait: Callable[[], None], count: int, seconds: float) -> float:
    """Returns evaluations per second by the clock; what was started is waited for."""
    wait()
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        # The host runs ahead of a GPU; waiting now and then keeps it near.
        for _ in range(_CALLS_AT_A_TIME):
            way()
        calls += _CALLS_AT_A_TIME
        wait()
    return calls * count / (time.perf_counter() - start)


def missing(device: str) -> str | None:
    """Returns what is not here, None if everything is."""
    try:
        import torch
    except ModuleNotFoundError:
        return "PyTorch is not installed (pip install '.[train]')"
    return "no GPU here" if device == "cuda" and not torch.cuda.is_available() else None


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
    where = {**machine(), "device": arguments.device}
    problem = missing(arguments.device)
    if problem is not None:
        print(as_json("gpu", where, []) if arguments.json else f"{problem}: nothing is measured")
        return
    import torch

    from philidor.evaluators.torch import TorchBackend

    wait: Callable[[], None] = torch.cuda.synchronize if arguments.device == "cuda" else lambda: None
    where["torch"] = torch.__version__
    if arguments.device == "cuda":
        where["gpu"] = torch.cuda.get_device_name()
    rows: list[dict[str, object]] = []
    for name in arguments.nets:
        model = lively_model(preset(name, "chess", "alphazero"))
        make = partial(TorchBackend, model, arguments.device, arguments.precision)
        plain, better = make(), make(compile_from=None if arguments.no_compile else 1)
        for size in arguments.batches:
            rows.append({"net": name, "batch": size, "precision": arguments.precision})
            rows[-1]["error"] = round(error(model, random_batch(16), better), 4)
            found = ways(model, random_batch(size), plain, better)
            rates: dict[str, list[float]] = {way: [] for way in found}
            with torch.inference_mode():
                for _ in range(ROUNDS + 1):
                    for way, call in found.items():
                        rates[way].append(rate(call, wait, size, arguments.seconds / ROUNDS))
            # The first round warms up.
            rows[-1] |= {way: round(statistics.median(each[1:])) for way, each in rates.items()}
            if not arguments.json:
                print(", ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    print(as_json("gpu", where, rows) if arguments.json else f"{headline(where)}, {where.get('gpu', 'no GPU')}")


if __name__ == "__main__":
    main()
