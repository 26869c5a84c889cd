"""`philidor contribute`: plays for somebody's run."""

from __future__ import annotations

import os
import re
import socket
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from philidor.cli.arguments import AsJson, Minutes, give, say_stopped, stop_signals, time_limit
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.core.errors import ConfigError

if TYPE_CHECKING:
    from philidor.pipelines.zero.courier import Courier

app = typer.Typer(add_completion=False)


class Device(StrEnum):
    """What the network computes on."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


@app.command()
def contribute(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server of the run: http://HOST:PORT.")],
    token: Annotated[
        str | None,
        typer.Option(help="Your token; the environment variable PHILIDOR_TOKEN if not given.", show_default=False),
    ] = None,
    machine: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="This machine's name among yours; the host's if not given."),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads; all cores if not given.")] = None,
    device: Annotated[Device, typer.Option(help="What the network computes on.")] = Device.AUTO,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Folder for games under way; runs/contribute-HOST if not given."
        ),
    ] = None,
    minutes: Minutes = None,
    as_json: AsJson = False,
) -> None:
    """Plays games for a run that somebody else learns for, and hands them in."""
    secret = token or os.environ.get("PHILIDOR_TOKEN", "")
    if not secret:
        raise ConfigError("a token is needed: --token TOKEN or PHILIDOR_TOKEN, from whoever serves the run")
    with torch_extra():
        from philidor.train.torch import zero  # noqa: F401 - only to see whether torch is here
    from philidor.games import load_game
    from philidor.pipelines.zero.actor import identity_of
    from philidor.pipelines.zero.away import play_away
    from philidor.pipelines.zero.volunteer import HttpDesk, modest

    shown = [0]

    def report(courier: Courier) -> None:
        if courier.handed_in > shown[0]:
            shown[0] = courier.handed_in
            _say(f"{courier.handed_in:,} games handed in")

    is_late = time_limit(minutes)
    with stop_signals() as is_stopped:
        desk = HttpDesk(url, secret, is_stopped=lambda: is_stopped() or is_late(), say=_say)
        game = desk.about().game
        if ":" in game:
            raise ConfigError(f"this run plays {game!r}, code of its own that is not run here")
        courier, is_over = play_away(
            desk,
            out or Path("runs") / f"contribute-{_plain(urlsplit(url).netloc)}",
            machine or _plain(socket.gethostname())[:32],
            identity_of(load_game(game)),
            is_stopped=lambda: is_stopped() or is_late(),
            threads=threads or cores(),
            device=device.value,
            allow=modest,
            report=report,
        )
    facts = {"games": courier.handed_in, "refused_shards": len(courier.refused), "is_over": is_over}
    refused = f", {len(courier.refused)} shards refused: {courier.refused[-1]}" if courier.refused else ""
    give(facts, f"{courier.handed_in:,} games handed in{refused}", as_json=as_json)
    if is_stopped():
        say_stopped(as_json=as_json)


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", text).strip("_") or "machine"


def _say(line: str) -> None:
    print(f"philidor: {line}", file=sys.stderr, flush=True)
