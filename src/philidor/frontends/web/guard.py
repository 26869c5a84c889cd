"""Stands before the server: who may ask, how much and how often, and what browsers must not do with the answers."""

from __future__ import annotations

import contextlib
import hmac
import json
from collections.abc import Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from philidor.frontends.web.doorway import Doorway
from philidor.frontends.web.limits import Buckets

Scope: TypeAlias = MutableMapping[str, Any]
MAX_BODY = 1_100_000
"""A PGN of the largest size and what is around it."""
MAX_NETWORK = 512_000_000
"""The largest network of Leela's has some 400 MB."""
_NETWORKS = "/api/nets/"
MAX_GAMES = 64_000_000
"""A file of many games."""
_GAMES = "/api/studies/text"
_REQUESTS, _REQUESTS_PER_S = 200, 50

# chessground writes exactly one style attribute ("color-scheme:light only"); this is its hash.
_CHESSGROUND_STYLE = "'unsafe-hashes' 'sha256-SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0='"
_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {_CHESSGROUND_STYLE}; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_SECURITY_HEADERS = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]


class _TooLargeError(Exception):
    """The body is larger than anything that makes sense."""


class Guard:
    """An ASGI application around another one."""

    def __init__(
        self,
        app: Any,
        hosts: Iterable[str] | None,
        token: str | None = None,
        port: int = 0,
        doorway: Doorway | None = None,
    ) -> None:
        """`hosts` are the only Host headers that are answered, None for any: then `token` must be asked for.

        Browsers keep cookies by host and not by `port`, so the port is in the cookie's name: two servers on one machine
        would otherwise take each other's token away. Who is let in leaves the `doorway`.
        """
        assert hosts is not None or token is not None, "either the host or the visitor must be known"
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)
        self._token = token
        self._doorway = Doorway() if doorway is None else doorway
        self._cookie = f"philidor_token_{port}"
        self._known, self._strangers = (Buckets(_REQUESTS, _REQUESTS_PER_S) for _ in range(2))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answers what is refused and hands on the rest."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if scope.get("client"):
            self._doorway.leave(tuple(scope["client"]))
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif self._token is not None and (clean := self._address_without_token(scope)) is not None:
            await self._let_in(send, clean)
        else:
            await self._pass_on(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str, str] | None:
        """Returns status, code and message of a refusal, or None."""
        host = headers.get("host", "").lower()
        # Another site's name that leads to this machine (DNS rebinding) is not ours.
        if self._hosts is not None and host not in self._hosts:
            return 403, "forbidden", "this server does not go by that name"
        origin = headers.get("origin")
        is_page_visit = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return 403, "forbidden", "requests from other sites are not answered"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not (
            is_page_visit and headers.get("sec-fetch-mode") == "navigate"
        ):
            return 403, "forbidden", "requests from other sites are not answered"
        # Who has no token is counted too, but not with those who have one: nobody can use up what is the owner's.
        is_known = self._token is None or self._is_known(scope, headers)
        if not (self._known if is_known else self._strangers).take(_client(scope)):
            return 429, "too_many_requests", "too many requests; wait a moment"
        if not is_known:
            return 401, "unauthorized", "open the address that was printed when the server started"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > _most_bytes(scope):
            return 413, *_too_large(scope)
        return None

    def _is_known(self, scope: Scope, headers: dict[str, str]) -> bool:
        assert self._token is not None
        given = list(parse_qs(scope["query_string"].decode("latin-1")).get("token", []))
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            cookie = None
        if cookie is not None:
            given.append(cookie.value)
        return any(hmac.compare_digest(value.encode(), self._token.encode()) for value in given)

    def _address_without_token(self, scope: Scope) -> str | None:
        """Returns where to go after the first visit, whose address has the token; None for all other visits."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if "token" not in query or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return None
        rest = urlencode({name: values for name, values in query.items() if name != "token"}, doseq=True)
        # Browsers read "//host", "/\\host" and the same with a tab or a line's end inside as another site's address.
        path = "/" + quote(scope["path"].lstrip("/\\"))
        return f"{path}?{rest}" if rest else path

    async def _let_in(self, send: Any, address: str) -> None:
        cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        headers = [(b"location", address.encode("ascii")), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": [*headers, *_SECURITY_HEADERS]})
        await send({"type": "http.response.body", "body": b""})

    async def _pass_on(self, scope: Scope, receive: Any, send: Any) -> None:
        received, has_begun, is_too_large = 0, False, False
        most = _most_bytes(scope)

        async def counted() -> Any:
            nonlocal received, is_too_large
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                is_too_large = True
                raise _TooLargeError
            return message

        async def secured(message: Any) -> None:
            nonlocal has_begun
            if is_too_large and not has_begun:
                return  # the application makes its own answer of the error; ours is the right one
            if message["type"] == "http.response.start":
                has_begun = True
                # A game looks otherwise a moment later; the pages say for themselves how long they last.
                fresh = [(b"cache-control", b"no-store")] if scope["path"].startswith("/api/") else []
                message = {**message, "headers": [*message["headers"], *fresh, *_SECURITY_HEADERS]}
            await send(message)

        with contextlib.suppress(_TooLargeError):
            await self._app(scope, counted, secured)
        if is_too_large and not has_begun:
            await _refuse(scope, send, 413, *_too_large(scope))


def _most_bytes(scope: Scope) -> int:
    """Returns how large a request may be: networks and files of games are handed over whole, all else is small."""
    if scope.get("method") == "PUT" and scope["path"].startswith(_NETWORKS):
        return MAX_NETWORK
    return MAX_GAMES if scope["path"] == _GAMES else MAX_BODY


def _too_large(scope: Scope) -> tuple[str, str]:
    return "too_large", f"a request has at most {_most_bytes(scope):,} bytes"


def _client(scope: Scope) -> str:
    """Returns the address that a request comes from."""
    client = scope.get("client")
    return client[0] if client else ""


def _headers(scope: Scope) -> dict[str, str]:
    """Returns the headers; of one that comes twice, both values, which then match nothing that is asked for."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


async def _refuse(scope: Scope, send: Any, status: int, code: str, message: str) -> None:
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_SECURITY_HEADERS]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    kind = "http" if scope["type"] == "http" else "websocket.http"
    if kind == "websocket.http" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 4403})
        return
    await send({"type": f"{kind}.response.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.response.body", "body": body})
