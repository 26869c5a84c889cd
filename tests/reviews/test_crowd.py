"""People by the networks that know them: one that is told a rating, Maia's files one by one, a folder of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import philidor
from philidor.cli import main
from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.reviews.candidates import review_position
from philidor.reviews.config import ReviewConfig
from philidor.reviews.crowd import Crowd, crowd_files, load_crowd, maia_rating
from philidor.reviews.many import _settings
from tests.nets.leela_nets import residual_net

SICILIAN = Position("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
NAMES = {1100: "maia-1100.pb.gz", 1500: "maia-1500.pb.gz", 1900: "maia1900.pb.gz"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("maia")
    for seed, name in enumerate([*NAMES.values(), "other.pb.gz"]):
        save_leela(residual_net(seed=seed), made / name)
    (made / "maia-1300.txt").write_text("no network")
    return made


def own_policy(path: Path) -> dict[str, float]:
    [found] = philidor.load_net(path).evaluate([SICILIAN])
    return dict(found.policy)


def test_each_rating_of_a_folder_is_answered_by_its_own_network(folder: Path) -> None:
    crowd = load_crowd(1500, folder)
    assert crowd.ratings([800, 2400]) == tuple(NAMES)
    for rating, nearest in ((800, 1100), (1250, 1100), (1500, 1500), (2400, 1900)):
        assert crowd.policy(SICILIAN, rating) == pytest.approx(own_policy(folder / NAMES[nearest]), abs=1e-5)
    assert crowd.policy(SICILIAN) == crowd.policy(SICILIAN, 1500)


def test_curves_are_made_of_all_networks(folder: Path) -> None:
    found = review_position(SICILIAN, ReviewConfig(nodes=200, human=1500, human_net=folder))
    assert found.ratings == tuple(NAMES)
    for candidate in found.candidates:
        for rating, name in NAMES.items():
            own = own_policy(folder / name)[candidate.uci]
            assert candidate.shares[rating] == pytest.approx(own, abs=1e-5)


def test_the_best_moves_come_first_and_show_the_best_scores() -> None:
    # With so few nodes the root thinks more of Ng4 than the look behind it does.
    italian = Position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5")
    for nodes in (500, 2000):
        found = review_position(italian, ReviewConfig(nodes=nodes)).candidates
        assert [each.score.cp for each in found] == sorted((each.score.cp or 0 for each in found), reverse=True)
        assert found[0].cost == 0


def test_a_file_is_named_after_its_rating_or_knows_none(folder: Path) -> None:
    assert [maia_rating(Path(name)) for name in ("maia-1100.pb.gz", "Maia1900.pb", "maia.pb.gz", "x-1500.pb.gz")] == [
        1100,
        1900,
        None,
        None,
    ]
    assert load_crowd(1200, folder / NAMES[1500]).ratings([800]) == (1500,)
    assert load_crowd(1200, folder / "other.pb.gz").ratings([800]) == ()
    assert Crowd(crowd_files(None), 1200).ratings([800, 900]) == (800, 900)


def test_a_folder_without_maia_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no network such as maia-1500\.pb\.gz in"):
        crowd_files(tmp_path)


def test_kept_verdicts_are_told_apart_by_the_network_that_answers(folder: Path) -> None:
    def of(**asked: Any) -> object:
        return _settings(ReviewConfig(**asked))["human_net"]

    assert of(human=1500, human_net=folder) == of(human=1500, human_net=folder / NAMES[1500])
    assert of(human=1900, human_net=folder) != of(human=1500, human_net=folder)


def test_the_command_line_takes_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["analyse", "--fen", SICILIAN.fen(), "--nodes", "100", "--human", "1600", "--human-net", str(folder)]
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ratings"] == list(NAMES)
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "1100-1900" in told
    assert "1500" in told
    assert "1600" not in told
