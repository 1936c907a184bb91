"""hardlimit's ``TextClassifier`` with the averaged perceptron with margin.

b and the epochs were chosen inside the training parts of 20 newsgroups and IMDb: DEFAULTS.md.
"""

from benchmarks.contestants import _hardlimit
from benchmarks.contestants._hardlimit import load, predict, read_mails, save, save_to_go_on

__all__ = ["TITLE", "fit", "load", "predict", "read_mails", "save", "save_to_go_on"]
TITLE = "hardlimit, averaged margin perceptron"
B, EPOCHS = 2.0, 10


def fit(train, stages):
    """Fit on raw texts."""
    from hardlimit import TextClassifier, rules

    classifier = TextClassifier(rule=rules.MarginPerceptron(b=B), max_iter=EPOCHS)
    return _hardlimit.fit(classifier, train, stages)
