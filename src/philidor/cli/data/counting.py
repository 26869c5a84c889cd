"""`philidor data stats`: what record files are made of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.cli.arguments import AsJson, check_writable
from philidor.cli.data.options import Inputs, print_report

Plot = Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Also draw lengths, ratings and results.")]


def stats(files: Inputs, plot: Plot = None, as_json: AsJson = False) -> None:
    """Counts games, results, lengths, ratings and sources."""
    from philidor.core.errors import ConfigError
    from philidor.records.plot import to_svg
    from philidor.records.statistics import collect

    if plot is not None and plot.suffix != ".svg":
        raise ConfigError(f"plots are drawn as .svg, got {str(plot)!r}")
    if plot is not None:
        check_writable(plot, files)
    statistics = collect(files)
    if plot is not None:
        plot.write_text(to_svg(statistics, ", ".join(path.name for path in files)), encoding="utf-8")
    report = statistics.as_dict()
    print_report(report if as_json else dict(_lines(report)), as_json)


def _lines(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The table's rows: what is not there is left out."""
    games = report["games"]
    yield "game", report["game"]
    yield "games", f"{games:,}"
    yield "duplicates", f"{report['duplicates']:,}"
    yield "plies", f"{report['plies']:,}"
    yield "bytes", f"{report['bytes']:,} ({report['bytes'] / max(1, games):.1f} a game)"
    for name, title in (("length", "plies a game"), ("rating", "rating")):
        if spread := report[name]:
            middle = f"{spread['lower_quartile']:,} - {spread['median']:,} - {spread['upper_quartile']:,}"
            yield title, f"mean {spread['mean']:,.0f}, quartiles {middle}, {spread['least']:,} to {spread['most']:,}"
    if report["other_starts"]:
        yield "other start positions", _share(report["other_starts"], games)
    for group, title in (("results", "result"), ("terminations", "end"), ("columns", "with")):
        for name, count in report[group].items():
            if count:
                yield f"{title} {name}", _share(count, games)
    yield "sources", f"{report['sources']:,}"
    for name, count in report["largest_sources"].items():
        yield f"  {name or '(none)'}", _share(count, games)
    for path, losses in report["losses"].items():
        yield f"damaged: {path}", losses


def _share(count: int, games: int) -> str:
    return f"{count:,} ({100 * count / games:.1f} %)"
