"""Trees grown by the compiled core, led by an evaluator."""
