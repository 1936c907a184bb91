"""Show how well a live MODEL does: progress, probabilities, drift, guards."""
