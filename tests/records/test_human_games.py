"""All 441,657 human games to a record file and back, compared with the text they came from."""

import os
import re
import resource
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

import pytest

from philidor.records import PgnSource, RecordReader, RecordWriter
from philidor.records.streams import read_chunks

GAMES, MAX_BYTES = 441_657, 42_000_000
TAG = re.compile(r'\[(\w+) "(.*)"\]')


def games_of(chunks: Iterator[str]) -> Iterator[tuple[dict[str, str], str]]:
    """Splits clean PGN into tags and moves, without our reader: games begin at an Event tag."""
    rest = ""
    for chunk in chain(chunks, ['\n[Event "end"]']):
        *games, rest = re.split(r"\n(?=\[Event )", rest + chunk)
        for game in games:
            head, _, moves = game.partition("\n\n")
            yield dict(TAG.findall(head)), " ".join(moves.split())


def original(path: Path) -> Iterator[tuple[dict[str, str], str]]:
    return games_of(chunk.decode() for chunk, _ in read_chunks(path))


def exported(reader: RecordReader) -> Iterator[tuple[dict[str, str], str]]:
    for tags, moves in games_of(batch.to_pgn() for batch in reader.batches()):
        # What the source does not have: empty places of the seven tags, and mates that were seen on the board.
        yield {name: value for name, value in tags.items() if value != "?" and name != "Termination"}, moves


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.skipif("PHILIDOR_SHARED" not in os.environ, reason="needs PHILIDOR_SHARED")
def test_human_games_go_to_records_and_back_without_loss(tmp_path: Path) -> None:
    source_path = Path(os.environ["PHILIDOR_SHARED"], "data/games/human_otb_rated.pgn.zst")
    rec = tmp_path / "human.rec"
    source = PgnSource([source_path])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with RecordWriter(rec) as writer:
        for batch in source.batches():
            writer.add_batch(batch)
    # 260 MB of text pass through; most of what is held is zstd's own window of 128 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
    assert (source.games, source.skipped) == (GAMES, {})
    assert rec.stat().st_size <= MAX_BYTES
    with RecordReader(rec) as reader:
        assert len(reader) == GAMES
        compared = 0
        for ours, theirs in zip_longest(exported(reader), original(source_path)):
            assert ours == theirs
            compared += 1
    assert compared == GAMES
