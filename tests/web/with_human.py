"""`philidor` with a small network for the player human, which nobody has trained: for tests of the board.

    python with_human.py play ...

PHILIDOR_TEST_NETS names the folder of the network. PHILIDOR_TEST_GESTURE lets the player do something at its every
turn: "resign" or "offer_draw".
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from philidor import cli
from philidor.core.manners import Gesture
from philidor.nets import shipped
from philidor.players.human import HumanPlayer

if __name__ == "__main__":
    # Before the folders of those that ship: their network may be there already.
    shipped._FOLDERS = (Path(os.environ["PHILIDOR_TEST_NETS"]), *shipped._FOLDERS)
    if "PHILIDOR_TEST_GESTURE" in os.environ:
        gesture = Gesture(os.environ["PHILIDOR_TEST_GESTURE"])
        HumanPlayer.gesture = lambda self, state: gesture if self.config.resigns else None  # type: ignore[method-assign]
    sys.exit(cli.main(sys.argv[1:]))
