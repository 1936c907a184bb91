"""A column of numbers as one feature: its distance from the mean in standard deviations."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.exceptions import Given, InputError, Setting, Text
from hardlimit.tables.cells import as_number, is_missing, map_values
from hardlimit.tables.exact_sums import NumberSums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardlimit._native import TextRows
    from hardlimit.tables.block import PartOfTable

_ROUNDING = 8 * 2.220446049250313e-16
# The topics of errors on values.
MISSING, NO_NUMBER = "missing-value", "no-number"
_LARGEST = 1e150  # whose square is finite


class NumberBlock:
    """``(x - mean) / deviation``, and where a value was missing in training a column that says so.

    The mean and the deviation (of the population) are over the values that were there, from exact
    sums: the same whatever the order of the rows. A column of equal values becomes 0. A missing
    value is the mean, so 0, and 1 in the second column.
    """

    kind = "number"
    grows = False
    passes: tuple[str, ...] = ("sums", "deviations")
    vectorizers = ()

    def __init__(self, name: str, spellings: frozenset[str], missing: str) -> None:
        self.name, self.missing, self._spellings = name, missing, spellings
        # No number stands for a missing value.
        self._plain = all(math.isnan(as_number(spelling)) for spelling in spellings)
        self.mean, self.deviation, self.marked = 0.0, 1.0, False
        self.n_columns_ = 1
        self.learnt = False
        self.unknown: Counter[str] = Counter()

    def read(self, values: Sequence[Any], place: Callable[[int], str]) -> NDArray[np.float64]:
        """Return the values as numbers, NaN for those that are missing.

        Raises
        ------
        InputError
            With the row of a value that is no number, too large, or missing where that is refused.
        """
        import numpy as np

        if self._plain and set(map(type, values)) == {float}:
            numbers = np.array(values, np.float64)
        else:
            numbers = np.array(map_values(self._number, values), np.float64)
        for row in _native.find_beyond(numbers, _LARGEST):
            if not is_missing(values[row], self._spellings):
                raise self._error(values[row], numbers[row], place(row))
            if self.missing == "refuse":
                raise missing_error(self.name, values[row], place(row))
            numbers[row] = math.nan
        return numbers

    def _number(self, value: object) -> float:
        # A spelling such as -999 is a number to Python.
        if is_missing(value, self._spellings):
            return math.nan
        return as_number(value)

    def _error(self, value: object, number: float, place: str) -> InputError:
        where = f"{place}: column {self.name!r}"
        if math.isnan(number):
            fix = (
                "correct it, or say ",
                Setting("category_columns", [self.name]),
                " or, if it stands for a missing one, ",
                Setting("missing_values", [str(value)[:20]]),
            )
            return InputError(where=where, got=value, wanted="a number", fix=fix, topic=NO_NUMBER)
        return InputError(where=where, got=value, wanted=f"a number below {_LARGEST:g}")

    def learn(self, numbers: NDArray[np.float64]) -> None:
        """Take mean and deviation from the values that are there."""
        there = [value for value in numbers.tolist() if value == value]
        mean = math.fsum(there) / len(there) if there else 0.0
        low, high = min(there, default=0.0), max(there, default=0.0)
        self.take_mean(low if low == high else mean, len(there) < len(numbers))
        if there:
            apart = [value - self.mean for value in there]
            deviation = math.sqrt(math.fsum([d * d for d in apart]) / len(there))
            self.take_deviation(deviation, low, high)

    def look(
        self,
        number: int,
        numbers: NDArray[np.float64],
        part: PartOfTable,
        before: NumberSums | None,
    ) -> NumberSums:
        """Look at some rows in the pass of this number, after those ``before``."""
        seen = NumberSums() if before is None else before
        if number == 0:
            seen.add(numbers)
        else:
            seen.add_squares(numbers, self.mean)
        return seen

    def pack(self, seen: NumberSums) -> NumberSums:
        """Return what was seen as it travels."""
        return seen

    def settle(self, number: int, found: Sequence[NumberSums]) -> None:
        """Take the mean of all rows; in the second pass their deviation."""
        whole = functools.reduce(NumberSums.merge, found, NumberSums())
        if number == 0:
            self._range = whole.n, whole.low, whole.high
            self.take_mean(whole.mean, whole.missing)
            return
        n, low, high = self._range
        del self._range
        if n:
            self.take_deviation(math.sqrt(whole.squares.value / n), low, high)

    def take_mean(self, mean: float, marked: bool) -> None:
        """Take the mean, and whether a value was missing."""
        self.learnt, self.mean, self.marked = True, mean, marked
        self.n_columns_ = 2 if marked else 1

    def take_deviation(self, deviation: float, low: float, high: float) -> None:
        """Take the deviation of values from ``low`` to ``high``; that of equal ones is none."""
        still = deviation <= _ROUNDING * max(abs(low), abs(high))
        self.deviation = 1.0 if still else deviation

    def fit_compiled_rows(self, numbers: NDArray[np.float64]) -> TextRows:
        """Learn mean and deviation, and return the rows."""
        self.learn(numbers)
        return self.compiled_rows(numbers)

    def meet(self, numbers: NDArray[np.float64]) -> None:
        """Do nothing: mean and deviation stay those of the first."""

    def learn_idf(self) -> None:
        """Do nothing: numbers have no frequencies."""

    def learn_compiled_rows(self, numbers: NDArray[np.float64]) -> TextRows:
        """Return the rows; mean and deviation stay those of the first."""
        if not self.learnt:
            self.learn(numbers)
        return self.compiled_rows(numbers)

    def compiled_rows(self, numbers: NDArray[np.float64]) -> TextRows:
        """Return the rows of numbers that :meth:`read` gave."""
        # A missing value of a column that had none in training is the mean, and no more.
        return _native.standardise(numbers, self.mean, self.deviation, self.marked)

    def names(self, columns: Sequence[int]) -> list[str]:
        """Return the names of some of the columns."""
        return [self.name if column == 0 else f"{self.name} missing" for column in columns]

    def add_names(self, names: Sequence[str]) -> list[int]:
        """Return the columns of names."""
        return [0 if name == self.name else 1 for name in names]

    def column_of(self, name: str) -> str | None:
        """Return the name where it is one of this block's."""
        known = (self.name, f"{self.name} missing") if self.marked else (self.name,)
        return name if name in known else None

    def explain(self, column: int, value: object) -> str:
        """Return a value for an explanation.

        >>> block = NumberBlock("age", frozenset(), "refuse")
        >>> block.mean, block.deviation = 38.6, 13.64
        >>> block.explain(0, "55")
        'age = 55 (+1.2 sd)'
        """
        if column:
            return f"{self.name} is missing"
        number = as_number(value)
        apart = (number - self.mean) / self.deviation
        return f"{self.name} = {number:.6g} ({apart:+.1f} sd)"

    def header(self) -> dict[str, Any]:
        """Return what is known as plain JSON; numbers bit by bit."""
        return {
            "kind": self.kind,
            "mean": self.mean.hex(),
            "deviation": self.deviation.hex(),
            "marked": self.marked,
        }

    def state_tables(self) -> dict[str, Any]:
        """Return the arrays of the file: none."""
        return {}

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        """Undo :meth:`header`, of what a stranger may have written."""
        self.mean, self.deviation = map(float.fromhex, (header["mean"], header["deviation"]))
        if not (abs(self.mean) <= _LARGEST and 0 < self.deviation < math.inf):
            raise ValueError("a mean or a deviation that cannot be")
        if type(header["marked"]) is not bool or arrays:
            raise ValueError("a column of numbers that contradicts itself")
        self.marked, self.learnt = header["marked"], True
        self.n_columns_ = 2 if self.marked else 1


def missing_error(name: str, value: object, place: str) -> InputError:
    """Build the error for a missing value where that is refused."""
    empty = value is None or (isinstance(value, str) and not value.strip())
    return InputError(
        "the value is missing",
        where=f"{place}: column {name!r}",
        got=Given("nothing") if empty else value,
        fix=(
            "fill it in, or say ",
            Setting("missing", "mean"),
            " (numbers: the mean of training; categories: a value of its own)",
        ),
        topic=MISSING,
    )


def of_prediction(error: InputError) -> InputError:
    """Return an error on a value without what only training can be told."""
    if error.topic == MISSING:
        fix: Text = (
            "fill it in; a model that was trained with ",
            Setting("missing", "mean"),
            " takes missing values",
        )
        return error.replaced(fix=fix)
    if error.topic == NO_NUMBER:
        return error.replaced(fix="correct it: the model has learnt numbers there")
    return error
