"""Choices of variants are compared with what the judges think of the positions behind them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from philidor.core.analysis import Analysis
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.games import load_game
from philidor.pipelines.alphago_choices import choice_rows, choices


@dataclass
class _Script:
    """Plays one move wherever it can, or else the first; expects what the text of a position says."""

    move: str = ""
    values: dict[str, float] = field(default_factory=dict)

    def new_game(self) -> None:
        """Remembers nothing."""

    def analyse(self, position: AnyState, /) -> Analysis:
        legal = [position.move_text(move) for move in position.legal_moves()]
        known = [value for stone, value in self.values.items() if stone not in legal]
        wdl = Wdl.from_value(known[0]) if known else Wdl.from_value(0.0)
        return Analysis(best=self.move if self.move in legal else legal[0], wdl=wdl)


def test_a_regret_is_what_the_judges_miss_in_a_move() -> None:
    # The judges see the positions behind the moves in the view of the player who answers.
    judges = [_Script(values={"e5": -0.5, "e4": 0.1}), _Script(values={"e5": -0.3, "e4": 0.3})]
    variants = {"one": _Script("e4"), "other": _Script("e5")}
    found = list(choices(load_game("go-5x5"), _Script(), variants, judges, 1))
    (choice,) = found
    assert choice.ply == 8
    assert choice.moves == {"one": "e4", "other": "e5"}
    assert choice.regrets["other"] == 0
    assert choice.regrets["one"] == pytest.approx(0.4 + 0.2)
    one, other = choice_rows(found)
    assert (one.name, one.changed, other.changed) == ("one", 0, 1)
    assert one.regret == pytest.approx(0.6)


def test_who_agrees_regrets_nothing_and_nobody_is_asked_after_a_stop() -> None:
    game, same = load_game("go-5x5"), {"one": _Script("e4"), "other": _Script("e4")}
    found = list(choices(game, _Script(), same, [], 3))
    assert [choice.ply for choice in found] == [8, 16, 24]
    assert all(not any(choice.regrets.values()) for choice in found)
    assert list(choices(game, _Script(), same, [], 3, is_stopped=lambda: True)) == []
    assert choice_rows([]) == []
