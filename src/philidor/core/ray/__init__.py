"""Ray clusters: joining one, and saying in one line why that does not work.

Ray itself waits for minutes for a head that does not answer, so the address is tried first.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from philidor.core.errors import ConfigError

# Ray would otherwise send what it is used for to its makers, and says so on every start.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Hiding the GPUs from those who asked for none is what we want; Ray warns that it will do otherwise one day.
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "1")
# It prints on standard output, which is ours, whenever one of its processes dies: we say that in a line of our own.
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError

__all__ = ["LOCAL", "RayActorError", "RayError", "cause_of", "check_address", "connected", "head_address"]

LOCAL = "local"
"""The address of a cluster that lives as long as the command, on this machine."""
_NAMESPACE = "philidor"
_ANSWERS_WITHIN_S = 4.0
_LEAVES_WITHIN_S = 15.0
# What every HTTP/2 client says first, with an empty frame of settings; a server answers with its own settings.
_HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Joins a cluster, or begins one on this machine for "local", and leaves it. Raises ConfigError within seconds."""
    check_address(address)
    options: dict[str, Any] = {"include_dashboard": False} if address == LOCAL else {}
    try:
        with _signals_kept():
            ray.init(
                address=address,
                namespace=_NAMESPACE,
                log_to_driver=False,
                logging_level=logging.ERROR,
                **options,
            )
    except (ConnectionError, RayError, RuntimeError, ValueError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ConfigError(
            f"cannot join the cluster at {address!r}: {reason} (this machine must be one of its nodes, and a cluster "
            "with a token wants RAY_AUTH_MODE=token and RAY_AUTH_TOKEN here too)"
        ) from None
    try:
        yield
    finally:
        # Where the head is gone Ray may wait for it for ever.
        leaving = threading.Thread(target=ray.shutdown, daemon=True)
        leaving.start()
        leaving.join(_LEAVES_WITHIN_S)


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Lets a polite kill mean what it did before: Ray would have it end the process where it stands."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def check_address(address: str) -> None:
    """Refuses an address where no head of a cluster is. Raises ConfigError."""
    if address in (LOCAL, "auto"):
        return
    host, colon, port = address.rpartition(":")
    if not colon or not host or "/" in address or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ConfigError(f"a cluster is 'local', 'auto' or HOST:PORT (of 'ray start --head'), got {address!r}")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWERS_WITHIN_S) as connection:
            connection.sendall(_HTTP2)
            answer = connection.recv(9)
    except OSError as error:
        raise ConfigError(f"the cluster at {address!r} does not answer: {error.strerror or error}") from None
    if len(answer) < 4 or answer[3] != _SETTINGS:
        raise ConfigError(f"what answers at {address!r} is no head of a Ray cluster")


def head_address() -> str:
    """Returns where the head of the cluster is that this process has joined."""
    return str(ray.get_runtime_context().gcs_address)


def cause_of(error: BaseException) -> BaseException:
    """Returns what went wrong in the other process, where an error has come from one."""
    return error.cause if isinstance(error, RayTaskError) and isinstance(error.cause, BaseException) else error
