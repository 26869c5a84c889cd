"""Settings: one dataclass field with three faces, a TOML key, a command-line option and a UCI option.

A config is a frozen dataclass beside the code it steers. The docstring under a field is its help text, its
metadata (`spin`, `real`, `check`, `combo`, `text`) its range and its UCI name:

    @dataclass(frozen=True, slots=True, kw_only=True)
    class PuctConfig:
        simulations: int = field(default=800, metadata=spin("Simulations", 1, 1_000_000))
        \"\"\"Leaf evaluations per move.\"\"\"

        def __post_init__(self) -> None:
            validate(self)

This module describes and checks; toml.py and options.py make the faces.
"""

import ast
import dataclasses
import inspect
import itertools
import textwrap
import types
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from philidor.core.errors import ConfigError, nearest_name


class Dataclass(Protocol):
    """Any dataclass instance."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


C = TypeVar("C", bound=Dataclass)
_KEY = "philidor.setting"


def spin(name: str | None = None, minimum: int | None = None, maximum: int | None = None) -> dict[str, Any]:
    """Describes an integer and its range; `name` is the UCI option, None for no UCI face."""
    return {_KEY: {"uci_name": name, "minimum": minimum, "maximum": maximum}}


def real(name: str | None = None, minimum: float | None = None, maximum: float | None = None) -> dict[str, Any]:
    """Describes a float and its range. UCI has no such type; there it is a string option."""
    return {_KEY: {"uci_name": name, "minimum": minimum, "maximum": maximum}}


def check(name: str | None = None) -> dict[str, Any]:
    """Describes a switch."""
    return {_KEY: {"uci_name": name}}


def combo(name: str | None, choices: Sequence[str]) -> dict[str, Any]:
    """Describes a choice among names."""
    return {_KEY: {"uci_name": name, "choices": tuple(choices)}}


def text(name: str | None = None) -> dict[str, Any]:
    """Describes free text or a path."""
    return {_KEY: {"uci_name": name}}


@dataclasses.dataclass(frozen=True, slots=True)
class Setting:
    """One field of a config, described."""

    owner: type[Dataclass]
    """The config class."""
    name: str
    type: Any
    """bool, int, float, str, Path, or a config dataclass; the type of the items if `is_list`."""
    is_list: bool
    is_optional: bool
    default: Any
    """`dataclasses.MISSING` where the user has to choose."""
    uci_name: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def help(self) -> str:
        """The docstring under the field."""
        return _field_docs(self.owner).get(self.name, "")

    @property
    def is_table(self) -> bool:
        """Whether the value is a config of its own: a TOML table."""
        return dataclasses.is_dataclass(self.type)

    @property
    def expected(self) -> str:
        """The allowed values in words, for error messages."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.is_table:
            return "a table"
        words = {bool: "true or false", int: "an integer", float: "a number", str: "text", Path: "a path"}[self.type]
        if self.range:
            words += f" {'of' if self.range.startswith('at') else 'from'} {self.range}"
        return f"a list, each {words}" if self.is_list else words

    @property
    def range(self) -> str:
        """The limits of a number in words; empty if it has none."""
        low, high = self.minimum, self.maximum
        if low is not None and high is not None:
            return f"{low} to {high}"
        if low is not None:
            return f"at least {low}"
        return "" if high is None else f"at most {high}"

    def check(self, value: Any, where: str = "") -> Any:
        """Returns `value` in its proper type; raises ConfigError if it has no place here."""
        if value is None and self.is_optional:
            return None
        if self.is_list:
            if not isinstance(value, list | tuple):
                raise self.error(value, where)
            return tuple(self._check_item(item, value, where) for item in value)
        return self._check_item(value, value, where)

    def parse(self, value: str, where: str = "") -> Any:
        """Reads the value's text, as typed on a command line or sent by a UCI program."""
        if self.is_optional and value in ("", "<empty>", "none"):
            return None
        if self.is_list:
            items = [item.strip() for item in value.split(",") if item.strip()]
            return tuple(self._check_item(self._parse_item(item), value, where) for item in items)
        return self._check_item(self._parse_item(value), value, where)

    def error(self, value: Any, where: str = "") -> ConfigError:
        """Makes the error for a value that does not fit."""
        return ConfigError(f"{where}{self.name} must be {self.expected}, got {value!r}")

    def _parse_item(self, value: str) -> Any:
        if self.type is bool:
            return {"true": True, "false": False}.get(value.strip().lower(), value)
        if self.type in (int, float):
            try:
                return self.type(value)
            except ValueError:
                return value
        return value

    def _check_item(self, item: Any, value: Any, where: str) -> Any:
        if self.type is float and type(item) is int:
            item = float(item)
        if self.type is Path and isinstance(item, str):
            item = Path(item)
        # bool is an int to Python, but `threads = true` is a mistake.
        if not isinstance(item, self.type) or (self.type is int and isinstance(item, bool)):
            raise self.error(value, where)
        if self.choices and item not in self.choices:
            raise self.error(value, where)
        # Written so that a NaN fails both comparisons and with them the check.
        if self.minimum is not None and not item >= self.minimum:
            raise self.error(value, where)
        if self.maximum is not None and not item <= self.maximum:
            raise self.error(value, where)
        return item


@cache
def settings(config_class: type[Dataclass]) -> tuple[Setting, ...]:
    """Describes the fields of a config class, in their order."""
    hints = get_type_hints(config_class)
    described = []
    for field in dataclasses.fields(config_class):
        kind, is_list, is_optional, choices = _read_annotation(hints[field.name])
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        extra = {"choices": choices, **field.metadata.get(_KEY, {})}
        described.append(Setting(config_class, field.name, kind, is_list, is_optional, default, **extra))
    return tuple(described)


def validate(config: Dataclass) -> None:
    """Checks all fields against their descriptions; for `__post_init__`."""
    for setting in settings(type(config)):
        setting.check(getattr(config, setting.name))


def from_dict(config_class: type[C], data: Mapping[str, Any], where: str = "") -> C:
    """Builds a config from plain data; unknown keys are errors that name the nearest key. `where` is its path."""
    known = {setting.name: setting for setting in settings(config_class)}
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in known:
            raise unknown_name("setting", where + key, key, list(known), where)
        setting = known[key]
        if setting.is_table and isinstance(value, Mapping):
            values[key] = from_dict(setting.type, value, f"{where}{key}.")
        else:
            values[key] = setting.check(value, where)
    for setting in known.values():
        if setting.default is dataclasses.MISSING and setting.name not in values:
            raise ConfigError(f"{where}{setting.name} is missing: it must be {setting.expected}")
    return config_class(**values)


def to_dict(config: Dataclass) -> dict[str, Any]:
    """Returns plain data that `from_dict` reads back; None is left out."""
    plain: dict[str, Any] = {}
    for setting in settings(type(config)):
        value = getattr(config, setting.name)
        if value is None:
            continue
        if setting.is_table:
            plain[setting.name] = to_dict(value)
        elif setting.is_list:
            plain[setting.name] = [str(item) if isinstance(item, Path) else item for item in value]
        else:
            plain[setting.name] = str(value) if isinstance(value, Path) else value
    return plain


def unknown_name(kind: str, shown: str, name: str, known: list[str], where: str = "") -> ConfigError:
    """Makes the error for a name that no setting has."""
    nearest = nearest_name(name, known)
    advice = f"did you mean {where + nearest!r}?" if nearest else f"known: {', '.join(known)}"
    return ConfigError(f"no {kind} {shown!r}; {advice}")


def _read_annotation(hint: Any) -> tuple[Any, bool, bool, tuple[str, ...]]:
    """Takes a field's type apart: (scalar type, is a list, is optional, literal choices)."""
    is_optional = False
    if get_origin(hint) in (Union, types.UnionType):
        members = [member for member in get_args(hint) if member is not type(None)]
        assert len(members) == 1, f"a setting is one type or None, not {hint}"
        hint, is_optional = members[0], True
    is_list = get_origin(hint) is tuple
    if is_list:
        hint = get_args(hint)[0]
    if get_origin(hint) is Literal:
        return str, is_list, is_optional, get_args(hint)
    assert hint in (bool, int, float, str, Path) or dataclasses.is_dataclass(hint), f"no setting can be a {hint}"
    return hint, is_list, is_optional, ()


@cache
def _field_docs(config_class: type) -> dict[str, str]:
    """Reads the docstrings under the fields, which Python itself throws away, from the class's source."""
    docs: dict[str, str] = {}
    for base in reversed(config_class.__mro__):
        if not dataclasses.is_dataclass(base):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError):  # no source, as in an interactive session: help is empty, all else works
            continue
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for field, doc in itertools.pairwise(body):
            if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
                continue
            if isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant):
                docs[field.target.id] = inspect.cleandoc(str(doc.value.value))
    return docs
