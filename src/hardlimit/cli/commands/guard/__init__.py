"""Guard texts that no correction may flip."""
