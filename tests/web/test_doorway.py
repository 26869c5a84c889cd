"""Connections that say nothing: they do not stay, and there is always room for whoever comes next."""

from __future__ import annotations

import asyncio
import socket
import sys

import httpx
import pytest

from philidor.frontends.web.doorway import Doorway
from tests.web.conftest import Server


def test_a_connection_that_says_nothing_is_closed() -> None:
    async def scenario() -> int:
        doorway, closed = Doorway(patience_s=0.01), asyncio.Event()
        doorway.enter(("192.0.2.1", 1), closed.set)
        await asyncio.wait_for(closed.wait(), 10)
        return len(doorway)

    assert asyncio.run(scenario()) == 0


def test_who_was_let_in_or_has_gone_is_not_closed() -> None:
    async def scenario() -> list[int]:
        doorway, closed = Doorway(patience_s=60, per_address=2), list[int]()
        for port in range(4):
            doorway.enter(("192.0.2.1", port), lambda port=port: closed.append(port))  # type: ignore[misc]
            doorway.leave(("192.0.2.1", port))
        return closed

    assert asyncio.run(scenario()) == []


def test_when_there_is_no_room_the_oldest_of_who_has_most_goes() -> None:
    async def scenario() -> list[tuple[str, int]]:
        doorway, closed = Doorway(patience_s=60, per_address=4, in_all=6), list[tuple[str, int]]()
        clients = [("owner", 0), *(("crowd", port) for port in range(5)), ("other", 0), ("another", 0)]
        for client in clients:
            doorway.enter(client, lambda client=client: closed.append(client))  # type: ignore[misc]
        assert len(doorway) == 6
        return closed

    assert asyncio.run(scenario()) == [("crowd", 0), ("crowd", 1)]


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process's open files")
def test_half_open_connections_do_not_keep_the_owner_out(open_server: tuple[Server, str]) -> None:
    import resource

    server, token = open_server
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (200, 200))
    held = []
    try:
        for _ in range(300):
            held.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            held[-1].sendall(b"GET / HTTP/1.1\r\n")
        answer = httpx.get(f"{server.url}/api/about", params={"token": token}, timeout=8)
        assert answer.status_code == 200
    finally:
        for connection in held:
            connection.close()
