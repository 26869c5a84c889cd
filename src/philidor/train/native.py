"""The compiled parts of training: the handcrafted evaluation's tuner, and the positions that networks learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor._native import _ext
from philidor._native._ext import (
    DEEPCHESS_MAX_ACTIVE,
    BatchMaker,
    EvaluationTuner,
    GameIndex,
    GameIndexOptions,
    GamePart,
    GameStream,
    GameStreamOptions,
    GoGames,
    PatternTrainer,
    PatternWalk,
    PositionJudge,
    PositionSet,
    TunerOptions,
    add_to_rows,
    differentiate_sums,
    evaluation_terms,
    fill_deepchess,
    fill_giraffe,
    game_part,
    go_final_owners,
    judge_sums,
    record_start_positions,
    sum_rows,
)
from philidor._native._ext import PositionFilter as NativeFilter
from philidor.core.descriptor import native_name
from philidor.core.errors import ConfigError, FenError, RecordError
from philidor.records.reader import map_file
from philidor.search.compiled import knows
from philidor.search.native import native_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor._native._ext import RecordBatch
    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding
    from philidor.train.game_data import GameFile

__all__ = [
    "DEEPCHESS_MAX_ACTIVE",
    "BatchMaker",
    "EvaluationTuner",
    "GameIndex",
    "GameIndexOptions",
    "GamePart",
    "GameStream",
    "GameStreamOptions",
    "GoGames",
    "NativeFilter",
    "PatternTrainer",
    "PatternWalk",
    "PositionJudge",
    "PositionSet",
    "TunerOptions",
    "add_to_rows",
    "differentiate_sums",
    "evaluation_terms",
    "fill_deepchess",
    "fill_giraffe",
    "final_owners",
    "game_part",
    "game_starts",
    "index_games",
    "judge_sums",
    "knows",
    "native_root",
    "sum_rows",
]


def index_games(game: AnyGame, encoding: Encoding, options: GameIndexOptions, files: list[Any]) -> GameIndex:
    """Returns an empty index for games like those in these buffers. Raises ConfigError if the core does not know them.

    The text of a start position is the game's own; that of chess is read in C++. A game that starts at a text that is
    no position is counted as broken when its file is added.
    """
    if not knows(game, encoding) or encoding.twin is None:
        raise ConfigError(f"the compiled core does not know {game.name!r} with the encoding {encoding.name!r}")
    name, arguments = encoding.twin
    starts = () if native_name(game) == "chess" else (_starts(game, files),)
    index: GameIndex = getattr(_ext, f"{name}_game_index")(options, *starts, *arguments)
    return index


def game_starts(game: AnyGame, files: Sequence[GameFile]) -> dict[str, Any]:
    """Returns the compiled start positions of the games in these files, by their texts; the normal one's is empty."""
    return _starts(game, [map_file(file.path) for file in files])


def _starts(game: AnyGame, files: list[Any]) -> dict[str, Any]:
    starts = {"": native_root(game.state())}
    for text in {text for file in files for text in record_start_positions(file)}:
        try:
            starts[text] = native_root(game.state(text))
        except (FenError, ConfigError):
            continue
    return starts


def final_owners(games: RecordBatch, game: AnyGame) -> NDArray[np.int8]:  # [games, squares]
    """Returns whose each square is at the end of each game of Go, 1 for the player who began.

    Raises RecordError for games that do not fit the rules.
    """
    import numpy as np

    texts = [games[place].start for place in range(len(games))]
    begins = {text: game.state(text or None) for text in {"", *texts}}
    try:
        owners = go_final_owners(games, {text: native_root(state) for text, state in begins.items()})
    except ValueError as error:
        raise RecordError(str(error)) from None
    signs = np.array([-1 if begins[text].to_move else 1 for text in texts], dtype=np.int8)
    return owners * signs[:, np.newaxis]
