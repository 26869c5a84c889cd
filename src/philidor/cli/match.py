"""`philidor match`: engines against each other, and what that has shown."""

from __future__ import annotations

import json
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.arena.engines import parse_engines
from philidor.arena.match import MatchConfig, MatchSettings
from philidor.cli.arguments import AsJson, Minutes, Workers, kill_interrupts, refuse_ignored
from philidor.cli.cluster import Cluster, check_cluster, workers_on
from philidor.cli.options import with_config
from philidor.core.config import from_dict, to_dict
from philidor.core.cores import cores
from philidor.core.errors import ConfigError, UnknownNameError

if TYPE_CHECKING:
    from rich.table import Table

    from philidor.arena.game import GameResult
    from philidor.arena.match import Match

app = typer.Typer(add_completion=False)

_ENGINE_HELP = (
    "An engine, given twice or more: a player of ours with settings ('classic without=null_move nodes=5000'), or the "
    "command of a UCI engine ('stockfish option.Threads=1'). name=, tc=, nodes=, depth= and movetime= are for it alone."
)


@app.command()
@with_config(MatchSettings)
def match(
    context: typer.Context,
    config: MatchSettings,
    engine: Annotated[list[str], typer.Option("--engine", "-e", help=_ENGINE_HELP, show_default=False)],
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A UCI option for every engine that has it; may be repeated."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each pairing, two for each opening.")] = 100,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Stop as soon as the SPRT accepts one of these two Elo differences.",
            show_default=False,
        ),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=ELO", help="A known rating, for the list of all engines; may be repeated."),
    ] = None,
    minutes: Minutes = None,
    concurrency: Workers = None,
    cluster: Cluster = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run folder; a match that is in it continues.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Lets engines play each other and says which is stronger, and how sure that is."""
    from philidor.arena.match import Match
    from philidor.arena.report import data_report, text_report

    if sprt is None:
        refuse_ignored(context, ["sprt_alpha", "sprt_beta", "sprt_model"], "there is no --sprt")
    if cluster is not None:
        if config.native:
            raise ConfigError("--native plays in threads of this machine, so there is nothing for a --cluster to do")
        check_cluster(cluster)
    if len(engine) == 2:
        refuse_ignored(context, ["mode"], "two engines can only meet each other")
    folder = out or Path("runs") / f"match-{datetime.now():%Y%m%d-%H%M%S}"
    given = {"engines": tuple(engine), "options": tuple(option or ()), "sprt": tuple(sprt or ())}
    chosen = from_dict(MatchConfig, {**to_dict(config), **given})
    anchors = _anchors(anchor or [], [spec.name for spec in parse_engines(engine)])
    contest = Match(chosen, folder)
    show = _Progress(contest, games, as_json=as_json)
    seconds = None if minutes is None else 60 * minutes
    try:
        if cluster is None:
            with kill_interrupts(), show:
                contest.play(games, concurrency or cores(), show.update, seconds)
        else:
            with kill_interrupts(), workers_on(cluster) as (begin_pool, there), show:
                contest.play(games, concurrency or there, show.update, seconds, begin_pool=begin_pool)
    except KeyboardInterrupt:
        _say(f"stopped after {contest.standings.games} games; the same command with --out {folder} continues")
        raise
    finally:
        if as_json:
            print(json.dumps({**data_report(contest, anchors), "games_per_second": show.speed}))
        elif contest.standings.games:
            print(text_report(contest, anchors))
    if not as_json:
        print(f"{show.played} games in {show.seconds:.1f} s ({show.speed:.2f} games/s); games and state: {folder}")


def _anchors(texts: list[str], names: list[str]) -> dict[str, float]:
    """Reads NAME=ELO; the name may hold "=" itself. Raises ConfigError, UnknownNameError."""
    anchors = {}
    for text in texts:
        name, _, rating = text.rpartition("=")
        if name not in names:
            raise UnknownNameError("engine", name, names)
        try:
            anchors[name] = float(rating)
        except ValueError:
            raise ConfigError(f"an anchor is NAME=ELO, got {text!r}") from None
        if not abs(anchors[name]) < 1e6:
            raise ConfigError(f"an anchor is NAME=ELO, got {text!r}")
    return anchors


def _say(line: str) -> None:
    print(f"philidor: {line}", file=sys.stderr)


class _Progress:
    """Shows the standings while games are played: live on a terminal, faults on stderr anywhere."""

    def __init__(self, contest: Match, games: int, *, as_json: bool) -> None:
        from rich.console import Console
        from rich.live import Live

        self._contest = contest
        self._total = 2 * ((games + 1) // 2) * len(contest.encounters)
        self._start = time.monotonic()
        self.played = 0
        """Games of this run, without those of an earlier one."""
        console = Console(stderr=True)
        is_live = console.is_terminal and not as_json
        self._live = Live(self._table(), console=console, refresh_per_second=4, transient=True) if is_live else None

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    @property
    def speed(self) -> float:
        """Games per second."""
        return self.played / self.seconds

    def update(self, result: GameResult) -> None:
        """Takes note of a game."""
        self.played += 1
        if result.fault is not None:
            loser = result.black if result.white_points == 1.0 else result.white
            name = self._contest.engines[loser].name
            line = f"game {result.number + 1}: {result.fault} by {name}: {result.detail}"
            self._live.console.print(line, markup=False) if self._live else _say(line)
        if self._live:
            self._live.update(self._table())

    def _table(self) -> Table:
        from rich.table import Table

        standings, test = self._contest.standings, self._contest.config.test
        left = self._total - standings.games
        rest = f", about {left / self.speed:.0f} s more" if self.played else ""
        title = f"{standings.games} of {self._total} games, {self.speed:.2f}/s{rest}"
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        for column in ("engine", "opponent", "+ = -", "score", "Elo", "LOS", "pairs", *(["LLR"] if test else [])):
            table.add_column(column, justify="left" if column in ("engine", "opponent") else "right")
        for a, b in self._contest.encounters:
            score = standings.between(a, b)
            pairs = score.pairs
            cells = [f"{score.wins} {score.draws} {score.losses}"]
            cells.append(f"{100 * score.points / score.games:.1f} %" if score.games else "")
            cells += [str(pairs.elo), f"{100 * pairs.likelihood_of_superiority:.1f} %"] if pairs.pairs else ["", ""]
            cells += [" ".join(map(str, pairs.counts)), *([f"{test.llr(pairs.counts):.2f}"] if test else [])]
            table.add_row(self._contest.engines[a].name, self._contest.engines[b].name, *cells)
        return table

    def __enter__(self) -> _Progress:
        self._start = time.monotonic()
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()
