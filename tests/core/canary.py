"""A game that tells when it is run: what no file may bring about."""

from pathlib import Path

_CODE = """
from pathlib import Path

Path({mark!r}).write_text("run")

from philidor.games.tictactoe import TicTacToe as Canary
"""


class CanaryGame:
    """A Python file that would leave a mark, and its name as a file may say it."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "mark"
        code = folder / "canary.py"
        code.write_text(_CODE.format(mark=str(self.mark)))
        self.name = f"{code}:Canary"

    @property
    def was_run(self) -> bool:
        """Whether it was loaded."""
        return self.mark.exists()
