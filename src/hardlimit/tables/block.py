"""What the features of every column have, whatever its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from hardlimit._native import TextRows
    from hardlimit.text.vectorizer import TextVectorizer

Place = Callable[[int], str]
# What a block makes of the values of a column, and what it has seen of them in one pass.
Values = TypeVar("Values")
Seen = TypeVar("Seen")


class PartOfTable(NamedTuple):
    """Which of the parts that are looked at apart, and how many columns are looked at together."""

    number: int
    n_columns: int


class ColumnBlock(Protocol[Values, Seen]):
    """The features of one column.

    kind : the name of its kind, in model files.    passes : what is looked at in one pass over all
    rows after the other.    unknown : values of the last rows that training did not see.
    vectorizers : what makes its terms, of a column of texts.
    """

    kind: str
    name: str
    passes: tuple[str, ...]
    unknown: Counter[str]

    @property
    def grows(self) -> bool:
        """Whether a value that training did not see can get a column of its own."""

    @property
    def n_columns_(self) -> int:
        """How many features there are."""

    @property
    def vectorizers(self) -> tuple[TextVectorizer, ...]:
        """What makes its terms, of a column of texts."""

    def read(self, values: Sequence[Any], place: Place) -> Values:
        """Return values as the other methods take them; a bad one is refused with its place."""

    def look(self, number: int, values: Values, part: PartOfTable, before: Seen | None) -> Seen:
        """Look at some rows in the pass of this number, after those ``before``."""

    def pack(self, seen: Seen) -> Any:
        """Return what was seen as it travels."""

    def settle(self, number: int, found: Sequence[Any]) -> None:
        """Learn from what all parts say, in their order."""

    def fit_compiled_rows(self, values: Values, /) -> TextRows:
        """Learn the values anew, and return the rows."""

    def learn_compiled_rows(self, values: Values, /) -> TextRows:
        """Learn more values, and return the rows."""

    def compiled_rows(self, values: Values, /) -> TextRows:
        """Return the rows of values."""

    def meet(self, values: Values, /) -> None:
        """Learn some of many values; `learn_idf` behind the last gives them columns."""

    def learn_idf(self) -> None:
        """Give terms that were met their idf."""

    def names(self, columns: Any) -> list[str]:
        """Return the names of some of the features."""

    def column_of(self, name: str) -> str | None:
        """Return the name of a feature where it is one that this block can have."""

    def add_names(self, names: Sequence[str]) -> list[int]:
        """Make features known by their names; return their columns."""

    def header(self) -> dict[str, Any]:
        """Return what is known as plain JSON."""

    def state_tables(self) -> dict[str, Any]:
        """Return what is known as arrays."""


AnyBlock = ColumnBlock[Any, Any]
