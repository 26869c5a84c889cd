"""`philidor data store`: a folder of games with a manifest of what they are and who played them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, give
from philidor.cli.data.options import print_report

app = typer.Typer(add_completion=False, no_args_is_help=True)

Folder = Annotated[Path, typer.Option("--store", metavar="DIR", help="The store's folder.")]
_FOLDER = Path("runs/store")


@app.callback()
def store() -> None:
    """Keeps games in one folder, with a manifest: what each file is, its hash, and who played."""


@app.command()
def add(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Record files or packs (.rec, .pack).", show_default=False)
    ],
    folder: Folder = _FOLDER,
    as_json: AsJson = False,
) -> None:
    """Copies files into the store; one that is there already is not added again."""
    from dataclasses import asdict

    from philidor.records.store import Store

    target = Store(folder)
    for path in files:
        entry, is_new = target.add(path)
        words = f"{entry.file}: {entry.games:,} games{'' if is_new else ', there already'}"
        give({**asdict(entry), "is_new": is_new}, words, as_json=as_json)


@app.command()
def verify(folder: Folder = _FOLDER, as_json: AsJson = False) -> None:
    """Compares the files with the manifest; names those that are missing or altered, and then ends with 1."""
    from philidor.records.store import Store

    target = Store(folder)
    problems = list(target.verify())
    found = {"files": len(target.entries()), "problems": [{"file": each.file, "what": each.what} for each in problems]}
    good = f"{len(target.entries()):,} files as the manifest has them"
    give(found, "\n".join(f"{each.file}: {each.what}" for each in problems) or good, as_json=as_json)
    if problems:
        raise typer.Exit(1)


@app.command("list")
def list_(
    folder: Folder = _FOLDER,
    paths: Annotated[bool, typer.Option("--paths", help="Print the paths of the files that are there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Shows what the manifest has."""
    from dataclasses import asdict

    from philidor.records.store import Store

    entries = Store(folder).entries()
    if paths:
        for entry in entries:
            if (path := folder / entry.file).is_file():
                print(path)
        return
    if as_json:
        print_report({"files": [asdict(entry) for entry in entries]}, as_json=True)
        return
    for entry in entries:
        players = "; ".join(" ".join(f"{name}={value}" for name, value in who.items()) for who in entry.players)
        print(f"{entry.file}: {entry.games:,} games, {entry.positions:,} positions, {players} ({entry.added})")
    total = {name: sum(getattr(entry, name) for entry in entries) for name in ("games", "positions", "bytes")}
    print_report({"files": len(entries), **total}, as_json=False)
