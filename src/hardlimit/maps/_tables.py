"""What comes out of a map as a table, where one was asked for: scikit-learn's ``set_output``."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from hardlimit.engine import is_sparse
from hardlimit.exceptions import InputError

KINDS = ("default", "pandas", "polars")


def asked(config: dict[str, Any]) -> str:
    """The kind that a transformer with this configuration gives; scikit-learn's own by default."""
    kind = config.get("transform")
    if kind is None and (sklearn := sys.modules.get("sklearn")) is not None:
        kind = sklearn.get_config().get("transform_output")
    return kind or "default"


def check(kind: Any) -> None:
    """Refuse what is no kind of table."""
    if kind is not None and kind not in KINDS:
        raise InputError(f"set_output: got transform={kind!r}, wanted None or one of {KINDS}")


def made(values: Any, names: Any, like: Any, kind: str) -> Any:
    """The rows as a table of that kind, with the index of the rows that they were made of."""
    if is_sparse(values):
        raise InputError(
            f"set_output: got sparse rows, of which {kind} makes no table; wanted dense ones, or "
            "set_output(transform='default')"
        )
    if kind == "pandas":
        index = like.index if hasattr(like, "iloc") else None
        return import_module("pandas").DataFrame(values, columns=names, index=index)
    return import_module("polars").DataFrame(values, schema=list(names), orient="row")
