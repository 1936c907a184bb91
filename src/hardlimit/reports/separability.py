"""Whether any weights over the model's features could answer all of these rows rightly.

Only what is proved is said, and nothing that the clock decides, so that the same rows give the same
words on a fast machine and on a slow one:

1. two rows that are the same to the model and have different labels prove that none can;
2. a model that errs nowhere is itself the proof that some do;
3. two classes in at most ``SMALL`` numbers go to `hardlimit.certify`, which proves either in exact
   arithmetic, mostly within a second; it may take ``PATIENCE`` seconds. Its verdict is told and not
   its proof: which proof is found first is a matter of the clock;
4. else hard passive-aggressive updates go through the rows until ``BUDGET`` numbers were looked
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
from hardlimit.exceptions import HardlimitError, ScaleWarning
from hardlimit.foundation.formatting import plural
from hardlimit.reports import _twins
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.rules.passive_aggressive import PassiveAggressive

PLACE = 120
TITLE = "Could any weights be right everywhere?"
BUDGET = 200_000_000  # numbers looked at, about a second
MOST_EPOCHS = 1000
FEWEST_EPOCHS = 3
SMALL = 100_000
PATIENCE = 10.0


@dataclass(frozen=True)
class Verdict:
    """``separable`` is True, False, or None where nothing was proved."""

    separable: bool | None
    why: Any


def content(study: Study) -> Markup | None:
    """The verdict, with what it rests on; None where rows cannot be compared."""
    if not study.judged or len(study.counts) < 2 or not _comparable(study.model):
        return None
    found = judged(study)
    said = {True: "Yes. ", False: "No. ", None: "Not decided. "}[found.separable]
    return joined([tag("p", tag("strong", said), found.why), tag("p", _MEANING[found.separable])])


def _comparable(model: Any) -> bool:
    """Whether weights over the rows as they stand are what the model chose from."""
    offset = str(getattr(model, "scale", "none")) == "standard" and not model.fit_intercept
    return not offset and not hasattr(model, "kernel")


_MEANING = {
    True: "The features tell these rows apart; what is wrong is a matter of weights, and of how "
    "many rows there were to learn them from.",
    False: "No training can be right on all of these rows with these features: mend labels, or "
    "give the model something that tells such rows apart.",
    None: "Neither weights that are right everywhere nor a proof that there are none was found "
    "within what a report may cost.",
}


def judged(study: Study) -> Verdict:
    """What can be proved within the budget."""
    features = study.features
    if features is not None:
        conflicts = _twins.twins(_twins.exact_keys(features)).conflicts(study.true)
        if conflicts:
            return Verdict(False, _contradiction(study, conflicts))
    if study.right.all():
        return Verdict(True, "The model itself answers every one of these rows rightly.")
    if features is None:
        return Verdict(None, "The model was saved without what makes features of texts.")
    small = np.prod(features.shape, dtype=float) <= SMALL
    if small and len(study.counts) == 2 and _scale(study) != "rows":
        return _certified(study, features)
    epochs = min(MOST_EPOCHS, BUDGET // max(1, _numbers(features)))
    if epochs < FEWEST_EPOCHS:
        return Verdict(None, "There are more numbers in these rows than the budget allows for.")
    return _searched(study, features, epochs)


def _contradiction(study: Study, conflicts: list[_twins.Conflict]) -> Markup:
    first = conflicts[0]
    one = first.rows[0]
    other = next(row for row in first.rows if str(study.true[row]) != str(study.true[one]))
    wrong = _twins.fewest_wrong(conflicts)
    return joined(
        [
            f"Rows {one + 1:,} and {other + 1:,} are the same to the model, but the labels are ",
            shown(study.true[one]),
            " and ",
            shown(study.true[other]),
            f". There are {plural(len(conflicts), 'such group')}; whatever the weights, at least "
            f"{plural(wrong, 'row')} will be wrong.",
        ]
    )


def _numbers(features: Any) -> int:
    return stored_values(features).size


def _certified(study: Study, features: Any) -> Verdict:
    """The verdict of `certify`, which holds in exact arithmetic."""
    found = certify(
        features,
        study.true,
        fit_intercept=study.model.fit_intercept,
        bias_feature=study.model.bias_feature,
        positive=max(study.counts, key=str),
        gap=float("inf"),  # the first separator will do
        seconds=PATIENCE,
    )
    if isinstance(found, Separable):
        return Verdict(
            True,
            "Weights that answer every one of these rows rightly were found, and "
            "checked in exact arithmetic.",
        )
    if isinstance(found, NotSeparable):
        return Verdict(
            False,
            "Rows of the two classes, weighted and added up, cancel each other "
            "exactly: whatever the weights, one of them is wrong. hardlimit certify shows which.",
        )
    return Verdict(None, "Neither was proved in the time that there is for it.")


def _scale(study: Study) -> str:
    """Units to search in: the columns' own where that cannot change the verdict.

    Rows of unit length are other rows; columns by their largest value are the same question.
    """
    if study.is_text:
        return "none"
    return "rows" if str(study.model.scale) == "rows" else "maxabs"


def _searched(study: Study, features: Any, epochs: int) -> Verdict:
    """Hard passive-aggressive updates until nothing is wrong, or the budget is spent."""
    model = study.model
    search = LinearClassifier(
        PassiveAggressive(C=float("inf")),
        keep=("last",),
        readout="last",
        max_iter=epochs,
        fit_intercept=model.fit_intercept,
        bias_feature=model.bias_feature,
        scale=_scale(study),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScaleWarning)  # terms differ in how common they are
            search.fit(features, study.true)
    except HardlimitError as error:  # numbers so far apart that weights overflow
        return Verdict(None, f"The search gave up: {error}")
    rounds = plural(search.n_iter_, "epoch")
    if search.stop_reason_ != "separated":
        return Verdict(None, f"{rounds} over the rows found no weights that are right everywhere.")
    return Verdict(
        True,
        f"Weights that answer every one of these rows rightly were found in {rounds} over them, "
        "and checked by a pass of their own.",
    )
