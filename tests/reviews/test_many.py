"""Many games are reviewed in several processes, and a run that was stopped searches nothing twice."""

from pathlib import Path
from typing import Any

import pytest

from philidor.core.errors import RunError
from philidor.reviews import many
from philidor.reviews.config import ReviewConfig
from philidor.reviews.judging import BLOCK, Judge, Verdict, blocks
from philidor.reviews.many import Judged, review_many
from philidor.reviews.sheets import Sheet, sheet_of
from philidor.reviews.summary import summarize
from tests.reviews.reviewed import SHORT_GAME, given_review

LONG_GAME = (
    "1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. e4 e5 6. d4 exd4 7. Qxd4 Nc6 8. Qe3 Nf6 9. Nc3 Bb4 10. Bd2 O-O *"
)
QUICK = ReviewConfig(nodes=300)


@pytest.fixture
def sheets() -> list[Sheet]:
    return [sheet_of(LONG_GAME), sheet_of(SHORT_GAME)]


def test_processes_say_what_one_engine_says(sheets: list[Sheet], tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    judged = Judged(tmp_path / "judged.jsonl", QUICK)
    found = review_many(sheets, QUICK, judged, workers=2, progress=lambda *both: told.append(both))
    judge = Judge(QUICK)
    for sheet, review in zip(sheets, found, strict=True):
        alone = [verdict for block in blocks(sheet.positions) for verdict in judge.judge_block(*block) or []]
        assert [move.score for move in review.moves] == [verdict.score for verdict in alone[1:]]
    assert told[0] == (0, 30)
    assert told[-1] == (30, 30)
    # Everything is known now: no process is begun.
    again = review_many([*sheets, *sheets], QUICK, Judged(tmp_path / "judged.jsonl", QUICK), workers=2)[:2]
    assert [review.to_dict() for review in again] == [review.to_dict() for review in found]


def test_a_stopped_run_goes_on_where_it_was(
    sheets: list[Sheet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def judge_all(tasks: Any, config: ReviewConfig, workers: int) -> Any:
        judge = Judge(config)
        for last, count in tasks:
            asked.append(count)
            yield (last, count), judge.judge_block(last, count)

    monkeypatch.setattr(many, "_judge_all", judge_all)

    def stop(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    path = tmp_path / "judged.jsonl"
    with pytest.raises(KeyboardInterrupt):
        review_many(sheets, QUICK, Judged(path, QUICK), workers=1, progress=stop)
    assert asked == [BLOCK]
    with path.open("a") as file:
        file.write('{"block": "torn')  # as a kill leaves it
    review_many([*sheets, sheets[1]], QUICK, Judged(path, QUICK), workers=1)  # one game twice, searched once
    assert asked == [BLOCK, 5, 9]


def test_other_settings_are_other_verdicts(sheets: list[Sheet], tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    block = next(blocks(sheets[1].positions))
    verdicts = Judge(QUICK).judge_block(*block)
    assert verdicts is not None
    Judged(path, QUICK).add(block, verdicts)
    assert Judged(path, QUICK).find(block) == verdicts
    assert Judged(path, ReviewConfig(nodes=301)).find(block) is None
    assert Judged(path, QUICK).find(next(blocks(sheets[0].positions))) is None
    assert isinstance(verdicts[0], Verdict)


def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text('{"block": 5}\n')
    with pytest.raises(RunError, match="has no judged positions"):
        Judged(path, QUICK)


def test_a_summary_counts_each_player_s_games() -> None:
    swapped = SHORT_GAME.replace("Ann", "X").replace("Bob", "Ann").replace("X", "Bob")
    players = {player.name: player for player in summarize([given_review(), given_review(swapped)])}
    ann, bob = players["Ann"], players["Bob"]
    assert (ann.games, ann.points, bob.points) == (2, 1, 1)
    assert ann.blunders == bob.blunders == 1
    one = given_review()
    assert one.white.accuracy is not None
    assert one.black.accuracy is not None
    assert ann.accuracy == pytest.approx((one.white.accuracy + one.black.accuracy) / 2)
    assert ann.average_loss == pytest.approx((0 + 55 + 20 + 770 + 5 + 10 + 0 + 0) / 8)
