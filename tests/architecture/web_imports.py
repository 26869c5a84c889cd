"""Reads the imports of the web board's pages and says which of them break the order of the rooms, or go in a circle."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

# A room is a folder of web/src or a file beside them; it imports only what stands below it. Those in one line do not
# see each other. web/README.md says what each is for.
LAYERS = (
    ("main", "theme"),
    ("routes",),
    ("pages", "analysis", "runs"),
    ("play", "newgame", "inside"),
    ("go",),
    ("board",),
    ("shell",),
    ("dialogs", "chess"),
    ("keys", "fields", "sound"),
    ("settings",),
    ("dom", "charsets", "server"),
)
LEVELS = {room: -height for height, rooms in enumerate(LAYERS) for room in rooms}
# `import 'x'`, `import ... from 'x'`, `export ... from 'x'` and `import('x')`.
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"]+)\1""")


def room_of(module: str) -> str:
    """Returns the room of a module, which is a path from web/src without its ending."""
    return module.split("/", maxsplit=1)[0]


def imports(module: str, text: str) -> Iterator[str]:
    """Yields the modules of ours that a module imports."""
    for _, target in IMPORT.findall(text):
        if target.startswith("."):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(module), target))


def violations(module: str, text: str) -> Iterator[str]:
    """Yields a line for each import that does not lead down."""
    room = room_of(module)
    if room not in LEVELS:
        yield f"{module}: {room!r} is not a room"
        return
    for target in imports(module, text):
        other = room_of(target)
        if other not in LEVELS:
            yield f"{module}: {other!r} is not a room: {target}"
        elif other != room and LEVELS[other] >= LEVELS[room]:
            yield f"{module}: {room} does not stand above {other}: {target}"


def circle(texts: Mapping[str, str]) -> list[str]:
    """Returns modules that import each other in a circle, the first again as the last; none if there is no circle."""
    sorter = TopologicalSorter({module: set(imports(module, text)) for module, text in texts.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
