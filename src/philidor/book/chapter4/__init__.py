"""Chapter 4, modern engines: what networks see, how they search, and games they judge."""
