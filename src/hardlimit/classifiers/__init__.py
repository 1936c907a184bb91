"""Classifiers that work without scikit-learn, and with it; loaded on first use."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "KernelClassifier": "kernel",
    "LinearClassifier": "linear",
    "TextAnswer": "model.text_answer",
    "TextClassifier": "text",
    "load": "loading",
    "open_answer": "model.text_answer",
}

__all__ = [*_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit.classifiers' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
