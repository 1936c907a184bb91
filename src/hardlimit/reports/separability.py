"""Whether any weights over the model's features could be correct on all of these rows.

The page says only what is proved, and nothing that depends on the clock, so that the same rows give
the same words on a fast machine and on a slow one:

1. two rows that are the same to the model and have different labels prove that none can;
2. a model that errs nowhere is itself the proof that some do;
3. two classes in at most ``SMALL`` numbers go to `hardlimit.certify`, which proves either in exact
   arithmetic, mostly within a second; it may take ``PATIENCE`` seconds. The page gives its
   verdict and not its proof: which proof comes first depends on the clock;
4. else hard passive-aggressive updates go through the rows until ``WORK_LIMIT`` numbers were looked
   at; weights that then err nowhere are the proof. Where they are not found, nothing is claimed.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.certificates import NotSeparable, Separable, certify
from hardlimit.classifiers import LinearClassifier
from hardlimit.engine import stored_values
from hardlimit.examples.dense import read_numbers
from hardlimit.exceptions import HardlimitError, ScaleWarning
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike
from hardlimit.reports import _duplicates
from hardlimit.reports._markup import Markup, join, render_label, tag
from hardlimit.reports._study import Study
from hardlimit.rules.passive_aggressive import PassiveAggressive

PLACE = 120
TITLE = "Could any weights be correct on all rows?"
BACKGROUND = True
WORK_LIMIT = 200_000_000  # numbers looked at, about a second
MOST_EPOCHS = 1000
FEWEST_EPOCHS = 3
SMALL = 100_000
PATIENCE = 10.0


@dataclass(frozen=True)
class ProvenVerdict:
    """``separable`` is True, False, or None where nothing was proved."""

    separable: bool | None
    why: Any


def content(study: Study) -> Markup | None:
    """Render the verdict, with what it rests on; None where rows cannot be compared."""
    if not study.is_judged or len(study.counts) < 2 or not _is_comparable(study.model):
        return None
    verdict = decide(study)
    answers = {True: "Yes. ", False: "No. ", None: "Not decided. "}[verdict.separable]
    return join(
        [tag("p", tag("strong", answers), verdict.why), tag("p", _MEANING[verdict.separable])]
    )


def _is_comparable(model: Any) -> bool:
    """Return whether weights over the rows as they stand are what the model chose from."""
    # centred columns are other rows where no intercept makes up for the shift
    offset = str(getattr(model, "scale", "none")) == "standard" and not model.fit_intercept
    return not offset and not hasattr(model, "kernel")


_MEANING = {
    True: "These features separate the classes in these rows; errors come from the weights, or "
    "from too few training rows.",
    False: "With these features no training can be correct on all of these rows: correct the "
    "labels, or add features that tell such rows apart.",
    None: "Neither separating weights nor a proof that there are none was found within the work "
    "that a report may do.",
}


def decide(study: Study) -> ProvenVerdict:
    """Prove what can be proved within the work limit."""
    features = study.features
    # cheapest proof first; each one ends the question
    if features is not None:
        conflicts = _duplicates.find_duplicates(read_numbers(features).keys()).conflicts(study.true)
        if conflicts:
            return ProvenVerdict(False, _describe_contradiction(study, conflicts))
    if study.correct.all():
        return ProvenVerdict(True, "The model itself is correct on every one of these rows.")
    if features is None:
        return ProvenVerdict(
            None, "The model was saved without its vectorizer, so the features are not known."
        )
    # as a float: the cells of a wide sparse matrix can exceed 64 bits
    small = np.prod(features.shape, dtype=float) <= SMALL
    if small and len(study.counts) == 2 and _choose_scale(study) != "rows":
        return _certify(study, features)
    epochs = min(MOST_EPOCHS, WORK_LIMIT // max(1, stored_values(features).size))
    if epochs < FEWEST_EPOCHS:
        return ProvenVerdict(None, "These rows hold more numbers than the work of a report allows.")
    return _search(study, features, epochs)


def _describe_contradiction(study: Study, conflicts: list[_duplicates.LabelConflict]) -> Markup:
    first = conflicts[0]
    one = first.rows[0]
    other = next(row for row in first.rows if str(study.true[row]) != str(study.true[one]))
    wrong = _duplicates.count_unavoidable_errors(conflicts)
    return join(
        [
            f"Rows {one + 1:,} and {other + 1:,} are the same to the model, but the labels are ",
            render_label(study.true[one]),
            " and ",
            render_label(study.true[other]),
            f". There are {plural(len(conflicts), 'such group')}; whatever the weights, at least "
            f"{plural(wrong, 'row')} will be wrong.",
        ]
    )


def _certify(study: Study, features: ArrayLike) -> ProvenVerdict:
    """Return the verdict of `certify`, which holds in exact arithmetic."""
    verdict = certify(
        features,
        study.true,
        fit_intercept=study.model.fit_intercept,
        bias_feature=study.model.bias_feature,
        # any fixed choice: the verdict is the same from either side
        positive=max(study.counts, key=str),
        gap=float("inf"),  # the first separator will do
        seconds=PATIENCE,
    )
    if isinstance(verdict, Separable):
        return ProvenVerdict(
            True,
            "Weights that are correct on every one of these rows were found, and checked in exact "
            "arithmetic.",
        )
    if isinstance(verdict, NotSeparable):
        return ProvenVerdict(
            False,
            "A weighted sum of rows of the two classes is exactly zero: whatever the weights, "
            "one of "
            "those rows is wrong. hardlimit certify shows which.",
        )
    return ProvenVerdict(None, "Neither was proved in the time that a report takes for it.")


def _choose_scale(study: Study) -> str:
    """Choose the units to search in: the columns' own where that cannot change the verdict.

    Rows of unit length are other rows; columns by their largest value are the same question.
    """
    if study.is_text:
        return "none"
    return "rows" if str(study.model.scale) == "rows" else "maxabs"


def _search(study: Study, features: ArrayLike, epochs: int) -> ProvenVerdict:
    """Make hard passive-aggressive updates until nothing is wrong, or the work limit is reached."""
    model = study.model
    search = LinearClassifier(
        # no limit on a step: this looks for any separator, not for a compromise
        PassiveAggressive(C=float("inf")),
        keep=("last",),
        readout="last",
        max_iter=epochs,
        fit_intercept=model.fit_intercept,
        bias_feature=model.bias_feature,
        scale=_choose_scale(study),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScaleWarning)  # terms differ in how common they are
            search.fit(features, study.true)
    except HardlimitError as error:  # numbers so far apart that weights overflow
        return ProvenVerdict(None, f"The search gave up: {error}")
    rounds = plural(search.n_iter_, "epoch")
    if search.stop_reason_ != "separated":
        return ProvenVerdict(
            None, f"{rounds} over the rows found no weights that are correct on all."
        )
    return ProvenVerdict(
        True,
        f"Weights that are correct on every one of these rows were found in {rounds}, and checked "
        "by a pass of their own.",
    )
