"""AlphaGo's reinforcement learning: a policy plays its earlier selves, and moves of won games become likelier.

Book: ch. 4.1.4, Listing 4.1; Silver et al. 2016. The gradient of a move's log probability counts by the game's result
(REINFORCE; Williams 1992), less a baseline.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from philidor.core.errors import ConfigError, NetError, RunError
from philidor.games import load_game
from philidor.games.go import Go
from philidor.nets.shipped import find_net
from philidor.nets.torch.files import load_network, save_network
from philidor.train.torch.devices import place, torch_device
from philidor.train.torch.lockstep import Played, check_policy, first_results, masked_logits, play_games
from philidor.train.torch.state import read_fields, state_of, write_fields

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.nets.torch.model import Model
    from philidor.train.policy_gradient_config import PolicyGradientConfig

CHECKPOINT = "trainer.pt"
NETWORK = "network.safetensors"
_ROWS = 2048
"""Positions whose gradients are computed at a time."""
_SAVE_EVERY_S = 60.0

Report = Callable[[dict[str, Any]], None]


class PolicyGradientLoop:
    """A training in progress."""

    def __init__(self, config: PolicyGradientConfig, run: Run) -> None:
        """Goes on where the run was left. Raises ConfigError for a network that does not fit, NetError, RunError."""
        if config.net is None:
            raise ConfigError("a policy network to begin with is wanted: --net FILE")
        game = load_game(config.game)
        if not isinstance(game, Go):
            raise ConfigError(f"AlphaGo's policies play Go, got {config.game!r}")
        self.config, self.run, self.game = config, run, game
        self.device = torch_device(config.device)
        self.start = self._load(config.net)
        check_policy(self.start, game)
        self.model = self._load(config.net)
        rule = torch.optim.Adam if config.optimizer == "adam" else torch.optim.SGD
        self.optimizer: torch.optim.Optimizer = rule(self.model.parameters(), lr=config.learning_rate)
        self.update = 0
        """Updates so far."""
        self.pool: list[str] = []
        """Names of the earlier selves, the network of the beginning being the first and not among them."""
        self._seconds_before, self._began = 0.0, time.monotonic()
        if self._checkpoint.exists():
            self._restore()

    def _load(self, path: Path) -> Model:
        model = load_network(find_net(path))
        place(model, self.device)
        return model.eval()

    @property
    def is_done(self) -> bool:
        """Whether the training came to its end."""
        return self.progress >= 1

    @property
    def progress(self) -> float:
        """How much is done, from 0 to 1: by updates or by time, whatever is further."""
        limit = 60 * self.config.minutes
        return min(1.0, max(self.update / self.config.updates, self.seconds / limit if limit else 0.0))

    @property
    def seconds(self) -> float:
        """Time spent on the training, by all processes."""
        return self._seconds_before + time.monotonic() - self._began

    def go(self, *, is_stopped: Callable[[], bool] = lambda: False, report: Report = lambda _: None) -> bool:
        """Trains to the end; False if it was stopped before. The state is saved every minute and when stopped."""
        saved = time.monotonic()
        while not self.is_done:
            event = self._step(is_stopped)
            if event is None:
                break
            is_last = self.is_done
            if self.update % self.config.measure_every == 0 or is_last:
                event["against_start"] = self._measure(is_stopped)
            event |= {"seconds": round(self.seconds, 2), "share": self.progress}
            self.run.log(event)
            report(event)
            if time.monotonic() - saved > _SAVE_EVERY_S:
                self.save()
                saved = time.monotonic()
        self.save()
        save_network(self.run.checkpoints / NETWORK, self.model, {"run": self.run.name, "update": str(self.update)})
        return self.is_done

    def _random(self, purpose: int) -> torch.Generator:
        """Random numbers that depend on the update alone, so that a stopped run goes on as it would have."""
        seed = np.random.SeedSequence([self.config.seed, self.update, purpose]).generate_state(1)[0]
        return torch.Generator(self.device).manual_seed(int(seed))

    def _opponent(self) -> Model:
        """Draws one of the earlier selves."""
        number = int(torch.randint(len(self.pool) + 1, (1,), generator=self._random(0), device=self.device))
        return self.start if number == 0 else self._load(self._pool_path(self.pool[number - 1]))

    def _step(self, is_stopped: Callable[[], bool]) -> dict[str, Any] | None:
        """Plays a batch of games and learns from it; None if it was stopped before it had learned."""
        config = self.config
        played = play_games(
            (self.model, self._opponent()),
            self.game,
            config.games,
            device=self.device,
            random=self._random(1),
            max_plies=config.max_plies,
            is_stopped=is_stopped,
        )
        if played is None:
            return None
        results = first_results(played)
        entropy = self._learn(played, results)
        self.update += 1
        if self.update % config.pool_every == 0:
            name = f"{self.update:06d}"
            save_network(self._pool_path(name), self.model)
            self.pool.append(name)
        return {
            "event": "update",
            "update": self.update,
            "win_rate": float((results > 0).mean() + 0.5 * (results == 0).mean()),
            "plies": played.plies / config.games,
            "entropy": entropy,
            "pool": len(self.pool) + 1,
        }

    def _learn(self, played: Played, results: np.ndarray[Any, Any]) -> float:
        """Makes moves of won games likelier; returns the mean entropy of the policy in these positions."""
        moves = played.moves
        baseline = float(results.mean()) if self.config.baseline == "mean" else 0.0
        advantage = (results - baseline)[moves.game]
        total, entropy = len(moves.move), 0.0
        self.optimizer.zero_grad()
        for first in range(0, total, _ROWS):
            rows = slice(first, first + _ROWS)
            logs = masked_logits(self.model, moves.planes[rows], self.device).log_softmax(dim=1)
            chosen = torch.from_numpy(moves.move[rows]).to(self.device)
            gains = torch.from_numpy(advantage[rows]).to(self.device)
            loss = -(gains * logs.gather(1, chosen[:, None])[:, 0]).sum() / total
            loss.backward()  # type: ignore[no-untyped-call]
            with torch.no_grad():
                entropy -= float((logs.exp() * logs.clamp_min(-100.0)).sum()) / total
        self.optimizer.step()
        if not np.isfinite(entropy):
            raise RunError(f"the policy is no number any more after update {self.update}; lower the learning rate")
        return entropy

    def _measure(self, is_stopped: Callable[[], bool]) -> float | None:
        """Returns the share of points against the network of the beginning; None if it was stopped."""
        played = play_games(
            (self.model, self.start),
            self.game,
            self.config.measured,
            device=self.device,
            random=self._random(2),
            max_plies=self.config.max_plies,
            is_stopped=is_stopped,
        )
        return None if played is None else float((first_results(played).mean() + 1) / 2)

    # --- State ----------------------------------------------------------------------------------------------

    @property
    def _checkpoint(self) -> Path:
        return self.run.checkpoints / CHECKPOINT

    def _pool_path(self, name: str) -> Path:
        return self.run.checkpoints / f"pool-{name}.safetensors"

    def save(self) -> None:
        """Writes everything that going on needs. Raises RunError."""
        fields = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "update": self.update,
            "pool": self.pool,
            "seconds": self.seconds,
        }
        write_fields(fields, self._checkpoint)

    def _restore(self) -> None:
        fields = read_fields(self._checkpoint, self.device)
        with state_of(self._checkpoint):
            self.model.load_state_dict(fields["model"])
            self.optimizer.load_state_dict(fields["optimizer"])
            self.update, self.pool = int(fields["update"]), [str(name) for name in fields["pool"]]
            self._seconds_before = float(fields["seconds"])
        for name in self.pool:
            if not self._pool_path(name).exists():
                raise NetError(f"the opponent {str(self._pool_path(name))!r} is missing")
