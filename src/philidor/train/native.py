"""The compiled tuner of the handcrafted evaluation."""

from philidor._native._ext import EvaluationTuner, evaluation_terms

__all__ = ["EvaluationTuner", "evaluation_terms"]
