"""The files of a new model: how they are read, what their rows are, and what learns from them.

:func:`look` asks once what a file holds. What it returns reads the rows, names the classifier with
what the options say of its examples, and is asked by ``train``, ``tune`` and ``certify``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from hardlimit import classifiers
from hardlimit.classifiers.model.ask import COLUMNS, ONE, SETS
from hardlimit.classifiers.model.forms import (
    ONE_TEXT,
    POINTS_OF_KERNEL,
    ROW_OF_NUMBERS,
    NumbersForm,
    TableForm,
    TextColumnsForm,
)
from hardlimit.cli import (
    errors,
    label_columns,
    labelled_rows,
    layouts,
    numeric_rows,
    starts,
    tables,
)
from hardlimit.cli.choice_options import DEFAULT_RULES
from hardlimit.cli.features import parse_features
from hardlimit.cli.options import NONE
from hardlimit.examples.of_rows import gather_columns, gather_texts
from hardlimit.exceptions import ColumnError, DataFormatError
from hardlimit.foundation import progress
from hardlimit.sources.files import WordFiles

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.cli.options import LayoutSettings
    from hardlimit.cli.tables import RowOptions
    from hardlimit.readers import Layout
    from hardlimit.sources.files import FileRows, Told


def look(options: RowOptions, settings: LayoutSettings, features: str | None = None) -> NewFiles:
    """Return the labelled files of a command as what they hold.

    settings : how the options say that they are read.    features : what was asked for of texts,
    so that there are some.
    """
    found = tables.settle(options, settings)
    if found is not None:
        return NewTable(options, found)
    # Of texts the labels stand in one column, whose name may have a comma.
    names = label_columns.split_names(settings.get("label"))
    if names and "labels_separator" not in settings:
        return NewNumbers(options, label_columns.settings_of(names, settings, options.sources))
    path = options.source
    if numeric_rows.is_numeric(path, settings.get("format")):
        mixed = tables.detect_words(path, settings)
        return NewNumbers(options, settings) if mixed is None else NewTable(options, mixed)
    if features:
        return NewTexts(options, settings)
    settings = numeric_rows.detect(path, settings)
    if numeric_rows.is_numeric(path, settings.get("format")):
        return NewNumbers(options, settings)
    mixed = tables.detect_columns(path, settings)
    return NewTexts(options, settings) if mixed is None else NewTable(options, mixed)


class NewFiles:
    """Files of labelled rows.

    settings : how the options say that they are read.    default_rule : that of the classifier.
    form : what an example is.    targets : what its labels are, as an :class:`.Ask` calls them.
    """

    default_rule = DEFAULT_RULES[0]
    form: NumbersForm = ONE_TEXT

    def __init__(self, options: RowOptions, settings: LayoutSettings) -> None:
        self.options, self.settings = options, settings
        self.targets = SETS if "labels_separator" in settings else ONE

    @property
    def features(self) -> str:
        """What an example is, as an :class:`.Ask` calls it."""
        return self.form.features

    @property
    def classifier(self) -> type[Any]:
        """The class of what learns from them."""
        raise NotImplementedError

    def of_columns(self) -> dict[str, Any]:
        """Return what the options say of the columns, as the classifier's parameters."""
        return {}

    def of_features(self, options: TrainOptions) -> dict[str, Any]:
        """Return what options say of what is counted, as the classifier's parameters."""
        return parse_features(options.features)

    def weights_at_start(self, given: str) -> Any:
        """Return the weights of ``--start``, from their file."""
        return starts.read_terms(given)

    def layout(self) -> Layout:
        """Return how files of words are read."""
        return layouts.layout_for(self.options.sources, {}, self.settings)

    def source(self) -> FileRows:
        """Return the files as a source of rows."""
        raise NotImplementedError

    def decide(self, classifier: Classifier, source: FileRows) -> None:
        """Give the classifier of a table the kind of each column, by a pass over all rows."""

    def read(self, classifier: Classifier) -> Labelled:
        """Read all rows; of a table the classifier gets the kind of each column."""
        return labelled_rows.read(self.source())

    def take_survey(self, classifier: Classifier, told: Told, featuriser: Any) -> None:
        """Take what shards have found out of all rows: of a table the kind of each column."""


class NewTexts(NewFiles):
    """Files of texts: one a row, or several in columns."""

    def __init__(self, options: RowOptions, settings: LayoutSettings) -> None:
        super().__init__(options, settings)
        self._columns: tuple[str, ...] = options.texts if len(options.texts) > 1 else ()
        self.form = TextColumnsForm(self._columns) if self._columns else ONE_TEXT

    @property
    def classifier(self) -> type[Any]:
        """The class of what learns from them."""
        return classifiers.TextClassifier

    def of_columns(self) -> dict[str, Any]:
        """Return the columns of texts, where there are several."""
        return {"text_columns": self._columns} if self._columns else {}

    def source(self) -> FileRows:
        """Return the files as a source of rows."""
        return WordFiles(self.options.sources, self.layout(), gather_texts(self._columns))

    def read(self, classifier: Classifier) -> Labelled:
        """Read all rows; of files that nearly hold numbers, say what they lack."""
        try:
            return super().read(classifier)
        except (ColumnError, DataFormatError) as error:
            # Said to be texts: then numbers are no likely explanation.
            if {"format", "text"} & self.settings.keys():
                raise
            said = errors.sentence(error) + self._hint_at_numbers()
            raise click.ClickException(said) from None

    def _hint_at_numbers(self) -> str:
        """Say why the file is not read as numbers, where it nearly is one of them."""
        if self.options.source == "-":
            return "; if these are numbers, add --format svmlight or --format numeric-csv"
        word = numeric_rows.find_word(self.options.source, self.settings.get("label"))
        if not word:
            return ""
        return f"; it is not read as numbers because of {word}: remove that, or add --text"


class NewTable(NewFiles):
    """Files of a mixed table."""

    form = TableForm({})

    @property
    def classifier(self) -> type[Any]:
        """The class of what learns from them."""
        return classifiers.TableClassifier

    def of_columns(self) -> dict[str, Any]:
        """Return what the columns are, and how they are weighed."""
        return tables.parameters(self.options)

    def source(self) -> FileRows:
        """Return the files as a source of rows."""
        options = self.options
        named = (*options.texts, *options.number_columns, *options.category_columns)
        return WordFiles(options.sources, self.layout(), gather_columns(None, named))

    def decide(self, classifier: Classifier, source: FileRows) -> None:
        """Give the classifier the kind of each column, by a pass over all rows."""
        name = labelled_rows.name_sources(source.paths)
        kinds = tables.decide(classifier, name, lambda: _columns_of(source))
        tables.take_kinds(classifier, kinds, source.told.layout)

    def read(self, classifier: Classifier) -> Labelled:
        """Read all rows; the classifier gets the kind of each column."""
        data = super().read(classifier)
        kinds = tables.decide(classifier, data.name, lambda: [data.examples])
        tables.take_kinds(classifier, kinds, data.layout)
        return data

    def take_survey(self, classifier: Classifier, told: Told, featuriser: Any) -> None:
        """Give the classifier the kind of each column."""
        tables.take_kinds(classifier, featuriser.features.kinds, told.layout)


class NewNumbers(NewFiles):
    """Files of numbers, which a kernel may compare."""

    default_rule = DEFAULT_RULES[1]

    def __init__(self, options: RowOptions, settings: LayoutSettings) -> None:
        super().__init__(options, settings)
        self.targets = COLUMNS if settings.get("label_columns") else ONE
        self.form = POINTS_OF_KERNEL if getattr(options, "kernel", None) else ROW_OF_NUMBERS

    @property
    def classifier(self) -> type[Any]:
        """The class of what learns from them."""
        has_kernel = self.form is POINTS_OF_KERNEL
        return classifiers.KernelClassifier if has_kernel else classifiers.LinearClassifier

    def of_features(self, options: TrainOptions) -> dict[str, Any]:
        """Return the map, the kernel and the bias as the classifier's parameters."""
        names = ("map", "kernel", "budget")
        found: dict[str, Any] = {name: getattr(options, name) for name in names}
        found = {name: given for name, given in found.items() if given is not None}
        if getattr(options.kernel, "given", False):
            raise click.UsageError("--kernel precomputed has no rows to predict; use it in Python")
        if options.bias_feature is not None:
            off = options.bias_feature.lower() in NONE
            found["fit_intercept"] = not off
            if not off:
                found["bias_feature"] = _bias(options.bias_feature)
        return found

    def weights_at_start(self, given: str) -> Any:
        """Return the weights of ``--start``, as they were typed."""
        return [[float(one) for one in row] for row in starts.parse_start(given)]

    def source(self) -> FileRows:
        """Return the files as a source of rows."""
        return numeric_rows.source_of(self.options.sources, self.settings)


def _columns_of(source: FileRows) -> Iterator[Any]:
    n_rows = 0
    for batch in source.batches():
        yield batch.examples
        n_rows += len(batch.labels)
        progress.report("looking at the columns", n_rows, 0, "rows")


def _bias(text: str) -> float:
    try:
        bias = float(text)
    except ValueError:
        bias = 0.0
    if not 0 < abs(bias) < math.inf:
        wanted = "a number or none, and not 0"
        raise click.BadOptionUsage("--bias-feature", f"--bias-feature wants {wanted}; got {text!r}")
    return bias
