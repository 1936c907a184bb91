"""Texts and labels that the tests of this folder learn from."""

TEXTS = [
    "win a prize now", "lunch at noon?", "a prize to win", "see you at lunch",
    "cheap pills now", "minutes of the meeting", "win cheap pills", "the meeting is at noon",
]  # fmt: skip
LABELS = ["spam", "ham"] * 4
MANY = ["spam", "ham", "news", "work", "shop", "work", "shop", "news"]
