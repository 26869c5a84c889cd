"""Networks in PyTorch: what the extra `train` installs, and what a GPU runs."""
