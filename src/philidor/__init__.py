"""philidor: every system of the book "Neural Networks for Chess" as one program.

The names below are loaded when first used, so that `import philidor` stays quick.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from philidor import chess
    from philidor.evaluators.loading import load_net
    from philidor.games import load_game
    from philidor.players import load_engine
    from philidor.reviews import review

    __version__: str

__all__ = ["__version__", "chess", "load_engine", "load_game", "load_net", "review"]

# Public name -> (module, attribute); an empty attribute is the module itself.
_LAZY = {
    "chess": ("philidor.chess", ""),
    "load_game": ("philidor.games", "load_game"),
    "load_net": ("philidor.evaluators.loading", "load_net"),
    "load_engine": ("philidor.players", "load_engine"),
    "review": ("philidor.reviews", "review"),
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        value: object = _version()
    elif name in _LAZY:
        import importlib

        module_name, attribute = _LAZY[name]
        module = importlib.import_module(module_name)
        value = getattr(module, attribute) if attribute else module
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _version() -> str:
    """Returns the version that a source tree's pyproject.toml declares, or the installed one."""
    from pathlib import Path

    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    if pyproject.is_file():
        # Line by line: a parser for it would take longer to load than the rest of the engine's first answer.
        for line in pyproject.read_text(encoding="utf-8").splitlines():
            if line.startswith("version = "):
                return line.split('"')[1]
    from importlib import metadata

    return metadata.version("philidor")
