"""Players into scores: matches, ratings and sequential tests."""
