"""Plain convolutions that were trained with batch norm are the same network in their file, where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from philidor.nets.network_config import NetworkConfig  # noqa: E402
from philidor.nets.torch.body import PlainBody  # noqa: E402
from philidor.nets.torch.files import load_network, save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402

CONFIG = NetworkConfig(
    game="go-5x5", encoding="alphago-48", body="plain", blocks=2, filters=6, policy="points", value="none"
)


def test_norms_are_folded_into_the_file(tmp_path: Path) -> None:
    model = build(CONFIG, seed=1)
    assert isinstance(model.body, PlainBody)
    model.body.add_norms()
    inputs = torch.rand(16, 48, 5, 5, generator=torch.Generator().manual_seed(2))
    with torch.no_grad():
        for _ in range(20):  # statistics that are not those of the start
            model.train()(3 * inputs)
        for norm in model.body.norms or ():
            torch.nn.init.uniform_(norm.weight, 0.5, 2.0)
            torch.nn.init.uniform_(norm.bias, -1.0, 1.0)
        before = model.eval()(inputs)["policy"]
        save_network(tmp_path / "net.safetensors", model)
        loaded = load_network(tmp_path / "net.safetensors").eval()
        assert isinstance(loaded.body, PlainBody)
        assert loaded.body.norms is None
        torch.testing.assert_close(loaded(inputs)["policy"], before, rtol=1e-4, atol=1e-4)
        # The model itself is still one with norms, and goes on learning.
        assert model.body.norms is not None
        torch.testing.assert_close(model(inputs)["policy"], before)
