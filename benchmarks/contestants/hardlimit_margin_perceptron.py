"""hardlimit's ``TextClassifier`` with the averaged perceptron with margin.

b and the epochs were chosen inside the training parts of 20 newsgroups and IMDb: DEFAULTS.md.
"""

from benchmarks.contestants import need

TITLE = "hardlimit, averaged margin perceptron"
B, EPOCHS = 2.0, 10


def load():
    """Import what a first call would import."""
    need("hardlimit").TextClassifier  # noqa: B018 - names are loaded on first use


def run(train, test, stages):
    """Go from raw texts to predicted labels."""
    from hardlimit import TextClassifier, rules

    classifier = TextClassifier(rule=rules.MarginPerceptron(b=B), max_iter=EPOCHS)
    with stages("fit"):
        classifier.fit(train.texts, train.labels)
    with stages("predict"):
        return classifier.predict(test.texts)
