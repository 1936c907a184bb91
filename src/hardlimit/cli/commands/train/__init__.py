"""Train a classifier on labelled texts."""
