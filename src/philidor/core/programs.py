"""Where other programs are, such as chess engines."""

import shutil

# Debian puts games where only some shells look; root's does not.
_GAMES = "/usr/games:/usr/local/games"


def find_program(name: str) -> str | None:
    """Returns the path of a program that is named as in a shell: on the PATH, or where Debian has its games."""
    return shutil.which(name) or shutil.which(name, path=_GAMES)
