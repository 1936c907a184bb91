"""A set of labels an example: any number of them, also none."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook, as_list, sorted_book
from hardlimit.classifiers.model.many_labels import SETS, ManyBook, ManyLabels
from hardlimit.classifiers.targets._checks import ROWS, refuse_class_weight
from hardlimit.classifiers.targets._protocol import Counts
from hardlimit.classifiers.targets._several import NeuronEncoder, SeveralLabels
from hardlimit.classifiers.targets.spelled import Spelled
from hardlimit.exceptions import DataFormatError, DataWarning
from hardlimit.foundation.package import caller_stacklevel

if TYPE_CHECKING:
    from hardlimit.evaluation.several_labels import LabelFigures
    from hardlimit.foundation.types import Targets
    from hardlimit.readers import Spellings

_MOST_NAMED = 10  # labels that came late


@dataclass(frozen=True)
class LabelSets(SeveralLabels):
    """Each example has a set of labels.

    separator : what stands between them in a file.    spellings : what makes labels one that
    differ only in case or blanks; None where none are made one.
    """

    separator: str | None = None
    spellings: Spellings | None = None

    def items_of(self, y: Targets) -> list[tuple[Any, ...]]:
        """Return the labels of each set, each once."""
        return many_labels.as_items(y, SETS)[0]

    def settled(self, items: Sequence[Any]) -> LabelSets:
        """Return these targets: labels of sets are what they are."""
        return self

    def folded(self, spellings: Spellings) -> LabelSets:
        """Return targets that make labels one that differ only in their spelling."""
        return replace(self, spellings=spellings)

    def plain(self, items: list[Any]) -> list[Any]:
        """Return sets with the usual spelling of each label."""
        return items if self.spellings is None else self.spellings.names(items)

    def count(self, items: Sequence[Any]) -> Counts:
        """Count the examples of each label, and all of them.

        >>> LabelSets().count([("a", "b"), (), ("b",)])
        Counter({None: 3, 'b': 2, 'a': 1})
        """
        counts: Counts = Counter(chain.from_iterable(items))
        counts[ROWS] = len(items)
        return counts

    def plain_counts(self, counts: Counts) -> Counts:
        """Return the examples of each label in its usual spelling."""
        each = self.rows_of_each(counts)
        found: Counts = Counter()
        for label, n in zip(self.plain(list(each)), each.values(), strict=True):
            found[label] += n
        found[ROWS] = counts[ROWS]
        return found

    def require(self, counts: Counts, where: str) -> None:
        """Refuse examples of which none has a label."""
        if not self.rows_of_each(counts):
            raise DataFormatError("no row has a label", where=where)

    def rows_of_each(self, counts: Counts, book: LabelBook | None = None) -> Counts:
        """Return the examples that have each label."""
        return Counter({label: n for label, n in counts.items() if label is not ROWS})

    def open_book(
        self,
        choices: Choices,
        head: Sequence[Any],
        counts: Counts | None = None,
        named: object = None,
        *,
        whole: bool = False,
    ) -> ManyBook:
        """Return the labels at the start: those named, all that were counted, or the head's."""
        refuse_class_weight(choices)
        if isinstance(named, Spelled):
            named = named.read(label for labels in head for label in labels)
        if named is not None:
            return ManyBook(sorted_book(as_list(named)).numbers)
        if counts is not None:
            head = [tuple(self.rows_of_each(counts))]
        return many_labels.read_targets(_as_sets(head)).book

    def known(self, items: Sequence[Any], book: LabelBook) -> ManyLabels:
        """Return the targets of examples whose labels the book knows."""
        assert isinstance(book, ManyBook)  # of these targets
        return many_labels.read_targets(_as_sets(items), book)

    def encoder(self, choices: Choices, counts: Counts | None) -> SetEncoder:
        """Return what makes targets of a stream."""
        return SetEncoder(self)

    def split(
        self, digests: Sequence[bytes], items: Sequence[Any], part: float
    ) -> tuple[list[int], list[int]]:
        """Hold out rows so that every label has its share."""
        from hardlimit.evaluation.holdout import hold_out_sets  # start-up: few hold rows out

        return hold_out_sets(digests, items, part)

    def figures(self, labels: ManyLabels, answers: Sequence[Any]) -> LabelFigures:
        """Compare answers with labels."""
        from hardlimit.evaluation.several_labels import figures_of_label_sets

        wanted = labels.book.name_targets(labels.truth).tolist()
        return figures_of_label_sets(wanted, answers, labels=list(labels.book.numbers))


def _as_sets(items: Sequence[Any]) -> list[frozenset[Any]]:
    """Return what cannot be taken for a matrix, as tuples of numbers could."""
    return list(map(frozenset, items))


class SetEncoder(NeuronEncoder):
    """Leaves labels out that nobody knew at the start."""

    def learnable(self, book: LabelBook, items: Sequence[Any]) -> Sequence[Any]:
        """Return the rows without labels that came late."""
        known = book.numbers
        strange = dict.fromkeys(label for row in items for label in row if label not in known)
        if not strange:
            return items
        book.check_alike(strange)
        for label in strange:
            if label in self.late:
                continue
            self.late.append(label)
            if len(self.late) <= _MOST_NAMED:
                more = "; others of that kind are not told" if len(self.late) == _MOST_NAMED else ""
                warnings.warn(
                    DataWarning(
                        f"the label {label!r} came first after the rows that the labels were taken "
                        f"from, and is not learnt{more}",
                        parameter="labels",
                        fix="name all labels, classes=[...]",
                        topic="late-label",
                    ),
                    stacklevel=caller_stacklevel(),
                )
        return [tuple(label for label in row if label in known) for row in items]
