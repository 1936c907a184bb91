"""A column of texts as the terms of a vectorizer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.streaming.terms import (
    BUDGET,
    LEAST_BUDGET,
    TermCounter,
    TermCounts,
    fit_terms,
    make_counter,
)
from hardlimit.tables.cells import is_missing
from hardlimit.tables.numbers import missing_error
from hardlimit.text.vectorizer import TextVectorizer

if TYPE_CHECKING:
    from hardlimit._native import TextRows
    from hardlimit.tables.block import PartOfTable, Place


class TextBlock:
    """The terms of a column of texts, by a :class:`TextVectorizer`."""

    kind = "text"
    grows = False  # by words: corrections add none
    passes: tuple[str, ...] = ("terms",)

    def __init__(self, name: str, missing: str, vectorizer: TextVectorizer) -> None:
        self.name, self.missing, self.vectorizer = name, missing, vectorizer
        self.vectorizers = (vectorizer,)
        self.unknown: Counter[str] = Counter()  # none is told of texts

    @property
    def n_columns_(self) -> int:
        """Terms, or columns of the hash."""
        return self.vectorizer.n_columns_

    def read(self, values: Sequence[Any], place: Place) -> list[str | bytes]:
        """Return the texts; of a missing one the empty text."""
        return [
            value if isinstance(value, str | bytes) else self._empty(value, row, place)
            for row, value in enumerate(values)
        ]

    def _empty(self, value: object, row: int, place: Place) -> str:
        if not is_missing(value, frozenset()):
            raise KindError(
                where=f"{place(row)}: column {self.name!r}",
                got=Given(f"a value of type {type(value).__name__}"),
                wanted="a text",
            )
        if self.missing == "refuse":
            raise missing_error(self.name, value, place(row))
        return ""

    def look(
        self, number: int, texts: list[str | bytes], part: PartOfTable, before: TermCounter | None
    ) -> TermCounter:
        """Count the terms of some rows, after those ``before``."""
        counter = before
        if counter is None:
            budget = max(LEAST_BUDGET, BUDGET // part.n_columns)
            counter = make_counter(self.vectorizer, part.number, budget=budget)
        counter.add(texts)
        return counter

    def pack(self, seen: TermCounter) -> TermCounts:
        """Return what was counted as it travels."""
        return seen.packed()

    def settle(self, number: int, found: Sequence[TermCounts]) -> None:
        """Learn the terms of all rows."""
        try:
            fit_terms(self.vectorizer, found)
        except InputError as error:  # of limits that leave this column no term
            raise error.replaced(where=f"column {self.name!r}") from None

    def fit_compiled_rows(self, texts: list[str | bytes]) -> TextRows:
        """Learn the terms anew, and return the rows."""
        return self.vectorizer.fit_compiled_rows(texts)

    def meet(self, texts: list[str | bytes]) -> None:
        """Learn the terms of some of many rows."""
        self.vectorizer.meet(texts)

    def learn_idf(self) -> None:
        """Give terms that were met their idf."""
        self.vectorizer.learn_idf()

    def learn_compiled_rows(self, texts: list[str | bytes]) -> TextRows:
        """Learn more texts, and return the rows."""
        return self.vectorizer.learn_compiled_rows(texts)

    def compiled_rows(self, texts: list[str | bytes]) -> TextRows:
        """Return the rows of texts that :meth:`read` gave."""
        return self.vectorizer.compiled_rows(texts)

    def names(self, columns: Any) -> list[str]:
        """Return the names of some of the columns."""
        return [f"{self.name}: {term}" if term else "" for term in self.vectorizer.terms(columns)]

    def column_of(self, name: str) -> str | None:
        """Return the term of a name that this block can have."""
        begin = f"{self.name}: "
        return name if name.startswith(begin) and len(name) > len(begin) else None

    def add_names(self, names: Sequence[str]) -> list[int]:
        """Make terms known; return their columns."""
        return self.vectorizer.add_terms([name.removeprefix(f"{self.name}: ") for name in names])

    def header(self) -> dict[str, Any]:
        """Return settings and counts as plain JSON."""
        return {"kind": self.kind, **self.vectorizer.header()}

    def state_tables(self) -> dict[str, Any]:
        """Return everything learnt, as arrays."""
        return self.vectorizer.state_tables()
