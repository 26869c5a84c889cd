"""The parts of the book's experiments: what they show networks, how they play, and how they count."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from philidor.book import positions, show
from philidor.book.chapter2 import players
from philidor.book.chapter3 import power
from philidor.book.chapter3.numbers import MATE_IN_ONE
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.evaluation import Evaluation, Wdl
from philidor.evaluators.book import evaluate
from philidor.games.chess import Position


class LikesTheFirst:
    """Finds the first legal move likeliest, and every position won for the side to move."""

    def evaluate(self, states: Sequence[Any], /) -> list[Evaluation[Any]]:
        found = []
        for state in states:
            moves = state.legal_moves()
            priors = np.linspace(1, 0, len(moves), dtype=np.float32)
            found.append(Evaluation(tuple(moves), priors / priors.sum(), Wdl(1.0, 0.0, 0.0), None))
        return found


class CountsPieces:
    """Judges by Listing 3.2, as a network's value does: the side to move's view."""

    def evaluate(self, states: Sequence[Any], /) -> list[Evaluation[Any]]:
        found = []
        for state in states:
            share = 1 / (1 + 10 ** (-(evaluate(state) if state.to_move == 0 else -evaluate(state)) / 400))
            moves = tuple(state.legal_moves())
            found.append(Evaluation(moves, np.zeros(len(moves), dtype=np.float32), Wdl(share, 0.0, 1 - share), None))
        return found


def test_planes_hold_every_piece_once_and_bits_the_whole_fen() -> None:
    start = Position()
    planes = players.piece_planes(start).reshape(12, 64)
    assert planes.sum() == 32
    assert planes[:, 4].tolist().index(1.0) == "PNBRQKpnbrqk".index("K")
    bits = players.fen_bits(start)
    assert np.packbits(bits.astype(np.uint8)).tobytes().rstrip(b"\0").decode() == start.fen()


def test_the_policy_player_plays_the_likeliest_move_and_the_value_player_mates() -> None:
    position = Position(MATE_IN_ONE)
    first = position.uci(position.legal_moves()[0])
    assert players._by_policy(LikesTheFirst())(position) == first
    # Its network calls every position won for whoever moves; only the end of the game itself says more.
    assert players._by_value(LikesTheFirst())(position) == "h5f7"


@pytest.mark.parametrize("fen", ["4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/4p3/3Q4/8/8/4K3 b - - 0 1"])
def test_the_value_player_takes_what_is_worst_for_the_other_side(fen: str) -> None:
    assert players._by_value(CountsPieces())(Position(fen)) in ("e4d5", "e5d4")


def test_a_player_scores_half_against_itself() -> None:
    policy = players._by_policy(LikesTheFirst())
    starts = [Position(), Position(MATE_IN_ONE)]
    assert players._score(policy, policy, starts) == 0.5
    assert players._score(players._by_value(LikesTheFirst()), policy, [Position(MATE_IN_ONE)]) >= 0.5


def test_the_side_by_side_table_counts_the_book_s_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {name: move for name, (_, move) in positions.named_positions().items() if move}
    right = {position.fen(): move for position, move in positions.named_positions().values()}
    looks = {"knows": lambda position: f"{right[position.fen()] or 'a3'} +1.00", "mates": lambda position: "Qxf7# #1"}
    monkeypatch.setattr(positions, "systems", lambda net=None: {**looks, "c": looks["mates"], "d": looks["mates"]})
    shown = positions.side_by_side()
    found = {row[0]: row[1] for row in shown.tables[-1].rows}
    assert found["knows"] == f"{len(known)} of {len(known)}"
    assert found["mates"] == f"1 of {len(known)}"
    assert sum(len(table.header) - 1 for table in shown.tables[:-1]) == len(positions.named_positions())
    assert not [finding for finding in shown.findings if finding.agrees is False]


def test_games_between_engines_are_counted_from_the_first_one_s_view() -> None:
    score = power._played(4, "classic nodes=300", "classic evaluator=book nodes=1")
    assert score.games == 4
    assert score.points > 2


def test_what_a_network_is_shown_has_a_piece_where_its_move_begins() -> None:
    pytest.importorskip("torch")
    from philidor.book.chapter4.torch.heads import Data, MoveNet
    from philidor.encodings.chess_moves import flat_moves

    data = Data(40)
    own = data.planes[:, :6].sum(dim=1).reshape(40, 64)
    begins = data.answers[False] % 64
    assert bool((own[range(40), begins] == 1).all())
    assert [flat_moves()[int(place)][0] for place in data.answers[True]] == begins.tolist()
    assert MoveNet(flat_planes=0)(data.planes[:2]).shape == (2, 73 * 64)
    assert MoveNet(flat_planes=2)(data.planes[:2]).shape == (2, len(flat_moves()))


def test_items_are_shown_in_notebooks() -> None:
    shown = show("fig-4.9")
    assert "0.256, 0.922" in shown._repr_markdown_()
    assert shown._repr_html_().startswith("<h2>")
    assert "0.922" in repr(shown)
    assert (show("fig-2.4")._repr_svg_() or "").startswith("<svg")


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("2", ConfigError, "name one"),
        ("tournament", ConfigError, "philidor book tournament"),
        ("fig-3.6", ConfigError, "not reproducible"),
        ("fig-9.9", UnknownNameError, "no item of the book"),
    ],
)
def test_what_a_notebook_cannot_show_says_why(name: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        show(name)
