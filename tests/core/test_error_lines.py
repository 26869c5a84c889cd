"""Messages are one printable line, whatever the file or the text that they quote."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.cli import main
from philidor.core.errors import EncodingError, NetError, PhilidorError, UnknownNameError
from philidor.encodings import load_encoding
from philidor.evaluators.loading import load_net
from philidor.games import load_game
from philidor.nets.dense.files import load_dense, save_dense
from philidor.nets.onnx.graph import Graph
from philidor.nets.onnx.signature import ENCODING_KEY
from philidor.nets.safetensors import write_tensors
from tests.nets.dense_networks import made_up_giraffe


@given(st.text(st.characters(), max_size=900))
def test_every_message_is_one_printable_line(text: str) -> None:
    for error in (PhilidorError(text), NetError(f"x {text} y"), UnknownNameError("game", text, ["chess"])):
        assert str(error).isprintable()
        assert len(str(error)) < 300


def test_a_long_message_keeps_both_ends() -> None:
    assert str(NetError("begin " + "x" * 1000 + " end")).startswith("begin xxx")
    assert str(NetError("begin " + "x" * 1000 + " end")).endswith("xxx end")
    assert str(NetError("two\nlines\x1b[31m")) == "two lines\N{REPLACEMENT CHARACTER}[31m"


def test_a_terminal_is_not_written_to_by_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "net.safetensors"
    write_tensors(path, {"\x1b]0;owned\x07\n" + 400 * "a": np.full(3, np.nan, np.float32)}, {"philidor.network": "{}"})
    assert main(["net", "info", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.isprintable()
    assert len(line) < 320


def test_a_number_of_thousands_of_digits_names_no_encoding() -> None:
    for digits in ("9" * 5_000, "\N{ARABIC-INDIC DIGIT ONE}"):
        with pytest.raises(EncodingError, match="no encoding"):
            load_encoding(f"leela-{digits}-flat", load_game("chess"))


def test_a_number_that_no_float_holds_is_a_damaged_header(tmp_path: Path) -> None:
    path = tmp_path / "net.phfl"
    save_dense(made_up_giraffe(), path)
    data = path.read_bytes()
    text = data[12 : 12 + int.from_bytes(data[8:12], "little")]
    header = text.replace(b'"scale":300.0', b'"scale":1' + 400 * b"0")
    path.write_bytes(data[:8] + len(header).to_bytes(4, "little") + header + data[12 + len(text) :])
    with pytest.raises(NetError, match="header is damaged: OverflowError"):
        load_dense(path)


@pytest.mark.parametrize("name", [b"policyXX", b"sizeXX"])
def test_a_name_that_is_no_text_is_refused_quietly(
    name: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    graph = Graph("small")
    graph.output(graph.input("planes", ["sizeXX", 3, 3, 3]), "policyXX", ["sizeXX", 3, 3, 3])
    path = tmp_path / "net.onnx"
    path.write_bytes(graph.model({ENCODING_KEY: "boards-1"}).replace(name, name[:-2] + b"\xff\xfe"))
    with pytest.raises(PhilidorError, match=r"net\.onnx. has an input or output whose name is no text"):
        load_net(path, game="tictactoe")
    assert capfd.readouterr().out == "", "standard output belongs to UCI"
