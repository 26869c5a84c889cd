"""AlphaGo's policies as a player without a search: the networks, and the linear ones (book, ch. 4.1.3 to 4.1.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.analysis import Analysis, MoveStats
from philidor.core.config import Dataclass, real, spin, text, validate
from philidor.core.errors import ConfigError, NetError, UnknownNameError
from philidor.core.game import FIRST, AnyGame, AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import Limits, Report, Stop
from philidor.games.go import Go, GoState
from philidor.games.go.board import is_eye
from philidor.nets.shipped import find_net, shipped_nets
from philidor.players.player import HasNetworks
from philidor.players.searching import SearchPlayer
from philidor.search.result import SearchResult

if TYPE_CHECKING:
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator

    Policy = NetEvaluator | PatternEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaGoPolicyConfig:
    """Knobs of the player without a search."""

    net: Path | None = field(default=None, metadata=text("WeightsFile"))
    """The policy: a network for Go, or a linear policy (.phpt); the board's own if not given, on 9x9 and 19x19."""
    temperature: float = field(default=0.0, metadata=real("Temperature", 0.0, 100.0))
    """Randomness of the choice: 0 plays the likeliest move, 1 draws moves by their probability."""
    seed: int = field(default=0, metadata=spin("Seed", 0))
    """Start of the random numbers."""

    def __post_init__(self) -> None:
        validate(self)


@final
class AlphaGoPolicyPlayer(SearchPlayer[AlphaGoPolicyConfig], HasNetworks):
    """Plays Go as a policy of AlphaGo's says, without looking ahead."""

    name: ClassVar[str] = "alphago-sl"
    config_class: ClassVar[type[Dataclass]] = AlphaGoPolicyConfig
    levels: ClassVar[tuple[Any, ...]] = (AlphaGoPolicyConfig(),)
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = frozenset(("moves",))

    @classmethod
    def _default(cls) -> AlphaGoPolicyConfig:
        return AlphaGoPolicyConfig()

    def _prepare(self, config: AlphaGoPolicyConfig) -> None:
        self._loaded: dict[tuple[int, int], Policy] = {}
        self._games = 0

    def new_game(self) -> None:
        """Moves that are drawn will be others."""
        self._games += 1

    def check_plays(self, game: AnyGame, /) -> None:
        """Loads the policy for a board. Raises ConfigError, NetError."""
        self._policy_on(go_board(game, self.name), self.config)

    def search(
        self,
        state: AnyState,
        config: AlphaGoPolicyConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Asks the policy once: the likeliest sensible move, or one that is drawn. Raises ConfigError, NetError."""
        state = go_state(state, self.name)
        policy = self._policy_on((state.grid.width, state.grid.height), config)
        (judged,) = policy.evaluate([state])
        chances = dict(zip(judged.moves, judged.priors.tolist(), strict=True))
        stats = tuple(
            MoveStats(state.move_text(move), prior=chance)
            for move, chance in sorted(chances.items(), key=lambda pair: -pair[1])
        )
        allowed = [state.parse_move(move) for move in limits.moves]
        moves = allowed or sensible_moves(state)
        if not allowed and (not moves or may_end(state)):
            best = state.pass_move
        else:
            best = self._chosen(state, moves, [chances[move] for move in moves], config)
        return SearchResult(best, Analysis(best=state.move_text(best), moves=stats))

    def _chosen(self, state: GoState, moves: list[int], weights: list[float], config: AlphaGoPolicyConfig) -> int:
        if not config.temperature:
            return moves[max(range(len(moves)), key=weights.__getitem__)]
        largest = max(1e-30, *weights)
        powers = [(weight / largest) ** (1 / config.temperature) for weight in weights]
        return moves[_drawn(powers, SplitMix64(config.seed ^ state.key ^ self._games << 32))]

    def _policy_on(self, size: tuple[int, int], config: AlphaGoPolicyConfig) -> Policy:
        """Returns the policy for a size of board; networks are for one size only. Raises ConfigError, NetError."""
        if size not in self._loaded:
            self._loaded[size] = load_policy(part_of(config.net, "policy", size), Go(*size))
        return self._loaded[size]


def go_state(state: AnyState, name: str) -> GoState:
    """Returns a state of Go. Raises ConfigError for another game's."""
    if not isinstance(state, GoState):
        raise ConfigError(f"the player {name!r} plays Go, not the game of a {type(state).__name__}")
    return state


def go_board(game: AnyGame, name: str) -> tuple[int, int]:
    """Returns width and height of a board of Go. Raises ConfigError for another game."""
    if not isinstance(game, Go):
        raise ConfigError(f"the player {name!r} plays Go, not {game.name}")
    return game.grid.width, game.grid.height


def part_of(given: Path | None, part: str, size: tuple[int, int]) -> Path:
    """Returns the file of a network: the one that was named, or else the shipped one for the board.

    Raises ConfigError where there is none.
    """
    if given is not None:
        return find_net(given)
    board = "{}x{}".format(*size)
    try:
        return find_net(f"alphago-{board}-{part}")
    except UnknownNameError:
        kind = f"{part} network" if part in ("policy", "value") else f"{part} policy"
        names = (name.split("-") for name in sorted(shipped_nets()))
        others = [words[1] for words in names if words[0] == "alphago" and words[2:] == [part]]
        known = f", only for {' and '.join(others)}" if others else ""
        raise ConfigError(f"no {kind} for a board of {board} comes with philidor{known}: name a file") from None


def load_policy(path: Path, game: Go) -> Policy:
    """Loads a policy for a board: a network of its size, or a linear policy. Raises NetError."""
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.nets.patterns import is_patterns

    if is_patterns(path):
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
