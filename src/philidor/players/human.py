"""A player who plays like people of a chosen rating: moves are drawn from a network's policy (book, ch. 4.8).

The network has learned from games what people of each rating play, good or bad, but not what they calculate. So the
likely moves are looked at for a moment, and what a move loses makes it as unlikely as it does for people of the rating
(human_sight.py). docs/human.md has the scale, and what in it is estimated.
"""

from __future__ import annotations

import dataclasses
import time
from itertools import islice
from typing import Any, ClassVar, final

from philidor.core.analysis import Analysis, Line, MoveStats, Score
from philidor.core.config import Dataclass
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.core.manners import Gesture
from philidor.core.random import SplitMix64
from philidor.core.thinking import ALL_LIMITS, NO_LIMITS, Limits, Report, Stop, ending
from philidor.evaluators.centipawns import centipawns
from philidor.games.chess import Position
from philidor.games.chess.phases import phase_of
from philidor.players import human_manners
from philidor.players.chess_player import chess_position
from philidor.players.endings import EndingJudge, men
from philidor.players.human_config import HumanConfig
from philidor.players.human_policy import (
    ESTIMATED_BELOW,
    HIGHEST,
    LOWEST,
    SCALE,
    WORDS,
    HumanNetwork,
    Judgment,
    words_for,
)
from philidor.players.human_sight import HABITS, Glance, considered, weighed
from philidor.players.player import RatingScale, player_text, with_limits
from philidor.players.sampling import draw, heated, normalized, top_p, undoing

# A rating is what it is by its own number of nodes; only who replaces a player's own limits, a GUI, can ask for less.
_OWN_LIMITS = frozenset(("nodes", "depth", "mate"))
# Between people half a win more than losses is worth a piece; engines' formulas would call it a pawn.
_FORMULA = "centipawn_2018"
_CACHE = 5_000


@final
class HumanPlayer:
    """Plays like a person of your own level: chooses what people of that rating choose, mistakes included."""

    name: ClassVar[str] = "human"
    config_class: ClassVar[type[Dataclass]] = HumanConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(HumanConfig(rating=rating) for rating in range(LOWEST, HIGHEST + 1, 200))
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)
    heeds: ClassVar[frozenset[str]] = ALL_LIMITS - _OWN_LIMITS
    scale: ClassVar[RatingScale] = RatingScale(SCALE, WORDS, ESTIMATED_BELOW)

    def __init__(self, config: HumanConfig | None = None, /) -> None:
        """Loads the network. Raises NetError, UnknownNameError, ConfigError."""
        self._config = HumanConfig() if config is None else config
        self.network = _load(self._config)
        """What people play."""
        self._judge_of_endings = EndingJudge()
        self._glance = Glance()
        self._games = 0
        self._has_told = False

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @property
    def config(self) -> HumanConfig:
        """The settings in force; nothing changes when new ones do not fit."""
        return self._config

    @config.setter
    def config(self, config: HumanConfig) -> None:
        if (config.net, config.threads) != (self._config.net, self._config.threads):
            self.network = _load(config)
            self._has_told = False
        self._config = config

    def policy(
        self, state: AnyState, /, rating: int | None = None, opponent_rating: int | None = None
    ) -> dict[str, float]:
        """Returns how likely a person of this rating plays each move, likeliest first: what nothing was left out of.

        Without ratings it is the player's own. An opponent whose rating is not given is an equal. Raises ConfigError.
        """
        given = {} if rating is None else {"rating": rating, "opponent_rating": 0}
        if opponent_rating is not None:
            given["opponent_rating"] = opponent_rating
        shares = self._judge(chess_position(state), with_limits(self._config, given)).shares
        return dict(sorted(shares.items(), key=lambda pair: -pair[1]))

    def choose(self, state: AnyState, /) -> str:
        """Returns a move of its rating."""
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
        """Draws a move. Its statistics have the policy for its rating as priors."""
        position, began = chess_position(state), time.perf_counter()
        if position.is_over():
            return Analysis(best=None)
        found = self._look(position)
        shares = self.choices(position, limits, stop)
        best = draw(shares, self._random(position))
        lines = tuple(dataclasses.replace(line, moves=(best,)) for line in found.lines)
        found = dataclasses.replace(found, lines=lines, time_s=time.perf_counter() - began)
        if report is not None:
            report(dataclasses.replace(found, notes=self._notes()))
        return dataclasses.replace(found, best=best)

    def _look(self, position: Position) -> Analysis:
        """Judges the position; there is no choice in it yet."""
        judged = self._judge(position, self._config)
        moves = tuple(MoveStats(move, prior=share) for move, share in judged.shares.items())
        score = Score(cp=centipawns(judged.wdl, _FORMULA))
        line = Line((), score, judged.wdl, depth=1, moves_left=judged.moves_left)
        people = {self._config.rating: judged.shares} if self.network.knows_ratings else {}
        return Analysis(
            best=None, moves=moves, wdl=judged.wdl, nodes=1, depth=1, score=score, lines=(line,), human=people
        )

    def _judge(self, position: Position, config: HumanConfig) -> Judgment:
        return self.network.judge(
            position,
            config.rating,
            _opponents(config),
            extrapolation=config.extrapolation,
        )

    def choices(self, state: AnyState, /, limits: Limits = NO_LIMITS, stop: Stop | None = None) -> dict[str, float]:
        """Returns how likely it plays each move that it would play at all."""
        position, config = chess_position(state), self._config
        is_over = ending(limits, position.to_move, stop)
        # 1. What the caller leaves of the policy, and what an ending and an opening leave of that.
        shares = self._judge(position, config).shares
        shares = _only(shares, [position.uci(position.parse_uci(move)) for move in limits.moves])
        shares = _only(shares, self._kept_endings(position, is_over))
        back = undoing(position) if position.ply < config.opening_plies else None
        if back is not None and normalized(shares).get(back, 1.0) < config.undo_share:
            shares = _only(shares, [move for move in shares if move != back])
        # 2. How variously people of this rating play, and what they see.
        habit = HABITS[phase_of(position.fen(), position.ply)]
        shares, has_level = considered(normalized(shares)), self.network.knows_ratings
        warmth = habit.temperature_at(config.rating, config.beginner_temperature) if has_level else habit.temperature
        weights = heated(shares, warmth * config.temperature)
        nodes = self._nodes(limits) if has_level and habit.weight_at(config.rating) > 0 else 0
        if nodes > 0 and len(weights) > 1:
            losses = self._glance.losses(position, list(weights), nodes, is_over)
            if losses is not None:
                weights = weighed(weights, losses, habit, config.rating, config.lapses)
        return top_p(weights, config.top_p)

    def _nodes(self, limits: Limits) -> int:
        """Returns the positions that it visits for each likely move."""
        nodes = self._config.nodes_at(self._config.rating)
        return nodes if limits.nodes is None or not limits.replace_own else min(nodes, limits.nodes)

    def _kept_endings(self, position: Position, stop: Stop | None) -> list[str]:
        """Returns the moves that throw no ending away; none for all."""
        is_taught = self._config.rating >= self._config.endgame_from or not self.network.knows_ratings
        if not is_taught or men(position) > self._config.endgame_men or position.is_over():
            return []
        return [] if stop is not None and stop() else self._judge_of_endings.sound_moves(position, stop)

    def _random(self, position: Position) -> SplitMix64:
        return SplitMix64(self._config.seed ^ position.key ^ position.ply << 32 ^ self._games << 48)

    def _notes(self) -> tuple[str, ...]:
        """Says once that a network has no ratings."""
        if self.network.knows_ratings or self._has_told:
            return ()
        self._has_told = True
        return (f"{self.network.net.name} knows no ratings: the rating chooses nothing",)

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Returns the move it would play and how likely people play each; `limits` are settings of its config."""
        config = with_limits(self._config, limits)
        if state.is_over():
            return Analysis(best=None)
        before = self._config
        self.config = config
        try:
            return self.think(state)
        finally:
            self.config = before

    def new_game(self) -> None:
        """Draws other moves in the next game."""
        self._games += 1
        self._has_told = False

    def explain(self, position: Position) -> str:
        """Returns what people of its rating are likely to play, and how they fare."""
        config, found = self._config, self._judge(position, self._config)
        who = f"{config.rating} ({words_for(config.rating)}) against {_opponents(config)}"
        moves = "  ".join(f"{move} {share:.1%}" for move, share in list(self.policy(position).items())[:8])
        win, drawn, loss = found.wdl
        return f"{who}\nWin {win:.1%}  draw {drawn:.1%}  loss {loss:.1%} (side to move)\n{moves}"

    # --- Manners ------------------------------------------------------------------------------------------------

    def gesture(self, state: AnyState, /) -> Gesture | None:
        """Returns whether it resigns or offers a draw at its turn; neither unless its config says that it does."""
        position, config = chess_position(state), self._config
        if not config.resigns or position.is_over():
            return None
        own = list(islice(position.history(), 0, 2 * config.resign_moves, 2))
        pairs = [(config.rating, _opponents(config))] * len(own)
        chances = [found.wdl for found in self.network.evaluate(own, pairs)]
        if human_manners.resigns(chances, config.resign_loss, config.resign_moves):
            return Gesture.RESIGN
        number = position.fullmove_number
        if human_manners.offers_draw(chances, config.draw_share, config.resign_moves, number):
            return Gesture.OFFER_DRAW
        return None

    def accepts_draw(self, state: AnyState, side: int, /) -> bool:
        """Says whether it takes a draw, playing `side`: by its chances against the opponent's rating."""
        position = chess_position(state)
        return human_manners.takes_draw(self._chances(position, side), position.fullmove_number)

    def _chances(self, position: Position, side: int) -> Wdl:
        own, other = self._config.rating, _opponents(self._config)
        is_turn = position.to_move == side
        wdl = self.network.evaluate([position], [(own, other) if is_turn else (other, own)])[0].wdl
        return wdl if is_turn else wdl.flipped()

    def pace_s(self, state: AnyState, analysis: Analysis, /) -> float:
        """Returns the seconds that a person would take, drawn by phase and by how plain the move is."""
        position = chess_position(state)
        shares = [stats.prior or 0.0 for stats in analysis.moves]
        # Not the numbers that draw the move: who plays fast would play otherwise.
        random = SplitMix64(self._random(position).next())
        return human_manners.seconds_for(shares, position.ply, men(position), random)


def _only(weights: dict[str, float], moves: list[str]) -> dict[str, float]:
    """Returns the weights of some moves, equal ones if none of them has any; of all moves if none of these is there."""
    kept = {move: weights[move] for move in moves if move in weights}
    if not kept:
        return weights
    return kept if any(kept.values()) else dict.fromkeys(kept, 1.0)


def _opponents(config: HumanConfig) -> int:
    return config.opponent_rating or config.rating


def _load(config: HumanConfig) -> HumanNetwork:
    from philidor.evaluators.loading import load_net
    from philidor.evaluators.network import NetEvaluator
    from philidor.nets.loading import NetFormat, net_format
    from philidor.nets.shipped import HUMAN_NET, find_own_net

    path = find_own_net("human", config.net, HUMAN_NET, "HumanFile")
    # Those without a policy have no settings either.
    has_policy = net_format(path) in (NetFormat.OWN, NetFormat.LEELA, NetFormat.ONNX)
    net = load_net(path, threads=config.threads, cache=_CACHE) if has_policy else None
    if not isinstance(net, NetEvaluator) or net.game != "chess":
        raise ConfigError(f"{str(config.net)!r} cannot tell what people play: that takes a policy of chess")
    return HumanNetwork(net)
