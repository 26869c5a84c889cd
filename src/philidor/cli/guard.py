"""What stands around each program of ours: a log, errors as one line, exit codes. The engine needs it: light."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
from collections.abc import Callable

DONE = 0


def guarded(work: Callable[[], object], *, debug: bool = False) -> int:
    """Does the work and returns its exit code. What goes wrong becomes one line; `debug` shows where it came from."""
    _setup(debug)
    before, threading.excepthook = threading.excepthook, threading.excepthook if debug else _complain_of_thread
    try:
        result = work()
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        # Here, not above: it knows the command line's own errors, whose library takes its time.
        from philidor.cli.run import describe

        code, message = describe(error)
        if debug:
            import traceback

            traceback.print_exc()
        _leave_quietly() if isinstance(error, BrokenPipeError) else _complain(message)
        return code
    finally:
        threading.excepthook = before
    return result if isinstance(result, int) else DONE


def _complain(message: str) -> None:
    if message:
        from philidor.core.errors import one_line

        print(f"philidor: {one_line(' '.join(message.split()))}", file=sys.stderr)


def _complain_of_thread(ended: threading.ExceptHookArgs) -> None:
    """Says in a line why a thread ended, of a library's too, such as TensorBoard's on a full disk."""
    logging.getLogger("philidor").warning("%s: %s", getattr(ended.thread, "name", "a thread"), ended.exc_value)


def _leave_quietly() -> None:
    """Lets the interpreter's last flush go nowhere after the reader of our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _setup(debug: bool) -> None:
    from philidor.core.log import setup_logging

    setup_logging(debug=debug)
    # What a user typed may come back in an answer, whatever the terminal can show.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
