"""`philidor book`: runs a listing, figure or table of the book and shows what it prints or draws."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson, Minutes, Workers, refuse_ignored
from philidor.core.errors import ConfigError, NetError

if TYPE_CHECKING:
    from philidor.book.items import Exhibit, Item

app = typer.Typer(add_completion=False)

TOURNAMENT = "tournament"
_OF_THE_TOURNAMENT = ("games", "minutes", "concurrency")


@app.command()
def book(
    context: typer.Context,
    item: Annotated[
        str | None,
        typer.Argument(
            help="An item (fig-2.4, listing-3.7, table-2.2), a section (2.5) or a chapter (2); none lists all."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write the pictures into, as SVG; for the tournament its run folder.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="File to write everything into, as one page.")] = None,
    net: Annotated[
        list[Path] | None,
        typer.Option(
            help="A network's file, for the items that look into one; may be repeated for the tournament.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, help="Games of each pairing of the tournament, two for each opening.")
    ] = 8,
    minutes: Minutes = None,
    concurrency: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Runs what the book shows, and prints the book's number beside ours."""
    from philidor.book.index import all_items, find_items
    from philidor.book.pages import page
    from philidor.cli.arguments import check_writable

    nets = net or []
    if item is None:
        for name, given in (("--out", out), ("--html", html), ("--net", net or None)):
            if given is not None:
                raise ConfigError(f"{name} needs an item to run, such as fig-2.4")
        refuse_ignored(context, _OF_THE_TOURNAMENT, "they are for `philidor book tournament`")
        _list(all_items(), as_json)
        return
    chosen = find_items(item)
    if [each.name for each in chosen] == [TOURNAMENT]:
        from philidor.cli.book_tournament import play_tournament

        if html is not None:
            check_writable(html)
        played = play_tournament(
            chosen[0], games=games, nets=nets, out=out, minutes=minutes, concurrency=concurrency, as_json=as_json
        )
        if html is not None:
            html.write_text(page([(chosen[0], played)]), encoding="utf-8")
        return
    refuse_ignored(context, _OF_THE_TOURNAMENT, "it is for `philidor book tournament`")
    if nets and not any(each.takes_net for each in chosen):
        raise ConfigError(f"{item!r} looks into no network; --net is for {_takers(all_items())}")
    if len(nets) > 1:
        raise ConfigError(f"{item!r} looks into one network, got {len(nets)}; only the tournament takes several")
    if html is not None:
        check_writable(html)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    shown = []
    for each in chosen:
        exhibit = _run(each, nets[0] if nets else None, is_quiet=as_json, is_alone=len(chosen) == 1)
        if exhibit is not None:
            shown.append((each, exhibit))
            _draw(each, exhibit, out)
    if html is not None:
        html.write_text(page(shown), encoding="utf-8")
    if as_json:
        print(json.dumps([_as_dict(each, exhibit) for each, exhibit in shown], indent=2, ensure_ascii=False))
    if any(finding.agrees is False for _, exhibit in shown for finding in exhibit.findings):
        raise typer.Exit(1)


def _run(item: Item, net: Path | None, *, is_quiet: bool, is_alone: bool) -> Exhibit | None:
    """Runs one item and shows it; None if it cannot run here, and says why.

    A network that cannot be read is an error where the item `is_alone`; the others of a chapter run all the same.
    """
    from philidor.cli.book_view import show_exhibit, show_missing

    missing = None
    if item.command:
        missing = f"has a command of its own: {item.command}"
    elif item.run is None:
        missing = f"not reproducible: {item.reason}"
    elif item.needs_torch and importlib.util.find_spec("torch") is None:
        missing = 'needs PyTorch: pip install ".[train]" in a clone, then run it again'
    if missing is not None or item.run is None:
        if not is_quiet:
            show_missing(item, missing or "")
        return None
    try:
        exhibit = item.run(net) if item.takes_net and net is not None else item.run()
    except NetError as error:
        if is_alone:
            raise
        if not is_quiet:
            show_missing(item, f"needs a network: {error}")
        return None
    if not is_quiet:
        show_exhibit(item, exhibit)
    return exhibit


def _takers(items: tuple[Item, ...]) -> str:
    names = [item.name for item in items if item.takes_net]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _draw(item: Item, exhibit: Exhibit, out: Path | None) -> None:
    from philidor.book.pages import picture

    if out is not None and exhibit.panels:
        (out / f"{item.name}.svg").write_text(picture(item, exhibit), encoding="utf-8")


def _list(items: tuple[Item, ...], as_json: bool) -> None:
    from philidor.cli.book_view import show_list

    if as_json:
        print(json.dumps([_as_dict(item) for item in items], indent=2, ensure_ascii=False))
    else:
        show_list(items)


def _as_dict(item: Item, exhibit: Exhibit | None = None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": item.name,
        "also": list(item.also),
        "section": item.section,
        "title": item.title,
        "status": item.status,
        "reason": item.reason,
        "code": item.code,
    }
    if item.command:
        facts["command"] = item.command
    if exhibit is not None:
        facts["findings"] = [
            {"what": f.what, "book": f.book, "ours": f.ours, "agrees": f.agrees} for f in exhibit.findings
        ]
        facts["notes"] = list(exhibit.notes)
        facts["tables"] = [
            {"title": table.title, "header": list(table.header), "rows": [list(row) for row in table.rows]}
            for table in exhibit.tables
        ]
    return facts
