"""Several columns an example, texts or those of a table: a block of features each, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.classifiers.features._protocol import Made, Pass
from hardlimit.classifiers.features.texts import TextFeatures
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.table_model import TableModel
from hardlimit.classifiers.model.text_model import ColumnsModel
from hardlimit.examples.tuples import TextTuples, read_tuples
from hardlimit.tables.block import Place
from hardlimit.tables.column_values import TableValues
from hardlimit.tables.kinds import Kinds, KindSurvey, decide_kinds
from hardlimit.tables.passes import BlockPasses
from hardlimit.tables.rows import TableRows, as_table
from hardlimit.tables.settings import TableSettings
from hardlimit.tables.texts import TextBlock
from hardlimit.tables.vectorizer import TableVectorizer
from hardlimit.text.columns import ColumnsVectorizer, check_names

if TYPE_CHECKING:
    from hardlimit.examples.of_rows import Gather
    from hardlimit.readers import Table

Columns = Sequence[Sequence[Any]]


class BlockFeatures(TextFeatures):
    """Blocks that are measured together, in as many passes as one of them needs."""

    _passes: BlockPasses | None = None
    _n_before = 0  # passes before those of the blocks

    @property
    def chosen(self) -> Mapping[str, Any]:
        """The kinds of columns of a table; words and characters each column chooses for itself."""
        found: dict[str, Any] = self.vectorizer.chosen_features
        return found

    @property
    def passes(self) -> list[Pass]:
        """What the columns need."""
        return [] if self._passes is None else list(map(Pass, self._passes.names))

    def columns(self, examples: Any) -> tuple[Columns, Place]:
        """Return the columns of examples, and what names the place of a row."""
        raise NotImplementedError

    def look(self, number: int, examples: Any, before: Any = None, part: int = 0) -> Any:
        """Look at the columns of some examples."""
        assert self._passes is not None  # they are known by now
        columns, place = self.columns(examples)
        return self._passes.look(number - self._n_before, columns, place, part, before)

    def pack(self, number: int, seen: Any) -> Any:
        """Return what was seen as it travels."""
        assert self._passes is not None
        return self._passes.pack(seen)

    def settle(self, number: int, found: Sequence[Any]) -> None:
        """Learn from what was seen of the columns."""
        assert self._passes is not None
        self._passes.settle(number - self._n_before, found)
        self.vectorizer.place_blocks()

    def make(self, examples: Any, learn: bool, kept: bool, wanted: bool) -> Made:
        """Return the rows of a chunk, which are kept as they are."""
        return Made(self.vectorizer.rows(examples))


class TextColumnFeatures(BlockFeatures):
    """The terms of texts in several columns."""

    kind: type[Model] = ColumnsModel
    names: tuple[str, ...]

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        self.names = check_names(self.settings.text_columns)

    def read(self, examples: Any) -> list[Any]:
        """Return a tuple of texts an example."""
        return list(read_tuples(examples, self.names))

    def size(self, example: Any) -> int:
        """Return the characters of an example."""
        return sum(map(len, example))

    def gather(self, X: Any, again: bool) -> TextTuples:
        """Return a tuple of texts an example that a user gave."""
        return read_tuples(X, self.names)

    def open(self, examples: Any) -> Any:
        """Choose words and characters of each column by its first texts; return all."""
        settings = self.settings.of_vectorizer
        self.vectorizer = ColumnsVectorizer.chosen(self.names, settings, examples)
        pairs = zip(self.names, self.vectorizer.blocks, strict=True)
        self._passes = BlockPasses([TextBlock(name, "refuse", one) for name, one in pairs])
        return examples

    def columns(self, examples: Any) -> tuple[Columns, Place]:
        """Return the texts of each column."""
        rows = read_tuples(examples, self.names)
        return [rows.column(k) for k in range(len(self.names))], "row {}".format

    def begin(self) -> None:
        """Begin without a pass before: the columns are all there."""
        for block in self.vectorizer.blocks:
            block.partial_fit([])
        self.vectorizer.place_blocks()

    def go_back(self, n_documents: int) -> None:
        """Go on at an earlier place: the texts behind it come again."""
        for block in self.vectorizer.blocks:
            block.set_documents(n_documents)

    def make(self, examples: Any, learn: bool, kept: bool, wanted: bool) -> Made:
        """Return the rows of a chunk, whose terms may be new."""
        vectorizer = self.vectorizer
        return Made(vectorizer.learn_rows(examples) if learn else vectorizer.rows(examples))

    @property
    def text_vectorizers(self) -> list[Any]:
        """One a column."""
        return list(self.vectorizer.blocks)


class PlacedRow(NamedTuple):
    """The values of a row of a table, and where it stands: its number in a batch of rows."""

    values: tuple[Any, ...]
    batch: TableRows
    number: int

    def __repr__(self) -> str:
        return repr(self.values)  # of which digests are made


class TableFeatures(BlockFeatures):
    """Numbers, categories and terms of the columns of a table, whose kinds all rows say.

    names : of the columns that there are; None before any row.    kinds : what they are.
    describes : whether the kinds are counted for people, also those that were named.
    """

    kind: type[Model] = TableModel
    names: tuple[str, ...] | None = None
    kinds: Kinds = ()
    describes = False
    _head: TableRows | None = None
    _survey: KindSurvey | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the first rows, by which the driver chooses."""
        return {**self.__dict__, "_head": None}

    @property
    def _table(self) -> TableSettings:
        assert self.settings.table is not None  # a table
        return self.settings.table

    def take_names(self, names: Sequence[str]) -> None:
        """Begin with the columns that there are."""
        self.names = tuple(names)
        self._survey = KindSurvey(names, self._table, counted=self.describes)
        if not self._looks:
            self._take_kinds(self._survey.look(TableRows(names, [[]] * len(names))))

    @property
    def _looks(self) -> bool:
        """Whether the values of all rows are looked at for the kinds."""
        return self._survey is not None and (self.describes or self._survey.is_open)

    def restore(self, vectorizer: TableVectorizer) -> None:
        """Take what a run before has learnt."""
        self.vectorizer, self.names = vectorizer, vectorizer.names

    def read(self, examples: Any) -> list[Any]:
        """Return the rows of a batch, with the columns of the first."""
        table = as_table(examples, self.names)
        if self.names is None:
            self.take_names(table.names)
        return [PlacedRow(values, table, number) for number, values in enumerate(table)]

    def open_table(self, table: Table) -> None:
        """Begin with the columns of the first file."""
        from hardlimit.examples.of_rows import feature_columns  # start-up: readers

        named = [name for name, kind in self._table.named.items() if kind != "drop"]
        self.take_names(feature_columns(table, named))

    @property
    def of_file(self) -> Gather:
        """What gathers the rows of a file."""
        from hardlimit.examples.of_rows import gather_columns  # start-up: readers

        return gather_columns(self.names)

    def seen(self, examples: Any) -> Any:
        """Return the columns that a model has."""
        return self.vectorizer.table(examples)

    def size(self, example: Any) -> int:
        """Return about the characters of an example."""
        return sum(len(value) if isinstance(value, str | bytes) else 8 for value in example.values)

    def gather(self, X: Any, again: bool) -> TableRows:
        """Return the rows that a user gave."""
        return as_table(X)

    def open(self, examples: Any) -> TableRows:
        """Choose by all rows, which are at hand; return them."""
        self.kinds = decide_kinds(examples, self._table, counted=False)
        self.choose(examples)
        table: TableRows = examples
        return table

    def choose(self, head: Any) -> None:
        """Choose words and characters of columns of texts by the first rows."""
        self._head = self.join(head)
        self._make_blocks()

    def join(self, rows: Any) -> TableRows:
        """Return rows as a table, under the names that they were read with."""
        if type(rows) is TableRows:
            return rows
        names = rows[0].batch.names
        columns = [list(column) for column in zip(*(row.values for row in rows), strict=True)]
        return TableRows(names, columns, lambda k: rows[k].batch.place(rows[k].number))

    @property
    def counts(self) -> bool:
        """Means, deviations and categories are those of all rows."""
        return True

    @property
    def why_counted(self) -> str:
        """Why rows are looked at before the first is learnt."""
        return "the columns of a table are measured before any row is learnt"

    @property
    def passes(self) -> list[Pass]:
        """Those for the kinds, and behind them those that they need."""
        n_before = self._n_before + (self._looks and not self.kinds)
        return [Pass("kinds of columns", of_all=True)] * n_before + super().passes

    def columns(self, examples: Any) -> tuple[Columns, Place]:
        """Return the columns of the vectorizer."""
        table = self.vectorizer.table(self.join(examples))
        return table.columns, table.place

    def look(self, number: int, examples: Any, before: Any = None, part: int = 0) -> Any:
        """Look at the values of columns, for their kinds or for their features."""
        if self.kinds:
            return super().look(number, examples, before, part)
        assert self._survey is not None
        return self._survey.look(self.join(examples), before)

    def pack(self, number: int, seen: Any) -> Any:
        """Return what was seen as it travels."""
        if self.kinds:
            return super().pack(number, seen)
        assert self._survey is not None
        return self._survey.condense(seen)

    def settle(self, number: int, found: Sequence[Any]) -> None:
        """Decide the kinds, unless another look is needed; then learn what the blocks do."""
        if self.kinds:
            super().settle(number, found)
            return
        assert self._survey is not None
        seen, self._n_before = self._survey.merged(found), self._n_before + 1
        if not self._survey.needs_another_pass(seen):
            self._take_kinds(seen)

    def _take_kinds(self, seen: TableValues) -> None:
        assert self._survey is not None
        self.kinds = self._survey.decide(seen)
        self._make_blocks()

    def _make_blocks(self) -> None:
        """Make the blocks, as soon as kinds and first rows are there."""
        if not self.kinds or self._head is None:
            return
        made = self.settings.of_vectorizer
        self.vectorizer = TableVectorizer.of_kinds(self.kinds, self._table, made, self._head)
        self._passes = BlockPasses(self.vectorizer.blocks)
        self._head = None

    def rows(self, examples: Any) -> Any:
        """Return the rows of a table."""
        return self.vectorizer.rows(self.join(examples))

    def make(self, examples: Any, learn: bool, kept: bool, wanted: bool) -> Made:
        """Return the rows of a chunk, which are kept as they are."""
        return Made(self.rows(examples))

    @property
    def text_vectorizers(self) -> list[Any]:
        """Those of columns of texts."""
        return [one for block in self.vectorizer.blocks for one in block.vectorizers]
