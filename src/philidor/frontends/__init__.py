"""Ways in from outside: the UCI loop, the GTP loop and the web board's server."""
