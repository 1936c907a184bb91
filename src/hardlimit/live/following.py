"""Confidence of a live model: probabilities, confirmations, the inbox, the queue, drift."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from hardlimit.exceptions import CorrectionError, InputError
from hardlimit.live.confidence import probability
from hardlimit.live.correcting import Correcting
from hardlimit.live.entry import CONFIRM
from hardlimit.live.inbox import NEW, Answer, Recent
from hardlimit.live.limits import utc_now
from hardlimit.live.progress import Drift, Progress, make_drift, make_progress
from hardlimit.live.receipt import Receipt
from hardlimit.live.scoring import said_probability
from hardlimit.live.state import Effect, undone_entries
from hardlimit.live.writing import check_author, details


class Following(Correcting):
    """What follows how good the answers are."""

    def answer(self, texts: Any, *, remember: bool = True) -> list[Answer]:
        """Return label, margin and probability of each text, and whether it abstains.

        ``remember``: whether the texts join the inbox, and corrections tell later which of them
        they flipped.
        """
        batch = self.base.batch(texts)
        with self._reading:
            scores = self._scores(batch)
        if not (remember and self.base.takes_texts):
            return self._answers(scores, None)
        with self._noting:
            found = self._answers(scores, self._memory.note(batch))
            now, kept = utc_now(), self._inbox.size
            for text, one in zip(batch[-kept:] if kept else (), found[-kept:], strict=False):
                self._inbox.note(now, text, one)
        return found

    def _answers(self, scores: Sequence[Sequence[float]], first: int | None) -> list[Answer]:
        labels, scoring = self._state.labels, self._state.scoring
        begin, slope = scoring.confidence, scoring.slope
        margins = (margin_of(one, self.base.threshold) for one in scores)
        fitted = begin.slope if begin.fitted else None
        least = -1.0 if self.abstain is None else self.abstain
        found = []
        for place, (one, (chosen, margin)) in enumerate(zip(scores, margins, strict=True)):
            p = probability(one, chosen, margin, slope)
            of_file = None if fitted is None else probability(one, chosen, margin, fitted)
            number = None if first is None else first + place
            found.append(Answer(number, labels[chosen], margin, p, p < least, of_file))
        return found

    def probability(self, text: Any) -> float:
        """The live probability of the answer to one text: :mod:`hardlimit.live.confidence`."""
        with self._reading:
            scores = self._state.overlay.scores(self.base.row(self._state.overlay, text, False))
            return self._answers([scores], None)[0].probability

    def count_known(self, text: Any) -> int:
        """The number of terms of one text that the base or a correction knows."""
        with self._reading:
            row = self.base.row(self._state.overlay, text, False)
        return row.n_columns + row.n_new

    def count_known_of_all(self, texts: Any) -> list[int]:
        """The number of terms of each text that the base or a correction knows."""
        batch = self.base.batch(texts)
        with self._reading:
            rows = self.base.rows(self._state.overlay, batch)
        return [row.n_columns + row.n_new for row in rows]

    def inbox(self, limit: int = 50) -> list[Recent]:
        """The latest texts that were answered, newest first, with what was said then.

        They are in memory only: at most ``recent`` of them, and none after the process ends.
        """
        gone = undone_entries(self._state.undos)
        with self._noting:
            newest = self._inbox.newest(gone)
            return [one for one, _ in zip(newest, range(check_limit(limit)), strict=False)]

    @property
    def newest(self) -> int | None:
        """The number of the newest text of the inbox; None of an empty one."""
        with self._noting:
            return self._inbox.last

    def recent_text(self, number: int) -> str | bytes | None:
        """The text that answers and receipts name by a number; None where it is not kept."""
        with self._noting:
            found: str | bytes | None = self._inbox.find(number) or self._memory.texts.get(number)
            return found

    def queue(self, limit: int = 20) -> list[Recent]:
        """The texts of the inbox that nobody has looked at, the least certain first.

        With the answers of now. Labels of these tell the model most for the least work: uncertainty
        sampling (Lewis and Gale, SIGIR 1994). Cost: scores of all of them.
        """
        check_limit(limit)
        waiting = [one for one in self.inbox(max(1, len(self._inbox))) if one.state == NEW]
        if not waiting:
            return []
        with self._reading:
            scores = self._scores(self.base.batch([one.text for one in waiting]))
        answers = self._answers(scores, None)
        found = [
            one._replace(answer=answer._replace(number=one.number))
            for one, answer in zip(waiting, answers, strict=True)
        ]
        found.sort(key=lambda one: (one.answer.probability, one.answer.margin))
        return found[:limit]

    def confirm(self, text: Any, label: Hashable | None = None, *, by: str = "") -> Receipt:
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
        self._check_label(label, "confirm")
        text = self.base.keep(text)
        with self._writing():
            overlay, n_terms = self._state.overlay, self._state.overlay.n_terms
            try:
                learnt = self._learn_row(text)
            finally:
                self._forget_terms(n_terms)
            row = self.base.row(overlay, text, False)
            now = self._standing(row)
            if label is not None and now.label != label:
                raise CorrectionError(
                    f"its answer now is {now.label!r} (margin {now.margin:.2f})",
                    who="confirm",
                    parameter="label",
                    got=label,
                    topic="not-the-answer",
                    fix="correct it",
                )
            entry = self._entry(CONFIRM, utc_now(), by, text=text, row=row, label=now.label)
            said = self._said(row, now, now.label)
            if learnt.n_words:
                said["unknown"] = [learnt.n_unknown, learnt.n_words]
            self._write(entry, Effect(), details(now, now) | {"said": said})
            with self._lock:
                self._state.apply(entry)
        self._mark(text, entry)
        return Receipt(
            entry.id,
            CONFIRM,
            now.label,
            now,
            now,
            n_remembered=len(self._memory),
            fingerprint=entry.after,
            probability=said_probability(entry),
        )

    def progress(self) -> Progress:
        """How good the answers were, before their labels were learnt. Cost: at most 128 windows.

        It is a function of the entries that hold: one that is undone counts no more, since its
        label was taken back.
        """
        with self._writer:
            return make_progress(self._state.scoring, self._last, self.ledger.pick)

    def drift(self) -> Drift:
        """Whether the latest texts are like those before, and the model as right as it was."""
        with self._writer:
            return make_drift(self._state.scoring, self._last, self.ledger.pick)


def margin_of(scores: Sequence[float], threshold: float) -> tuple[int, float]:
    """Return the class of scores, and by how much it beats the best rival; a tie: the first.

    >>> margin_of([2.0], 0.5), margin_of([1.0, 3.0, 2.5], 0.0)
    ((1, 1.5), (1, 0.5))
    """
    if len(scores) == 1:
        above = scores[0] - threshold
        return (1, above) if above > 0 else (0, -above)
    second, best = sorted(scores)[-2:]
    return scores.index(best), best - second


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
