"""Measure MODEL on labelled texts it was not trained on."""
