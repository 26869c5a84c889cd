"""Native games are the games of the readable runner, and matches of them resume, end early and refuse bad input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from philidor.arena.match import Match, MatchConfig
from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.players.classic import ClassicConfig, ClassicPlayer

ENGINES = ("classic hash=1", "classic name=other hash=1 parameters=reduction_divisor=300")


def _config(**settings: object) -> MatchConfig:
    return MatchConfig(**{"engines": ENGINES, "nodes": 400, "max_moves": 30, **settings})  # type: ignore[arg-type]


def _played(config: MatchConfig, folder: Path, games: int, seconds: float | None = None) -> Match:
    match = Match(config, folder)
    match.play(games, 2, lambda result: None, seconds)
    return match


def _moves(match: Match) -> dict[str, str]:
    """The moves and the result of each game, without what the engines thought."""
    assert match.pgn_path is not None
    games = re.split(r"(?=\[Event )", match.pgn_path.read_text())[1:]
    rounds = (re.search(r'\[Round "(.+)"\]', game) for game in games)
    texts = (re.sub(r"\{[^}]*\}", "", game.split("\n\n", 1)[1]) for game in games)
    return {found[1]: " ".join(text.split()) for found, text in zip(rounds, texts, strict=True) if found}


def test_native_games_are_those_of_the_readable_runner(tmp_path: Path) -> None:
    settings = {"resign_score": 300, "resign_moves": 2, "draw_score": 15, "draw_after": 10, "draw_moves": 2}
    native = _played(_config(native=True, **settings), tmp_path / "native", 6)
    readable = _played(_config(**settings), tmp_path / "readable", 6)
    assert len(_moves(native)) == 6
    assert _moves(native) == _moves(readable)
    assert native.standings.reasons == readable.standings.reasons


def test_equal_settings_share_every_pair(tmp_path: Path) -> None:
    match = _played(_config(engines=("classic hash=1", "classic hash=1 name=twin"), native=True), tmp_path / "run", 8)
    assert match.standings.between(0, 1).pairs.counts == (0, 0, 4, 0, 0)


def test_a_native_match_continues_where_it_was(tmp_path: Path) -> None:
    whole = _played(_config(native=True), tmp_path / "whole", 6)
    _played(_config(native=True), tmp_path / "parts", 2)
    parts = _played(_config(native=True), tmp_path / "parts", 6)
    assert _moves(parts) == _moves(whole)


def test_time_over_abandons_searches_at_once(tmp_path: Path) -> None:
    match = _played(_config(native=True, nodes=2**40), tmp_path / "run", 2, seconds=0.2)
    assert match.standings.games == 0


def test_native_games_are_adjudicated_unless_told_otherwise() -> None:
    won = ClassicPlayer(ClassicConfig(hash=1, nodes=400))
    assert won.another().analyse(Position(), nodes=400).nodes == won.analyse(Position(), nodes=400).nodes
    assert Match(_config(native=True)).rules.resign_score == 800
    assert Match(_config(native=True, resign_score=500)).rules.resign_score == 500
    assert Match(_config(native=True, adjudicate=False)).rules.resign_score is None
    assert Match(_config(adjudicate=True)).rules.draw_score == 10
    assert Match(_config()).rules.draw_score is None


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"nodes": None, "tc": "1+0.01"}, "fixed nodes or depth"),
        ({"engines": ("classic", "minimax")}, "cannot play natively"),
        ({"engines": ("classic", "classic movetime=1")}, "fixed nodes or depth"),
    ],
)
def test_what_cannot_be_native_is_refused(settings: dict[str, object], complaint: str) -> None:
    match = Match(_config(native=True, **settings))
    with pytest.raises(ConfigError, match=complaint):
        match.play(2, 1, lambda result: None)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"soft_nodes": 100}, "soft_nodes is for native games"),
        ({"native": True, "engines": ("classic", "classic", "classic")}, "between two engines, got 3"),
        ({"native": True, "game": "gomoku-9x9"}, "native games are chess"),
        ({"adjudicate": False, "draw_score": 5}, "no use for draw_score"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        _config(**settings)
