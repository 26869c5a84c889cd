"""Refuses to start worker processes from a script that would start them again in each of the processes.

A spawned process imports the script it came from. What stands outside of `if __name__ == "__main__":` runs there too,
and Python's own error for that is forty lines long, in another process, and does not name the line.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import FrameType

from philidor.core.errors import ScriptError


def check_main_guard() -> None:
    """Raises ScriptError where the running script is at a line that each of its worker processes would run too."""
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    frame: FrameType | None = sys._getframe()
    while frame is not None and not (frame.f_code.co_name == "<module>" and frame.f_globals is vars(main)):
        frame = frame.f_back
    if path is None or frame is None:  # typed in, or called by another thread
        return
    try:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):  # frozen, zipped, or changed since
        return
    if not any(_guards(statement, frame.f_lineno) for statement in tree.body):
        raise ScriptError(
            f"line {frame.f_lineno} of {path!r} starts worker processes, and each of them imports that file: "
            'put the line under `if __name__ == "__main__":`'
        )


def _guards(statement: ast.stmt, line: int) -> bool:
    """Says whether a statement asks for `__name__` before it comes to this line."""
    if not isinstance(statement, ast.If) or not statement.lineno <= line <= (statement.end_lineno or 0):
        return False
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(statement.test))
