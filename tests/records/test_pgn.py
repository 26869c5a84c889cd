"""The PGN reader against python-chess, on files as they come and on bytes that are no files at all."""

import bz2
import gzip
import io
import lzma
import os
import random
import zipfile
from pathlib import Path

import chess
import chess.pgn
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import PgnError
from philidor.games.chess import Chess
from philidor.records import GameRecord, PgnSource, Result, read_pgn
from philidor.records.native import PgnReader, RecordBatch, from_native
from philidor.records.streams import read_chunks

PGN = """\
[Event "Test"]
[Date "2004.05.01"]
[White "Müller"]
[Result "1-0"]
[WhiteElo "2100"]
[BlackElo "1985"]

1. e4 e5 2. Nf3 Nc6 {[%eval 0.31] [%clk 0:03:00]} 3. Bb5 a6 (3... Nf6 4. O-O) 4. Ba4 $1 Nf6 1-0

"""


def parse(text: bytes, piece: int = 1 << 20) -> tuple[list[GameRecord], PgnReader]:
    reader = PgnReader(False, True, ["*"])
    batches: list[RecordBatch] = [reader.feed(text[at : at + piece]) for at in range(0, len(text), piece)]
    batches.append(reader.finish())
    return [from_native(batch[i]) for batch in batches for i in range(len(batch))], reader


def random_game(generator: random.Random, start: chess.Board) -> chess.pgn.Game:
    """A game of random moves with variations, comments, evaluations and clocks."""
    game = chess.pgn.Game()
    game.setup(start)
    node: chess.pgn.GameNode = game
    for _ in range(generator.randrange(60)):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        node = node.add_main_variation(generator.choice(moves))
        if generator.random() < 0.2:
            node.comment = generator.choice(["", "a (bracket", "semi; colon", "percent % sign", "1-0"])
        if generator.random() < 0.3:
            node.set_eval(chess.engine.PovScore(chess.engine.Cp(generator.randrange(-3000, 3000)), chess.WHITE))
        if generator.random() < 0.3:
            node.set_clock(generator.randrange(20000) / 10)
        if generator.random() < 0.2:
            node.nags.add(generator.randrange(1, 140))
        if generator.random() < 0.2:
            node.parent.add_variation(generator.choice(moves))
    game.headers["Result"] = generator.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return game


def expected_scores(game: chess.pgn.Game) -> list[int | None]:
    """The score of each position, the side to move's view, as python-chess reads it."""
    scores: list[int | None] = []
    node: chess.pgn.GameNode | None = game
    while node is not None:
        pov = node.eval()
        scores.append(None if pov is None else pov.relative.score(mate_score=32000))
        node = node.next()
    return scores


@pytest.mark.parametrize("seed", range(40))
def test_reads_what_python_chess_writes(seed: int) -> None:
    generator = random.Random(seed)
    start = chess.Board.from_chess960_pos(generator.randrange(960)) if seed % 2 else chess.Board()
    games = [random_game(generator, start) for _ in range(5)]
    text = "\n\n".join(str(game) for game in games)
    records, reader = parse(text.encode(), piece=generator.choice([100, 1000, 100000]))
    assert reader.skipped == {}
    assert len(records) == len(games)
    for record, game in zip(records, games, strict=True):
        boards = [game.board()]
        for state, move in zip(list(record.states(Chess()))[1:], game.mainline_moves(), strict=True):
            boards.append(boards[-1].copy(stack=False))
            boards[-1].push(move)
            assert state.text().split()[:4] == boards[-1].fen(en_passant="legal").split()[:4]
        assert record.result.text == game.headers["Result"]
        scores = [*(record.scores or [None] * len(record)), record.final_score]
        assert scores == expected_scores(game)
        clocks = [None if (clock := node.clock()) is None else round(1000 * clock) for node in game.mainline()]
        assert list(record.clocks_ms or [None] * len(record)) == clocks


@pytest.mark.parametrize("seed", range(20))
def test_python_chess_reads_what_records_write(seed: int) -> None:
    generator = random.Random(1000 + seed)
    start = chess.Board.from_chess960_pos(generator.randrange(960)) if seed % 2 else chess.Board()
    original = random_game(generator, start)
    records, _ = parse(str(original).encode())
    game = chess.pgn.read_game(io.StringIO(records[0].to_pgn()))
    assert game is not None
    assert not game.errors
    assert list(game.mainline_moves()) == list(original.mainline_moves())
    assert expected_scores(game) == expected_scores(original)
    assert parse(records[0].to_pgn().encode())[0] == records


def test_tags_and_facts_are_read() -> None:
    (record,), _ = parse(PGN.encode())
    assert record.source == "Test"
    assert record.result is Result.FIRST_WINS
    assert record.ratings == (2100, 1985)
    assert record.tags == {"Date": "2004.05.01", "White": "Müller"}
    assert record.uci_moves() == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"]
    assert record.scores == (None, None, None, None, 31, None, None, None)
    assert record.clocks_ms == (None, None, None, 180000, None, None, None, None)


def write_zip(path: Path, data: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("games.pgn", data)


WRITERS = {
    "pgn": lambda path, data: path.write_bytes(data),
    "gz": lambda path, data: path.write_bytes(gzip.compress(data)),
    "bz2": lambda path, data: path.write_bytes(bz2.compress(data)),
    "xz": lambda path, data: path.write_bytes(lzma.compress(data)),
    "zst": lambda path, data: path.write_bytes(zstandard.compress(data[:2000]) + zstandard.compress(data[2000:])),
    "zip": write_zip,
}


@pytest.mark.parametrize("kind", WRITERS)
def test_compressed_files_are_opened_whatever_their_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    WRITERS[kind](path, PGN.encode() * 50)
    assert len(list(read_pgn(path))) == 50


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst", "zip"])
def test_an_archive_that_was_cut_off_is_one_clear_error(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    WRITERS[kind](path, PGN.encode() * 20_000)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(PgnError, match=r"games': damaged behind byte"):
        list(PgnSource([path]).batches())


def test_an_archive_with_altered_bytes_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    WRITERS["gz"](path, PGN.encode() * 1000)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(PgnError, match="damaged behind byte"):
        list(PgnSource([path]).batches())


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(PgnError, match=r"cannot read .*nothing\.pgn"):
        list(read_pgn(tmp_path / "nothing.pgn"))


def test_counts_add_up_over_files(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pgn", tmp_path / "bad.pgn"
    good.write_text(PGN * 3)
    bad.write_text(PGN + '[Event "x"]\n\n1. e5 *\n\n' + PGN)
    source = PgnSource([good, bad, good])
    assert len(list(source)) == source.games == 8
    assert source.skipped == {"illegal move": 1}
    assert source.first_problem == "bad.pgn: game 2: illegal move e5"
    assert source.bytes_done == source.bytes_total


@given(st.binary(max_size=300), st.integers(1, 50))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(data: bytes, piece: int) -> None:
    parse(data, piece)


TOKENS = st.sampled_from(
    ["1.", " ", "\n", "\n\n", "e4", "Nf3", "{", "}", "(", ")", ";", "%", "[Event \"x\"]", "[FEN \"", "\"]", "1-0", "*",
     "$5", "O-O", "[%eval ", "0.5]", "[%clk 1:", "--", "\r", "\0", "\xff", "e8=Q", "0-0-0", "#", "...", "<", "1/2"]
)  # fmt: skip


@given(st.lists(TOKENS, max_size=60), st.integers(1, 20))
@settings(max_examples=500, deadline=None)
def test_the_pieces_do_not_matter(tokens: list[str], piece: int) -> None:
    data = "".join(tokens).encode("latin-1")
    games, reader = parse(data)
    again, other = parse(data, piece)
    assert games == again
    assert (reader.games, reader.skipped) == (other.games, other.skipped)


@pytest.mark.shared
@pytest.mark.skipif("PHILIDOR_SHARED" not in os.environ, reason="needs PHILIDOR_SHARED")
@pytest.mark.parametrize("name", ["games/human_otb_rated", "games/gm_2500plus", "evals/tcec_eval", "evals/ccc_eval"])
def test_agrees_with_python_chess_on_real_games(name: str) -> None:
    path = Path(os.environ["PHILIDOR_SHARED"], "data", f"{name}.pgn.zst")
    with zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(path.open("rb")) as stream:
        data = stream.read(400_000)
    data = data[: data.rindex(b"[Event ")]
    records, reader = parse(data)
    assert reader.skipped == {}
    stream_of_text = io.StringIO(data.decode())
    for record in records:
        game = chess.pgn.read_game(stream_of_text)
        assert game is not None
        assert record.uci_moves() == [move.uci() for move in game.mainline_moves()]
        assert record.result.text == game.headers["Result"]
    assert chess.pgn.read_game(stream_of_text) is None


def test_a_file_made_to_fill_the_memory_comes_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pgn.zst"
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    zeros = bytes(1 << 24)
    path.write_bytes(b"".join(packer.compress(zeros) for _ in range(20)) + packer.flush())
    assert path.stat().st_size < 1 << 16
    sizes = [len(chunk) for chunk, _ in read_chunks(path)]
    assert sum(sizes) == 20 << 24
    assert max(sizes) <= 1 << 27


@pytest.mark.parametrize("kind", ["zst", "xz"])
def test_a_small_file_that_asks_for_much_memory_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("philidor.records.streams._WINDOW_BYTES", 1 << 20)
    path = tmp_path / f"games.{kind}"
    if kind == "zst":
        wide = zstandard.ZstdCompressionParameters(window_log=27, enable_ldm=True)
        packer = zstandard.ZstdCompressor(compression_params=wide).compressobj()
        path.write_bytes(packer.compress(b"1. e4 *\n") + packer.flush())
    else:
        path.write_bytes(lzma.compress(b"1. e4 *\n", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 27}]))
    with pytest.raises(PgnError, match=r"[Mm]emory"):
        list(read_chunks(path))


def test_xz_streams_may_stand_one_behind_the_other(tmp_path: Path) -> None:
    path = tmp_path / "games.xz"
    path.write_bytes(lzma.compress(b"1. e4 *\n") + bytes(8) + lzma.compress(b"1. d4 *\n"))
    assert b"".join(chunk for chunk, _ in read_chunks(path)) == b"1. e4 *\n1. d4 *\n"
