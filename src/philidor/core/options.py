"""The UCI face and the command-line face of a config."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

from philidor.core.config import C, Dataclass, Setting, settings, unknown_name
from philidor.core.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


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


def ignored_option(flag: str, why: str) -> ConfigError:
    """Makes the error for an option that was typed though nothing would look at it."""
    return ConfigError(f"{flag} would be ignored: {why}")


def _refuse_ignored(config: Dataclass, typed: Iterable[CliOption]) -> None:
    unused = unused_settings(config)
    for option in typed:
        for length in range(1, len(option.path) + 1):
            if option.path[:length] in unused:
                raise ignored_option(option.flag, unused[option.path[:length]])


def with_config(config_class: type[Dataclass], **base: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a typer command one option per setting and `--config FILE`; the command gets `config=`.

    Values come from the defaults, then `base`, then the file, then the options; a list that is given in several
    pieces is all of them, in their order. An option that would have no effect is refused.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        options = cli_options(config_class)
        own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.name != "config"]

        def run(*, config_file: Path | None, **given: Any) -> Any:
            chosen = {option.parameter: _joined(option.setting, given.pop(option.parameter)) for option in options}
            config = override(_starting_point(config_class, config_file, base), chosen)
            _refuse_ignored(config, (option for option in options if chosen[option.parameter] is not None))
            return command(config=config, **given)

        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in own] + _typer_parameters(options, base)
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
        return run

    return decorate


def _starting_point(config_class: type[C], file: Path | None, base: dict[str, Any]) -> C:
    from philidor.core.toml import load_config

    return load_config(config_class, file, base) if file is not None else config_class(**base)


def _typer_parameters(options: list[CliOption], base: dict[str, Any]) -> list[inspect.Parameter]:
    """Makes the keyword parameters from which typer builds the options; None, their default, means not given."""
    from pathlib import Path

    import typer

    parameters = []
    for option in options:
        info = typer.Option(
            f"{option.flag}/--no-{option.flag[2:]}" if option.setting.type is bool else option.flag,
            help=option.help(_value_in(base, option)),
            parser=None if option.setting.type is bool else _typer_parser(option),
            metavar=_metavar(option.setting),
            # A table of its own is a detail, which `--help` leaves out.
            rich_help_panel=f"Settings of {option.path[0]}" if len(option.path) > 1 else None,
            hidden=len(option.path) > 1,
        )
        kind: Any = list[Any] if option.setting.is_list else bool if option.setting.type is bool else Any
        parameters.append(_keyword(option.parameter, Annotated[kind | None, info]))
    file_help = "Read settings from a TOML file; options on the command line win."
    parameters.append(_keyword("config_file", Annotated[Path | None, typer.Option("--config", help=file_help)]))
    return parameters


def _joined(setting: Setting, value: Any) -> Any:
    """Returns what was given for a setting; of a list typer hands over one tuple for each time it was given."""
    if not setting.is_list or value is None:
        return value
    return tuple(itertools.chain.from_iterable(piece or () for piece in value))


def _value_in(base: dict[str, Any], option: CliOption) -> Any:
    """Returns what holds if the option is not given: what `base` says, however deep, or else the setting's default."""
    if option.path[0] not in base:
        return option.setting.default
    value = base[option.path[0]]
    for name in option.path[1:]:
        value = getattr(value, name)
    return value


def _shown(value: Any) -> str:
    """Writes a value as it is typed."""
    if isinstance(value, tuple):
        return ",".join(_shown(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _keyword(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _metavar(setting: Setting) -> str | None:
    if setting.type is bool:
        return None
    if setting.choices:
        return "|".join(setting.choices)
    return str(setting.type.__name__).upper() + (",..." if setting.is_list else "")


def _typer_parser(option: CliOption) -> Callable[[str], Any]:
    """Lets typer use our own reading and its errors, so that all faces say the same."""
    import typer

    def parse(value: str) -> Any:
        try:
            return option.setting.parse(value)
        except ConfigError as error:
            raise typer.BadParameter(str(error)) from error

    return parse
