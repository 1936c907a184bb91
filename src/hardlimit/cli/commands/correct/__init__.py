"""Correct MODEL's answer to one text, at once and with a guarantee."""
