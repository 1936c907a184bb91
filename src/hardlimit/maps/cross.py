"""Products of pairs of columns: what holds only together."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from hardlimit.engine import is_sparse, pairs
from hardlimit.exceptions import InputError, Parameter, Setting
from hardlimit.maps._map import MOST_COLUMNS, FeatureMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from hardlimit._native import Rows
    from hardlimit.foundation.types import ArrayLike

WHICH = ("all", "seen")


class Cross(FeatureMap):
    """The columns, and behind them the products ``x_i x_j`` of pairs i < j.

    The product ``x1*x2`` makes XOR separable. In texts, "excellent" is praise and "no" says little,
    but "no" together with "excellent" is blame, at any distance; n-grams see neighbours only.

    Parameters
    ----------
    columns
        Numbers (or names, if ``fit`` sees names) of the columns to be crossed; None crosses all.
    which
        ``"all"`` pairs have a column: ``m (m - 1) / 2`` of m. ``"seen"`` keeps those that are not
        zero in some row of ``fit``: for wide sparse rows, where most pairs never meet.
    hash_bits
        None, or ``b`` from 1 to 31: the pairs share ``2**b`` columns instead, and nothing need be
        remembered. Products that fall into the same column are added.
    singles
        Whether the columns themselves come first.

    Notes
    -----
    A row of k non-zeros gets ``k (k - 1) / 2`` products: O(k^2) time and memory. Long texts have
    many; cross a few chosen columns there. The hash is ``pair-1``, see
    ``native/rows/feature_maps.hpp``: of 20 bits, pair (0, 1) falls into column 810209 and
    (3, 70000) into 965352, behind the singles. Hashed rows are sparse whatever the rows were.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, TextVectorizer, maps
    >>> texts = ["excellent", "no part of it is excellent", "awful", "no part of it is awful"]
    >>> vectorizer, cross = TextVectorizer(words=(1, 1), idf=None, norm=None), maps.Cross()
    >>> X = cross.fit_transform(vectorizer.fit_transform(texts))
    >>> clf = LinearClassifier("perceptron").fit(X, ["good", "bad", "bad", "good"])
    >>> clf.stop_reason_
    'separated'
    >>> names = cross.get_feature_names_out(vectorizer.get_feature_names_out()).tolist()
    >>> float(clf.coef_[0][names.index("excellent*no")]) < 0  # towards classes_[0], "bad"
    True
    """

    _partners: NDArray[np.int64] | None = None  # of pairs that were seen
    _advice = "set hash_bits, or cross fewer columns"

    def __init__(
        self,
        columns: Iterable[int | str] | None = None,
        which: str = "all",
        hash_bits: int | None = None,
        singles: bool = True,
    ) -> None:
        self.columns = columns
        self.which = which
        self.hash_bits = hash_bits
        self.singles = singles

    @property
    def learns_rows(self) -> bool:
        """Where only pairs that were seen have a column."""
        return self.which == "seen"

    def _learn(self, rows: Rows) -> int:
        self.check_parameters()
        self._crossed = self._choose_columns()
        self._partners = None
        self.first_pair = rows.n_columns if self.singles else 0
        m = len(self._crossed)
        n_columns = self.first_pair + m * (m - 1) // 2
        if self.hash_bits is not None:
            return self.first_pair + (1 << int(self.hash_bits))
        # too many to be numbered: `_fit` refuses them before a product is made
        if self.which == "all" or n_columns > MOST_COLUMNS:
            return n_columns
        return self.first_pair + self._learn_seen(rows, n_columns)

    def _learn_seen(self, rows: Rows, n_columns: int) -> int:
        numbers = self._expand(rows, n_columns).indices
        self.see_pairs(sort_distinct(numbers[numbers >= self.first_pair]) - self.first_pair)
        return 0 if self._partners is None else len(self._partners)

    def learnt(self) -> dict[str, NDArray[np.int64]]:
        """Return the pairs that were seen, as ranks of the crossed columns; nothing of all pairs.

        ``pairs``: the number of each, ascending, where (0, 1), (0, 2), ..., (1, 2), ... are 0, 1,
        and so on.
        """
        if self._partners is None:
            return {}
        m = len(self._crossed)
        i = np.repeat(np.arange(m, dtype=np.int64), np.diff(self._starts))
        return {"pairs": i * m - i * (i + 1) // 2 + self._partners - i - 1}

    def restored(
        self,
        n_columns: int,
        names: Sequence[str] | None,
        learnt: Mapping[str, NDArray[np.int64]],
    ) -> Self:
        """Return the map as it was fitted: with the pairs that were seen."""
        if not self.learns_rows:
            return super().restored(n_columns, names, learnt)
        # Of all pairs first, which checks the parameters and numbers the columns.
        other = type(self)(self.columns, "all", self.hash_bits, self.singles)
        other = other.for_columns(n_columns, names)
        other.which = self.which
        other.check_parameters()
        numbers, most = np.asarray(learnt["pairs"]), other.n_columns_ - other.first_pair
        if numbers.ndim != 1 or numbers.dtype != np.int64:
            raise ValueError("pairs that are no whole numbers")
        if len(numbers) and (numbers[0] < 0 or numbers[-1] >= most):
            raise ValueError(f"pairs beyond the {most:,} that there are")
        if not (numbers[1:] > numbers[:-1]).all():
            raise ValueError("pairs that do not ascend")
        other.see_pairs(numbers)
        other.n_columns_ = other.first_pair + len(numbers)
        return other

    def see_pairs(self, numbers: NDArray[np.int64]) -> None:
        """Keep these pairs, and no others."""
        m = len(self._crossed)
        i, self._partners = unrank_pairs(numbers, m)
        self._starts = np.searchsorted(i, np.arange(m + 1))

    def _compiled(self) -> Any:
        n, everything = self.n_features_in_, isinstance(self._crossed, range)
        # -1 is a column that is not crossed; the empty array stands for crossing all
        places = np.full(0 if everything else n, -1, np.int64)
        if not everything:
            places[self._crossed] = np.arange(len(self._crossed))
        compiled = pairs(n, places, bool(self.singles), int(self.hash_bits or 0))
        if self._partners is not None:
            compiled.see(self._starts, self._partners)
        return compiled

    def _expand_like(self, rows: Rows, X: ArrayLike) -> Any:
        # 2**hash_bits dense columns would be nearly all zeros
        if self.hash_bits is not None and not is_sparse(X):
            return self._sparse(rows).to_scipy()
        return super()._expand_like(rows, X)

    def _names(self, columns: list[str]) -> list[str]:
        singles = columns if self.singles else []
        if self.hash_bits is not None:
            return singles + [f"pair#{k}" for k in range(1 << int(self.hash_bits))]
        m = len(self._crossed)
        if self._partners is None:
            i, j = unrank_pairs(np.arange(m * (m - 1) // 2), m)
        else:
            i, j = np.repeat(np.arange(m), np.diff(self._starts)), self._partners
        crossed = [columns[k] for k in self._crossed]
        return singles + [f"{crossed[a]}*{crossed[b]}" for a, b in zip(i, j, strict=True)]

    # Checking

    def check_parameters(self) -> None:
        """Refuse parameters out of their range; columns are checked by ``fit``."""
        if self.which not in WHICH:
            raise InputError(
                who="Cross", parameter="which", got=self.which, wanted="'all' or 'seen'"
            )
        bits: Any = self.hash_bits
        if bits is None:
            return
        if isinstance(bits, bool) or bits not in range(1, 32):
            wanted = "None or a whole number 1 to 31"
            raise InputError(who="Cross", parameter="hash_bits", got=bits, wanted=wanted)
        if self.which == "seen":
            raise InputError(
                (
                    Setting("which", "seen"),
                    " does not go with ",
                    Parameter("hash_bits"),
                    ": hashed pairs are not remembered",
                ),
                who="Cross",
                fix="leave one of the two out",
            )

    def _choose_columns(self) -> Sequence[int]:
        """Return the columns to be crossed, ascending."""
        if self.columns is None:
            return range(self.n_features_in_)
        return sorted({self._find_column(column) for column in self.columns})

    def _find_column(self, column: Any) -> int:
        names = list(getattr(self, "feature_names_in_", ()))
        if isinstance(column, str) and column in names:
            return names.index(column)
        whole = isinstance(column, numbers.Integral) and not isinstance(column, bool)
        if whole and 0 <= column < self.n_features_in_:
            return int(column)
        wanted = f"columns 0 to {self.n_features_in_ - 1}" + (" or their names" if names else "")
        raise InputError(who="Cross: columns", got=column, wanted=wanted)


def sort_distinct(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return each number once, ascending; ``numbers`` is sorted in place.

    >>> sort_distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    numbers.sort()  # np.unique would copy, and the numbers of all products may be many
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first].astype(np.int64)


def unrank_pairs(
    numbers: NDArray[np.int64], n_chosen: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ranks i < j of pairs, as two arrays, from their numbers.

    >>> [ranks.tolist() for ranks in unrank_pairs(np.arange(6), 4)]
    [[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]]
    """
    # Pairs are numbered row by row of the upper triangle: (0, 1), (0, 2), ..., (1, 2), ...
    i = np.arange(max(n_chosen - 1, 0), dtype=np.int64)
    starts = i * n_chosen - i * (i + 1) // 2
    first = np.searchsorted(starts, numbers, side="right") - 1
    return first, numbers - starts[first] + first + 1
