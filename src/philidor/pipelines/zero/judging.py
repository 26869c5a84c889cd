"""What judges the positions of self-play: the newest network of a run, by whatever computes it fastest here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from philidor.core.cores import cores
from philidor.evaluators.network import Judgments, NetConfig, judge
from philidor.pipelines.zero.actor import CountingJudge

if TYPE_CHECKING:
    from pathlib import Path

    from philidor.encodings.encoding import Batch, Shape
    from philidor.evaluators.network import Backend
    from philidor.evaluators.torch import Pending, TorchBackend
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.pipelines.zero.files import ZeroFiles
    from philidor.pipelines.zero.meter import Meter


def newest_judge(
    recipe: ZeroRecipe, files: ZeroFiles, device: Any, meter: Meter | None = None, *, threads: int | None = None
) -> CountingJudge:
    """Returns a judge that follows the newest network, whatever its size.

    On a CPU the compiled tower computes what it can (networks of chess), several times as fast as PyTorch, on `threads`
    threads: those of the recipe if not given, or all cores.
    """
    follower = _Follower(recipe, files, device, threads or recipe.threads or cores())
    follower.refresh()
    return CountingJudge(follower.judge, follower.refresh, meter)


class _Follower:
    """The newest network, ready to judge."""

    def __init__(self, recipe: ZeroRecipe, files: ZeroFiles, device: Any, threads: int) -> None:
        self._recipe, self._files, self._device, self._threads = recipe, files, device, threads
        self._shape = recipe.network.load_encoding().shape
        self._generation: int | None = None
        self._config: Any = None
        self._torch: TorchBackend | None = None
        self._compiled: Backend | None = None

    def refresh(self) -> int:
        """Takes the newest network over, and returns its generation."""
        generation = self._files.newest
        if generation != self._generation:
            path = self._files.network(generation)
            self._compiled = _compiled(path, self._shape, self._threads) if self._device.type == "cpu" else None
            if self._compiled is None:
                self._load_torch(path)
            self._generation = generation
        return generation

    def judge(self, batch: Batch) -> Judgments | Pending:
        """Judges, or on a GPU begins to."""
        if self._compiled is not None:
            return judge(self._compiled, batch)
        assert self._torch is not None
        return self._torch.submit(batch)

    def _load_torch(self, path: Path) -> None:
        from philidor.evaluators.torch import TorchBackend
        from philidor.nets.torch.files import load_network

        network = load_network(path, self._shape)
        if self._torch is not None and self._config == network.config:
            self._torch.load(network)
            return
        is_compiled = self._recipe.compile and self._device.type == "cuda"
        self._torch = TorchBackend(network, self._device, compile_from=self._recipe.batch if is_compiled else None)
        self._config = network.config


def _compiled(path: Path, shape: Shape, threads: int) -> Backend | None:
    """Returns the network as a compiled tower; None where that cannot compute it. Raises NetError."""
    from philidor.evaluators.loading import compiled_backend
    from philidor.nets.network_files import load_stored

    return compiled_backend(load_stored(path), shape, NetConfig(threads=threads), name=repr(str(path)))
