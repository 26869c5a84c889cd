"""Ways in from outside: the UCI loop and the web board's server."""
