"""Trains AlphaGo's value network on positions of its own games (book, ch. 4.1.5; Silver et al. 2016)."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run, write_atomic
from philidor.encodings import load_encoding
from philidor.encodings.encoding import Batch
from philidor.games import load_game
from philidor.games.go import Go
from philidor.nets.network_config import preset
from philidor.nets.onnx.signature import VALUE
from philidor.nets.torch.files import load_network, save_network
from philidor.nets.torch.model import Model, build
from philidor.train.symmetric_forms import SymmetricForms
from philidor.train.torch.devices import place, torch_device
from philidor.train.torch.inputs import unpack
from philidor.train.torch.lockstep import check_policy
from philidor.train.torch.state import read_fields, state_of, write_fields
from philidor.train.torch.value_games import Positions, play_value_games

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.train.value_config import ValueTrainingConfig

CHECKPOINT = "trainer.pt"
NETWORK = "network.safetensors"
_TESTED = 20
"""One shard of so many is not learned from."""
_MEASURED = 8_192
_SAVE_EVERY_S = 60.0

Report = Callable[[dict[str, Any]], None]


class ValueLoop:
    """A run in progress: first the games, a shard at a time, then the steps of the training."""

    def __init__(self, config: ValueTrainingConfig, run: Run) -> None:
        """Goes on where the run was left. Raises ConfigError for networks that do not fit, NetError, RunError."""
        if config.sl is None or config.rl is None:
            raise ConfigError("two policy networks play the games: --sl FILE and --rl FILE")
        game = load_game(config.game)
        if not isinstance(game, Go):
            raise ConfigError(f"AlphaGo's policies play Go, got {config.game!r}")
        self.config, self.run, self.game = config, run, game
        self.device = torch_device(config.device)
        self._sl, self._rl = (load_network(path) for path in (config.sl, config.rl))
        for policy in (self._sl, self._rl):
            check_policy(policy, game)
            place(policy.eval(), self.device)
        network = preset("alphago-value", config.game, "alphago-49", blocks=config.blocks, filters=config.filters)
        self.model: Model = build(network, config.seed)
        place(self.model, self.device)
        forms = SymmetricForms.of(game, load_encoding("alphago-49", game))
        assert forms is not None, "Go says where squares and moves go"
        self._forms = forms
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.learning_rate, weight_decay=config.l2)
        self.step = 0
        """Steps so far."""
        if self._checkpoint.exists():
            self._restore()

    @property
    def shards(self) -> int:
        """Shards of games in all."""
        return max(2, -(-self.config.games // self.config.games_at_once))

    @property
    def is_done(self) -> bool:
        """Whether the training came to its end."""
        return self.step >= self.config.steps

    def go(self, *, is_stopped: Callable[[], bool] = lambda: False, report: Report = lambda _: None) -> bool:
        """Plays and trains to the end; False if it was stopped before."""
        if not self._play(is_stopped, report):
            return False
        parts = [_read(self._shard(number)) for number in range(self.shards)]
        # Games of one shard are all learned from, or none is.
        tested = [part for number, part in enumerate(parts) if number % _TESTED == _TESTED - 1] or parts[-1:]
        learned = [part for part in parts if all(part is not each for each in tested)]
        train, test = _join(learned), _join(tested)
        if not len(train.result) or not len(test.result):
            raise RunError("no position to learn from: more games are wanted, or an earlier last_ply")
        saved = time.monotonic()
        while not self.is_done and not is_stopped():
            self._learn(train)
            if self.step % self.config.measure_every == 0 or self.is_done:
                self._measure(train, test, report)
            if time.monotonic() - saved > _SAVE_EVERY_S:
                self.save()
                saved = time.monotonic()
        self.save()
        save_network(self.run.checkpoints / NETWORK, self.model, {"run": self.run.name, "step": str(self.step)})
        return self.is_done

    # --- Games ----------------------------------------------------------------------------------------------

    def _shard(self, number: int) -> Path:
        return self.run.shards / f"{number:06d}.npz"

    def _play(self, is_stopped: Callable[[], bool], report: Report) -> bool:
        """Plays the shards that are missing, each by random numbers of its own; False if it was stopped."""
        config = self.config
        for number in range(self.shards):
            if self._shard(number).exists():
                continue
            found = play_value_games(
                self._sl,
                self._rl,
                self.game,
                config.games_at_once,
                last_ply=config.last_ply,
                whole_games=config.whole_games,
                device=self.device,
                seed=(config.seed, number),
                is_stopped=is_stopped,
            )
            if found is None:
                return False
            data = io.BytesIO()
            np.savez_compressed(
                data, planes=found.planes, is_black=found.is_black, result=found.result, game=found.game
            )
            self.run.shards.mkdir(exist_ok=True)
            write_atomic(self._shard(number), data.getvalue())
            report({"event": "games", "shard": number + 1, "shards": self.shards, "positions": len(found.result)})
        return True

    # --- Training -------------------------------------------------------------------------------------------

    def _learn(self, train: Positions) -> None:
        config = self.config
        random = np.random.default_rng([config.seed, self.step, 1])
        rows = random.integers(len(train.result), size=config.batch)
        forms = random.integers(len(self._forms), size=config.batch)
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * (1 - self.step / config.steps)
        self.model.train()
        self.optimizer.zero_grad()
        expected = self._expected(_take(train, rows), forms)
        loss = ((expected - torch.from_numpy(train.result[rows]).to(self.device)) ** 2).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.step += 1
        if not torch.isfinite(loss):
            raise RunError(f"the loss is no number any more after step {self.step}; lower the learning rate")

    def _expected(self, positions: Positions, forms: NDArray[np.int64] | None = None) -> Tensor:  # [n]
        count = len(positions.result)
        none = np.zeros(count + 1, np.int64)
        batch = Batch(positions.planes, positions.is_black[:, np.newaxis], none, np.zeros(0, np.uint16))
        batch = batch if forms is None else self._forms.batch(batch, forms)
        data = torch.from_numpy(batch.planes.astype("<u8").view(np.uint8)).to(self.device)
        scalars = torch.from_numpy(batch.scalars).to(self.device)
        return torch.tanh(self.model(unpack(data, scalars, self.model.shape))[VALUE].float())[:, 0]

    @torch.no_grad()
    def _error(self, positions: Positions) -> float:
        """Returns the mean squared error on the paper's scale, where results are 0 and 1."""
        self.model.eval()
        total = min(len(positions.result), _MEASURED)
        errors = []
        for first in range(0, total, 1024):
            part = _take(positions, np.arange(first, min(first + 1024, total)))
            errors.append(((self._expected(part).cpu().numpy() - part.result) ** 2).sum())
        return float(sum(errors)) / total / 4

    def _measure(self, train: Positions, test: Positions, report: Report) -> None:
        event = {
            "event": "measure",
            "step": self.step,
            "train_error": self._error(train),
            "test_error": self._error(test),
            "positions": len(train.result),
            "test_positions": len(test.result),
        }
        self.run.log(event)
        report(event)

    # --- State ----------------------------------------------------------------------------------------------

    @property
    def _checkpoint(self) -> Path:
        return self.run.checkpoints / CHECKPOINT

    def save(self) -> None:
        """Writes everything that going on needs. Raises RunError."""
        fields = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step}
        write_fields(fields, self._checkpoint)

    def _restore(self) -> None:
        fields = read_fields(self._checkpoint, self.device)
        with state_of(self._checkpoint):
            self.model.load_state_dict(fields["model"])
            self.optimizer.load_state_dict(fields["optimizer"])
            self.step = int(fields["step"])


def _read(path: Path) -> Positions:
    """Reads a shard. Raises RunError if it is damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as saved:
            return Positions(saved["planes"], saved["is_black"], saved["result"], saved["game"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise RunError(f"{str(path)!r} is damaged: {error}; delete it, and its games are played again") from None


def _take(positions: Positions, rows: NDArray[Any]) -> Positions:
    fields = (positions.planes, positions.is_black, positions.result, positions.game)
    return Positions(*(array[rows] for array in fields))


def _join(parts: list[Positions]) -> Positions:
    full = [part for part in parts if len(part.result)]
    if not full:
        return replace(parts[0])
    names = ("planes", "is_black", "result", "game")
    return Positions(*(np.concatenate([getattr(part, name) for part in full]) for name in names))
