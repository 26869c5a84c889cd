"""The examples of docs/cli.md print what the page shows, and no document names an option that there is not."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from philidor.cli.commands import COMMANDS, load_command
from philidor.cli.train.games import games_command
from philidor.cli.train.zero import recipe_command
from philidor.pipelines.recipes import recipe_names
from philidor.pipelines.recipes.from_games import learns_from_games
from philidor.players import PLAYERS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cli.md"
EXAMPLE = re.compile(r"^```console\n\$ (.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What differs from run to run: seconds and speeds.
MEASURED = re.compile(r"\d+\.\d+ s\b|\([\d,.]+(?: million)?/s\)|\"time_s\": [\de.-]+")

# A command in an example or in backquotes, up to its end or its remark.
COMMAND = re.compile(r"(?:^ {4}|^\$ |`)philidor ((?:(?! {2,}|`).)+)", re.MULTILINE)
QUOTED = re.compile(r'"[^"]*"')
OPTION = re.compile(r"(?<= )--[a-z][a-z0-9-]*")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "nets").glob("*.md")])

EXAMPLES = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))


def comparable(text: str) -> list[str]:
    lines = [MEASURED.sub("...", line).rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n").splitlines()


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) > 5


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_page_shows(command: str, shown: str, tmp_path: Path) -> None:
    program = f'philidor() {{ "{sys.executable}" -m philidor "$@"; }}; {command}'
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-c", program], capture_output=True, encoding="utf-8", env=environment, timeout=60)
    assert comparable(done.stdout + done.stderr) == comparable(shown)


def test_the_page_lists_every_command_and_every_opponent() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"\n    philidor {name} " not in text] == []
    assert [name for name in PLAYERS if f"\n| `{name}` |" not in text] == []


def command_of(words: list[str]) -> Any:
    """Returns the command that the words of an example name, as far down as they name one."""
    command = load_command(words[0])
    for word in words[1:]:
        inner = getattr(command, "commands", {})
        if inner and word not in inner and words[0] == "train":  # a recipe, a TOML file or a game
            if word in recipe_names() and learns_from_games(word):
                return games_command(word)
            return recipe_command("hexapawn-zero")
        if word not in inner:
            break
        command = inner[word]
    return command


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_options_that_are_named_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8").replace("\\\n", " ")
    unknown = []
    for example in COMMAND.findall(text):
        words = QUOTED.sub("...", example).split()
        if words[0] not in COMMANDS:
            continue
        params = command_of(words).params
        known = {"--help", "--help-all"} | {name for found in params for name in (*found.opts, *found.secondary_opts)}
        unknown += [f"{example}: {option}" for option in OPTION.findall(" ".join(words)) if option not in known]
    assert unknown == []
