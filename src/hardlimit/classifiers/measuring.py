"""What a classifier tells the theorems: how it learnt, and the geometry of its examples.

A fit measures what it has at hand anyway: the norms of its rows, and the scores from which its
training errors are counted. With the rows at hand again everything is measured.

The bounds are imported where they are asked for: who only predicts need not wait for them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import guards, orders, schedules
from hardlimit.classifiers import together
from hardlimit.classifiers.votes import Votes
from hardlimit.engine import sqnorms, stored_values
from hardlimit.exceptions import InputError
from hardlimit.foundation.register import registered_name
from hardlimit.theory import margins

if TYPE_CHECKING:
    from hardlimit.classifiers.base import LinearModel
    from hardlimit.classifiers.learning import Examples
    from hardlimit.theory.bounds import Comparator, Part, Run

Array = np.ndarray[Any, Any]


@dataclass
class Facts:
    """What a fit saw of its examples.

    largest : squared length of the longest row.      least : of each read-out whose scores were
    looked at, the smallest geometric margin of each part.
    """

    n_rows: int
    largest: float
    least: dict[str, tuple[float | None, ...]] = field(default_factory=dict)


def facts_of(lengths: Array, examples: Examples) -> Facts:
    """From the squared lengths of all rows."""
    present = examples.present
    counted = lengths if present is None else lengths[present]
    return Facts(len(counted), float(counted.max(initial=0.0)))


def is_weighed(weights: Any) -> bool:
    """Whether any example weighs other than 0 and 1."""
    return weights is not None and not bool(((weights == 0) | (weights == 1)).all())


def note_least(
    facts: Facts, name: str, scores: Array, examples: Examples, norms: Any, scheme: str
) -> None:
    """Remember the smallest margin of the read-out that gave these scores of the examples."""
    functional = margins.functional_margins(scores, examples.targets, scheme)
    facts.least[name] = margins.least_margins(functional, norms, examples.present)


def norms_of(answer: Array, scheme: str) -> Array:
    """The lengths of weights (n_columns + 1, n_outputs), a part each."""
    return margins.weight_lengths(answer, scheme)


def cross(coefficients: Array, scores: Array) -> Array:
    """All ``<w_c, w_r>`` in the space of a kernel, from the scores of the supports."""
    return margins.kernel_products(coefficients, scores)


def kernel_norms(coefficients: Array, scores: Array, scheme: str) -> Array:
    """The same in the space of a kernel, from the scores of the supports."""
    return margins.kernel_lengths(coefficients, scores, scheme)


def run_of(model: LinearModel) -> Run:
    """How the model learnt, from what it kept."""
    from hardlimit.theory.bounds import Run

    learnt, facts, outcome = model._as_learnt(), model._facts, model._outcome
    training = model._training
    order = orders.resolve(learnt.order)
    method = learnt._method
    streamed = outcome.stop_reason == "stream" or (training is not None and training.version > 0)
    return Run(
        rule=method.rule if training is None else training.rule,
        schedule=schedules.resolve(learnt.schedule),
        guards=guards.resolve(learnt.guard),
        order=registered_name(type(order)),
        combine=together.combination(method, order),
        scheme=model._scheme,
        n_classes=len(model._classes),
        n_rows=None if facts is None else facts.n_rows,
        weighted=outcome.weighted,
        streamed=streamed,
        budget=getattr(learnt, "budget", None),
        epochs=len(outcome.history),
        first=outcome.history[0].mistakes if outcome.history else None,
        stop_reason=outcome.stop_reason,
    )


def known_parts(model: LinearModel, run: Run) -> list[Part]:
    """The parts with what the fit saw on its way."""
    facts = None if run.streamed else model._facts
    parts = bare_parts(model, run, model._last_lengths())
    if facts is None:
        return parts
    radius = _radius(facts.largest, run)
    found = []
    for k, part in enumerate(parts):
        known = [(of[k], name) for name, of in facts.least.items() if of[k] is not None]
        low, name = max(known, default=(None, ""))
        found.append(replace(part, radius=radius, least=low, least_of=name))
    return found


def bare_parts(model: LinearModel, run: Run, lengths: Array | None) -> list[Part]:
    """The parts with their counts."""
    from hardlimit.theory.bounds import Part

    outcome, counted = model._outcome, model._counted
    training = model._training
    each = [counted.corrections]
    if run.scheme == "independent":
        each = [] if training is None else list(training.state.corrections)
    if len(each) < len(_names(model, run)):  # a file without its training state has the sum alone
        each = [0] * len(_names(model, run))
        lengths = None
    all_corrected = run.is_perceptron and not run.guards and run.order != "batch"
    separable = {"separated": True, "cycling": False}
    return [
        Part(
            name=name,
            corrections=int(corrections),
            mistakes=(
                (int(corrections) if all_corrected else None)
                if run.scheme == "independent"
                else counted.mistakes
            ),
            length=None if lengths is None else float(lengths[k]),
            separable=None if run.streamed else separable.get(outcome.stop_reason),
        )
        for k, (name, corrections) in enumerate(zip(_names(model, run), each, strict=True))
    ]


def _names(model: LinearModel, run: Run) -> list[str]:
    return list(map(str, model._classes.numbers)) if run.scheme == "independent" else [""]


def _radius(largest: float, run: Run) -> float:
    return math.sqrt(2 * largest if run.scheme == "coupled" else largest)


@dataclass(frozen=True)
class Looked:
    """What a kind of classifier saw of rows that it was shown again.

    read_outs : name -> (scores, ||w|| a part, sum |w_j| a part or None).
    """

    lengths: Array
    targets: Array
    read_outs: Mapping[str, tuple[Array, Array, Array | None]]
    n_columns: int | None = None
    x_inf: float | None = None


def looked_at(
    model: LinearModel, rows: Any, targets: Array, x_inf: float | None, extra: Any = None
) -> Looked:
    """Rows of the engine, as the learner sees them, by all read-outs that are weights."""
    scheme, vectors = model._scheme, model._vectors()
    if extra is not None:
        vectors["verdict's"] = extra
    read_outs = {
        name: (
            rows.scores(answer),
            margins.weight_lengths(answer, scheme),
            margins.absolute_sums(answer, scheme),
        )
        for name, answer in vectors.items()
    }
    lengths = sqnorms(rows, model._bias)
    return Looked(lengths, targets, read_outs, rows.n_columns + 1, x_inf)


def weights_of(verdict: Any, bias: float) -> Array | None:
    """The vector of a verdict as weights (n_columns + 1, 1), the bias's last."""
    if getattr(verdict, "w", None) is None:
        return None
    last = float(verdict.intercept) / bias if bias else 0.0
    return np.array([[*map(float, verdict.w), last]], np.float64).T.copy()


def largest_value(X: Any, bias: float) -> float:
    """``max |x_j|``, the bias's feature included."""
    values = np.asarray(stored_values(X), np.float64)
    return max(abs(bias), float(np.abs(values).max(initial=0.0)))


def measured_with(model: LinearModel, looked: Looked, verdict: Any) -> tuple[Run, list[Part]]:
    """The run and its parts, with the rows at hand."""
    from hardlimit.theory.bounds import make_comparators

    run = run_of(model)
    run = replace(run, n_rows=run.n_rows or len(looked.lengths))  # absent rows do not count
    scheme = run.scheme
    found: list[list[Comparator]] = [[] for _ in _names(model, run)]
    for name, (scores, norms, ones) in looked.read_outs.items():
        functional = margins.functional_margins(scores, looked.targets, scheme)
        for k, one in enumerate(make_comparators(name, functional, norms, ones)):
            if one is not None:
                found[k].append(one)
    radius = _radius(float(looked.lengths.max()), run)
    proven, separable = _told_by(verdict)
    parts = []
    for part, held in zip(bare_parts(model, run, model._last_lengths()), found, strict=True):
        low, name = max(((c.least, c.name) for c in held), default=(None, ""))
        columns = looked.n_columns
        parts.append(
            replace(
                part,
                radius=radius,
                least=low,
                least_of=name,
                comparators=tuple(held),
                n_columns=columns and columns * (run.n_classes if scheme == "coupled" else 1),
                x_inf=looked.x_inf,
                proven=proven,
                separable=part.separable if separable is None else separable,
            )
        )
    return run, parts


def check_verdict(model: LinearModel, verdict: Any, n_columns: int) -> None:
    """Refuse a verdict on other rows than the model learnt from.

    Raises
    ------
    InputError
        Another number of classes or columns, another bias, a scale.
    """
    if verdict is None:
        return
    if model._scheme != "single":
        raise InputError(
            f"bounds.of: got a verdict, which is about two classes, for a model of "
            f"{len(model._classes)}; leave it out"
        )
    if model._fitted_scale is not None:
        raise InputError(
            f"bounds.of: got a verdict for a model with scale={model.scale!r}, which learnt from "
            "other numbers than the verdict is about; leave it out"
        )
    subject, bias = verdict.subject, model._bias
    if subject.n_features != n_columns:
        raise InputError(
            f"bounds.of: got a verdict about {subject.n_features} columns, wanted {n_columns}"
        )
    if (subject.bias or 0.0) != bias:
        raise InputError(
            f"bounds.of: got a verdict with the bias feature {subject.bias}, wanted "
            f"{bias or None} as the model learnt, since gamma depends on it: certify(X, y, "
            f"fit_intercept={bool(bias)}, bias_feature={bias or 1.0})"
        )


def _told_by(verdict: Any) -> tuple[tuple[float, float] | None, bool | None]:
    """The bracket of a verdict, and whether it says separable."""
    if verdict is None:
        return None, None
    if verdict.verdict == "not separable":
        return None, False
    low, high = verdict.margin
    return (float(low), float(high)), True if bool(verdict) else None


def is_vector(answer: Any) -> bool:
    """Whether a read-out is one vector of weights."""
    return not isinstance(answer, Votes)
