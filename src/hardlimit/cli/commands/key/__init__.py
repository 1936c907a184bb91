"""Keys that open MODEL's service: add, list, remove."""
