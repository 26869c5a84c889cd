"""Chapter 2 with PyTorch: what the listings do with Keras, and blocks whose gradients nobody writes out by hand."""
