"""Players into records: games that a player plays against itself, for training."""
