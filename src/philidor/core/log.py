"""Logging set-up: warnings on stderr for users, everything for `--debug`; stdout belongs to results and protocols."""

import logging
import sys
from pathlib import Path

_FORMAT = "%(levelname)s: %(message)s"
_DEBUG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def setup_logging(*, debug: bool = False, file: Path | None = None) -> None:
    """Sends the package's log to stderr, and all of it to `file` where one is given. May be called again.

    Only the "philidor" logger is touched: a program that uses us as a library keeps its own logging.
    """
    logger = logging.getLogger("philidor")
    for old in logger.handlers[:]:
        logger.removeHandler(old)
        old.close()
    console = logging.StreamHandler(sys.stderr)
    console.setLevel(logging.DEBUG if debug else logging.WARNING)
    console.setFormatter(logging.Formatter(_DEBUG_FORMAT if debug else _FORMAT))
    logger.addHandler(console)
    if file is not None:
        everything = logging.FileHandler(file, encoding="utf-8")
        everything.setFormatter(logging.Formatter(_DEBUG_FORMAT))
        logger.addHandler(everything)
    logger.setLevel(logging.DEBUG if debug or file is not None else logging.INFO)
    logger.propagate = False
