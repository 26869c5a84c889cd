"""Where the user's own data lives: unfinished games and the web board's games."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Returns the folder for the user's own data, by the platform's custom."""
    if os.environ.get("XDG_DATA_HOME"):
        return Path(os.environ["XDG_DATA_HOME"]) / "philidor"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "philidor"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "philidor"
    return Path.home() / ".local" / "share" / "philidor"
