"""Text of the UCI and CECP protocols into dataclasses and back."""
