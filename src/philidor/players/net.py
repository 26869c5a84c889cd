"""PUCT over a network as a player: AlphaZero's and Leela's way to play (book, ch. 4.2 to 4.4), for any network file."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.config import Dataclass, check, combo, real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyGame, AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import ALL_LIMITS, NO_LIMITS, Limits, Report, Stop
from philidor.evaluators.centipawns import DEFAULT_FORMULA, FORMULAS, centipawns
from philidor.games.chess import Position
from philidor.nets.shipped import GAMES_NET, find_own_net
from philidor.players.net_search import REPORT_S, Allowance, best_places, drawn_move, grow, moves_to_come
from philidor.players.net_statistics import move_statistics
from philidor.players.player import HasNetworks, check_lines, check_state, player_text, with_limits
from philidor.search.puct import PuctConfig

if TYPE_CHECKING:
    from philidor.evaluators.network import NetEvaluator
    from philidor.search.trees.native import PuctSearch

# Positions that a tree is carried along from one move to the next; more is another game.
_LONGEST_STEP = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class NetPlayerConfig(PuctConfig):
    """Knobs of the network player; UCI names as in lc0."""

    net: Path = field(default=Path(GAMES_NET), metadata=text("WeightsFile"))
    """The network: a shipped one by its name, or a file of Leela's (.pb.gz), ONNX or our own (.safetensors)."""
    backend: Literal["auto", "compiled", "onnx", "torch"] = "auto"
    """What computes the network."""
    threads: int = field(default=1, metadata=spin("Threads", 1, 512))
    """Threads that compute the network."""
    batch: int = field(default=16, metadata=spin("MinibatchSize", 1, 1024))
    """Positions judged at a time: more are faster, fewer are better chosen."""
    cache: int = field(default=200_000, metadata=spin("NNCacheSize", 0, 100_000_000))
    """Evaluations to remember."""
    policy_temperature: float = field(default=1.359, metadata=real("PolicyTemperature", 0.01, 100.0))
    """Flattening of the network's policy: above 1 the search looks at more moves than the network would."""
    history_fill: Literal["no", "fen_only", "always"] = field(
        default="fen_only", metadata=combo("HistoryFill", ("no", "fen_only", "always"))
    )
    """What the network sees before the first known board; see `philidor.encodings.leela.HistoryFill`."""
    temperature: float = field(default=0.0, metadata=real("Temperature", 0.0, 100.0))
    """Randomness of the choice: 0 plays the best move, above that moves are drawn by their visits, or by their priors
    where there was no search."""
    temperature_moves: int = field(default=0, metadata=spin("TempDecayMoves", 0, 640))
    """Moves of the game over which the temperature falls to 0; 0 keeps the temperature."""
    memory_mb: int = field(default=2048, metadata=spin("RamLimitMb", 1, 1_048_576))
    """Memory of the tree, in MiB; a full tree grows no further."""
    score: str = field(default=DEFAULT_FORMULA, metadata=combo("ScoreType", tuple(FORMULAS)))
    """How chances become centipawns; see `philidor.evaluators.centipawns`."""
    multi_pv: int = field(default=1, metadata=spin("MultiPV", 1, 256))
    """Lines to show."""
    verbose_move_stats: bool = field(default=False, metadata=check("VerboseMoveStats"))
    """Whether UCI tells the statistics of every move, as lc0 does and Nibbler reads them."""
    move_overhead: int = field(default=10, metadata=spin("Move Overhead", 0, 5_000))
    """Milliseconds to keep in reserve for each move."""
    moves_left_clock: bool = field(default=True, metadata=check("MovesLeftClock"))
    """Whether a clock is shared out by the moves that the network expects the game to go on for."""

    def __post_init__(self) -> None:
        validate(self)


@final
class NetPlayer(HasNetworks):
    """Looks ahead where a network tells it to, by default one that learned chess from masters' and engines' games."""

    name: ClassVar[str] = "net"
    config_class: ClassVar[type[Dataclass]] = NetPlayerConfig
    levels: ClassVar[tuple[Any, ...]] = ()
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = ALL_LIMITS - {"mate"}

    def __init__(self, config: NetPlayerConfig | None = None, game: AnyGame | None = None, /) -> None:
        """Takes the config, and the game if it is one of the user's own: a network file may not name that."""
        self._config = NetPlayerConfig() if config is None else config
        self._game = game
        self._evaluator = _load(self._config, game)
        self._tree: PuctSearch | None = None
        self._games = 0

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @property
    def config(self) -> NetPlayerConfig:
        """The settings in force; nothing changes when new ones do not fit."""
        return self._config

    @config.setter
    def config(self, config: NetPlayerConfig) -> None:
        if _evaluator_settings(config) != _evaluator_settings(self._config):
            self._evaluator = _load(config, self._game)
        self._config = config
        self._tree = None

    @property
    def evaluator(self) -> NetEvaluator:
        """The network in force."""
        return self._evaluator

    def check_plays(self, game: AnyGame, /) -> None:
        """Refuses another game than the network's. Raises ConfigError."""
        self._evaluator.check_plays(game)

    def choose(self, state: AnyState, /) -> str:
        """Returns the most visited move after the config's simulations."""
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
        """Searches for the config's simulations, or fewer where the limits have no time for them.

        With `moves` the search looks at nothing else, in a tree of its own that is not kept.
        """
        allowed = [state.parse_move(text) for text in limits.moves]
        if state.is_over():
            return self._without_search(state, [state.move_text(move) for move in allowed])
        began, last = time.perf_counter() if limits.began is None else limits.began, 0.0
        limits, tree = dataclasses.replace(limits, began=began), self._tree_for(state, allowed)

        def say() -> Analysis:
            spent = time.perf_counter() - (limits.start() or began)
            analysis = self.describe(tree, spent, self._config.multi_pv)
            if report is not None:
                report(dataclasses.replace(analysis, best=None, notes=self._notes(state, tree)))
            return analysis

        for _ in self._grow(tree, limits, stop or (lambda: False)):
            if report is not None and time.perf_counter() - last >= REPORT_S:
                last = time.perf_counter()
                say()
        analysis = self.decide(state, say())
        line = next((line.moves for line in analysis.lines if line.moves[0] == analysis.best), ())
        return dataclasses.replace(analysis, ponder=line[1] if len(line) > 1 else None)

    def _grow(self, tree: PuctSearch, limits: Limits, stop: Stop) -> Iterator[None]:
        """Lets the tree grow in slices: first without limits while it ponders, then within them."""
        if (hit := limits.clock_start) is not None:
            yield from grow(tree, self._evaluator, self._config.batch, Allowance(), lambda: hit() or stop())
            if not hit():
                return  # stopped, or proven or full: it grows no further
        if not tree.visits:
            tree.run(self._evaluator, 1)  # what the network expects of the game steers the clock
        yield from grow(tree, self._evaluator, self._config.batch, self._allowance(limits, tree), stop)

    def _allowance(self, limits: Limits, tree: PuctSearch) -> Allowance:
        if limits.is_endless:
            return Allowance()
        own = None if limits.replace_own else self._config.simulations
        visits = min((number for number in (limits.nodes, own) if number is not None), default=None)
        to_come = moves_to_come(tree.moves_left if self._config.moves_left_clock else None)
        seconds, end = limits.seconds(tree.state.to_move, to_come), None
        if seconds is not None:
            end = (limits.start() or 0.0) + max(0.001, seconds - self._config.move_overhead / 1000)
        if visits is None and end is None and limits.depth is None:
            visits = self._config.simulations
        may_end_early = limits.time_left is not None and limits.time_s is None
        return Allowance(visits=visits, end=end, depth=limits.depth, may_end_early=may_end_early)

    def _notes(self, state: AnyState, tree: PuctSearch) -> tuple[str, ...]:
        """Returns the statistics of all moves, where they are asked for."""
        if not self._config.verbose_move_stats:
            return ()
        legal = [state.move_text(move) for move in state.legal_moves()]
        places = self._evaluator.encoding.encode([state]).legal(0).tolist()
        return tuple(move_statistics(tree, dict(zip(legal, places, strict=True))))

    def _without_search(self, state: AnyState, allowed: Sequence[str]) -> Analysis:
        """Answers where a rule has ended the game: a drawn position still has moves, and a GUI may want one."""
        policy = self._evaluator.evaluate([state])[0].policy
        return Analysis(best=next((move for move in policy if not allowed or move in allowed), None))

    def decide(self, state: AnyState, analysis: Analysis) -> Analysis:
        """Returns the analysis with the move to be played: the best one, or with a temperature one that is drawn."""
        temperature, fading = self._config.temperature, self._config.temperature_moves
        if fading:
            temperature *= max(0, fading - state.ply // 2) / fading
        random = SplitMix64(self._config.seed ^ state.key ^ self._games << 32)
        return dataclasses.replace(analysis, best=drawn_move(analysis, temperature, random))

    def analyse(
        self,
        state: AnyState,
        /,
        *,
        movetime: float | None = None,
        nodes: int | None = None,
        lines: int = 1,
        **settings: Any,
    ) -> Analysis:
        """Searches for `movetime` seconds or `nodes` simulations, or else for the config's; shows the best `lines`."""
        check_state(state)
        check_lines(lines)
        if state.is_over():
            return Analysis(best=None)
        before = self._config
        if settings:
            self.config = with_limits(before, settings)
        try:
            visits = nodes if nodes is not None or movetime is not None else self._config.simulations
            end = None if movetime is None else time.perf_counter() + movetime
            start, tree = time.perf_counter(), self._tree_for(state)
            for _ in grow(tree, self._evaluator, self._config.batch, Allowance(visits=visits, end=end), lambda: False):
                pass
            return self.describe(tree, time.perf_counter() - start, lines)
        finally:
            if settings:
                self.config = before

    def describe(self, tree: PuctSearch, time_s: float, lines: int = 1) -> Analysis:
        """Returns what the tree says: the best moves, each with its line, its chances and its centipawns."""
        analysis = tree.result(time_s).analysis
        best = [self._line(tree, place) for place in best_places(tree)[:lines]]
        first = best[0]
        return dataclasses.replace(
            analysis,
            best=first.moves[0],
            score=first.score,
            wdl=first.wdl,
            lines=tuple(best),
            depth=first.depth,
        )

    def _line(self, tree: PuctSearch, place: int) -> Line:
        """Describes a root move as lc0 does: by its own statistics, or the root's where it was never visited."""
        row, moves = tree.moves()[place], tree.line_after(place)
        moves_left = None if tree.moves_left is None else max(0.0, tree.moves_left - 1)
        if row.value is None or row.draw is None:
            wdl = tree.wdl or Wdl(0.0, 1.0, 0.0)
        else:
            wdl = Wdl((1 - row.draw + row.value) / 2, row.draw, (1 - row.draw - row.value) / 2)
            moves_left = row.moves_left
        score = Score(cp=centipawns(wdl, self._config.score))
        if row.proven:
            distance = (len(moves) + 1) // 2 if row.proven > 0 else len(moves) // 2
            score = Score(mate=row.proven * max(1, distance))
        return Line(moves, score, wdl, depth=len(moves), moves_left=moves_left)

    def _tree_for(self, state: AnyState, allowed: Sequence[Any] = ()) -> PuctSearch:
        """Returns a tree with this root: the last one carried along, if the game went on from there."""
        from philidor.search.trees.native import PuctSearch

        if allowed:
            self._tree = None
            return PuctSearch(state, self._config, memory_mb=self._config.memory_mb, root_moves=allowed)
        moves = None if self._tree is None else _moves_between(self._tree.state, state)
        if self._tree is None or moves is None:
            self._tree = PuctSearch(state, self._config, memory_mb=self._config.memory_mb)
            return self._tree
        for move in moves:
            self._tree.advance(move)
        return self._tree

    def new_game(self) -> None:
        """Forgets the tree; moves that are drawn will be others."""
        self._tree = None
        self._games += 1

    def explain(self, position: Position) -> str:
        """Returns the network's own judgment."""
        found = self._evaluator.evaluate([position])[0]
        moves = "  ".join(f"{move} {share:.1%}" for move, share in list(found.policy.items())[:8])
        return f"Win {found.wdl.win:.1%}  draw {found.wdl.draw:.1%}  loss {found.wdl.loss:.1%} (side to move)\n{moves}"


def _evaluator_settings(config: NetPlayerConfig) -> tuple[Any, ...]:
    names = ("net", "backend", "threads", "cache", "policy_temperature", "batch", "history_fill")
    return tuple(getattr(config, name) for name in names)


def _load(config: NetPlayerConfig, game: AnyGame | None) -> NetEvaluator:
    from philidor.evaluators.loading import load_net
    from philidor.evaluators.network import NetEvaluator

    net = load_net(
        find_own_net("net", config.net, GAMES_NET, "WeightsFile"),
        game=game,
        backend=config.backend,
        threads=config.threads,
        cache=config.cache,
        policy_temperature=config.policy_temperature,
        batch=config.batch,
        history_fill=config.history_fill,
    )
    if not isinstance(net, NetEvaluator):
        raise ConfigError(f"{str(config.net)!r} has no policy; NNUE networks are for the engine nnue")
    return net


def _moves_between(earlier: AnyState, later: AnyState) -> list[Any] | None:
    """Returns the moves that lead from one state to the other; None if the game did not go that way, or long ago."""
    if not (isinstance(earlier, Position) and isinstance(later, Position)):
        return [] if earlier is later else None
    moves: list[Any] = []
    for position, _ in zip(later.history(), range(_LONGEST_STEP), strict=False):
        if position.ply == earlier.ply:
            same = position == earlier and position.halfmove_clock == earlier.halfmove_clock
            return moves[::-1] if same else None
        moves.append(position.last_move)
    return None
