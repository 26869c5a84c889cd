"""Text of the UCI and GTP protocols into dataclasses and back."""
