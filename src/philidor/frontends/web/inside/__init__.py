"""The look inside: what searches and networks see, for the page /inside (docs/inside.md)."""
