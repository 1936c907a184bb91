"""The slope of a fit's probabilities, from scores of examples that a second fit did not see."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from hardlimit.classifiers.model.many_labels import ManyLabels
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, SampleWeight
from hardlimit.foundation.workers import map_in_order

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model
    from hardlimit.evaluation.calibration import Slope

# Examples below which each of five folds is held out in turn. Of more the first of four is enough
# for one number, and the fit takes no more than twice its time.
FEW, PARTS = 1000, 4

# Learn from some examples, and give scores and class numbers of the others.
LearnAndScore = Callable[[Array, Array], tuple[Array, Array]]


def slope_out_of_sample(
    learn_and_score: LearnAndScore,
    labels: Sequence[Hashable] | ManyLabels,
    sample_weight: SampleWeight = None,
    *,
    keys: Sequence[Hashable] | None = None,
    folds: int | None = None,
) -> Slope:
    """Return the slope for scores that were each made by a model that had not seen the example.

    Parameters
    ----------
    learn_and_score : called with the places of the examples to learn from, and of those to score;
        the targets that it gives are class numbers, or truth values of several labels
    keys : examples of equal keys are never on both sides
    folds : parts of the examples, each of which is held out in turn; None: 5 of fewer than 1,000
        examples, else one of 4, so that the slope costs no more than the fit itself

    Raises
    ------
    InputError
        When every class has one example only.
    """
    # Start-up: few fits are calibrated.
    from hardlimit.evaluation.calibration import FOLDS, fit_label_slope, fit_slope

    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    there = np.arange(len(labels)) if weights is None else np.flatnonzero(weights)
    if folds is None and len(there) >= FEW:
        folds, rounds = PARTS, 1
    else:
        rounds = folds = FOLDS if folds is None else folds
    # -2 marks rows of weight 0, -1 the only row of a class: neither is ever held out.
    fold = np.full(len(labels), -2)
    places = there.tolist()
    known = None if keys is None else [keys[place] for place in places]
    fold[there] = _deal(labels, places, folds, known)
    held_out = [np.flatnonzero(fold == number) for number in range(rounds)]
    held_out = [rows for rows in held_out if 0 < len(rows) < len(there)]
    if not held_out:
        _refuse_few(labels, places, once=known is not None)

    def hold_out(rows: Array) -> tuple[Array, Array]:
        learnt = np.ones(len(labels), bool)
        learnt[rows] = False
        return learn_and_score(np.flatnonzero(learnt), rows)

    found = map_in_order(hold_out, held_out, None, "fitting the probabilities")
    # The scores were gathered fold by fold, and the weights follow them.
    fitted = fit_label_slope if isinstance(labels, ManyLabels) else fit_slope
    return fitted(
        np.concatenate([scores for scores, _ in found]),
        np.concatenate([targets for _, targets in found]),
        None if weights is None else weights[np.concatenate(held_out)],
    )


def _deal(
    labels: Sequence[Hashable] | ManyLabels,
    places: list[int],
    folds: int,
    keys: Sequence[Hashable] | None,
) -> Array:
    from hardlimit.evaluation.calibration import deal_folds, deal_label_folds

    if isinstance(labels, ManyLabels):
        return deal_label_folds(labels.truth[places], folds, keys)
    return deal_folds([labels[place] for place in places], folds, keys)


def _refuse_few(
    labels: Sequence[Hashable] | ManyLabels, places: list[int], *, once: bool
) -> NoReturn:
    """Refuse examples of which none can be held out."""
    counted = ", equal ones counted once" if once else ""
    if isinstance(labels, ManyLabels):
        got, wanted = "one example", "two at least"
    else:
        classes = plural(len({labels[place] for place in places}), "class", "classes")
        got, wanted = f"one example of each of {classes}", "a class with two at least"
    raise InputError(
        parameter="probability",
        got=Given(got + counted),
        wanted=f"{wanted}, of which one is learnt and the other asked",
        fix=("use ", Setting("probability", False)),
    )


def targets_of(
    model: Model, labels: Sequence[Hashable] | ManyLabels, rows: Sequence[int] | Array
) -> Array:
    """Return the class numbers of some examples, or the truth of their labels."""
    if isinstance(labels, ManyLabels):
        return labels.truth[rows]
    return model.classes.codes([labels[i] for i in rows])


def centre(model: Model, scores: Array) -> Array:
    """Return scores (n_rows, n_outputs) with the border between two classes at 0, (n_rows,).

    Those of several labels stay (n_rows, n_labels).
    """
    if model.classes.many:
        return scores
    return scores[:, 0] - model.threshold if scores.shape[1] == 1 else scores
