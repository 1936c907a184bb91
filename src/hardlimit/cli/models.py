"""Model files as the commands need them, and JSON for machines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardlimit.describing import COUNTS as COUNTS
from hardlimit.describing import HELD_OUT as HELD_OUT
from hardlimit.describing import LAYOUT as LAYOUT
from hardlimit.describing import POSITIVE as POSITIVE
from hardlimit.describing import layout_of
from hardlimit.describing import takes_texts as takes_texts
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import format_label as format_label

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.model.text_answer import TextAnswer
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.scoring import Judge

    Classifier = TextClassifier | LinearClassifier

TEXTS = "text classifier"
layout = layout_of


def load(path: str) -> Classifier:
    """Load a classifier whole, to train it further or to look into it."""
    from hardlimit.classifiers import load as load_model

    require(path)
    model: Classifier = load_model(path)
    if model.fitted.classes.many:
        raise InputError(
            f"{path}: a model of several labels a row, and the commands know one label a row; "
            "ask it in Python: hardlimit.load(path).predict(X)"
        )
    return model


def require(path: str) -> None:
    """Refuse a path where nothing is; the error names the nearest."""
    if not os.path.lexists(path):
        from hardlimit.readers.opening import missing_file_error

        raise missing_file_error(path)


def votes(header: Mapping[str, Any]) -> bool:
    """Tell a model that answers by the votes of many hypotheses from one with weights."""
    parameters = header.get("parameters")
    return isinstance(parameters, dict) and parameters.get("readout") == "voted"


def kernel(header: Mapping[str, Any]) -> str | None:
    """Say which kernel a model has, as its parameters would be written; None of a linear one."""
    from hardlimit import kernels

    parameters = header.get("parameters")
    if not isinstance(parameters, dict) or "kernel" not in parameters:
        return None
    return repr(kernels.resolve(parameters["kernel"]))


def judge(path: str) -> Judge:
    """Open a model to ask it for answers only; of a model of texts little is read."""
    from hardlimit import model_file
    from hardlimit.cli.scoring import Fitted, Saved, Voting

    require(path)
    file = model_file.open(path)
    if file.kind != TEXTS:
        return Fitted(load(path))
    return Voting(load(path)) if votes(file.header) else Saved(file)


def answer_of(path: str) -> TextAnswer:
    """Open a model of texts for explanations; `InputError` for one of numbers."""
    from hardlimit.cli.scoring import Saved

    found = judge(path)
    if not found.texts:
        raise InputError(f"{path}: a model of numbers; this command explains answers to texts")
    if not isinstance(found, Saved):
        raise InputError(
            f"{path}: this model answers by a vote, which has no single weight for a term; to "
            "explain answers, train with --readout averaged or last"
        )
    answer: TextAnswer = found.answer
    return answer


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


def program() -> str:
    """Return how this program is called here: by its name where that is found on the way."""
    import shutil

    if shutil.which("hardlimit"):
        return "hardlimit"
    called = sys.argv[0] if os.path.basename(sys.argv[0]).startswith("hardlimit") else ""
    beside = os.path.join(os.path.dirname(sys.executable), "hardlimit")
    for path in (called, beside):
        if path and os.access(path, os.X_OK):
            return quoted(_shortest(path))
    return f"{quoted(sys.executable)} -m hardlimit"


def _shortest(path: str) -> str:
    try:
        return min(path, os.path.relpath(path), key=len)
    except ValueError:  # another drive
        return path


def quoted(path: str) -> str:
    """Return a path as it can be pasted into a shell."""
    import shlex

    return shlex.quote(path)
