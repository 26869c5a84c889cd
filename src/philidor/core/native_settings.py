"""Hands configs to the compiled core: its settings are filled by name.

An option of the compiled core is a field of a C++ struct, a line of its binding and a field of the config, all of one
name; nothing else has to know of it. What the config spells differently it has as a property of the native name.
"""

from __future__ import annotations

from typing import Any, TypeVar

S = TypeVar("S")


def fields(settings: object) -> list[str]:
    """Returns the names of the fields of a bound struct."""
    return [name for name, member in vars(type(settings)).items() if isinstance(member, property)]


def fill(settings: S, *sources: object, **given: Any) -> S:
    """Sets every field: as given, or else as the first source has it that knows the name; returns `settings`.

    Raises TypeError for a field that nobody knows, so that none can be forgotten.
    """
    for name in fields(settings):
        if name in given:
            value = given.pop(name)
        else:
            source = next((source for source in sources if hasattr(source, name)), None)
            if source is None:
                raise TypeError(f"nothing says what {type(settings).__name__}.{name} should be")
            value = getattr(source, name)
        setattr(settings, name, value)
    if given:
        raise TypeError(f"{type(settings).__name__} has no field {next(iter(given))!r}")
    return settings
