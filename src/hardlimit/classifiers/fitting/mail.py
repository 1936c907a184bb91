"""A warning where a model of mails rests on their headers."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from hardlimit.exceptions import DataWarning
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.text import mail_headers

if TYPE_CHECKING:
    from hardlimit.classifiers.model.text_model import TextModel


TOP = 10  # terms of each class that are looked at
SHOWN = 5
FIX = "strip the headers before training, and measure on mails from another source"


def warn_of_headers(texts: object, model: TextModel) -> None:
    """Warn if the texts begin with mail headers and telling terms of the model come from there.

    Texts of an iterator are gone by now and not looked at; nor are votes, which have no terms.
    """
    if not isinstance(texts, Sequence) or model.choices.readout == "voted":
        return
    found = mail_headers.find(texts, lambda: telling_terms(model.telling_terms(TOP)))
    if found is not None:
        warnings.warn(
            DataWarning(describe(found), parameter="texts", fix=FIX),
            stacklevel=caller_stacklevel(),
        )


def telling_terms(terms_of_classes: Mapping[Hashable, list[tuple[str, float]]]) -> list[str]:
    """Return the terms that speak for their class, the first of each class, then the second."""
    rows = zip_longest(*terms_of_classes.values(), fillvalue=("", 0.0))
    return [term for row in rows for term, weight in row if weight > 0]


def describe(found: mail_headers.MailHeaders) -> str:
    """Say what the headers do to the figures."""
    terms = ", ".join(repr(term) for term in found.terms[:SHOWN])
    left = len(found.terms) - SHOWN
    more = f" and {plural(left, 'other')}" if left > 0 else ""
    return (
        f"the texts begin with mail headers ({', '.join(found.names[:SHOWN])}, ...), and telling "
        f"terms come from there: {terms}{more}; such terms tell where a mail comes from, so that "
        "held-out mails of the same source flatter the model"
    )
