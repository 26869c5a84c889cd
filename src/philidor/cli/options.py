"""Options of commands, one per setting: of one config, or of all those that a choice of algorithms or players has."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.core.config import C, Dataclass, Setting
from philidor.core.errors import ConfigError
from philidor.core.options import CliOption, cli_options, override, unused_settings

Command = Callable[..., Any]


# --- One config ---------------------------------------------------------------------------------------------


def with_config(config_class: type[Dataclass], **base: Any) -> Callable[[Command], Command]:
    """Gives a typer command one option per setting and `--config FILE`; the command gets `config=`.

    Values come from the defaults, then `base`, then the file, then the options; a list that is given in several
    pieces is all of them, in their order. An option that would have no effect is refused.
    """

    def decorate(command: Command) -> Command:
        options = cli_options(config_class)

        def run(*, config_file: Path | None, **given: Any) -> Any:
            chosen = {option.parameter: _pieces(option.setting, given.pop(option.parameter)) for option in options}
            config = override(_starting_point(config_class, config_file, base), chosen)
            _refuse_ignored(config, (option for option in options if chosen[option.parameter] is not None))
            return command(config=config, **given)

        parameters = [_config_parameter(option, base) for option in options]
        file_help = "Read settings from a TOML file; options on the command line win."
        parameters.append(_keyword("config_file", Path, typer.Option("--config", help=file_help)))
        return in_place_of(command, run, _own_parameters(command, "config") + parameters)

    return decorate


def ignored_option(flag: str, why: str) -> ConfigError:
    """Makes the error for an option that was typed though nothing would look at it."""
    return ConfigError(f"{flag} would be ignored: {why}")


def _refuse_ignored(config: Dataclass, typed: Iterable[CliOption]) -> None:
    unused = unused_settings(config)
    for option in typed:
        for length in range(1, len(option.path) + 1):
            if option.path[:length] in unused:
                raise ignored_option(option.flag, unused[option.path[:length]])


def _starting_point(config_class: type[C], file: Path | None, base: dict[str, Any]) -> C:
    from philidor.core.toml import load_config

    return load_config(config_class, file, base) if file is not None else config_class(**base)


def _config_parameter(option: CliOption, base: dict[str, Any]) -> inspect.Parameter:
    info = typer.Option(
        _declaration(option),
        help=option.help(_value_in(base, option)),
        parser=None if option.setting.type is bool else _parser(option),
        metavar="|".join(option.setting.choices) or _metavar(option.setting),
        # A table of its own is a detail, which `--help` leaves out.
        rich_help_panel=f"Settings of {option.path[0]}" if len(option.path) > 1 else None,
        hidden=len(option.path) > 1,
    )
    kind: Any = list[Any] if option.setting.is_list else bool if option.setting.type is bool else Any
    return _keyword(option.parameter, kind, info)


def _pieces(setting: Setting, value: Any) -> Any:
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


def _parser(option: CliOption) -> Callable[[str], Any]:
    """Lets typer use our own reading and its errors, so that all faces say the same."""

    def parse(value: str) -> Any:
        try:
            return option.setting.parse(value)
        except ConfigError as error:
            raise typer.BadParameter(str(error)) from error

    return parse


# --- A choice of configs ------------------------------------------------------------------------------------


def with_settings(configs: Mapping[str, type[Dataclass]], *, are_details: bool = False) -> Callable[[Command], Command]:
    """Gives a typer command the options of all these configs; it gets those that were typed as `given`, by name.

    Details are shown by `--help-all` only.
    """

    def decorate(command: Command) -> Command:
        own = _own_parameters(command, "given")
        taken = {p.name for p in own}
        options = {name: users for name, users in _by_name(configs).items() if name not in taken}

        def run(**values: Any) -> Any:
            typed = {name: _joined(values.pop(name)) for name in options}
            return command(given={name: value for name, value in typed.items() if value is not None}, **values)

        parameters = [_shared_parameter(name, users, are_details) for name, users in options.items()]
        return in_place_of(command, run, own + parameters)

    return decorate


def checked_settings(user: str, config: type[Dataclass], given: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the typed values by the config of the one that was chosen. Raises ConfigError, which names it."""
    known = {option.parameter: option for option in cli_options(config)}
    values = {}
    for name, value in given.items():
        if name not in known:
            having = ", ".join(known[each].flag for each in known) or "no options"
            raise ConfigError(f"{user} has no option --{name.replace('_', '-')}; it has {having}")
        setting = known[name].setting
        values[name] = setting.parse(value) if isinstance(value, str) else setting.check(value)
    return values


def _by_name(configs: Mapping[str, type[Dataclass]]) -> dict[str, dict[str, CliOption]]:
    """Returns for each setting who has it."""
    found: dict[str, dict[str, CliOption]] = {}
    for user, config in configs.items():
        for option in cli_options(config):
            found.setdefault(option.parameter, {})[user] = option
    return found


def _joined(value: Any) -> Any:
    """Returns what was typed; the pieces of a list as if they had been typed as one."""
    return ",".join(value) if isinstance(value, list) else value


def _shared_parameter(name: str, users: dict[str, CliOption], is_detail: bool) -> inspect.Parameter:
    """Makes an option, in a panel that says whose it is. Values stay text until it is known whose range counts."""
    option = next(iter(users.values()))
    setting = option.setting
    choices = f" One of {', '.join(setting.choices)}." if setting.choices else ""
    info = typer.Option(
        _declaration(option),
        help=_shared_help(users) + choices,
        metavar=_metavar(setting),
        rich_help_panel=f"Settings of {', '.join(users)}",
        hidden=is_detail,
    )
    return _keyword(name, list[str] if setting.is_list else bool if setting.type is bool else str, info)


def _shared_help(users: dict[str, CliOption]) -> str:
    """Returns the setting's help; where it means different things to its users, each meaning with their names."""
    names: dict[str, list[str]] = {}
    for user, option in users.items():
        names.setdefault(option.setting.help, []).append(user)
    if len(names) == 1:
        return next(iter(names))
    return " ".join(f"({', '.join(having)}) {text}" for text, having in names.items())


# --- Both ---------------------------------------------------------------------------------------------------


def _own_parameters(command: Command, added: str) -> list[inspect.Parameter]:
    """Returns a command's parameters but the one that a decorator fills, as keywords."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    return [p.replace(kind=p.KEYWORD_ONLY) for p in own if p.name != added]


def in_place_of(command: Command, run: Command, parameters: list[inspect.Parameter]) -> Command:
    """Makes `run` look to typer like the command, with these parameters; returns it."""
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    return run


def _keyword(name: str, kind: Any, info: Any) -> inspect.Parameter:
    """Makes a parameter from which typer builds an option; None, its default, means not given."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, info]
    )


def _declaration(option: CliOption) -> str:
    return f"{option.flag}/--no-{option.flag[2:]}" if option.setting.type is bool else option.flag


def _metavar(setting: Setting) -> str | None:
    if setting.type is bool:
        return None
    return str(setting.type.__name__).upper() + (",..." if setting.is_list else "")
