"""Exact values of small Go boards: the literature's, and those of a search that knows no short cuts."""

from __future__ import annotations

from functools import cache

import pytest
from go_values import KNOWN, main, value_of

from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.games.go import GoState

SUICIDE = ",suicide=yes"


def start_of(size: str, options: str = "") -> GoState:
    state: GoState = load_game(f"go-{size},komi=0{options}").state()
    return state


def plain_value(start: GoState) -> int:
    """Black's points less White's by all of our rules, every past apart."""

    @cache
    def search(state: GoState, past: frozenset[str], alpha: int, beta: int) -> int:
        if state.is_over():
            score = int(state.score())
            return score if state.to_move == 0 else -score
        for move in reversed(state.legal_moves()):
            following = state.play(move)
            alpha = max(alpha, -search(following, following.past, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    value = search(start, start.past, -start.grid.size, start.grid.size)
    return value if start.to_move == 0 else -value


@pytest.mark.parametrize(
    ("size", "suicide"),
    [
        *((f"1x{n}", suicide) for n in range(1, 5) for suicide in ("", SUICIDE)),
        pytest.param("1x5", "", marks=pytest.mark.slow),
        *(pytest.param("2x2", suicide, marks=pytest.mark.slow) for suicide in ("", SUICIDE)),
    ],
)
def test_a_plain_search_by_all_rules_finds_the_known_values(size: str, suicide: str) -> None:
    assert plain_value(start_of(size, suicide)) == KNOWN[size]


@pytest.mark.parametrize(
    "size",
    [
        *(f"1x{n}" for n in range(1, 8)),
        *(f"2x{n}" for n in range(2, 5)),
        "3x3",
        *(pytest.param(size, marks=pytest.mark.slow) for size in ("1x8", "1x9", "2x5", "3x4")),
    ],
)
def test_small_boards_have_the_known_values(size: str) -> None:
    assert value_of(start_of(size))[0] == KNOWN[size]


@pytest.mark.parametrize("size", ["1x5", "2x2", "1x6"])
def test_suicide_does_not_change_these_values(size: str) -> None:
    assert value_of(start_of(size, SUICIDE))[0] == KNOWN[size]


@pytest.mark.parametrize(("opening", "value"), [("b2", 9), ("a2", 3), ("c3", -9)])
def test_openings_of_3x3_have_the_known_values(opening: str, value: int) -> None:
    assert value_of(start_of("3x3").play(opening))[0] == value


@pytest.mark.parametrize("size", ["1x4", "1x5", "2x2"])
def test_what_is_kept_of_other_pasts_is_true_of_this_one(size: str) -> None:
    seen = 0
    for seed in range(60):
        state, random = start_of(size), SplitMix64(seed)
        for _ in range(6 + random.below(10)):
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves) - (len(moves) > 1 and random.below(4) > 0))])
            if state.is_over():
                break
        if not state.is_over():
            seen += 1
            assert value_of(state)[0] == plain_value(state), (seed, state.text(), sorted(state.past))
    assert seen > 20


def test_the_command_says_what_differs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["1x3", "1x4"]) == 0
    assert "1x3   3, known    3" in capsys.readouterr().out
    monkeypatch.setitem(KNOWN, "1x3", 2)
    assert main(["1x3"]) == 1
