"""hardlimit's ``TextClassifier`` with its default settings."""

from benchmarks.contestants import need

TITLE = "hardlimit"


def load():
    """Import what a first call would import."""
    need("hardlimit").TextClassifier  # noqa: B018 - names are loaded on first use


def run(train, test, stages):
    """Go from raw texts to predicted labels."""
    from hardlimit import TextClassifier

    classifier = TextClassifier()
    with stages("fit"):
        classifier.fit(train.texts, train.labels)
    with stages("predict"):
        return classifier.predict(test.texts)
