"""Rules by the names that GUIs and servers use, and as JSON (KataGo's GTP extensions)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from philidor.games.go.rules import GoRules
from philidor.protocols.gtp import GtpError

_KO = {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"}


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of rules; scoring is said for show, as ours is always by area."""

    ko: str
    suicide: bool = False
    scoring: str = "AREA"
    handicap_bonus: str = "0"
    """White's points for handicap stones: "0", "N" or "N-1"."""


PRESETS: Mapping[str, Preset] = {
    "tromp-taylor": Preset("positional", suicide=True),
    "chinese": Preset("simple", handicap_bonus="N"),
    "chinese-ogs": Preset("positional", handicap_bonus="N"),
    "chinese-kgs": Preset("positional", handicap_bonus="N"),
    "aga": Preset("situational", handicap_bonus="N-1"),
    "bga": Preset("situational", handicap_bonus="N-1"),
    "new-zealand": Preset("situational", suicide=True),
    "japanese": Preset("simple", scoring="TERRITORY"),
    "korean": Preset("simple", scoring="TERRITORY"),
    "cgos": Preset("positional"),
}


def rules_text(rules: GoRules, preset: Preset) -> str:
    """Writes the rules as `kata-get-rules` does."""
    facts = {
        "friendlyPassOk": False,
        "hasButton": False,
        "ko": rules.ko.upper(),
        "scoring": preset.scoring,
        "suicide": rules.suicide,
        "tax": "NONE",
        "whiteHandicapBonus": preset.handicap_bonus,
    }
    return json.dumps(facts)


def read_rules(text: str, before: GoRules) -> tuple[GoRules, Preset]:
    """Reads a preset's name, or JSON; komi stays as it was. Raises GtpError."""
    if text.lstrip().startswith("{"):
        return _from_json(text, before)
    preset = PRESETS.get(text.strip().lower().replace("_", "-").replace(" ", "-"))
    if preset is None:
        raise GtpError(f"unknown rules; known: {', '.join(PRESETS)}")
    return replace(before, ko=preset.ko, suicide=preset.suicide), preset


def _from_json(text: str, before: GoRules) -> tuple[GoRules, Preset]:
    try:
        facts: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise GtpError("syntax error: the rules are no JSON") from None
    ko = _KO.get(str(facts.get("ko", before.ko)).upper()) if isinstance(facts, dict) else None
    if ko is None:
        raise GtpError("unknown ko rule; known: SIMPLE, POSITIONAL, SITUATIONAL")
    suicide = facts.get("suicide", before.suicide)
    scoring = str(facts.get("scoring", "AREA")).upper()
    if not isinstance(suicide, bool) or scoring not in ("AREA", "TERRITORY"):
        raise GtpError("suicide is true or false, and scoring AREA or TERRITORY")
    preset = Preset(ko, suicide, scoring, str(facts.get("whiteHandicapBonus", "0"))[:3])
    return replace(before, ko=ko, suicide=suicide), preset
