"""What everybody but the rules wants to know of Go."""

from philidor.core.descriptor import Descriptor, GameOption, GridDrawing, Piece, Sizes
from philidor.games.go.board import LETTERS
from philidor.games.go.rules import KO_RULES

GO = Descriptor(
    name="go",
    title="Go",
    rules=(
        "Black and White put stones on the crossings in turn, or pass. Stones of one color that touch along the lines "
        "are a chain; a chain without an empty point beside it is taken off.\n\n"
        "No stone may be put where its own chain would have no empty point beside it, unless it takes something; no "
        "move may make an earlier board again, so a stone that was just taken cannot be taken back at once (ko).\n\n"
        "Two passes end the game. Each side has a point for every stone on the board and every empty point that only "
        "its stones surround; White has komi besides, for moving second. In the browser, stones that cannot live are "
        "then marked as dead and taken off; elsewhere the board counts as it stands, so take them before you pass."
    ),
    sides=("Black", "White"),
    sizes=Sizes(usual=(19, 19), width=(5, 19), height=(5, 19), is_square=True),
    options=(
        GameOption(name="komi", title="Komi", default=7.5, minimum=-1000, maximum=1000),
        GameOption(name="ko", title="Ko", default="positional", choices=KO_RULES),
        GameOption(name="suicide", title="Suicide", default="no", choices=("no", "yes")),
    ),
    native="go",
    drawing=GridDrawing(
        pieces={"X": Piece("black stone", 0, "\N{BLACK CIRCLE}"), "O": Piece("white stone", 1, "\N{WHITE CIRCLE}")},
        style="points",
        art="stones",
        columns=LETTERS,
    ),
)
"""Go, whatever its size and options."""
