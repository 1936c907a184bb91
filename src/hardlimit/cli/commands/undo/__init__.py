"""Take back a correction of MODEL, to the last bit."""
