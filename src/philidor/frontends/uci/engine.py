"""A conversation's engine: what is asked in UCI's terms, answered by one of our players."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

import philidor
from philidor.core.analysis import Analysis
from philidor.core.config import Dataclass, Setting, settings, unknown_name
from philidor.core.errors import ConfigError, IllegalMoveError, PhilidorError, one_line
from philidor.core.options import set_uci_option, uci_options
from philidor.core.thinking import Limits, Signal, Stop, answer_in_time
from philidor.frontends.uci.options import UciConfig
from philidor.frontends.uci.resources import Resources, with_verdict
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Verdict
from philidor.players import ENGINES, Player, player_class, rating_setting
from philidor.players.bench import bench_lines
from philidor.players.chess_player import ExplainingPlayer
from philidor.players.engine import EngineConfig
from philidor.protocols.uci import Go, Info, PositionCommand, format_best, format_info, infos_of, limits_of, shortened

if TYPE_CHECKING:
    from philidor.players.sparring import SparringPlayer

Say: TypeAlias = Callable[[str], None]
"""Is told one line after the other."""
Job: TypeAlias = Callable[[Say], None]
"""What is to be done, in whatever thread."""

_CLEAR_HASH = "Clear Hash"
_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, slots=True)
class _Question:
    """What a player is asked, and how to end it."""

    player: Player
    position: Position
    limits: Limits
    stop: Signal
    verdict: Verdict | None
    """What the endgame tables say."""


class UciEngine:
    """All that a GUI can ask for. Its methods do not overlap; its jobs run meanwhile, one at a time."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        """`options` are set as by `set_option`. Raises ConfigError, NetError.

        The default engine is made when it is first needed, by `wake`: to introduce itself it need not read its network.
        """
        self._config = UciConfig()
        self._configs: dict[str, Dataclass] = {name: player_class(name).config_class() for name in ENGINES}
        self._players: dict[str, ExplainingPlayer] = {}
        self._troubles: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        """By option in lower case: the default that the GUI was told."""
        self._offered = dict(self._configs)
        """The settings in force when it was told."""
        self._resources = Resources()
        self._position = Position()
        for name, value in (options or {}).items():
            self.set_option(name, value)
        self._sparring: SparringPlayer | None = None
        self._seed = int.from_bytes(os.urandom(4))
        self._stop, self._ponder_hit = Signal(), Signal()

    @property
    def _player(self) -> ExplainingPlayer:
        """The chosen engine at full strength. Raises ConfigError if it cannot play."""
        if self._config.engine in self._troubles:
            raise ConfigError(self.refusal)
        return self._load(self._config.engine)

    @property
    def refusal(self) -> str:
        """Why the chosen engine does not play: its network cannot be read, and another's play would pass for its own.

        Empty if it does.
        """
        engine = self._config.engine
        trouble = self._troubles.get(engine)
        return f"ERROR: {trouble}; the engine {engine} does not play until this is set right" if trouble else ""

    def wake(self) -> None:
        """Makes the chosen engine, unless that has been done or has failed. Raises ConfigError, NetError."""
        if self._config.engine not in self._troubles:
            self._load(self._config.engine)

    def _load(self, name: str) -> ExplainingPlayer:
        """Returns an engine, made when it is first needed. Raises ConfigError, NetError."""
        if name not in self._players:
            with self._noting_trouble(name):
                self._players[name] = cast(ExplainingPlayer, player_class(name)(self._configs[name]))
        return self._players[name]

    @contextlib.contextmanager
    def _noting_trouble(self, engine: str) -> Iterator[None]:
        """Remembers for `refusal` what goes wrong, or that nothing does."""
        try:
            yield
        except PhilidorError as error:
            self._troubles[engine] = str(error)
            raise
        self._troubles.pop(engine, None)

    def introduction(self) -> list[str]:
        """Returns the answer to "uci"; the options of all engines are there from the start, as GUIs ask once."""
        # An option of several engines is shown once, as the chosen one has it.
        chosen = self._configs[self._config.engine]
        own = [line for config in (chosen, *self._configs.values()) for line in uci_options(config)]
        lines = [*own, f"option name {_CLEAR_HASH} type button", *uci_options(self._config)]
        by_name = {line.partition(" type ")[0]: line for line in reversed(lines)}
        self._shown = {name.removeprefix("option name ").lower(): _default_in(line) for name, line in by_name.items()}
        return [
            f"id name philidor {philidor.__version__}",
            "id author the philidor authors",
            *dict.fromkeys(by_name[line.partition(" type ")[0]] for line in lines),
        ]

    def set_option(self, name: str, value: str) -> None:
        """Changes a setting; nothing changes when it does not fit. Raises ConfigError, NetError.

        But an engine whose network does not fit is chosen, and refuses to play.
        """
        if name.lower() == _CLEAR_HASH.lower():
            self.new_game()
        elif name.lower() in _option_names(self._config):
            config = set_uci_option(self._config, name, value)
            self._resources.adopt(self._config, config)
            if config.syzygy_path != self._config.syzygy_path:
                self._use_tables(self._resources.folders)
            has_changed, self._config = config.engine != self._config.engine, config
            if has_changed:
                self._load(config.engine)
            if has_changed and self.refusal:
                raise ConfigError(self._troubles[config.engine])
        else:
            self._set_engine_option(name, value)

    def _use_tables(self, folders: tuple[str, ...]) -> None:
        """Lets every engine that can ask endgame tables during its search ask these."""
        for engine, config in self._configs.items():
            if isinstance(config, EngineConfig):
                self._configs[engine] = dataclasses.replace(config, syzygy=folders)
                if engine in self._players:
                    self._players[engine].config = self._configs[engine]

    def _set_engine_option(self, name: str, value: str) -> None:
        """Sets an option in every engine that has it: another one may be chosen later."""
        having = [engine for engine, config in self._configs.items() if name.lower() in _option_names(config)]
        if not having:
            known = {option: None for config in (self._config, *self._configs.values()) for option in _names(config)}
            raise unknown_name("option", name, name, [*known, _CLEAR_HASH])
        # Some GUIs send every option back as it was shown: then each engine is to have its own default again.
        is_default = value.strip() == self._shown.get(name.lower()) and self._config.engine not in having
        for engine in having:
            config = set_uci_option(self._configs[engine], name, value)
            if is_default:
                config = _with_option_of(config, self._offered[engine], name)
            is_network = name.lower() == _network_option(config)
            if engine == self._config.engine and not is_network:
                self.wake()  # only an engine can tell whether the option fits
            if engine in self._players:
                with self._noting_trouble(engine) if is_network else contextlib.nullcontext():
                    self._players[engine].config = config
            self._configs[engine] = config
            if engine == self._config.engine and (is_network or engine in self._troubles):
                self._load(engine)

    def new_game(self) -> None:
        """Forgets what was learned in the last game, and makes other choices in the next where there are some."""
        if self._config.engine in self._players:
            self._players[self._config.engine].new_game()
        self._seed = int.from_bytes(os.urandom(4))

    def log(self, direction: str, text: str) -> None:
        """Writes to the log what was said ("<<") or heard (">>")."""
        self._resources.log(direction, text)

    def close(self) -> None:
        """Closes all files."""
        self._resources.close()

    def set_position(self, command: PositionCommand) -> None:
        """Sets up a position, all of it or nothing. Raises IllegalMoveError, FenError."""
        position = Position(command.fen, chess960=True if self._config.chess960 else None)
        for number, text in enumerate(command.moves, start=1):
            try:
                position = position.play(position.parse_uci(text))
            except IllegalMoveError as error:
                raise IllegalMoveError(f"position: move {number}: {error}") from None
        self._position = position

    def start(self, go: Go, began: float | None = None) -> Job:
        """Takes an order that came in at `began`; returns what carries it out, the best move last."""
        self._stop, self._ponder_hit = Signal(), Signal()
        position, is_game = self._position, not (go.is_endless or go.ponder)
        # Full strength is what analysis is for; who plays at ratings has none, and analyses as it plays.
        is_limited = not go.is_endless or self._own_rating is not None
        elo = self._config.limited_elo if is_limited else None
        if self.refusal and (elo is None or self._own_rating is not None):
            return saying([f"info string {self.refusal}", format_best(None)])
        wrong = [text for text in go.searchmoves if not _is_legal(position, text)]
        if wrong:
            # What is no move is left out, and if nothing is left all moves are searched, as Stockfish does.
            go = dataclasses.replace(go, searchmoves=tuple(text for text in go.searchmoves if text not in wrong))
            problem = f"info string go: searchmoves: no legal move {wrong[0][:40]!r} in {position.fen()!r}"
            return saying([problem], self.start(shortened(go), began))
        if is_game and self._config.own_book and not go.searchmoves and (move := self._resources.book_move(position)):
            return saying([format_best(move)])
        verdict = None if go.searchmoves else self._resources.verdict(position)
        if verdict is not None:
            go = dataclasses.replace(go, searchmoves=verdict.moves)
        player = self._player_at(elo)
        limits = limits_of(go, began=began, ponder_hit=self._ponder_hit)
        question = _Question(player, position, limits, self._stop, verdict)
        return lambda say: self._answer(question, say)

    def _answer(self, question: _Question, say: Say) -> None:
        """Lets a player think; whatever happens to it, there is a move."""
        position, limits = question.position, question.limits

        def report(analysis: Analysis) -> None:
            for info in infos_of(analysis):
                say(self._line(info, question.verdict))

        try:
            found = question.player.think(position, limits, question.stop, report)
        except Exception as error:
            say(broken_off(error))
            found = Analysis(best=next(iter([*limits.moves, *map(position.uci, position.legal_moves())]), None))
        answer_in_time(limits, question.stop)
        say(format_best(found.best, found.ponder))

    def any_move(self) -> str:
        """Returns an answer to "go" for when everything else has failed."""
        return format_best(next((self._position.uci(move) for move in self._position.legal_moves()), None))

    @property
    def _own_rating(self) -> Setting | None:
        """The setting of the chosen engine's rating, if it plays at ratings."""
        return rating_setting(type(self._configs[self._config.engine]))

    def _player_at(self, elo: int | None) -> Player:
        """Returns who plays at a rating: the chosen engine if it does so by itself, or else a sparring partner."""
        rating = self._own_rating
        if rating is None:
            return self._player if elo is None else self._partner(elo)
        player, changes = self._player, {"seed": self._seed}
        if elo is not None:
            changes[rating.name] = _within(rating, elo)
        player.config = dataclasses.replace(self._configs[self._config.engine], **changes)
        return player

    def _partner(self, elo: int) -> Player:
        """Returns the player of limited strength; it is made once, as that takes more time than a short search."""
        from philidor.players.sparring import SparringConfig, SparringPlayer

        rating = rating_setting(SparringConfig)
        assert rating is not None
        config = SparringConfig(elo=_within(rating, elo), seed=self._seed)
        if self._sparring is None:
            self._sparring = SparringPlayer(config)
        self._sparring.config = config
        return self._sparring

    def _line(self, info: Info, verdict: Verdict | None) -> str:
        """Writes a line, without what nobody has asked for."""
        shown = info if verdict is None or info.score is None else with_verdict(info, verdict)
        return format_info(
            dataclasses.replace(
                shown,
                wdl=shown.wdl if self._config.show_wdl else None,
                moves_left=shown.moves_left if self._config.show_moves_left else None,
            )
        )

    def stop(self) -> None:
        """Ends what is under way; a search's best move comes as its last line."""
        self._stop.give()

    def ponder_hit(self, at: float | None = None) -> None:
        """Turns pondering into an ordinary search, whose clock was started at that time."""
        self._ponder_hit.give(at)

    def perft(self, depth: int) -> Iterator[str]:
        """Returns each move's count and their sum, as Stockfish prints them; the lines come as they are counted."""
        self._stop = Signal()
        return self._perft_lines(self._position, depth, self._stop)

    def _perft_lines(self, position: Position, depth: int, stop: Stop) -> Iterator[str]:
        total = 0
        for move in position.legal_moves():
            count = _count(position.play(move), depth - 1, stop)
            if stop():
                yield "info string perft was stopped"
                return
            total += count
            yield f"{position.uci(move)}: {count}"
        yield f"\nNodes searched: {total}"

    def describe(self) -> str:
        """Draws the position."""
        position = self._position
        return f"{position}\n\nFen: {position.fen()}\nKey: {position.key:016X}"

    def explain(self) -> str:
        """Returns how the engine judges the position without search."""
        return self._player.explain(self._position)

    def flip(self) -> None:
        """Turns the board: the same position with colors changed. Raises FenError when that is no position."""
        fields = self._position.fen().split()
        board = "/".join(reversed(fields[0].split("/"))).swapcase()
        castling = fields[2] if fields[2] == "-" else "".join(sorted(fields[2].swapcase()))
        en_passant = fields[3] if fields[3] == "-" else fields[3][0] + {"3": "6", "6": "3"}[fields[3][1]]
        turn = "b" if fields[1] == "w" else "w"
        self._position = Position(" ".join([board, turn, castling, en_passant, *fields[4:]]))

    def bench(self, depth: int | None) -> Iterator[str]:
        """Searches the fixed positions with this engine's settings."""
        self._stop = Signal()
        return bench_lines(self._player, None if depth is None else min(max(depth, 1), 100), self._stop)


def saying(lines: Iterable[str], then: Job | None = None) -> Job:
    """Returns a job that says lines, as they come, and then does another."""

    def job(say: Say) -> None:
        for line in lines:
            say(line)
        if then is not None:
            then(say)

    return job


def broken_off(error: Exception) -> str:
    """Writes for the GUI why there is no search; what nobody has foreseen is logged in full."""
    if not isinstance(error, PhilidorError):
        _log.error("the search broke off", exc_info=error)
    return "info string " + one_line(f"the search broke off: {error}")


def _count(position: Position, depth: int, stop: Stop) -> int:
    """Counts in pieces of a few milliseconds, as the compiled core does not listen meanwhile."""
    if depth <= 5:
        return position.perft(depth)
    return sum(0 if stop() else _count(position.play(move), depth - 1, stop) for move in position.legal_moves())


def _names(config: Dataclass) -> list[str]:
    return [setting.uci_name for setting in settings(type(config)) if setting.uci_name is not None]


def _with_option_of(config: Dataclass, other: Dataclass, name: str) -> Dataclass:
    """Returns a config with an option as another one of its kind has it."""
    (field,) = (each.name for each in settings(type(config)) if (each.uci_name or "").lower() == name.lower())
    return dataclasses.replace(config, **{field: getattr(other, field)})


def _default_in(line: str) -> str:
    """Returns the default that an "option name ..." line shows, as a GUI would send it back."""
    shown = line.partition(" default ")[2]
    return shown.partition(" min ")[0].partition(" var ")[0]


def _network_option(config: Dataclass) -> str | None:
    """The option that names the network, in lower case."""
    names = (setting.uci_name for setting in settings(type(config)) if setting.name == "net" and setting.uci_name)
    return next((name.lower() for name in names), None)


def _within(rating: Setting, elo: int) -> int:
    """Returns the nearest rating that a player has."""
    assert rating.minimum is not None
    assert rating.maximum is not None
    return int(min(max(elo, rating.minimum), rating.maximum))


def _is_legal(position: Position, text: str) -> bool:
    try:
        position.parse_uci(text)
    except IllegalMoveError:
        return False
    return True


def _option_names(config: Dataclass) -> set[str]:
    """The options of a config in lower case: UCI does not distinguish case."""
    return {name.lower() for name in _names(config)}
