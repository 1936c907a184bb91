"""Labels that differ only in case, blanks or Unicode form: what they have in common, and one name.

::

    fold(label) = NFKC, lower case as Unicode folds it, blanks around it left out, those inside one

The name of a group is the most frequent spelling in it, in the form NFC and without blanks around.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from hardlimit.exceptions import InputError, Setting

_NAMED = 10


def fold(label: str) -> str:
    r"""Return what a label has in common with its other spellings.

    >>> fold(" Spam "), fold("SPAM"), fold("caf\u00e9") == fold("CAFE\u0301")
    ('spam', 'spam', True)
    """
    # NFKC too: the same word from another keyboard may differ in its code points only
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


def tidy(label: str) -> str:
    """Return a spelling without blanks around it; one of blanks only stays.

    >>> tidy(" free  stuff "), tidy("  ")
    ('free stuff', '  ')
    """
    return " ".join(unicodedata.normalize("NFC", label).split()) or label


class Spellings:
    """The one name of each group of labels that differ only in their spelling.

    known : the names that there are already, such as the classes of a model.

    >>> spellings = Spellings()
    >>> spellings.take({"spam": 7, "Spam": 2, "ham ": 5, 3: 1})
    >>> spellings.names(["SPAM", "Ham", 3, ("ham", "HAM ", "new")])
    ['spam', 'ham', 3, ('ham', 'new')]

    Raises
    ------
    InputError
        Two known names are of one group.
    """

    def __init__(self, known: Iterable[Any] = ()) -> None:
        self._names: dict[str, str] = {}
        self._known: dict[str, str] = {}
        for label in known:
            if isinstance(label, str):
                other = self._names.setdefault(fold(label), label)
                if other != label:
                    raise InputError(
                        f"the model has {other!r} and {label!r}, which would be one label",
                        fix=("train it with ", Setting("fold_labels", True)),
                    )

    def take(self, counts: Mapping[Any, int]) -> None:
        """Name the groups of some labels that have no name yet, by how often each spelling is."""
        groups: dict[str, Counter[str]] = {}
        for label, n in counts.items():
            if isinstance(label, str) and fold(label) not in self._names:
                groups.setdefault(fold(label), Counter())[tidy(label)] += n
        for key, spelled in groups.items():
            # Of equal frequency the first by its code points: whatever order the rows have.
            self._names[key] = min(spelled, key=lambda one: (-spelled[one], one))

    def names(self, labels: Iterable[Any]) -> list[Any]:
        """Return the names of labels; of several an example once each, in their order."""
        known = self._known
        return [
            tuple(dict.fromkeys(map(self._name, label)))
            if isinstance(label, tuple)
            else known[label]
            if type(label) is str and label in known
            else self._name(label)
            for label in labels
        ]

    def _name(self, label: object) -> Any:
        if not isinstance(label, str):
            return label
        found = self._known.get(label)
        if found is None:
            # A new group in a stream is called as it comes first.
            found = self._known[label] = self._names.setdefault(fold(label), tidy(label))
        return found

    def notes(self, counts: Mapping[Any, int]) -> list[str]:
        """Return a sentence on the spellings that were given up, by how often each label came.

        >>> spellings = Spellings(["ham"])
        >>> spellings.notes({"ham": 9, "Ham": 2, "ham ": 1})
        ["labels made one: 'ham' is also 'Ham' (2), 'ham ' (1)"]
        """
        others: dict[str, list[str]] = {}
        for label, n in sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))):
            name = self._name(label)
            if name != label:
                others.setdefault(name, []).append(f"{label!r} ({n:,})")
        groups = [
            f"{name!r} is also {', '.join(some[:_NAMED])}{', ...' if len(some) > _NAMED else ''}"
            for name, some in [*others.items()][:_NAMED]
        ]
        more = "; ..." if len(others) > _NAMED else ""
        return [f"labels made one: {'; '.join(groups)}{more}"] if groups else []


def folds(layout: object) -> bool:
    """Tell whether labels are to be folded, by a layout or settings; None says nothing of it."""
    found = (
        layout.get("fold_labels")
        if isinstance(layout, Mapping)
        else getattr(layout, "fold_labels", None)
    )
    return bool(found)


def without_folding(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a reader of numbers, which gives labels as they stand."""
    return {name: value for name, value in settings.items() if name != "fold_labels"}
