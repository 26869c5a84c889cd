"""Trains AlphaGo's value network on positions of its own games (book, ch. 4.1.5; Silver et al. 2016)."""

from __future__ import annotations

import io
import math
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run, write_atomic
from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.games.go import Go
from philidor.nets.network_config import preset
from philidor.nets.onnx.signature import VALUE
from philidor.nets.torch.files import save_network
from philidor.nets.torch.model import Model, build
from philidor.train.symmetric_forms import SymmetricForms
from philidor.train.torch.devices import place, precision, torch_device
from philidor.train.torch.inputs import unpack
from philidor.train.torch.state import read_fields, state_of, write_fields
from philidor.train.torch.value_games import Positions, joined, load_policy, play_value_games

if TYPE_CHECKING:
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
            raise ConfigError("two policies play the games: --sl FILE and --rl FILE")
        game = load_game(config.game)
        if not isinstance(game, Go):
            raise ConfigError(f"AlphaGo's policies play Go, got {config.game!r}")
        self.config, self.run, self.game = config, run, game
        self.device = torch_device(config.device)
        self._sl, self._rl = (load_policy(path, game, self.device) for path in (config.sl, config.rl))
        network = preset("alphago-value", config.game, "alphago-49", blocks=config.blocks, filters=config.filters)
        self.model: Model = build(network, config.seed)
        place(self.model, self.device)
        forms = SymmetricForms.of(game, load_encoding("alphago-49", game))
        assert forms is not None, "Go says where squares and moves go"
        self._sources = torch.from_numpy(forms.sources).to(self.device)  # [forms, squares]
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.learning_rate, weight_decay=config.l2)
        self._games = 0
        self.step = 0
        """Steps so far."""
        self._playing, self._training = Stopwatch(), Stopwatch()
        if self._checkpoint.exists():
            self._restore()

    @property
    def shards(self) -> int:
        """Shards of games in all."""
        return max(2, -(-self.config.games // self.config.games_at_once))

    @property
    def progress(self) -> float:
        """How much of the training is done, from 0 to 1."""
        limit = 60 * self.config.minutes
        by_time = self._training.seconds / limit if limit else 0.0
        return min(1.0, max(self.step / self.config.steps, by_time))

    @property
    def is_done(self) -> bool:
        """Whether the training came to its end."""
        return self.progress >= 1

    def go(self, *, is_stopped: Callable[[], bool] = lambda: False, report: Report = lambda _: None) -> bool:
        """Plays and trains to the end; False if it was stopped before."""
        if not self._play(is_stopped, report):
            return False
        learned, tested = self._parts()
        train, test = joined(learned), joined(tested)
        self._games = sum(len(np.unique(part.game)) for part in learned)
        if not len(train.result) or not len(test.result):
            raise RunError("no position to learn from: more games are wanted, or an earlier last_ply")
        data = _Data(train, self.device)
        saved = time.monotonic()
        self._training.start()
        while not self.is_done and not is_stopped():
            self._learn(data)
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
        config, limit = self.config, 60 * self.config.games_minutes
        counts: list[int] = []
        self._playing.start()
        for number in range(self.shards):
            # The last shard of a few is measured on.
            if config.positions and sum(counts[:-1]) >= config.positions:
                break
            if self._shard(number).exists():
                counts.append(len(_read(self._shard(number)).result))
                continue
            # Two shards there are in any case: one to learn from and one to measure on.
            if limit and number >= 2 and self._playing.seconds >= limit:
                break
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
                self._playing.stop()
                self.save()
                return False
            data = io.BytesIO()
            np.savez_compressed(
                data, planes=found.planes, is_black=found.is_black, result=found.result, game=found.game
            )
            counts.append(len(found.result))
            self.run.shards.mkdir(exist_ok=True)
            write_atomic(self._shard(number), data.getvalue())
            share = max((number + 1) / self.shards, self._playing.seconds / limit if limit else 0.0)
            report({"event": "games", "shard": number + 1, "share": min(1.0, share), "positions": len(found.result)})
        self._playing.stop()
        return True

    def _parts(self) -> tuple[list[Positions], list[Positions]]:
        """Returns the shards to learn from, and those to measure on: games of one shard are all learned, or none is."""
        parts = [_read(path) for number in range(self.shards) if (path := self._shard(number)).exists()]
        tested = [part for number, part in enumerate(parts) if number % _TESTED == _TESTED - 1] or parts[-1:]
        return [part for part in parts if all(part is not each for each in tested)], tested

    def tested(self) -> Positions:
        """Returns the positions of the games that are not learned from; the games must have been played."""
        return joined(self._parts()[1])

    # --- Training -------------------------------------------------------------------------------------------

    def _learn(self, train: _Data) -> None:
        config = self.config
        random = np.random.default_rng([config.seed, self.step, 1])
        rows = torch.from_numpy(random.integers(len(train), size=config.batch)).to(self.device)
        forms = torch.from_numpy(random.integers(len(self._sources), size=config.batch)).to(self.device)
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * (1 - self.progress)
        self.model.train()
        self.optimizer.zero_grad()
        loss = ((self._expected(train, rows, forms) - train.result[rows]) ** 2).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.step += 1

    def _expected(self, data: _Data, rows: Tensor, forms: Tensor | None = None) -> Tensor:  # [n]
        """Returns the expected results of these positions, each in the symmetric form of its number."""
        inputs = unpack(data.planes[rows], data.is_black[rows, None], self.model.shape)
        if forms is not None:
            places = self._sources[forms][:, None, :].expand(-1, inputs.shape[1], -1)
            inputs = inputs.flatten(2).gather(2, places).view(inputs.shape)
        with precision(self.device):
            raw = self.model(inputs)[VALUE]
        return torch.tanh(raw.float())[:, 0]

    @torch.no_grad()
    def error(self, positions: Positions) -> float:
        """Returns the mean squared error on the paper's scale, where results are 0 and 1."""
        self.model.eval()
        total = min(len(positions.result), _MEASURED)
        # Any of them: they lie in the order of their plies, and early ones say little.
        chosen = np.random.default_rng(0).permutation(len(positions.result))[:total]
        data = _Data(positions.take(chosen), self.device)
        parts = torch.split(torch.arange(total, device=self.device), 1024)
        errors = [((self._expected(data, rows) - data.result[rows]) ** 2).sum() for rows in parts]
        return float(torch.stack(errors).sum()) / total / 4

    def _measure(self, train: Positions, test: Positions, report: Report) -> None:
        event: dict[str, Any] = {
            "event": "measure",
            "step": self.step,
            "progress": round(self.progress, 5),
            "seconds": round(self._training.seconds, 2),
            "train_error": self.error(train),
            "test_error": self.error(test),
            "games": self._games,
            "positions": len(train.result),
            "test_positions": len(test.result),
        }
        if not math.isfinite(event["train_error"]):
            raise RunError(f"the loss is no number any more after step {self.step}; lower the learning rate")
        self.run.log(event)
        report(event)

    # --- State ----------------------------------------------------------------------------------------------

    @property
    def _checkpoint(self) -> Path:
        return self.run.checkpoints / CHECKPOINT

    def save(self) -> None:
        """Writes everything that going on needs. Raises RunError."""
        fields = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": (self._playing.seconds, self._training.seconds),
        }
        write_fields(fields, self._checkpoint)

    def _restore(self) -> None:
        fields = read_fields(self._checkpoint, self.device)
        with state_of(self._checkpoint):
            self.model.load_state_dict(fields["model"])
            self.optimizer.load_state_dict(fields["optimizer"])
            self.step = int(fields["step"])
            self._playing, self._training = (Stopwatch(float(seconds)) for seconds in fields["seconds"])


class Stopwatch:
    """Counts seconds, those of earlier processes too."""

    def __init__(self, before: float = 0.0) -> None:
        self._before = before
        self._began: float | None = None

    @property
    def seconds(self) -> float:
        """So far."""
        return self._before + (0.0 if self._began is None else time.monotonic() - self._began)

    def start(self) -> None:
        """Goes on counting."""
        self._before, self._began = self.seconds, time.monotonic()

    def stop(self) -> None:
        """Stands still."""
        self._before, self._began = self.seconds, None


class _Data:
    """Positions on the device that learns."""

    def __init__(self, positions: Positions, device: torch.device) -> None:
        packed = torch.from_numpy(positions.planes.astype("<u8", copy=False).view(np.uint8))
        self.planes = packed.to(device)  # [n, 48, bytes]
        self.is_black = torch.from_numpy(positions.is_black).to(device)
        self.result = torch.from_numpy(positions.result).to(device)

    def __len__(self) -> int:
        return len(self.result)


def _read(path: Path) -> Positions:
    """Reads a shard. Raises RunError if it is damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as saved:
            return Positions(saved["planes"], saved["is_black"], saved["result"], saved["game"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise RunError(f"{str(path)!r} is damaged: {error}; delete it, and its games are played again") from None
