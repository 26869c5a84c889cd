"""What judges self-play: the newest network, by PyTorch or by the compiled tower."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.runs import Run
from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.games.chess import Position
from philidor.nets.network_config import NetworkConfig
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.files import ZeroFiles
from tests.pipelines.tiny import tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.evaluators.torch import TorchBackend  # noqa: E402
from philidor.evaluators.tower import TowerBackend  # noqa: E402
from philidor.nets.torch.files import load_network, save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402
from philidor.pipelines.zero.judging import newest_judge  # noqa: E402

CPU = torch.device("cpu")
SMALL = NetworkConfig(blocks=1, filters=16, se_channels=8, policy="convolution", value_planes=2, value_hidden=16)


def _files(root: Path, recipe: ZeroRecipe, *networks: NetworkConfig) -> ZeroFiles:
    files = ZeroFiles(Run.resume_or_create("run", recipe, root))
    for generation, network in enumerate(networks):
        save_network(files.network(generation), build(network, seed=generation))
    files.newest = 0
    return files


def _chess(threads: int = 1) -> ZeroRecipe:
    return replace(tiny_recipe(), game="chess", network=SMALL, threads=threads)


def _batch(recipe: ZeroRecipe) -> Batch:
    start = Position()
    return recipe.network.load_encoding().encode([start, *(start.play(move) for move in start.legal_moves())])


def _answer(judge: Any, batch: Batch) -> Judgments:
    found = judge(batch)
    answer = found if isinstance(found, Judgments) else found.result()
    assert isinstance(answer, Judgments)
    return answer


def test_on_a_cpu_the_compiled_tower_says_what_torch_says_of_the_newest_network(tmp_path: Path) -> None:
    recipe = _chess()
    files = _files(tmp_path, recipe, SMALL, replace(SMALL, blocks=2, moves_left=True))
    judge, batch = newest_judge(recipe, files, CPU), _batch(recipe)
    for generation in (0, 1):
        files.newest = generation
        judge.refresh()
        assert judge.generation == generation
        found = judge(batch)
        assert isinstance(found, Judgments)  # and nothing that has to be waited for
        expected = TorchBackend(load_network(files.network(generation)), CPU).judge(batch)
        assert np.allclose(found.legal_logits, expected.legal_logits, rtol=0, atol=1e-4)
        assert np.allclose(found.wdl, expected.wdl, rtol=0, atol=1e-5)
        assert (found.moves_left is None) == (expected.moves_left is None) == (generation == 0)


def test_what_the_tower_cannot_compute_is_judged_by_torch(tmp_path: Path) -> None:
    odd = replace(SMALL, filters=12)
    recipe = _chess()
    files = _files(tmp_path, recipe, SMALL, odd)
    judge, batch = newest_judge(recipe, files, CPU), _batch(recipe)
    assert isinstance(judge(batch), Judgments)
    files.newest = 1
    judge.refresh()
    expected = TorchBackend(load_network(files.network(1)), CPU).judge(batch)
    assert np.array_equal(_answer(judge, batch).legal_logits, expected.legal_logits)
    files.newest = 0
    judge.refresh()
    assert isinstance(judge(batch), Judgments)


def test_the_tower_computes_with_as_many_threads_as_the_recipe_or_the_actor_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    made = TowerBackend.__init__

    def count(self: TowerBackend, tower: Any, *, threads: int = 1, kernels: str | None = None) -> None:
        seen.append(threads)
        made(self, tower, threads=threads, kernels=kernels)

    monkeypatch.setattr(TowerBackend, "__init__", count)
    monkeypatch.setattr("philidor.pipelines.zero.judging.cores", lambda: 5)
    for number, (threads, own) in enumerate([(3, None), (0, None), (3, 2)]):
        recipe = _chess(threads)
        newest_judge(recipe, _files(tmp_path / str(number), recipe, SMALL), CPU, threads=own)
    assert seen == [3, 5, 2]
