"""Several corrections at once, all or none of them; they are tried on a copy of the model first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from hardlimit._native import Overlay
from hardlimit.exceptions import CorrectionError, InputError, KindError
from hardlimit.live import rebuilding
from hardlimit.live.correcting import Correcting, CorrectionOrder, Done, check_label_given
from hardlimit.live.entry import REFUSE, Entry
from hardlimit.live.labels import builtin
from hardlimit.live.ledger import Ledger, MemoryLedger
from hardlimit.live.limits import AuthorLimits, utc_now
from hardlimit.live.receipt import Receipt
from hardlimit.live.reservoir import Reservoir

Pairs = Sequence[tuple[Any, Hashable]]
Live = TypeVar("Live", bound=Correcting)


class CorrectingMany(Correcting):
    """What makes several corrections."""

    def correct_many(
        self,
        corrections: Iterable[tuple[Any, Hashable]],
        *,
        by: str = "",
        margin: float = 1.0,
        step: float = 0.0,
        guards: str = REFUSE,
        new_class: bool = False,
        dry_run: bool = False,
    ) -> list[Receipt]:
        """Make several corrections, one after the other, all or none of them.

        ``corrections`` are pairs (text, label), and the rest is that of :meth:`correct`. Return a
        receipt for each, in their order. They are tried on a copy of the model first, so that a
        refused one leaves everything as it was. Cost: that of each correction twice, and a copy of
        the weights of all corrections.

        Raises
        ------
        CorrectionError
            Some are refused, and none is made: ``refusals`` has the place of each, from 0, and its
            error. A dry run raises it too.
        FileError, LedgerError
            The entries could not be written; the model is as before.
        """
        asked = CorrectionOrder(by, margin, step, guards, new_class, dry_run)
        asked.check()
        given: Pairs = list(corrections)
        if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in given):
            raise KindError(who="correct", parameter="corrections", wanted="pairs (text, label)")
        pairs = [(text, builtin(label)) for text, label in given]
        with self._writing(dry_run):
            self.limits.check_rate(by, utc_now(), len(pairs))
            receipts = self._try(pairs, replace(asked, dry_run=False))
            if dry_run:
                return [self._as_tried(one) for one in receipts]
            receipts = self._make_all(pairs, asked)
        for (text, _), receipt in zip(pairs, receipts, strict=True):
            self._mark(text, receipt)
        return receipts

    def _try(self, pairs: Pairs, asked: CorrectionOrder) -> list[Receipt]:
        """Make the corrections on a copy; raise all that is refused as one error."""
        receipts, refusals = [], []
        with copy_of(self) as copy:
            for place, (text, label) in enumerate(pairs):
                try:
                    check_label_given(label)
                    label = copy.accepted_label(label, "correct", asked.new_class)
                    receipts.append(copy.make_correction(text, label, asked, []))
                except (InputError, KindError) as error:
                    refusals.append((place, error))
        if refusals:
            raise _refusal(refusals, len(pairs))
        return receipts

    def _as_tried(self, receipt: Receipt) -> Receipt:
        return replace(receipt, id=None, dry_run=True, fingerprint=self._fingerprint)

    def _make_all(self, pairs: Pairs, asked: CorrectionOrder) -> list[Receipt]:
        """Make the corrections; where one cannot be written, take all of them back."""
        done: list[Done] = []
        n_terms = self.state.overlay.n_terms
        try:
            return [self.make_correction(text, label, asked, done) for text, label in pairs]
        except BaseException:
            for one in reversed(done):
                self._unmake(one)
            self._forget_terms(n_terms)
            raise


def _refusal(refusals: list[tuple[int, InputError | KindError]], n: int) -> CorrectionError:
    """Return the first refusal, with all of them."""
    place, first = refusals[0]
    more = f" ({len(refusals)} of {n} are refused, so none is made)" if n > 1 else ""
    told = {"where": f"correction {place + 1}{more}", "refusals": tuple(refusals)}
    return CorrectionError(first.reason, **(first.fields | told))


class _After(MemoryLedger):
    """What would come after the entries of another ledger."""

    def __init__(self, base: str, below: Ledger, number: int, fingerprint: str) -> None:
        super().__init__(base)
        self._below, self._number, self._fingerprint = below, number, fingerprint

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the fingerprint after it."""
        n = len(self._entries)
        return self._number + n, self._entries[-1].after if n else self._fingerprint

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield the entries that would come."""
        for entry in self._entries:
            if entry.id >= first and (last is None or entry.id <= last):
                yield entry

    def pick(self, numbers: Iterable[int]) -> list[Entry]:
        """Return entries of the other ledger: the guards."""
        return self._below.pick(numbers)


def copy_of(live: Live) -> Live:
    """Return a model that answers as this one and can be corrected by itself; nobody asks it.

    Cost: all weights of corrections, and the remembered texts.
    """
    ledger = _After(live.base.digest, live.ledger, live.n_entries, live.fingerprint)
    ledger.put_snapshot(rebuilding.take_snapshot(live.state, live.n_entries, live.fingerprint))
    limits = AuthorLimits(live.limits.influence, None)
    copy = type(live)(live.base, ledger, private=live.private, remember=0, recent=0, limits=limits)
    copy.memory = _copied_memory(live, copy.state.overlay)
    return copy


def _copied_memory(live: Correcting, overlay: Overlay) -> Reservoir:
    """Return what is remembered: what the ledger has of it, and what it will get."""
    memory = live.memory
    found = {one.number: one for one in [*live.ledger.remembered(), *memory.added]}
    with live.noting:
        return memory.copy(overlay, [found[n] for n in sorted(memory.texts) if n in found])
