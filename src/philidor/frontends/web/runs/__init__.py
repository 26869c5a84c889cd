"""Training runs in the browser: their curves, their newest games, and their networks as opponents. Only reads."""
