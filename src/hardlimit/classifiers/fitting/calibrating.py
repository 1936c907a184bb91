"""The slope of a fit's probabilities, from scores of examples that a second fit did not see."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from hardlimit.classifiers.targets import Labels, of_labels
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.types import Array, SampleWeight
from hardlimit.foundation.workers import map_in_order

if TYPE_CHECKING:
    from hardlimit.evaluation.calibration import Slope

# Examples below which each of five folds is held out in turn. Of more the first of four is enough
# for one number, and the fit takes no more than twice its time.
FEW, PARTS = 1000, 4

# Learn from some examples, and give scores and class numbers of the others.
LearnAndScore = Callable[[Array, Array], tuple[Array, Array]]


def slope_out_of_sample(
    learn_and_score: LearnAndScore,
    labels: Labels,
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
    from hardlimit.evaluation.calibration import FOLDS

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
    targets = of_labels(labels)
    present = targets.take(labels, there)
    fold[there] = targets.deal(present, folds, known)
    held_out = [np.flatnonzero(fold == number) for number in range(rounds)]
    held_out = [rows for rows in held_out if 0 < len(rows) < len(there)]
    if not held_out:
        _refuse_few(present, once=known is not None)

    def hold_out(rows: Array) -> tuple[Array, Array]:
        learnt = np.ones(len(labels), bool)
        learnt[rows] = False
        return learn_and_score(np.flatnonzero(learnt), rows)

    found = map_in_order(hold_out, held_out, None, "fitting the probabilities")
    # The scores were gathered fold by fold, and the weights follow them.
    return targets.fit_slope(
        np.concatenate([scores for scores, _ in found]),
        np.concatenate([targets for _, targets in found]),
        None if weights is None else weights[np.concatenate(held_out)],
    )


def _refuse_few(labels: Labels, *, once: bool) -> NoReturn:
    """Refuse examples of which none can be held out."""
    counted = ", equal ones counted once" if once else ""
    got, wanted = of_labels(labels).describe_few(labels)
    raise InputError(
        parameter="probability",
        got=Given(got + counted),
        wanted=f"{wanted}, of which one is learnt and the other asked",
        fix=("use ", Setting("probability", False)),
    )
