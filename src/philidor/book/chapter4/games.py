"""Chapter 4's games: the key positions of AlphaZero against Stockfish, and the author against Maia."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from philidor.book.boards import board
from philidor.book.chapter3.positions import human_player
from philidor.book.items import Exhibit, Finding, Item, Table
from philidor.core.analysis import Analysis
from philidor.core.charts import Chart, Series
from philidor.games.chess import Position
from philidor.players import load_engine

_ALPHAZERO = (
    "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Bb4+ Bd2 Be7 Nc3 c6 e4 d5 e5 Ne4 O-O Ba6 b3 Nxc3 Bxc3 dxc4 b4 b5 Nd2 O-O Ne4 Bb7 "
    "Qg4 Nd7 Nc5 Nxc5 dxc5 a5 a3 axb4 axb4 Rxa1 Rxa1 Qd3 Rc1 Ra8 h4 Qd8 Be4 Qc8 Kg2 Qc7 Qh5 g6 Qg4 Bf8 h5 Rd8 Qh4 Qe7 "
    "Qf6 Qe8 Rh1 Rd7 hxg6 fxg6 Qh4 Qe7 Qg4 Rd8 Bb2 Qf7 Bc1 c3 Be3 Be7 Qe2 Bf8 Qc2 Bg7 Qxc3 Qd7 Rc1 Qc7 Bg5 Rf8 f4 h6 "
    "Bf6 Bxf6 exf6 Qf7 Ra1 Qxf6 Qxf6 Rxf6 Ra7 Rf7 Bxg6 Rd7 Kf2 Kf8 g4 Bc8 Ra8 Rc7 Ke3 h5 gxh5 Kg7 Ra2 Re7 Be4 e5 Bxc6 "
    "exf4+ Kxf4 Rf7+ Ke5 Rf5+ Kd6 Rxh5 Rg2+ Kf6 Kc7 Bf5 Kb6 Rh4 Ka5 Bg4 Bxb5 Ke7 Rg3 Bc8 Re3+ Kf7 Be2"
)
ALPHAZERO_GAME = _ALPHAZERO.split()
"""AlphaZero against Stockfish 8, game 8, as the book prints it; White won."""
_MAIA = (
    "e4 e5 Nf3 Qe7 d4 d6 Bc4 Be6 d5 Bd7 Bg5 f6 Bh4 g5 Bg3 h5 h4 g4 Nfd2 Bh6 Nc3 Bxd2+ Qxd2 c6 dxc6 Bxc6 Nd5 Bxd5 Bxd5 "
    "Nc6 O-O-O Nd4 c3 Nb5 Bc4 a6 Bxb5+ axb5 Qxd6 Qxd6 Rxd6 Rxa2 Kc2 Ne7 Rhd1 O-O Rd7 Nc6 Rxb7 b4 Rdd7 bxc3 Kxc3 Na5 "
    "Rg7+ Kh8 Rh7+ Kg8 Rbg7#"
)
MAIA_GAME = _MAIA.split()
"""The author, White, against the bot Maia1; White won."""
_MAIA_FIGURES = {"fig-4.24": 7, "fig-4.25": 13, "fig-4.26": 24, "fig-4.27": 41, "fig-4.28": 50, "fig-4.29": 51}
"""Half moves before each figure."""
_NODES = 300_000


def after(game: Sequence[str], plies: int) -> Position:
    """Returns the position after the first moves of a game, with its history."""
    position = Position()
    for move in game[:plies]:
        position = position.play(move)
    return position


@dataclass(frozen=True, slots=True)
class KeyPosition:
    """A position of AlphaZero's game, and what the book's engines say about it."""

    name: str
    ply: int
    """Half moves before it."""
    book: str

    @property
    def position(self) -> Position:
        """The position with its history."""
        return after(ALPHAZERO_GAME, self.ply)


KEY_POSITIONS = (
    KeyPosition("Figure 4.20, before 17. Nc5", 32, "Fritz 6 -0.66, SF 8 -0.12, SF 11 -0.13, SF 12 0.00, SF 14 0.00"),
    KeyPosition("Figure 4.21, before 32. hxg6", 62, "Fritz 6 -0.66, SF 8 0.00, SF 11 +0.25, SF 12 +1.04, SF 14 +1.12"),
    KeyPosition("Figure 4.22, before 22... Ra8", 43, "SF 8 -0.35 (Ra8), SF 12 0.00 (Ra8), SF 14 +0.47 (Rd8)"),
    KeyPosition("after 23... Qd8", 46, "Fritz 6 -0.87, SF 8 -0.38, SF 12 +0.91"),
)
"""Figures 4.20 and 4.21 are pictures; docs/nnue.md says why they are taken to be these positions."""


def white_score(position: Position, analysis: Analysis) -> str:
    """Returns a score in White's view, as text."""
    if analysis.score is None:
        return "-"
    return str(analysis.score if position.to_move == 0 else analysis.score.flipped())


def key_positions() -> Exhibit:
    """Figures 4.20 to 4.22: the handcrafted evaluation and our network, the same search."""
    findings = []
    for key in KEY_POSITIONS:
        position = key.position
        for number, engine in enumerate(("classic", "nnue")):
            analysis = load_engine(engine).analyse(position, nodes=_NODES)
            assert analysis.best is not None
            ours = f"{white_score(position, analysis)} {position.san(analysis.best)}"
            findings.append(Finding(f"{key.name}: {engine}", key.book if number == 0 else "", ours))
    note = f"White's view, pawns by each engine's own scale; {_NODES:,} positions each, where the book's had minutes."
    notes = (note, "benchmarks/key_positions.py gives them seconds, and other networks.")
    return Exhibit(tuple(findings), notes, tuple(board(key.name, key.position) for key in KEY_POSITIONS))


_MAIA_RATING = 1487
"""Maia1's blitz rating at the time."""


def author_against_maia(net: Path | None = None) -> Exhibit:
    """Figures 4.24 to 4.29: the whole game, and what our players of Maia's rating choose at each of Maia's moves."""
    from philidor import load_net

    person = human_player()
    judges: dict[str, Callable[[Position], dict[str, float]]] = {
        f"human-1 at {_MAIA_RATING}": lambda position: person.policy(
            position, rating=_MAIA_RATING, opponent_rating=_MAIA_RATING
        )
    }
    if net is not None:
        given = load_net(str(net))
        judges[net.name.split(".")[0]] = lambda position: given.evaluate([position])[0].policy
    # A figure after Black's own move shows what came of it: the position before is asked about.
    figures = {ply if ply % 2 else ply - 1: figure for figure, ply in _MAIA_FIGURES.items()}
    rows: list[tuple[str, ...]] = []
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in judges}
    found = dict.fromkeys(judges, 0)
    asked = range(1, len(MAIA_GAME), 2)
    for ply in asked:
        position, played = after(MAIA_GAME, ply), MAIA_GAME[ply]
        cells: list[str] = []
        for name, judge in judges.items():
            shares = {position.san(move): share for move, share in judge(position).items()}
            likely = max(shares, key=shares.__getitem__)
            found[name] += likely == played
            curves[name].append((float(ply // 2 + 1), shares.get(played, 0.0)))
            cells += [f"{likely} {100 * shares[likely]:.0f} %", f"{100 * shares.get(played, 0.0):.0f} %"]
        rows.append((f"{ply // 2 + 1}...{played}", figures.get(ply, "").removeprefix("fig-"), *cells))
    header = ["Maia", "Figure", *(word for name in judges for word in (f"{name} plays", "Maia's move"))]
    findings = [
        Finding(f"moves of Maia that {name} finds likeliest", "", f"{count} of {len(asked)}")
        for name, count in found.items()
    ]
    mean = {name: sum(share for _, share in curve) / len(asked) for name, curve in curves.items()}
    findings += [
        Finding(f"mean chance of Maia's move, {name}", "", f"{100 * share:.0f} %") for name, share in mean.items()
    ]
    series = tuple(Series(name, tuple(curve)) for name, curve in curves.items())
    chart = Chart("How likely Maia's moves were", "move", series, 1.0, True)
    notes = (
        "--net FILE asks a Maia file too. The bot Maia1 plays by maia-1100.pb.gz, whose likeliest moves 27 of the 29 "
        "are; the other two are moves 2 and 3.",
        'Two captions are misprinted: "after 4.Bh4" is 7.Bh4, and 25.b4 is Black\'s 25...b4.',
    )
    table = Table("Maia's moves", tuple(header), tuple(rows))
    boards = [board(name.replace("fig-", "Figure "), after(MAIA_GAME, ply)) for name, ply in _MAIA_FIGURES.items()]
    return Exhibit(tuple(findings), notes, (*boards, chart), 3, (table,))


def only_move() -> Exhibit:
    """Figure 4.23: what people, and an engine with a handicap, play where there is one reasonable move."""
    from philidor.arena.people.figure import HUMAN_MOVE, figure_position

    position = figure_position()
    findings = []
    person = human_player()
    for rating in (1000, 1500, 2000):
        policy = person.policy(position, rating=rating, opponent_rating=rating)
        share = {position.san(move): chance for move, chance in policy.items()}[HUMAN_MOVE]
        what = f"a person of {rating} plays {HUMAN_MOVE}"
        findings.append(Finding(what, "always", f"{100 * share:.1f} %", share > 0.9))
    lines = load_engine("nnue").analyse(position, nodes=_NODES, lines=2).lines
    for place, line in enumerate(lines, start=1):
        book = ("Bb3, 0.0", "d4, -1.5")[place - 1]
        findings.append(Finding(f"line {place} of an engine", book, f"{position.san(line.moves[0])}, {line.score}"))
    note = "An engine with a handicap of two pawns finds nothing wrong with the second line: `philidor net compare`."
    return Exhibit(tuple(findings), (note,), (board("White to move", position, HUMAN_MOVE),))


_HERE = "src/philidor/book/chapter4/games.py"
ITEMS = (
    Item(
        name="fig-4.20",
        also=("fig-4.21", "fig-4.22"),
        title="Key positions of AlphaZero's game (takes seconds)",
        section="4.6",
        status="experiment",
        reason="the book asks other engines; here ours judge",
        code=_HERE,
        run=key_positions,
    ),
    Item(
        name="fig-4.23",
        title="Where every person plays Bb3",
        section="4.8",
        status="same",
        code="src/philidor/arena/people/figure.py",
        run=only_move,
    ),
    Item(
        name="fig-4.24",
        also=("fig-4.25", "fig-4.26", "fig-4.27", "fig-4.28", "fig-4.29"),
        title="The author against Maia",
        section="4.8",
        status="corrected",
        code=_HERE,
        run=author_against_maia,
        reason="two captions name the wrong move",
        takes_net=True,
    ),
)
