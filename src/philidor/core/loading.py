"""Loads what a table or a user names: "module:name" or "file.py:name"."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from philidor.core.errors import LoadError, nearest_name


def load_object(spec: str) -> Any:
    """Returns the object that `spec` names; a module is also looked for as a file in the current folder."""
    module_name, _, name = spec.rpartition(":")
    if not module_name or not name:
        raise LoadError(f"expected 'module:name' or 'file.py:name', got {spec!r}")
    try:
        module = _load_module(module_name)
    # Whatever the user's file raises while it is loaded, the cause is in that file; --debug shows where.
    except Exception as error:
        raise LoadError(f"cannot load {module_name!r}: {type(error).__name__}: {error}") from error
    try:
        return getattr(module, name)
    except AttributeError:
        nearest = nearest_name(name, vars(module))
        advice = f"; did you mean {nearest!r}?" if nearest else ""
        raise LoadError(f"{module_name!r} has no {name!r}{advice}") from None


def _load_module(name: str) -> ModuleType:
    if name.endswith(".py"):
        return _load_file(Path(name))
    beside = Path(*name.split(".")).with_suffix(".py")
    if importlib.util.find_spec(name.partition(".")[0]) is None and beside.is_file():
        return _load_file(beside)
    return importlib.import_module(name)


def _load_file(path: Path) -> ModuleType:
    """Imports a file once; its module's name holds a digest of the path, as two files may share a stem."""
    # Here, not above: the engine's start goes through this module, and loads no file.
    import hashlib

    path = path.resolve(strict=True)
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    # Registered first: dataclasses look their own module up while it runs.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
