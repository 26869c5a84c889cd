"""States into tensors, and moves into policy indices and back."""
