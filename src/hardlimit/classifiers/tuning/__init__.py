"""A search for the parameters that answer best on rows that were not learnt from.

::

    found = TextClassifier().tune(texts, labels, n_jobs=-1)
    print(found)                    # every candidate with its accuracy and standard error
    found.classifier                # the best one, fitted on all texts
    found.best.parameters           # what it differs in from the classifier that was asked

One concept a file: `candidates` (what is tried), `halving` (on how many rows), `trials` (how each
is judged: k-fold, features counted once for all candidates that share them), `fronts` (what a kind
of classifier does in a trial), `search` (the whole), `tuning` (the result).
"""

from hardlimit.classifiers.tuning.candidates import Candidate, list_candidates
from hardlimit.classifiers.tuning.fronts import (
    Front,
    NumberFront,
    PointFront,
    TableFront,
    TextFront,
)
from hardlimit.classifiers.tuning.search import tune
from hardlimit.classifiers.tuning.trials import Trial
from hardlimit.classifiers.tuning.tuning import Tuning

__all__ = [
    "Candidate", "Front", "NumberFront", "PointFront", "TableFront", "TextFront", "Trial", "Tuning",
    "list_candidates", "tune",
]  # fmt: skip
