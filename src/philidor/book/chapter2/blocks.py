"""The items of chapter 2 that need PyTorch, which is asked for when one runs, and the inputs of ch. 2.14."""

from __future__ import annotations

from philidor.book.chapter2.diagrams import network_drawing
from philidor.book.items import Exhibit, Finding, Item

_LISTINGS = "src/philidor/book/chapter2/torch/listings.py"
_BLOCKS = "src/philidor/book/chapter2/torch/blocks.py"
_BISHOP_G2 = "rnbqkbnr/pppppppp/8/8/8/6P1/PPPPPPBP/RNBQK1NR w KQkq - 0 1"
_BISHOP_F3 = "rnbqkbnr/pppppppp/8/8/8/5BP1/PPPPPP1P/RNBQK1NR b KQkq - 0 1"


def _in_torch() -> Exhibit:
    from philidor.book.chapter2.torch.listings import listings_in_torch

    return listings_in_torch()


def _excitation() -> Exhibit:
    from philidor.book.chapter2.torch.blocks import excitation_weighs_channels

    return excitation_weighs_channels()


def _normalization() -> Exhibit:
    from philidor.book.chapter2.torch.blocks import normalization_helps_depth

    return normalization_helps_depth()


def _skips() -> Exhibit:
    from philidor.book.chapter2.torch.blocks import skips_help_depth

    shown = skips_help_depth()
    drawing = network_drawing("x_0 is added before the last activation", (["x_0"], ["W_1"], ["W_2"], ["+ x_0"]))
    return Exhibit(shown.findings, shown.notes, (*shown.panels, drawing))


def fen_bits_and_planes() -> Exhibit:
    """Figures 2.20 and 2.21: a bishop moves one square, and how much of the network's input changes."""
    import numpy as np

    from philidor.book.boards import board
    from philidor.encodings.alphazero import AlphaZeroEncoding
    from philidor.games.chess import Position

    texts = [np.unpackbits(np.frombuffer(fen.encode(), dtype=np.uint8)) for fen in (_BISHOP_G2, _BISHOP_F3)]
    shorter = min(map(len, texts))
    bits = int((texts[0][:shorter] != texts[1][:shorter]).sum()) + abs(len(texts[0]) - len(texts[1]))
    encoding = AlphaZeroEncoding()
    # The same side to move in both: the question is what the bishop changes.
    planes = [encoding.planes(Position(fen.replace(" b ", " w ")))[0] for fen in (_BISHOP_G2, _BISHOP_F3)]
    changed = sum((a ^ b).bit_count() for a, b in zip(*planes, strict=True))
    findings = (
        Finding("bits of the FEN text that change", "quite different", f"{bits} of {max(map(len, texts))}", bits > 20),
        Finding("bits of AlphaZero's planes that change", "", f"{changed} of {64 * len(planes[0])}", changed < bits),
    )
    note = "Positions that are alike should look alike: planes do, text does not (ch. 4.3.1)."
    panels = (board("Figure 2.20", Position(_BISHOP_G2)), board("Figure 2.21", Position(_BISHOP_F3)))
    return Exhibit(findings, (note,), panels)


ITEMS = (
    Item(
        name="2.4",
        title="The same listings in PyTorch",
        section="2.4",
        status="same",
        code=_LISTINGS,
        run=_in_torch,
        needs_torch=True,
    ),
    Item(
        name="2.9",
        title="Squeeze and excitation",
        section="2.9",
        status="experiment",
        code=_BLOCKS,
        run=_excitation,
        needs_torch=True,
    ),
    Item(
        name="2.11-norm",
        title="Batch normalization",
        section="2.11",
        status="experiment",
        code=_BLOCKS,
        run=_normalization,
        needs_torch=True,
    ),
    Item(
        name="fig-2.19",
        also=("2.12",),
        title="Residual layers: depth with and without skips",
        section="2.12",
        status="experiment",
        reason="the book draws the block; here networks with and without it are trained",
        code=_BLOCKS,
        run=_skips,
        needs_torch=True,
    ),
    Item(
        name="fig-2.20",
        also=("fig-2.21",),
        title="A position as text and as planes",
        section="2.14",
        status="same",
        code="src/philidor/book/chapter2/blocks.py",
        run=fen_bits_and_planes,
    ),
)
