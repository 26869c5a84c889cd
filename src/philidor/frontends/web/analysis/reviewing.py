"""Reviews of a study's main line: judged beside the page with progress, kept, and shown with lines for the board."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from philidor.core.analysis import Score
from philidor.core.config import from_dict
from philidor.core.thinking import Signal
from philidor.frontends.web.analysis.news import Tried
from philidor.frontends.web.analysis.requests import TryMessage
from philidor.frontends.web.analysis.schema import (
    CandidateView,
    ChoiceView,
    LineMove,
    PeopleHere,
    PeopleView,
    PhaseView,
    ReviewedMove,
    ReviewedSide,
    ReviewView,
)
from philidor.frontends.web.analysis.tree import StudyTree, draw_line
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.schema import ScoreView, Side
from philidor.frontends.web.session import RefusedError
from philidor.frontends.web.workers import ADVICE, Workers
from philidor.games.chess import Position
from philidor.reviews.assembling import assemble
from philidor.reviews.candidates import PositionReview
from philidor.reviews.config import ReviewConfig
from philidor.reviews.formulas import THRESHOLDS, win_percent
from philidor.reviews.judging import Judge, Verdict, blocks
from philidor.reviews.review import GameReview, MoveReview, SideReview

Progress = Callable[[int, int], None]
_SHOWN_PLIES = 8


class Judged:
    """The verdicts on a main line, block by block, so that a review that was stopped goes on where it was."""

    def __init__(self, config: ReviewConfig, sheet_key: str, kept: dict[int, list[Verdict]] | None = None) -> None:
        self.config, self.key = config, sheet_key
        self.blocks = kept or {}

    def verdicts(self) -> list[Verdict]:
        """Returns all that are known, in the game's order."""
        return [verdict for number in sorted(self.blocks) for verdict in self.blocks[number]]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data to keep."""
        plain = {str(number): [each.to_dict() for each in found] for number, found in self.blocks.items()}
        net = None if self.config.human_net is None else str(self.config.human_net)
        asked = {"nodes": self.config.nodes, "human": self.config.human, "human_net": net}
        return {**asked, "key": self.key, "blocks": plain}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Judged:
        """Reads what `to_dict` wrote."""
        kept = {int(number): [Verdict.from_dict(each) for each in found] for number, found in data["blocks"].items()}
        return cls(review_config(data["nodes"], data["human"], data.get("human_net")), data["key"], kept)


def review_config(nodes: int, human: int | None, human_net: Path | str | None = None) -> ReviewConfig:
    """Returns how to review. Raises ConfigError."""
    asked = {"nodes": nodes, "human": human, "human_net": None if human is None else human_net}
    return from_dict(ReviewConfig, {name: value for name, value in asked.items() if value is not None})


def key_of(tree: StudyTree) -> str:
    """Names the main line: a review of another one is of no use."""
    last = tree.position(tree.main_line()[-1])
    return " ".join([last.root().fen(shredder=True), *(str(move.raw) for move in last.moves())])


async def judge(workers: Workers, positions: tuple[Position, ...], judged: Judged, progress: Progress) -> None:
    """Judges what is not judged yet, on several cores; when cancelled, what is done stays done."""
    tasks = [(number, block) for number, block in enumerate(blocks(positions)) if number not in judged.blocks]
    waiting, loop = iter(tasks), asyncio.get_running_loop()
    done = len(judged.verdicts())
    progress(done, len(positions))

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, len(positions))

    def tick() -> None:
        loop.call_soon_threadsafe(step)

    def work(stop: Signal) -> None:
        # The engine is made here, where it may take its time, and serves as many blocks as come its way.
        judge = Judge(judged.config, stop)
        while not stop() and (task := next(waiting, None)) is not None:
            number, (last, count) = task
            verdicts = judge.judge_block(last, count, tick)
            if verdicts is not None:
                judged.blocks[number] = verdicts

    if tasks:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(max(1, workers.slots - 1), len(tasks))):
                group.create_task(workers.run(work, ADVICE))


def review_of(tree: StudyTree, judged: Judged | None) -> GameReview | None:
    """Returns the review of the main line, if it has been judged as it is now."""
    if judged is None or judged.key != key_of(tree):
        return None
    verdicts, sheet = judged.verdicts(), tree.sheet()
    return assemble(sheet, verdicts, judged.config) if len(verdicts) == len(sheet.positions) else None


def review_view(tree: StudyTree, review: GameReview) -> ReviewView:
    """Draws a review."""
    nodes = tree.main_line()[1:]
    return ReviewView(
        judge=review.judge,
        human=review.human,
        opening=review.opening,
        result=review.headers.get("Result", "*"),
        start_percent=review.start_percent,
        turning_point=review.turning_point,
        white=_side(review.white),
        black=_side(review.black),
        moves=[_move(tree, node, place, review) for place, node in enumerate(nodes)],
    )


def _move(tree: StudyTree, node: int, place: int, review: GameReview) -> ReviewedMove:
    move = review.moves[place]
    after = tree.position(node)
    before = after.parent
    assert before is not None, "a move led here"
    is_mistake = move.judgment is not None
    side: Side = 0 if move.is_white else 1
    return ReviewedMove(
        node=node,
        place=place,
        side=side,
        number=move.number,
        san=move.san,
        score=ScoreView(cp=move.score.cp, mate=move.score.mate),
        wdl=(move.wdl.win, move.wdl.draw, move.wdl.loss),
        percent=move.white_percent,
        judgment=move.judgment,
        loss_percent=move.loss_percent,
        loss_cp=move.loss_cp,
        accuracy=move.accuracy,
        phase=move.phase,
        best=move.best,
        best_line=_san_line(tree, before, move.best_line) if is_mistake else [],
        reply_line=_san_line(tree, after, move.reply_line) if is_mistake else [],
        people=_people(move),
    )


def _san_line(tree: StudyTree, position: Position, names: tuple[str, ...]) -> list[LineMove]:
    texts, state = [], position
    for name in names[:_SHOWN_PLIES]:
        move = state.parse_san(name)
        texts.append(state.uci(move))
        state = state.play(move)
    return tree.line(position, texts)


def _people(move: MoveReview) -> PeopleView | None:
    people = move.people
    if people is None:
        return None
    usual = [ChoiceView(san=each.san, share=each.share, cost=each.loss_percent) for each in people.usual]
    return PeopleView(played=people.played, best=people.best, usual=usual)


def _side(side: SideReview) -> ReviewedSide:
    return ReviewedSide(
        name=side.name,
        accuracy=side.accuracy,
        average_loss=side.average_loss,
        inaccuracies=side.inaccuracies,
        mistakes=side.mistakes,
        blunders=side.blunders,
        phases=[
            PhaseView(phase=name, moves=each.moves, accuracy=each.accuracy, average_loss=each.average_loss)
            for name, each in side.phases.items()
        ],
    )


def try_move(drawer: Drawer, positions: tuple[Position, ...], judged: Judged, asked: TryMessage, stop: Signal) -> Tried:
    """Says how good another move is than the one that was played. Raises IllegalMoveError, RefusedError."""
    place, verdicts = asked.place, judged.verdicts()
    if place + 1 >= len(positions):
        raise RefusedError("not_possible", "There is no such move in the game.")
    before = positions[place]
    move = before.parse_move(asked.move)
    after, sign = before.play(move), 1 if before.turn else -1
    best = verdicts[place]
    found = Judge(judged.config, stop).judge(after)
    is_best = bool(best.line) and best.line[0] == before.uci(move)
    lost = win_percent(sign * best.bounded_cp) - win_percent(sign * found.bounded_cp)
    cost = 0.0 if is_best else max(0.0, lost)
    return Tried(
        place=place,
        san=before.san(move),
        is_best=is_best,
        is_good=is_best or cost < THRESHOLDS[-1][0],
        was_played=positions[place + 1].last_move == move,
        cost=round(cost, 1),
        score=ScoreView(cp=found.score.cp, mate=found.score.mate),
        fen=after.fen(),
        line=draw_line(drawer, after, found.line[:_SHOWN_PLIES]),
        reply_to=asked.id,
    )


def people_view(tree: StudyTree, node: int, crowd: str, found: PositionReview) -> PeopleHere:
    """Draws what people would play in a position."""
    position = tree.position(node)
    return PeopleHere(
        node=node,
        crowd=crowd,
        judge=found.judge,
        ratings=list(found.ratings),
        candidates=[
            CandidateView(
                san=each.san,
                text=each.uci,
                score=_seen(each.score, position.turn),
                cost=each.cost,
                shares=[each.shares.get(rating, 0.0) for rating in found.ratings or (0,)],
                is_trap=each.is_trap,
                line=_san_line(tree, position, each.line),
            )
            for each in found.candidates
        ],
    )


def _seen(score: Score, is_white: bool) -> ScoreView:
    white = score if is_white else score.flipped()
    return ScoreView(cp=white.cp, mate=white.mate)
