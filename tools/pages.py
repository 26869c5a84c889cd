"""Builds the pages of the web board with Node.js: web/ becomes src/philidor/frontends/web/static/.

python tools/pages.py                   install what the pages are made with, if it is not there, and build them
python tools/pages.py --look            only say in one line what is missing to do so
python tools/pages.py --for-wheel FILE  build them unless they are newer than web/; where that fails, FILE says why
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src/philidor/frontends/web/static"
OLDEST_NODE = 18
NOT_SOURCES = {"node_modules", "build"}

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


def are_current() -> bool:
    """Says whether the pages are there and none of their sources is newer."""
    page = STATIC / "index.html"
    if not page.is_file():
        return False
    sources = (
        path for folder in WEB.iterdir() if folder.name not in NOT_SOURCES for path in (folder, *folder.rglob("*"))
    )
    return page.stat().st_mtime >= max(path.stat().st_mtime for path in sources if path.is_file())


def run() -> str | None:
    """Builds; says which command failed."""
    for command in build():
        # By its whole path: on Windows npm is a script, which only the shell would find.
        code = subprocess.run([shutil.which(command[0]) or command[0], *command[1:]]).returncode
        if code:
            return f"{' '.join(word for word in command if word != str(WEB))} failed with exit code {code}"
    return None


def build_for_wheel(reason_file: Path) -> None:
    """Builds what a wheel lacks. A wheel without pages is better than none; it carries the reason along."""
    reason_file.unlink(missing_ok=True)
    if are_current():
        return
    problem = missing() or run()
    if problem is None:
        return
    is_there = (STATIC / "index.html").is_file()
    print(f"philidor: {problem} ({'older pages are used' if is_there else 'the wheel will have no web board'})")
    if not is_there:
        reason_file.write_text(f"{problem}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Builds; the exit code is 1 when something is missing or fails, unless it is for a wheel."""
    if arguments[:1] == ["--for-wheel"]:
        build_for_wheel(Path(arguments[1]))
        return 0
    problem = missing()
    if problem:
        print(f"philidor: {problem} (without it: make play ARGS=--terminal)", file=sys.stderr)
        return 1
    if arguments == ["--look"]:
        return 0
    return 1 if run() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
