"""Hold out a part of the rows: stratified, duplicates together, stable by hash.

Every distinct text is one group, and its keyed BLAKE2b digest its place in line: within its class,
the groups first in line are held out until the class has its fraction. So the sides depend on the
set of documents and on the seed, not on the order of the file, the platform or the process.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardlimit.evaluation.label_folds import Labels, deal_label_sets
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural

DIGEST = 16  # bytes


@dataclass(slots=True)
class _Group:
    """The rows of one text."""

    digest: bytes
    rows: list[int] = field(default_factory=list)
    label: Any = None


def stratified_holdout(
    texts: Sequence[str | bytes], labels: Sequence[Hashable], fraction: float, seed: int = 0
) -> tuple[list[int], list[int]]:
    """Split rows into training and held-out ones.

    Parameters
    ----------
    texts, labels
        One each a row.
    fraction
        Of each class that is held out, between 0 and 1, both excluded; a class gets as near to it
        as its duplicates allow, and keeps at least one training row.
    seed
        Another seed, another split.

    Returns
    -------
    tuple of list of int
        Numbers of the training rows and of the held-out rows, both ascending. O(rows log rows)
        time, 16 bytes of digest a distinct text.

    Raises
    ------
    InputError
        The fraction is not between 0 and 1, or there are too few rows to hold any out.

    Examples
    --------
    >>> texts = ["a", "b", "c", "a", "d", "e", "f", "g"]
    >>> train, test = stratified_holdout(texts, ["x"] * 4 + ["y"] * 4, 0.25)
    >>> len(train), len(test), (0 in test) == (3 in test)
    (6, 2, True)
    """
    _check(texts, labels, fraction)
    return hold_out([row_digest(text, seed) for text in texts], labels, fraction)


def row_digest(text: str | bytes, seed: int = 0) -> bytes:
    """Return the place in line of a text."""
    # Lone surrogates, of file names for instance, have bytes too.
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    # BLAKE2b refuses keys of more than 64 bytes.
    return hashlib.blake2b(data, digest_size=DIGEST, key=str(seed).encode()[:64]).digest()


def hold_out(
    digests: Sequence[bytes], labels: Sequence[Hashable], fraction: float
) -> tuple[list[int], list[int]]:
    """Do what `stratified_holdout` does, by the digests of the texts."""
    _check(digests, labels, fraction)
    groups = _group(digests, labels)
    held: set[bytes] = set()
    by_class: dict[Any, list[_Group]] = {}
    for group in groups:
        by_class.setdefault(group.label, []).append(group)
    for members in by_class.values():
        held |= _choose_held(members, fraction)
    _keep_every_class(groups, labels, held)
    return _split(groups, held, fraction, plural(len(by_class), "class", "classes"))


def label_holdout(
    texts: Sequence[str | bytes], labels: Sequence[Labels], fraction: float, seed: int = 0
) -> tuple[list[int], list[int]]:
    """Split rows with several labels each, so that every label has its share on both sides.

    As `stratified_holdout`, by the iterative stratification of `label_folds`: each label is held
    out as nearly by the fraction as the other labels of its rows allow, and keeps at least one
    training row. Equal texts count with all labels that any of them has.

    Examples
    --------
    >>> texts, labels = list("abcdefgh"), [{"x"}, {"x", "y"}, {"y"}, set()] * 2
    >>> train, test = label_holdout(texts, labels, 0.5)
    >>> sorted(sorted(labels[row]) for row in test)
    [[], ['x'], ['x', 'y'], ['y']]
    """
    _check(texts, labels, fraction)
    return hold_out_sets([row_digest(text, seed) for text in texts], labels, fraction)


def hold_out_sets(
    digests: Sequence[bytes], labels: Sequence[Labels], fraction: float
) -> tuple[list[int], list[int]]:
    """Do what `label_holdout` does, by the digests of the texts."""
    _check(digests, labels, fraction)
    groups = _group(digests, [frozenset(one) for one in labels])
    sets = [frozenset().union(*(labels[row] for row in group.rows)) for group in groups]
    sizes = [len(group.rows) for group in groups]
    parts = deal_label_sets(sets, [1 - fraction, fraction], sizes)
    held = {group.digest for group, part in zip(groups, parts, strict=True) if part}
    left = Counter(
        label for one, part in zip(sets, parts, strict=True) if not part for label in one
    )
    for group, one in zip(reversed(groups), reversed(sets), strict=True):
        if group.digest in held and any(not left[label] for label in one):
            held.discard(group.digest)
            left.update(one)
    return _split(groups, held, fraction, plural(len({x for one in sets for x in one}), "label"))


def _check(texts: Sequence[object], labels: Sequence[object], fraction: float) -> None:
    if not 0 < fraction < 1:
        raise InputError(
            who="holdout", parameter="fraction", got=fraction, wanted="more than 0 and less than 1"
        )
    if len(texts) != len(labels):
        raise InputError(
            f"{plural(len(texts), 'text')}, but {plural(len(labels), 'label')}", who="holdout"
        )


def _split(
    groups: list[_Group], held: set[bytes], fraction: float, classes: str
) -> tuple[list[int], list[int]]:
    """Return the rows to learn from and those held out, of which there must be some."""
    n = sum(len(group.rows) for group in groups)
    test = sorted(row for group in groups if group.digest in held for row in group.rows)
    if not test:
        raise InputError(
            f"{plural(n, 'row')} of {classes} are too few to hold out {fraction}",
            who="holdout",
            fix="give a larger fraction or a file of its own",
        )
    is_test = set(test)
    return [row for row in range(n) if row not in is_test], test


def _group(digests: Sequence[bytes], labels: Sequence[Hashable]) -> list[_Group]:
    """Gather equal texts, in line by digest; of several labels the most frequent one counts."""
    by_digest: dict[bytes, _Group] = {}
    for row, digest in enumerate(digests):
        by_digest.setdefault(digest, _Group(digest)).rows.append(row)
    for group in by_digest.values():
        counts = Counter(labels[row] for row in group.rows)
        # Of equal counts the first in spelling: the split must not depend on the order of rows.
        group.label = min(counts, key=lambda label: (-counts[label], repr(label)))
    return sorted(by_digest.values(), key=lambda group: group.digest)


def _choose_held(members: list[_Group], fraction: float) -> set[bytes]:
    """Take groups while that brings the class nearer to its fraction."""
    wanted = fraction * sum(len(group.rows) for group in members)
    taken = 0
    held: set[bytes] = set()
    for group in members:
        # A group of many duplicates is left out where taking it would overshoot by more.
        if abs(taken + len(group.rows) - wanted) < abs(taken - wanted):
            held.add(group.digest)
            taken += len(group.rows)
    return held


def _keep_every_class(groups: list[_Group], labels: Sequence[Hashable], held: set[bytes]) -> None:
    """Give a class back its last group if all its rows ended on the held-out side."""
    left = Counter(
        labels[row] for group in groups if group.digest not in held for row in group.rows
    )
    # From the back: what was taken last goes back first.
    for group in reversed(groups):
        if group.digest in held and any(not left[labels[row]] for row in group.rows):
            held.discard(group.digest)
            left.update(labels[row] for row in group.rows)


def match_labels(labels: Sequence[Hashable], classes: Sequence[Hashable]) -> list[Any]:
    """Match labels that a file without types spells as text with the model's.

    >>> match_labels(["1", 2, "three"], [1, 2])
    [1, 2, 'three']
    """
    by_name = {str(label): label for label in classes}
    known = set(classes)
    return [x if x in known else by_name.get(str(x), x) for x in labels]
