"""Texts that the models of these tests learn from, and texts that are hard to show."""

TEXTS = [
    "win a prize now", "lunch at noon?", "a prize to win", "see you at lunch",
    "cheap pills now", "minutes of the meeting", "win cheap pills", "the meeting is at noon",
]  # fmt: skip
LABELS = ["spam", "ham"] * 4

FOLDERS = [
    "billing", "shipping", "returns", "account", "fault", "praise", "complaint", "newsletter",
    "jobs", "press", "legal", "privacy", "copy of an invoice", "change of address",
    "caf\u00e9", "other",
]  # fmt: skip

SCRIPT = "<script>window.harmed = 1</script><img src=x onerror='window.harmed = 1'> win a prize"
BIDI = "invoice \u202excod.exe\u202c of the meeting \u2066at noon\u2069"
CONTROLS = "a prize\x00 to \x1b[31mwin\x07 now\u200b and\ufeff lunch"
HEBREW = "\u05e9\u05dc\u05d5\u05dd the meeting is at noon"
EMOJI = "\U0001f600 win \U0001f468\u200d\U0001f469\u200d\U0001f467 a prize \U0001f389 now"
LONG = "win a prize now, see you at lunch. " * 30_000
ONE_WORD = "x" * 1_000_000
HOSTILE = {
    "script": SCRIPT, "bidi": BIDI, "controls": CONTROLS, "hebrew": HEBREW, "emoji": EMOJI,
}  # fmt: skip
