"""
A spam filter from a folder of mails
====================================

The mails lie in two folders. We learn from most of them, judge the others, ask why, correct the
filter once, and save it. (With ``HARDLIMIT_DATA``: ``sms_spam/SMSSpamCollection``.)
"""

import os
import random
import tempfile
from pathlib import Path

import hardlimit as hl
from hardlimit.readers import Layout, open_rows

# %%
# First a folder to work on; you will have one.

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
# Read it, keep a fifth aside, learn from the rest. ``chars=None`` leaves out the fragments of words
# that would otherwise help with texts as short as these; the explanation below is easier to read.

mails = [(row.text, row.label) for row in open_rows(str(folder), Layout(), need_label=True)]
draw.shuffle(mails)
aside, known = mails[: len(mails) // 5], mails[len(mails) // 5 :]
spam_filter = hl.TextClassifier(chars=None).fit(*zip(*known, strict=True))
texts, labels = zip(*aside, strict=True)
print(f"{len(known)} mails learnt, {spam_filter.score(texts, labels):.1%} of {len(aside)} right")

# %%
# Why is this one spam? Each term says what it adds; together they are the score.

print(spam_filter.explain("urgent: claim your free prize", top=4))

# %%
# This one is judged wrongly. One correction, and the last weights know it.
mail = "cash for lunch tomorrow"
print(mail, "->", spam_filter.predict([mail])[0])
spam_filter.partial_fit([mail], ["spam"])
print(mail, "->", spam_filter.with_readout("last").predict([mail])[0])

spam_filter.save(folder / "spam.hardlimit")
print("loaded:", hl.load(folder / "spam.hardlimit").predict(["lunch tomorrow, call me"])[0])
