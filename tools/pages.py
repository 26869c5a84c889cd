"""Builds the pages of the web board with Node.js: web/ becomes src/philidor/frontends/web/static/.

python tools/pages.py            install what the pages are made with, if it is not there, and build them
python tools/pages.py --look     only say in one line what is missing to do so
"""

import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"
OLDEST_NODE = 18

Command = list[str]


def missing() -> str | None:
    """Says what the machine lacks to build the pages."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return f"Node.js {OLDEST_NODE} or newer with npm is missing; on Debian: apt install nodejs npm"
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    if not version.startswith("v") or int(version[1:].split(".")[0]) < OLDEST_NODE:
        return f"Node.js {OLDEST_NODE} or newer is needed to build the pages, got {version or 'no version'}"
    return None


def npm(*arguments: str) -> Command:
    """An npm command for the pages."""
    return ["npm", "--prefix", str(WEB), *arguments]


def installation() -> list[Command]:
    """The command that fetches the libraries in their locked versions; none when they are there."""
    installed, locked = WEB / "node_modules/.package-lock.json", WEB / "package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= locked.stat().st_mtime:
        return []
    return [npm("ci", "--no-audit", "--no-fund")]


def build() -> list[Command]:
    """Everything that makes the pages."""
    return [*installation(), npm("run", "--silent", "build")]


def main(arguments: list[str]) -> int:
    """Builds; the exit code is 1 when something is missing or fails."""
    problem = missing()
    if problem:
        print(f"philidor: {problem} (without it: make play ARGS=--terminal)", file=sys.stderr)
        return 1
    if arguments == ["--look"]:
        return 0
    return next((code for command in build() if (code := subprocess.run(command).returncode)), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
