"""Puts an NNUE network into nets/, with its card, and writes the signatures of the engines anew.

    python tools/ship_net.py runs/net1/checkpoints/net1.phnn philidor-4 card.json

The network is checked against the reference with every kernel of this CPU. The card's facts are a JSON object, each
text in Markdown:

    {"trained_on": "who played, at how many nodes, how many positions, whose scores",
     "cost": "20 minutes on 16 cores and an H200",
     "commands": ["philidor data selfplay ...", "philidor train nnue ..."],
     "matches": [{"limit": "2+0.02", "opponent": "classic", "won": 0, "drawn": 0, "lost": 0, "elo": "+0 ± 0"}]}
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from philidor.cli import main as philidor
from philidor.core.errors import ConfigError, PhilidorError
from philidor.core.runs import write_atomic
from philidor.nets.nnue import Network, load_network, save_network
from philidor.nets.nnue.facts import checksum, describe
from philidor.players.nnue import NnueConfig

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 5_000_000
"""What a network may add to the repository and to the wheel."""
WIDTH = 120
FACTS = {"trained_on": str, "cost": str, "commands": list, "matches": list}
MATCH_KEYS = ("limit", "opponent", "won", "drawn", "lost", "elo")


def read_facts(path: Path) -> dict[str, Any]:
    """Reads what the card is to say. Raises ConfigError for what is missing."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the facts of the card {str(path)!r}: {error}") from None
    for key, kind in FACTS.items():
        if not isinstance(facts, dict) or not isinstance(facts.get(key), kind) or not facts[key]:
            raise ConfigError(f"{str(path)!r}: {key!r} must be a {kind.__name__} that says something")
    for row in facts["matches"]:
        if not isinstance(row, dict) or set(row) != set(MATCH_KEYS):
            raise ConfigError(f"{str(path)!r}: a match has {', '.join(MATCH_KEYS)}; got {row!r}")
    return dict(facts)


def card(name: str, network: Network, facts: Mapping[str, Any]) -> str:
    """Writes the card."""
    shape = describe(network)
    kings = f" in {shape['king_buckets']} king buckets" if shape["king_buckets"] > 1 else ""
    layers = ", ".join(shape["layers"])
    what = (
        f"An NNUE network (book, 4.6) of the shape {shape['architecture']}: {shape['inputs']:,} inputs a side{kings}, "
        f"{shape['width']} numbers a side, layers {layers} for each of {shape['output_buckets']} ranges of the number "
        f"of pieces; {shape['parameter_bytes']:,} bytes of weights. To play with it: "
        f"`philidor uci --engine nnue --net {name}`, or "
        f'`philidor.load_net("{name}")`. SHA-256 `{checksum(network)}`.'
    )
    lines = [
        f"# {name}",
        "",
        *textwrap.wrap(what, WIDTH, break_on_hyphens=False),
        "",
        *textwrap.wrap(f"**Trained on** {facts['trained_on']}", WIDTH, break_on_hyphens=False),
        "",
        f"**How** ({facts['cost']}):",
        "",
        *(f"    {command}" for command in facts["commands"]),
        "",
        "**How strong**:",
        "",
        "| limit | opponent | games | won, drawn, lost | score | Elo |",
        "|---|---|---:|---|---:|---:|",
        *(_match_line(row) for row in facts["matches"]),
    ]
    return "\n".join(lines) + "\n"


def _match_line(row: Mapping[str, Any]) -> str:
    won, drawn, lost = (int(row[key]) for key in ("won", "drawn", "lost"))
    games = won + drawn + lost
    score = f"{100 * (won + drawn / 2) / games:.1f} %" if games else ""
    cells = (row["limit"], row["opponent"], games, f"{won}, {drawn}, {lost}", score, row["elo"])
    return f"| {' | '.join(map(str, cells))} |"


def ship(source: Path, name: str, facts: Mapping[str, Any], folder: Path) -> Path:
    """Writes network and card into a folder; returns the network's file. Raises ConfigError, NetError."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise ConfigError(f"a network's name has small letters, digits and hyphens, got {name!r}")
    network = load_network(source)
    size = network.architecture.parameter_bytes
    if size > MOST_BYTES:
        raise ConfigError(f"{str(source)!r} has {size:,} bytes of weights; what ships has {MOST_BYTES:,} at most")
    if philidor(["net", "verify", str(source)]) != 0:
        raise ConfigError(f"{str(source)!r} is not shipped")
    # Plain, though zstd would halve it: git and wheels pack it anyway, and then nothing is needed to read it.
    target = folder / f"{name}.phnn"
    save_network(network, target)
    write_atomic(target.with_suffix(".md"), card(name, network, facts))
    return target


def main() -> int:
    """Returns 1 when the network cannot be shipped."""
    parser = argparse.ArgumentParser(description="Puts an NNUE network into nets/, with its card.")
    parser.add_argument("source", type=Path, help="the network, .phnn or .nnue")
    parser.add_argument("name", help="what it is called from now on, such as philidor-4")
    parser.add_argument("facts", type=Path, help="the card's facts, JSON")
    arguments = parser.parse_args()
    try:
        target = ship(arguments.source, arguments.name, read_facts(arguments.facts), ROOT / "nets")
    except PhilidorError as error:
        print(f"ship_net: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {target.stat().st_size:,} bytes; {target.with_suffix('.md').name} is its card")
    if str(NnueConfig().net) != arguments.name:
        print(f"the default is still {NnueConfig().net}: see src/philidor/nets/shipped.py")
    return subprocess.run([sys.executable, str(ROOT / "tools" / "signatures.py")]).returncode


if __name__ == "__main__":
    sys.exit(main())
