"""The TOML face of a config: read with the standard library, written with its help texts as comments."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from philidor.core.config import C, Dataclass, from_dict, settings
from philidor.core.errors import ConfigError


def config_from_toml(config_class: type[C], text: str, base: Mapping[str, Any] | None = None) -> C:
    """Reads a config; what the text does not name is as in `base`, or else keeps its default."""
    try:
        data = tomllib.loads(text)
    # A TOMLDecodeError is a ValueError; numbers of thousands of digits and deep nesting raise the other two.
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not TOML: {error}") from error
    return from_dict(config_class, {**(base or {}), **data})


def load_config(config_class: type[C], path: Path, base: Mapping[str, Any] | None = None) -> C:
    """Reads a config file, as `config_from_toml` does; errors name the file."""
    try:
        return config_from_toml(config_class, path.read_text(encoding="utf-8"), base)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {str(path)!r}: {error}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def config_to_toml(config: Dataclass) -> str:
    """Writes a config with every setting and its help; `config_from_toml` gives back an equal one."""
    return "\n".join(_table(config, "")).strip() + "\n"


def _table(config: Dataclass, path: str) -> list[str]:
    """Writes plain keys first: in TOML a key after a table's header belongs to that table."""
    lines: list[str] = []
    tables: list[str] = []
    for setting in settings(type(config)):
        value = getattr(config, setting.name)
        comment = [f"# {line}".rstrip() for line in setting.help.splitlines()]
        if setting.is_table and value is not None:
            name = path + setting.name
            tables += ["", *comment, f"[{name}]", *_table(value, f"{name}.")]
        elif value is None:
            # TOML has no null: the key is left out, and shown to exist.
            lines += [*comment, f"# {setting.name} ="]
        else:
            lines += [*comment, f"{setting.name} = {_value(value)}"]
    return lines + tables


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
