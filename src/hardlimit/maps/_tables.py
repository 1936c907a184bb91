"""Return a map's rows as a table where one is asked for: scikit-learn's ``set_output``."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hardlimit.engine import is_sparse
from hardlimit.exceptions import InputError, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from hardlimit.examples.sparse import Csr
    from hardlimit.foundation.types import FloatArray, SparseMatrix

KINDS = ("default", "pandas", "polars")


def resolve_kind(config: Mapping[str, str]) -> str:
    """Return the kind that a transformer with this configuration gives.

    Without one of its own, scikit-learn's configuration counts, where scikit-learn is loaded.
    """
    kind = config.get("transform")
    # not imported: whoever has not loaded scikit-learn has not configured it
    if kind is None and (sklearn := sys.modules.get("sklearn")) is not None:
        kind = sklearn.get_config().get("transform_output")
    return kind or "default"


def check_kind(kind: str | None) -> None:
    """Refuse what is not a kind of table."""
    if kind is not None and kind not in KINDS:
        wanted = f"None or one of {', '.join(map(repr, KINDS))}"
        raise InputError(who="set_output", parameter="transform", got=kind, wanted=wanted)


def make_table(
    values: FloatArray | Csr | SparseMatrix,
    names: NDArray[np.object_],
    like: Any,
    kind: str,
) -> Any:
    """Return the rows as a table of that kind, with the index of the rows that they come from."""
    if is_sparse(values):
        raise InputError(
            f"{kind} makes no table of sparse rows",
            who="set_output",
            fix=("give dense rows, or say ", Setting("transform", "default")),
        )
    if kind == "pandas":
        index = like.index if hasattr(like, "iloc") else None
        return import_module("pandas").DataFrame(values, columns=names, index=index)
    return import_module("polars").DataFrame(values, schema=list(names), orient="row")
