"""Models in the formats of other programs: ONNX.

:mod:`graph` makes nodes and tensors, :mod:`onnx` what a model computes of them.
"""
