"""The features of a table: a block for each column, side by side."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import InputError
from hardlimit.tables.column_kinds import COLUMN_KINDS
from hardlimit.tables.kinds import Kinds
from hardlimit.tables.numbers import of_prediction
from hardlimit.tables.rows import TableRows, as_table
from hardlimit.tables.settings import TableSettings, check_settings
from hardlimit.text.columns import ColumnsVectorizer

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TableVectorizer(ColumnsVectorizer):
    """One block of features for each column of a table: see :mod:`hardlimit.tables`.

    A row of k numbers, c categories and t texts is divided by ``sqrt(k a^2 + c b^2 + t d^2)``, with
    ``column_weights`` (a, b, d), so that its length is about 1: a standardised number has the mean
    square 1, a category and a text the length 1.
    """

    WHOLE = (".places", ".categories", ".category_ends")
    blocks: list[Any]

    def __init__(
        self, names: Sequence[str], blocks: Sequence[Any], settings: TableSettings
    ) -> None:
        self.settings = settings
        super().__init__(names, blocks)
        own = dict(zip(("number", "category", "text"), settings.column_weights, strict=True))
        weights = [own[block.kind] for block in self.blocks]
        length = math.sqrt(math.fsum(weight * weight for weight in weights))
        self._scales = [weight / length for weight in weights]
        self._texts = [one for block in self.blocks for one in block.vectorizers]

    @classmethod
    def of_kinds(
        cls,
        kinds: Kinds,
        settings: TableSettings,
        text_settings: Mapping[str, Any],
        rows: TableRows,
    ) -> TableVectorizer:
        """Make a block for each column that counts."""
        settings = explicit(settings, kinds)
        used = [column for column in kinds if column.kind.has_features]
        blocks = [
            one.kind.make(one.name, settings, text_settings, rows.column(one.name)) for one in used
        ]
        return cls([column.name for column in used], blocks, settings)

    @property
    def growing(self) -> list[tuple[int, Any, float]]:
        """The places of blocks that get columns for values without a fit, the blocks, the scales.

        >>> TableVectorizer((), (), TableSettings()).growing
        []
        """
        triples = zip(itertools.count(), self.blocks, self._scales, strict=False)
        return [one for one in triples if one[1].grows]

    @property
    def scales(self) -> list[float]:
        """What the values of each block are multiplied with."""
        return self._scales

    @property
    def hash_bits(self) -> int | None:
        """None: new categories and terms get columns of their own."""
        return None

    @property
    def norm(self) -> str | None:
        """How the rows are scaled: to a mean square length of 1."""
        return "l2"

    @property
    def n_replaced_(self) -> int:
        """Bytes that were no UTF-8, in the last texts."""
        return sum(vectorizer.n_replaced_ for vectorizer in self._texts)

    @property
    def reading(self) -> Any:
        """Taken by whoever asks for several things of one moment; of the first texts."""
        import contextlib

        return self._texts[0].reading if self._texts else contextlib.nullcontext()

    @property
    def unknown_(self) -> dict[str, Counter[str]]:
        """Of the last rows: the categories of each column that training did not see."""
        return {block.name: block.unknown for block in self.blocks if block.unknown}

    @property
    def chosen_features(self) -> dict[str, Any]:
        """The settings that were left to the values: the kind of each column."""
        return {
            f"{kind}_columns": getattr(self.settings, f"{kind}_columns") for kind in COLUMN_KINDS
        }

    def refresh_idf(self) -> TableVectorizer:
        """Give every term the idf of the frequencies counted so far."""
        for vectorizer in self._texts:
            vectorizer.refresh_idf()
        return self

    def table(self, X: object) -> TableRows:
        """Return the columns of this vectorizer of a table that may have more."""
        # As the model's batch made it, or as it comes.
        return X if type(X) is TableRows and X.names == self.names else as_table(X, self.names)

    def rows(self, X: object) -> Csr:
        """Return the rows of a table."""
        table = self.table(X)
        try:
            read = self._read(table)
        except InputError as error:
            raise of_prediction(error) from None
        return self._join([b.compiled_rows(own) for b, own in zip(self.blocks, read, strict=True)])

    def meet(self, texts: object) -> None:
        """Learn values of some of many rows; `learn_idf` behind the last gives them columns."""
        for block, own in zip(self.blocks, self._read(self.table(texts)), strict=True):
            block.meet(own)

    def _read(self, table: TableRows) -> list[Any]:
        """Return the columns as their blocks take them; a bad value is refused here."""
        pairs = zip(self.blocks, table.columns, strict=True)
        return [block.read(values, table.place) for block, values in pairs]

    def _learnt(self, X: Sequence[object], learn: Sequence[Any]) -> Csr:
        table, parts = self.table(X), []
        if not len(table):
            raise InputError("there are no rows to learn from", parameter="X")
        # All is read before anything is learnt: a batch that is refused must leave nothing behind.
        for name, one, own in zip(self.names, learn, self._read(table), strict=True):
            try:
                parts.append(one(own))
            except InputError as error:  # of limits that leave this column no term
                raise error if error.where else error.replaced(where=f"column {name!r}") from None
        return self._join(parts, learnt=True)

    def add_terms(self, terms: Sequence[str]) -> list[int]:
        """Make features known by their names, written as by :meth:`terms`; return their columns."""
        found = [0] * len(terms)
        parts: list[list[int]] = [[] for _ in self.blocks]
        for at, term in enumerate(terms):
            owners = [k for k, block in enumerate(self.blocks) if block.column_of(term) is not None]
            if not owners:
                wanted = f"the name of a feature, such as {self._example()}"
                raise InputError(parameter="terms", got=term, wanted=wanted)
            parts[owners[0]].append(at)
        for k, (block, part) in enumerate(zip(self.blocks, parts, strict=True)):
            own = block.add_names([terms[at] for at in part]) if part else []
            for at, column in zip(part, self._place(k, block.n_columns_, own), strict=True):
                found[at] = column
        return found

    def _example(self) -> str:
        return repr(COLUMN_KINDS[self.blocks[0].kind].example.format(self.names[0]))

    def _names(self, k: int, numbers: NDArray[Any]) -> list[str]:
        # ``age``, ``city = Ghent``, ``notes: late``
        names: list[str] = self.blocks[k].names(numbers)
        return names

    def header(self) -> dict[str, Any]:
        """Return settings, counts and versions of every column as plain JSON."""
        blocks = [block.header() for block in self.blocks]
        settings = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self.settings).items()
        }
        return {
            "columns": list(self.names),
            "settings": settings,
            "blocks": blocks,
            "n_columns": self.n_columns_,
        }

    @classmethod
    def from_frozen(cls, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> TableVectorizer:
        """Undo :meth:`header` and :meth:`state_tables`, of what a stranger may have written."""
        settings = check_settings(header["settings"])
        names, headers = header["columns"], header["blocks"]
        if not names or len(names) != len(headers) or not all(type(n) is str for n in names):
            raise ValueError("names of columns that do not fit the blocks")
        blocks, places = [], []
        for k, (name, one) in enumerate(zip(names, headers, strict=True)):
            begin = f"{k}."
            own = {n.removeprefix(begin): a for n, a in arrays.items() if n.startswith(begin)}
            places.append(own.pop("places"))
            kind = COLUMN_KINDS.get(str(one["kind"]), COLUMN_KINDS["drop"])
            blocks.append(kind.restore(name, one, own, settings))
        made = cls(names, blocks, settings)
        made.take_places(places, int(header["n_columns"]))
        return made


def explicit(settings: TableSettings, kinds: Kinds) -> TableSettings:
    """Return settings that name the kind of every column.

    >>> from hardlimit.tables.column_kinds import TableColumn
    >>> number, left_out = COLUMN_KINDS["number"], COLUMN_KINDS["drop"]
    >>> age = TableColumn("age", number, False, 0, 9, 9)
    >>> kinds = (age, TableColumn("id", left_out, True, 0, 9, 9))
    >>> explicit(TableSettings(), kinds).number_columns
    ('age',)
    """
    named: dict[str, list[str]] = {name: [] for name in COLUMN_KINDS}
    for column in kinds:
        named[column.kind.name].append(column.name)
    changes: dict[str, Any] = {f"{kind}_columns": tuple(one) for kind, one in named.items()}
    return replace(settings, **changes)
