"""Whole recipes: self-play, training, gating, and again; NNUE rounds; AlphaGo's five networks (book, ch. 4)."""
