"""Replay the corrections of MODEL, whole or until one of them."""
