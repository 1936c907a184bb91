"""Say whether classes are linearly separable, and prove it."""
