"""Options for a choice of algorithms or players: one per setting that any of them has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from philidor.core.config import Dataclass
from philidor.core.errors import ConfigError
from philidor.core.options import CliOption, cli_options


def with_settings(
    configs: Mapping[str, type[Dataclass]], *, are_details: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a typer command the options of all these configs; it gets those that were typed as `given`, by name.

    Details are shown by `--help-all` only.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.name != "given"]
        taken = {p.name for p in own}
        options = {name: users for name, users in _by_name(configs).items() if name not in taken}

        def run(**values: Any) -> Any:
            typed = {name: _joined(values.pop(name)) for name in options}
            return command(given={name: value for name, value in typed.items() if value is not None}, **values)

        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in own]
        parameters += [_parameter(name, users, are_details) for name, users in options.items()]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
        return run

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


def _parameter(name: str, users: dict[str, CliOption], is_detail: bool) -> inspect.Parameter:
    """Makes an option, in a panel that says whose it is. Values stay text until it is known whose range counts."""
    option = next(iter(users.values()))
    setting = option.setting
    is_switch = setting.type is bool
    choices = f" One of {', '.join(setting.choices)}." if setting.choices else ""
    info = typer.Option(
        f"{option.flag}/--no-{option.flag[2:]}" if is_switch else option.flag,
        help=setting.help + choices,
        metavar=None if is_switch else setting.type.__name__.upper() + (",..." if setting.is_list else ""),
        rich_help_panel=f"Settings of {', '.join(users)}",
        hidden=is_detail,
    )
    kind: Any = list[str] if setting.is_list else bool if is_switch else str
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, info]
    )
