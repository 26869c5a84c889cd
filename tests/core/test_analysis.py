"""Evaluation and Analysis: views, policies, JSON both ways."""

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from philidor.core.analysis import Analysis, Line, MoveStats, Score
from philidor.core.errors import IllegalMoveError, PhilidorError, UnknownNameError, nearest_name
from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.game import Outcome
from philidor.core.log import setup_logging
from philidor.games.tictactoe import TicTacToe

ANALYSIS = Analysis(
    best="e2e4",
    score=Score(cp=35),
    wdl=Wdl(0.4, 0.5, 0.1),
    lines=(Line(("e2e4", "e7e5"), Score(cp=35), Wdl(0.4, 0.5, 0.1), depth=12, seldepth=20), Line(("d2d4",))),
    moves=(
        MoveStats("d2d4", prior=0.2, visits=30, value=0.1, exploration=0.3, raw_value=0.05),
        MoveStats("e2e4", prior=0.7, visits=90, value=0.3, exploration=0.1, score=Score(mate=-3)),
    ),
    depth=12,
    nodes=120,
    time_s=0.5,
    counters={"cutoffs": 7},
    human={1500: {"e2e4": 0.6, "d2d4": 0.4}},
)


def test_analysis_survives_json() -> None:
    assert Analysis.from_dict(json.loads(ANALYSIS.to_json())) == ANALYSIS
    assert Analysis.from_dict(json.loads(Analysis(best=None).to_json())) == Analysis(best=None)


def test_unknown_parts_are_left_out_of_json() -> None:
    assert Analysis(best="a1").to_dict() == {"best": "a1", "nodes": 0, "time_s": 0.0}


def test_policy_is_the_share_of_visits() -> None:
    assert ANALYSIS.policy == {"e2e4": 0.75, "d2d4": 0.25}
    priors_only = Analysis(best="a", moves=(MoveStats("a", prior=0.2), MoveStats("b", prior=0.6)))
    assert priors_only.policy == pytest.approx({"b": 0.75, "a": 0.25})
    assert Analysis(best="a").policy == {}


def test_value_and_speed() -> None:
    assert ANALYSIS.value == pytest.approx(0.3)
    assert Analysis(best="b", moves=(MoveStats("b", value=-0.5),)).value == -0.5
    assert Analysis(best="b").value is None
    assert ANALYSIS.nodes_per_second == 240
    assert Analysis(best="b", nodes=5).nodes_per_second == 0


def test_scores_are_written_for_people_and_for_programs() -> None:
    assert [str(Score(cp=35)), str(Score(cp=-120)), str(Score(mate=3)), str(Score(mate=-2))] == [
        "+0.35",
        "-1.20",
        "#3",
        "#-2",
    ]
    assert [Score(cp=35).uci(), Score(mate=-2).uci()] == ["cp 35", "mate -2"]
    assert Score(cp=35).flipped() == Score(cp=-35)
    assert Score(mate=-2).flipped() == Score(mate=2)


def test_a_score_is_one_of_two() -> None:
    with pytest.raises(ValueError, match="either cp or mate"):
        Score()
    with pytest.raises(ValueError, match="either cp or mate"):
        Score(cp=1, mate=1)


def test_evaluation_names_its_moves() -> None:
    state = TicTacToe().state("XOX/O.O/.X.")
    evaluation = Evaluation(
        state.legal_moves(), np.array([0.25, 0.5, 0.25], np.float32), Wdl(0.5, 0.25, 0.25), move_text=state.move_text
    )
    assert evaluation.policy == {"c1": 0.5, "a1": 0.25, "b2": 0.25}
    assert evaluation.value == 0.25
    assert evaluation.wdl.flipped() == Wdl(0.25, 0.25, 0.5)
    with pytest.raises(ValueError, match="3 moves need as many priors, got 2"):
        Evaluation(state.legal_moves(), np.array([0.5, 0.5], np.float32), Wdl(1, 0, 0))


def test_a_uniform_evaluation_has_even_priors() -> None:
    evaluation = Evaluation.uniform(TicTacToe().state(), Wdl.from_value(-0.5))
    assert evaluation.priors.dtype == np.float32
    assert evaluation.policy["b2"] == pytest.approx(1 / 9)
    assert evaluation.value == -0.5


def test_outcomes_have_two_views() -> None:
    assert [Outcome(1, "x").value_for(player) for player in (0, 1)] == [-1.0, 1.0]
    assert Outcome(None, "x").value_for(0) == 0.0


def test_errors_are_ours_and_python_s() -> None:
    assert issubclass(IllegalMoveError, PhilidorError)
    assert issubclass(IllegalMoveError, ValueError)
    error = UnknownNameError("player", "Minmax", {"minimax": 1, "uct": 2})
    assert str(error) == "no player 'Minmax'; did you mean 'minimax'?"
    assert str(UnknownNameError("player", "x", [])) == "no player 'x'; there is none at all"
    assert nearest_name("ALPHABET", ["alphabeta", "uct"]) == "alphabeta"
    assert nearest_name("zzz", ["alphabeta"]) is None


def test_logging_shows_warnings_and_debugs_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("philidor.test")
    try:
        setup_logging()
        logger.info("quiet %d", 1)
        logger.warning("loud %d", 2)
        assert capsys.readouterr().err == "WARNING: loud 2\n"
        setup_logging(debug=True, file=tmp_path / "log")
        logger.debug("detail %d", 3)
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.endswith("DEBUG philidor.test: detail 3\n")
        assert "detail 3" in (tmp_path / "log").read_text()
        setup_logging(file=tmp_path / "quiet")
        logger.info("only in the file")
        assert capsys.readouterr().err == ""
        assert "only in the file" in (tmp_path / "quiet").read_text()
    finally:
        package = logging.getLogger("philidor")
        for handler in package.handlers[:]:
            package.removeHandler(handler)
            handler.close()
        package.propagate = True
