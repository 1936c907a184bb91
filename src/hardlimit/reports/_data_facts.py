"""What the rows themselves say: duplicates, disagreement, rows that training has seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.engine import is_sparse
from hardlimit.foundation.formatting import plural
from hardlimit.reports import _twins
from hardlimit.reports._markup import Markup, joined, shown
from hardlimit.reports._tables import percent

if TYPE_CHECKING:
    from hardlimit.reports._study import Study


@dataclass
class DataFacts:
    """Duplicates of the rows, among themselves and with training's."""

    study: Study

    @cached_property
    def keys(self) -> list[bytes]:
        """A key a row, equal where rows are."""
        return _twins.exact_keys(self.study.data.examples)

    @cached_property
    def folded(self) -> list[bytes]:
        """A key a row, equal where rows are but for case and white space."""
        if not self.study.is_text:
            return self.keys
        return _twins.folded_keys(self.study.data.examples)

    @cached_property
    def exact(self) -> _twins.Twins:
        """Rows that are equal."""
        return _twins.twins(self.keys)

    @cached_property
    def alike(self) -> _twins.Twins:
        """Rows that are equal but for case and white space; of numbers, equal rows."""
        return _twins.twins(self.folded)

    @cached_property
    def conflicts(self) -> list[_twins.Conflict]:
        """Groups of alike rows with different labels."""
        return self.alike.conflicts(self.study.true) if self.study.judged else []

    @cached_property
    def seen(self) -> np.ndarray[Any, Any] | None:
        """Which rows stand among the training rows too; None where those were not given."""
        train = self.study.train
        if train is None:
            return None
        known = set(
            _twins.folded_keys(train.examples)
            if self.study.is_text
            else _twins.exact_keys(train.examples)
        )
        return np.fromiter((key in known for key in self.folded), bool, len(self.folded))

    @cached_property
    def empty(self) -> int:
        """Texts of white space only, or rows of zeros."""
        examples = self.study.data.examples
        if self.study.is_text:
            return sum(not one.strip() for one in examples)
        if is_sparse(examples):
            return sum(
                not examples.data[a:b].any()
                for a, b in zip(examples.indptr, examples.indptr[1:], strict=False)
            )
        return int((~np.asarray(examples).any(axis=1)).sum())


def remarks(study: Study) -> list[Markup | str | None]:
    """What could change the meaning of the figures."""
    return [_unseen(study), _unknown(study), _seen(study), _conflicts(study), _repeated(study)]


def _unseen(study: Study) -> Markup | None:
    unseen = study.figures.unseen if study.judged else {}
    if not unseen:
        return None
    named = [
        [", " if at else "", shown(label), f" ({n:,})"]
        for at, (label, n) in enumerate(list(unseen.items())[:10])
    ]
    more = f" and {len(unseen) - 10} more" if len(unseen) > 10 else ""
    return joined(["Labels that the model does not know, counted as mistakes: ", named, more, "."])


def _unknown(study: Study) -> str | None:
    blank = 0 if study.known is None else int((study.known == 0).sum())
    if not blank:
        return None
    texts = plural(blank, "text has", "texts have")
    return f"{texts} no term that the model knows: answered by default."


def _seen(study: Study) -> str | None:
    seen = study.facts.seen
    if seen is None or not seen.any():
        return None
    said = f"{plural(int(seen.sum()), study.thing)} of {len(seen):,} stand in the training file too"
    if study.judged and not seen.all():
        new, old = study.right[~seen].mean(), study.right[seen].mean()
        said += f": {percent(float(old))} of those are right, and {percent(float(new))} of the new"
    return said + "."


def _conflicts(study: Study) -> str | None:
    found = study.facts.conflicts
    if not found:
        return None
    groups = plural(len(found), f"{study.thing} stands", f"different {study.thing}s stand")
    wrong = _twins.fewest_wrong(found)
    return (
        f"{groups} there with different labels: no classifier can be right on "
        f"{plural(wrong, 'of those rows', 'of those rows')}."
    )


def _repeated(study: Study) -> str | None:
    repeated = study.facts.alike.repeated
    if repeated * 20 < len(study.data):
        return None
    return (
        f"{plural(repeated, study.thing)} repeat an earlier one: the rows are fewer than they "
        "seem, "
        "and the intervals narrower than they should be."
    )
