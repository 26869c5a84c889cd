"""AlphaGo's linear policies as evaluators: priors of the legal moves, and no opinion of who wins (book, ch. 4.1.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, final

from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluation, Wdl, check_states
from philidor.core.game import FIRST
from philidor.core.random import SplitMix64
from philidor.evaluators.patterns.native import (
    PatternRollouts,
    compile_patterns,
    compile_rollouts,
    pattern_chances,
    run_rollouts,
    with_pass,
)
from philidor.games.go import GoState
from philidor.nets.patterns import PatternNet, load_patterns

_EVEN = Wdl(0.5, 0.0, 0.5)


@final
class PatternEvaluator:
    """A rollout policy or tree policy that is ready to judge."""

    def __init__(self, net: PatternNet) -> None:
        self.net = net
        self.compiled = compile_patterns(net)

    @cached_property
    def rollouts(self) -> PatternRollouts:
        """What plays games out by this policy. Raises ConfigError for a tree policy."""
        return compile_rollouts(self.compiled)

    def check_plays_out(self) -> None:
        """Raises ConfigError for a tree policy: it has features that a rollout does not keep."""
        _ = self.rollouts

    @classmethod
    def load(cls, path: str | Path) -> PatternEvaluator:
        """Reads a policy's file. Raises NetError."""
        return cls(load_patterns(path))

    def evaluate(self, states: Sequence[GoState], /) -> list[Evaluation[Any]]:
        """Judges positions of Go on any board. Raises ConfigError for another game."""
        check_states(states)
        for state in states:
            if not isinstance(state, GoState):
                raise ConfigError(f"linear policies judge Go, got a {type(state).__name__}")
        return [self._judge(state) for state in states]

    def play_out(self, state: GoState, random: SplitMix64) -> float:
        """Plays one game from a position to its end; returns the result in the mover's view, from -1 to 1."""
        _, black, white = run_rollouts(self.rollouts, state, count=1, seed=random.next())
        return float(black - white if state.to_move == FIRST else white - black)

    def _judge(self, state: GoState) -> Evaluation[Any]:
        moves, priors = state.legal_moves(), with_pass(pattern_chances(self.compiled, state))
        return Evaluation(moves, priors, _EVEN, move_text=state.move_text)
