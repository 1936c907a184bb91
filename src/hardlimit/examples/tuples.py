"""Examples that are several texts each, and the border for what users hand in as such."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hardlimit.examples.texts import Text, refuse_others, spell
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import iterate
from hardlimit.foundation.tables import column_names, list_names, values_of_column

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array

TextTuple: TypeAlias = "tuple[Text, ...]"


class TextTuples(list[TextTuple]):
    """A tuple of texts an example, in the order of ``names``."""

    noun: ClassVar[str] = "row"

    def __init__(self, examples: Iterable[TextTuple], names: Sequence[str]) -> None:
        super().__init__(examples)
        self.names = names

    def column(self, place: int) -> list[Text]:
        """Return the texts of a column."""
        return [example[place] for example in self]

    def example(self, row: int) -> TextTuple:
        """Return the texts of one example."""
        return self[row]

    def take(self, rows: Sequence[int] | Array) -> TextTuples:
        """Return some of the examples, in this order."""
        return TextTuples([self[row] for row in rows], self.names)

    def part(self, begin: int, end: int) -> TextTuples:
        """Return the examples from ``begin`` to ``end - 1``."""
        return TextTuples(self[begin:end], self.names)

    def keys(self) -> list[str]:
        """Return the texts of each example as one, of which each has its length before it."""
        return [key_of(map(spell, example)) for example in self]

    def hold_out_keys(self) -> list[str]:
        """Return the texts of each example as one."""
        return ["\x1f".join(map(str, example)) for example in self]

    def count_repeats(self) -> int:
        """Return how many are equal to an earlier one."""
        return len(self) - len(set(self))

    def size(self) -> int:
        """Return the characters of all texts."""
        return sum(map(len, itertools.chain.from_iterable(self)))

    def place(self, row: int) -> str:
        """Return the number of an example."""
        return f"row {row}"

    @staticmethod
    def joined(parts: Sequence[TextTuples]) -> TextTuples:
        """Return the examples of all parts."""
        return TextTuples(itertools.chain.from_iterable(parts), parts[0].names)


def key_of(values: Iterable[str]) -> str:
    """Return one text for several; no others have the same.

    >>> key_of(["hi", "lunch?"])
    '2:hi6:lunch?'
    """
    return "".join([f"{len(value)}:{value}" for value in values])


def read_tuples(texts: object, names: Sequence[str]) -> TextTuples:
    """Return a tuple of texts an example, in the order of ``names``.

    Parameters
    ----------
    texts
        A table that has these columns, a dict of columns, or a list of tuples (in the order of the
        names) or of dicts.

    Raises
    ------
    KindError, InputError
        A column that is not there, an example of other than one text a column, and what is no text.

    Examples
    --------
    >>> read_tuples([{"subject": "hi", "body": "lunch?"}, ("re: hi", "yes")], ("subject", "body"))
    [('hi', 'lunch?'), ('re: hi', 'yes')]
    """
    if type(texts) is TextTuples and texts.names == names:
        return texts
    found = None
    if type(texts) is not list:  # as most are, and a row of a stream costs microseconds
        found = list(texts) if isinstance(texts, Mapping) else column_names(texts)
    if found is not None:
        missing = [name for name in names if name not in found]
        if missing:
            raise InputError(
                parameter="texts",
                got=Given(f"a table without the column {list_names(missing)}"),
                wanted=f"the columns {list_names(names)}",
            )
        read = texts.__getitem__ if isinstance(texts, Mapping) else partial(values_of_column, texts)
        columns = [list(read(name)) for name in names]
        lengths = {len(column) for column in columns}
        if len(lengths) > 1:
            raise InputError(parameter="texts", got=Given("columns of different lengths"))
        examples = TextTuples(zip(*columns, strict=True), names)
    else:
        if isinstance(texts, str | bytes):
            raise KindError(parameter="texts", got=Given("one text"), wanted=_wanted(names))
        items = enumerate(iterate(texts, "texts"))
        examples = TextTuples((_one(item, names, place) for place, item in items), names)
    if not set(map(type, itertools.chain.from_iterable(examples))) <= {str, bytes}:
        for place in range(len(names)):
            refuse_others(examples.column(place))
    return examples


def _one(item: object, names: Sequence[str], place: int) -> TextTuple:
    if type(item) is tuple and len(item) == len(names):
        return item
    if isinstance(item, Mapping) and all(name in item for name in names):
        return tuple(item[name] for name in names)
    if isinstance(item, tuple | list) and len(item) == len(names):
        return tuple(item)
    got = f"a value of type {type(item).__name__}"
    if isinstance(item, Mapping):
        got = f"a dict without {list_names([name for name in names if name not in item])}"
    elif isinstance(item, tuple | list):
        got = f"a {type(item).__name__} of {plural(len(item), 'value')}"
    raise KindError(parameter=f"texts[{place}]", got=Given(got), wanted=_wanted(names))


def _wanted(names: Sequence[str]) -> str:
    return f"{plural(len(names), 'text')}, for {list_names(names)}"
