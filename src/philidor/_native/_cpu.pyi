def features() -> dict[str, bool]:
    """The instruction sets this CPU can run, by name; empty on other architectures."""
