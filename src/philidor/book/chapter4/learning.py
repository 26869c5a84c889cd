"""What chapter 4 says of learning, measured: heads, gates, symmetries, AlphaGo's own games, Leela's volunteers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from philidor.book.items import Exhibit, Finding, Item, Table
from philidor.core.charts import PANEL_WIDTH, Chart, Drawing, Series
from philidor.core.svg import INK, QUIET, text

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.pipelines.recipes import ZeroRecipe


def _heads() -> Exhibit:
    from philidor.book.chapter4.torch.heads import flat_or_planes

    return flat_or_planes()


@contextmanager
def _runs() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="philidor-book-") as folder:
        yield Path(folder)


# --- Gates and symmetries -----------------------------------------------------------------------------------------

_GENERATIONS, _GAMES = 6, 120
_SEEDS = (1,)


def _connect4(seed: int) -> ZeroRecipe:
    """Returns a smaller form of the recipe connect4-zero, which learns within a minute."""
    from philidor.pipelines.recipes import load_recipe

    recipe = load_recipe("connect4-zero")
    return replace(
        recipe,
        generations=_GENERATIONS,
        games=_GAMES,
        concurrent=_GAMES,
        seed=seed,
        network=replace(recipe.network, blocks=2),
        self_play=replace(recipe.self_play, simulations=32, cheap_simulations=8),
        gate=replace(recipe.gate, pairs=15, threshold=0.55),
        rating=replace(recipe.rating, every=3, opponents=("random",), pairs=1, positions=400),
    )


def _agreement(run: Run) -> list[tuple[float, float]]:
    """Returns by games played how often the solver finds nothing wrong with the policy's move."""
    rated = [event for event in run.metrics() if event["event"] == "rating"]
    points = []
    for event in rated:
        verdict = event["solver"]["policy"]
        points.append((float(_GAMES * event["generation"]), 1 - verdict["mistakes"] / verdict["positions"]))
    return points


def gates_and_symmetries() -> Exhibit:
    """Sections 4.3.2 and 4.3.3: connect four from zero, with AlphaGo Zero's gate and without, with mirrors or not."""
    from philidor.book.torch import one_thread
    from philidor.core.runs import Run
    from philidor.pipelines.zero import ZeroLoop

    arms: dict[str, Callable[[ZeroRecipe], ZeroRecipe]] = {
        "no gate, symmetries": lambda recipe: recipe,
        "gate of 55 %": lambda recipe: replace(recipe, style="gated"),
        "no symmetries": lambda recipe: replace(recipe, training=replace(recipe.training, symmetries=False)),
    }
    curves: dict[str, list[list[tuple[float, float]]]] = {}
    passed = total = 0
    with _runs() as folder, one_thread():
        for number, (name, change) in enumerate(arms.items()):
            for seed in _SEEDS:
                recipe = change(_connect4(seed))
                run = Run.create(f"arm-{number}-{seed}", recipe, folder)
                ZeroLoop(recipe, run, has_processes=False).go()
                curves.setdefault(name, []).append(_agreement(run))
                gates = [event["passed"] for event in run.metrics() if event["event"] == "gate"]
                passed, total = passed + sum(gates), total + len(gates)
    means = {
        name: [(runs[0][place][0], sum(run[place][1] for run in runs) / len(runs)) for place in range(len(runs[0]))]
        for name, runs in curves.items()
    }
    rows = tuple((name, *(f"{100 * share:.1f} %" for _, share in points)) for name, points in means.items())
    games = [f"{games:.0f}" for games, _ in next(iter(means.values()))]
    table = Table("Moves of the policy that the solver agrees with, by games played", ("", *games), rows)
    ends = {name: points[-1][1] for name, points in means.items()}
    plain = ends["no gate, symmetries"]
    start = next(iter(means.values()))[0][1]
    findings = (
        Finding(
            "without a gate it learns", "not necessary", f"{100 * start:.1f} to {100 * plain:.1f} %", plain > start
        ),
        Finding("with a gate", "", f"{100 * ends['gate of 55 %']:.1f} %; {passed} of {total} networks passed"),
        Finding("without symmetries", "", f"{100 * ends['no symmetries']:.1f} %"),
    )
    notes = (
        f"Connect four, {_GENERATIONS} generations of {_GAMES} games with 32 simulations, one run each; "
        "400 positions judged each time, so differences below three points may be chance.",
        "The gate's own games are not counted.",
    )
    series = tuple(Series(name, tuple(points)) for name, points in means.items())
    return Exhibit(findings, notes, (Chart("Agreement with the solver", "games", series, 1.0, True),), tables=(table,))


# --- AlphaGo's reinforcement learning -----------------------------------------------------------------------------


def reinforced_policy() -> Exhibit:
    """Listing 4.1 in miniature: a policy on 5x5 plays its earlier selves."""
    from philidor.book.torch import one_thread
    from philidor.core.runs import Run
    from philidor.nets.network_config import NetworkConfig
    from philidor.nets.torch.files import save_network
    from philidor.nets.torch.model import build
    from philidor.train.policy_gradient_config import PolicyGradientConfig
    from philidor.train.torch.policy_gradient import PolicyGradientLoop

    small = NetworkConfig(
        game="go-5x5", encoding="alphago-48", body="plain", blocks=1, filters=16, policy="points", value="none"
    )
    with _runs() as folder:
        first = folder / "sl.safetensors"
        save_network(first, build(small, seed=1))
        config = PolicyGradientConfig(
            net=first,
            game="go-5x5,komi=0.5",
            updates=60,
            games=64,
            pool_every=15,
            learning_rate=3.0,
            measure_every=15,
            measured=200,
            device="cpu",
        )
        run = Run.create("rl", config, folder)
        loop = PolicyGradientLoop(config, run)
        with one_thread():
            loop.go()
        measured = [(float(e["update"]), float(e["against_start"])) for e in run.metrics() if "against_start" in e]
        opponents = len(loop.pool)
    # Against itself, from both sides of the board.
    points = ((0.0, 0.5), *measured)
    last = points[-1][1]
    findings = (
        Finding("score against the network of the beginning, %", "80", f"{100 * last:.1f}", last > 0.6),
        Finding("earlier selves to draw an opponent from", "0...i-1", str(opponents + 1), opponents == 4),
    )
    notes = (
        "The book's 80 % is AlphaGo's RL network against its SL network on 19x19. Here the network of the beginning is "
        "random, on 5x5, and both draw their moves; the same code trains the real ones (`philidor train alphago-rl`).",
    )
    chart = Chart("Score against the network of the beginning", "update", (Series("score", points),), 1.0, True)
    return Exhibit(findings, notes, (chart,))


# --- Leela's volunteers -------------------------------------------------------------------------------------------


def volunteers() -> Exhibit:
    """Figure 4.13 in miniature: two volunteers play with the networks that the server hands out, and it learns."""
    import threading

    from philidor.book.torch import one_thread
    from philidor.core.runs import Run
    from philidor.games import load_game
    from philidor.pipelines.recipes import load_recipe
    from philidor.pipelines.zero import ZeroLoop
    from philidor.pipelines.zero.actor import identity_of
    from philidor.pipelines.zero.away import play_away
    from philidor.pipelines.zero.desk import Desk

    full = load_recipe("hexapawn-zero")
    recipe = replace(full, generations=2, games=40, shard_games=5, concurrent=10, overlap=1)
    names, done = ("ada", "bob"), threading.Event()
    with _runs() as folder, one_thread():
        loop = ZeroLoop(recipe, run := Run.create("server", recipe, folder), has_processes=False, is_alone=True)
        desk, identity = Desk(recipe, loop.files), identity_of(load_game(recipe.game))

        def contribute(name: str) -> None:
            play_away(desk, folder / name, name, identity, is_stopped=done.is_set)

        threads = [threading.Thread(target=contribute, args=(name,), daemon=True) for name in names]
        for thread in threads:
            thread.start()
        try:
            loop.go()
        finally:
            done.set()
            for thread in threads:
                thread.join()
        lots = loop.files.shards()
        networks = [event["generation"] for event in run.metrics() if event["event"] == "train"]
    counts = {name: sum(len(lot) for lot in lots if lot.worker == name) for name in names}
    games, came = recipe.generations * recipe.games, sum(counts.values())
    ours = ", ".join(f"{name} {count}" for name, count in counts.items())
    findings = (
        Finding("games that came back to the server", "millions", str(came), came >= games),
        Finding("played by", "volunteers", ours, all(counts.values())),
        Finding("networks trained and handed out", "the cycle continues", str(len(networks)), len(networks) == 2),
    )
    notes = (
        "Here the volunteers are threads of one program; `philidor serve-training` and `philidor contribute` are the "
        "same parts over HTTP, where the server plays every game again before it learns from it.",
    )
    return Exhibit(findings, notes, (_pipeline_drawing(),))


def _pipeline_drawing() -> Drawing:
    """Draws the cycle: a box for each part, and what travels between them."""
    width, height = 84, 30
    away = PANEL_WIDTH - width - 10
    boxes = {"server": (10, 60), "volunteer": (away, 15), "another": (away, 105)}
    parts = []
    for name, (x, y) in boxes.items():
        parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="white" stroke="{INK}"/>')
        parts.append(text(x + width / 2, y + 19, name, anchor="middle", color=INK, size=10))
    left, right, middle = 10 + width, away, 75
    for y, word, shift in ((30, "network", -14), (120, "games", 20)):
        parts.append(f'<path d="M{left} {middle}L{right} {y}" stroke="{QUIET}"/>')
        parts.append(text((left + right) / 2, (middle + y) / 2 + shift, word, anchor="middle", size=10))
    return Drawing("Networks go out, games come back", tuple(parts))


_HERE = "src/philidor/book/chapter4/learning.py"
ITEMS = (
    Item(
        name="listing-4.1",
        title="AlphaGo's reinforcement learning, on 5x5",
        section="4.1",
        status="experiment",
        reason="the listing is pseudocode for 19x19; here it runs on a small board",
        code="src/philidor/train/torch/policy_gradient.py",
        run=reinforced_policy,
        needs_torch=True,
    ),
    Item(
        name="4.3-heads",
        title="73 planes of moves or a flat list?",
        section="4.3",
        status="experiment",
        code="src/philidor/book/chapter4/torch/heads.py",
        run=_heads,
        needs_torch=True,
    ),
    Item(
        name="4.3-gate",
        also=("4.3-symmetries",),
        title="With and without a gate, with and without symmetries (takes minutes)",
        section="4.3",
        status="experiment",
        code=_HERE,
        run=gates_and_symmetries,
        needs_torch=True,
    ),
    Item(
        name="fig-4.13",
        title="Leela's training by volunteers, on hexapawn",
        section="4.4",
        status="same",
        code="src/philidor/pipelines/zero/desk.py",
        run=volunteers,
        needs_torch=True,
    ),
    Item(
        name="4.5-supervised-vs-zero",
        also=("4.5.1",),
        title="Supervised or zero: four ways to train one network (takes minutes, and resumes)",
        section="4.5",
        status="experiment",
        code="src/philidor/pipelines/learning/experiment.py",
        command="philidor experiment supervised-vs-zero --game hexapawn-4x4 --out runs/question",
    ),
)
