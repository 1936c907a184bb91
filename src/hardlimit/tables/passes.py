"""A table that does not fit into memory, measured by passes over its rows.

What is learnt is equal to what ``TableVectorizer.fit_rows`` learns of all rows at once. The first
pass sums numbers up and gathers categories, the second sums up the squares of the distances from
the means; in each, and in more passes where there are more, one column of texts is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.streaming.counting import fit_bounded
from hardlimit.tables.exact_sums import ExactSum
from hardlimit.tables.rows import TableRows
from hardlimit.tables.vectorizer import TableVectorizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Values of a column of categories, which are all kept.
MOST_CATEGORIES = 1 << 20


class NumberSums:
    """The sums of a column of numbers."""

    def __init__(self, block: Any) -> None:
        self.block = block
        self.total, self.squares = ExactSum(), ExactSum()
        self.n, self.missing = 0, False
        self.low, self.high = math.inf, -math.inf

    def add(self, numbers: NDArray[Any]) -> None:
        """Look at some values for the mean; NaN is missing."""
        there = numbers[numbers == numbers]
        self.missing |= len(there) < len(numbers)
        if len(there):
            self.total.add(there)
            self.n += len(there)
            self.low = min(self.low, float(there.min()))
            self.high = max(self.high, float(there.max()))

    def merge(self, other: NumberSums) -> None:
        """Add what was seen of other values."""
        self.total.merge(other.total)
        self.squares.merge(other.squares)
        self.n, self.missing = self.n + other.n, self.missing or other.missing
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def take_mean(self) -> None:
        """Tell the column its mean."""
        mean = self.total.value / self.n if self.n else 0.0
        self.block.take_mean(self.low if self.low == self.high else mean, self.missing)

    def add_squares(self, numbers: NDArray[Any]) -> None:
        """Look at some values for the deviation."""
        apart = numbers[numbers == numbers] - self.block.mean
        self.squares.add(apart * apart)

    def take_deviation(self) -> None:
        """Tell the column its deviation."""
        if self.n:
            deviation = math.sqrt(self.squares.value / self.n)
            self.block.take_deviation(deviation, self.low, self.high)


class TablePasses:
    """Fits a vectorizer of tables pass by pass.

    >>> from hardlimit.tables import TableSettings, decide_kinds
    >>> from hardlimit.tables.rows import as_table
    >>> rows = as_table([{"age": 41, "city": "Ghent"}, {"age": 23, "city": "Rome"}])
    >>> kinds = decide_kinds(rows, TableSettings())
    >>> vectorizer = TableVectorizer.of_kinds(kinds, TableSettings(), {}, rows)
    >>> passes = TablePasses(vectorizer)
    >>> for number, _ in enumerate(passes.names):
    ...     passes.run(number, iter([rows[:1], rows[1:]]))
    >>> vectorizer.blocks[0].mean, vectorizer.terms([0, 1, 2])
    (32.0, ['age', 'city = Ghent', 'city = Rome'])
    """

    def __init__(self, vectorizer: TableVectorizer) -> None:
        self.vectorizer = vectorizer
        blocks = vectorizer.blocks
        self._numbers = {k: NumberSums(b) for k, b in enumerate(blocks) if b.kind == "number"}
        self._categories = [k for k, b in enumerate(blocks) if b.kind == "category"]
        self._texts = [k for k, block in enumerate(blocks) if block.kind == "text"]

    @property
    def names(self) -> list[str]:
        """What each pass is for."""
        found = ["sums and categories"]
        found += ["deviations"] if self._numbers else []
        found += [""] * (len(self._texts) - len(found))
        for number, k in enumerate(self._texts):
            named = f"terms of {self.vectorizer.names[k]!r}"
            found[number] = f"{found[number]}, {named}" if found[number] else named
        return found

    def run(self, number: int, tables: Iterator[TableRows]) -> None:
        """Go through all rows once."""
        seen = self._look(number, tables)
        if number < len(self._texts):
            k = self._texts[number]
            block = self.vectorizer.blocks[k]
            fit_bounded(block.vectorizer, _texts(block, k, seen))
        else:
            for _ in seen:
                pass
        self._finish(number)

    def _look(self, number: int, tables: Iterable[TableRows]) -> Iterator[TableRows]:
        """Hand on the rows that were measured."""
        for given in tables:
            table = self.vectorizer.table(given)
            if number == 0:
                self._measure(table)
            elif number == 1:
                for k, sums in self._numbers.items():
                    sums.add_squares(sums.block.read(table.columns[k], table.place))
            yield table

    def _measure(self, table: TableRows) -> None:
        for k, sums in self._numbers.items():
            sums.add(sums.block.read(table.columns[k], table.place))
        for k in self._categories:
            block = self.vectorizer.blocks[k]
            block.meet(block.read(table.columns[k], table.place))
            if len(block.values) > MOST_CATEGORIES:
                raise InputError(
                    "every value of a category has a column of its own",
                    where=f"column {block.name!r}",
                    got=Given(f"more than {plural(MOST_CATEGORIES, 'value')}"),
                    fix=("use ", Setting("hash_categories", 18), " or leave the column out"),
                )

    def _finish(self, number: int) -> None:
        for sums in self._numbers.values():
            if number == 0:
                sums.take_mean()
            elif number == 1:
                sums.take_deviation()
        if number == len(self.names) - 1:
            self.vectorizer.place_blocks()


def _texts(block: Any, k: int, tables: Iterable[TableRows]) -> Iterator[Any]:
    for table in tables:
        yield from block.read(table.columns[k], table.place)
