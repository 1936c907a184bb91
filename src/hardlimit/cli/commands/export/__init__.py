"""Write a linear model of numbers as an ONNX file."""
