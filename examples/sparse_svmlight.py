"""
Sparse numbers from an svmlight file
====================================

An svmlight file has a row a line, ``label index:value ...``; what is not named is zero. We read
one, compare some rules on it, and look at how long an epoch takes.

With ``HARDLIMIT_DATA`` set, the file is ``libsvm/a9a.gz``: 32,561 people, 123 columns of 0 and 1,
who earns more than 50,000 dollars a year?
"""

import os
import random
import tempfile
import time
from pathlib import Path

import hardlimit as hl
from hardlimit.readers import load_numbers

# %%
# Without that file we write one: 4,000 rows with 20 of 300 columns, the first thirty for, the next
# thirty against, and a tenth of the labels wrong.

draw = random.Random(0)
file = Path(os.environ.get("HARDLIMIT_DATA", "-")) / "libsvm" / "a9a.gz"
if not file.exists():
    file = Path(tempfile.mkdtemp()) / "rows.svm"
    with file.open("w") as lines:
        for _ in range(4000):
            columns = sorted(draw.sample(range(1, 301), 20))
            balance = sum((c <= 30) - (30 < c <= 60) for c in columns)
            sign = (1 if balance > 0 else -1) * draw.choices([1, -1], [9, 1])[0]
            print(f"{sign:+d}", *(f"{c}:1" for c in columns), file=lines)

# %%
# ``load_numbers`` gives a sparse matrix by rows (any CSR matrix will do) and the labels.

found = load_numbers(file)
X, y = found.X, found.y
print(f"{X.shape[0]:,} rows, {X.shape[1]} columns, {len(X.data) / X.shape[0]:.0f} of them a row")

# %%
# The last fifth is for judging: a weight of 0 takes a row out of the training.

weights = [1.0] * X.shape[0]
weights[-(X.shape[0] // 5) :] = [0.0] * (X.shape[0] // 5)
asked = [1 - weight for weight in weights]
for rule in ("perceptron", "margin-perceptron", "passive-aggressive", "arow"):
    clf = hl.LinearClassifier(rule, until=None, max_iter=10)
    began = time.perf_counter()
    clf.fit(X, y, sample_weight=weights)
    took = (time.perf_counter() - began) / 10
    right = clf.score(X, y, sample_weight=asked)
    print(f"{rule:20} {right:.1%} right, {1e3 * took:.1f} ms an epoch")
