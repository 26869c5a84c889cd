"""A run that volunteers play for, over HTTP (book, ch. 4.4.3, Fig. 4.13)."""
