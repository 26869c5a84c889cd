"""The built pages, read into memory at start: no path from a request ever reaches the file system."""

from __future__ import annotations

import hashlib
import mimetypes
import os
import re
from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import PhilidorError

STATIC = Path(__file__).parent / "static"
"""Where the build of web/ puts its files; the wheel has them."""
_WHY_MISSING = Path(__file__).parent / "pages-missing.txt"
"""Where a wheel that was built without pages says why (tools/pages.py)."""

# Addresses that are all the same page: it looks at the address itself.
_ROUTES = re.compile(
    r"/(?:games|new|editor|inside|settings|game/[a-z0-9]{1,40}|analysis(?:/(?:file/)?[a-z0-9]{1,40})?"
    r"|runs(?:/[A-Za-z0-9._-]{1,200})?)?"
)
_HASHED = re.compile(r"[-.][0-9A-Za-z]{8,}\.[a-z0-9]+")
# Python's table depends on the machine; these are what browsers insist on.
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class PagesMissingError(PhilidorError):
    """The pages were not built."""


@dataclass(frozen=True, slots=True)
class Page:
    """One file as it is sent."""

    body: bytes
    media_type: str
    etag: str
    cache_control: str


class Pages:
    """All files by their address."""

    def __init__(self, folder: Path | None = None) -> None:
        """Reads a folder: $PHILIDOR_PAGES, for who works on the pages, or the built one. Raises PagesMissingError."""
        folder = folder or Path(os.environ.get("PHILIDOR_PAGES") or STATIC)
        if not (folder / "index.html").is_file():
            advice = f"{how_to_get_pages()}, or play with 'philidor play --terminal'"
            raise PagesMissingError(f"the pages of the web board are not built: {advice}")
        files = (path for path in folder.rglob("*") if path.is_file())
        self._pages = {f"/{path.relative_to(folder).as_posix()}": _read(path) for path in files}

    def find(self, address: str) -> Page | None:
        """Returns what an address shows, or None."""
        return self._pages["/index.html"] if _ROUTES.fullmatch(address) else self._pages.get(address)


def how_to_get_pages() -> str:
    """Returns what to do where the pages are missing, and why they are, if that is known."""
    if not _WHY_MISSING.is_file():
        return "run 'make web' in the source folder (it needs Node.js)"
    reason = " ".join(_WHY_MISSING.read_text(encoding="utf-8").split())
    return f"when philidor was installed, {reason}; then 'pip install --force-reinstall --no-cache-dir' it again"


def _read(path: Path) -> Page:
    body = path.read_bytes()
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    is_hashed = _HASHED.search(path.name) is not None
    cache = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
    return Page(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:32]}"', cache)
