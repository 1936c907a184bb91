"""Show what MODEL is, how it was trained, its most telling terms."""
