"""The guard before the server: whom it lets in, whom it counts, and where it sends them."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import pytest

from philidor.frontends.web.guard import Guard

TOKEN = "the-owners-token"
OWNER, STRANGER = "192.0.2.1", "192.0.2.66"


async def application(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def visit(
    guard: Guard, path: str = "/", *, query: str = "", cookie: str = "", client: str = OWNER
) -> tuple[int, dict[str, str]]:
    """Asks for a page; returns status and headers."""
    sent: list[Any] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"server.example:8000"), *([(b"cookie", cookie.encode())] if cookie else [])],
        "client": (client, 50_000),
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_two_servers_on_one_machine_do_not_take_each_others_cookie_away() -> None:
    # Browsers keep cookies by host and name; what one port has set is sent to the other, and replaced by it.
    servers = [Guard(application, None, f"token-{port}", port) for port in (8000, 8001)]
    jar: dict[str, str] = {}
    for server, port in zip(servers, (8000, 8001), strict=True):
        _, headers = visit(server, query=f"token=token-{port}")
        name, _, value = headers["set-cookie"].partition(";")[0].partition("=")
        jar[name] = value
    cookies = "; ".join(f"{name}={value}" for name, value in jar.items())
    assert [visit(server, cookie=cookies)[0] for server in servers] == [200, 200]


def test_a_stranger_cannot_use_up_what_is_the_owners() -> None:
    guard = Guard(application, None, TOKEN, 8000)
    cookie = f"philidor_token_8000={TOKEN}"
    refusals = {visit(guard, client=OWNER)[0] for _ in range(500)}  # behind the same router
    assert refusals == {401, 429}
    assert {visit(guard, cookie=cookie, client=OWNER)[0] for _ in range(100)} == {200}
    assert 429 in {visit(guard, cookie=cookie, client=OWNER)[0] for _ in range(500)}


def test_strangers_with_many_addresses_do_not_fill_the_memory() -> None:
    guard = Guard(application, None, TOKEN, 8000)
    for number in range(1_500):
        visit(guard, client=f"2001:db8::{number:x}")
    assert len(guard._strangers._buckets) <= 1_000
    assert visit(guard, cookie=f"philidor_token_8000={TOKEN}", client=STRANGER)[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "/\\evil.example/",
        "/\\/evil.example/",
        "\\\\evil.example",
        "/\t/evil.example/",
        "/\r\nset-cookie: a=b",
        "/\n//evil.example",
        "/games/\u265e\u00e9?#@evil.example",
    ],
)
def test_the_first_visit_stays_on_this_host(path: str) -> None:
    status, headers = visit(Guard(application, None, TOKEN, 8000), path, query=f"token={TOKEN}&a=%0d%0ab%5C")
    assert status == 303
    address = headers["location"]
    assert address.endswith("?a=%0D%0Ab%5C")
    assert address.isprintable()
    assert address.isascii()
    assert address[0] == "/"
    assert address[1:2] not in ("/", "\\")
    assert not set(address) & set("\\\t\r\n #@")
    assert unquote(address).startswith("/" + path.lstrip("/\\"))
