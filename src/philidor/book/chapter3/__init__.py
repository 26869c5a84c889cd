"""Chapter 3, searching: numbers, trees, eyes and positions."""
