"""What a run of rounds learned when: on networks whose judgments are known."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from nnue_over_time import main, networks_of, piece_worths, positions

from philidor.core.runs import Run
from philidor.nets.nnue import ARCHITECTURES, load_network, save_network
from philidor.nets.shipped import find_net
from philidor.pipelines.nnue_rounds import RoundsConfig

SHARES = ["pawn", "knight", "bishop", "rook", "queen"]


def _run(root: Path, rounds: int) -> Run:
    """A run whose networks all are the one of `human`'s sight, but the first, which sees nothing."""
    run = Run.create("run", RoundsConfig(from_nothing=True), root)
    shipped = load_network(find_net("philidor-3"))
    assert shipped.architecture == ARCHITECTURES["mirrored-256"]
    blind = dataclasses.replace(
        shipped,
        feature_weights=np.zeros_like(shipped.feature_weights),
        stacks=shipped.stacks[:1] * len(shipped.stacks),
    )
    for number in range(rounds):
        path = run.checkpoints / f"run-{number}.phnn"
        save_network(shipped if number else blind, path)
        run.log({"round": number, "stage": "games", "games": 100 + number})
        run.log({"round": number, "stage": "net", "net": str(path)})
    return run


def test_some_networks_are_looked_at_and_the_last_with_the_games_until_then(tmp_path: Path) -> None:
    run = _run(tmp_path, 5)
    found = networks_of(Run(run.path), 3)
    assert [(each.round, each.games) for each in found] == [(0, 100), (3, 406), (4, 510)]


def test_a_piece_is_worth_what_the_network_loses_without_it(tmp_path: Path) -> None:
    blind, seeing = (each.path for each in networks_of(_run(tmp_path, 2), 1))
    where = positions(20)
    assert len({position.fen() for position in where}) == 20
    assert not any(position.is_over() for position in where)
    assert set(piece_worths(blind, where).values()) == {0.0}
    pawn, knight, bishop, rook, queen = piece_worths(seeing, where).values()
    assert 0 < pawn < knight < rook < queen
    assert pawn < bishop < rook


def test_networks_and_the_handcrafted_engine_are_one_list_with_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(tmp_path, 2)
    out = tmp_path / "over-time"
    words = [str(tmp_path / "run"), "--out", str(out), "--every", "1", "--games", "4", "--nodes", "300"]
    assert main([*words, "--anchors", "10", "20", "--positions", "5", "--concurrency", "1"]) == 0
    table = (out / "over-time.md").read_text()
    assert table in capsys.readouterr().out + "\n"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert cells[0] == ["round", "games", "Elo", *SHARES]
    assert [row[0] for row in cells[2:]] == ["0", "1", "classic-10", "classic-20"]
    assert cells[2][3:] == ["0"] * 5
    assert cells[-1][2] == "+0 ± 0"
    picture = (out / "over-time.svg").read_text()
    assert all(name in picture for name in ("classic-20", "its networks", *SHARES))


def test_another_kind_of_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run.create("run", RoundsConfig(), tmp_path)
    assert main([str(tmp_path / "run"), "--out", str(tmp_path / "out")]) == 2
    assert "is no run of rounds that has made a network" in capsys.readouterr().err
