"""Try it all on texts that every machine has; needs no file."""
