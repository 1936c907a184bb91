"""Opening a live model: the base in its file, the ledger beside it or at a URL."""

from __future__ import annotations

import importlib
import os
from typing import Any

from hardlimit import classifiers
from hardlimit.classifiers.model.ask import Ask
from hardlimit.classifiers.model.conflicts_of_requests import check_request
from hardlimit.exceptions import InputError, LedgerError, ModelFileError
from hardlimit.foundation.inputs import check_path
from hardlimit.foundation.labels import check_threshold
from hardlimit.live.base import Base
from hardlimit.live.following import check_abstain
from hardlimit.live.ledger import Ledger, MemoryLedger
from hardlimit.live.limits import AuthorLimits
from hardlimit.live.model import LiveModel

# What follows the name of a model file in that of its ledger.
SUFFIX = ".ledger"
POSTGRESQL = ("postgresql://", "postgres://")


def open_live(
    path: str | os.PathLike[str],
    ledger: str | os.PathLike[str] | None = "",
    *,
    private: bool = False,
    read_only: bool = False,
    remember: int = 500,
    recent: int = 100,
    influence: float | None = None,
    rate: tuple[int, float] | None = None,
    abstain: float | None = None,
    threshold: float | None = None,
) -> LiveModel:
    """Open a model to be corrected while it answers; its file is never touched.

    Parameters
    ----------
    path : of the model file: texts, texts in several columns, mixed tables or rows of numbers, with
        one vector of weights a class
    ledger : "" for ``path + ".ledger"``, another path, a URL ``postgresql://...``, or None for
        corrections that end with the process
    private : whether the ledger keeps only the features of texts
    read_only : whether corrections are refused; a ledger that is not there is then not made
    remember : texts in the sample whose flips corrections tell; 0 for none
    recent : the latest texts that are remembered beside it
    influence : the sum of the lengths of an author's corrections may not exceed it; None: it may
    rate : ``(corrections, seconds)`` that one author may make; None: any
    abstain : the probability below which an answer abstains (:meth:`LiveModel.answer`), as does any
        text without a known term; None: never
    threshold : of two classes what a score must exceed for the second, in this process; corrections
        and guards of this process aim at it too, and each entry of the ledger remembers which one
        it was made with; None: that of the file

    Raises
    ------
    FileError, ModelFileError, LedgerError
        A file that cannot be read; a ledger that is cut off, edited, newer or of another model.
    InputError
        A model that takes no corrections, with the reason.

    Examples
    --------
    >>> import hardlimit as hl, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "spam.hardlimit")
    >>> hl.TextClassifier().fit(["win a prize", "lunch at noon"], ["spam", "ham"]).save(path)
    >>> with hl.open_live(path) as live:
    ...     print(live.correct("win the match at noon", "ham", by="alice").id)
    1
    >>> with hl.open_live(path) as live:
    ...     print(live.predict(["win the match at noon"]), [e.author for e in live.log()])
    ['ham'] ['alice']
    """
    limits = AuthorLimits(influence, rate)
    for name, number in (("remember", remember), ("recent", recent)):
        if type(number) is not int or not 0 <= number <= 1_000_000:
            raise InputError(parameter=name, got=number, wanted="a whole number from 0 to 1000000")
    base = open_base(check_path(path), threshold)
    opened = _open_ledger(ledger, base, read_only)
    try:
        live = LiveModel(
            base,
            opened,
            private=private,
            read_only=read_only,
            remember=remember,
            recent=recent,
            limits=limits,
            abstain=check_abstain(abstain),
        )
        if rate is not None:
            live.count_recent()
    except BaseException:
        opened.close()
        raise
    return live


def _open_ledger(ledger: str | os.PathLike[str] | None, base: Base[Any], read_only: bool) -> Ledger:
    if ledger is None:
        return MemoryLedger(base.digest)
    where = os.fspath(ledger) or os.fspath(base.path) + SUFFIX
    if where.startswith(POSTGRESQL):
        from hardlimit.live.postgresql import PostgresqlLedger  # late: an extra

        return PostgresqlLedger(where, base.digest, read_only)
    from hardlimit.live.file_ledger import FileLedger  # late: a process without a ledger

    if read_only and not os.path.lexists(where):
        return MemoryLedger(base.digest)
    try:
        return FileLedger(where, base.digest, read_only)
    except LedgerError as refused:
        if refused.topic != "another-model" or read_only:
            raise
        from hardlimit.live.succession import succeed  # late: it happens once in a model's life

        return succeed(where, base, refused)


def open_base(path: str | os.PathLike[str], threshold: float | None = None) -> Base[Any]:
    """Open the base in a model file, to decide by its own threshold or by another one.

    Raises
    ------
    InputError
        A model that answers by votes or by a kernel, or one of several labels a row; a threshold
        for other than two classes.
    """
    base = _open_base(path)
    if threshold is not None:
        check_threshold(threshold, len(base.classes), decides=len(base.classes) == 2)
        base.threshold = float(threshold)
    return base


def _open_base(path: str | os.PathLike[str]) -> Base[Any]:
    file = classifiers.open_file(path)
    if any(name.startswith("answer.votes.") for name in file.names):
        raise InputError(
            "this model answers by the votes of many hypotheses, which a correction cannot move",
            who="open_live",
            where=str(file.path),
            fix="train with readout='averaged' or 'last'",
        )
    kind = classifiers.KINDS.get(file.kind)
    if kind is None:
        known = [f"a '{name}'" for name, one in classifiers.KINDS.items() if one.base is not None]
        fix = "corrections know " + ", ".join(known)
        raise ModelFileError(f"holds a '{file.kind}'", where=str(file.path), fix=fix)
    if kind.base is None:
        raise _refusal(kind, str(file.path))
    module, name = kind.base
    # Late: texts do without numpy.
    base: Base[Any] = getattr(importlib.import_module(f"hardlimit.live.{module}"), name)(file)
    return base


def _refusal(kind: classifiers.ModelKind, path: str) -> Exception:
    """Return why the table of conflicts refuses corrections of models of a kind."""
    try:
        check_request(Ask(command="correct", features=kind.features, targets=kind.targets))
    except InputError as error:
        return error.replaced(where=path)
    raise AssertionError("corrections that the table of conflicts allows have a base")
