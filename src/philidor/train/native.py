"""The compiled parts of training: the handcrafted evaluation's tuner, and the positions NNUE networks learn from."""

from philidor._native._ext import (
    BatchMaker,
    EvaluationTuner,
    PositionSet,
    add_to_rows,
    evaluation_terms,
    sum_rows,
)

__all__ = ["BatchMaker", "EvaluationTuner", "PositionSet", "add_to_rows", "evaluation_terms", "sum_rows"]
