"""AlphaGo's policies as a player without a search: the networks, and the linear ones (book, ch. 4.1.3 to 4.1.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.analysis import Analysis, MoveStats
from philidor.core.config import Dataclass, real, spin, text, validate
from philidor.core.errors import ConfigError, NetError
from philidor.core.game import FIRST, AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop
from philidor.games.go import Go, GoState
from philidor.games.go.board import is_eye
from philidor.players.player import check_state, player_text, with_limits

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaGoPolicyConfig:
    """Knobs of the player without a search."""

    net: Path | None = field(default=None, metadata=text("WeightsFile"))
    """The policy: a network for Go, or a linear policy (.phpt)."""
    temperature: float = field(default=0.0, metadata=real("Temperature", 0.0, 100.0))
    """Randomness of the choice: 0 plays the likeliest move, 1 draws moves by their probability."""
    seed: int = field(default=0, metadata=spin("Seed", 0))
    """Start of the random numbers."""

    def __post_init__(self) -> None:
        validate(self)


@final
class AlphaGoPolicyPlayer:
    """Plays Go as a policy of AlphaGo's says, without looking ahead; it needs a network file."""

    name: ClassVar[str] = "alphago-sl"
    config_class: ClassVar[type[Dataclass]] = AlphaGoPolicyConfig
    levels: ClassVar[tuple[Any, ...]] = ()
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = frozenset(("moves",))

    def __init__(self, config: AlphaGoPolicyConfig | None = None, /) -> None:
        self.config = config or AlphaGoPolicyConfig()

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @property
    def config(self) -> AlphaGoPolicyConfig:
        """The settings in force; with new ones the series of random numbers begins anew."""
        return self._config

    @config.setter
    def config(self, config: AlphaGoPolicyConfig) -> None:
        if config.net is None:
            raise ConfigError("the player 'alphago-sl' needs a network: net=FILE")
        self._config = config
        self._random = SplitMix64(config.seed)
        self._loaded: dict[tuple[int, int], Evaluator[Any]] = {}

    def choose(self, state: AnyState, /) -> str:
        """Returns the likeliest sensible move, or draws one."""
        best = self.think(state).best
        assert best is not None, "the game is not over"
        return best

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Asks the policy once."""
        check_state(state)
        if not isinstance(state, GoState):
            raise ConfigError(f"the player 'alphago-sl' plays Go, not the game of a {type(state).__name__}")
        if state.is_over():
            return Analysis(best=None)
        allowed = [state.parse_move(move) for move in limits.moves]
        return self._answer(state, allowed, self._config, self._random)

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Returns the probabilities of all moves, the likeliest first."""
        check_state(state)
        config = with_limits(self._config, limits)
        if not isinstance(state, GoState) or state.is_over():
            return Analysis(best=None)
        return self._answer(state, [], config, SplitMix64(config.seed))

    def new_game(self) -> None:
        """There is nothing to forget: the series of random numbers goes on."""

    def _answer(self, state: GoState, allowed: list[int], config: AlphaGoPolicyConfig, random: SplitMix64) -> Analysis:
        (judged,) = self._evaluator(state).evaluate([state])
        chances = dict(zip(judged.moves, judged.priors.tolist(), strict=True))
        stats = tuple(
            MoveStats(state.move_text(move), prior=chance)
            for move, chance in sorted(chances.items(), key=lambda pair: -pair[1])
        )
        moves = allowed or sensible_moves(state)
        if not allowed and (not moves or may_end(state)):
            return Analysis(best=state.move_text(state.pass_move), moves=stats)
        weights = [chances[move] for move in moves]
        best = moves[max(range(len(moves)), key=weights.__getitem__)]
        if config.temperature:
            largest = max(1e-30, *weights)
            powers = [(weight / largest) ** (1 / config.temperature) for weight in weights]
            best = moves[_drawn(powers, random)]
        return Analysis(best=state.move_text(best), moves=stats)

    def _evaluator(self, state: GoState) -> Evaluator[Any]:
        """Returns the policy for a size of board; networks are for one size only. Raises NetError."""
        size = (state.grid.width, state.grid.height)
        if size not in self._loaded:
            assert self._config.net is not None
            self._loaded[size] = load_policy(self._config.net, Go(*size))
        return self._loaded[size]


def load_policy(path: Path, game: Go) -> Evaluator[Any]:
    """Loads a policy for a board: a network of its size, or a linear policy. Raises NetError."""
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.nets.magic import PATTERNS

    try:
        with path.open("rb") as file:
            start = file.read(len(PATTERNS))
    except OSError as error:
        raise NetError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    if start == PATTERNS:
        return PatternEvaluator.load(path)
    from philidor.evaluators.loading import load_net

    # Networks from SGF games name the simple ko rule; which one is in force they do not see.
    net = load_net(path, game=game)
    if not isinstance(net, NetEvaluator):
        raise NetError(f"{str(path)!r} is no policy")
    return net


def sensible_moves(state: GoState) -> list[int]:
    """Returns the legal points that fill no own eye."""
    points = state.legal_moves()[:-1]
    return [move for move in points if not is_eye(state.board, move, state.stone, state.grid)]


def may_end(state: GoState) -> bool:
    """Says whether a pass ends the game and wins it."""
    return state.passes == 1 and (state.score() if state.to_move == FIRST else -state.score()) > 0


def _drawn(weights: list[float], random: SplitMix64) -> int:
    left = random.next() / 2**64 * sum(weights)
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    return len(weights) - 1
