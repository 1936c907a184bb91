"""What everything stands on: discovery, registers, parameters, files, memory, formatting."""
