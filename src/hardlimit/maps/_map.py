"""The base of all maps: ``fit`` counts the columns, ``transform`` makes the new ones."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from hardlimit.engine import explain_refusals, is_sparse, rows_of
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError, NotFittedError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require
from hardlimit.foundation.parameters import Parameterised
from hardlimit.foundation.tables import feature_names
from hardlimit.foundation.types import ArrayLike
from hardlimit.maps import _tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from hardlimit._native import Rows

MOST_COLUMNS = 2**53  # numbers of columns beyond have no exact double
NARROW = 2**31 - 1  # columns whose numbers fit int32


class _Columns(NamedTuple):
    """Rows of which nothing is known but how wide they are."""

    n_columns: int


class FeatureMap(Parameterised):
    """Base of the maps: a subclass gives the number of columns, their names, the compiled map.

    Attributes
    ----------
    n_features_in_ : int
        Columns of the rows that were fitted.
    n_columns_ : int
        Columns that ``transform`` gives.
    feature_names_in_ : array of str
        Names of the columns, where the fitted rows had any.
    """

    n_features_in_: int
    n_columns_: int

    # What a subclass says

    def _learn(self, rows: Rows) -> int:
        """Check the parameters, learn what there is to learn, and return the number of columns."""
        raise NotImplementedError

    def _compiled(self) -> Any:
        """Return the compiled map."""
        raise NotImplementedError

    def _names(self, columns: list[str]) -> list[str]:
        """Return a name for each column that comes out."""
        raise NotImplementedError

    def check_parameters(self) -> None:
        """Refuse parameters out of their range, as ``fit`` does, without any rows."""

    @property
    def learns_rows(self) -> bool:
        """Whether ``fit`` learns more of the rows than how many columns they have."""
        return False

    def for_columns(self, n_columns: int, names: Sequence[str] | None = None) -> Self:
        """Return the same map, fitted to rows of so many columns.

        >>> from hardlimit import maps
        >>> maps.Polynomial(2).for_columns(3).n_columns_
        10
        """
        if self.learns_rows:
            raise InputError(
                "it learns from the rows, not from their number of columns",
                parameter="map",
                got=self,
                fix="use for_rows(X)",
            )
        other = type(self)(**self.get_params())
        other.learn_columns(_Columns(n_columns), names)
        return other

    def for_rows(self, X: ArrayLike) -> Self:
        """Return the same map, fitted to these rows; the map itself stays as it is.

        >>> from hardlimit import maps
        >>> maps.Cross(which="seen").for_rows([[1, 1, 0], [0, 0, 1]]).n_columns_
        4
        """
        rows = rows_of(X, 0.0)
        if not self.learns_rows:
            return self.for_columns(rows.n_columns, feature_names(X))
        other = type(self)(**self.get_params())
        other.learn_columns(rows, feature_names(X))
        return other

    def learnt(self) -> dict[str, NDArray[np.int64]]:
        """Return what ``fit`` learnt of the rows, as arrays by name: a model file keeps them."""
        return {}

    def restored(
        self,
        n_columns: int,
        names: Sequence[str] | None,
        learnt: Mapping[str, NDArray[np.int64]],
    ) -> Self:
        """Return the map as it was fitted, from what :meth:`learnt` gave.

        Raises
        ------
        ValueError
            Arrays that the map cannot have learnt, of a damaged file.
        """
        if learnt:
            raise ValueError(f"{type(self).__name__} learns nothing of the rows")
        return self.for_columns(n_columns, names)

    # scikit-learn's protocol, without scikit-learn

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Learn how many columns there are; ``y`` is ignored."""
        self.learn_columns(rows_of(X, 0.0), feature_names(X))
        return self

    def transform(self, X: ArrayLike) -> Any:
        """Return the new columns of X (n_rows, n_features_in_): float64, dense or sparse as X is.

        Cost: one multiplication for each product that is not zero.

        Raises
        ------
        NotFittedError, InputError
            Before ``fit``; another number of columns; a product beyond the largest number.
        MemoryEstimateError
            More memory would be needed than there is.
        """
        return self._transform(rows_of(X, 0.0), X)

    def fit_transform(self, X: ArrayLike, y: object = None) -> Any:
        """Fit, and transform the same rows."""
        rows = rows_of(X, 0.0)
        self.learn_columns(rows, feature_names(X))
        return self._transform(rows, X)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Give tables with the columns' names: ``"pandas"``, ``"polars"`` or ``"default"``.

        None leaves it as it is. Without a word here, scikit-learn's own configuration counts.
        Sparse rows make no table and are refused.
        """
        _tables.check_kind(transform)
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(
        self, input_features: Iterable[object] | None = None
    ) -> NDArray[np.object_]:
        """Return what each new column is made of: ``x0*x1``, ``x0^2``.

        Parameters
        ----------
        input_features
            Names of the columns; default those of ``fit``, else ``x0``, ``x1``, and so on.
        """
        who = f"{type(self).__name__}.get_feature_names_out"
        self._check_fitted(who)
        # about 100 bytes a name, and a polynomial of wide rows has millions of them
        require(
            100 * self.n_columns_, f"{who}: {plural(self.n_columns_, 'name')}", "name fewer columns"
        )
        return np.array(self._names(self._name_columns_in(input_features, who)), dtype=object)

    def formulas(self, input_features: Iterable[object] | None = None) -> list[str]:
        """Return what each new column holds, with its factor: ``sqrt(2)*x0*x1``.

        As :meth:`get_feature_names_out`, whose names leave the factors out.
        """
        names: list[str] = self.get_feature_names_out(input_features).tolist()
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_columns_")

    def __sklearn_tags__(self) -> Any:
        utils = import_module("sklearn.utils")
        return utils.Tags(
            estimator_type=None,
            target_tags=utils.TargetTags(required=False),
            transformer_tags=utils.TransformerTags(),
            input_tags=utils.InputTags(sparse=True),
        )

    # Inside

    def learn_columns(self, rows: Rows | _Columns, names: Sequence[str] | None) -> None:
        self.n_features_in_ = rows.n_columns
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
        # names of an earlier fit must not outlive it
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        n_columns = self._learn(rows)  # type: ignore[arg-type]  # of columns alone: for_columns
        if n_columns > MOST_COLUMNS:
            raise InputError(
                f"made of {rows.n_columns:,}",
                who=f"{type(self).__name__}.fit",
                got=Given(f"{n_columns:.3g} columns"),
                wanted="at most 2^53",
                fix=self._advice,
            )
        self.n_columns_ = n_columns

    _advice = "take fewer columns, or a kernel"

    def _transform(self, rows: Rows, X: ArrayLike) -> Any:
        who = f"{type(self).__name__}.transform"
        self._check_fitted(who)
        if rows.n_columns != self.n_features_in_:
            raise InputError(
                who=who,
                got=Given(f"{plural(rows.n_columns, 'column')}"),
                wanted=f"the {self.n_features_in_} of fit",
                fix="give the columns of fit in their order, or fit again",
            )
        kind = _tables.resolve_kind(getattr(self, "_sklearn_output_config", {}))
        with explain_refusals(who):  # a product may be beyond the largest float
            values = self._expand_like(rows, X)
        if kind == "default":
            return values
        return _tables.make_table(values, self.get_feature_names_out(), X, kind)

    def _expand_like(self, rows: Rows, X: ArrayLike) -> Any:
        if is_sparse(X):
            return _convert_like(self._sparse(rows), X)
        return self._dense(rows)

    def _dense(self, rows: Rows) -> Any:
        self._require(8 * rows.n_rows * self.n_columns_, rows)
        return self._compiled().dense(rows, self.n_columns_)

    def _sparse(self, rows: Rows) -> Csr:
        return self._expand(rows, self.n_columns_)

    def _expand(self, rows: Rows, n_columns: int) -> Csr:
        """Return the rows of the compiled map, which numbers ``n_columns`` columns."""
        # counted first: the products of one long row may take more memory than there is
        compiled, wide = self._compiled(), n_columns > NARROW
        self._require(int(compiled.count(rows)) * (16 if wide else 12), rows)
        indptr, indices, data = compiled.sparse(rows, wide)
        end = int(indptr[-1])
        return Csr(indptr, indices[:end], data[:end], n_columns)

    def _require(self, n_bytes: int, rows: Rows) -> None:
        what = f"{type(self).__name__}: the products of {plural(rows.n_rows, 'row')}"
        require(n_bytes, what, f"take fewer rows at a time; {self._advice}")

    def _check_fitted(self, who: str) -> None:
        if not hasattr(self, "n_columns_"):
            raise NotFittedError("not fitted yet", who=who, fix="call fit(X) first")

    def _name_columns_in(self, given: Iterable[object] | None, who: str) -> list[str]:
        n = self.n_features_in_
        if given is None:
            return list(getattr(self, "feature_names_in_", (f"x{i}" for i in range(n))))
        names = [str(name) for name in given]
        if len(names) != n:
            got, wanted = Given(f"{plural(len(names), 'name')}"), f"{n}, one for each column of fit"
            raise InputError(who=who, got=got, wanted=wanted)
        return names


def _convert_like(rows: Csr, X: ArrayLike) -> Any:
    """Return scipy's matrix for scipy's, and the rows as they are for rows without scipy."""
    if not hasattr(X, "tocsr"):
        return rows
    matrix = rows.to_scipy()
    return (
        import_module("scipy.sparse").csr_array(matrix) if "array" in type(X).__name__ else matrix
    )
