"""What people call a level: words first, the number second."""

from __future__ import annotations

_COUNTED = ("nodes", "iterations", "simulations", "positions")
# Up to so many positions looked at for a move.
_THINKERS = ((300, "Quick thinker"), (3_000, "Steady thinker"), (30_000, "Careful thinker"), (300_000, "Deep thinker"))
_DEEPEST = "Tireless thinker"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def level_name(quantity: str, amount: float) -> str:
    """Writes a level by what it is limited in: "Quick thinker (100 nodes)", "Looks two moves ahead (depth 2)"."""
    if quantity in _COUNTED:
        word = next((word for most, word in _THINKERS if amount <= most), _DEEPEST)
        return f"{word} ({amount:,} {quantity})"
    if quantity == "depth":
        moves = _NUMBERS[int(amount)] if amount < len(_NUMBERS) else str(amount)
        return f"Looks {moves} move{'' if amount == 1 else 's'} ahead (depth {amount})"
    return f"{quantity.replace('_', ' ').capitalize()} {amount}"
