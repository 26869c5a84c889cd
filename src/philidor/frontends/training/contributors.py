"""Who may contribute to a run, by token, and what each has done: two files in the run's folder."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from pathlib import Path
from typing import Any

from philidor.core.errors import ConfigError
from philidor.core.runs import append_line, read_lines, write_atomic

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,31}")
MOST_LIES = 5
"""Shards of a contributor that cannot be what they claim, after which no more are taken."""


class Contributors:
    """The people who play for a run. Tokens are kept as hashes: whoever reads the file cannot use them."""

    def __init__(self, folder: Path) -> None:
        self._tokens_path, self._log_path = folder / "contributors.json", folder / "contributions.jsonl"
        self._hashes: dict[str, str] = {}
        self._facts: dict[str, dict[str, Any]] = {}
        if self._tokens_path.exists():
            self._hashes = json.loads(self._tokens_path.read_text(encoding="utf-8"))
        for line in read_lines(self._log_path):
            self._count(line)

    def add(self, name: str) -> str:
        """Lets somebody contribute; returns the token, which is not kept. Raises ConfigError."""
        if not _NAME.fullmatch(name):
            raise ConfigError(f"a contributor's name is up to 32 letters, digits and '_', got {name!r}")
        if name in self._hashes.values():
            raise ConfigError(f"there is a contributor {name!r} already; a lost token needs a new name")
        token = secrets.token_urlsafe(24)
        self._hashes[_hash(token)] = name
        write_atomic(self._tokens_path, json.dumps(self._hashes))
        return token

    def __len__(self) -> int:
        return len(self._hashes)

    def name_of(self, token: str) -> str | None:
        """Returns whose token this is. Hashes are looked up, so the time it takes tells nothing about tokens."""
        return self._hashes.get(_hash(token))

    def note(self, name: str, shard: str, games: int, reason: str = "", *, is_lie: bool = False) -> None:
        """Writes down what became of a shard."""
        line = {"contributor": name, "shard": shard, "games": games, "reason": reason, "is_lie": is_lie}
        append_line(self._log_path, line)
        self._count(line)

    def is_suspended(self, name: str) -> bool:
        """Whether somebody has handed in too much that cannot be true."""
        return int(self._facts.get(name, {}).get("lies", 0)) >= MOST_LIES

    def statistics(self) -> list[dict[str, Any]]:
        """Returns what each contributor has done, the most games first."""
        facts = [{"contributor": name, **_nothing(), **self._facts.get(name, {})} for name in self._hashes.values()]
        return sorted(facts, key=lambda each: (-each["games"], each["contributor"]))

    def _count(self, line: dict[str, Any]) -> None:
        facts = self._facts.setdefault(line["contributor"], _nothing())
        if line["reason"]:
            facts["refused_shards"] += 1
            facts["lies"] += bool(line["is_lie"])
            facts["last_refusal"] = line["reason"]
        else:
            facts["shards"] += 1
            facts["games"] += line["games"]


def _nothing() -> dict[str, Any]:
    return {"games": 0, "shards": 0, "refused_shards": 0, "lies": 0, "last_refusal": ""}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
