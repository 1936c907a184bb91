"""What makes rows of the examples of a stream: of a text, of several texts, of a row of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from hardlimit.classifiers.fitting.streamed.refusals import refuse_unbounded
from hardlimit.classifiers.fitting.vectorizing import check_names, new_vectorizer
from hardlimit.classifiers.model.choices import Choices, TextSettings
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.table_model import TableModel
from hardlimit.classifiers.model.text_model import ColumnsModel, TextModel
from hardlimit.streaming.blocks import SparseBlock
from hardlimit.streaming.counting import fit_bounded
from hardlimit.tables.column_values import TableValues
from hardlimit.tables.kinds import KindSurvey
from hardlimit.tables.passes import TablePasses
from hardlimit.tables.rows import TableRows, as_table
from hardlimit.tables.vectorizer import TableVectorizer
from hardlimit.text.batches import as_batch
from hardlimit.text.columns import as_examples
from hardlimit.text.rows import SparseRows

# Gives the examples from their beginning, some at a time.
Again = Callable[[], Iterator[list[Any]]]


class Features(NamedTuple):
    """Rows of a chunk, None where nobody learns from them; and counts that are kept instead."""

    rows: SparseBlock | None
    counts: SparseBlock | None = None


class OneText:
    """A text an example; its counts are kept for later epochs."""

    kind: type[Model] = TextModel

    def __init__(self, choices: Choices, vectorizer: Any = None) -> None:
        assert choices.text is not None  # a stream of texts
        self.choices, self.settings = choices, choices.text
        self.vectorizer: Any = vectorizer

    def read(self, examples: Any) -> list[Any]:
        """Return the examples of a batch."""
        return as_batch(examples)

    def size(self, example: Any) -> int:
        """Return the characters of an example."""
        return len(example)

    def choose(self, head: list[Any]) -> None:
        """Choose the features by the first examples."""
        self.vectorizer, _ = new_vectorizer(self.choices, head)

    @property
    def needs_counting(self) -> bool:
        """Whether all examples are looked at before the first is learnt."""
        return _counts_terms(self.settings)

    @property
    def passes(self) -> list[str]:
        """What each pass before the first example is learnt is for."""
        return ["count terms, documents and classes"]

    def count(self, number: int, chunks: Iterator[list[Any]]) -> None:
        """Go through all examples, for the pass of this number."""
        fit_bounded(self.vectorizer, (text for chunk in chunks for text in chunk))

    def begin(self) -> None:
        """Begin without a pass before: the columns are all there."""
        self.vectorizer.partial_fit([])

    def go_back(self, n_documents: int) -> None:
        """Go on at an earlier place: the texts behind it come again."""
        self.vectorizer.set_documents(n_documents)

    def features(self, examples: list[Any], learn: bool, kept: bool, wanted: bool) -> Features:
        """Return the rows of a chunk.

        learn : whether its terms are met for the first time.      kept, wanted : whether it is kept
        for later epochs, and whether it is learnt from.
        """
        vectorizer = self.vectorizer
        counts = vectorizer.learn_counts(examples) if learn else vectorizer.count(examples)
        copy = None
        if kept:  # a copy, since weighing takes the counts away
            starts, columns, cells = (counts.copy() if wanted else counts).take_counts()
            copy = SparseBlock(starts, columns, cells, vectorizer.n_columns_)
        return Features(_as_csr(vectorizer.weigh(counts)) if wanted else None, copy)

    @property
    def text_vectorizers(self) -> list[Any]:
        """Those that make terms of texts."""
        return [self.vectorizer]


class SeveralTexts(OneText):
    """Texts in several columns; the rows are kept."""

    kind = ColumnsModel

    @property
    def _names(self) -> tuple[str, ...]:
        return check_names(self.settings.text_columns)

    def read(self, examples: Any) -> list[Any]:
        """Return a tuple of texts an example."""
        return list(as_examples(examples, self._names))

    def size(self, example: Any) -> int:
        """Return the characters of an example."""
        return sum(map(len, example))

    @property
    def passes(self) -> list[str]:
        """One a column."""
        return [f"count terms and documents of {name!r}" for name in self._names]

    def count(self, number: int, chunks: Iterator[list[Any]]) -> None:
        """Count the terms of one column."""
        block = self.vectorizer.blocks[number]
        fit_bounded(block, (example[number] for chunk in chunks for example in chunk))
        if number == len(self._names) - 1:
            self.vectorizer.place_blocks()

    def begin(self) -> None:
        """Begin without a pass before: the columns are all there."""
        for block in self.vectorizer.blocks:
            block.partial_fit([])
        self.vectorizer.place_blocks()

    def go_back(self, n_documents: int) -> None:
        """Go on at an earlier place: the texts behind it come again."""
        for block in self.vectorizer.blocks:
            block.set_documents(n_documents)

    def features(self, examples: list[Any], learn: bool, kept: bool, wanted: bool) -> Features:
        """Return the rows of a chunk, which are kept as they are."""
        vectorizer = self.vectorizer
        rows = vectorizer.learn_rows(examples) if learn else vectorizer.rows(examples)
        return Features(_as_csr(rows))

    @property
    def text_vectorizers(self) -> list[Any]:
        """Those that make terms of texts."""
        return list(self.vectorizer.blocks)


class PlacedRow(NamedTuple):
    """The values of a row of a table, and where it stands: its number in a batch of rows."""

    values: tuple[Any, ...]
    batch: TableRows
    number: int

    def __repr__(self) -> str:
        return repr(self.values)  # of which digests are made


class RowsOfTable(OneText):
    """Rows of a mixed table; measured before they are learnt, and kept as rows of numbers."""

    kind = TableModel

    def __init__(self, choices: Choices, vectorizer: Any = None) -> None:
        super().__init__(choices, vectorizer)
        self.names: tuple[str, ...] | None = None if vectorizer is None else vectorizer.names
        self._passes: TablePasses | None = None

    def read(self, examples: Any) -> list[Any]:
        """Return the rows of a batch, with the columns of the first."""
        table = as_table(examples, self.names)
        if self.names is None:
            self.names = table.names
        return [PlacedRow(values, table, number) for number, values in enumerate(table)]

    def size(self, example: Any) -> int:
        """Return about the characters of an example."""
        return sum(len(value) if isinstance(value, str | bytes) else 8 for value in example.values)

    def choose(self, head: list[Any]) -> None:
        """Keep the first rows, by which features of texts are chosen."""
        assert self.settings.table is not None
        self._head = self._table(head)
        self._survey = KindSurvey(self._head.names, self.settings.table, counted=False)
        self._n_surveys, self._passes = 0, None
        if not self._survey.is_open:
            self._take_kinds(self._survey.look(self._head))

    def _take_kinds(self, seen: TableValues) -> None:
        """Make the columns by the kinds that all rows say."""
        assert self.settings.table is not None
        kinds, made = self._survey.decide(seen), self.settings.of_vectorizer
        self.vectorizer = TableVectorizer.of_kinds(kinds, self.settings.table, made, self._head)
        if self.text_vectorizers:
            refuse_unbounded(self.settings)
        self._passes = TablePasses(self.vectorizer)

    def _table(self, rows: Sequence[PlacedRow]) -> TableRows:
        """Return rows under the names that they were read with."""
        names = rows[0].batch.names
        columns = [list(column) for column in zip(*(row.values for row in rows), strict=True)]
        return TableRows(names, columns, lambda k: rows[k].batch.place(rows[k].number))

    @property
    def needs_counting(self) -> bool:
        """Means, deviations and categories are those of all rows."""
        return True

    @property
    def passes(self) -> list[str]:
        """What each pass measures; those behind the kinds are not known before these are."""
        measuring = [] if self._passes is None else self._passes.names
        n_surveys = self._n_surveys + (self._passes is None)
        return ["kinds of columns"] * n_surveys + measuring

    def count(self, number: int, chunks: Iterator[list[Any]]) -> None:
        """Decide the kinds of the columns; when they are known, measure what this pass can."""
        tables = (self._table(chunk) for chunk in chunks)
        if self._passes is not None:
            self._passes.run(number - self._n_surveys, tables)
            return
        seen: TableValues | None = None
        for table in tables:
            seen = self._survey.look(table, seen)
        assert seen is not None
        self._n_surveys += 1
        if not self._survey.needs_another_pass(seen):
            self._take_kinds(seen)

    def features(self, examples: list[Any], learn: bool, kept: bool, wanted: bool) -> Features:
        """Return the rows of a chunk, which are kept as they are."""
        return Features(_as_csr(self.vectorizer.rows(self._table(examples))))

    @property
    def text_vectorizers(self) -> list[Any]:
        """Those that make terms of texts."""
        return [block.vectorizer for block in self.vectorizer.blocks if block.kind == "text"]


def make_featuriser(choices: Choices, vectorizer: Any = None) -> OneText:
    """Return what makes rows of the examples that these choices are for.

    vectorizer : that of a run that goes on.
    """
    settings = choices.text
    assert settings is not None  # a stream of texts
    if settings.table is not None:
        return RowsOfTable(choices, vectorizer)
    return (OneText if settings.text_columns is None else SeveralTexts)(choices, vectorizer)


def _counts_terms(settings: TextSettings) -> bool:
    unknown = settings.hash_bits is None and settings.vocabulary is None
    return settings.idf is not None or unknown


def _as_csr(found: SparseRows) -> SparseBlock:
    return SparseBlock(found.indptr, found.indices, found.data, found.n_columns)
