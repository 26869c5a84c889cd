"""A run that was packed, unpacked and gone on with makes what the run that stayed makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from philidor.cli.run import run
from philidor.core.errors import RunError
from philidor.core.parts import is_packed, read_parts, write_parts
from philidor.core.runs import Run
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero import packing
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.packing import pack_zero, unpack_zero
from tests.pipelines.tiny import played_games, tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.pipelines.zero import Moment, ZeroLoop  # noqa: E402

SMALL: dict[str, Any] = {"window": {"start": 40, "growth": 0.0, "power": 1.0}, "replay_ratio": 8.0, "ema": 0.9}


def _go(recipe: ZeroRecipe, folder: Path, **options: Any) -> Run:
    made = Run.resume_or_create(folder.name, recipe, folder.parent)
    ZeroLoop(recipe, made, **options).go()
    return made


def _losses(made: Run) -> list[Any]:
    return [event["losses"] for event in made.metrics() if event["event"] == "train"]


def test_both_continuations_agree(tmp_path: Path) -> None:
    recipe = tiny_recipe(generations=5, training=SMALL)
    stopped = False

    def watch(moment: Moment) -> None:
        nonlocal stopped
        stopped = stopped or (moment.stage == "train" and moment.generation == 4 and moment.done == 3)

    there = _go(recipe, tmp_path / "there", watch=watch, is_stopped=lambda: stopped)
    assert len(_losses(there)) == 3
    parts = pack_zero(there, tmp_path / "pack", limit=20_000)
    assert len(parts) > 1
    assert all(part.stat().st_size <= 20_000 for part in parts)
    here = unpack_zero(tmp_path / "pack", tmp_path / "here")
    for made in (there, here):
        moments = torch.load(made.checkpoints / "trainer.pt", weights_only=True)["optimizer"]["state"][0]
        assert moments["exp_avg"].dtype == moments["exp_avg_sq"].dtype == torch.bfloat16
    # The games of the first generation have left the window and stay behind.
    assert len(list(here.shards.glob("0*.rec"))) < len(list(there.shards.glob("0*.rec")))
    assert [path.name for path in sorted(here.checkpoints.glob("network-*"))] == ["network-0003.safetensors"]
    _go(recipe, tmp_path / "there")
    _go(recipe, tmp_path / "here")
    assert len(_losses(there)) == 5
    assert _losses(here) == _losses(there)
    newest = {number: moves for number, moves in played_games(there.shards).items() if number >= 24}
    assert newest.items() <= played_games(here.shards).items()


def test_a_small_pack_leaves_the_oldest_games_of_the_window_behind(tmp_path: Path) -> None:
    whole = {**SMALL, "window": {"start": 10_000, "growth": 0.0, "power": 1.0}}
    recipe = tiny_recipe(generations=4, shard_games=3, training=whole)
    stopped = False

    def watch(moment: Moment) -> None:
        nonlocal stopped
        stopped = stopped or ((moment.event or {}).get("event") == "train" and moment.generation == 3)

    there = _go(recipe, tmp_path / "there", watch=watch, is_stopped=lambda: stopped)
    pack_zero(there, tmp_path / "large")  # rounds the moments
    # What the whole is reckoned to be, and room for all but the first shards.
    files = packing._travelers(there, ZeroFiles(there), [])
    sizes = {name: packing._packed_size(source) for name, source in files.items()}
    limit = sum(size for name, size in sizes.items() if "unfinished" not in name) - 500
    assert sum(part.stat().st_size for part in pack_zero(there, tmp_path / "small", at_most=limit)) <= limit
    here = unpack_zero(tmp_path / "small", tmp_path / "here")
    kept, all_shards = (sorted(path.name for path in made.shards.glob("0*.rec")) for made in (here, there))
    assert 0 < len(kept) < len(all_shards) == 6
    assert kept == all_shards[-len(kept) :]
    assert not list(here.path.rglob("unfinished.rec"))
    _go(recipe, tmp_path / "here")
    last = [event for event in here.metrics() if event["event"] == "train"][-1]
    before = [event for event in there.metrics() if event["event"] == "train"][-1]
    assert last["generation"] == 4
    assert last["new_positions"] < last["window"] < before["window"] + last["new_positions"]


def test_the_commands_pack_and_unpack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tiny_recipe(generations=1)
    _go(recipe, tmp_path / "there")
    assert run(["train", "pack", str(tmp_path / "there"), "--out", str(tmp_path / "pack")]) == 0
    assert "1 files" in capsys.readouterr().out
    least = ["train", "pack", str(tmp_path / "there"), "--out", str(tmp_path / "least"), "--at-most", "0.001"]
    assert run(least) == 0
    assert "as many of the newest as fit" in capsys.readouterr().out
    assert not list(unpack_zero(tmp_path / "least", tmp_path / "bare").shards.glob("0*.rec"))
    (tmp_path / "there/checkpoints/progress.json").rename(tmp_path / "progress.json")  # as if it were no zero run
    assert run(least) == 2
    assert "--at-most is for zero runs" in capsys.readouterr().err
    assert run(["train", "unpack", str(tmp_path / "pack"), "--out", str(tmp_path / "here")]) == 0
    assert Run(tmp_path / "here").config(ZeroRecipe) == recipe
    assert run(["train", "unpack", str(tmp_path / "there"), "--out", str(tmp_path / "no")]) != 0
    assert capsys.readouterr().err.count("\n") == 1


def test_damaged_parts_are_named(tmp_path: Path) -> None:
    files: dict[str, Path | bytes] = {"a/b.txt": b"0123456789" * 2000, "c": bytes(range(256)) * 20}
    parts = write_parts(files, tmp_path / "pack", limit=300)
    assert is_packed(tmp_path / "pack")
    read_parts(tmp_path / "pack", tmp_path / "out")
    assert (tmp_path / "out" / "a" / "b.txt").read_bytes() == files["a/b.txt"]
    content = parts[1].read_bytes()
    parts[1].write_bytes(content[:-1])
    with pytest.raises(RunError, match="altered or cut off"):
        read_parts(tmp_path / "pack", tmp_path / "out2")
    parts[1].unlink()
    with pytest.raises(RunError, match=r"lacks part 1 of .*run-001\.part"):
        read_parts(tmp_path / "pack", tmp_path / "out2")
    with pytest.raises(RunError, match="found no part"):
        read_parts(tmp_path / "out", tmp_path / "out2")
    parts[1].write_bytes(b"stranger")
    with pytest.raises(RunError, match="no part of a packed run"):
        read_parts(tmp_path / "pack", tmp_path / "out2")
    recipe = tiny_recipe()
    Run.create("taken", recipe, tmp_path)
    with pytest.raises(RunError, match="there already"):
        unpack_zero(tmp_path / "pack", tmp_path / "taken")
