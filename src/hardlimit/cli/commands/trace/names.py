"""Names that the options of ``hardlimit trace`` take, written out so that ``--help`` is fast."""

from __future__ import annotations

# The pictures of a trace alone, as the options spell them; a test compares.
PICTURES = ("steps", "weight-vectors", "weights", "criterion-surfaces")
