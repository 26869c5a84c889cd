"""ONNX models: written without the onnx package, which only the extra `train` installs."""
