"""Players and networks beside people: whose moves they find, how they err, which puzzles they solve (book, ch. 4.8)."""
