"""The sparring partner errs as its rating says, never more than its guard allows, and still mates."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.errors import ConfigError
from philidor.core.random import SplitMix64
from philidor.core.thinking import Limits, Report, Stop
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.players import load_engine
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.players.sparring import (
    HIGHEST_ELO,
    LOWEST_ELO,
    SparringConfig,
    SparringPlayer,
    choose_line,
    draw_handicap,
    knobs_for,
)

ELOS = range(LOWEST_ELO, HIGHEST_ELO + 1, 200)
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
QUEEN_HANGS = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


def lines(*centipawns: int) -> list[Line]:
    return [Line((f"a{i}",), Score(cp=cp)) for i, cp in enumerate(centipawns, start=1)]


def test_more_rating_means_more_search_and_less_handicap() -> None:
    for low, high in itertools.pairwise(knobs_for(elo) for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, 25)):
        assert low.nodes <= high.nodes
        assert low.handicap > high.handicap
        assert low.guard > high.guard > high.handicap


@pytest.mark.parametrize("elo", ELOS)
def test_the_handicap_varies_and_the_guard_holds(elo: int) -> None:
    knobs, rng = knobs_for(elo), SplitMix64(elo)
    drawn = [draw_handicap(knobs, rng) for _ in range(2000)]
    assert max(drawn) <= knobs.guard
    assert 0.7 * knobs.handicap < sum(drawn) / len(drawn) < 1.1 * knobs.handicap
    # Most moves are better than the average one, as with people.
    assert sum(handicap < knobs.handicap for handicap in drawn) > 0.55 * len(drawn)


def test_the_move_is_played_that_loses_most_nearly_as_much() -> None:
    ladder = lines(50, 40, 10, -60, -400)
    for handicap, number in ((0, 1), (4, 1), (6, 2), (30, 3), (80, 4), (300, 4)):
        assert choose_line(ladder, handicap, guard=300).moves == (f"a{number}",)
    assert choose_line(ladder, 400, guard=500).moves == ("a5",)


@pytest.mark.parametrize("elo", ELOS)
def test_where_only_one_move_is_sane_it_is_played(elo: int) -> None:
    knobs = knobs_for(elo)
    for seed in range(50):
        handicap = draw_handicap(knobs, SplitMix64(seed))
        assert choose_line(lines(0, -round(knobs.guard) - 1, -900), handicap, knobs.guard).moves == ("a1",)
        mate = [Line(("a1",), Score(mate=2)), Line(("a2",), Score(cp=600))]
        assert choose_line(mate, handicap, knobs.guard).moves == ("a1",)


@pytest.mark.parametrize("elo", ELOS)
def test_nobody_overlooks_a_mate_in_one_or_a_free_queen(elo: int) -> None:
    for seed in range(10):
        player = SparringPlayer(SparringConfig(elo=elo, seed=seed))
        for fen, right in ((MATE_IN_ONE, "a1a8"), (QUEEN_HANGS, "f3h4")):
            position = Position(fen)
            assert player.choose(position) == right, (fen, seed)


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    def game(seed: int) -> list[str]:
        player, position, moves = SparringPlayer(SparringConfig(seed=seed)), Position(), []
        for _ in range(12):
            moves.append(player.choose(position))
            position = position.play(moves[-1])
        return moves

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(6)}) == 6


def test_a_move_does_not_depend_on_those_before() -> None:
    after = Position().play("e4").play("e5")
    fresh, used = SparringPlayer(), SparringPlayer()
    used.choose(Position())
    assert fresh.choose(after) == used.choose(after)


def test_the_rating_can_be_asked_for_in_one_call() -> None:
    assert load_engine("sparring", elo=1700).config == SparringConfig(elo=1700)
    analysis = load_engine("sparring").analyse(Position(MATE_IN_ONE), elo=800)
    assert analysis.best == "a1a8"
    for elo in (LOWEST_ELO - 1, HIGHEST_ELO + 1):
        with pytest.raises(ConfigError, match="800 to 2400"):
            load_engine("sparring", elo=elo)
    with pytest.raises(ConfigError, match="plays chess"):
        load_engine("sparring").choose(load_game("tictactoe").state())


@pytest.mark.parametrize("fen", ["8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"])
@pytest.mark.parametrize("elo", range(LOWEST_ELO, HIGHEST_ELO + 1, 200))
def test_a_rook_or_queen_is_enough_to_mate(elo: int, fen: str) -> None:
    attacker, defender = SparringPlayer(SparringConfig(elo=elo)), ClassicPlayer(ClassicConfig(nodes=5_000))
    position = Position(fen)
    while not position.is_over():
        player = attacker if position.turn else defender
        position = position.play(player.choose(position))
    assert position.is_checkmate(), position.fen()
    assert position.fullmove_number <= 50


def test_words_on_where_the_search_is_are_no_lines_to_choose_from(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = SparringPlayer(SparringConfig(elo=1500)).think(Position()).best
    told = ClassicPlayer.think

    def chatty(player: ClassicPlayer, state: Position, limits: Limits, stop: Stop | None, report: Report) -> Analysis:
        def interrupted(analysis: Analysis) -> None:
            report(analysis)
            report(replace(analysis, new_lines=(), current_move="a2a3", current_move_number=1))

        return told(player, state, limits, stop, interrupted)

    monkeypatch.setattr(ClassicPlayer, "think", chatty)
    assert SparringPlayer(SparringConfig(elo=1500)).think(Position()).best == expected
