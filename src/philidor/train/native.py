"""The compiled parts of training: the handcrafted evaluation's tuner, and the positions that networks learn from."""

from philidor._native._ext import (
    DEEPCHESS_MAX_ACTIVE,
    BatchMaker,
    EvaluationTuner,
    PositionSet,
    add_to_rows,
    evaluation_terms,
    fill_deepchess,
    fill_giraffe,
    sum_rows,
)

__all__ = [
    "DEEPCHESS_MAX_ACTIVE",
    "BatchMaker",
    "EvaluationTuner",
    "PositionSet",
    "add_to_rows",
    "evaluation_terms",
    "fill_deepchess",
    "fill_giraffe",
    "sum_rows",
]
