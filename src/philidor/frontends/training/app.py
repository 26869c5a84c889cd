"""The HTTP side of a public run: the desk's questions and answers, for people who have a token.

Nothing that comes in is believed. Every game is replayed before it counts, lots can only be handed in by whom they
were given to, and bodies are counted while they are read.
"""

from __future__ import annotations

import re
import threading
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from philidor.core.errors import NetError, PhilidorError
from philidor.frontends.training.contributors import Contributors
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.desk import Desk, Parcel, Receipt
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.ledger import Identity, Lot
from philidor.pipelines.zero.replaying import checked_by_replay

MOST_BYTES = 16_000_000
"""Of a shard. The largest of chess have some 2 kB a game."""
MOST_MACHINES = 64
"""Of one contributor."""
_MACHINE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,31}")
_PREFIX = "volunteer."


class Question(BaseModel):
    """What every worker says about itself."""

    worker: str = Field(max_length=32)
    game: str = Field(max_length=200)
    version: str = Field(max_length=50)


class Asking(Question):
    """A worker that has room for more games."""

    beat: str = Field(max_length=100)
    wanted: int = Field(ge=0, le=1_000_000)


class TrainingServer:
    """Answers for one run. Any number of threads may ask; the desk sees one at a time."""

    def __init__(self, recipe: ZeroRecipe, files: ZeroFiles, contributors: Contributors) -> None:
        self._recipe, self._files, self.contributors = recipe, files, contributors
        check = checked_by_replay(recipe, lambda: files.progress.generation)
        self._desk = Desk(recipe, files, check=check)
        self._lock = threading.Lock()
        self._machines: dict[str, set[str]] = {}

    def identity(self) -> Identity:
        """Returns what is played. Raises HTTPException before the learner has begun."""
        with self._lock:
            found = self._files.ledger.identity()
        if found is None:
            raise HTTPException(503, "the learner has not begun yet")
        return found

    def sign_in(self, name: str, question: Question) -> dict[str, Any]:
        """See Desk."""
        worker = self._worker(name, question.worker)
        with self._lock:
            welcome = self._desk.sign_in(worker, Identity(question.game, question.version))
        return {"run": welcome.run, "recipe": welcome.recipe, "lots": _for_worker(welcome.lots, question.worker)}

    def ask(self, name: str, asking: Asking) -> dict[str, Any]:
        """See Desk. Nobody is given more than an honest worker has use for."""
        worker = self._worker(name, asking.worker)
        with self._lock:
            room = 2 * self._recipe.concurrent + self._recipe.batch - self._desk.out(worker)
            wanted = max(0, min(asking.wanted, room))
            orders = self._desk.ask(worker, Identity(asking.game, asking.version), asking.beat, wanted)
        return {
            "progress": asdict(orders.progress),
            "newest": orders.newest,
            "lots": _for_worker(orders.lots, asking.worker),
            "ask_again_s": max(1.0, orders.ask_again_s),
        }

    def hand_in(self, name: str, machine: str, lot: Lot, games: bytes, facts: dict[str, Any]) -> Receipt:
        """Replays the games and takes them, or says why not. Those that cannot be true go to somebody else."""
        mine = Lot(lot.first, lot.last, self._worker(name, machine))
        with self._lock:
            newest = self._files.newest
            oldest = newest - self._recipe.overlap - 2
            network = facts["network"]
            if not oldest <= network <= newest:
                reason = f"{mine.name} was played by network {network}; those of {max(0, oldest)} to {newest} count"
                receipt, is_lie = Receipt(False, reason), network > newest
            else:
                receipt = self._desk.hand_in(Parcel(mine, games, facts))
                # Who is late has told no lie.
                is_lie = not receipt.is_accepted and "another worker" not in receipt.reason
            if not receipt.is_accepted:
                self._desk.release_lot(mine)
            if receipt.is_new or not receipt.is_accepted:
                self.contributors.note(name, mine.name, len(mine), receipt.reason, is_lie=is_lie)
        return receipt

    def network(self, generation: int) -> bytes:
        """See Desk. Raises NetError."""
        return self._desk.network(generation)

    def _worker(self, name: str, machine: str) -> str:
        if not _MACHINE.fullmatch(machine):
            raise HTTPException(422, f"a machine's name is up to 32 letters, digits and '_', got {machine!r}")
        machines = self._machines.setdefault(name, set())
        if machine not in machines and len(machines) >= MOST_MACHINES:
            raise HTTPException(403, f"{name!r} has {MOST_MACHINES} machines already")
        machines.add(machine)
        return f"{_PREFIX}{name}.{machine}"


def _contributor(request: Request) -> str:
    """Returns who asks. Raises HTTPException for a stranger and for whoever has lied too often."""
    contributors: Contributors = request.app.state.server.contributors
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    name = contributors.name_of(token) if kind.lower() == "bearer" and token else None
    if name is None:
        raise HTTPException(401, "no contributor has this token")
    if contributors.is_suspended(name):
        raise HTTPException(403, f"{name!r} has handed in too many games that cannot have been played")
    return name


Who = Annotated[str, Depends(_contributor)]


def create_app(server: TrainingServer) -> FastAPI:
    """Returns the application; everything but the run's name asks for a token."""
    app = FastAPI(title="philidor training", docs_url=None, redoc_url=None, openapi_url=None)

    app.state.server = server

    @app.exception_handler(PhilidorError)
    def _refuse(_: Request, error: Exception) -> Response:
        return JSONResponse({"detail": str(error)}, 404 if isinstance(error, NetError) else 409)

    @app.get("/run")
    def about() -> dict[str, str]:
        return asdict(server.identity())

    @app.post("/sign-in")
    def sign_in(name: Who, question: Question) -> dict[str, Any]:
        return server.sign_in(name, question)

    @app.post("/ask")
    def ask(name: Who, asking: Asking) -> dict[str, Any]:
        return server.ask(name, asking)

    @app.get("/networks/{generation}")
    def network(name: Who, generation: int) -> Response:
        return Response(server.network(generation), media_type="application/octet-stream")

    @app.post("/shards")
    async def shards(name: Who, request: Request, first: int, last: int, worker: str, network: int) -> dict[str, Any]:
        lot = _lot(first, last, worker)
        games = await _body(request)
        facts = {"network": network, **_counts(request)}
        return asdict(await run_in_threadpool(server.hand_in, name, worker, lot, games, facts))

    @app.get("/statistics")
    def statistics(name: Who) -> list[dict[str, Any]]:
        return server.contributors.statistics()

    return app


async def _body(request: Request) -> bytes:
    """Reads a shard, and no more than one has. Raises HTTPException."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > MOST_BYTES:
        raise HTTPException(413, f"a shard has at most {MOST_BYTES:,} bytes, got {int(declared):,}")
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > MOST_BYTES:
            raise HTTPException(413, f"a shard has at most {MOST_BYTES:,} bytes")
    return bytes(found)


def _lot(first: int, last: int, worker: str) -> Lot:
    if not 0 <= first <= last < 1_000_000_000:
        raise HTTPException(422, f"a shard has the games of a range of numbers, got {first} to {last}")
    return Lot(first, last, worker)


def _counts(request: Request) -> dict[str, float]:
    """What a worker says about its speed, which nothing depends on."""
    found = {}
    for name in ("evaluations", "batches", "seconds"):
        try:
            found[name] = min(max(float(request.query_params.get(name, 0)), 0.0), 1e12)
        except ValueError:
            found[name] = 0.0
    return found


def _for_worker(lots: tuple[Lot, ...], machine: str) -> list[tuple[int, int, str]]:
    """Lots as the worker knows them: by its own name, without its contributor's."""
    return [(lot.first, lot.last, machine) for lot in lots]
