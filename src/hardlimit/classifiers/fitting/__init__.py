"""Functions that learn: from choices and rows to a model."""
