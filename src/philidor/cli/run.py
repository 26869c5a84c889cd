"""The program around the subcommands: `--version`, `--debug`, errors as one line, exit codes."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from philidor.cli.arguments import INTERRUPTED
from philidor.cli.commands import LazyGroup
from philidor.cli.guard import guarded
from philidor.core.errors import PhilidorError

FAILED, BAD_USAGE = 1, 2

_DISK_TROUBLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
# Typer takes a negative number for an option.
_NEGATIVE = re.compile(r"No such option: (-\d+)")

app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        import philidor

        print(f"philidor {philidor.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def philidor(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and the whole log.")] = False,
) -> None:
    """Every system of the book "Neural Networks for Chess": play against it, look inside it, build your own."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(argv: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = _take_debug(arguments)
    return guarded(lambda: app(arguments, prog_name="philidor", standalone_mode=False), debug=debug)


def describe(error: BaseException) -> tuple[int, str]:
    """Returns the exit code for an error and its one line; an empty line says nothing."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, ""
    if isinstance(error, BrokenPipeError):
        return FAILED, ""
    if isinstance(error, typer.Abort):
        return FAILED, "aborted"
    if isinstance(error, typer.TyperException):
        return error.exit_code, _usage(error)
    if isinstance(error, PhilidorError):
        is_usage = isinstance(error, ValueError) and not _is_disk_trouble(error.__cause__)
        return BAD_USAGE if is_usage else FAILED, str(error)
    if isinstance(error, OSError) and error.filename is not None:
        # A file the user named: not there, not readable, a folder.
        code = FAILED if _is_disk_trouble(error) else BAD_USAGE
        return code, f"{error.filename}: {(error.strerror or type(error).__name__).lower()}"
    if isinstance(error, OSError) and _is_disk_trouble(error):
        return FAILED, (error.strerror or "").lower()  # of standard output, which has no name
    return FAILED, f"unexpected {type(error).__name__}: {error} (--debug shows where)"


def _is_disk_trouble(error: BaseException | None) -> bool:
    """Whether a disk is full or broken, which is nobody's usage."""
    return isinstance(error, OSError) and error.errno in _DISK_TROUBLE


def _usage(error: typer.TyperException) -> str:
    """Writes a usage error in a line that names the command to ask for help."""
    message = error.format_message().rstrip(".")
    if not message:  # a group of commands without a command has shown its help instead
        return ""
    if negative := _NEGATIVE.fullmatch(message):
        message = f"expected a number that is not negative, got {negative[1]}"
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "philidor"
    return f"{message[:1].lower()}{message[1:]}; see '{path} --help'"


def _take_debug(arguments: list[str]) -> bool:
    """Removes `--debug` wherever it stands, as people add it at the end of the line that failed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    found = "--debug" in arguments[:end]
    arguments[:end] = [argument for argument in arguments[:end] if argument != "--debug"]
    return found
