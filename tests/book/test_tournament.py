"""The tournament of the book: who takes part, that it resumes, and what its tables say."""

from pathlib import Path

import pytest

from philidor.arena.engines import parse_engine
from philidor.arena.openings import DEFAULT_BOOK, read_openings
from philidor.book import tournament
from philidor.book.tournament import (
    CHESS_ENTRANTS,
    GO_ENTRANTS,
    Entrant,
    GoFiles,
    Tournament,
    chess_entrants,
    go_entrants,
    sort_nets,
)
from philidor.cli import main
from philidor.core.config import to_dict
from philidor.core.errors import ConfigError, NetError
from philidor.games.chess import Position
from philidor.nets.shipped import shipped_nets
from philidor.players import load_engine

QUICK = (Entrant("random", "5.3", "random"), Entrant("one ply", "3.2", "alphabeta depth=1 variety=10"))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two entrants a game, that need no time."""
    monkeypatch.setattr(tournament, "CHESS_ENTRANTS", QUICK)
    monkeypatch.setattr(tournament, "GO_ENTRANTS", (QUICK[0], Entrant("UCT", "3.5", "uct iterations=10")))
    monkeypatch.setattr("philidor.book.tournament.Match.play", _in_this_process)


def _in_this_process(self, games, concurrency, on_result, seconds=None):  # type: ignore[no-untyped-def]
    """Plays without worker processes, whose start would take longer than the games."""
    from philidor.arena.workers import Lineup, Worker

    worker = Worker(Lineup(self.engines, self.config.limit, self.rules, {}, self.config.game), lambda: False)
    for number in range(2 * ((games + 1) // 2) * len(self.encounters)):
        if number not in self.standings.done:
            result = worker.play(self.pairing(number))
            self._keep(result)
            on_result(result)


def test_every_system_of_the_book_takes_part() -> None:
    engines = " ".join(entrant.engine for entrant in CHESS_ENTRANTS)
    for name in (
        "alphabeta depth=3",
        "alphabeta depth=4",
        "uct",
        "giraffe",
        "deepchess",
        "classic",
        "nnue",
        "human",
        "random",
    ):
        assert name in engines
    for entrant in (*CHESS_ENTRANTS, *GO_ENTRANTS):
        assert parse_engine(entrant.spec).name == entrant.name


def test_files_join_by_what_they_are(tmp_path: Path) -> None:
    assert [each.name for each in chess_entrants([Path("maia 1500.pb.gz")])[-2:]] == [
        "maia 1500, 1 visit",
        "maia 1500, 100 visits",
    ]
    sl, tree, rollout, value = (Path(f"{name}.x") for name in ("sl", "tree", "rollout", "value"))
    whole = go_entrants(GoFiles((sl,), (value,), (Path("runs/zero/checkpoints/n.safetensors"),), (rollout,), (tree,)))
    words = {each.name: each.engine.split() for each in whole[len(GO_ENTRANTS) :]}
    assert list(words) == [
        *("rollout, no search", "tree, no search", "sl, no search"),
        *("AlphaGo's search, sl, 200 simulations", "zero, 100 visits"),
    ]
    wanted = {"net=sl.x", "value_net=value.x", "rollout=rollout.x", "tree=tree.x", "mixing=0.5"}
    assert wanted <= set(words["AlphaGo's search, sl, 200 simulations"])
    # Without rollouts and a value network nothing says who wins: there is no search.
    assert [each.name for each in go_entrants(GoFiles((sl,)))[len(GO_ENTRANTS) :]] == ["sl, no search"]


def test_files_that_cannot_take_part_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="cannot read"):
        sort_nets([tmp_path / "nosuch.pb.gz"])
    (tmp_path / "text").write_text("no network")
    with pytest.raises(NetError, match="no network"):
        sort_nets([tmp_path / "text"])
    with pytest.raises(ConfigError, match="judges positions only"):
        sort_nets([shipped_nets()["philidor-4"]])


@pytest.mark.usefixtures("quick")
def test_games_are_kept_and_counted_and_a_tournament_continues(tmp_path: Path) -> None:
    first = Tournament(tmp_path)
    seen: list[str] = []
    assert first.play(2, 1, lambda section, result: seen.append(section.title))
    assert sorted(set(seen)) == ["Chess", "Go, 9x9"]
    assert len(seen) == 4
    again = Tournament(tmp_path)
    seen.clear()
    assert again.play(2, 1, lambda section, result: seen.append(section.title))
    assert not seen
    assert (tmp_path / "chess/report/games.pgn").read_text().count("[Event ") == 2
    ranking, points, *_ = again.exhibit().tables
    assert ranking.title == "Chess: 2 games"
    assert [row[1] for row in ranking.rows] == ["one ply", "random"]
    # What one has won the other has lost: both games' points are in the table once.
    assert sum(float(cell) for row in points.rows for cell in row[1:] if cell) == 2


@pytest.mark.usefixtures("quick")
def test_the_command_plays_shows_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["book", "tournament", "--games", "2", "--out", str(tmp_path / "t"), "--html", str(tmp_path / "page.html")]
    assert main(words) == 0
    assert "Go, 9x9: points" in capsys.readouterr().out
    assert "| 1 | one ply | 3.2 |" in (tmp_path / "t/tables.md").read_text()
    assert "<h3>Chess: 2 games</h3>" in (tmp_path / "page.html").read_text()


def test_its_options_are_for_it_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "fig-4.9", "--games", "4"]) != 0
    assert "--games" in capsys.readouterr().err


def test_alphabeta_plays_minimax_s_moves() -> None:
    minimax = load_engine("minimax", depth=2, prefers_quick_wins=True, variety=10)
    (words,) = [each.engine.split()[1:] for each in CHESS_ENTRANTS if each.name == "minimax, 3 plies"]
    alphabeta = parse_engine(" ".join(["alphabeta", *words])).config()
    for opening in read_openings(DEFAULT_BOOK, None)[:8]:
        position = Position(opening.fen)
        player = load_engine("alphabeta", **{**to_dict(alphabeta), "depth": 2})
        assert player.choose(position) == minimax.choose(position), opening.fen
