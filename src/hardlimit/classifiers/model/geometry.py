"""What a model tells the theorems: how it learnt, and the geometry of its examples.

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

from hardlimit.classifiers.model.answers import Weights
from hardlimit.classifiers.model.choices import UnknownRule, resolve_combine
from hardlimit.engine import sqnorms, stored_values
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.register import registered_name
from hardlimit.foundation.types import ArrayLike
from hardlimit.theory import margins

if TYPE_CHECKING:
    from hardlimit._native import Rows
    from hardlimit.certificates.verdicts import Verdict
    from hardlimit.classifiers.model.model import Model
    from hardlimit.theory.bounds import Comparator, MarginProblem, ModelRun

Array = np.ndarray[Any, Any]


class LeastMargins:
    """The smallest margin of the read-out that answers, from scores as they come."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._least: Array | None = None
        # The answer of a kernel: its length follows from the scores of its supports.
        numbers = getattr(model.answer, "numbers", None)
        self._numbers: Array | None = numbers
        self._of_supports: list[tuple[Array, Array]] = []

    def look(self, block: slice, scores: Array, targets: Array, absent: Array | None) -> None:
        """Look at the scores of a block of examples, of which those that are absent do not count.

        block : its place among the examples that are in memory.
        """
        found = margins.functional_margins(scores, targets, self.model.scheme)
        if absent is not None:
            found = found[~absent]
        if len(found):
            least = found.min(axis=0)
            self._least = least if self._least is None else np.minimum(self._least, least)
        if self._numbers is not None:
            here = np.flatnonzero((self._numbers >= block.start) & (self._numbers < block.stop))
            self._of_supports.append((here, scores[self._numbers[here] - block.start]))

    @property
    def found(self) -> tuple[float | None, ...] | None:
        """The smallest geometric margin of each part; None where no example was looked at."""
        if self._least is None:
            return None
        return margins.least_margins(self._least[None], self._lengths())

    def _lengths(self) -> Array:
        answer: Any = self.model.answer
        if self._numbers is None:
            weights: Array = answer.lengths(self.model.scheme)
            return weights
        scores = np.empty((len(self._numbers), answer.n_outputs))
        for here, found in self._of_supports:
            scores[here] = found
        lengths: Array = answer.lengths_of(scores, self.model.scheme)
        return lengths


def run_of(model: Model) -> ModelRun:
    """How the model learnt, from what it kept."""
    from hardlimit.theory.bounds import ModelRun

    choices, facts, outcome, training = model.choices, model.facts, model.outcome, model.training
    rule = choices.rule if training is None else training.rule
    # Theorems are about rules and not names: the class must be known by now.
    if isinstance(rule, UnknownRule):
        rule = rule.known()
    # A fit that was streamed on is no run over known examples any more.
    streamed = outcome.stop_reason == "stream" or (training is not None and training.version > 0)
    return ModelRun(
        rule=rule,
        schedule=choices.schedule,
        guards=choices.guards,
        order=registered_name(type(choices.order)),
        combine=resolve_combine(rule, choices.order, choices.schedule),
        scheme=model.scheme,
        n_classes=len(model.classes),
        n_rows=None if facts is None else facts.n_rows,
        weighted=outcome.weighted,
        streamed=streamed,
        budget=choices.budget,
        epochs=len(outcome.history),
        first=outcome.history[0].mistakes if outcome.history else None,
        stop_reason=outcome.stop_reason,
        started=outcome.stop_reason == "given" or bool(facts and facts.start is not None),
        shards=choices.shards,
        mixing=choices.mixing,
        epochs_corrected=sum(record.corrections > 0 for record in outcome.history),
    )


def last_lengths(model: Model) -> Array | None:
    """``||w||`` of the last weights, a part each; None where they are not at hand."""
    return None if model.training is None else model.training.last_lengths()


def known_parts(model: Model, run: ModelRun) -> list[MarginProblem]:
    """The parts with what the fit saw on its way."""
    facts = None if run.streamed else model.facts
    parts = bare_parts(model, run, last_lengths(model))
    if facts is None:
        return parts
    radius = _radius(facts.largest, run)
    seen = []
    for k, part in enumerate(parts):
        known = [(of[k], name) for name, of in facts.least.items() if of[k] is not None]
        low, name = max(known, default=(None, ""))
        seen.append(replace(part, radius=radius, least=low, least_of=name))
    return seen


def bare_parts(model: Model, run: ModelRun, lengths: Array | None) -> list[MarginProblem]:
    """The parts with their counts."""
    from hardlimit.theory.bounds import MarginProblem

    outcome, counted = model.outcome, model.counted
    training = model.training
    each = [counted.corrections]
    if run.scheme == "independent":
        each = [] if training is None else list(training.state.corrections)
    if len(each) < len(_names(model, run)):  # a file without its training state has the sum alone
        each = [0] * len(_names(model, run))
        lengths = None
    # Only then each correction is a mistake, so that one count serves for both.
    all_corrected = run.is_perceptron and not run.guards and run.order != "batch"
    separable = {"separated": True, "cycling": False}
    return [
        MarginProblem(
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


def _names(model: Model, run: ModelRun) -> list[str]:
    return list(map(str, model.classes.numbers)) if run.scheme == "independent" else [""]


def _radius(largest: float, run: ModelRun) -> float:
    return math.sqrt(2 * largest if run.scheme == "coupled" else largest)


def _total(total: float, run: ModelRun) -> float:
    return 2 * total if run.scheme == "coupled" else total


@dataclass(frozen=True)
class Looked:
    """What a kind of classifier saw of rows that it was shown again.

    read_outs : name -> (scores, ||w|| a part, sum |w_j| a part or None).
    products : name -> ``<a(1), w>`` a part, where the fit began at weights that were given.
    """

    lengths: Array
    targets: Array
    read_outs: Mapping[str, tuple[Array, Array, Array | None]]
    n_columns: int | None = None
    x_inf: float | None = None
    products: Mapping[str, Array] = field(default_factory=dict)


def look_at_rows(
    model: Model, rows: Rows, targets: Array, x_inf: float | None, extra: Array | None = None
) -> Looked:
    """Look at rows of the engine, as the learner sees them, by all read-outs that are weights."""
    scheme = model.scheme
    vectors: dict[str, Any] = dict(model.vectors())
    if extra is not None:
        vectors["verdict's"] = Weights(extra)
    read_outs = {
        name: (answer.scores(rows), answer.lengths(scheme), answer.absolute_sums(scheme))
        for name, answer in vectors.items()
    }
    lengths = sqnorms(rows, model.choices.bias)
    products = _products_with_start(model, vectors)
    return Looked(lengths, targets, read_outs, rows.n_columns + 1, x_inf, products)


def _products_with_start(model: Model, vectors: Mapping[str, Any]) -> dict[str, Array]:
    start = None if model.facts is None else model.facts.start
    if start is None:
        return {}
    return {
        name: margins.weight_products(start, answer.weights(), model.scheme)
        for name, answer in vectors.items()
    }


def weights_of(verdict: Any, bias: float) -> Array | None:
    """The vector of a verdict as weights (n_columns + 1, 1), the bias's last."""
    if getattr(verdict, "w", None) is None:
        return None
    # Weights are for the bias's feature, and the intercept is their product.
    last = float(verdict.intercept) / bias if bias else 0.0
    return np.array([[*map(float, verdict.w), last]], np.float64).T.copy()


def largest_value(X: ArrayLike, bias: float) -> float:
    """``max |x_j|``, the bias's feature included."""
    values = np.asarray(stored_values(X), np.float64)
    return max(abs(bias), float(np.abs(values).max(initial=0.0)))


def measure(
    model: Model, looked: Looked, verdict: Verdict | None
) -> tuple[ModelRun, list[MarginProblem]]:
    """The run and its parts, with the rows at hand."""
    from hardlimit.theory.bounds import make_comparators

    run = run_of(model)
    run = replace(run, n_rows=run.n_rows or len(looked.lengths))  # absent rows do not count
    scheme = run.scheme
    comparators: list[list[Comparator]] = [[] for _ in _names(model, run)]
    for name, (scores, norms, ones) in looked.read_outs.items():
        functional = margins.functional_margins(scores, looked.targets, scheme)
        products = looked.products.get(name)
        for k, one in enumerate(make_comparators(name, functional, norms, ones, products)):
            if one is not None:
                comparators[k].append(one)
    radius = _radius(float(looked.lengths.max()), run)
    total, starts = _total(math.fsum(looked.lengths.tolist()), run), _start_lengths(model)
    proven, separable = _bracket_of(verdict)
    parts = []
    bare = bare_parts(model, run, last_lengths(model))
    for part, start, held in zip(bare, starts or [0.0] * len(bare), comparators, strict=True):
        low, name = max(((c.least, c.name) for c in held), default=(None, ""))
        columns = looked.n_columns
        parts.append(
            replace(
                part,
                radius=radius,
                total=total,
                start=start,
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


def _start_lengths(model: Model) -> list[float]:
    """``||a(1)||`` of each part; empty where the fit began at zeros."""
    start = None if model.facts is None else model.facts.start
    if start is None:
        return []
    lengths: list[float] = margins.weight_lengths(start, model.scheme).tolist()
    return lengths


def check_verdict(model: Model, verdict: Verdict | None, n_columns: int) -> None:
    """Refuse a verdict on other rows than the model learnt from.

    Raises
    ------
    InputError
        Another number of classes or columns, another bias, a scale.
    """
    if verdict is None:
        return
    if model.scheme != "single":
        raise InputError(
            who="bounds.of",
            got=Given("a verdict, which is about two classes,"),
            wanted=f"none for a model of {len(model.classes)}",
            fix="leave it out",
        )
    if model.scale is not None:
        raise InputError(
            f"got a verdict for a model with scale={model.choices.given.get('scale')!r}, which "
            "learnt from other numbers than the verdict is about",
            who="bounds.of",
            fix="leave it out",
        )
    subject, bias = verdict.subject, model.choices.bias
    if subject.n_features != n_columns:
        raise InputError(
            who="bounds.of",
            got=Given(f"a verdict about {plural(subject.n_features, 'column')}"),
            wanted=str(n_columns),
        )
    if (subject.bias or 0.0) != bias:
        raise InputError(
            "gamma depends on it",
            who="bounds.of",
            got=Given(f"a verdict with the bias feature {subject.bias}"),
            wanted=f"{bias or None} as the model learnt",
            fix=f"certify(X, y, fit_intercept={bool(bias)}, bias_feature={bias or 1.0})",
        )


def _bracket_of(verdict: Any) -> tuple[tuple[float, float] | None, bool | None]:
    """The bracket of a verdict, and whether it says separable."""
    if verdict is None:
        return None, None
    if verdict.verdict == "not separable":
        return None, False
    low, high = verdict.margin
    return (float(low), float(high)), True if bool(verdict) else None
