"""Exact arithmetic: rationals of floats, elimination over the integers, and roots as brackets."""
