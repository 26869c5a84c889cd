"""The volunteer's side of a public run: the desk over HTTP, and what a stranger's recipe may ask of this machine."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from philidor.core.errors import ConfigError, RunError
from philidor.pipelines.zero.desk import Orders, Parcel, Receipt, Welcome
from philidor.pipelines.zero.files import Progress
from philidor.pipelines.zero.ledger import Identity, Lot

if TYPE_CHECKING:
    from philidor.pipelines.recipes import ZeroRecipe

_ANSWER_S = 60.0
_AGAIN_S, _LATEST_S = 1.0, 60.0
_PATIENCE_S = 3600.0
_MOST_BYTES = 512_000_000
"""Of an answer: no network is that large."""
# More games at a time than this would be for a memory that a stranger cannot know.
_MOST_CONCURRENT, _MOST_BATCH = 1024, 1024


class HttpDesk:
    """The desk of a server of `philidor serve-training`, for one contributor."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Raises ConfigError for what is no address. A server that is away is waited for, and `say` is told."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ConfigError(f"a server is http://HOST:PORT or https://..., got {url!r}")
        self._url, self._token, self._is_stopped, self._say = url.rstrip("/"), token, is_stopped, say

    def about(self) -> Identity:
        """Returns what is played there. Raises RunError at once if nobody answers."""
        try:
            found = json.loads(self._once("GET", "/run"))
            return Identity(str(found["game"]), str(found["version"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RunError(f"no training at {self._url!r}: {_reason(error)}") from None

    def sign_in(self, worker: str, identity: Identity) -> Welcome:
        """See Desk."""
        with self._understood():
            found = json.loads(self._request("POST", "/sign-in", _body(worker, identity)))
            return Welcome(str(found["run"]), str(found["recipe"]), _lots(found["lots"]))

    def ask(self, worker: str, identity: Identity, beat: str, wanted: int) -> Orders:
        """See Desk. An answer that got lost may have given out games: signing in tells which."""
        with self._understood():
            try:
                lots = None
                answer = self._once("POST", "/ask", _body(worker, identity, beat=beat, wanted=wanted))
            except OSError:
                lots = self.sign_in(worker, identity).lots
                answer = self._request("POST", "/ask", _body(worker, identity, beat=beat, wanted=0))
            found = json.loads(answer)
            given = _lots(found["lots"]) if lots is None else lots
            return Orders(Progress(**found["progress"]), int(found["newest"]), given, float(found["ask_again_s"]))

    def network(self, generation: int) -> bytes:
        """See Desk."""
        return self._request("GET", f"/networks/{int(generation)}")

    def hand_in(self, parcel: Parcel) -> Receipt:
        """See Desk."""
        lot = parcel.lot
        facts = {name: value for name, value in parcel.facts.items() if isinstance(value, int | float)}
        query = urlencode({"first": lot.first, "last": lot.last, "worker": lot.worker, **facts})
        with self._understood():
            found = json.loads(self._request("POST", f"/shards?{query}", parcel.games))
            return Receipt(bool(found["is_accepted"]), str(found["reason"]), bool(found["is_new"]))

    def statistics(self) -> list[dict[str, Any]]:
        """Returns what each contributor has handed in."""
        found: list[dict[str, Any]] = json.loads(self._request("GET", "/statistics"))
        return found

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """Says whose answer it is that makes no sense. Raises RunError."""
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"what {self._url!r} answers makes no sense: {error!r}") from None

    def _request(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """Asks until there is an answer. Raises RunError for a refusal, or when told to stop meanwhile."""
        wait, end = _AGAIN_S, time.monotonic() + _PATIENCE_S
        while True:
            try:
                return self._once(method, path, body)
            except OSError as error:
                if self._is_stopped() or time.monotonic() > end:
                    raise RunError(f"{self._url!r} does not answer: {_reason(error)}") from None
                self._say(f"{self._url} does not answer ({_reason(error)}); trying again in {wait:.0f} s")
                until = time.monotonic() + wait
                while time.monotonic() < until and not self._is_stopped():
                    time.sleep(0.1)
                wait = min(2 * wait, _LATEST_S)

    def _once(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """Asks once. Raises OSError if there is no answer, and RunError for a refusal."""
        kind = "application/octet-stream" if path.startswith("/shards") else "application/json"
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        request = urllib.request.Request(self._url + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=_ANSWER_S) as answer:
                data: bytes = answer.read(_MOST_BYTES)
                return data
        except urllib.error.HTTPError as error:
            with error:
                reason = _refusal(error)
            if error.code >= 500:  # its own trouble, which may pass
                raise OSError(reason) from None
            raise RunError(f"refused by {self._url!r}: {reason}") from None


def modest(recipe: ZeroRecipe) -> ZeroRecipe:
    """Returns a stranger's recipe with what it may ask of this machine. Raises RunError for a game that is code."""
    if ":" in recipe.game:
        raise RunError(f"this run plays {recipe.game!r}, code of its own that is not run here")
    return replace(
        recipe, concurrent=min(recipe.concurrent, _MOST_CONCURRENT), batch=min(recipe.batch, _MOST_BATCH), compile=False
    )


def _body(worker: str, identity: Identity, **facts: Any) -> bytes:
    return json.dumps({"worker": worker, "game": identity.game, "version": identity.version, **facts}).encode()


def _lots(found: list[list[Any]]) -> tuple[Lot, ...]:
    return tuple(Lot(int(first), int(last), str(worker)) for first, last, worker in found)


def _reason(error: BaseException) -> str:
    return str(getattr(error, "reason", None) or getattr(error, "strerror", None) or error)


def _refusal(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(10_000))["detail"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"{error.code} {error.reason}"
