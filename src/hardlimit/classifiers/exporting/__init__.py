"""Models in the formats of other programs: ONNX, written here without a library.

:mod:`protobuf` writes bytes, :mod:`graph` nodes and tensors, :mod:`onnx` what a model computes.
"""
