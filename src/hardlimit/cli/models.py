"""Model files as the commands need them, and JSON for machines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from hardlimit.cli import terminal
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit import TextClassifier

LAYOUT = "layout"
POSITIVE = "positive"
HELD_OUT = "held_out"
COUNTS = "counts"


def load(path: str) -> TextClassifier:
    """Load a text classifier; `ModelFileError` for what is none."""
    import hardlimit
    from hardlimit import TextClassifier

    model = hardlimit.load(path)
    if not isinstance(model, TextClassifier):
        raise InputError(
            f"{path}: a model of numbers ({type(model).__name__}); the commands work on texts: "
            "use hardlimit.load in Python"
        )
    return model


def layout(model: TextClassifier) -> dict[str, Any]:
    """Return how the training file was read; empty for a model fitted in Python."""
    remembered = model.metadata.get(LAYOUT)
    return dict(remembered) if isinstance(remembered, dict) else {}


def say_json(value: Any) -> None:
    """Print one JSON document on one line."""
    sys.stdout.write(to_json(value) + "\n")


def to_json(value: Any) -> str:
    """Return JSON; numpy's numbers and bytes become plain, infinities become null."""
    return json.dumps(_finite(value), ensure_ascii=False, default=_plain)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {_key(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _key(key: Any) -> str:
    return key if isinstance(key, str) else str(key)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if hasattr(value, "item"):
        return _finite(value.item())
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    raise TypeError(f"no JSON for {type(value).__name__}")


def plain(label: Any) -> Any:
    """Return a label as JSON and tables can hold it."""
    return _plain(label) if not isinstance(label, str | int | float | bool) else label


def shown(label: Any) -> str:
    """Return a label for people, on one line."""
    return terminal.harmless(
        label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    )


def quoted(path: str) -> str:
    """Return a path as it can be pasted into a shell."""
    import shlex

    return shlex.quote(path)
