"""`philidor search`: the book's algorithms on any game, with their counters and their trees (ch. 3)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson
from philidor.cli.options import checked_settings, with_settings
from philidor.search import NETWORK_SEARCHES, SEARCHES, config_class, load_network_search, load_search

if TYPE_CHECKING:
    from philidor.core.config import Dataclass
    from philidor.core.game import AnyGame, AnyState
    from philidor.evaluators.network import NetEvaluator
    from philidor.search.limits import Limits
    from philidor.search.result import SearchResult

app = typer.Typer(add_completion=False)

_EVERYONE = "all"
_JUDGING = ("minimax", "alphabeta")
"""The searches that ask a heuristic."""


def _configs() -> dict[str, type[Dataclass]]:
    from philidor.search.limits import LimitConfig

    plain = {name: config_class(load_search(name)) for name in SEARCHES}
    guided = {name: config_class(load_network_search(name)) for name in NETWORK_SEARCHES}
    return {**plain, **guided, _EVERYONE: LimitConfig}


@app.command()
@with_settings(_configs())
def search(
    context: typer.Context,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help=f"One of {', '.join([*SEARCHES, *NETWORK_SEARCHES])}.")
    ] = "alphabeta",
    game: Annotated[str, typer.Option(help="The game: a name, a size ('hexapawn-4x4') or 'file.py:Class'.")] = "chess",
    fen: Annotated[str | None, typer.Option("--fen", "--state", help="The position.")] = None,
    moves: Annotated[str | None, typer.Option(help="Moves to play first, such as 'e4 e5 Nf3'.")] = None,
    heuristic: Annotated[str | None, typer.Option(help="Judge of positions: book, none or 'module:function'.")] = None,
    net: Annotated[
        str | None, typer.Option(help="The network that guides puct or gumbel: a file or a shipped one's name.")
    ] = None,
    trace: Annotated[Path | None, typer.Option(help="Write the searched tree to this JSON file.")] = None,
    tree: Annotated[int, typer.Option(min=0, help="Plies of the searched tree to draw.")] = 0,
    as_json: AsJson = False,
    *,
    given: dict[str, Any],
) -> None:
    """Searches a position of any game and shows what was found and what it cost."""
    from philidor.cli.arguments import check_writable, own_game, refuse_ignored, state_after
    from philidor.core.errors import ConfigError
    from philidor.games import load_game

    if trace is not None:
        check_writable(trace)
    # The player of this name is called after what it is, the function after what it does.
    algorithm = "solve" if algorithm == "solver" else algorithm
    if algorithm not in _JUDGING:
        refuse_ignored(context, ["heuristic"], f"{algorithm} judges no positions by a heuristic")
    if algorithm not in NETWORK_SEARCHES:
        refuse_ignored(context, ["net"], f"{algorithm} asks no network")
    else:
        refuse_ignored(context, ["tree", "trace"], f"{algorithm} keeps no trace")
    if as_json:
        refuse_ignored(context, ["tree"], "a tree is drawn for people; --trace FILE writes it as JSON")
    played = load_game(game)
    state = state_after(played, fen, moves)
    if (outcome := state.outcome()) is not None:
        raise ConfigError(f"there is nothing to search: the game is over ({outcome.reason})")
    if algorithm in NETWORK_SEARCHES:
        result = _run_guided(algorithm, state, _guide(algorithm, net, played, own_game(game)), given)
    else:
        result = _run(algorithm, state, heuristic, given, wants_tree=bool(trace or tree))
    if trace is not None:
        from philidor.core.runs import write_atomic

        assert result.tree is not None
        write_atomic(trace, result.tree.to_json())
    if as_json:
        head = {"algorithm": algorithm, "game": played.name, "state": state.text()}
        print(json.dumps({**head, **result.analysis.to_dict()}))
    else:
        from philidor.cli.report import show_result

        show_result(state, result, tree)
        if trace is not None:
            print(f"The tree is in {trace}.")


def _run(
    algorithm: str, state: AnyState, heuristic: str | None, given: dict[str, Any], *, wants_tree: bool
) -> SearchResult[Any]:
    """Runs the search; a spinner shows on the terminal that it still runs."""
    from rich.console import Console

    from philidor.evaluators import default_heuristic, load_heuristic
    from philidor.search.trace import TraceLimit

    function = load_search(algorithm)
    own, limits = _settings(algorithm, config_class(function), given)
    judge = default_heuristic(state) if heuristic is None else load_heuristic(heuristic)
    with Console(file=sys.stderr).status(f"{algorithm} is searching"):
        return function(
            state,
            own,
            heuristic=judge,
            limits=limits,
            trace=TraceLimit() if wants_tree else None,
        )


def _guide(algorithm: str, net: str | None, game: AnyGame, own: str | None) -> NetEvaluator:
    """Loads the network, which must be one of this game. Raises ConfigError, NetError."""
    from philidor.core.errors import ConfigError
    from philidor.evaluators.loading import load_net
    from philidor.evaluators.network import NetEvaluator

    if net is None:
        raise ConfigError(f"{algorithm} is guided by a network: --net FILE")
    # A game of the user's own is code: a network's file cannot name it, and has to be told.
    evaluator = load_net(net, game=None if own is None else game)
    if not isinstance(evaluator, NetEvaluator):
        raise ConfigError(f"{net!r} has no policy; {algorithm} needs one")
    evaluator.check_plays(game)
    return evaluator


def _run_guided(algorithm: str, state: AnyState, evaluator: NetEvaluator, given: dict[str, Any]) -> SearchResult[Any]:
    from rich.console import Console

    function = load_network_search(algorithm)
    own, limits = _settings(algorithm, config_class(function), given)
    with Console(file=sys.stderr).status(f"{algorithm} is searching"):
        return function(state, own, evaluator=evaluator, limits=limits)


def _settings(algorithm: str, config: type[Dataclass], given: dict[str, Any]) -> tuple[Any, Limits]:
    """Reads what was typed: the search's own config, and the limits that all have."""
    from philidor.core.config import from_dict, settings
    from philidor.search.limits import LimitConfig

    limit_names = {setting.name for setting in settings(LimitConfig)}
    limits = checked_settings(algorithm, LimitConfig, {n: v for n, v in given.items() if n in limit_names})
    own = checked_settings(algorithm, config, {n: v for n, v in given.items() if n not in limit_names})
    return from_dict(config, own), from_dict(LimitConfig, limits).limits
