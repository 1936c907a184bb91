"""
A spam filter from a folder of mails
====================================

The mails are in two folders. We train on most of them, test on the others, explain a prediction,
correct the filter once, and save it. (With ``HARDLIMIT_DATA``: ``sms_spam/SMSSpamCollection``.)
"""

import os
import random
import tempfile
from pathlib import Path

import hardlimit as hl
from hardlimit.readers import Layout, open_rows

# %%
# First we make a folder to work on.

folder, draw = Path(tempfile.mkdtemp()), random.Random(0)
real = Path(os.environ.get("HARDLIMIT_DATA", "-")) / "sms_spam" / "SMSSpamCollection"
words = {
    "spam": "prize winner claim cash free urgent offer call now guaranteed reply".split(),
    "ham": "lunch home thanks sorry later meeting tomorrow train call now reply".split(),
}
if real.exists():
    messages = [line.split("\t", 1) for line in real.read_text("utf-8").splitlines()]
else:
    labels = draw.choices(["ham", "spam"], weights=[4, 1], k=500)
    messages = [[label, " ".join(draw.choices(words[label], k=6))] for label in labels]
for number, (label, text) in enumerate(messages):
    (folder / label).mkdir(exist_ok=True)
    (folder / label / f"{number}.txt").write_text(text, "utf-8")

# %%
# Read it, hold out a fifth, train on the rest. ``chars=None`` omits character n-grams. They would
# help with such short texts, but without them the explanation below is easier to read.

mails = [(row.text, row.label) for row in open_rows(str(folder), Layout(), need_label=True)]
draw.shuffle(mails)
aside, known = mails[: len(mails) // 5], mails[len(mails) // 5 :]
spam_filter = hl.TextClassifier(chars=None).fit(*zip(*known, strict=True))
texts, labels = zip(*aside, strict=True)
print(f"trained on {len(known)} mails; accuracy {spam_filter.score(texts, labels):.1%}")

# %%
# Why is this mail spam? The contributions of the terms add up to the score.

print(spam_filter.explain("urgent: claim your free prize", top=4))

# %%
# The prediction for this mail is wrong. After one correction the last weights predict it correctly.
mail = "cash for lunch tomorrow"
print(mail, "->", spam_filter.predict([mail])[0])
spam_filter.partial_fit([mail], ["spam"])
print(mail, "->", spam_filter.with_readout("last").predict([mail])[0])

spam_filter.save(folder / "spam.hardlimit")
print("loaded:", hl.load(folder / "spam.hardlimit").predict(["lunch tomorrow, call me"])[0])
