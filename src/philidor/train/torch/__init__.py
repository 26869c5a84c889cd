"""What needs torch: the trainable networks and their loops (the `train` extra)."""
