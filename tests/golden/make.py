"""Writes the golden model files of the present format: once for each version, never again.

python tests/golden/make.py VERSION
"""

import json
import sys
from pathlib import Path

import numpy as np

from hardlimit import LinearClassifier, TextClassifier

HERE = Path(__file__).parent
TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch", "Ὀδυσσεύς ΣΑΣ",
         "中文 тест", "free lunch prize"]  # fmt: skip
LABELS = ["spam", "ham", "spam", "ham", "other", "other", "spam"]


def write(name, clf, inputs):
    clf.save(HERE / f"{name}.hardlimit")
    scores = np.atleast_2d(clf.decision_function(inputs).T).T
    labels = clf.predict(inputs).tolist()
    after = clf.partial_fit(inputs, labels).n_corrections_
    told = {
        "inputs": inputs,
        "scores": [[float(v).hex() for v in row] for row in scores],
        "labels": labels,
        "corrections": after,
    }
    (HERE / f"{name}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    version = sys.argv[1]
    write(f"text-{version}", TextClassifier().fit(TEXTS, LABELS), [*TEXTS, "unknown words", ""])
    rng = np.random.default_rng(0)
    X, y = rng.integers(-8, 9, (30, 5)) / 4, rng.integers(0, 3, 30)
    clf = LinearClassifier("passive-aggressive", max_iter=3, until=None).fit(X, y)
    write(f"numbers-{version}", clf, X[:6].tolist())
