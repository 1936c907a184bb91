"""Compare two models, or MODEL and its corrections."""
