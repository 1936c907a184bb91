"""
Sparse numbers from an svmlight file
====================================

An svmlight file has one row per line, ``label index:value ...``; all other columns are zero. We
read one, compare some rules on it, and measure the time of an epoch.

With ``HARDLIMIT_DATA`` set, the file is ``libsvm/a9a.gz``: 32,561 people, 123 columns of 0 and 1,
and whether they earn more than 50,000 dollars a year.
"""

import os
import random
import tempfile
import time
from pathlib import Path

import hardlimit as hl
from hardlimit.readers import load_numbers

# %%
# Without that file we write one: 4,000 rows with 20 of 300 columns. The first thirty columns count
# for +1, the next thirty for -1, and a tenth of the labels is wrong.

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
# ``load_numbers`` returns a sparse matrix in CSR form, and the labels.

numbers = load_numbers(file)
X, y = numbers.X, numbers.y
print(f"{X.shape[0]:,} rows, {X.shape[1]} columns, {len(X.data) / X.shape[0]:.0f} of them a row")

# %%
# The last fifth is for testing: a sample weight of 0 removes a row from training.

weights = [1.0] * X.shape[0]
weights[-(X.shape[0] // 5) :] = [0.0] * (X.shape[0] // 5)
held_out = [1 - weight for weight in weights]
for rule in ("perceptron", "margin-perceptron", "passive-aggressive", "arow"):
    clf = hl.LinearClassifier(rule, until=None, max_iter=10)
    began = time.perf_counter()
    clf.fit(X, y, sample_weight=weights)
    took = (time.perf_counter() - began) / 10
    accuracy = clf.score(X, y, sample_weight=held_out)
    print(f"{rule:20} {accuracy:.1%} correct, {1e3 * took:.1f} ms per epoch")
