"""Mixed tables in, a classifier out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.choices import (
    GramRange,
)
from hardlimit.classifiers.text import TextClassifier
from hardlimit.exceptions import InputError
from hardlimit.tables.settings import COLUMN_WEIGHTS, MISSING_VALUES

if TYPE_CHECKING:
    from hardlimit.classifiers.tuning import TableFront


@dataclass(kw_only=True, repr=False, eq=False)
class TableClassifier(TextClassifier):
    """A classifier of tables whose columns are numbers, categories and texts.

    Each column is a block of features: a number ``(x - mean) / deviation`` of the rows of the fit,
    a category a 1 in the column of its value, a text the terms of a
    :class:`~hardlimit.TextVectorizer`. Columns are known by their names: a later table may have
    them in any order, and others beside them.

    Parameters
    ----------
    text_columns, number_columns, category_columns : None or a sequence of names
        The kinds of columns. Columns that are not named are told by their values: numbers where
        all are; texts where they are mostly different and long; else categories. If all three are
        given, no other column counts. ``kinds_`` says what became of each.
    drop_columns : a sequence of names
        What is left out, such as an id.
    missing : "refuse" or "mean"
        What becomes of missing values: an error that names the row; or, of numbers, the mean of
        the fit beside a column that says that it was missing (where the fit saw missing values), of
        categories a value of its own, of texts the empty text.
    missing_values : texts that stand for a missing value in numbers and categories, compared
        without case; None, NaN and white space always do
    hash_categories : None or 1 .. 24
        Bits: each category gets one of ``2**bits`` columns by a hash of its value, where there are
        too many values to keep.
    column_weights : three numbers > 0
        How much a number, a category and a text weigh in a row. See
        :class:`~hardlimit.tables.TableVectorizer`.
    words, chars, hash_bits, tf, idf, norm, block_weights, analyzer, strip_accents, stop_words, \
min_df, max_df, max_features, vocabulary
        Of the columns of texts: as in :class:`~hardlimit.TextClassifier`.
    rule, order, schedule, guard, keep, readout, averaging, multiclass, until, max_iter, tol, \
fit_intercept, bias_feature, class_weight, random_state, probability, n_jobs, shards, \
mixing
        As there; 10 epochs, since numbers and categories take more of them than texts.

    Notes
    -----
    A category that the fit did not see is 0 in all columns. ``partial_fit`` gives new categories
    and terms columns of their own; means and deviations stay those of the fit.

    Examples
    --------
    >>> import hardlimit as hl
    >>> rows = [{"age": 41, "city": "Ghent"}, {"age": 23, "city": "Bruges"},
    ...         {"age": 38, "city": "Ghent"}, {"age": 19, "city": "Ghent"}]
    >>> clf = hl.TableClassifier().fit(rows, ["stays", "leaves", "stays", "leaves"])
    >>> clf.kinds_
    {'age': 'number', 'city': 'category'}
    >>> print(clf.predict([{"city": "Ostend", "age": 45}])[0], clf.n_training_errors_)
    stays 0
    """

    number_columns: Sequence[str] | None = None
    category_columns: Sequence[str] | None = None
    drop_columns: Sequence[str] = ()
    missing: str = "refuse"
    missing_values: Sequence[str] = MISSING_VALUES
    hash_categories: int | None = None
    column_weights: tuple[float, float, float] = COLUMN_WEIGHTS
    # By name alone, unlike those of texts.
    words: GramRange = "auto"
    chars: GramRange = "auto"
    hash_bits: int | None = None
    tf: str = "sublinear"
    idf: str | None = "smooth"
    norm: str | None = "l2"
    max_iter: int = 10

    def _begin_search(self, examples: Any) -> TableFront:
        from hardlimit.classifiers.tuning import TableFront  # start-up: few are tuned

        return TableFront(self, examples)

    @property
    def kinds_(self) -> dict[str, str]:
        """The kind of each column that counts: number, category or text."""
        vectorizer: Any = self.fitted.vectorizer
        return {block.name: block.kind for block in vectorizer.blocks}

    @classmethod
    def from_weights(cls, *args: Any, **parameters: Any) -> Any:
        """Refuse: without rows there are no means and deviations that weights could be about."""
        raise InputError(
            "the mean and the deviation of a column come from rows",
            who=f"{cls.__name__}.from_weights",
            fix="use fit(rows, labels, initial_weights={'age': 2.0, 'city = Ghent': -1.0})",
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, True
        tags.input_tags.categorical, tags.input_tags.allow_nan = True, self.missing == "mean"
        return tags
