"""Confirm that MODEL's answer to one text is right."""
