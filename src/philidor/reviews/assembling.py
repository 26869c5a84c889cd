"""Makes a review of a game's positions that have been judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from philidor.core.analysis import Score
from philidor.games.chess import START_FEN, Position
from philidor.games.chess.openings import opening_of
from philidor.games.chess.phases import PHASES, phase_of
from philidor.reviews import formulas
from philidor.reviews.config import ReviewConfig
from philidor.reviews.judging import Verdict
from philidor.reviews.people import Choice, PeopleAtMove
from philidor.reviews.review import GameReview, MoveReview, PhaseReview, SideReview
from philidor.reviews.sheets import Sheet

_WINNING_PERCENT = 70.0
"""A side with this win percentage or more is winning; it takes about 2.3 pawns."""
_SHOWN_CHOICES = 4


def assemble(sheet: Sheet, verdicts: Sequence[Verdict], config: ReviewConfig) -> GameReview:
    """Returns the review; there is one verdict for each position of the sheet."""
    positions = sheet.positions
    assert len(verdicts) == len(positions), "each position has a verdict"
    cps = [verdict.bounded_cp for verdict in verdicts]
    if positions[0].fen() == START_FEN:
        cps[0] = float(formulas.START_CP)
    percents = [formulas.win_percent(cp) for cp in cps]
    moves = tuple(
        _move(place, positions, verdicts, (cps[place], cps[place + 1]), (percents[place], percents[place + 1]))
        for place in range(len(positions) - 1)
    )
    weights = formulas.volatility_weights(percents)
    headers = sheet.headers
    sides = [_side(_name(headers, side), moves, weights, is_white=side == "White") for side in ("White", "Black")]
    return GameReview(
        headers=headers,
        start=positions[0].fen(),
        start_score=verdicts[0].score,
        start_percent=percents[0],
        moves=moves,
        white=sides[0],
        black=sides[1],
        judge=config.words(),
        opening=_opening(positions),
        turning_point=turning_point(headers.get("Result", "*"), percents, moves),
        human=config.human,
        sheet=sheet,
    )


def _move(
    place: int,
    positions: Sequence[Position],
    verdicts: Sequence[Verdict],
    cps: tuple[float, float],
    percents: tuple[float, float],
) -> MoveReview:
    before, after = positions[place], positions[place + 1]
    old, new = verdicts[place], verdicts[place + 1]
    played = after.last_move
    assert played is not None, "a move led here"
    is_white = before.turn
    sign = 1 if is_white else -1
    own = [percent if is_white else 100 - percent for percent in percents]
    best_line = san_line(before, old.line)
    scores = [_mover_view(verdict.score, is_white) for verdict in (old, new)]
    if place == 0 and scores[0].cp is not None:
        scores[0] = Score(cp=round(sign * cps[0]))  # the start position's is set
    is_best = bool(old.line) and old.line[0] == before.uci(played)
    return MoveReview(
        ply=before.ply,
        is_white=is_white,
        san=before.san(played),
        uci=before.uci(played),
        score=new.score,
        wdl=new.wdl,
        white_percent=percents[1],
        best=best_line[0] if best_line else None,
        best_line=best_line,
        reply_line=san_line(after, new.line),
        loss_cp=max(0.0, sign * (cps[0] - cps[1])),
        loss_percent=max(0.0, own[0] - own[1]),
        accuracy=formulas.move_accuracy(own[0], own[1]),
        # Whoever plays the best move is not to blame for what the search saw too late.
        judgment=None if is_best or not old.line else formulas.judge(*scores),
        phase=PHASES[phase_of(before.fen(), before.ply)],
        people=_people(before, old, percents[0], is_white, before.uci(played), percents[1]),
    )


def _people(
    before: Position, verdict: Verdict, percent: float, is_white: bool, played: str, played_percent: float
) -> PeopleAtMove | None:
    people = verdict.people
    if people is None:
        return None
    worths = {move: formulas.win_percent(cp) for move, cp in people.worths.items()}
    worths[played] = played_percent
    if verdict.line:
        worths[verdict.line[0]] = percent
    usual = []
    for move, share in list(people.shares.items())[:_SHOWN_CHOICES]:
        lost = None if move not in worths else max(0.0, (percent - worths[move]) * (1 if is_white else -1))
        usual.append(Choice(before.san(move), share, lost))
    best = people.shares.get(verdict.line[0], 0.0) if verdict.line else None
    return PeopleAtMove(people.shares.get(played, 0.0), best, tuple(usual))


def _mover_view(score: Score, is_white: bool) -> Score:
    return score if is_white else score.flipped()


def _name(headers: Mapping[str, str], side: str) -> str:
    """Returns a player's name, or the side where nobody is named."""
    name = headers.get(side, "").strip()
    return side if name in ("", "?") else name


def _side(name: str, moves: Sequence[MoveReview], weights: Sequence[float], *, is_white: bool) -> SideReview:
    own = [(move, weight) for move, weight in zip(moves, weights, strict=True) if move.is_white == is_white]
    counts = {judgment: sum(move.judgment == judgment for move, _ in own) for judgment in formulas.WORDS}
    return SideReview(
        name=name,
        accuracy=formulas.game_accuracy([move.accuracy for move, _ in own], [weight for _, weight in own]),
        average_loss=formulas.average_loss([move.loss_cp for move, _ in own]),
        inaccuracies=counts[formulas.INACCURACY],
        mistakes=counts[formulas.MISTAKE],
        blunders=counts[formulas.BLUNDER],
        phases=_phases([move for move, _ in own]),
    )


def _phases(moves: Sequence[MoveReview]) -> dict[str, PhaseReview]:
    found = {}
    for phase in PHASES:
        own = [move for move in moves if move.phase == phase]
        if own:
            accuracy = sum(move.accuracy for move in own) / len(own)
            found[phase] = PhaseReview(len(own), accuracy, sum(move.loss_cp for move in own) / len(own))
    return found


def turning_point(result: str, percents: Sequence[float], moves: Sequence[MoveReview]) -> int | None:
    """Returns the place of the loser's move after which the winner was winning to the end, None if there is none.

    In a game without a winner it is the blunder that cost most.
    """
    if result not in ("1-0", "0-1"):
        blunders = [place for place, move in enumerate(moves) if move.judgment == formulas.BLUNDER]
        return max(blunders, key=lambda place: moves[place].loss_percent, default=None)
    is_white = result == "1-0"
    chances = [percent if is_white else 100 - percent for percent in percents]
    open_until = max((place for place, chance in enumerate(chances) if chance < _WINNING_PERCENT), default=None)
    if open_until is None or open_until == len(moves):
        return None
    # A search may see only behind the winner's answer what the loser had done.
    places = [place for place in (open_until, open_until - 1) if place >= 0 and moves[place].is_white != is_white]
    return places[0] if places and moves[places[0]].loss_percent >= formulas.THRESHOLDS[-1][0] else None


def san_line(position: Position, moves: Sequence[str]) -> tuple[str, ...]:
    """Returns a line of UCI moves in SAN."""
    names = []
    for text in moves:
        names.append(position.san(text))
        position = position.play(text)
    return tuple(names)


def _opening(positions: Sequence[Position]) -> str | None:
    for position in reversed(positions):
        found = opening_of(position)
        if found is not None:
            return f"{found.eco} {found.name}"
    return None
