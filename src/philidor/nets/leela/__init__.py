"""Leela Chess Zero's weight files, Maia's among them: read, written and turned into ONNX (book, ch. 4.4 and 4.8)."""
