"""ONNX models: written without the onnx package, which the base install does not have."""
