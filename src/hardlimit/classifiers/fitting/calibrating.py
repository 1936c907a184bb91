"""The slope of a fit's probabilities, from scores of examples that a second fit did not see."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from hardlimit.classifiers.targets import Labels, of_labels, read_labels
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.types import Array, ArrayLike, SampleWeight, Targets
from hardlimit.foundation.workers import map_in_order

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model
    from hardlimit.classifiers.model.text_model import TextModel
    from hardlimit.evaluation.calibration import Slope
    from hardlimit.examples._protocol import Examples

# Examples below which each of five folds is held out in turn. Of more the first of four is enough
# for one number, and the fit takes no more than twice its time.
FEW, PARTS = 1000, 4
NOTHING: Mapping[str, Any] = MappingProxyType({})

# Learn from some examples, by their places, and give centred scores and targets of the others.
LearnAndScore = Callable[[Array, Array], tuple[Array, Array]]
# The same by these parameters: the model that was learnt, and its scores of the others.
LearnPart = Callable[[dict[str, Any], Array, Array], tuple[Any, Array]]


def calibrate(
    model: Model,
    learn_part: LearnPart,
    labels: Labels,
    weights: SampleWeight = None,
    keys: Sequence[Hashable] | None = None,
    chosen: Mapping[str, Any] = NOTHING,
) -> None:
    """Calibrate a model by fits on parts of its examples, wherever these lie.

    learn_part : called with the parameters of a second fit, the places of the examples to learn
    from, and of those to score.      chosen : parameters that the fit found by all examples.
    """
    readout = model.choices.readout
    answering = {"readout": readout, "keep": (readout,), "probability": False}
    given = {**model.choices.given, **chosen, **answering}

    def learn_and_score(learnt: Array, rows: Array) -> tuple[Array, Array]:
        made, scores = learn_part(given, learnt, rows)
        codes = of_labels(labels).codes(labels, made.classes, rows)
        return made.classes.centre(scores, made.threshold), codes

    model.calibrate(slope_out_of_sample(learn_and_score, labels, weights, keys=keys))


def calibrate_rows(
    kind: Callable[..., Any],
    model: Model,
    X: ArrayLike,
    labels: Any,
    weights: SampleWeight,
    start: ArrayLike | None,
) -> None:
    """Calibrate a model of numbers.

    kind : makes the classifier of a part.      start : the initial weights.
    """

    def learn_part(given: dict[str, Any], learnt: Array, rows: Array) -> tuple[Any, Array]:
        # Rows of weight 0 are absent, in whatever form X comes.
        part = np.ones(len(labels)) if weights is None else np.array(weights, np.float64)
        part[rows] = 0
        made = kind(**given).fit(X, labels, part, initial_weights=start).fitted
        wanted = np.zeros(len(labels), bool)
        wanted[rows] = True
        blocks = made.score_blocks(made.read(X))
        return made, np.concatenate([scores[wanted[block]] for block, scores in blocks])

    calibrate(model, learn_part, labels, weights)


def calibrate_texts(
    kind: Callable[..., Any],
    model: TextModel,
    texts: Examples,
    names: Labels,
    weights: SampleWeight,
    start: object,
) -> None:
    """Calibrate a model of texts or of a table.

    kind : makes the classifier of a part.      start : the initial weights.
    """
    known = None if weights is None else np.asarray(weights)

    def learn_part(given: dict[str, Any], learnt: Array, rows: Array) -> tuple[Any, Array]:
        part = None if known is None else known[learnt]
        own = of_labels(names).take(names, learnt)
        made = kind(**given).fit(texts.take(learnt), own, part, initial_weights=start).fitted
        return made, made.scores_of(texts.take(rows))

    # The features of all texts, where those of a part could be others.
    calibrate(model, learn_part, names, known, texts.keys(), model.chosen_features)


def slope_of(model: Model, scores: Array, y: Targets, weights: SampleWeight = None) -> Slope:
    """Return the slope for centred scores of examples that the model has not learnt from."""
    from hardlimit.evaluation.calibration import find_slope  # start-up: few calibrate

    labels = read_labels(len(scores), y, model.classes)
    codes = of_labels(labels).codes(labels, model.classes, range(len(scores)))
    return find_slope(scores, codes, weights)


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
    from hardlimit.evaluation.calibration import FOLDS, find_slope

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
    return find_slope(
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
