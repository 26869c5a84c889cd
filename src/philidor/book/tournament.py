"""The tournament of the book: every system of it plays every other, from the same opening positions.

One table for chess, where all of the book's engines meet, and a small one for Go on 9x9, for AlphaGo and its cousins.
Effort is counted in positions, not in seconds, so a busy machine changes nothing and a game can be played again.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from philidor.arena.game import GameResult
from philidor.arena.match import Match, MatchConfig
from philidor.arena.report import ratings
from philidor.book.items import Exhibit, Item, Table
from philidor.core.errors import ConfigError
from philidor.games import known_game
from philidor.nets.describing import describe_net
from philidor.nets.shipped import GO_ZERO_NET

if TYPE_CHECKING:
    from philidor.core.game import AnyGame

GO = "go-9x9"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A system of the book, and how it takes part."""

    name: str
    """In tables and in the games' headers."""
    section: str
    """Where the book tells of it."""
    engine: str
    """As `philidor match --engine` reads it, without a name."""

    @property
    def spec(self) -> str:
        """The engine with its name."""
        return f"{self.engine} name={shlex.quote(self.name)}"


# Alpha-beta finds minimax's moves twenty times as fast (a test compares them), so it plays for minimax as well.
_ALPHABETA = "order=captures-first root_window=shared prefers_quick_wins=true variety=10"

CHESS_ENTRANTS = (
    Entrant("random", "5.3", "random"),
    Entrant("minimax, 3 plies", "3.1", f"alphabeta depth=3 {_ALPHABETA}"),
    Entrant("alpha-beta, 4 plies", "3.2", f"alphabeta depth=4 {_ALPHABETA}"),
    Entrant("UCT, 1,000 playouts", "3.5", "uct iterations=1000"),
    Entrant("classic, 5,000 positions", "3.3", "classic nodes=5000"),
    Entrant("Giraffe, 5,000 positions", "2.14", "giraffe nodes=5000"),
    Entrant("DeepChess, 2 plies", "2.14", "deepchess depth=2"),
    Entrant("nnue, 5,000 positions", "4.6", "nnue nodes=5000"),
    Entrant("games-1, 1 visit", "4.5", "net simulations=1"),
    Entrant("games-1, 100 visits", "4.5", "net simulations=100"),
    Entrant("human, rated 1500", "4.8", "human rating=1500"),
    Entrant("human, rated 2200", "4.8", "human rating=2200"),
)
"""What plays chess with the networks that ship; files that are given come after them."""

GO_ENTRANTS = (
    Entrant("random", "5.3", "random"),
    Entrant("UCT, 1,000 playouts", "3.5", "uct iterations=1000 exploration=0.5"),
    Entrant("UCT, 5,000 playouts", "3.5", "uct iterations=5000 exploration=0.5"),
    Entrant("AlphaGo's SL policy, no search", "4.1.1", "alphago-sl"),
    Entrant("AlphaGo's RL policy, no search", "4.1.2", "alphago-sl net=alphago-9x9-rl"),
    Entrant("AlphaGo, 200 simulations", "4.1.6", "alphago simulations=200"),
    Entrant("AlphaGo Zero, 1 visit", "4.2", f"net net={GO_ZERO_NET} simulations=1"),
    Entrant("AlphaGo Zero, 200 visits", "4.2", f"net net={GO_ZERO_NET} simulations=200"),
)
"""What plays Go with the networks that ship; files that are given come after them."""

_VISITS = 100
_SIMULATIONS = 200
# Effort is set for each engine; the match's own limit is for all, and may not be the usual clock, which would punish a
# busy machine.
_NO_CLOCK = 10_000_000


@dataclass(frozen=True, slots=True)
class GoFiles:
    """The files of Go's systems, by what they are."""

    policies: tuple[Path, ...] = ()
    """Networks with a policy but no value, as AlphaGo's."""
    values: tuple[Path, ...] = ()
    zeros: tuple[Path, ...] = ()
    """Networks with both, as AlphaGo Zero's."""
    rollouts: tuple[Path, ...] = ()
    trees: tuple[Path, ...] = ()


def chess_entrants(nets: Sequence[Path] = ()) -> tuple[Entrant, ...]:
    """Returns who plays chess: what ships, and each network of a file without a search and with one."""
    given = [
        Entrant(
            f"{_stem(path)}, {visits} visit{'s' * (visits > 1)}", "4.4", _engine("net", net=path, simulations=visits)
        )
        for path in nets
        for visits in (1, _VISITS)
    ]
    return (*CHESS_ENTRANTS, *given)


def go_entrants(files: GoFiles = GoFiles()) -> tuple[Entrant, ...]:  # noqa: B008 - it is frozen
    """Returns who plays Go: UCT, each policy alone, AlphaGo's search over them, and networks of AlphaGo Zero's kind."""
    linear = (*files.rollouts, *files.trees)
    alone = [
        Entrant(f"{_stem(path)}, no search", "4.1", _engine("alphago-sl", net=path))
        for path in (*linear, *files.policies)
    ]
    searching = []
    for policy in files.policies or files.trees:
        parts: dict[str, object] = {"net": policy, "simulations": _SIMULATIONS}
        if files.rollouts:
            parts |= {"rollout": files.rollouts[0], "mixing": 0.5 if files.values else 1.0}
        elif files.values:
            parts["mixing"] = 0.0
        else:
            continue  # nothing says who wins
        parts |= {"value_net": files.values[0]} if files.values else {}
        parts |= {"tree": files.trees[0]} if files.trees else {}
        name = f"AlphaGo's search, {_stem(policy)}, {_SIMULATIONS} simulations"
        searching.append(Entrant(name, "4.1.6", _engine("alphago", **parts)))
    zeros = [
        Entrant(f"{_stem(path)}, {_VISITS} visits", "4.2", _engine("net", net=path, simulations=_VISITS))
        for path in files.zeros
    ]
    return (*GO_ENTRANTS, *alone, *searching, *zeros)


def _engine(player: str, **settings: object) -> str:
    return " ".join([player, *(shlex.quote(f"{key}={value}") for key, value in settings.items())])


def _stem(path: Path) -> str:
    """Returns a file's name without its endings, for tables; a network of a training run is called as the run."""
    name = path.name.split(".")[0]
    return path.absolute().parents[1].name if path.parent.name == "checkpoints" else name


def sort_nets(nets: Iterable[Path]) -> tuple[tuple[Path, ...], GoFiles]:
    """Tells networks for chess from those for Go, and these by what they are.

    Raises NetError for a file that is no network, ConfigError for a network of a game that is not played here.
    """
    chess: list[Path] = []
    go: dict[str, list[Path]] = {}
    for path in nets:
        if (kind := _pattern_kind(path)) is not None:
            go.setdefault(f"{kind}s", []).append(path)
            continue
        facts = describe_net(path)
        game = known_game(str(facts.get("game", "chess")))
        if game.name == "chess":
            if facts["format"] in ("nnue", "dense"):
                raise ConfigError(f"{str(path)!r} judges positions only: a tournament takes it as nnue, not by --net")
            chess.append(path)
        elif _is_go(game):
            kind = (
                "values" if facts.get("policy") == "none" else "policies" if facts.get("value") == "none" else "zeros"
            )
            go.setdefault(kind, []).append(path)
        else:
            raise ConfigError(f"{str(path)!r} plays {game.name}; the tournament is of chess and {GO}")
    return tuple(chess), GoFiles(**{kind: tuple(paths) for kind, paths in go.items()})


def _pattern_kind(path: Path) -> str | None:
    """Returns which of AlphaGo's linear policies a file holds, if any. Raises NetError."""
    from philidor.nets.patterns import is_patterns, load_patterns

    return load_patterns(path).kind if is_patterns(path) else None


def _is_go(game: AnyGame) -> bool:
    return game.name.split(",")[0] == GO


class Tournament:
    """Both tables; each is a match of its own in the folder, which goes on where it was stopped."""

    def __init__(self, folder: Path, nets: Iterable[Path] = ()) -> None:
        """Opens the folder or makes it. Raises ConfigError, NetError, RunError."""
        chess_nets, go_files = sort_nets(nets)
        # A game between two weak players may go on for long: the arena calls it a draw.
        self.sections = (
            Section("Chess", "chess", chess_entrants(chess_nets), folder / "chess", max_moves=150),
            Section("Go, 9x9", GO, go_entrants(go_files), folder / GO),
        )

    def play(
        self,
        games: int,
        concurrency: int,
        on_result: Callable[[Section, GameResult], None],
        seconds: float | None = None,
    ) -> bool:
        """Plays until each two of a section have met `games` times; says whether that was reached in the time given.

        A pair of games at a time, in all sections: a tournament that is stopped early has tables of all.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        for met in range(2, games + 2, 2):
            for section in self.sections:
                if section.match.standings.games >= section.total(met):
                    continue
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                section.match.play(met, concurrency, lambda result, s=section: on_result(s, result), left)  # type: ignore[misc]
        return all(section.match.standings.games >= section.total(games) for section in self.sections)

    def exhibit(self) -> Exhibit:
        """Returns the tables of all games so far."""
        return Exhibit(tables=tuple(chain.from_iterable(section.tables() for section in self.sections)))


class Section:
    """One game's part of the tournament."""

    def __init__(
        self, title: str, game: str, entrants: Sequence[Entrant], folder: Path, max_moves: int | None = None
    ) -> None:
        self.title, self.entrants = title, tuple(entrants)
        engines = tuple(each.spec for each in entrants)
        # Clear games of chess end early, where both sides have a score; those of Go have none.
        resign_score = 1000 if game == "chess" else None
        config = MatchConfig(
            engines=engines, game=game, nodes=_NO_CLOCK, max_moves=max_moves, resign_score=resign_score, resign_moves=4
        )
        self.match = Match(config, folder)

    def total(self, games: int) -> int:
        """Returns how many games there are when each two have met `games` times."""
        return 2 * ((games + 1) // 2) * len(self.match.encounters)

    @cached_property
    def _sections(self) -> dict[str, str]:
        return {each.name: each.section for each in self.entrants}

    def tables(self) -> list[Table]:
        """Returns the rating list and what each scored against each, the best first."""
        standings = self.match.standings
        if not standings.games:
            return []
        names = [spec.name for spec in self.match.engines]
        rated = ratings(self.match)
        order = sorted(range(len(names)), key=lambda i: -rated[i].value)
        ranking, cross = [], []
        for place, i in enumerate(order, start=1):
            total = standings.total(i)
            ranking.append(
                (
                    str(place),
                    names[i],
                    self._sections.get(names[i], ""),
                    f"{rated[i].value:+.0f} ± {rated[i].error:.0f}" if isfinite(rated[i].error) else "",
                    f"{total.wins} / {total.draws} / {total.losses}",
                    f"{100 * total.points / max(total.games, 1):.0f} %",
                )
            )
            met = [standings.between(i, j) for j in order]
            cross.append((f"{place} {names[i]}", *(f"{each.points:g}" if each.games else "" for each in met)))
        games = f"{self.title}: {standings.games} games"
        return [
            Table(games, ("", "system", "section", "Elo", "won / drawn / lost", "score"), tuple(ranking)),
            Table(f"{self.title}: points", ("", *map(str, range(1, len(order) + 1))), tuple(cross)),
        ]


ITEMS = (
    Item(
        name="tournament",
        title="Every system of the book against every other (takes an hour, and resumes)",
        section="6",
        status="experiment",
        code="src/philidor/book/tournament.py",
        command="philidor book tournament",
    ),
)
