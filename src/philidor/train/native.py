"""The compiled parts of training: the handcrafted evaluation's tuner, and the positions NNUE networks learn from."""

from philidor._native._ext import BatchMaker, EvaluationTuner, PositionSet, evaluation_terms

__all__ = ["BatchMaker", "EvaluationTuner", "PositionSet", "evaluation_terms"]
