"""Which class a label means, and that no class is made by a typing error.

Every way to correct, to confirm and to guard passes here:

====================================================== =========================================
the label                                              what happens
====================================================== =========================================
is one of the model's                                  it is taken
differs from one only in case, blanks or Unicode form  it is refused, always
is another one                                         it is refused, unless a new class is wanted
====================================================== =========================================

Each refusal names the nearest label that the model has. Entries of a ledger are replayed without
these questions: what was acknowledged stays.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Sequence

from hardlimit.exceptions import CorrectionError, Given, Setting
from hardlimit.foundation import names
from hardlimit.foundation.formatting import format_label
from hardlimit.foundation.suggesting import find_nearest

# Labels that a message lists.
_LISTED = 6


def find_label(given: Hashable, classes: Sequence[Hashable]) -> Hashable:
    """Return the class that somebody typed or sent as JSON.

    A label that is none of them stays what it is; of a model whose labels are all numbers of one
    kind, a number that was typed becomes one of them.

    >>> find_label("3", [1, 3]), find_label(3, ["3", "4"]), find_label("new", [1, 3])
    (3, '3', 'new')
    >>> find_label("7", [1, 3]), find_label("7", [0.5, 1.0]), find_label(" 7", [1, 3])
    (7, 7.0, ' 7')
    """
    for label in classes:
        # 1 == True == 1.0, and each of them is a label of its own.
        if type(label) is type(given) and label == given:
            return label
    shown, is_number = format_label(given), _is_number(given)
    for label in classes:
        if format_label(label) == shown or is_number and _is_number(label) and label == given:
            return label
    # What int() and float() allow beside a number is no number that was meant.
    if isinstance(given, str) and given.isascii() and not {" ", "\t", "_"} & {*given}:
        for kind in (int, float):
            if all(type(label) is kind for label in classes):
                try:
                    return kind(given)
                except ValueError:
                    return given
    return given


def builtin(label: Hashable) -> Hashable:
    """Return a label of numpy as the same one of Python's own types.

    >>> import numpy as np
    >>> builtin(np.int64(3)), builtin(np.str_("ham")), builtin("ham")
    (3, 'ham', 'ham')
    """
    if type(label).__module__ == "numpy" and hasattr(label, "item"):
        plain: Hashable = label.item()
        return plain
    return label


def _is_number(label: Hashable) -> bool:
    return isinstance(label, int | float) and not isinstance(label, bool)


def check_known(
    label: Hashable, classes: Sequence[Hashable], *, who: str, new_class: bool = False
) -> None:
    """Refuse a label that the model does not know, or that could be taken for one that it knows.

    new_class : whether any other label is wanted as a new class.

    Raises
    ------
    CorrectionError
        "look-alike-label" or "unknown-label", with ``label`` and ``nearest``.
    InputError
        A new class whose name nobody could read.
    """
    if label in classes:
        return
    text = _text(label)
    if len(text) <= names.MOST_NAME:
        _refuse_look_alike(label, classes, who)
    if new_class:
        names.check_name(text, "label")
        return
    nearest = find_nearest_label(label, classes)
    told = f", and the nearest that it has is {_shown(nearest)}" if nearest is not None else ""
    few = ", ".join(map(_shown, classes)) if len(classes) <= _LISTED else "its labels"
    fix = (f"use one of {few}, or make a new class with ", Setting("new_class", True))
    raise CorrectionError(
        f"the model has no such label{told}",
        who=who,
        parameter="label",
        got=Given(_shown(label)),
        topic="unknown-label",
        fix=fix if who == "correct" else f"use one of {few}",
        label=label,
        nearest=nearest,
    )


def _refuse_look_alike(label: Hashable, classes: Sequence[Hashable], who: str) -> None:
    folded = _fold(_text(label))
    for known in classes:
        if folded and len(_text(known)) <= names.MOST_NAME and _fold(_text(known)) == folded:
            raise CorrectionError(
                f"it differs from the label {_shown(known)} only in case, blanks, invisible "
                "characters or Unicode form",
                who=who,
                parameter="label",
                got=Given(_shown(label)),
                topic="look-alike-label",
                fix=f"use {_shown(known)}",
                label=label,
                nearest=known,
            )


def find_nearest_label(label: Hashable, classes: Sequence[Hashable]) -> Hashable | None:
    """Return the class that is most like a label, however little that is.

    >>> find_nearest_label("spma", ["ham", "spam"]), find_nearest_label(12, [1, 2, 9])
    ('spam', 9)
    """
    numbers = [one for one in classes if isinstance(one, int | float)]
    if isinstance(label, int | float) and numbers:
        return min(numbers, key=lambda one: abs(one - label))
    folded = {_fold(_text(one)[: names.MOST_NAME]): one for one in reversed(classes)}
    found = find_nearest(_fold(_text(label)[: names.MOST_NAME]), folded, least=0.0)
    return None if found is None else folded[found]


def _fold(text: str) -> str:
    """Return a text without what people overlook: case, blanks, what is invisible, Unicode form.

    >>> _fold("S\u200bpam ") == _fold("\uff33PAM"), _fold("cafe\u0301") == _fold("Caf\u00e9")
    (True, True)
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(one for one in folded if one.isprintable() and one != " ")


def _text(label: Hashable) -> str:
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)


def _shown(label: Hashable) -> str:
    """Return a label as a message shows it: escapes for what nobody sees."""
    text = _text(label)
    if len(text) > 80:
        text = text[:80] + "..."
    if isinstance(label, bytes):
        return repr(label[:80])
    if not isinstance(label, str):
        return text
    return ascii(text) if names.find_invisible(text) else repr(text)
