"""hardlimit's ``TextClassifier`` with its default settings."""

from benchmarks.contestants import _hardlimit
from benchmarks.contestants._hardlimit import load, predict, read_mails, save, save_to_go_on

__all__ = ["TITLE", "fit", "load", "predict", "read_mails", "save", "save_to_go_on"]
TITLE = "hardlimit"


def fit(train, stages):
    """Fit on raw texts."""
    from hardlimit import TextClassifier

    return _hardlimit.fit(TextClassifier(), train, stages)
