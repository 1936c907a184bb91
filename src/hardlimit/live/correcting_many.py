"""Several corrections at once, all or none of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from hardlimit.exceptions import CorrectionError, InputError, KindError
from hardlimit.live import scratch
from hardlimit.live.correcting import Correcting, CorrectionOrder, Done, check_label_given
from hardlimit.live.entry import REFUSE
from hardlimit.live.labels import builtin
from hardlimit.live.limits import utc_now
from hardlimit.live.receipt import Receipt

Pairs = Sequence[tuple[Any, Hashable]]


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
        with scratch.copy_of(self) as copy:
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
                self._take_back(one.entry, one.effect)
                if one.fresh is not None:
                    with self.noting:
                        self.memory.forget(one.fresh)
            self._forget_terms(n_terms)
            raise


def _refusal(refusals: list[tuple[int, InputError | KindError]], n: int) -> CorrectionError:
    """Return the first refusal, with all of them."""
    place, first = refusals[0]
    more = f" ({len(refusals)} of {n} are refused, so none is made)" if n > 1 else ""
    told = {"where": f"correction {place + 1}{more}", "refusals": tuple(refusals)}
    return CorrectionError(first.reason, **(first.fields | told))
