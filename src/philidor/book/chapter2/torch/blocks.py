"""What the blocks of chess networks are for: squeeze and excitation, batch normalization, skips (ch. 2.9 to 2.12)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from philidor.book.items import Exhibit, Finding
from philidor.book.torch import one_thread
from philidor.core.charts import Chart, Series

_SEEDS = 3


def _learning_curve(
    make: Callable[[], nn.Module],
    examples: Callable[[torch.Generator], tuple[Tensor, Tensor]],
    *,
    steps: int,
    learning_rate: float,
    seed: int,
) -> list[tuple[float, float]]:
    """Trains on fresh examples; returns the mean squared error now and then, each a mean of the last 20 steps."""
    torch.manual_seed(seed)
    model, random = make(), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    seen, recent = [], []
    for step in range(1, steps + 1):
        x, r = examples(random)
        loss = nn.functional.mse_loss(model(x), r)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        recent.append(loss.item())
        if step % 20 == 0:
            seen.append((float(step), sum(recent) / len(recent)))
            recent = []
    return seen


def _compare(
    title: str,
    models: dict[str, Callable[[], nn.Module]],
    examples: Callable[[torch.Generator], tuple[Tensor, Tensor]],
    *,
    steps: int,
    learning_rate: float,
) -> tuple[Chart, dict[str, float]]:
    """Returns the learning curves of the first seed and the last errors' means over all seeds."""
    series, ends = [], {}
    for name, make in models.items():
        with one_thread():
            curves = [
                _learning_curve(make, examples, steps=steps, learning_rate=learning_rate, seed=seed)
                for seed in range(_SEEDS)
            ]
        series.append(Series(name, tuple(curves[0])))
        ends[name] = sum(curve[-1][1] for curve in curves) / _SEEDS
    return Chart(title, "step", tuple(series), is_logarithmic=True), ends


class ChannelNet(nn.Module):
    """Two convolutions over small color pictures, with squeeze and excitation between them or without."""

    def __init__(self, *, has_excitation: bool) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(16, 16, 3, padding=1)
        self.excite = (
            nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16), nn.Sigmoid()) if has_excitation else None
        )
        self.out = nn.Linear(16, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Maps [n, 3, 8, 8] to [n, 1]."""
        flow = self.first(x).relu()
        if self.excite is not None:
            # Squeeze: one number for each channel of the whole picture. Excite: how much that channel counts now.
            flow = flow * self.excite(flow.mean(dim=(2, 3)))[:, :, None, None]
        flow = self.second(flow).relu().mean(dim=(2, 3))
        answer: Tensor = self.out(flow)
        return answer


def _tinted_pictures(random: torch.Generator) -> tuple[Tensor, Tensor]:
    """Small pictures whose third channel's brightness, everywhere the same, tells which of the others counts."""
    x = torch.rand(128, 3, 8, 8, generator=random)
    chooses_first = torch.rand(128, 1, 1, generator=random) > 0.5
    x[:, 2] = 0.2 + 0.6 * chooses_first
    means = x[:, :2].mean(dim=(2, 3)) * 8 - 4
    return x, torch.where(chooses_first[:, 0], means[:, :1], means[:, 1:])


def excitation_weighs_channels() -> Exhibit:
    """Section 2.9: channels that count in some pictures only."""
    models: dict[str, Callable[[], nn.Module]] = {
        "plain": lambda: ChannelNet(has_excitation=False),
        "squeeze and excitation": lambda: ChannelNet(has_excitation=True),
    }
    chart, ends = _compare("Which channel counts, depends", models, _tinted_pictures, steps=400, learning_rate=0.005)
    findings = tuple(Finding(f"error after 400 steps, {name}", "", f"{end:.4f}") for name, end in ends.items())
    better = ends["squeeze and excitation"] < ends["plain"]
    verdict = Finding(
        "squeeze and excitation learns it better", "25 percent on images", "yes" if better else "no", better
    )
    return Exhibit((*findings, verdict), (f"Means over {_SEEDS} seeds.",), (chart,))


class DeepNet(nn.Module):
    """Many dense layers one after the other: plain, with batch normalization, or with skips around pairs of them."""

    def __init__(
        self,
        depth: int,
        *,
        width: int = 24,
        has_norm: bool = False,
        has_skips: bool = False,
        activation: Callable[[Tensor], Tensor] = torch.relu,
    ) -> None:
        super().__init__()
        self.activation = activation
        self.enter, self.out = nn.Linear(2, width), nn.Linear(width, 1)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) if has_norm else nn.Identity() for _ in range(depth))
        self.has_skips = has_skips

    def forward(self, x: Tensor) -> Tensor:
        """Maps [n, 2] to [n, 1]. A skip adds x_0 just before the second activation: a(W_2 x_1 + x_0)."""
        flow = self.activation(self.enter(x))
        for number in range(0, len(self.layers), 2):
            inner = self.activation(self.norms[number](self.layers[number](flow)))
            outer = self.norms[number + 1](self.layers[number + 1](inner))
            flow = self.activation(outer + flow if self.has_skips else outer)
        answer: Tensor = self.out(flow)
        return answer


def _waves(random: torch.Generator) -> tuple[Tensor, Tensor]:
    x = torch.rand(128, 2, generator=random) * 2 - 1
    return x, torch.sin(3 * x[:, :1]) * torch.cos(2 * x[:, 1:])


def normalization_helps_depth() -> Exhibit:
    """Section 2.11: the same deep network of sigmoids without and with batch normalization."""
    models: dict[str, Callable[[], nn.Module]] = {
        "plain": lambda: DeepNet(8, activation=torch.sigmoid),
        "batch normalization": lambda: DeepNet(8, has_norm=True, activation=torch.sigmoid),
    }
    chart, ends = _compare("8 layers of sigmoids learn a wavy function", models, _waves, steps=300, learning_rate=0.002)
    findings = tuple(Finding(f"error after 300 steps, {name}", "", f"{end:.4f}") for name, end in ends.items())
    faster = ends["batch normalization"] < ends["plain"]
    verdict = Finding("normalized layers learn faster", "faster and more stable", "yes" if faster else "no", faster)
    return Exhibit((*findings, verdict), (f"Means over {_SEEDS} seeds.",), (chart,))


def skips_help_depth() -> Exhibit:
    """Section 2.12 and Figure 2.19: deeper is worse without skip connections, and not with them."""
    models: dict[str, Callable[[], nn.Module]] = {
        f"{depth} layers, {'skips' if has_skips else 'plain'}": lambda d=depth, s=has_skips: DeepNet(d, has_skips=s)  # type: ignore[misc]
        for has_skips in (False, True)
        for depth in (2, 32)
    }
    chart, ends = _compare("Depth with and without skips", models, _waves, steps=400, learning_rate=0.002)
    findings = [Finding(f"error after 400 steps, {name}", "", f"{end:.4f}") for name, end in ends.items()]
    worse = ends["32 layers, plain"] > 2 * ends["2 layers, plain"]
    better = ends["32 layers, skips"] < ends["32 layers, plain"] / 2
    findings.append(Finding("without skips, depth makes it worse", "gets worse", "yes" if worse else "no", worse))
    findings.append(Finding("with skips it does not", "yes", "yes" if better else "no", better))
    return Exhibit(tuple(findings), (f"Means over {_SEEDS} seeds.",), (chart,))
