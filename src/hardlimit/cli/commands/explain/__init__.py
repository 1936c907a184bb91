"""Show which terms of TEXT decided, and by how much."""
