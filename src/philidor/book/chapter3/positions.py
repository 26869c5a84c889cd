"""Positions that the book talks about, judged by our systems side by side (chapters 1 and 3)."""

from __future__ import annotations

from philidor.book.boards import board
from philidor.book.items import Exhibit, Finding, Item
from philidor.core.analysis import Analysis
from philidor.evaluators.book import evaluate
from philidor.games.chess import Position
from philidor.players import load_engine
from philidor.players.human import HumanPlayer
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.minimax import MinimaxConfig, minimax

GREEK_GIFT = "rnbq1rk1/pppn1ppp/4p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 7"
"""Figure 1.1 is a picture: equal material, a little more room for White, and 1.Bxh7+ Kxh7 2.Ng5+ wins."""
HANGING = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 2 3"
"""Figure 3.5 is a picture: Qxf6 takes a knight that the pawn on g7 and the queen on d8 protect."""
DEEP_BLUE = "r1r1q1k1/6p1/3b1p1p/1p1PpP2/1Pp5/2P4P/R1B2QP1/R5K1 w - - 0 37"
"""Deep Blue against Kasparov, 1997, game 2, before 37.Be4 (ch. 3.4)."""
DEEP_BLUE_ENDED = "Be4 Rxa2 Qxa2 Qd7 Qa7 Rc7 Qb6 Rb7 Ra8+ Kf7 Qa6 Qc7 Qc6 Qb6+ Kf1 Rb8 Ra6"
"""How the game went on; Kasparov resigned."""

LOCKED = "2b1k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/R2RK3 w - - 0 1"
"""Stands for Figure 1.3: every pawn is blocked, and no piece can cross the middle of the board."""

_NODES, _GIFT_NODES = 200_000, 400_000
_VISITS = 400
_A_ROOK = 500
"""Centipawns."""


def _judged(position: Position, engine: str, **limits: int) -> Analysis:
    return load_engine(engine).analyse(position, **limits)


def human_player() -> HumanPlayer:
    """Returns the player who plays like people."""
    player = load_engine("human")
    assert isinstance(player, HumanPlayer)
    return player


def _seen(position: Position, analysis: Analysis) -> str:
    """Returns a move and its score, White's view."""
    assert analysis.best is not None
    score = analysis.score if position.to_move == 0 or analysis.score is None else analysis.score.flipped()
    return f"{position.san(analysis.best)} {score if score is not None else ''}".strip()


def greek_gift() -> Exhibit:
    """Figure 1.1: what looking at a position sees, and what searching it finds."""
    position = Position(GREEK_GIFT)
    static = evaluate(position)
    shallow = _judged(position, "classic", depth=1)
    deep = _judged(position, "nnue", nodes=_GIFT_NODES)
    seen = _seen(position, deep)
    findings = (
        Finding("material and placement alone, centipawns", "about equal", f"{static:+d}", abs(static) < 100),
        Finding("one move deep", "", _seen(position, shallow)),
        Finding(f"{_GIFT_NODES:,} positions", "Bxh7+", seen, seen.startswith("Bxh7+")),
    )
    note = f"The book shows a picture; this is the pattern with {GREEK_GIFT}."
    return Exhibit(findings, (note,), (board("White to move", position, "Bxh7+"),))


def locked() -> Exhibit:
    """Figure 1.3: a position in which counting sees a win at any depth, and nothing can be won."""
    position = Position(LOCKED)
    findings = []
    for engine in ("classic", "nnue"):
        for nodes in (1_000, 100_000, 1_000_000):
            analysis = _judged(position, engine, nodes=nodes)
            what = f"{engine}, {nodes:,} positions (depth {analysis.depth})"
            assert analysis.score is not None
            is_sure = (analysis.score.cp or 0) > _A_ROOK
            findings.append(Finding(what, "a material advantage", str(analysis.score), is_sure))
    network = _judged(position, "net", nodes=_VISITS)
    findings.append(Finding(f"a network that learned from games, {_VISITS} positions", "", str(network.score)))
    ended = _played_out(position)
    findings.append(Finding("nnue against itself from here", "no win", ended, ended.startswith("1/2")))
    notes = (
        f"The book shows a picture without a FEN; this one is ours: {LOCKED}. No pawn can move, no piece gets through "
        "but by giving itself up, and White has two rooks for a bishop.",
        "More search does not help. What is missing is the judgment that nothing can happen here.",
    )
    return Exhibit(tuple(findings), notes, (board("White to move", position),))


def _played_out(position: Position) -> str:
    """Returns how a game of the engine against itself ends, and after how many moves."""
    engine, plies = load_engine("nnue"), 0
    while (outcome := position.outcome()) is None:
        best = engine.analyse(position, nodes=2_000).best
        assert best is not None
        position, plies = position.play(best), plies + 1
    points = "1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
    return f"{points}, {outcome.reason}, after {plies // 2} moves"


def quiescence() -> Exhibit:
    """Figure 3.5: a capture at the end of the search looks good until the recapture is seen."""
    position = Position(HANGING)

    def material(state: Position, /) -> int:
        worth = {"P": 100, "N": 310, "B": 320, "R": 500, "Q": 900}
        return sum(value * (len(state.pieces(kind)) - len(state.pieces(kind.lower()))) for kind, value in worth.items())

    one = minimax(position, MinimaxConfig(depth=1), heuristic=material)
    two = minimax(position, MinimaxConfig(depth=2), heuristic=material)
    quiet = _judged(position, "classic", depth=1)
    hoped = material(position.play("f3f6"))
    first, second = (position.san(found.analysis.best or "") for found in (one, two))
    findings = (
        Finding("one ply, counting pieces", "Qxf6", first, first == "Qxf6"),
        Finding("what it hopes for, centipawns", "a knight", f"{hoped:+d}", hoped == 310),
        Finding("two plies", "", second, second != "Qxf6"),
        Finding("one ply with quiescence search", "not Qxf6", _seen(position, quiet), quiet.best != "f3f6"),
    )
    return Exhibit(
        findings, (f"The book shows a picture; this is {HANGING}.",), (board("White to move", position, "Qxf6"),)
    )


def deep_blue() -> Exhibit:
    """Section 3.4: 37.Be4 or the pawn? What each of our systems plays, and how it judges."""
    position = Position(DEEP_BLUE)
    shallow = minimax(position, MinimaxConfig(depth=2), heuristic=evaluate)
    alpha = alphabeta(position, AlphaBetaConfig(depth=3), heuristic=evaluate)
    rows = [("minimax, 2 plies, the book's evaluation", shallow.analysis), ("alpha-beta, 3 plies", alpha.analysis)]
    for engine, limits, what in (
        ("classic", {"nodes": 10_000}, "classic, 10,000 positions"),
        ("classic", {"nodes": 1_000_000}, "classic, 1,000,000 positions"),
        ("giraffe", {"nodes": _NODES}, f"giraffe, {_NODES:,} positions"),
        ("nnue", {"nodes": 10_000}, "nnue, 10,000 positions"),
        ("nnue", {"nodes": 1_000_000}, "nnue, 1,000,000 positions"),
    ):
        rows.append((what, _judged(position, engine, **limits)))
    findings = [Finding(what, "", _seen(position, analysis)) for what, analysis in rows]
    policy = human_player().policy(position, rating=2400)
    shares = {position.san(move): share for move, share in policy.items()}
    liked = max(shares, key=shares.__getitem__)
    person = f"{liked} {100 * shares[liked]:.0f} %, Be4 {100 * shares['Be4']:.0f} %"
    findings.append(Finding("a player of 2400", "", person))
    findings.append(Finding("Deep Blue, 1997", "Be4", "", None))
    findings.append(Finding("Rebel 8, minutes and hours", "Qb6, then Be4", "", None))
    notes = ("Scores are White's view; pawns, each by its own evaluation.", DEEP_BLUE)
    return Exhibit(tuple(findings), notes, (board("Before 37.Be4", position, "Be4"),))


_HERE = "src/philidor/book/chapter3/positions.py"
_NO_FEN = "a picture without a FEN, of a game that the text does not give"
ITEMS = (
    Item(
        name="fig-1.1",
        title="The Greek gift: evaluation needs search",
        section="1",
        status="same",
        code=_HERE,
        run=greek_gift,
    ),
    Item(
        name="fig-1.2",
        title="Euwe against Jutte, 1927",
        section="1",
        status="not reproducible",
        code="",
        reason=_NO_FEN,
    ),
    Item(
        name="fig-1.3",
        title="A locked position: material that wins nothing",
        section="1",
        status="experiment",
        code=_HERE,
        run=locked,
        reason="Rybka against Nakamura, 2008, is a picture without a FEN; a position of ours says the same",
    ),
    Item(
        name="fig-3.5",
        also=("table-3.1",),
        title="Quiescence search",
        section="3.3",
        status="same",
        code="cpp/search/alphabeta/worker_quiescence.h",
        run=quiescence,
    ),
    Item(
        name="37.be4",
        title="Deep Blue's 37.Be4, by each of our systems (takes seconds)",
        section="3.4",
        status="experiment",
        code=_HERE,
        run=deep_blue,
    ),
)
