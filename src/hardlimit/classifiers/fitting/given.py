"""A model from weights that a user gives: nothing is learnt, and everything can be learnt on."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.initial_weights import begin_at
from hardlimit.classifiers.model.labels import LabelBook, as_list
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.classifiers.model.storable_labels import check_storable
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.tables import check_column_names
from hardlimit.foundation.types import FloatArray
from hardlimit.learner import FitOutcome

if TYPE_CHECKING:
    from hardlimit.text import TextVectorizer

NAME = "weights"
REASON = "given"  # why no fit ended: there was none
# A rule written by hand counts occurrences, and has nothing to learn an idf from.
PARAMETERS: Mapping[str, Any] = MappingProxyType(
    {"chars": None, "tf": "raw", "idf": None, "norm": None, "bias_feature": 1.0}
)


class GivenColumns(NamedTuple):
    """Weights (n_outputs, n_columns), and the names of the columns where those were given."""

    weights: FloatArray
    names: tuple[str, ...] | None


def read_columns(weights: object) -> GivenColumns:
    """Return weights of columns: a mapping of names to numbers, a list, or a row a class.

    >>> read_columns({"x1": 1, "x2": -2})
    GivenColumns(weights=array([[ 1., -2.]]), names=('x1', 'x2'))
    """
    names = None
    if isinstance(weights, Mapping):
        names = tuple(weights)
        if not all(isinstance(name, str) for name in names):
            raise KindError(parameter=NAME, got=weights, wanted="names of columns, and numbers")
        names = check_column_names(names)
        weights = list(weights.values())
    try:
        rows: Any = np.atleast_2d(np.asarray(weights, np.float64))
    except (TypeError, ValueError) as error:
        raise KindError(parameter=NAME, got=weights, wanted="an array of numbers") from error
    if rows.ndim != 2 or not rows.size:
        raise InputError(
            parameter=NAME, got=Given(f"shape {rows.shape}"), wanted="a number for each column"
        )
    return GivenColumns(rows, names)


def make_book(classes: Iterable[Hashable], n_outputs: int) -> LabelBook:
    """Return the classes of so many rows of weights: two of a single row, the second above it."""
    named = as_list(classes)
    wanted = 2 if n_outputs == 1 else n_outputs
    if len(named) != wanted or len(set(named)) != wanted or n_outputs == 2:
        rows = plural(n_outputs, "row of weights", "rows of weights")
        fix = "two classes share one row: their difference" if n_outputs == 2 else ""
        raise InputError(
            parameter="classes",
            got=Given(f"{plural(len(named), 'class', 'classes')} and {rows}"),
            wanted="two different classes and one row, or a row for each class",
            fix=fix,
        )
    book = LabelBook(named)
    check_storable(book.numbers)
    book.check_kinds(named)
    return book


def make_model(
    choices: Choices,
    book: LabelBook,
    weights: FloatArray,
    threshold: object,
    kind: type[Model] = Model,
    **more: Any,
) -> Model:
    """Return a model of weights (n_outputs, n_columns) that answers at once.

    threshold : what a score must exceed, one for all classes or one for each. It becomes the
        bias's weight, ``-threshold / bias``, so that learning moves it like the others.
    """
    training = Training(choices, book, weights.shape[1])
    begin_at(training, _with_bias(choices, weights, threshold))
    model = kind(choices, training.book, FitOutcome(REASON), training, **more)
    model.frozen = freeze(training, choices)
    return model


def _with_bias(choices: Choices, weights: FloatArray, threshold: object) -> FloatArray:
    thresholds = np.array([as_float(one) for one in np.ravel(np.asarray(threshold, object))])
    if not all(map(math.isfinite, thresholds)) or len(thresholds) not in (1, len(weights)):
        raise InputError(
            parameter="threshold",
            got=threshold,
            wanted="a finite number" + (", or one for each class" if len(weights) > 1 else ""),
        )
    if not choices.bias:
        if thresholds.any():
            raise InputError(
                "the threshold is the weight of the bias, which is left out",
                parameter="threshold",
                got=threshold,
                fix=("use ", Setting("fit_intercept", True)),
            )
        return weights
    # 0 and not -0, as a fit would have it.
    bias = np.broadcast_to(0.0 - thresholds / choices.bias, len(weights))
    whole: FloatArray = np.column_stack([weights, bias])
    return whole


# Terms of texts


class Terms(NamedTuple):
    """Terms and their weights, and the lengths of their n-grams of words."""

    weights: dict[str, float]
    words: tuple[int, int]


def read_terms(weights: Mapping[str, float], name: str = "weights") -> Terms:
    """Return the terms of a mapping, checked as far as that needs no vectorizer.

    ``name`` is that of the parameter.

    >>> read_terms({"free": 1, "win a prize": 2}).words
    (1, 3)
    """
    if not isinstance(weights, Mapping) or not weights:
        raise KindError(parameter=name, got=weights, wanted="a dict of terms and their weights")
    for term, weight in weights.items():
        if not isinstance(term, str):
            raise KindError(parameter=name, got=term, wanted="terms that are texts")
        if not np.isfinite(as_float(weight)):
            raise InputError(
                parameter=name, got=Given(f"{weight!r} of {term!r}"), wanted="finite numbers"
            )
    lengths = [max(1, len(term.split())) for term in weights]
    return Terms({term: float(w) for term, w in weights.items()}, (min(lengths), max(lengths)))


def learn_terms(vectorizer: TextVectorizer, terms: Terms) -> FloatArray:
    """Make the terms known to a new vectorizer; return weights (1, n_columns) of its columns."""
    if vectorizer.idf is not None:
        raise InputError(
            "it is learnt from texts, and there are none yet",
            parameter="idf",
            got=vectorizer.idf,
            fix=("use ", Setting("idf", None)),
        )
    rows = vectorizer.learn_rows(list(terms.weights))
    weights = np.zeros((1, rows.n_columns))
    for place, (term, weight) in enumerate(terms.weights.items()):
        columns = rows.indices[rows.indptr[place] : rows.indptr[place + 1]].tolist()
        names = vectorizer.terms(columns)
        if term not in names:
            _refuse_term(term, names)
        weights[0, columns[names.index(term)]] += weight
    return weights


def _refuse_term(term: str, names: list[str]) -> NoReturn:
    read = max(names, key=len, default="")
    raise InputError(
        f"no text has this term, which is read as {read!r}" if read else "no text has this term",
        parameter="weights",
        got=term,
        wanted="words as they are counted: in small letters, of two characters or more",
    )
