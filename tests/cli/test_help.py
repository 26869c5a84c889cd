"""What `--help` says: every text stands alone (the project's style guide, section on words)."""

import re

import pytest

from philidor.cli import main
from philidor.cli.commands import COMMANDS, load_command
from philidor.cli.train.zero import recipe_command
from philidor.core.config import settings
from philidor.players import PLAYERS, player_class

# Texts that lean on their neighbor: a quantity without a name, or a sentence that goes on with another one's.
LEANING = re.compile(
    r"\bso (many|much)\b|\bthat (many|often)\b|\blearnt\b|^(Of|But|And|The same|From there)\b|[^.)\]]$|^[a-bd-jl-z]+ "
)


def leaves() -> dict[str, list[tuple[str, str]]]:
    """Returns the texts of all options by command."""
    commands = {name: load_command(name) for name in COMMANDS} | {"train RECIPE": recipe_command("chess-zero")}
    found = {}
    for name, command in commands.items():
        for inner, leaf in getattr(command, "commands", {"": command}).items():
            options = [p for p in leaf.params if p.param_type_name == "option" and p.name not in ("help", "debug")]
            found[f"{name} {inner}".strip()] = [(p.opts[0], p.help or "") for p in options]
    return found


@pytest.mark.parametrize(("command", "texts"), leaves().items(), ids=leaves())
def test_every_help_text_stands_alone(command: str, texts: list[tuple[str, str]]) -> None:
    leaning = {option: text for option, text in texts if LEANING.search(text.partition(" (default")[0])}
    assert not leaning


def test_short_help_counts_what_it_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--help"]) == 0
    short = capsys.readouterr().out
    assert main(["play", "--help-all"]) == 0
    whole = capsys.readouterr().out
    settings = [line for line in whole.splitlines() if line.startswith("  --")]
    shown = [line for line in short.splitlines() if line.startswith("  --")]
    assert f"{len(settings) - len(shown)} more settings: philidor play --help-all" in short
    assert "Settings of uct" in whole
    assert "Settings of uct" not in short


def test_options_that_may_be_repeated_say_so() -> None:
    commands = [load_command(name) for name in COMMANDS]
    options = [p for c in commands for leaf in getattr(c, "commands", {"": c}).values() for p in leaf.params]
    repeated = [p for p in options if p.param_type_name == "option" and p.multiple and ",..." not in (p.metavar or "")]
    assert len(repeated) > 3
    assert [p.opts for p in repeated if not re.search("may be repeated|given twice or more", p.help or "")] == []


def test_an_option_that_players_share_says_what_it_is_to_each() -> None:
    helps = {p.name: p.help or "" for p in load_command("play").params if p.param_type_name == "option"}
    for name in PLAYERS:
        for setting in settings(player_class(name).config_class):
            assert setting.help in helps[setting.name], f"{name} --{setting.name}"
