"""AlphaGo from people's games to all of its networks, one step after the other (book, ch. 4.1; Silver et al. 2016).

Each step has a run of its own inside the pipeline's folder and goes on where it was left; a step that is done is passed
over. Steps hand over nothing but files: whoever wants another policy network puts one into its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from philidor.core.config import real, validate
from philidor.core.errors import ConfigError
from philidor.core.runs import Run
from philidor.nets.patterns import PatternKind, save_patterns
from philidor.pipelines.games import GamesLoop, Moment, ready_files
from philidor.pipelines.recipes.from_games import load_games_recipe
from philidor.train.games_config import NamedFile
from philidor.train.pattern_config import PatternTrainingConfig
from philidor.train.pattern_training import PatternLoop, PatternProgress
from philidor.train.policy_gradient_config import PolicyGradientConfig
from philidor.train.value_config import ValueTrainingConfig

if TYPE_CHECKING:
    from philidor.train.game_data import GameFile

Step = Literal["policy", "rollout", "tree", "rl", "value"]
STEPS: tuple[Step, ...] = ("policy", "rollout", "tree", "rl", "value")
"""In their order."""


def _few_games() -> PatternTrainingConfig:
    """Shapes that are seen seldom teach little on a small board; the OGS games decided (docs/alphago.md)."""
    return PatternTrainingConfig(
        epochs=4.0,
        learning_rate=0.08,
        final_learning_rate=0.01,
        least_squares=6,
        least_responses=6,
        least_diamonds=6,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaGoRecipe:
    """How AlphaGo's five networks are trained."""

    policy: str = "alphago-9x9-sl"
    """Recipe of the policy network, by its name or file; it says the board too."""
    policy_minutes: float = field(default=0.0, metadata=real(None, 0.0, 1_000_000.0))
    """Minutes of the policy network's training; 0 for what its recipe says."""
    rollout: PatternTrainingConfig = field(default_factory=_few_games)
    """The rollout policy."""
    tree: PatternTrainingConfig = field(default_factory=_few_games)
    """The tree policy."""
    rl: PolicyGradientConfig = field(default_factory=PolicyGradientConfig)
    """The policy that learns from its own games; it begins with the policy network."""
    value: ValueTrainingConfig = field(default_factory=ValueTrainingConfig)
    """The value network, from games of both policies."""

    def __post_init__(self) -> None:
        validate(self)
        if self.rl.net is not None or self.value.sl is not None or self.value.rl is not None:
            raise ConfigError("the steps hand their networks on by themselves: leave rl.net, value.sl and value.rl out")


Watcher = Callable[[Step, float, str, bool], None]
"""Is told of a step how much is done, from 0 to 1, in words, and whether these are worth a line."""


class AlphaGoPipeline:
    """A pipeline in progress."""

    def __init__(
        self,
        recipe: AlphaGoRecipe,
        games: Sequence[Path],
        folder: Path,
        *,
        threads: int = 1,
        watch: Watcher = lambda *_: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes people's games, SGF or records. Raises ConfigError for a recipe that is not one of Go."""
        self.recipe, self.folder = recipe, folder
        self._games = [NamedFile(path, None) for path in games]
        self._threads, self._watch, self._is_stopped = threads, watch, is_stopped
        self._files: list[GameFile] = []
        policy = load_games_recipe(recipe.policy)
        if recipe.policy_minutes:
            policy = replace(policy, training=replace(policy.training, minutes=recipe.policy_minutes))
        if policy.network.policy != "points":
            raise ConfigError(f"{recipe.policy!r} trains no policy network of AlphaGo's kind")
        self._policy = replace(policy, games=tuple(str(path) for path in games))

    def network(self, step: Step) -> Path:
        """Returns where a step's network is written."""
        return self.folder / step / "checkpoints" / ("network.phpt" if step in ("rollout", "tree") else _NETWORK)

    def go(self) -> bool:
        """Runs all steps; False if it was stopped on the way. Raises what the steps raise."""
        return all(self._run(step) for step in STEPS)

    def _run(self, step: Step) -> bool:
        if step == "policy":
            return self._train_policy()
        if step in ("rollout", "tree"):
            return self._train_linear("rollout" if step == "rollout" else "tree")
        return self._train_from_own_games(step)

    def _ready(self, run: Run) -> bool:
        """Reads the games, once for all steps; False if it was stopped."""
        if not self._files:
            found = ready_files(self._games, run, is_stopped=self._is_stopped)
            self._files = found or []
        return bool(self._files)

    def _train_policy(self) -> bool:
        run = Run.resume_or_create("policy", self._policy, self.folder)
        if not self._ready(run):
            return False

        def watch(moment: Moment) -> None:
            measured = (moment.event or {}).get("held_out")
            if measured is not None:
                self._watch("policy", 1.0, f"{measured['top1']:.1%} of the moves foreseen", True)
            elif moment.progress is not None:
                speed = f"{moment.progress.positions_per_second:,.0f} positions/s"
                self._watch("policy", moment.progress.share, speed, False)

        loop = GamesLoop(
            self._policy, run, self._files, threads=self._threads, watch=watch, is_stopped=self._is_stopped
        )
        return loop.go()

    def _train_linear(self, kind: PatternKind) -> bool:
        config = self.recipe.rollout if kind == "rollout" else self.recipe.tree
        run = Run.resume_or_create(kind, config, self.folder)
        loop = PatternLoop(kind, config, run, self._files, threads=self._threads)

        def report(now: PatternProgress) -> None:
            if now.event is not None and now.event["event"] == "measure":
                words = f"{now.event['top1']:.1%} of the moves foreseen ({now.event['part']})"
                self._watch(kind, now.share, words, now.event["part"] == "test")
            else:
                self._watch(kind, now.share, now.stage, False)

        if not loop.is_done:
            loop.go(is_stopped=self._is_stopped, report=report)
        if loop.visits:
            save_patterns(self.network(kind), loop.network())
        return loop.is_done

    def _train_from_own_games(self, step: Step) -> bool:
        from philidor.train.torch.policy_gradient import PolicyGradientLoop
        from philidor.train.torch.value_network import ValueLoop

        loop: PolicyGradientLoop | ValueLoop
        if step == "rl":
            config = replace(self.recipe.rl, net=self.network("policy"))
            loop = PolicyGradientLoop(config, Run.resume_or_create(step, config, self.folder))
        else:
            values = replace(self.recipe.value, sl=self.network("policy"), rl=self.network("rl"))
            loop = ValueLoop(values, Run.resume_or_create(step, values, self.folder))

        def report(event: dict[str, Any]) -> None:
            self._watch(step, *told(event))

        return loop.is_done or loop.go(is_stopped=self._is_stopped, report=report)


_NETWORK = "network.safetensors"


def told(event: dict[str, Any]) -> tuple[float, str, bool]:
    """Says of what the last two steps report how much is done, in words, and whether they are worth a line."""
    if event["event"] == "games":
        return event["share"], f"playing games: shard {event['shard']:,}", False
    if event["event"] == "update":
        said = f"update {event['update']:,}, entropy {event['entropy']:.2f}, {event['plies']:.0f} plies a game"
        score = event.get("against_start")
        return (
            (event["share"], said, False)
            if score is None
            else (event["share"], f"{said}: {score:.1%} against the first one", True)
        )
    errors = f"error {event['train_error']:.4f} on learned games, {event['test_error']:.4f} on others"
    return event["progress"], f"step {event['step']:,}: {errors}", True


def match_command(pipeline: AlphaGoPipeline) -> str:
    """Returns the command that lets the search over all five networks play."""
    names = {"net": "policy", "value_net": "value", "rollout": "rollout", "tree": "tree"}
    parts: Iterator[str] = (f"{name}={pipeline.network(step)}" for name, step in names.items())  # type: ignore[arg-type]
    return f'philidor match --game go-9x9 --engine "alphago {" ".join(parts)}" --engine "uct iterations=2000"'
