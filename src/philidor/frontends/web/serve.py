"""Starts the server: a free port, a token where others can reach it, a browser, and an end that loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import json
import os
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NoReturn

import uvicorn

from philidor.core.errors import ConfigError, PhilidorError
from philidor.frontends.playing.folder import data_folder
from philidor.frontends.web.app import create_app
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.doorway import Doorway, DoorwayProtocol
from philidor.frontends.web.guard import Guard
from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.pages import Pages
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.socket import MAX_MESSAGE
from philidor.frontends.web.store import Store, StoreTakenError
from philidor.games.chess.syzygy import Tablebases

DEFAULT_PORT = 8000
_PORTS_TO_TRY = 20
_ADDRESS_FILE = "server.json"
_SWITCH_INTERVAL_S = 0.0005


class PortTakenError(PhilidorError):
    """Another program listens on the port."""


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None tries 8000 and the next ones; 0 takes any."""
    opens_browser: bool = True
    data: Path | None = None
    """The folder of the games; None for the user's own."""
    games: Sequence[str] = ()
    """Further games to offer, the first of them first: "hexapawn-4x4", "my.py:Game"."""
    nets: Sequence[Path] = ()
    """Folders with networks to play against, beside `nets` in the folder of the games."""
    engines: Sequence[str] = ()
    """Programs to play against: "NAME=COMMAND"."""
    runs: Path | None = None
    """A folder of training runs to watch, and whose networks to play."""
    syzygy: Sequence[Path] = ()
    """Folders with endgame tables for the analysis board."""
    slots: int | None = None
    """Searches at once; None for one per core."""


def serve(options: ServeOptions) -> None:
    """Serves until Ctrl-C. Raises a PhilidorError for what cannot be opened."""
    pages, folder = Pages(), options.data or data_folder()
    catalog = Catalog(options.games, _roster(options, folder))
    tables = Tablebases(options.syzygy) if options.syzygy else None
    try:
        store = Store(folder)
    except StoreTakenError as error:
        if not _open_running(folder, options):
            raise error from None
        return
    if store.notice is not None:
        print(store.notice, flush=True)
    try:
        with bind(options.host, options.port) as listener:
            _run(options, store, catalog, pages, listener, folder, tables)
    finally:
        with contextlib.suppress(OSError):
            (folder / _ADDRESS_FILE).unlink()


def _roster(options: ServeOptions, folder: Path) -> Roster:
    """Looks for all opponents. Raises ConfigError."""
    own = folder / "nets"
    nets = [*([own] if own.is_dir() else []), *options.nets]

    def left_out(why: str) -> None:
        print(f"Left out: {why}", flush=True)

    if options.runs is not None and not options.runs.is_dir():
        raise ConfigError(f"there is no folder of runs {str(options.runs)!r}")
    return Roster(nets=nets, engines=options.engines, runs=options.runs, left_out=left_out)


def is_loopback(host: str) -> bool:
    """Says whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int | None) -> socket.socket:
    """Opens the port, or the next free one if none was asked for. Raises PortTakenError, ConfigError."""
    if port is not None:
        return _bind(host, port)
    for candidate in range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TO_TRY):
        with contextlib.suppress(PortTakenError):
            listener = _bind(host, candidate)
            if candidate != DEFAULT_PORT:
                print(f"Port {DEFAULT_PORT} is taken by another program; using {candidate}.")
            return listener
    return _bind(host, 0)


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigError(f"there is no address {host!r}: {error}") from None
    try:
        if os.name == "posix":
            # After a restart the port is free at once; on Windows the option would mean something else.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} is taken by another program; choose another with --port, or leave it out"
            raise PortTakenError(text) from None
        raise ConfigError(f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}") from None
    return listener


def _run(
    options: ServeOptions,
    store: Store,
    catalog: Catalog,
    pages: Pages,
    listener: socket.socket,
    folder: Path,
    tables: Tablebases | None = None,
) -> None:
    port = listener.getsockname()[1]
    token = None if is_loopback(options.host) else secrets.token_urlsafe(24)
    hosts = None if token is not None else loopback_hosts(options.host, port)
    address = _address(options.host, port, token)
    doorway = Doorway()
    app = create_app(lambda: Lobby(store, catalog, options.slots), pages, tables)
    guarded = Guard(app, hosts, token, port, doorway)
    config = uvicorn.Config(
        guarded,
        lifespan="on",
        log_level="warning",
        access_log=False,
        http=partial(DoorwayProtocol, doorway),  # type: ignore[arg-type]
        # No more than there is room for in the doorway are taken in at a time.
        backlog=64,
        # Nobody stands between the browser and this server who could say where a request comes from.
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=64 * 1024,
    )
    # The book's searches are Python and share one lock with everything else. With Python's own 5 ms a request beside
    # two of them took 60 and 79 ms in the median, with this 18 and 24 ms.
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    # uvicorn ends in good order and then raises the signal again; unhandled, this one would leave engines running.
    signal.signal(signal.SIGTERM, _terminate)
    # Ctrl-C is the way to end it, not a failure.
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(uvicorn.Server(config), listener, options, address, folder))


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    """Ends the process as Python ends: engines are stopped, files closed."""
    raise SystemExit(128 + number)


async def _serve(
    server: uvicorn.Server, listener: socket.socket, options: ServeOptions, address: str, folder: Path
) -> None:
    running = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not running.done():
        await asyncio.sleep(0.01)
    if server.started:
        _write_address(folder, address)
        print(f"The board is at {address}", flush=True)
        if not is_loopback(options.host):
            print("Others can play too: whoever has this address can see and change your games.", flush=True)
        print("Ctrl-C ends it; your games are kept.", flush=True)
        await asyncio.to_thread(_show, address, options)
    await running


def loopback_hosts(host: str, port: int) -> list[str]:
    """The names by which a server on this machine may be called."""
    names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host}
    return sorted({f"{name}:{port}" for name in names} | (names if port == 80 else set()))


def _address(host: str, port: int, token: str | None) -> str:
    name = f"[{host}]" if ":" in host else host
    if host in ("0.0.0.0", "::"):
        name = _network_name()
    return f"http://{name}:{port}/" + (f"?token={token}" if token is not None else "")


def _network_name() -> str:
    """Returns how other devices reach this machine: its address in the network, or else its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address for examples: nothing is sent, but the way there is looked up
        address: str = probe.getsockname()[0]
        return address
    return socket.gethostname()


def _has_screen() -> bool:
    """Says whether a browser has somewhere to show; Python would otherwise start one inside the terminal."""
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in variables)


def _show(address: str, options: ServeOptions) -> None:
    if options.opens_browser and _has_screen():
        webbrowser.open(address)


def _write_address(folder: Path, address: str) -> None:
    """Leaves a note for a second start with the same games."""
    file = folder / _ADDRESS_FILE
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)  # the address may have the token in it
    file.write_text(json.dumps({"address": address}), encoding="utf-8")


def _open_running(folder: Path, options: ServeOptions) -> bool:
    """Shows the board of the server that has the games open already; says whether it could be found."""
    try:
        address = str(json.loads((folder / _ADDRESS_FILE).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    print(f"The board is open already at {address}", flush=True)
    _show(address, options)
    return True
