"""The positions that the book talks about, analysed by each of its systems side by side: one table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from philidor.book.chapter3.numbers import LEGAL, MATE_IN_ONE
from philidor.book.chapter3.positions import DEEP_BLUE, GREEK_GIFT, HANGING, human_player
from philidor.book.chapter4.games import KEY_POSITIONS, white_score
from philidor.book.items import Exhibit, Finding, Item, Table
from philidor.games.chess import Position
from philidor.players import load_engine

Look = Callable[[Position], str]
"""Says in a few words what a system plays in a position, and how it judges it."""

_NODES = 100_000
_VISITS = 200
_COLUMNS = 5
"""Positions in a table."""


def named_positions() -> dict[str, tuple[Position, str]]:
    """Returns the positions by name, each with the moves that the book finds right; empty where it does not say."""
    from philidor.arena.people.figure import HUMAN_MOVE, figure_position

    keys = {key.name: (key.position, "") for key in KEY_POSITIONS}
    return {
        "Figure 1.1, the Greek gift": (Position(GREEK_GIFT), "Bxh7+"),
        "Figure 3.1, mate in one": (Position(MATE_IN_ONE), "Qxf7#"),
        "Figure 3.5, a protected knight": (Position(HANGING), ""),
        "Figure 3.18, Légal's trap": (Position(LEGAL), "Nxe5"),
        "3.4, before 37.Be4": (Position(DEEP_BLUE), "Be4"),
        **keys,
        "Figure 4.23, one reasonable move": (figure_position(), HUMAN_MOVE),
    }


def _engine(name: str, search: dict[str, int] | None = None, **settings: Any) -> Look:
    player = load_engine(name, **settings)

    def look(position: Position) -> str:
        player.new_game()
        analysis = player.analyse(position, **(search or {}))
        assert analysis.best is not None
        return f"{position.san(analysis.best)} {white_score(position, analysis)}".removesuffix(" -")

    return look


def _person(rating: int) -> Look:
    player = human_player()

    def look(position: Position) -> str:
        shares = player.policy(position, rating=rating, opponent_rating=rating)
        likeliest = max(shares, key=shares.__getitem__)
        return f"{position.san(likeliest)} {100 * shares[likeliest]:.0f} %"

    return look


def systems(net: Path | None = None) -> dict[str, Look]:
    """Returns the book's systems in its order, each with a name for a column."""
    nodes = {"nodes": _NODES}
    looks = {
        "minimax 3": _engine("minimax", depth=3, prefers_quick_wins=True),
        "alpha-beta 4": _engine(
            "alphabeta", depth=4, order="captures-first", root_window="shared", prefers_quick_wins=True
        ),
        "UCT 5,000": _engine("uct", iterations=5_000),
        "classic": _engine("classic", nodes),
        "Giraffe": _engine("giraffe", nodes),
        "DeepChess 3": _engine("deepchess", depth=3),
        "nnue": _engine("nnue", nodes),
        "person 1500": _person(1500),
        "person 2200": _person(2200),
    }
    if net is not None:
        looks[f"{net.name.split('.')[0]} {_VISITS}"] = _engine("net", net=net, simulations=_VISITS)
    return looks


def side_by_side(net: Path | None = None) -> Exhibit:
    """Every named position, by every system."""
    looks, positions = systems(net), named_positions()
    seen = {name: [look(position) for look in looks.values()] for name, (position, _) in positions.items()}
    known = {name: move for name, (_, move) in positions.items() if move}
    found = [sum(seen[name][place].split()[0] == move for name, move in known.items()) for place in range(len(looks))]
    numbered = list(enumerate(positions, start=1))
    findings = [Finding(f"{number}: {name}", positions[name][1], positions[name][0].fen()) for number, name in numbered]
    mate = [answer.startswith("Qxf7#") for answer in seen["Figure 3.1, mate in one"]]
    ours = f"{sum(mate)} of {len(mate)}"
    findings.append(Finding("systems that find the mate in one", "all of chapter 3", ours, all(mate[:4])))
    tables = [
        _part(numbered[first : first + _COLUMNS], list(looks), seen) for first in range(0, len(numbered), _COLUMNS)
    ]
    counts = tuple((system, f"{count} of {len(known)}") for system, count in zip(looks, found, strict=True))
    tables.append(Table("The book's moves that it finds", ("system", "found"), counts))
    notes = (
        f"Scores are White's view in pawns, each by its own evaluation; {_NODES:,} positions for classic, Giraffe and "
        "nnue. UCT and DeepChess give no score in pawns; persons by how likely they play a move.",
        "--net FILE adds a network, such as Maia or Leela.",
    )
    return Exhibit(tuple(findings), notes, tables=tuple(tables))


def _part(numbered: list[tuple[int, str]], names: list[str], seen: dict[str, list[str]]) -> Table:
    """Returns the table of some positions, which a terminal has room for."""
    first, last = numbered[0][0], numbered[-1][0]
    rows = tuple((system, *(seen[name][place] for _, name in numbered)) for place, system in enumerate(names))
    return Table(f"Positions {first} to {last}", ("system", *(str(number) for number, _ in numbered)), rows)


ITEMS = (
    Item(
        name="positions",
        title="The book's positions, by each of its systems (takes a minute)",
        section="6",
        status="experiment",
        code="src/philidor/book/positions.py",
        run=side_by_side,
        takes_net=True,
    ),
)
