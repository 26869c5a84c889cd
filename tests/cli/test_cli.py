"""The commands, run in this process: what they print, how they fail."""

import errno
import hashlib
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from philidor.cli import main
from philidor.cli.run import describe
from philidor.evaluators.nnue import NnueEvaluator
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.nets.nnue import ARCHITECTURES, reference, save_network
from philidor.nets.shipped import DEFAULT_NET, find_net
from tests.nets.leela_nets import residual_net
from tests.nets.networks import made_up

FIGURE_3_1 = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = main(arguments)
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("philidor: ")
    assert captured.err.count("\n") == 1, captured.err
    return captured.err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    from philidor.cli.commands import COMMANDS

    for arguments in (["--help"], ["-h"], []):
        text = output(capsys, *arguments)
        assert all(f" {name} " in text for name in COMMANDS)


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    from philidor.cli.commands import COMMANDS

    for name in COMMANDS:
        assert f"philidor {name}" in output(capsys, name, "--help")


def test_a_group_without_a_command_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data"]) == 2
    captured = capsys.readouterr()
    assert "stats" in captured.out
    assert captured.err == ""


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["eval", "--fen", "startpos", "--fen", STALEMATE], "--fen"),
        (["eval", "--json", "--json"], "--json"),
        (["search", "--depth", "1", "--depth=2"], "--depth"),
        (["data", "selfplay", "--out", "run", "-o", "other"], "--out"),
        (["data", "score", "a.rec", "--out", "run", "--nodes", "10", "--nodes", "20"], "--nodes"),
        (["train", "hexapawn-zero", "--generations", "1", "--generations", "2"], "--generations"),
        (["data", "score", "a.rec", "--out", "run", "--static", "--no-static"], "--static"),
        (["match", "-e", "random", "-e", "random", "--sprt", "0", "5", "--sprt", "0", "9"], "--sprt"),
    ],
)
def test_an_option_that_is_no_list_is_given_once(
    arguments: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    message = complaint(capsys, *arguments)
    assert option in message
    assert "given 2 times, expected once" in message


def test_every_command_refuses_repeated_options() -> None:
    from philidor.cli.commands import COMMANDS, StrictCommand, load_command
    from philidor.cli.train.zero import recipe_command

    def leaves(command: Any) -> list[Any]:
        inner = getattr(command, "commands", None)
        return [command] if inner is None else [leaf for each in inner.values() for leaf in leaves(each)]

    for command in [*map(load_command, COMMANDS), recipe_command("hexapawn-zero")]:
        assert leaves(command)
        assert all(isinstance(leaf, StrictCommand) for leaf in leaves(command))


def test_help_may_be_asked_for_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Usage" in output(capsys, "eval", "--help", "-h")


def test_a_list_of_a_player_given_in_pieces_is_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    start = ["play", "--terminal", "--opponent", "classic", "--without"]
    assert "'first'" in complaint(capsys, *start, "first", "--without", "null_move")
    assert "'second'" in complaint(capsys, *start, "null_move", "--without", "second")


def test_a_full_disk_is_no_bad_usage() -> None:
    full = OSError(errno.ENOSPC, "No space left on device", "run/metrics.jsonl")
    assert describe(full) == (1, "run/metrics.jsonl: no space left on device")
    assert describe(OSError(errno.ENOSPC, "No space left on device")) == (1, "no space left on device")
    assert describe(FileNotFoundError(errno.ENOENT, "No such file", "x.rec")) == (2, "x.rec: no such file")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize(
    ("command", "games"),
    [
        ("net convert {net} {folder}/new.phnn", 1),
        ("data pgn {pgn} --output {folder}/new.rec", 1),
        ("data pgn {pgn} --output {folder}/new.rec", 2000),
        ("data export {rec} --output {folder}/new.pgn", 1),
        ("data export {rec} --output {folder}/new.pgn", 2000),
    ],
)
def test_no_room_for_a_file_is_one_line_and_no_file(command: str, games: int, tmp_path: Path) -> None:
    import resource

    pgn, folder = tmp_path / "games.pgn", tmp_path / "new"
    pgn.write_text('[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n' * games, encoding="utf-8")
    folder.mkdir()
    rec = tmp_path / "games.rec"
    assert main(["data", "pgn", str(pgn), "--output", str(rec)]) == 0
    words = command.format(net=find_net(DEFAULT_NET), pgn=pgn, rec=rec, folder=folder).split()
    done = subprocess.run(
        [sys.executable, "-m", "philidor", *words],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "file too large" in done.stderr.lower()
    assert words[-1] in done.stderr
    assert not list(folder.iterdir())


def test_a_thread_that_fails_says_so_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError("no room")

    def command(*_: object, **__: object) -> None:
        thread = threading.Thread(target=fail, name="writer")
        thread.start()
        thread.join()

    monkeypatch.setattr("philidor.cli.run.app", command)
    hook = threading.excepthook
    assert main([]) == 0
    assert capsys.readouterr().err == "WARNING: writer: no room\n"
    assert threading.excepthook is hook


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    import philidor

    assert output(capsys, "--version") == f"philidor {philidor.__version__}\n"


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "perft", "4").startswith("197,281 positions")
    assert output(capsys, "perft", "0").startswith("1 position")
    assert output(capsys, "perft", "3", "--no-bulk").startswith("8,902 positions")


def test_perft_divides(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "perft", "3", "--divide", "--fen", "8/8/8/8/8/8/k1K5/7R w - - 0 1")
    counts = {line.split(":")[0]: int(line.split(":")[1].replace(",", "")) for line in text.splitlines()[:-1]}
    answer = json.loads(output(capsys, "perft", "3", "--divide", "--json", "--fen", "8/8/8/8/8/8/k1K5/7R w - - 0 1"))
    assert answer["divide"] == counts
    assert answer["nodes"] == sum(counts.values())
    assert answer["depth"] == 3


def test_perft_in_pieces_counts_the_same(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.cli.perft._QUICK_DEPTH", 1)
    assert json.loads(output(capsys, "perft", "4", "--json"))["nodes"] == 197_281


def test_eval_gives_the_books_number(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "eval", "--evaluator", "book", "--fen", FIGURE_3_1, "--json"))
    assert answer["white_score_cp"] == answer["score_cp"] == -55
    signs = {piece["piece"]: 1 if piece["piece"].isupper() else -1 for piece in answer["pieces"]}
    assert sum(signs[p["piece"]] * (p["material"] + p["placement"]) for p in answer["pieces"]) == -55
    text = output(capsys, "eval", "--evaluator", "book", "--fen", FIGURE_3_1)
    assert "-0.55" in text
    assert "-55" in text


def test_eval_turns_the_view_to_the_side_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "eval", "--evaluator", "handcrafted", "--moves", "e4 d5, exd5", "--json"))
    assert answer["to_move"] == "black"
    assert answer["white_score_cp"] > 0
    assert answer["score_cp"] == -answer["white_score_cp"]


def test_eval_asks_the_shipped_network_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "eval", "--json"))
    assert answer["evaluator"] == DEFAULT_NET
    assert answer["raw"] == NnueEvaluator.load(DEFAULT_NET).raw(Position())
    assert json.loads(output(capsys, "eval", "--net", DEFAULT_NET, "--json")) == answer


def test_eval_asks_a_network(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "small.pb.gz"
    save_leela(residual_net(), path)
    answer = json.loads(output(capsys, "eval", "--moves", "e4", "--net", str(path), "--json"))
    assert answer["to_move"] == "black"
    assert len(answer["policy"]) == 20
    assert abs(sum(answer["wdl"].values()) - 1) < 1e-6
    assert answer["value"] == pytest.approx(answer["wdl"]["win"] - answer["wdl"]["loss"])
    text = output(capsys, "eval", "--moves", "e4", "--net", str(path))
    assert "Black to move: wins" in text
    assert "plies left" in text
    assert "In pawns, by a formula: " in text
    assert "(lc0's WDL_mu)" in text


def test_a_description_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    network = replace(made_up(ARCHITECTURES["mirrored-256"]), description="\x1b[2Jä\n\x07 end")
    save_network(network, tmp_path / "net.phnn")
    said = output(capsys, "net", "info", str(tmp_path / "net.phnn"))
    assert said.endswith(" \ufffd[2Jä\ufffd\ufffd end\n")
    facts = json.loads(output(capsys, "net", "info", "--json", str(tmp_path / "net.phnn")))
    assert facts["description"] == "\x1b[2Jä\n\x07 end"


def test_net_describes_and_converts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, model = tmp_path / "small.pb.gz", tmp_path / "small.onnx"
    save_leela(residual_net(), path)
    assert json.loads(output(capsys, "net", "info", str(path), "--json"))["filters"] == 16
    assert "squeeze excitation" in output(capsys, "net", "info", str(path))
    output(capsys, "net", "convert", str(path), str(model))
    assert json.loads(output(capsys, "net", "info", str(model), "--json"))["philidor.encoding"] == "leela-1-flat"
    output(capsys, "net", "convert", str(path), str(tmp_path / "again.pb"))
    assert json.loads(output(capsys, "net", "info", str(tmp_path / "again.pb"), "--json"))["blocks"] == 2


def test_net_exports_networks_of_our_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    leela, own = tmp_path / "small.pb.gz", tmp_path / "small.safetensors"
    save_leela(residual_net(), leela)
    output(capsys, "net", "convert", str(leela), str(own))
    facts = json.loads(output(capsys, "net", "info", str(own), "--json"))
    assert (facts["format"], facts["encoding"], facts["blocks"]) == ("philidor", "leela-1-flat", 2)
    assert facts["step"] == "7"
    assert "policy_planes" not in facts
    assert "value is" in output(capsys, "net", "verify", str(own))
    wanted = json.loads(output(capsys, "eval", "--net", str(leela), "--json"))["policy"]
    for name in ("again.onnx", "again.pb.gz"):
        output(capsys, "net", "export", str(own), str(tmp_path / name))
        found = json.loads(output(capsys, "eval", "--net", str(tmp_path / name), "--json"))["policy"]
        assert found == pytest.approx(wanted, abs=1e-5)
    output(capsys, "net", "convert", str(own), str(tmp_path / "converted.onnx"))
    assert (tmp_path / "converted.onnx").read_bytes() == (tmp_path / "again.onnx").read_bytes()
    assert "safetensors" in complaint(capsys, "net", "export", str(leela), str(tmp_path / "x.onnx"))


def test_shipped_networks_are_converted_and_exported_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output(capsys, "net", "convert", "philidor-4", str(tmp_path / "again.phnn"))
    assert (tmp_path / "again.phnn").read_bytes() == find_net("philidor-4").read_bytes()
    output(capsys, "net", "export", "human-1", str(tmp_path / "human.onnx"))
    assert json.loads(output(capsys, "net", "info", str(tmp_path / "human.onnx"), "--json"))["philidor.game"] == "chess"
    assert "no network 'human-0'" in complaint(capsys, "net", "convert", "human-0", str(tmp_path / "x.onnx"))


def test_net_and_eval_know_nnue(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    network = made_up(ARCHITECTURES["halfkp-256"])
    path, copy = tmp_path / "net.nnue", tmp_path / "copy.phnn"
    save_network(network, path)
    facts = json.loads(output(capsys, "net", "info", str(path), "--json"))
    assert (facts["architecture"], facts["inputs"], facts["layers"][0]) == ("halfkp-256", 41_024, "512 -> 32")
    assert facts["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    output(capsys, "net", "convert", str(path), str(copy))
    assert json.loads(output(capsys, "net", "info", str(copy), "--json"))["sha256"] == facts["sha256"]
    assert "agree with the reference" in output(capsys, "net", "verify", str(copy))
    answer = json.loads(output(capsys, "eval", "--moves", "e4", "--net", str(copy), "--json"))
    position = Position().play("e4")
    assert answer["raw"] == reference.raw(network, position)
    assert answer["white_score_cp"] == -answer["score_cp"] == -network.architecture.centipawns(answer["raw"])
    assert len(answer["pieces"]) == 30
    scale = "/".join(map(str, network.architecture.scale))
    assert answer["score_formula"] == f"{scale} x raw"
    assert f"(raw {answer['raw']}, centipawns {scale} x raw)" in output(
        capsys, "eval", "--moves", "e4", "--net", str(copy)
    )


def test_net_convert_packs_by_the_name_of_the_copy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, copy = tmp_path / "net.phnn", tmp_path / "copy.phnn.zst"
    save_network(made_up(ARCHITECTURES["mirrored-256"]), path)
    output(capsys, "net", "convert", str(path), str(copy))
    assert copy.read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    facts, packed = (json.loads(output(capsys, "net", "info", str(each), "--json")) for each in (path, copy))
    assert packed["sha256"] == facts["sha256"]


def test_a_network_that_is_not_what_its_name_says_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "nn-0123456789ab.nnue"
    save_network(made_up(ARCHITECTURES["halfkp-256"]), path)
    assert "begins with 0123456789ab, but it begins with" in complaint(capsys, "net", "verify", str(path))
    path.write_bytes(b"\x20\x2f\xf3\x7a" + bytes(100))
    assert "another version: it begins with 0x7AF32F20" in complaint(capsys, "net", "info", str(path))


def test_bench_measures_any_engine(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "net.phnn"
    save_network(made_up(ARCHITECTURES["mirrored-256"]), path)
    answer = json.loads(output(capsys, "bench", "--engine", "nnue", "--net", str(path), "--depth", "3", "--json"))
    assert answer["nodes"] > 100
    shipped = json.loads(output(capsys, "bench", "--depth", "3", "--json"))
    assert shipped["nodes"] not in (0, answer["nodes"])
    named = json.loads(output(capsys, "bench", "--engine", "nnue", "--net", DEFAULT_NET, "--depth", "3", "--json"))
    assert named["nodes"] == shipped["nodes"]
    assert "no network 'philidro-1'" in complaint(capsys, "bench", "--net", "philidro-1")
    assert "has no nodes to count" in complaint(capsys, "bench", "--engine", "random")


def test_eval_says_when_the_game_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    for evaluator in ("nnue", "handcrafted"):
        assert "stalemate" in output(capsys, "eval", "--evaluator", evaluator, "--fen", STALEMATE)


def test_search_reproduces_chapter_3(capsys: pytest.CaptureFixture[str]) -> None:
    figure = ["search", "--json", "--fen", FIGURE_3_1]
    answer = json.loads(output(capsys, *figure, "--depth", "3", "--order", "python-chess"))
    assert (answer["best"], answer["nodes"]) == ("h5f7", 9_050)
    answer = json.loads(output(capsys, *figure, "-a", "uct-native", "--iterations", "200"))
    assert (answer["best"], answer["nodes"]) == ("h5f7", 200)


def test_search_solves_hexapawn(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("solve", "solver"):
        answer = json.loads(output(capsys, "search", "-a", name, "--game", "hexapawn", "--json"))
        assert answer["score"] == {"mate": -3}
    text = output(capsys, "search", "-a", "solve", "--game", "hexapawn", "--moves", "b1b2")
    assert "Black to move" in text
    assert "#3" in text


def test_search_draws_and_writes_its_tree(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    arguments = ["search", "--game", "hexapawn", "--depth", "3", "--trace", str(file)]
    text = output(capsys, *arguments, "--tree", "2")
    tree = json.loads(file.read_text())
    assert [child["move"] for child in tree["children"]] == ["a1a2", "b1b2", "c1c2"]
    answers = [answer for child in tree["children"] for answer in child["children"]]
    assert (
        sum("skipped" in answer for answer in answers)
        == json.loads(output(capsys, *arguments, "--json"))["counters"]["cutoffs"]
    )
    assert "root" in text
    assert "b3a2" in text


def test_search_writes_san(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "search", "--fen", FIGURE_3_1, "--depth", "2", "--tree", "1")
    assert "Qxf7#" in text
    assert "line: Qxf7#" in text


def test_search_stops_at_its_limits(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "search", "-a", "minimax", "--depth", "4", "--nodes", "500", "--json"))
    assert answer["nodes"] <= 500


def test_doctor_finds_what_is_needed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHILIDOR_SHARED", "/nowhere")
    findings = {finding["name"]: finding for finding in json.loads(output(capsys, "doctor", "--json"))}
    assert findings["compiled core"]["state"] == "ok"
    assert findings["chess"]["state"] == "ok"
    assert findings["PHILIDOR_SHARED"]["state"] == "absent"
    assert "variant" in output(capsys, "doctor")


def test_without_the_shipped_network_programs_say_so_and_classic_plays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (tmp_path,))
    reading, writing = os.pipe()
    os.write(writing, b"isready\n")  # the first word that needs the engine
    os.close(writing)
    with os.fdopen(reading) as lines:
        monkeypatch.setattr("sys.stdin", lines)
        for command in ("uci", "bench", "eval"):
            told = complaint(capsys, command)
            assert f"cannot be used: no network '{DEFAULT_NET}'" in told
            assert "play the engine classic" in told
    assert main(["doctor", "--json"]) == 1
    findings = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert findings["default"]["state"] == "broken"
    assert json.loads(output(capsys, "bench", "--engine", "classic", "--depth", "2", "--json"))["nodes"] > 0
    assert "White's view" in output(capsys, "eval", "--evaluator", "handcrafted")


def test_doctor_fails_when_something_needed_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("philidor.cli.doctor._LIBRARIES", ("no_such_library",))
    assert main(["doctor", "--json"]) == 1
    findings = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert findings["no_such_library"]["state"] == "broken"
    assert "pip install no_such_library" in findings["no_such_library"]["advice"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["pefrt", "3"], "did you mean 'perft'"),
        (["perft"], "depth"),
        (["perft", "-1"], "got -1"),
        (["perft", "x"], "depth"),
        (["perft", "3", "--fen", "8/8/8/8 w - - 0 1"], "FEN"),
        (["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (["perft", "3", "--depht", "3"], "--depht"),
        (["eval", "--moves", "e4 e4"], "e4"),
        (["eval", "--fen", "startpos", "--net", "x.nnue"], "there is no network 'x.nnue'"),
        (["search", "-a", "alfabeta"], "did you mean 'alphabeta'"),
        (["search", "--game", "checkers"], "did you mean"),
        (["search", "--game", "nofile.py:Game"], "nofile.py"),
        (["search", "--depth", "-2"], "depth must be"),
        (["search", "--depth", "deep"], "depth must be"),
        (["search", "-a", "uct", "--depth", "2"], "uct has no option --depth"),
        (["search", "--order", "fast"], "order must be one of"),
        (["search", "--fen", STALEMATE], "the game is over (stalemate)"),
        (["search", "--trace", "no/such/folder/t.json"], "there is no folder"),
        (["search", "--game", "hexapawn", "--fen", "ppp/PPP w"], "3 rows"),
        (["play", "--terminal", "--opponent", "alphabet"], "did you mean 'alphabeta'"),
        (["play", "--terminal", "--opponent", "alphabet", "--depth", "2"], "did you mean 'alphabeta'"),
        (["play", "--terminal", "--opponent", "person", "--depth", "2"], "a person has no level and no settings"),
        (["play", "--terminal", "--opponent", "solver"], "chess may go on for ever"),
        (["play", "--terminal", "--opponent", "solver", "--game", "connect4"], "connect4 may take 42"),
        (["play", "--terminal", "--opponent", "alphabeta", "--level", "9"], "levels 1 to"),
        (["play", "--terminal", "--side", "green"], "side"),
        (["play", "--terminal", "--chess960", "960"], "0 to 959"),
        (["play", "--terminal", "--game", "hexapawn", "--chess960", "1"], "--chess960"),
        (["play", "--terminal", "--opponent", "alphabeta", "--depth", "0"], "depth must be"),
    ],
)
def test_bad_usage_is_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str) -> None:
    assert expected in complaint(capsys, *arguments)


def test_debug_shows_the_traceback_wherever_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--debug", "perft", "1", "--fen", "x"], ["perft", "1", "--fen", "x", "--debug"]):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert "Traceback" in error
        assert error.splitlines()[-1].startswith("philidor: invalid FEN")


def test_an_error_of_our_own_is_a_failure_and_says_how_to_look_inside(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("philidor.games.chess.Position.divide", broken)
    assert "planted" in (error := complaint(capsys, "perft", "3", code=1))
    assert "--debug" in error


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    error = complaint(capsys, "search", "--depth", "1", "--trace", str(tmp_path))
    assert str(tmp_path) in error
