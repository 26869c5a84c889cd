"""The compiled APV-MCTS for Go: apv's tree, visit for visit, but fast; the networks answer while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor._native._ext import ApvSettings, GoApv
from philidor.core.errors import ConfigError
from philidor.core.native_settings import fill
from philidor.encodings.encoding import Batch
from philidor.search.apv import ApvConfig, searched
from philidor.search.native import native_root

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor._native._ext import Go, PatternPolicy
    from philidor.core.game import AnyState
    from philidor.core.thinking import Stop
    from philidor.search.result import SearchResult

    Positions = list[tuple[Go, list[int]]]
    """States with the squares that the last move took."""

_NOTHING = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledParts:
    """AlphaGo's networks, as the compiled search asks them. They are asked by another thread than the search's."""

    planes: int
    """How many of AlphaGo's planes the policy network sees; 0 for a linear policy."""
    policy: Callable[[Batch], NDArray[np.float32]] | None = None
    """The policy network: the probabilities of all legal moves of a batch, one after the other."""
    linear_policy: Callable[[Positions], NDArray[np.float32]] | None = None
    """The same by a linear policy, which wants states."""
    value: Callable[[Batch], NDArray[np.float32]] | None = None
    """The value network, which sees 49 planes: values in the movers' view."""
    rollout: PatternPolicy | None = None
    """The linear policy that games are played out by."""
    tree_policy: PatternPolicy | None = None
    """The linear policy whose priors are in force until the policy network answers."""


class CompiledApv:
    """A search in progress."""

    def __init__(
        self, state: AnyState, captured: list[int], parts: CompiledParts, config: ApvConfig, threads: int = 1
    ) -> None:
        """Takes a position of Go that is not over, and the squares that the last move took. Raises ConfigError."""
        if config.mixing < 1 and parts.value is None:
            raise ConfigError(f"mixing = {config.mixing} needs a value network; 1 trusts rollouts alone")
        if config.mixing > 0 and parts.rollout is None:
            raise ConfigError(f"mixing = {config.mixing} needs a rollout policy; 0 trusts the value network alone")
        self._parts, self._config = parts, config
        settings = fill(ApvSettings(), config, threads=threads)
        self._tree = GoApv(native_root(state), captured, settings, parts.rollout, parts.tree_policy)
        self._tree.answer(*self._ask()())

    def run(self, simulations: int, stop: Stop | None = None) -> int:
        """Runs simulations as the reference does; returns how many."""
        tree, lag = self._tree, self._config.lag
        done = 0
        with ThreadPoolExecutor(1, "networks") as thread:
            under_way: Future[Any] | None = None
            while done < simulations:
                count = min(self._config.batch, simulations - done)
                tree.group(count)
                if tree.waiting_groups > lag:
                    tree.answer(*(self._ask()() if under_way is None else under_way.result()))
                    # What waits longest is asked while the next group runs; nothing of it can change any more.
                    under_way = thread.submit(self._ask()) if lag else None
                done += count
                if stop is not None and stop():
                    break
            while tree.waiting_groups:
                tree.answer(*(self._ask()() if under_way is None else under_way.result()))
                under_way = None
        return done

    def _ask(self) -> Callable[[], tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Returns what asks the networks what the oldest group wants to know; its positions are encoded now."""
        parts, tree = self._parts, self._tree
        policies: Batch | Positions
        policies = Batch(*tree.policy_questions(parts.planes)) if parts.planes else tree.policy_positions()
        values = None if parts.value is None or self._config.mixing == 1 else Batch(*tree.value_questions(49))

        def ask() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            priors, judged = _NOTHING, _NOTHING
            if len(policies) and isinstance(policies, Batch) and parts.policy is not None:
                priors = parts.policy(policies)
            elif len(policies) and not isinstance(policies, Batch) and parts.linear_policy is not None:
                priors = parts.linear_policy(policies)
            if values is not None and len(values) and parts.value is not None:
                judged = parts.value(values)
            return np.ascontiguousarray(priors, np.float32), np.ascontiguousarray(judged, np.float32)

        return ask

    @property
    def rows(self) -> list[tuple[int, int, float, float, int, float, float]]:
        """(move, Nr, Wr, P, Nv, Wv, Q) of the moves of the root."""
        return self._tree.rows()


def compiled_apv(
    state: AnyState,
    captured: list[int],
    parts: CompiledParts,
    config: ApvConfig | None = None,
    stop: Stop | None = None,
    threads: int = 1,
) -> SearchResult[Any]:
    """Searches a position of Go, which is not over, as `philidor.search.apv.apv` does."""
    config = config or ApvConfig()
    began = time.perf_counter()
    search = CompiledApv(state, captured, parts, config, threads)
    simulations = search.run(config.simulations, stop)
    rows = [(move, count, prior, mean) for move, count, _, prior, _, _, mean in search.rows]
    return searched(state, rows, simulations, time.perf_counter() - began)
