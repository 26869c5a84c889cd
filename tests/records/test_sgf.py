"""SGF: what is read and written, what is skipped and why, and agreement with another reader on the data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import PgnError, RecordError
from philidor.core.random import SplitMix64
from philidor.games.go import Go
from philidor.records import GameRecord, RecordReader, RecordWriter, Result, SgfSource, parse_sgf, write_sgf
from philidor.records.charsets import sgf_text, utf8_chunks
from philidor.records.native import SgfReader
from philidor.records.sgf import batch_sgf, recorded_moves

DATA = Path(os.environ.get("PHILIDOR_SHARED", "nowhere")) / "data/go"


def moves_of(text: str) -> str:
    game, record = parse_sgf(text)
    state = game.state(record.start)
    words = []
    for move in recorded_moves(record, game):
        words.append(state.move_text(move))
        state = state.play(move)
    return " ".join(words)


def reason(text: str) -> str:
    with pytest.raises(PgnError) as caught:
        parse_sgf(text)
    return str(caught.value)


def test_moves_are_letters_from_the_top_left_and_a_pass_is_nothing_or_tt() -> None:
    assert moves_of("(;SZ[9];B[ee];W[aa];B[];W[tt])") == "e5 a9 pass pass"
    assert moves_of("junk (;FF[3]GaMe[1]SiZe[9];Black[cc];White[gg])") == "c7 g3"
    assert moves_of("(;SZ[9:5];B[ia];W[ae])") == "j5 a1"


def test_the_main_line_is_the_first_variation() -> None:
    assert moves_of("(;SZ[9];B[ee](;W[cc](;B[gg])(;B[gc]))(;W[dd];B[aa]))") == "e5 c7 g3"
    deep = "(;SZ[9]" + "(;C[x]" * 100_000 + ")" * 100_001
    assert moves_of(deep) == ""


def test_handicap_komi_and_turn_are_part_of_the_start() -> None:
    game, record = parse_sgf("(;SZ[9]HA[2]AB[cg][gc]KM[0.50]RE[W+R];W[ee];B[ec])")
    assert game.name == "go-9x9,ko=simple"
    empty = "." * 9
    rows = [empty, empty, "......X..", empty, empty, empty, "..X......", empty, empty]
    assert record.start == f"{'/'.join(rows)} O 0 0 - komi0.5"
    assert (record.result, record.termination) == (Result.SECOND_WINS, "resignation")
    assert record.tags == {"HA": "2", "KM": "0.50", "RE": "W+R"}
    by_moves = parse_sgf("(;SZ[9]HA[2]KM[0.5];B[cg];B[gc];W[ee])")[1]
    assert by_moves.start == record.start
    assert parse_sgf("(;SZ[3]AB[aa:ba]AW[ca]PL[B])")[1].start == "XXO/.../... X 0 0 - komi7"
    assert parse_sgf("(;SZ[19]KM[375];B[aa])")[1].start is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no game"),
        ("((((((", "no game"),
        ("(;SZ[9];B[ee]", "unclosed"),
        ("(;SZ[9];B[ee];W[ee])", "illegal move move 2: ee"),
        ("(;SZ[9];B[jj])", "illegal move"),
        ("(;SZ[3];B[ba];W[cc];B[ab];W[aa])", "illegal move"),
        ("(;SZ[9];B[ee];B[cc])", "two moves in a row"),
        ("(;SZ[9];B[];W[];B[aa])", "goes on after its end"),
        ("(;SZ[9];B[ee]AB[cc])", "set-up"),
        ("(;SZ[9]AB[cc][cc])", "set-up"),
        ("(;SZ[9]AE[cc])", "set-up"),
        ("(;SZ[25];B[aa])", "another size 25"),
        ("(;SZ[x];B[aa])", "another size"),
        ("(;GM[2]SZ[8])", "another game"),
        ("(;SZ[9]KM[six];B[aa])", "komi six"),
        ("(;SZ[9]KM[1e300];B[aa])", "komi"),
        ("(;SZ[9]{};B[aa])", "syntax"),
        ("(;SZ[9][9];[aa])", "syntax"),
        ("(;SZ[3]" + ";B[aa];W[bb]" * 60 + ")", "too long"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(text: str, message: str) -> None:
    assert message in reason(text)


def test_text_is_unescaped_and_bytes_that_are_no_utf8_are_latin() -> None:
    assert parse_sgf("(;SZ[9]PB[a\\]b\\\\ c\\\nd]PW[x\ny];B[aa])")[1].tags == {"PB": "a]b\\ cd", "PW": "x y"}
    reader = SgfReader(0, 0, ["PB"])
    batch = reader.feed(b"(;SZ[9]PB[Gr\xfc\xdfe];B[aa])(;SZ[9]PB[Gr\xc3\xbc\xc3\x9fe];B[aa])")
    assert [batch[i].tags for i in range(2)] == ["PB Gr\u00fc\u00dfe\n"] * 2


@pytest.mark.parametrize("name", ["柯洁（九段）", "박정환", "ไทย", "😀", "Grüße"])
def test_every_name_in_utf8_is_read(name: str) -> None:
    assert parse_sgf(f"(;SZ[9]PB[{name}];B[aa])")[1].tags == {"PB": name}


@pytest.mark.parametrize(
    ("charset", "codec", "name"),
    [
        # The second bytes of some of these are a backslash or a bracket.
        ("GBK", "gbk", "古力乗乚"),
        ("gb2312", "gbk", "柯洁（九段）"),
        ("Big5", "big5", "張栩許功蓋"),
        ("Shift_JIS", "cp932", "井山裕太表ソ"),
        ("EUC-JP", "euc_jp", "井山裕太"),
        ("EUC-KR", "euc_kr", "박정환"),
        ("windows-1251", "cp1251", "Александр"),
        ("GBK", "utf-8", "柯洁"),
        ("no-such-charset", "latin-1", "Grüße"),
    ],
)
def test_a_file_is_read_by_the_charset_that_it_names(tmp_path: Path, charset: str, codec: str, name: str) -> None:
    game = f"(;FF[4]CA[{charset}]SZ[9]PB[{name}];B[aa];W[bb])\n".encode(codec)
    path = tmp_path / "games.sgf"
    path.write_bytes(game * 3)
    assert [record.tags["PB"] for record in SgfSource([path])] == [name] * 3
    assert parse_sgf(sgf_text(game))[1].tags["PB"] == name
    whole = b"".join(chunk for chunk, _ in utf8_chunks([(game, len(game))]))
    for cut in range(game.index(b"]SZ") + 12, len(game)):
        pieces = [(game[:cut], cut), (game[cut:], len(game))]
        assert b"".join(chunk for chunk, _ in utf8_chunks(pieces)) == whole, cut


def test_bytes_that_a_charset_does_not_have_are_latin() -> None:
    assert parse_sgf(sgf_text(b"(;CA[EUC-KR]SZ[9]PB[\xb9\xda\xff!];B[aa])"))[1].tags["PB"] == "박ÿ!"


@pytest.mark.parametrize(
    ("facts", "tags"),
    [
        ("RE[W+R][]KM[5.5]", {"RE": "W+R", "KM": "5.5"}),
        ("RE[]RE[B+R]RE[W+R]KM[5]KM[]KM[6]", {"RE": "B+R", "KM": "5"}),
        ("RE[\\B+R]KM[\\5\\.5]", {"RE": "B+R", "KM": "5.5"}),
    ],
)
def test_a_fact_that_is_said_twice_or_escaped_comes_back_as_it_was_read(facts: str, tags: dict[str, str]) -> None:
    game, record = parse_sgf(f"(;SZ[9]{facts};B[])")
    assert record.tags == tags
    assert record.result == (Result.SECOND_WINS if tags["RE"] == "W+R" else Result.FIRST_WINS)
    assert (record.start or "").endswith(f" komi{tags['KM']}")
    again = parse_sgf(write_sgf(record, game))[1]
    assert (again.tags, again.result, again.start) == (record.tags, record.result, record.start)


def test_games_after_a_broken_one_are_read_and_problems_are_counted() -> None:
    reader = SgfReader(9, 9, [])
    text = "(;FF[4]SZ[9]C[no end\n(;FF[4]SZ[9];B[aa])\n(;SZ[19];B[aa]) x (;SZ[9];B[bb])"
    pieces = [reader.feed(text[i : i + 3].encode()) for i in range(0, len(text), 3)] + [reader.finish()]
    assert sum(map(len, pieces)) == 2 == reader.games
    assert reader.skipped == {"unclosed": 1, "another size": 1}
    assert reader.first_problem == "game 1: unclosed"


def test_a_hundred_megabytes_of_brackets_are_one_problem() -> None:
    reader = SgfReader()
    for _ in range(20):
        assert len(reader.feed(b"(;" * 1_000_000)) == 0
    assert len(reader.finish()) == 0
    assert set(reader.skipped) <= {"too long", "unclosed"}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 60), size=st.sampled_from([(3, 3), (5, 4), (9, 9)]))
def test_what_is_written_is_read_back(seed: int, plies: int, size: tuple[int, int]) -> None:
    game, random = Go(*size, ko="simple"), SplitMix64(seed)
    state, moves = game.state(), []
    for _ in range(plies):
        if state.is_over():
            break
        moves.append(state.legal_moves()[random.below(len(state.legal_moves()))])
        state = state.play(moves[-1])
    record = GameRecord.from_moves(game, moves, tags={"PB": "a]b\\c", "KM": "7"})
    text = write_sgf(record, game)
    read_game, again = parse_sgf(text)
    assert (read_game.name, again.indices, again.start) == (game.name, record.indices, record.start), text
    assert again.result == record.result
    assert again.tags["PB"] == "a]b\\c"
    assert recorded_moves(again, game) == moves


def test_a_record_of_another_game_is_no_sgf() -> None:
    with pytest.raises(RecordError, match="no move 500"):
        write_sgf(GameRecord(indices=(500,)), Go(9, 9))
    with pytest.raises(RecordError, match="no start of Go"):
        write_sgf(GameRecord(indices=(), start="rnbq"), Go(9, 9))


@pytest.mark.skipif(not DATA.exists(), reason="needs the project's reference data")
@pytest.mark.parametrize(
    ("name", "games", "skipped"),
    [
        ("ogs_9x9", 6743, {"illegal move": 34, "goes on after its end": 39}),
        pytest.param("kgs_19x19_6d", 35095, {}, marks=pytest.mark.slow),
    ],
)
def test_the_data_goes_in_and_comes_back(name: str, games: int, skipped: dict[str, int], tmp_path: Path) -> None:
    source = SgfSource([DATA / f"{name}.sgfs.zst"], tags=("*",))
    batches = list(source.batches())
    assert source.game is not None
    assert (source.games, source.skipped) == (games, skipped)
    with RecordWriter(tmp_path / "all.rec", source.game) as writer:
        for batch in batches:
            writer.add_batch(batch)
    back = SgfReader(0, 0, ["*"])
    with RecordReader(tmp_path / "all.rec") as reader:
        assert reader.game == source.game.name
        texts = [batch_sgf(batch, source.game) for batch in reader.batches()]
    again = [back.feed(text.encode()) for text in texts]
    originals = [batch[i] for batch in batches for i in range(len(batch))]
    copies = [batch[i] for batch in again for i in range(len(batch))]
    assert len(originals) == len(copies) == games
    assert all(one == other for one, other in zip(originals, copies, strict=True))
