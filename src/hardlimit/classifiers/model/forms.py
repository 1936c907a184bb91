"""What an example of a model is: one text, texts in columns, the row of a table, or numbers.

A fitted model, an answer from a file and the base of a live model have one of these as ``form``,
and whoever has examples before them lets it do the work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hardlimit.classifiers.model.ask import (
    NUMBERS,
    POINTS,
    TABLE,
    TEXT,
    TEXTS,
)

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation
    from hardlimit.examples.of_rows import Gathered
    from hardlimit.readers import Table

T = TypeVar("T")


class ByForm(Generic[T]):
    """Work on examples that differs by their form: a method for each.

    Where nothing else is said, several columns are worked on as one text.
    """

    def numbers(self) -> T:
        """Work on rows of numbers."""
        raise NotImplementedError

    def one_text(self) -> T:
        """Work on texts, one an example."""
        raise NotImplementedError

    def text_columns(self) -> T:
        """Work on texts in several columns."""
        return self.one_text()

    def table(self) -> T:
        """Work on rows of a mixed table."""
        return self.text_columns()


def decode(text: Any) -> str:
    """Return a text that may have come as bytes, or the value of a cell, as a text.

    >>> decode(b"a prize"), decode(41)
    ('a prize', '41')
    """
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


class NumbersForm:
    """A row of numbers.

    features : what an example is, as the table of conflicts calls it.
    examples : what people call them.
    columns : the names of those that an example has.
    cells, columns_named : what stands in these, and as many as a sentence names; None: all.
    kinds : of the columns of a table, by name.
    noun : what an example is called beside figures.
    part : what adds to a score.
    counted : the columns of an answer that say how many of its terms the model knows.
    remembers : whether making rows leaves something behind, so that each thread needs a model.
    """

    features, examples = NUMBERS, "numbers"
    columns: tuple[str, ...] = ()
    noun = "row"
    part = "column"
    counted: tuple[str, ...] = ()
    kinds: Mapping[str, str] = {}
    remembers = False
    cells: str = ""
    columns_named: int | None = None

    def do(self, work: ByForm[T]) -> T:
        """Let ``work`` do what it does with examples of this form."""
        return work.numbers()

    def texts_of(self, example: Any) -> dict[str, str]:
        """Return the texts in an example by their columns; under "" that of one text."""
        return {}

    def gathering(self) -> Callable[[Table], Gathered]:
        """Return what begins to gather rows of a table of texts or of several kinds."""
        raise TypeError("rows of numbers are read whole")

    def check_columns(self, table: Table) -> None:
        """Refuse a table without rows whose only line was taken for the names of its columns."""

    def known(self, model: Any, examples: Any) -> Sequence[int | None]:
        """Return how many features of each example training saw: of numbers nothing is counted."""
        return [None] * len(examples)

    def is_default(self, known: int | None) -> bool:
        """Whether an answer is the default, of an example of which the model knows nothing."""
        return known == 0

    def unknown(self, model: Any) -> Mapping[str, Mapping[str, int]]:
        """Return the values of the last examples that training did not see, by column."""
        return {}

    def renamed(self, explanation: Explanation, names: Mapping[str, str]) -> Explanation:
        """Return an explanation with the names that the file of the training gives to columns."""
        from hardlimit.classifiers.model.explanation import rename_columns  # start-up

        return rename_columns(explanation, names)

    def share(self, explanation: Explanation, texts: Mapping[str, str], top: int) -> Explanation:
        """Give what fragments of words in an example add to the words they stand in."""
        from hardlimit.classifiers.model.explanation import share_among_words  # start-up

        return share_among_words(explanation, texts.get("", ""), top)

    def weigh_words(
        self, explanation: Explanation, texts: Mapping[str, str]
    ) -> dict[str, dict[str, float]]:
        """Return what each word of each text in an example adds, by their columns."""
        from hardlimit.classifiers.model.explanation import weigh_words  # start-up

        return {name: weigh_words(explanation, text) for name, text in texts.items()}


class PointsForm(NumbersForm):
    """A row of numbers that a kernel compares."""

    features = POINTS


class OneTextForm(NumbersForm):
    """One text."""

    features, examples = TEXT, "texts"
    noun = "text"
    part = "term"
    counted = ("known_features",)

    def do(self, work: ByForm[T]) -> T:
        """Let ``work`` do what it does with texts."""
        return work.one_text()

    def texts_of(self, example: Any) -> dict[str, str]:
        """Return the text, decoded."""
        return {"": decode(example)}

    def renamed(self, explanation: Explanation, names: Mapping[str, str]) -> Explanation:
        """Return it as it is: terms of texts have names of their own."""
        return explanation

    def gathering(self) -> Callable[[Table], Gathered]:
        """Return what begins to gather texts."""
        from hardlimit.examples.of_rows import gather_texts  # start-up: few texts come in rows

        return gather_texts()

    def known(self, model: Any, examples: Any) -> Sequence[int | None]:
        """Count the distinct terms of each text that are in the vocabulary."""
        # A row of the matrix has as many entries as the text has known terms.
        ends = model.vectorizer.rows(examples).indptr.tolist()
        return [end - begin for begin, end in pairwise(ends)]


class TextColumnsForm(OneTextForm):
    """Texts in several columns."""

    features = TEXTS
    noun = "row"
    cells = "texts"

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns

    def do(self, work: ByForm[T]) -> T:
        """Let ``work`` do what it does with texts in columns."""
        return work.text_columns()

    def texts_of(self, example: Any) -> dict[str, str]:
        """Return the text of each column."""
        return {name: decode(text) for name, text in zip(self.columns, example, strict=True)}

    def gathering(self) -> Callable[[Table], Gathered]:
        """Return what begins to gather tuples of texts."""
        from hardlimit.examples.of_rows import gather_texts  # start-up, as of one text

        return gather_texts(self.columns)

    def share(self, explanation: Explanation, texts: Mapping[str, str], top: int) -> Explanation:
        """Give what fragments add to the words of their column."""
        from hardlimit.classifiers.model.explanation import share_among_columns  # start-up

        return share_among_columns(explanation, texts, top)

    def weigh_words(
        self, explanation: Explanation, texts: Mapping[str, str]
    ) -> dict[str, dict[str, float]]:
        """Return what each word of each column adds."""
        from hardlimit.classifiers.model.explanation import weigh_words_of_columns  # start-up

        return weigh_words_of_columns(explanation, texts)


class TableForm(TextColumnsForm):
    """A row of a table of numbers, categories and texts."""

    features, examples = TABLE, "mixed tables"
    cells, columns_named = "values", 12
    remembers = True

    def __init__(self, kinds: Mapping[str, str]) -> None:
        super().__init__(tuple(kinds))
        self.kinds = kinds

    def do(self, work: ByForm[T]) -> T:
        """Let ``work`` do what it does with a table."""
        return work.table()

    def texts_of(self, example: Any) -> dict[str, str]:
        """Return the values of the columns of texts."""
        found = super().texts_of(example)
        return {name: text for name, text in found.items() if self.kinds[name] == "text"}

    def gathering(self) -> Callable[[Table], Gathered]:
        """Return what begins to gather the columns of a table."""
        from hardlimit.examples.of_rows import gather_columns  # start-up, as of one text

        return gather_columns(self.columns)

    def check_columns(self, table: Table) -> None:
        """Refuse a table whose only line names others than the columns of the model."""
        from hardlimit.examples.of_rows import locate  # start-up, as of one text

        if table.columns:
            locate(table, self.columns)

    def is_default(self, known: int | None) -> bool:
        """Return False: of a row of several columns the unknown values are told one by one."""
        return False

    def unknown(self, model: Any) -> Mapping[str, Mapping[str, int]]:
        """Return the categories of the last rows that training did not see, by column."""
        found: Mapping[str, Mapping[str, int]] = model.vectorizer.unknown_
        return found


ROW_OF_NUMBERS, POINTS_OF_KERNEL, ONE_TEXT = NumbersForm(), PointsForm(), OneTextForm()
