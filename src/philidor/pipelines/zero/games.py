"""What whole shards have to be, and what the games in them are like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.core.errors import RecordError
from philidor.records import RecordReader, Result
from philidor.selfplay.pool.games import game_numbers

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.pipelines.zero.ledger import Lot


def check_shard(path: Path, lot: Lot, game: AnyGame) -> None:
    """Refuses a shard that is not the whole of its lot. Raises RecordError."""
    with RecordReader(path) as reader:
        if reader.game != game.name:
            raise RecordError(f"{str(path)!r} has games of {reader.game}, not {game.name}")
        if reader.losses:
            raise RecordError(f"{str(path)!r} is damaged: {reader.losses}")
        numbers = [number for batch in reader.batches() for number in game_numbers(batch)]
    if sorted(numbers) != list(lot.numbers):
        raise RecordError(f"{str(path)!r} has {len(numbers)} games, not the {len(lot)} of its name")


def statistics(shards: Sequence[Path]) -> dict[str, Any]:
    """Returns what the games of shards are like."""
    facts = []
    for path in shards:
        with RecordReader(path) as reader:
            facts += [each for batch in reader.batches() for each in batch.facts()]
    results = Counter(result for result, *_ in facts)
    endings = Counter(termination or "unknown" for _, termination, *_ in facts)
    count = max(1, len(facts))
    return {
        "games": len(facts),
        "mean_plies": round(sum(plies for _, _, plies, *_ in facts) / count, 2),
        "first_wins": round(results[Result.FIRST_WINS] / count, 4),
        "draws": round(results[Result.DRAW] / count, 4),
        "second_wins": round(results[Result.SECOND_WINS] / count, 4),
        "endings": dict(endings.most_common()),
    }
