"""Predict the label of each text."""
