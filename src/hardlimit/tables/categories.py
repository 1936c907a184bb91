"""A column of categories as one feature a value."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.tables.cells import is_missing, map_values, spell_category
from hardlimit.tables.numbers import missing_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardlimit._native import TextRows
    from hardlimit.tables.block import PartOfTable

# Values of a column that are all kept, where not all rows are in memory.
MOST_CATEGORIES = 1 << 20
# Stands for a value that is no category; a text that no value has, since they are stripped.
_NONE = " "


class CategoryBlock:
    """1 in the column of the value, 0 in all others; one column for what is missing.

    A value that training did not see is 0 in all of them, and is counted. With ``bits`` the
    columns are ``2**bits``, and a hash of the value says which.
    """

    kind = "category"
    passes: tuple[str, ...] = ("categories",)
    vectorizers = ()

    def __init__(
        self, name: str, spellings: frozenset[str], missing: str, bits: int | None = None
    ) -> None:
        self.name, self.missing, self.bits, self._spellings = name, missing, bits, spellings
        self.values: dict[str | None, int] = {}
        self._listed: list[str | None] = []
        self.unknown: Counter[str] = Counter()

    @property
    def grows(self) -> bool:
        """Whether a value that training did not see can get a column of its own."""
        return self.bits is None

    @property
    def n_columns_(self) -> int:
        """Values, or columns of the hash."""
        return len(self.values) if self.bits is None else 1 << self.bits

    def read(self, values: Sequence[Any], place: Callable[[int], str]) -> list[str | None]:
        """Return the spelling of each value, None of those that are missing."""
        found = map_values(self._spell, values)
        if self.missing == "refuse" and None in found:
            row = found.index(None)
            raise missing_error(self.name, values[row], place(row))
        if _NONE in found:
            row = found.index(_NONE)
            raise InputError(
                where=f"{place(row)}: column {self.name!r}",
                got=Given(f"a value of type {type(values[row]).__name__}"),
                wanted="a category: a text, a number or a truth value",
                fix=("turn it into a text, or say ", Setting("drop_columns", [self.name])),
            )
        return found

    def _spell(self, value: object) -> str | None:
        if is_missing(value, self._spellings):
            return None
        spelled = spell_category(value)
        return _NONE if spelled is None else spelled

    def fit_compiled_rows(self, found: list[str | None]) -> TextRows:
        """Learn the values, and return the rows."""
        self.values, self._listed = {}, []
        return self.learn_compiled_rows(found)

    def learn_compiled_rows(self, found: list[str | None]) -> TextRows:
        """Learn more values, which get columns behind the others, and return the rows."""
        self.meet(found)
        return self.compiled_rows(found)

    def meet(self, found: list[str | None]) -> None:
        """Learn more values."""
        if self.bits is None:
            for value in dict.fromkeys(found):
                self.values.setdefault(value, len(self.values))

    def learn_idf(self) -> None:
        """Do nothing: values weigh alike."""

    def look(
        self,
        number: int,
        found: list[str | None],
        part: PartOfTable,
        before: dict[str | None, None] | None,
    ) -> dict[str | None, None]:
        """Return the different values of some rows and of those ``before``, by their first."""
        if self.bits is not None:
            return {}
        seen = dict.fromkeys(found)
        if before is None:
            return seen
        before |= seen
        if len(before) > MOST_CATEGORIES:
            raise InputError(
                "every value of a category has a column of its own",
                where=f"column {self.name!r}",
                got=Given(f"more than {plural(MOST_CATEGORIES, 'value')}"),
                fix=("use ", Setting("hash_categories", 18), " or leave the column out"),
            )
        return before

    def pack(self, seen: dict[str | None, None]) -> dict[str | None, None]:
        """Return what was seen as it travels."""
        return seen

    def settle(self, number: int, found: Sequence[dict[str | None, None]]) -> None:
        """Learn the values of all rows."""
        self.values, self._listed = {}, []
        for seen in found:
            self.meet(list(seen))

    def compiled_rows(self, found: list[str | None]) -> TextRows:
        """Return the rows of values that :meth:`read` gave."""
        if self.bits is not None:
            return _native.indicate(self._hashed(found), self.n_columns_)
        columns = list(map(self.values.get, found, itertools.repeat(-1)))
        if self.unknown or -1 in columns:
            self.unknown = Counter(
                "a missing value" if value is None else value
                for value, column in zip(found, columns, strict=True)
                if column < 0
            )
        return _native.indicate(columns, self.n_columns_)

    def _hashed(self, found: list[str | None]) -> list[int]:
        return map_values(self._hash, found)

    def _hash(self, value: str | None) -> int:
        """The first bits of BLAKE2b of the value; a missing one has a text that no value has."""
        text = b"\xff" if value is None else value.encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(text, digest_size=8).digest()
        return int.from_bytes(digest, "big") >> (64 - (self.bits or 0))

    def names(self, columns: Sequence[int]) -> list[str]:
        """Return the names of some of the columns; empty where they are hashed."""
        if self.bits is not None:
            return [""] * len(columns)
        listed = self._listed
        if len(listed) != len(self.values):  # kept: a correction asks for one name at a time
            listed = self._listed = list(self.values)
        return [self._name(listed[column]) for column in columns]

    def _name(self, value: str | None) -> str:
        return f"{self.name} missing" if value is None else f"{self.name} = {value}"

    def new_names(self, values: Sequence[Any]) -> list[str | None]:
        """Return the name of each value that has no column; None of the others."""
        found = map(self._spell, values)
        return [None if one in self.values else self._name(one) for one in found]

    def column_of(self, name: str) -> str | None:
        """Return the name where it is one that this block can have."""
        begins = name.startswith(f"{self.name} = ") and len(name) > len(self.name) + 3
        return name if begins or name == f"{self.name} missing" else None

    def add_names(self, names: Sequence[str]) -> list[int]:
        """Make values known by their names; return their columns."""
        values = [
            None if name == f"{self.name} missing" else name.removeprefix(f"{self.name} = ")
            for name in names
        ]
        if self.bits is not None:
            return [self._hash(value) for value in values]
        return [self.values.setdefault(value, len(self.values)) for value in values]

    def explain(self, column: int, value: object) -> str:
        """Return a value for an explanation."""
        if is_missing(value, self._spellings):
            return f"{self.name} is missing"
        return f"{self.name} = {spell_category(value)}"

    def header(self) -> dict[str, Any]:
        """Return what is known as plain JSON."""
        missing = self.values.get(None)
        return {"kind": self.kind, "bits": self.bits, "missing": missing}

    def state_tables(self) -> dict[str, NDArray[Any]]:
        """Return the values as UTF-8, one behind the other, and their ends."""
        import numpy as np

        texts = [(value or "").encode("utf-8", "surrogatepass") for value in self.values]
        ends = np.array(list(itertools.accumulate(map(len, texts))), np.int64)
        return {"categories": np.frombuffer(b"".join(texts), np.uint8), "category_ends": ends}

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        """Undo :meth:`header` and :meth:`state_tables`, of what a stranger may have written."""
        self.bits = header["bits"]
        if self.bits is not None and (type(self.bits) is not int or not 1 <= self.bits <= 24):
            raise ValueError("bits of a hash that cannot be")
        ends, text = [0, *arrays["category_ends"].tolist()], bytes(arrays["categories"])
        if any(a > b for a, b in itertools.pairwise(ends)) or ends[-1] != len(text):
            raise ValueError("values of a category that contradict their ends")
        found: list[str | None] = [
            text[a:b].decode("utf-8", "surrogatepass") for a, b in itertools.pairwise(ends)
        ]
        missing = header["missing"]
        if missing is not None:
            if type(missing) is not int or not 0 <= missing < len(found) or found[missing]:
                raise ValueError("a missing value that is none")
            found[missing] = None
        self.values, self._listed = {value: place for place, value in enumerate(found)}, []
        if len(self.values) != len(found) or (self.bits is not None and found):
            raise ValueError("a value of a category that is there twice")
