"""Tables of other packages (pandas, polars, pyarrow), recognised by what they have.

None of these packages is imported. A table has two dimensions and names for its columns; iterated
over it gives columns or their names, never rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hardlimit.exceptions import Given, InputError, KindError, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.names import check_text

Names = tuple[str, ...]
_NAMED = 8  # columns in a message


def column_names(X: object) -> list[Any] | None:
    """Return the names of the columns of a table, of any type; None where X is no table."""
    # pyarrow's `columns` are arrays, and its names stand beside them
    names = getattr(X, "column_names", None)
    if names is None:
        names = getattr(X, "columns", None)
    if names is None or callable(names) or len(getattr(X, "shape", ())) != 2:
        return None
    return list(names)


def feature_names(X: object) -> Names | None:
    """Return the names of the columns as scikit-learn means them: if all of them are texts.

    Raises
    ------
    InputError
        A name that no model file should have.

    >>> feature_names([[1.0, 2.0]]) is None
    True
    """
    names = column_names(X)
    if not names or not all(isinstance(name, str) for name in names):
        return None
    return check_column_names(map(str, names))


def check_column_names(names: Iterable[str]) -> Names:
    """Return the names of columns, to be stored; halves of surrogate pairs are refused."""
    found = tuple(names)
    for name in found:
        check_text(name, "column")
    return found


def check_feature_names(known: Names | None, X: object, who: str = "") -> None:
    """Refuse a table whose columns have other names, or another order, than those of the fit.

    Rows without names have nothing to compare.

    Raises
    ------
    InputError
        With the first differences.
    """
    if known is None:
        return
    names = feature_names(X)
    if names is None or names == known:
        return
    raise InputError(
        _explain_difference(known, names),
        who=who,
        parameter="X",
        fix="give the columns of the fit in their order, X[clf.feature_names_in_]; an array "
        "without names is not compared",
    )


def _explain_difference(known: Names, names: Names) -> str:
    there, wanted = set(names), set(known)
    clauses = []
    if missing := [name for name in known if name not in there]:
        clauses.append(f"columns of the fit are missing: {list_names(missing)}")
    if others := [name for name in names if name not in wanted]:
        clauses.append(f"columns are there that the fit did not see: {list_names(others)}")
    if not clauses:
        pairs = zip(names, known, strict=False)
        place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(names), len(known)))
        if place == min(len(names), len(known)):
            seen = plural(len(names), "column")
            return f"{seen}, and the fit saw {len(known)}: a name is there twice"
        now, was = _spell(names[place]), _spell(known[place])
        clauses.append(
            f"the columns are in another order than in the fit: column {place} is {now}, and was "
            f"{was}"
        )
    return "; ".join(clauses)


def list_names(names: Sequence[Any]) -> str:
    """Return names for a message, not too many and none too long.

    >>> list_names(["a", "b"])
    "'a', 'b'"
    """
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(_spell, names[:_NAMED])) + more


def name_column(name: str) -> str:
    """Return the name of a column for people, also of one that has none.

    >>> name_column("age"), name_column("")
    ('age', '(no name)')
    """
    return name or "(no name)"


def _spell(name: object) -> str:
    """Return a name for a message, cut where it is long."""
    text = abbreviate(name)
    return text if len(text) <= 60 else f"{text[:56]}..."


def as_column(values: object, parameter: str, kind: str) -> Any:
    """Return the values of one column, of whatever holds them; what is no table stays as it is.

    Parameters
    ----------
    values
        A table of one column, or anything else.
    parameter, kind
        For messages: the parameter, and what its values are.

    Raises
    ------
    KindError
        A table of several columns, a dict, a set.

    Examples
    --------
    >>> as_column(["a", "b"], "texts", "texts")
    ['a', 'b']
    """
    if type(values) is list:  # nearly always, and a row of a stream costs microseconds
        return values
    if isinstance(values, Mapping):
        raise KindError(
            "it iterates over its keys",
            parameter=parameter,
            got=Given("a dict"),
            wanted=f"a list of {kind}",
            fix="give its values, list(d.values()), or one of them, d['text']",
        )
    if isinstance(values, set | frozenset):
        raise KindError(
            "it has no order, and drops what is there twice",
            parameter=parameter,
            got=Given("a set"),
            wanted=f"a list of {kind}",
        )
    names = column_names(values)
    if names is not None:
        return _only_column(values, names, parameter, kind)
    # scalars of pyarrow are no Python values
    return values.to_pylist() if hasattr(values, "to_pylist") else values


def _only_column(table: object, names: list[Any], parameter: str, kind: str) -> Any:
    if len(names) != 1:
        usual = parameter.removesuffix("s")  # the name most likely meant, else any shows how
        example = _spell(usual if usual in names or not names else names[0])
        raise KindError(
            f"there are {list_names(names)}" if names else "",
            parameter=parameter,
            got=Given(f"a table of {plural(len(names), 'column')}"),
            wanted=f"one column of {kind}",
            fix=f"name the column, such as df[{example}]",
        )
    return values_of_column(table, names[0])


def values_of_column(table: Any, name: object) -> list[Any]:
    """Return the values of a column of a table, the first of that name."""
    place = (column_names(table) or []).index(name)
    if hasattr(table, "iloc"):  # pandas
        return list(table.iloc[:, place].tolist())
    if hasattr(table, "column_names"):  # pyarrow
        return list(table.column(place).to_pylist())
    return list(table.get_column(name).to_list())  # polars
