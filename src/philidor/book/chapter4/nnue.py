"""NNUE by counting: which inputs are on, how few change with a move, and what one SIMD instruction does (book, 4.6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from philidor.book.boards import board
from philidor.book.flows import flow_drawing
from philidor.book.items import Exhibit, Finding, Item
from philidor.core.charts import Chart, Series
from philidor.games.chess import Position
from philidor.nets.nnue.architecture import ARCHITECTURES, Architecture
from philidor.nets.nnue.files import load_network
from philidor.nets.nnue.reference import active_features, raw
from philidor.nets.shipped import DEFAULT_NET, shipped_nets

_HALFKP = ARCHITECTURES["halfkp-256"]
_PHILIDOR = "e2e4 e7e5 g1f3 d7d6 d2d4 d8e7"
"""Figure 4.14 is a picture; the text says "Philidor", "Black just played Qe7", and that Nb1-c3 is possible."""
_GAME = "e2e4 e7e5 g1f3 d7d6 d2d4 e5d4 f3d4 g8f6 b1c3 f8e7 f1e2 e8g8 e1g1 b8c6 d4c6 b7c6 c1e3 c8e6 d1d2 d8b8 b2b3 b8b4"
Array = NDArray[np.int64]


def _played(moves: str) -> Position:
    position = Position()
    for move in moves.split():
        position = position.play(move)
    return position


def _inputs(position: Position, *, is_black: bool) -> set[int]:
    return set(active_features(_HALFKP, position, is_black=is_black))


def _bit(position: Position, kind: int, is_own: bool, square: str) -> int:
    """Returns a bit of White's half: her king where it is, a piece (0 pawn to 4 queen) of hers or not on a square."""
    (king,) = position.pieces("K")
    place = "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
    index = _HALFKP.features.index(is_black=False, king=king, kind=kind, is_own=is_own, square=place)
    return int(index in _inputs(position, is_black=False))


def inputs_shown() -> Exhibit:
    """Figures 4.14 to 4.16: HalfKP's inputs, of a mirrored position, and after a move."""
    position = _played(_PHILIDOR)
    white, black = (_inputs(position, is_black=side) for side in (False, True))
    named = [
        ("own king e1, own pawn a1", 0, _bit(position, 0, True, "a1")),
        ("own king e1, own pawn a2", 1, _bit(position, 0, True, "a2")),
        ("own king e1, own rook a1", 1, _bit(position, 3, True, "a1")),
        ("own king e1, enemy pawn a7", 1, _bit(position, 0, False, "a7")),
        ("own king e1, enemy rook h8", 1, _bit(position, 3, False, "h8")),
    ]
    after = position.play("b1c3")
    off = [len(old - _inputs(after, is_black=side)) for side, old in ((False, white), (True, black))]
    on = [len(_inputs(after, is_black=side) - old) for side, old in ((False, white), (True, black))]
    features = _HALFKP.features
    pieces = features.count - features.spare * len(set(features.buckets))
    net = load_network(shipped_nets()[DEFAULT_NET])
    values = raw(net, position), raw(net, _mirrored(position))
    findings = (
        Finding("inputs of a half, without Shogi's", "40,960", f"{pieces:,}", pieces == 40_960),
        Finding("inputs of a half in Stockfish's file", "a few more", f"{_HALFKP.features.count:,}"),
        *(Finding(name, str(book), str(ours), book == ours) for name, book, ours in named),
        Finding("inputs that are on, of each half", "", f"{len(white)}, {len(black)}", len(white) == len(black) == 30),
        Finding("a mirrored position's value", "the same", f"{values[0]} and {values[1]}", values[0] == values[1]),
        Finding("Nc3: inputs switched off, in both halves", "2", str(sum(off)), off == [1, 1]),
        Finding("Nc3: inputs switched on, in both halves", "2", str(sum(on)), on == [1, 1]),
    )
    notes = (
        f"Figure 4.14 is taken to be the position after {_PHILIDOR}.",
        'The list of changes prints "knight on c3 from 1 to 0" twice; these inputs go from 0 to 1.',
    )
    panels = (
        board("Figures 4.14 and 4.15", position),
        board("After Nc3", after),
        board("Figure 4.16: mirrored", _mirrored(position)),
    )
    return Exhibit(findings, notes, panels, 3)


def _mirrored(position: Position) -> Position:
    """Returns the position with the colors swapped and the board turned over."""
    board, turn, rights, _, clock, number = position.fen().split()
    rows = "/".join(row.swapcase() for row in reversed(board.split("/")))
    swapped = "".join(sorted(rights.swapcase())) if rights != "-" else "-"
    return Position(f"{rows} {'b' if turn == 'w' else 'w'} {swapped} - {clock} {number}")


def layers_counted() -> Exhibit:
    """Figure 4.17: the layers and their weights."""
    shapes = _HALFKP.layer_shapes
    widths = [outputs for outputs, _ in shapes]
    inputs = _HALFKP.features.count * _HALFKP.width
    layers = sum(outputs * columns for outputs, columns in shapes)
    findings = (
        Finding("nodes of the first layer", "2 x 256", f"2 x {_HALFKP.width}", _HALFKP.width == 256),
        Finding("further layers", "32, 32, 1", ", ".join(map(str, widths)), widths == [32, 32, 1]),
        Finding("weights between inputs and first layer, shared by the halves", "", f"{inputs:,}"),
        Finding("weights of all other layers", "", f"{layers:,}", layers == 512 * 32 + 32 * 32 + 32),
        Finding("bytes of all", "", f"{_HALFKP.parameter_bytes:,}"),
    )
    note = "Over 99.8 % of the weights are at the input, where only some thirty of them count."
    count = f"{_HALFKP.features.count:,}"
    drawn = flow_drawing(
        "Two halves, three small layers",
        (
            [f"own king, {count} inputs", f"other king, {count} inputs"],
            [f"{_HALFKP.width} numbers", f"{_HALFKP.width} numbers"],
            *[[f"{outputs} nodes, clipped at 1"] for outputs in widths[:-1]],
            [f"{widths[-1]} node: the score"],
        ),
    )
    return Exhibit(findings, (note,), (drawn,))


def multiply_add(unsigned: Array, signed: Array) -> Array:
    """Returns what (V)PMADDUBSW does: products of 8-bit numbers, neighbors added, saturated to 16 bits."""
    sums: Array = (unsigned.reshape(-1, 2) * signed.reshape(-1, 2)).sum(axis=1)
    return sums.clip(-(2**15), 2**15 - 1)


def instructions_counted() -> Exhibit:
    """Figures 4.18 and 4.19: sums by SIMD are the same sums, with far fewer instructions."""
    random = np.random.default_rng(1)
    x, w = random.integers(0, 128, 512), random.integers(-128, 128, (32, 512))
    plain = w @ x
    blocks = [slice(first, first + 32) for first in range(0, 512, 32)]
    by_pairs = np.array([sum(multiply_add(x[block], row[block]).sum() for block in blocks) for row in w])
    is_same = bool((plain == by_pairs).all())
    worst = int(multiply_add(np.array([255, 255]), np.array([127, 127]))[0])
    most = 2 * 127 * 128
    calls, columns = 32 * 512 // 32, 256 // 16
    findings = (
        Finding("second layer: the same 32 sums", "yes", "yes" if is_same else "no", is_same),
        Finding("multiplications one by one", "", f"{32 * 512:,}"),
        Finding("instructions with 32 bytes each", "", f"{calls:,}", calls == 512),
        Finding("255 * 127 twice, in 16 bits", "", f"{worst} (saturated)", worst == 2**15 - 1),
        Finding("the most that inputs up to 127 can give", "", f"{most:,}", most <= 2**15),
        Finding("VPADDW calls for 256 numbers, AVX2", "8", str(columns), columns == 16),
    )
    notes = (
        "A 256-bit register holds 16 numbers of 16 bits, so a column takes 16 calls; 8 need AVX-512.",
        "Inputs are clipped at 127 = 1.0, which is why two products fit into 16 bits.",
    )
    inputs, weights = [f"x{number}" for number in range(1, 9)], [f"w{number}" for number in range(1, 9)]
    pairs = [f"x{n}w{n} + x{n + 1}w{n + 1}" for n in range(1, 9, 2)]
    added = [f"a{number} + b{number}" for number in range(1, 9)]
    panels = (
        flow_drawing("VPMADDUBSW: bytes in, words out", (inputs, weights, pairs)),
        flow_drawing(
            "VPADDW: words in, words out", ([f"a{n}" for n in range(1, 9)], [f"b{n}" for n in range(1, 9)], added)
        ),
    )
    return Exhibit(findings, notes, panels)


def updates_counted() -> Exhibit:
    """Section 4.6.2: how many columns are added or subtracted along a game, and by computing each position afresh."""
    position = Position()
    afresh, updated, points = 0, 0, []
    for ply, move in enumerate(_GAME.split(), start=1):
        following = position.play(move)
        for side in (False, True):
            old, new = (_inputs(each, is_black=side) for each in (position, following))
            afresh += len(new)
            # A king's move changes every input of its own half: that one is computed afresh.
            updated += min(len(old ^ new), len(new))
        position = following
        points.append((float(ply), afresh, updated))
    charts = Chart(
        "Columns of weights added or subtracted",
        "plies",
        (
            Series("each position afresh", tuple((ply, float(count)) for ply, count, _ in points)),
            Series("updated", tuple((ply, float(count)) for ply, _, count in points)),
        ),
    )
    share = afresh / updated
    ours = f"{afresh} / {updated} = {share:.1f}"
    finding = Finding("columns afresh / updated", "much simpler", ours, share > 4)
    return Exhibit((finding,), ("A game of 22 plies in which both sides castle, in HalfKP's inputs.",), (charts,))


def fat_fritz_counted() -> Exhibit:
    """Section 4.7: what Fat Fritz 2 changed in Stockfish's network, as data."""
    before, after = _HALFKP, ARCHITECTURES["fat-fritz-2"]

    def change(what: str, book: str, old: object, new: object) -> Finding:
        return Finding(what, book, f"{old} -> {new}", f"{old} -> {new}" == book)

    both = (before, after)
    findings = (
        change("numbers of the first layer", "512 -> 1024", *(2 * each.width for each in both)),
        change("second and third layer", "(32, 32) -> (16, 16)", before.hidden, after.hidden),
        change("what Black's squares are XORed with", "63 -> 56", *(each.features.orientation.mask for each in both)),
        Finding("megabytes of weights", "", " -> ".join(f"{each.parameter_bytes / 1e6:.1f}" for each in both)),
        Finding("multiplications behind the first layer", "", " -> ".join(f"{_products(each):,}" for each in both)),
        Finding("centipawns of a raw 10,000", "", " -> ".join(f"{each.centipawns(10_000)}" for each in both)),
    )
    notes = (
        "The book's constant for the output goes from 679 to 1210.",
        "`philidor train nnue --shape fat-fritz-2` trains a network of this shape.",
    )
    return Exhibit(findings, notes)


def _products(architecture: Architecture) -> int:
    return sum(outputs * inputs for outputs, inputs in architecture.layer_shapes)


_REFERENCE = "src/philidor/nets/nnue/reference.py"
_HERE = "src/philidor/book/chapter4/nnue.py"
ITEMS = (
    Item(
        name="fig-4.14",
        also=("fig-4.15", "fig-4.16"),
        title="HalfKP: what is on, mirrored, and after a move",
        section="4.6",
        status="corrected",
        code=_REFERENCE,
        run=inputs_shown,
        reason="two of the changed inputs are printed the wrong way round",
    ),
    Item(
        name="fig-4.17",
        title="The layers of NNUE",
        section="4.6",
        status="same",
        code="src/philidor/nets/nnue/architecture.py",
        run=layers_counted,
    ),
    Item(
        name="fig-4.18",
        also=("fig-4.19",),
        title="SIMD: many sums by one instruction",
        section="4.6",
        status="corrected",
        code=_HERE,
        run=instructions_counted,
        reason="256 numbers take 16 calls with 256-bit registers",
    ),
    Item(
        name="4.6-updates",
        title="Incremental update, counted along a game",
        section="4.6",
        status="experiment",
        code=_HERE,
        run=updates_counted,
    ),
    Item(
        name="4.7",
        title="What Fat Fritz 2 changed",
        section="4.7",
        status="same",
        code="src/philidor/nets/nnue/architecture.py",
        run=fat_fritz_counted,
    ),
)
