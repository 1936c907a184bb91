"""Make a model of weights that are known, without training."""
