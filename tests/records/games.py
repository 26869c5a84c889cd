"""Games to record: random ones of every kind, with every column."""

import random
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from philidor.core.game import AnyGame
from philidor.records import GameRecord, RecordWriter, Result
from philidor.records.native import from_native, to_native

KINDS = ["chess", "hexapawn-4x4", "tictactoe", "connect4", "gomoku", "gomoku-19x19"]


def random_record(
    generator: random.Random, game: AnyGame, *, start: str | None = None, columns: bool = True
) -> GameRecord:
    """A game of random moves with made-up facts."""
    state = game.state(start)
    moves: list[Any] = []
    while not state.is_over() and len(moves) < 40:
        moves.append(generator.choice(list(state.legal_moves())))
        state = state.play(moves[-1])
    facts: dict[str, Any] = {
        "ratings": (generator.choice([None, 1500, 3000]), generator.choice([None, 1, 2850])),
        "source": generator.choice([None, "self-play 7", "Zürich"]),
        "tags": generator.choice([{}, {"Date": "2004.05.01", "White": "A B  C"}]),
    }
    if columns and moves:
        facts |= random_columns(generator, len(moves))
    return GameRecord.from_moves(game, moves, start=start, **facts)


def random_columns(generator: random.Random, plies: int) -> dict[str, Any]:
    """Every column that a search could fill."""
    return {
        "scores": tuple(generator.choice([None, -31998, -5, 0, 123, 32000]) for _ in range(plies)),
        "final_score": generator.choice([None, -32000, 77]),
        "wdl": tuple(generator.choice([None, (1.0, 0.0, 0.0), (0.2, 0.2, 0.6), (0.0, 1.0, 0.0)]) for _ in range(plies)),
        "flags": generator.randbytes(plies),
        "visits": tuple(
            {index: generator.choice([1, 800, 65535]) for index in generator.sample(range(200), generator.randrange(4))}
            for _ in range(plies)
        ),
        "clocks_ms": tuple(generator.choice([None, 0, 1000, 180_000, 59_990, 1]) for _ in range(plies)),
    }


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Any record that a file with moves of one byte can hold, whether the moves are legal or not."""
    plies = draw(st.integers(0, 8))

    def column(entry: st.SearchStrategy[Any]) -> tuple[Any, ...] | None:
        return draw(st.none() | st.tuples(*[entry] * plies)) or None

    text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=10)
    line = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=10)
    rating = st.none() | st.integers(1, 2**31)
    flags = draw(st.none() | st.binary(min_size=plies, max_size=plies)) or None
    return GameRecord(
        indices=draw(st.tuples(*[st.integers(0, 255)] * plies)),
        start=draw(st.none() | text),
        result=draw(st.sampled_from(Result)),
        termination=draw(st.none() | st.sampled_from(["checkmate", "normal", "illegal move"]) | text),
        ratings=(draw(rating), draw(rating)),
        source=draw(st.none() | text),
        tags=draw(st.dictionaries(line, line, max_size=3)),
        scores=column(st.none() | st.integers(-32000, 32000)),
        final_score=draw(st.none() | st.integers(-32000, 32000)),
        wdl=column(st.none() | st.integers(0, 255).map(lambda win: (win / 255, (255 - win) / 255, 0.0))),
        flags=flags,
        visits=column(st.dictionaries(st.integers(0, 255), st.integers(0, 65535), max_size=3)),
        clocks_ms=column(st.none() | st.integers(0, 10**9)),
    )


def write(
    path: Path, games: list[GameRecord], game: str = "chess", per_block: int = 1000, starts: tuple[str, ...] = ()
) -> bytes:
    """Writes a file and returns its bytes."""
    with RecordWriter(path, game, starts=starts) as writer:
        for number, record in enumerate(games, 1):
            writer.add(record)
            if number % per_block == 0:
                writer.flush()
    return path.read_bytes()


def rounded(record: GameRecord) -> GameRecord:
    """The record as the file keeps it: shares in steps of 1/255."""
    return from_native(to_native(record))
