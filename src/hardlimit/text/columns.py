"""Texts in several columns: each is a block of features of its own, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hardlimit import _native
from hardlimit.examples.sparse import Csr
from hardlimit.examples.tuples import TextTuple, read_tuples
from hardlimit.exceptions import InputError
from hardlimit.foundation import dtypes
from hardlimit.foundation.tables import check_column_names
from hardlimit.text import default_features
from hardlimit.text.vectorizer import TextVectorizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_names(names: object) -> tuple[str, ...]:
    """Return names of columns; something else is refused."""
    # By type: a class of the user's could do anything when it is asked for its length.
    found = tuple(names) if type(names) is list or type(names) is tuple else ()
    if not found or not all(type(name) is str for name in found) or len(set(found)) < len(found):
        wanted = "None, or different names of columns, such as ('subject', 'body')"
        raise InputError(parameter="text_columns", got=names, wanted=wanted)
    return check_column_names(found)


class ColumnsVectorizer:
    """A :class:`TextVectorizer` for each column of texts, whose features stand side by side.

    Each column has its own vocabulary, its own idf and its own length, and features that are chosen
    for it where they are ``"auto"``. With ``norm="l2"`` the block of each of K columns has the
    length ``1 / sqrt(K)``, so that an example has length 1. A term is named by its column:
    ``subject: prize``.

    WHOLE : ends of the names of tables in a model file that are read at once, and not where they
    are touched.

    Cost: that of the vectorizers, and O(features) of each example, however many terms there are.
    """

    WHOLE: ClassVar[tuple[str, ...]] = (".places",)

    def __init__(self, names: Sequence[str], vectorizers: Sequence[TextVectorizer]) -> None:
        self.names, self.blocks = tuple(names), list(vectorizers)
        # The columns of each block among those of all, in the order in which terms came.
        self._joined = _native.JoinedColumns(len(self.names))

    @property
    def n_columns_(self) -> int:
        """Columns so far."""
        return self._joined.n_columns

    @property
    def places(self) -> list[NDArray[np.int64]]:
        """The columns of each block among those of all, ascending: a copy of all of them."""
        return [self._joined.columns(k) for k in range(len(self.names))]

    @property
    def scales(self) -> list[float]:
        """What the values of each block are multiplied with."""
        return [1 / math.sqrt(len(self.names)) if self.norm else 1.0] * len(self.names)

    @classmethod
    def chosen(
        cls, names: Sequence[str], settings: Mapping[str, Any], examples: list[TextTuple]
    ) -> ColumnsVectorizer:
        """Make one vectorizer a column, with the features that its texts call for."""
        made = []
        for place in range(len(names)):
            column = [example[place] for example in examples]
            words, chars, _ = default_features.choose(settings["words"], settings["chars"], column)
            made.append(TextVectorizer(**{**settings, "words": words, "chars": chars}))
        return cls(names, made)

    @property
    def chosen_features(self) -> dict[str, Any]:
        """Nothing: what was left to the texts, each column decides anew."""
        return {}

    @property
    def hash_bits(self) -> int | None:
        """Bits of the hash of each column, or None."""
        return self.blocks[0].hash_bits

    @property
    def norm(self) -> str | None:
        """How the block of each column is scaled."""
        return self.blocks[0].norm

    @property
    def n_replaced_(self) -> int:
        """Bytes that were no UTF-8, in the last texts."""
        return sum(block.n_replaced_ for block in self.blocks)

    @property
    def growing(self) -> list[tuple[int, Any, float]]:
        """None: the vocabulary of a text grows by texts alone."""
        return []

    @property
    def reading(self) -> Any:
        """Taken by whoever asks for several things of one moment: that of the first column."""
        return self.blocks[0].reading

    def refresh_idf(self) -> ColumnsVectorizer:
        """Give every term the idf of the frequencies counted so far."""
        for block in self.blocks:
            block.refresh_idf()
        return self

    def rows(self, texts: object) -> Csr:
        """Return the rows of examples."""
        examples = read_tuples(texts, self.names)
        return self._join([b.compiled_rows(examples.column(k)) for k, b in enumerate(self.blocks)])

    def fit_rows(self, texts: Sequence[object]) -> Csr:
        """Learn the terms of examples anew, and return their rows."""
        self._joined = _native.JoinedColumns(len(self.names))
        return self._learnt(texts, [block.fit_compiled_rows for block in self.blocks])

    def learn_rows(self, texts: Sequence[object]) -> Csr:
        """Learn more examples, and return their rows."""
        return self._learnt(texts, [block.learn_compiled_rows for block in self.blocks])

    def meet(self, texts: object) -> None:
        """Learn terms of some of many examples; `learn_idf` behind the last gives them columns."""
        examples = read_tuples(texts, self.names)
        for k, block in enumerate(self.blocks):
            block.meet(examples.column(k))

    def learn_idf(self) -> None:
        """Give terms that were met their idf and their columns, block by block."""
        for k, block in enumerate(self.blocks):
            block.learn_idf()
            self._joined.widen(k, block.n_columns_)

    def add_terms(self, terms: Sequence[str]) -> list[int]:
        """Make terms known, written as by :meth:`terms`; return their columns."""
        found = [0] * len(terms)
        parts: list[list[tuple[int, str]]] = [[] for _ in self.names]
        for at, term in enumerate(terms):
            name, _, rest = term.partition(": ")
            if name not in self.names or not rest:
                wanted = f"a term behind the name of its column, such as {self.names[0]}: prize"
                raise InputError(parameter="terms", got=term, wanted=wanted)
            parts[self.names.index(name)].append((at, rest))
        for k, (block, part) in enumerate(zip(self.blocks, parts, strict=True)):
            own = block.add_terms([term for _, term in part])
            for (at, _), column in zip(part, self._place(k, block.n_columns_, own), strict=True):
                found[at] = column
        return found

    def place_blocks(self) -> None:
        """Give the columns of blocks that were fitted by themselves their places."""
        self._joined = _native.JoinedColumns(len(self.names))
        for k, block in enumerate(self.blocks):
            self._joined.widen(k, block.n_columns_)

    def _place(self, k: int, size: int, own: Sequence[int]) -> list[int]:
        """Give a block of this size its columns; return those of some that it counts itself."""
        self._joined.widen(k, size)
        return self._joined.columns_of(k, own)

    def _learnt(self, texts: Sequence[object], learn: Sequence[Any]) -> Csr:
        examples = read_tuples(texts, self.names)
        parts = []
        for k, name in enumerate(self.names):
            try:
                parts.append(learn[k](examples.column(k)))
            except InputError as error:  # of limits that leave this column no term
                raise error.replaced(where=f"column {name!r}") from None
        return self._join(parts, learnt=True)

    def _join(self, parts: list[Any], learnt: bool = False) -> Csr:
        """Put the blocks side by side, columns ascending; those that have learnt are wider now."""
        return Csr(*self._joined.join(parts, self.scales, learnt))

    def owners(self, columns: Sequence[int] | NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the block of each column and its number in the block; -1 of no column."""
        import numpy as np

        return self._joined.owners(np.asarray(columns, np.int64))

    def terms(self, columns: NDArray[Any] | Sequence[int]) -> list[str]:
        """Return the terms of some columns, each behind the name of its column of texts."""
        names = [""] * len(columns)
        owners, numbers = self.owners(columns)
        for k in dict.fromkeys(owners.tolist()):
            if k < 0:
                continue
            here = (owners == k).nonzero()[0]
            for at, name in zip(here, self._names(k, numbers[here]), strict=True):
                names[at] = name
        return names

    def _names(self, k: int, numbers: NDArray[Any]) -> list[str]:
        """Return the names of some columns of a block; empty where there is none."""
        begin = f"{self.names[k]}: "
        return [term and begin + term for term in self.blocks[k].terms(numbers)]

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the term of every column."""
        import numpy as np

        return np.array(self.terms(np.arange(self.n_columns_)), dtype=object)

    def header(self) -> dict[str, Any]:
        """Return settings, counts and versions of every column as plain JSON."""
        blocks = [block.header() for block in self.blocks]
        return {"columns": list(self.names), "blocks": blocks, "n_columns": self.n_columns_}

    def state_tables(self) -> dict[str, NDArray[Any]]:
        """Return everything learnt, as arrays named by the number of the block."""
        tables: dict[str, NDArray[Any]] = {}
        for k, block in enumerate(self.blocks):
            tables |= {f"{k}.{name}": table for name, table in block.state_tables().items()}
            tables[f"{k}.places"] = self._joined.columns(k)
        return tables

    @classmethod
    def from_frozen(cls, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> ColumnsVectorizer:
        """Undo :meth:`header` and :meth:`state_tables`, of what a stranger may have written."""
        names, headers = header["columns"], header["blocks"]
        if not names or len(names) != len(headers) or not all(type(n) is str for n in names):
            raise ValueError("names of columns that do not fit the blocks")
        places, blocks = [], []
        for k, one in enumerate(headers):
            begin = f"{k}."
            own = {n.removeprefix(begin): a for n, a in arrays.items() if n.startswith(begin)}
            places.append(own.pop("places"))
            blocks.append(TextVectorizer.from_frozen(one, own))
        made = cls(names, blocks)
        made.take_places(places, int(header["n_columns"]))
        return made

    def take_places(self, places: Sequence[NDArray[Any]], n_columns: int) -> None:
        """Take the columns of each block from a file; what contradicts itself is refused."""
        import numpy as np

        if any(own.ndim != 1 or not dtypes.is_integer(own.dtype) for own in places):
            raise ValueError("columns that are no whole numbers")
        own_places = [np.ascontiguousarray(own, np.int64) for own in places]
        self._joined = _native.JoinedColumns(own_places, n_columns)
        for block, own in zip(self.blocks, places, strict=True):
            if block.n_columns_ != len(own):
                raise ValueError("the columns of a block do not fit its terms")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_joined": (self.places, self.n_columns_)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _joined=_native.JoinedColumns(*state["_joined"]))
