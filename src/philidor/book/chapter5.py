"""Chapter 5, HexapawnZero: the rules, what the network sees and answers, the whole game tree, and both trainings."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from philidor.arena.perfection import odds_against_random
from philidor.book.items import Exhibit, Finding, Item
from philidor.book.trees import Twig, tree_drawing
from philidor.core.charts import Chart, Image, Panel, Series
from philidor.games.hexapawn import Hexapawn, HexapawnState
from philidor.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Iterator

BOOK_LINES = (
    "a1a2 b3a2 b1a2 c3c2",
    "a1a2 b3a2 b1b2 a2a1",
    "a1a2 b3a2 c1c2 a2a1",
    "b1b2 a3b2 a1b2 c3c2",
    "b1b2 a3b2 a1a2 b2b1",
    "b1b2 a3b2 c1c2 b2b1",
    "b1b2 a3b2 c1b2 c3c2 a1a2 c2c1",
)
"""The winning lines that the chapter's introduction names, Black's and White's moves in turn."""
BOOK_BITS = "000 010 101 011 100 000 111"
FIGURE_5_2 = ".pp/pP./P.P w"
_OUTPUTS = (
    "a1a2 b1b2 c1c2 a2a3 b2b3 c2c3 a3a2 b3b2 c3c2 a2a1 b2b1 c2c1 a1b2 b1a2 b1c2 c1b2 "
    "a2b3 b2a3 b2c3 c2b3 a3b2 b3a2 b3c2 c3b2 a2b1 b2a1 b2c1 c2b1"
)
BOOK_OUTPUTS = _OUTPUTS.split()
"""Section 5.1: the moves by the number of their output."""


def _played(line: str) -> HexapawnState:
    state = Hexapawn().state()
    for move in line.split():
        state = state.play(move)
    return state


def black_wins() -> Exhibit:
    """Figure 5.1 and Listings 5.2 to 5.6: the rules, and the lines that Black wins by."""
    start = Hexapawn().state()
    solution = Solver().solve(start)
    ends = [state.outcome() for state in map(_played, BOOK_LINES)]
    won = sum(outcome is not None and outcome.winner == 1 for outcome in ends)
    findings = (
        Finding("who wins", "Black", "Black" if solution.value < 0 else "White", solution.value < 0),
        Finding("plies if White resists longest", "", str(solution.plies), solution.plies == 6),
        Finding("lines of the text that Black wins", "7", str(won), won == len(BOOK_LINES)),
    )
    return Exhibit(findings, panels=(tree_drawing("The lines of the text", _tree_of_lines()),), columns=1)


def _tree_of_lines() -> Twig:
    root = Twig("W")
    for line in BOOK_LINES:
        twig = root
        for number, move in enumerate(line.split(), start=1):
            known = next((child for child in twig.children if child.move == move), None)
            if known is None:
                known = Twig("WB"[number % 2], move)
                twig.children.append(known)
            twig = known
        twig.label, twig.is_marked = "0-1", True
    return root


def network_input() -> Exhibit:
    """Figures 5.2 and 5.3, Listing 5.7: a position as 21 bits."""
    from philidor.encodings.hexapawn import HexapawnEncoding

    game = Hexapawn()
    state = game.state(FIGURE_5_2)
    (plane,), _ = HexapawnEncoding(game).planes(state)
    bits = "".join(str(plane >> place & 1) for place in range(21))
    ours = " ".join(bits[first : first + 3] for first in range(0, 21, 3))
    rows = [tuple(float(bit) for bit in bits[first : first + 3]) for first in range(0, 21, 3)]
    boards: tuple[Panel, ...] = (
        Image("White's pawns", tuple(rows[:3])),
        Image("Black's pawns", tuple(rows[3:6])),
        Image("White to move", tuple(rows[6:])),
    )
    return Exhibit((Finding("inputs", BOOK_BITS, ours, ours == BOOK_BITS),), (f"{state}",), boards, columns=3)


def network_outputs() -> Exhibit:
    """Section 5.1 and Listing 5.3: the numbers of the 28 moves."""
    game = Hexapawn()
    ours: dict[str, int] = {}
    for state in _positions(game.state()):
        ours |= {state.move_text(move): game.action_index(state, move) for move in state.legal_moves()}
    same = sum(ours.get(text) == number for number, text in enumerate(BOOK_OUTPUTS))
    never = [text for text in BOOK_OUTPUTS if text not in ours]
    findings = (
        Finding("outputs", "28", str(game.action_count), game.action_count == 28),
        Finding("moves with the book's number", "28", str(same), same + len(never) == 28 and same == len(ours)),
    )
    notes = (f"Never possible from the first position: {', '.join(never)}.",) if never else ()
    return Exhibit(findings, notes)


def _positions(start: HexapawnState) -> Iterator[HexapawnState]:
    """Yields every position that can be reached, each once."""
    seen, stack = {start}, [start]
    while stack:
        state = stack.pop()
        yield state
        new = {state.play(move) for move in state.legal_moves()} - seen
        seen |= new
        stack += new


def _walk(state: HexapawnState) -> tuple[int, int]:
    """Returns how many nodes the book's walk visits, and how many of them are not terminal."""
    if state.is_over():
        return 1, 0
    below = [_walk(state.play(move)) for move in state.legal_moves()]
    return 1 + sum(nodes for nodes, _ in below), 1 + sum(going for _, going in below)


def game_states() -> Exhibit:
    """Listing 5.8: the walk that makes the training data."""
    start = Hexapawn().state()
    nodes, examples = _walk(start)
    distinct = list(_positions(start))
    going = sum(not state.is_over() for state in distinct)
    findings = (
        Finding("training examples (not terminal)", "118", str(examples), examples == 118),
        Finding("nodes of the walk", "", str(nodes), nodes == 252),
        Finding("distinct positions", "188", str(len(distinct)), len(distinct) == 135),
        Finding("of them not terminal", "", str(going), going == 70),
    )
    note = "The printed class has no __str__, so its dictionary counts objects, not positions."
    return Exhibit(findings, (note,))


def network_size() -> Exhibit:
    """Listing 5.1: the network of five hidden layers."""
    from philidor.nets.network_config import preset
    from philidor.nets.torch.model import build

    weights = build(preset("hexapawn", "hexapawn", "hexapawn"), seed=1).parameter_count
    listing = 21 * 128 + 128 + 4 * (128 * 128 + 128) + (128 * 28 + 28) + (128 + 1)
    return Exhibit((Finding("weights of the listing's layers", f"{listing:,}", f"{weights:,}", weights == listing),))


def random_against_random() -> Exhibit:
    """The last row of Tables 5.1 and 5.2, exactly."""
    odds = odds_against_random(Hexapawn(), None)
    white, black = 100 * float(odds.get(0, 0)), 100 * float(odds.get(1, 0))
    findings = (
        Finding("White wins, %", "62", f"{white:.2f}", round(white, 2) == 59.95),
        Finding("Black wins, %", "38", f"{black:.2f}", round(black, 2) == 40.05),
    )
    return Exhibit(
        findings, ("The book plays 100 games; here every line of play counts with its chance, as a fraction.",)
    )


def _trained(recipe_name: str) -> Exhibit:
    """Trains by a recipe in a folder of its own; returns the rows of the book's table."""
    from philidor.book.torch import one_thread
    from philidor.core.runs import Run
    from philidor.pipelines.recipes import load_recipe
    from philidor.pipelines.zero import ZeroLoop
    from philidor.pipelines.zero.rating import random_table
    from philidor.pipelines.zero.report import History, random_rows

    recipe = load_recipe(recipe_name)
    with tempfile.TemporaryDirectory() as folder, one_thread():
        run = Run.create("book", recipe, Path(folder))
        ZeroLoop(recipe, run, has_processes=False).go()
        rows = random_rows(History(run.metrics()), random_table(Hexapawn(), None))
    findings = []
    for name, table in rows:
        black = 100 * table["second"]
        book = {"untrained network": "66", "random player": "38"}.get(name, "100")
        is_first = name == rows[0][0]
        findings.append(Finding(f"Black wins, %: {name}", book, f"{black:.2f}", black == 100 if is_first else None))
    shares = tuple((float(place), table["second"]) for place, (_, table) in enumerate(reversed(rows[:-1])))
    chart = Chart("Black's wins against a random White", "rated network", (Series("Black", shares),), 1.0, True)
    return Exhibit(tuple(findings), ("Exact shares, not samples of games.",), (chart,))


def supervised() -> Exhibit:
    """Table 5.1: a network that learns from the solver."""
    return _trained("hexapawn-supervised")


def from_zero() -> Exhibit:
    """Table 5.2: a network that learns from playing itself."""
    return _trained("hexapawn-zero")


_RULES = "src/philidor/games/hexapawn.py"
_HERE = "src/philidor/book/chapter5.py"
ITEMS = (
    Item(
        name="fig-5.1",
        also=("5.2", "listing-5.2", "listing-5.4", "listing-5.5", "listing-5.6"),
        title="Hexapawn: Black wins",
        section="5",
        status="same",
        code=_RULES,
        run=black_wins,
    ),
    Item(
        name="listing-5.1",
        title="The network",
        section="5.1",
        status="same",
        code="src/philidor/nets/network_config.py",
        run=network_size,
        needs_torch=True,
    ),
    Item(
        name="fig-5.3",
        also=("fig-5.2", "listing-5.7"),
        title="A position as 21 bits",
        section="5.1",
        status="same",
        code="src/philidor/encodings/hexapawn.py",
        run=network_input,
    ),
    Item(
        name="listing-5.3",
        title="The numbers of the 28 moves",
        section="5.1",
        status="same",
        code=_RULES,
        run=network_outputs,
    ),
    Item(
        name="listing-5.8",
        title="All positions of the game",
        section="5.3",
        status="corrected",
        code=_HERE,
        run=game_states,
        reason="188 counts objects; there are 135 positions",
    ),
    Item(
        name="listing-5.10",
        title="Random against random, exactly",
        section="5.3",
        status="corrected",
        code="src/philidor/arena/perfection.py",
        run=random_against_random,
        reason="62 % is a sample of 100 games; it is 59.95 %",
    ),
    Item(
        name="table-5.1",
        also=("listing-5.9",),
        title="Supervised learning (takes a minute)",
        section="5.3",
        status="same",
        code="src/philidor/train/solved_data.py",
        run=supervised,
        needs_torch=True,
    ),
    Item(
        name="table-5.2",
        also=(
            "listing-5.11",
            "listing-5.12",
            "listing-5.13",
            "listing-5.14",
            "listing-5.15",
            "listing-5.16",
            "listing-5.17",
        ),
        title="Learning from self-play (takes a minute)",
        section="5.4",
        status="same",
        code="src/philidor/pipelines/zero/loop.py",
        run=from_zero,
        needs_torch=True,
    ),
)
