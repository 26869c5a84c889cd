"""Chapter 2, a crash course into neural networks: written out in numpy, short, in the book's notation."""
