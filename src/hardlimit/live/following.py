"""Confidence of a live model: probabilities, confirmations, the inbox, the queue, drift."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.live.answer import Answer, AnswerWishes, Decider, Receipt, TermPush
from hardlimit.live.base import count_known
from hardlimit.live.correcting import Correcting
from hardlimit.live.effect import Effect
from hardlimit.live.kinds import CONFIRM, NEW
from hardlimit.live.limits import utc_now
from hardlimit.live.reservoir import Recent
from hardlimit.live.scoring import (
    Drift,
    ProgressFigures,
    make_drift,
    make_progress,
    said_probability,
)
from hardlimit.live.state import undone_entries
from hardlimit.live.why import largest_terms, see
from hardlimit.live.writing import check_answer, check_author, details

# Scores, how many terms are known, and the most telling ones.
Draft = tuple[Decider, Sequence[float], int | None, tuple[TermPush, ...] | None]


class Following(Correcting):
    """What follows how good the answers are."""

    def answer(
        self,
        texts: object,
        *,
        remember: bool = True,
        top: int = 0,
        scores: bool = False,
        terms: int = 0,
    ) -> list[Answer]:
        """Return label, margin and probability of each text, and whether it abstains.

        Parameters
        ----------
        texts : a batch
        remember : whether the texts join the inbox, and corrections tell later which of them they
            flipped; a text that is in the inbox keeps its number
        top, scores, terms : what the answers have beside these: :class:`hardlimit.live.answer.More`
        """
        batch, wanted = self.base.batch(texts), AnswerWishes(top, scores, terms)
        drafts = self._draft(batch, wanted)
        kept = self.base.kept(batch) if remember else ()
        if not kept:
            return [decider.answer(None, s, n, wanted, t) for decider, s, n, t in drafts]
        with self.noting:
            each = zip(drafts, self.memory.note(kept), strict=True)
            answers = [
                decider.answer(number, s, n, wanted, t) for (decider, s, n, t), number in each
            ]
            self._inbox.note(utc_now(), kept, answers)
        return answers

    def _draft(self, batch: Any, wanted: AnswerWishes) -> list[Draft]:
        """Return what makes the answers to a batch, all but their numbers."""
        if not wanted.terms:
            with self.reading:
                (scores, known), decider = self._score(batch), self._decider()
            return [(decider, *pair, None) for pair in zip(scores, known, strict=True)]
        drafts: list[Draft] = []
        for one in self.base.each(batch):  # so that corrections wait for one row at most
            with self.reading:
                state, decider = self.state, self._decider()
                (row,) = self.base.rows(state.overlay, one)
                seen = see(state, row)
            terms = largest_terms(self.base, row, seen, wanted.terms)
            drafts.append((decider, seen.scores, count_known(self.base, row), terms))
        return drafts

    def _decider(self) -> Decider:
        """Return what makes answers of scores, as the model is now."""
        state = self.state
        slope, begin = state.scoring.slope, state.scoring.confidence
        fitted = begin.slope if begin.fitted else None
        return Decider(state.labels.copy(), self.base.threshold, slope, fitted, self.abstain)

    def probability(self, text: object) -> float:
        """The live probability of the answer to one text: :mod:`hardlimit.live.confidence`."""
        with self.reading:
            row = self.base.row(self.state.overlay, text, False)
            scores, decider = self.state.overlay.scores(row), self._decider()
        return decider.answer(None, scores, None).probability

    def inbox(self, limit: int = 50) -> list[Recent]:
        """The latest texts that were answered, newest first, with what was said then.

        They are in memory only: at most ``recent`` of them, and none after the process ends.
        """
        gone = undone_entries(self.state.undos)
        with self.noting:
            newest = self._inbox.newest(gone)
            return [one for one, _ in zip(newest, range(check_limit(limit)), strict=False)]

    @property
    def newest(self) -> int | None:
        """The number of the newest text of the inbox; None of an empty one."""
        with self.noting:
            return self._inbox.last

    def recent_text(self, number: int) -> str | bytes | None:
        """The text that answers and receipts name by a number; None where it is not kept."""
        with self.noting:
            found = self._inbox.find(number)
            return self.memory.texts.get(number) if found is None else found

    def queue(self, limit: int = 20) -> list[Recent]:
        """The texts of the inbox that nobody has looked at, the least certain first.

        With the answers of now. Labels of these tell the model most for the least work: uncertainty
        sampling (Lewis and Gale, SIGIR 1994). Cost: scores of all of them.
        """
        check_limit(limit)
        waiting = [one for one in self.inbox(max(1, len(self._inbox))) if one.state == NEW]
        if not waiting:
            return []
        answers = self.answer([one.text for one in waiting], remember=False)
        found = [one.answered(answer) for one, answer in zip(waiting, answers, strict=True)]
        found.sort(key=lambda one: (one.answer.probability, one.answer.margin))
        return found[:limit]

    def confirm(self, text: object, label: Hashable | None = None, *, by: str = "") -> Receipt:
        """Note that the answer to a text is right. It moves no weight.

        The probability follows it: see :mod:`hardlimit.live.confidence`. ``label``: what the
        answer has to be now; None for whatever it is.

        Raises
        ------
        CorrectionError
            The answer is another label ("not-the-answer"); the model has no such label
            ("unknown-label", "look-alike-label"); read-only.
        """
        check_author(by)
        label = self.accepted_label(label, "confirm")
        kept = self.base.keep(text)
        with self._writing():
            overlay, n_terms = self.state.overlay, self.state.overlay.n_terms
            try:
                learnt = self._learn_row(text)
            finally:
                self._forget_terms(n_terms)
            row = self.base.row(overlay, text, False)
            now = self._standing(row)
            check_answer(now, label, who="confirm", topic="not-the-answer", fix="correct it")
            entry = self._entry(CONFIRM, utc_now(), by, text=kept, row=row, label=now.label)
            said = self._said(row, now, now.label, learnt)
            self._write(entry, Effect(), details(now, now) | said)
            with self._lock:
                self.state.apply(entry)
        n_remembered = self._count_others(self.memory.find(kept, entry.features))
        receipt = Receipt(
            entry.id, CONFIRM, now.label, now, now, n_remembered=n_remembered,
            fingerprint=entry.after, probability=said_probability(entry),
        )  # fmt: skip
        self._mark(text, receipt)
        return receipt

    def progress(self) -> ProgressFigures:
        """How good the answers were, before their labels were learnt. Cost: at most 128 windows.

        It is a function of the entries that hold: one that is undone counts no more, since its
        label was taken back.
        """
        with self.writer:
            return make_progress(self.state.scoring, self._last, self.ledger.pick)

    def drift(self) -> Drift:
        """Whether the latest texts are like those before, and the model as right as it was."""
        with self.writer:
            return make_drift(self.state.scoring, self._last, self.ledger.pick)


def check_limit(limit: object) -> int:
    """Refuse what is no number of texts."""
    if type(limit) is not int or limit < 1:
        raise InputError(parameter="limit", got=limit, wanted="a whole number of at least 1")
    return limit


def check_abstain(abstain: object) -> float | None:
    """Refuse what is no probability."""
    if abstain is None:
        return None
    if type(abstain) not in (int, float) or not 0 <= abstain <= 1:  # type: ignore[operator]
        raise InputError(parameter="abstain", got=abstain, wanted="a number from 0 to 1, or None")
    return float(abstain)  # type: ignore[arg-type]
