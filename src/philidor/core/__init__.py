"""The shared vocabulary of all rooms: games, evaluations, analyses, errors, configuration, run folders."""
