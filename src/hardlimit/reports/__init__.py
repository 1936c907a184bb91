"""A model and held-out rows in, one HTML page out: self-contained, without scripts or network.

>>> from hardlimit import TextClassifier, reports
>>> clf = TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5)
>>> page = reports.report(clf, ["a prize for you", "noon?"], ["spam", "ham"])
>>> page[:15], "100 %" in page, "<script" in page
('<!doctype html>', True, False)

A section is a module of this folder with ``PLACE`` (its place in the page), ``TITLE`` and
``content(study)``, which gives its `Markup`, or None where it has nothing to say; with ``BACKGROUND
= True`` it is folded where there are many classes. Adding a file
adds the section. What sections share is computed once, in ``_study.py``; all text comes through
``_markup.py``, which escapes it.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.foundation.discovery import import_members
from hardlimit.foundation.package import list_only_public
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.text.batches import Texts

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation

__all__ = ["render_explanation", "render_label_explanations", "report", "sections"]

list_only_public(globals())


def report(
    model: object,
    X: ArrayLike | Texts,
    y: Labels | None = None,
    *,
    train: tuple[Any, Any] | None = None,
    positive: Hashable = None,
    columns: Sequence[Any] | None = None,
    examples: int = 8,
    file: str | os.PathLike[str] | None = None,
) -> str:
    """Return the report of a model on some rows, as HTML.

    Parameters
    ----------
    model
        A fitted classifier, an estimator, or the path of a model file.
    X
        Texts for a classifier of texts (of several columns, a table that has them, or a tuple of
        texts a row), else rows of numbers, dense or CSR.
    y
        Their labels; None leaves out all that needs them, and the page says so. For a model of
        several labels a row, as for its ``fit``.
    train
        Texts (or rows) and labels of training: rows that stand there too are counted.
    positive
        Of two classes the one that precision, recall and ROC describe; default: the one that
        the model file remembers, else the second.
    columns
        Names of the columns of numbers.
    examples
        How many errors and uncertain rows are shown, at least 0.
    file
        The file that the model was loaded from, whose size and SHA-256 the page gives; default: the
        model, where that is a path.

    Returns
    -------
    str
        One page. The same model and rows give the same bytes on one platform: there is no date, no
        path and nothing of the machine in it. O(rows) beside the answers themselves.

    Raises
    ------
    InputError, KindError
        No rows; labels of another number; texts for a model of numbers or the other way round.
    """
    # `hardlimit.reports` is listed at start-up, and a study loads the classifiers.
    from hardlimit.reports import _page, _study

    study = _study.open_study(
        model, X, y, train=train, positive=positive, columns=columns, examples=examples, file=file
    )
    return _page.render_page(study, sections())


def render_explanation(
    explanation: Explanation,
    text: str | Mapping[str, str] | None = None,
    weights: Mapping[str, Any] | None = None,
) -> str:
    """Return an explanation as one HTML page: the text with its telling words marked, and a table.

    ``text``: of a model of texts in several columns, the text of each column by its name.
    ``weights``: what each word adds, in lower case, of several columns by column; left out they are
    those of the explanation.

    >>> from hardlimit import TextClassifier, reports
    >>> clf = TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5)
    >>> page = reports.render_explanation(clf.explain("a prize"), "a prize")
    >>> '<mark class="for s4">prize</mark>' in page
    True
    """
    from hardlimit.classifiers.model.explanation import weigh_words, weigh_words_of_columns
    from hardlimit.reports import _explained

    if isinstance(text, Mapping):
        by_column = weights or weigh_words_of_columns(explanation, text)
        texts = [_explained.Marked(one, by_column[name], name) for name, one in text.items()]
    elif text is not None:
        texts = [_explained.Marked(text, weights or weigh_words(explanation, text))]
    else:
        texts = []
    return _explained.render_explanation(explanation, texts)


def render_label_explanations(parts: Mapping[Hashable, Explanation]) -> str:
    """Return the explanations of ``LinearClassifier.explain_labels`` as one HTML page.

    >>> from hardlimit import LinearClassifier, reports
    >>> clf = LinearClassifier().fit([[0, 1], [1, 0], [1, 1]], [{"a"}, {"b"}, {"a", "b"}])
    >>> "<h2>a: True</h2>" in reports.render_label_explanations(clf.explain_labels([0, 1]))
    True
    """
    from hardlimit.reports import _explained

    return _explained.render_label_explanations(parts)


def sections() -> list[Any]:
    """Return the modules of the sections, in the order of the page."""
    modules = [
        module for module in import_members(__name__, __path__) if hasattr(module, "content")
    ]
    # by a number of its own, so that a new section needs no list to be edited
    return sorted(modules, key=lambda module: module.PLACE)
