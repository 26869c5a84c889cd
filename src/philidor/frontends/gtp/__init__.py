"""The GTP front end: any of our players of Go for Sabaki, Lizzie, GoGui and servers."""
