"""Serve MODEL over HTTP: predict, explain, correct, undo."""
