"""`--json`: every command with a result has it, and standard output then holds nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from philidor.cli import main
from philidor.cli.commands import COMMANDS, load_command
from philidor.cli.train.zero import recipe_command
from philidor.nets.leela.files import save_leela
from philidor.nets.nnue import ARCHITECTURES, save_network
from tests.nets.leela_nets import residual_net
from tests.nets.networks import made_up
from tests.pipelines.tiny import TEXT

WITHOUT_RESULT = ("play", "uci", "gtp")


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """Returns what a command prints, all of it."""
    assert main([*map(str, arguments), "--json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_command_with_a_result_has_json() -> None:
    commands = {name: load_command(name) for name in COMMANDS if name not in WITHOUT_RESULT}

    def check(name: str, command: Any) -> None:
        for inner, leaf in getattr(command, "commands", {}).items():
            check(f"{name} {inner}", leaf)
        if not hasattr(command, "commands"):
            assert "--json" in {option for parameter in command.params for option in parameter.opts}, name

    for name, command in {**commands, "recipe": recipe_command("hexapawn-zero")}.items():
        check(name, command)


def test_networks_are_converted_exported_and_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    leela, own, onnx, nnue = (tmp_path / name for name in ("a.pb.gz", "a.safetensors", "a.onnx", "a.nnue"))
    save_leela(residual_net(), leela)
    save_network(made_up(ARCHITECTURES["mirrored-256"]), nnue.with_suffix(".phnn"))
    written = answer(capsys, "net", "convert", leela, own)
    assert written == {"file": str(own), "bytes": own.stat().st_size}
    assert answer(capsys, "net", "export", own, onnx) == {"file": str(onnx), "bytes": onnx.stat().st_size}
    assert -1 <= answer(capsys, "net", "verify", own)["value"] <= 1
    assert answer(capsys, "net", "verify", nnue.with_suffix(".phnn"))["positions"] > 10
    assert answer(capsys, "net", "verify", "giraffe")["positions"] > 10


def test_games_are_played_scored_and_exported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    quick = ("--nodes", 20, "--settings", "hash=1", "--workers", 1)
    played = answer(capsys, "data", "selfplay", "--games", 2, "--max-plies", 20, *quick, "--out", tmp_path / "games")
    assert (played["games"], played["new_games"]) == (2, 2)
    (file,) = Path(played["folder"]).glob("*.rec")
    scored = answer(capsys, "data", "score", file, *quick, "--out", tmp_path / "scores")
    assert (scored["games"], scored["total"]) == (2, 2)
    out = tmp_path / "games.pgn"
    exported = answer(capsys, "data", "export", file, "--output", out)
    assert exported == {"file": str(out), "games_read": 2, "games_written": 2}
    assert main(["data", "export", str(file), "--json"]) == 2
    assert "--json would be ignored" in capsys.readouterr().err


def test_training_leaves_standard_output_to_the_result(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")
    recipe = tmp_path / "mine.toml"
    recipe.write_text(TEXT.replace("generations = 2", "generations = 1"))
    trained = answer(capsys, "train", recipe, "--out", tmp_path / "run")
    assert trained["is_done"]
    assert [rating["generation"] for rating in trained["ratings"]] == [0, 1]
