"""A game between a person and a player, wherever it is shown: in the terminal or in the browser."""
