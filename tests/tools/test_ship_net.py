"""A network ships with a card that says everything, or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest

import ship_net
from philidor.core.errors import ConfigError, NetError
from philidor.nets.nnue import ARCHITECTURES, load_network, save_network
from philidor.nets.nnue.facts import checksum
from tests.nets.networks import made_up

FACTS: dict[str, Any] = {
    "trained_on": "nobody.",
    "cost": "a second on one core",
    "commands": ["philidor data selfplay --out runs/games", "philidor train nnue runs/games/shards/*.rec"],
    "matches": [{"limit": "2+0.02", "opponent": "classic", "won": 7, "drawn": 2, "lost": 1, "elo": "+241 ± 190"}],
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "net1.phnn"
    save_network(made_up(ARCHITECTURES["mirrored-256"]), path)
    return path


def test_the_network_and_its_card_are_written(source: Path, tmp_path: Path) -> None:
    path = ship_net.ship(source, "philidor-0", FACTS, tmp_path)
    assert path == tmp_path / "philidor-0.phnn"
    assert path.read_bytes() == source.read_bytes()
    card = (tmp_path / "philidor-0.md").read_text(encoding="utf-8")
    assert card.startswith("# philidor-0\n")
    assert "mirrored-256: 768 inputs a side, 256 numbers" in card
    assert checksum(load_network(source)) in card
    assert "**Trained on** nobody." in card
    assert "\n    philidor data selfplay --out runs/games\n" in card
    assert "| 2+0.02 | classic | 10 | 7, 2, 1 | 80.0 % | +241 ± 190 |" in card


@pytest.mark.parametrize("name", ["", "Net", "a/b", "../x", "net.1"])
def test_names_can_be_typed(source: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="small letters"):
        ship_net.ship(source, name, FACTS, tmp_path)


def test_what_is_too_large_or_no_network_stays_out(tmp_path: Path) -> None:
    large, odd = tmp_path / "large.nnue", tmp_path / "odd.phnn"
    save_network(made_up(ARCHITECTURES["halfkp-256"]), large)
    odd.write_bytes(b"no network")
    with pytest.raises(ConfigError, match="5,000,000 at most"):
        ship_net.ship(large, "large", FACTS, tmp_path)
    with pytest.raises(NetError):
        ship_net.ship(odd, "odd", FACTS, tmp_path)
    assert not list(tmp_path.glob("*.md"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"trained_on": ""}, "'trained_on' must be a str"),
        ({"commands": None}, "'commands' must be a list"),
        ({"matches": []}, "'matches' must be a list"),
        ({"matches": [{"limit": "2+0.02"}]}, "a match has limit, opponent"),
    ],
)
def test_a_card_leaves_nothing_open(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    path = tmp_path / "card.json"
    path.write_text(json.dumps({**FACTS, **change}), encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        ship_net.read_facts(path)


def test_facts_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    for text in ("{", "[]"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError, match=r"card\.json"):
            ship_net.read_facts(path)
    with pytest.raises(ConfigError, match="cannot read"):
        ship_net.read_facts(tmp_path / "none.json")
