"""Reads lines from the keyboard, with editing, history and completion, or from a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence


class Keyboard:
    """Called with a prompt, returns a line; raises EOFError when there is no more."""

    def __init__(self, words: Callable[[], Sequence[str]]) -> None:
        """`words` says what may be typed now, for the Tab key."""
        self._words = words
        self._is_terminal = sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no move either
        if self._is_terminal:
            self._set_up_completion()

    def __call__(self, prompt: str) -> str:
        """Reads a line; one that comes from a pipe is shown as if it had been typed."""
        line = input(prompt)
        if not self._is_terminal:
            print(line, flush=True)
        return line

    def _set_up_completion(self) -> None:
        try:
            import readline
        except ImportError:  # no line editing on this platform; `input` works all the same
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ")
        is_editline = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")

    def _complete(self, start: str, index: int) -> str | None:
        matches = [word for word in self._words() if word.lower().startswith(start.lower())]
        return matches[index] if index < len(matches) else None
