"""The UCI face of a config, and what its command-line face is made of: names, help texts, overriding."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from philidor.core.config import C, Dataclass, Setting, settings, unknown_name


def uci_options(config: Dataclass) -> list[str]:
    """Writes the "option name ..." lines of a config; its values are the defaults."""
    return [
        f"option name {setting.uci_name} type {_uci_type(setting, getattr(config, setting.name))}"
        for setting in settings(type(config))
        if setting.uci_name is not None
    ]


def set_uci_option(config: C, name: str, value: str) -> C:
    """Returns the config after "setoption name NAME value VALUE". UCI names are blind to case."""
    known = {setting.uci_name: setting for setting in settings(type(config)) if setting.uci_name is not None}
    for uci_name, setting in known.items():
        if uci_name.lower() == name.strip().lower():
            shown = dataclasses.replace(setting, name=uci_name)
            value = _spelled_as_choice(setting, value.strip())
            if setting.type.__name__ == "Path" and not setting.is_optional and value.lower() in ("", "<empty>"):
                return dataclasses.replace(
                    config, **{setting.name: setting.default}
                )  # no file is the file it ships with
            return dataclasses.replace(config, **{setting.name: shown.parse(value)})
    raise unknown_name("option", name, name, list(known))


def _uci_type(setting: Setting, value: Any) -> str:
    if setting.choices:
        return f"combo default {value} " + " ".join(f"var {choice}" for choice in setting.choices)
    if setting.type is bool:
        return f"check default {'true' if value else 'false'}"
    if setting.type is int and not setting.is_list and not setting.is_optional:
        # The protocol wants both bounds; 2**31 - 1 is the largest number every GUI can hold.
        low = -(2**31) if setting.minimum is None else int(setting.minimum)
        high = 2**31 - 1 if setting.maximum is None else int(setting.maximum)
        return f"spin default {value} min {low} max {high}"
    return f"string default {'<empty>' if value is None or value == '' else _shown(value)}"


def _spelled_as_choice(setting: Setting, value: str) -> str:
    """UCI values of combos are blind to case as well."""
    return next((choice for choice in setting.choices if choice.lower() == value.lower()), value)


@dataclasses.dataclass(frozen=True, slots=True)
class CliOption:
    """What `--help` shows of one setting."""

    setting: Setting
    path: tuple[str, ...]
    """The setting's place among nested tables."""

    @property
    def flag(self) -> str:
        """The option as typed: --c-puct, --search-c-puct."""
        return "--" + "-".join(self.path).replace("_", "-")

    @property
    def parameter(self) -> str:
        """The Python parameter that carries the value."""
        return "_".join(self.path)

    def help(self, default: Any) -> str:
        """Returns the help text with the allowed values and the default."""
        notes = [self.setting.range] if self.setting.range else []
        if default is not dataclasses.MISSING and default is not None and default != ():
            notes.insert(0, f"default {_shown(default)}")
        return f"{self.setting.help} ({'; '.join(notes)})".replace("\n", " ").replace(" ()", "").lstrip()


def cli_options(config_class: type[Dataclass], path: tuple[str, ...] = ()) -> list[CliOption]:
    """Lists the command-line options of a config, those of its nested tables included."""
    options: list[CliOption] = []
    for setting in settings(config_class):
        here = (*path, setting.name)
        options += cli_options(setting.type, here) if setting.is_table else [CliOption(setting, here)]
    return options


def override(config: C, given: dict[str, Any]) -> C:
    """Returns `config` with the values of options that were given; None means not given.

    `given` has the parameter names of `cli_options`, its values are text or of the right type already.
    """
    by_name = {option.parameter: option for option in cli_options(type(config))}
    changes: dict[tuple[str, ...], Any] = {}
    for name, value in given.items():
        if name not in by_name:
            raise unknown_name("setting", name, name, list(by_name))
        if value is not None:
            setting = by_name[name].setting
            changes[by_name[name].path] = setting.parse(value) if isinstance(value, str) else setting.check(value)
    return _replace_all(config, changes)


def _replace_all(config: C, changes: dict[tuple[str, ...], Any]) -> C:
    """Changes values, however deep they lie, all at once: what depends on each other is checked together."""
    values = {path[0]: value for path, value in changes.items() if len(path) == 1}
    for table in dict.fromkeys(path[0] for path in changes if len(path) > 1):
        inner = {path[1:]: value for path, value in changes.items() if path[0] == table}
        values[table] = _replace_all(getattr(config, table), inner)
    return dataclasses.replace(config, **values)


def unused_settings(config: Dataclass) -> dict[tuple[str, ...], str]:
    """Returns the settings that the others leave without effect, by their path, and why.

    A config says so by a method `unused`, which returns reasons by the name of a setting or of a whole table.
    """
    say: Callable[[], dict[str, str]] | None = getattr(config, "unused", None)
    found = {tuple(name.split(".")): why for name, why in (say() if say is not None else {}).items()}
    for setting in settings(type(config)):
        if setting.is_table:
            inner = unused_settings(getattr(config, setting.name))
            found |= {(setting.name, *path): why for path, why in inner.items()}
    return found


def _shown(value: Any) -> str:
    """Writes a value as it is typed."""
    if isinstance(value, tuple):
        return ",".join(_shown(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
