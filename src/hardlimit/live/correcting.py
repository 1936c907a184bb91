"""Corrections with a guarantee: the smallest change after which a text has its label.

Several corrections are made all or none: they are tried on a copy of the model first.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from hardlimit._native import LiveRow, Overlay
from hardlimit.exceptions import CorrectionError, InputError, KindError, Setting
from hardlimit.live import rebuilding
from hardlimit.live.answer import Receipt
from hardlimit.live.base import Kept, check_row
from hardlimit.live.effect import REFUSED, Effect
from hardlimit.live.entry import POLICIES, REFUSE, THRESHOLD, Entry
from hardlimit.live.kinds import CORRECT
from hardlimit.live.labels import builtin, check_known
from hardlimit.live.ledger import Ledger, MemoryLedger
from hardlimit.live.limits import AuthorLimits, utc_now
from hardlimit.live.reservoir import Reservoir
from hardlimit.live.scoring import said_probability
from hardlimit.live.writing import Writing, check_author, details

# A larger one would drown all other weights.
MOST_MARGIN = 1e9
Pairs = Sequence[tuple[Any, Hashable]]


@dataclass(frozen=True, slots=True)
class CorrectionOrder:
    """How corrections are to be made; the parameters of :meth:`LiveModel.correct`."""

    by: str
    margin: float
    step: float
    guards: str
    new_class: bool
    dry_run: bool

    def check(self) -> None:
        """Refuse values that cannot be used."""
        check_settings(self.margin, self.guards, self.by)
        check_step(self.step)


class Done(NamedTuple):
    """A correction that was made; ``fresh``: the number of its text, if that is remembered anew."""

    entry: Entry
    effect: Effect
    fresh: int | None


class Correcting(Writing):
    """What moves the weights."""

    def correct(
        self,
        text: object,
        label: Hashable,
        *,
        by: str = "",
        margin: float = 1.0,
        step: float = 0.0,
        guards: str = REFUSE,
        new_class: bool = False,
        dry_run: bool = False,
    ) -> Receipt:
        """Make the smallest change of the weights after which this text has its label.

        Parameters
        ----------
        text : str or bytes; of a model of several columns a dict of them, or its JSON; of a model
            of numbers one row
        label : a class; another label is refused, unless ``new_class`` wants it
        by : who says so
        margin : by how much the label beats every other one afterwards, > 0
        step : of a text whose margin is too small, the margin grows by at least ``step`` squared
            lengths of its row, as by a step of a perceptron. The smallest change (0) learns little
            from a text that was nearly right, and most from one that was confidently wrong, where
            labels that are mistaken are found too. About 2 for texts that come from elsewhere than
            those of training; see the guide on corrections
        guards : what to do where the change would flip a guard: "refuse" it, "solve" for the
            smallest change that leaves the guards, or only "flag" them
        new_class : whether a label that the model does not know becomes a class. One that differs
            from a known label only in case, blanks or Unicode form never does
        dry_run : whether to tell what would happen and change nothing

        Raises
        ------
        CorrectionError
            A label that the model does not know ("unknown-label", "look-alike-label"); no known
            and no new term; a guard in the way; a limit of the author; read-only.
        FileError, LedgerError
            The entry could not be written; the model is as before.
        """
        asked = CorrectionOrder(by, margin, step, guards, new_class, dry_run)
        asked.check()
        check_label_given(label)
        label = self.accepted_label(label, "correct", new_class)
        with self._writing(dry_run):
            receipt = self.make_correction(text, label, asked, [])
        self._mark(text, receipt)
        return receipt

    def make_correction(
        self, text: object, label: Hashable, asked: CorrectionOrder, done: list[Done]
    ) -> Receipt:
        """Make a correction within ``_writing``; ``done`` gets what is needed to take it back."""
        number = self.state.numbers.get(label)
        if number is not None:
            # True and 1.0 mean the class 1, which is what is written.
            label = self.state.labels[number]
        else:
            # Again: others may have brought a class of nearly this name.
            check_known(label, self.state.labels, who="correct", new_class=asked.new_class)
        kept, time = self.base.keep(text), utc_now()
        self.limits.check_rate(asked.by, time)
        n_terms = self.state.overlay.n_terms
        try:
            row = self._learn_row(text)
            check_row(row, text)
            entry = self._entry(CORRECT, time, asked.by, text=kept, row=row, label=label)
            entry.margin, entry.policy = float(asked.margin), asked.guards
            if asked.step:
                entry.margin = self._margin_of_step(entry, row, asked.step)
            return self._correct(kept, entry, row, n_terms, asked.dry_run, done)
        except BaseException:
            self._forget_terms(n_terms)
            raise

    def _correct(
        self,
        text: Kept,
        entry: Entry,
        row: LiveRow,
        n_terms: int,
        dry_run: bool,
        done: list[Done],
    ) -> Receipt:
        state, overlay = self.state, self.state.overlay
        self._refuse_twins(entry)
        self.memory.settle(self.base, overlay, self.private, self.noting)
        before = self._standing(row)
        entry.details = self._said(row, before, entry.label, row) | self._deciding()
        with self._lock:
            effect = state.apply(entry, row)
        if effect.status == REFUSED and not dry_run:
            state.scoring.take(entry)
            raise _refusal(entry, effect)
        own, fresh = self.memory.find(text, entry.features), None
        try:
            self.limits.check_influence(entry.author, state.influence)
            flips = self._flips(self.memory.changes(overlay, effect.parts), own)
            after, n_remembered = self._standing(row), self._count_others(own)
            new_terms = overlay.n_terms - n_terms
            if not dry_run:
                with self.noting:  # the next corrections may flip it too
                    fresh = self.memory.offer(overlay, text, entry, row)
                told = details(before, after, effect, flips, n_remembered)
                self._write(entry, effect, told | entry.details)
                done.append(Done(entry, effect, fresh))
        except BaseException:
            self._unmake(Done(entry, effect, fresh))
            raise
        if dry_run:
            self._take_back(entry, effect)
            self._forget_terms(n_terms)
        return Receipt(
            None if dry_run else entry.id, CORRECT, entry.label, before, after, effect.size,
            flips, n_remembered, effect.in_the_way, effect.flagged, effect.new_class, new_terms,
            dry_run=dry_run, fingerprint=self._fingerprint, probability=said_probability(entry),
        )  # fmt: skip

    def _unmake(self, done: Done) -> None:
        """Take a correction back that is not in the ledger."""
        self._take_back(done.entry, done.effect)
        if done.fresh is not None:
            with self.noting:
                self.memory.forget(done.fresh)

    def _deciding(self) -> dict[str, Any]:
        """Return what a correction remembers of a threshold that is not that of the file."""
        now = self.state.overlay.threshold
        return {} if now == self.base.own_threshold else {THRESHOLD: now.hex()}

    def _margin_of_step(self, entry: Entry, row: LiveRow, step: float) -> float:
        """Return the margin after a step, at least what is asked for."""
        y = self.state.numbers.get(entry.label)
        if y is None:
            return entry.margin
        now = self.state.overlay.margin(row, y)
        if now >= entry.margin:
            return entry.margin
        return min(max(entry.margin, now + step * row.squared_length), MOST_MARGIN)

    def _refuse_twins(self, entry: Entry) -> None:
        y = self.state.numbers.get(entry.label, -1)
        twins = self.state.guards.twins(entry.features, y)
        if twins:
            raise CorrectionError(
                f"guard #{twins[0]} has the same features and another label, so that no weights "
                "can do both",
                who="correct",
                guards=tuple(twins),
                topic="same-as-a-guard",
                fix=f"remove guard #{twins[0]} first",
            )

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
            raise _refuse_all(refusals, len(pairs))
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


def check_settings(margin: float, guards: str, by: str) -> None:
    """Refuse what no correction and no guard can be made with."""
    if not (isinstance(margin, int | float) and 0 < margin <= MOST_MARGIN):
        wanted = f"a number > 0, at most {MOST_MARGIN:g}"
        raise InputError(parameter="margin", got=margin, wanted=wanted)
    if guards not in POLICIES:
        wanted = ", ".join(map(repr, POLICIES))
        raise InputError(parameter="guards", got=guards, wanted=wanted)
    check_author(by)


def check_label_given(label: Hashable) -> None:
    """Refuse what is no label."""
    if label is None or isinstance(label, float) and label != label:
        raise InputError(parameter="label", got=label, wanted="a label")


def check_step(step: object) -> None:
    """Refuse what is no step."""
    if not (isinstance(step, int | float) and 0 <= step <= MOST_MARGIN):
        wanted = f"a number from 0 to {MOST_MARGIN:g}"
        raise InputError(parameter="step", got=step, wanted=wanted)


def _refusal(entry: Entry, effect: Effect) -> CorrectionError:
    """Say why a correction is refused."""
    names = ", ".join(f"#{number}" for number in effect.in_the_way)
    if effect.multipliers:
        return CorrectionError(
            f"no weights give this text its margin and leave guard {names}: multipliers "
            f"{json.dumps(effect.multipliers)} prove it",
            who="correct",
            guards=effect.in_the_way,
            multipliers=effect.multipliers,
            topic="infeasible",
            fix="remove a guard, ask for a smaller margin, or only flag the guards",
        )
    if effect.in_the_way:
        return CorrectionError(
            f"it would flip guard {names}",
            who="correct",
            guards=effect.in_the_way,
            topic="guard-in-the-way",
            fix=(
                "solve it together with the guards (",
                Setting("guards", "solve"),
                "), or flag them",
            ),
        )
    return CorrectionError(
        "the margin cannot be reached in double precision",
        who="correct",
        parameter="margin",
        got=entry.margin,
        topic="out-of-reach",
    )


Live = TypeVar("Live", bound=Correcting)


def _refuse_all(refusals: list[tuple[int, InputError | KindError]], n: int) -> CorrectionError:
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
