"""What is refused though each of its parts is right: options that nothing would look at, outputs that are inputs."""

from pathlib import Path

import pytest

from tests.cli.test_cli import complaint


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("eval --evaluator book --net giraffe", "--net"),
        ("eval --evaluator handcrafted --net giraffe", "--net"),
        ("uci --engine classic --net x", "--net"),
        ("play --terminal --port 9", "--port"),
        ("play --terminal --host 127.0.0.1", "--host"),
        ("play --terminal --no-browser", "--browser"),
        ("play --terminal --data x", "--data"),
        ("play --terminal --nets x", "--nets"),
        ("play --terminal --engine x", "--engine"),
        ("play --terminal --resume --opponent uct", "--opponent"),
        ("play --terminal --resume --depth 3", "--depth"),
        ("play --terminal --opponent person --side white", "--side"),
        ("play --opponent uct", "--opponent"),
        ("play --ascii", "--ascii"),
        ("play --depth 3", "--depth"),
        ("search -a uct --heuristic book", "--heuristic"),
        ("search --tree 2 --json", "--tree"),
        ("match -e random -e random --sprt-alpha 0.1", "--sprt-alpha"),
        ("match -e random -e random --mode gauntlet", "--mode"),
        ("match -e random -e random --draw-moves 3", "--draw-moves"),
        ("match -e random -e random --resign-moves 3", "--resign-moves"),
        ("match -e random -e random --order sequential --seed 3", "--seed"),
        ("match -e random -e random --opening-plies 3", "opening_plies"),
        ("data pgn x --output y --no-annotations --evals mover", "--evals"),
        ("data score x.rec --out y --static --nodes 5", "--nodes"),
        ("data score x.rec --out y --seed 5", "--seed"),
        ("data selfplay --out y --engine deepchess --nodes 5", "--nodes"),
        ("train nnue x.rec --out y --result-scale 9", "--result-scale"),
        ("train hexapawn-zero --gate-pairs 9", "--gate-pairs"),
        ("train hexapawn-zero --self-play-gumbel-considered 9", "--self-play-gumbel-considered"),
        ("train hexapawn-zero --self-play-search gumbel --self-play-noise 0.1", "--self-play-noise"),
        ("train hexapawn-zero --self-play-full-share 0.1", "--self-play-full-share"),
        ("train tictactoe-zero --training-momentum 0.1", "--training-momentum"),
        ("train hexapawn-zero --training-moves-left-weight 0.1", "--training-moves-left-weight"),
        ("train hexapawn-zero --network-value-planes 4", "--network-value-planes"),
        ("train hexapawn-zero --rating-first-ply 4", "--rating-first-ply"),
        ("train hexapawn-supervised --games 4", "--games"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(
    command: str, option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint(capsys, *command.split()).startswith(f"philidor: {option} would be ignored: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [
        "net convert {file} {link}",
        "net export {file} {link}",
        "data pgn {file} --output {link}",
        "data pgn {file} --append --output {link}",
        "data export {file} --output {link}",
        "data cat {file} --output {link}",
        "data split {file} --parts x=1 --output {link}",
        "data stats {file} --plot {link}.x.rec.svg",
        "tune {file} --out {link}",
    ],
)
def test_no_command_writes_over_what_it_reads(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "link.x.rec"
    file.write_bytes(b"whatever it is")
    (tmp_path / "link.x.rec.svg").symlink_to(file)
    link = tmp_path / ("link" if "split" in command or "stats" in command else "other")
    link.symlink_to(file)
    assert "it is also what is read" in complaint(capsys, *command.format(file=file, link=link).split())
    assert file.read_bytes() == b"whatever it is"
