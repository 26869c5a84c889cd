"""The numbers of the native search: named, bounded and felt by the search."""

from __future__ import annotations

import pytest

import philidor
from philidor.core.errors import ConfigError
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.players.native import search_parameters


def _nodes(*parameters: str) -> int:
    player = ClassicPlayer(ClassicConfig(parameters=parameters, depth=9))
    return player.analyse(philidor.chess.Position()).nodes or 0


def test_standard_values_change_nothing() -> None:
    standard = tuple(f"{name}={value}" for name, value, *_ in search_parameters())
    assert _nodes(*standard) == _nodes()


@pytest.mark.parametrize("name", ["reverse_futility_slope", "reduction_divisor", "bonus_slope"])
def test_a_number_changes_the_search(name: str) -> None:
    high = next(high for other, _, _, high, _ in search_parameters() if other == name)
    assert _nodes(f"{name}={high}") != _nodes()


_BAD_HISTORY = "late_moves_history=-1000"


def _searches(*settings: tuple[str, ...]) -> list[int]:
    """Returns the nodes of searches that follow each other in a game."""
    player = ClassicPlayer(ClassicConfig(depth=9))
    position, found = philidor.chess.Position(), []
    for parameters in settings:
        player.config = ClassicConfig(depth=9, parameters=parameters)
        found.append(player.analyse(position).nodes or 0)
        position = position.play("e4" if position.turn else "e5")
    return found


def test_the_first_nodes_of_a_game_prune_late_moves_only_after_a_bad_history() -> None:
    careful = _searches((_BAD_HISTORY,), (_BAD_HISTORY,))
    assert _searches(("cold_nodes=1000000",), ("cold_nodes=1000000",)) == careful
    # The first search is cold to its last node, the second not at all.
    cold = (f"cold_nodes={careful[0]}",)
    mixed = _searches((_BAD_HISTORY,), ("cold_nodes=0",))
    assert _searches(cold, cold) == mixed
    assert mixed[1] != careful[1]
    assert _searches(("cold_nodes=0",), ("cold_nodes=0",))[0] != careful[0]


def test_each_game_begins_cold() -> None:
    player, start = ClassicPlayer(ClassicConfig(depth=9)), philidor.chess.Position()
    first = player.analyse(start).nodes
    player.new_game()
    assert player.analyse(start).nodes == first != _nodes("cold_nodes=0")


def test_every_number_lies_in_its_range() -> None:
    rows = search_parameters()
    assert len({name for name, *_ in rows}) == len(rows)
    assert all(low <= value <= high and meaning for _, value, low, high, meaning in rows)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no_such_number=3", "no search parameter 'no_such_number'"),
        ("probcut_margin=9999", "must be 80 to 350, got 9999"),
        ("probcut_margin=many", "expected NAME=NUMBER"),
        ("probcut_margin", "expected NAME=NUMBER"),
    ],
)
def test_wrong_numbers_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        ClassicPlayer(ClassicConfig(parameters=(text,)))
