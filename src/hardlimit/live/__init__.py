"""A model that lives: corrections with a guarantee, exact undo, and a ledger that loses nothing.

A model file is the *base*, which never changes. Corrections are an *overlay* on its scores::

    score_k = base_k + sum over the row of overlay(column, k) * value

The *ledger* holds every correction; the overlay is what replaying it gives, bit for bit
(``docs/ledger-format.md``). :func:`open_live` joins the two.

>>> import hardlimit as hl, tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "spam.hardlimit")
>>> texts = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
>>> hl.TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"]).save(path)
>>> live = hl.open_live(path, ledger=None)
>>> receipt = live.correct("the prize of the book club", "ham", by="alice")
>>> receipt.before.label, receipt.after.label, receipt.after.margin >= 1.0
('spam', 'ham', True)
>>> live.undo(receipt.id).after.label
'spam'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hardlimit.foundation.package import list_only_public

if TYPE_CHECKING:
    from hardlimit.live.model import LiveModel as LiveModel
    from hardlimit.live.opening import open_live as open_live

_HOMES = {
    "compare": "difference",
    "compare_live": "difference",
    "LiveModel": "model",
    "Receipt": "answer",
    "open_live": "opening",
}

__all__ = [*_HOMES]  # noqa: PLE0604

list_only_public(globals())


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit.live' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
