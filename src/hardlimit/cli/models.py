"""Model files as the commands need them, and JSON for machines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, cast

from hardlimit.cli import terminal
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.classifiers import LinearClassifier, TextClassifier

    Classifier = TextClassifier | LinearClassifier

LAYOUT = "layout"
POSITIVE = "positive"
HELD_OUT = "held_out"
COUNTS = "counts"


def load(path: str) -> Classifier:
    """Load a classifier of texts or of numbers; `ModelFileError` for what is none."""
    import hardlimit

    model: Classifier = hardlimit.load(path)
    return model


def takes_texts(model: Classifier) -> bool:
    """Tell a classifier of texts from one of numbers."""
    return hasattr(type(model), "vectorizer_")


def load_texts(path: str) -> TextClassifier:
    """Load a classifier of texts."""
    model = load(path)
    if not takes_texts(model):
        raise InputError(f"{path}: a model of numbers; this command explains answers to texts")
    return cast("TextClassifier", model)


def layout(model: Classifier) -> dict[str, Any]:
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
