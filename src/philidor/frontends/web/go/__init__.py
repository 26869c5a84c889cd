"""What the board in the browser does for Go alone: handicap, SGF, counting with dead stones, and verdicts on moves."""
