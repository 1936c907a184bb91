"""The training state of a model: weights, classes and rule together.

Two classes are one row of weights, positive for the second class. Where a third class comes to a
model of two, the rule says how the row splits; a class beyond the third is a new row of zeros.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NoReturn

import numpy as np

from hardlimit import _native, readouts, rules
from hardlimit.classifiers.model.answers import Answer, LiveWeights, Votes, Weights, score_blocks
from hardlimit.classifiers.model.compatibility import (
    check_classes,
    check_growing,
    check_weighted,
)
from hardlimit.classifiers.model.labels import refuse_continuous
from hardlimit.classifiers.model.training_state import TrainingState
from hardlimit.engine import are_in_memory, pair_examples
from hardlimit.exceptions import Cell, Given, InputError, MemoryEstimateError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require_vectors
from hardlimit.foundation.types import Array, FloatArray
from hardlimit.learner import BUDGET, FitOutcome, Plan, Round, learn
from hardlimit.theory import cycling
from hardlimit.theory.running_margin import RunningMargin, running_margin


class Training(TrainingState):
    """What ``partial_fit`` continues and ``save`` may keep.

    Read-outs of one fit share it: what one of them learns, all know. ``version`` moves with each
    stream, so that an answer that was frozen before is seen to be out of date.

    ``lock`` is taken for each step, and its ``reading`` side by whoever asks what a step changes:
    see ``docs/internals.md``. Methods that move the state are called with it.
    """

    def fit(self, round_: Round, plan: Plan, out: FitOutcome) -> None:
        """Learn for as long as the plan says; ``out`` tells how it went, even when interrupted."""
        try:
            watchers = self._detector(round_, plan), self._running_margin(round_, plan, out)
            learn(self.state, round_, plan, out, *watchers)
        finally:
            # Neurons that slept count their presentations now, also after an interruption.
            self.state.wake()
            last = round_ if are_in_memory(round_) else round_.last
            self._take_hypotheses(last)
            self._take_examples(last)
            self.mistakes += sum(record.mistakes for record in out.history)

    def _detector(self, round_: Any, plan: Plan) -> cycling.Detector | None:
        """What sees that the run goes round, where it could.

        Neurons that learn by themselves go round together after the least common multiple of their
        periods, which nobody lives to see.
        """
        # A run that may end otherwise, or draws at random, proves nothing by repeating itself.
        if plan.until != "separated" or not plan.goes_round or len(self.state.corrections) > 1:
            return None
        batch = plan.order.loop == "batch"
        return cycling.detector(
            self.rule, self.choices.schedule, self.choices.guards, round_, batch, self.start
        )

    def _running_margin(self, round_: Round, plan: Plan, out: FitOutcome) -> RunningMargin | None:
        """What follows ``||w|| / k``, where it bounds the margin of all that is learnt."""
        if len(self.state.corrections) > 1 or self.start is not None:
            return None
        combine = plan.combine if plan.order.loop == "batch" else None
        return running_margin(
            self.rule, self.choices.schedule, round_.n_present, out.weighted, combine
        )

    def _take_examples(self, round_: _native.Examples) -> None:
        # Arrays as long as the examples: kept only where a guard or a rule asks.
        if self.state.needs_example:
            shape = (-1, len(self.state.corrections))
            self.examples = {
                "n_i": round_.n_i().reshape(shape),
                "alpha_i": round_.alpha_i().reshape(shape),
            }

    def _take_hypotheses(self, round_: _native.Examples) -> None:
        """From now on the kept hypotheses stand here, as arrays and votes."""
        if not self.watched or not self.state.presentations:
            return
        # The life that is still going on may be the longest.
        self.state.close(round_)
        for name in self.watched:
            if name == "voted":
                self.kept[name] = Votes(self.state.votes(round_))
            else:
                self.kept[name] = self.state.hypothesis(name)
        self.watched = ()
        self.state.watch([], 0)

    def watch(self, names: Sequence[str], seed: int) -> None:
        """Remember hypotheses of these kinds, from the first presentation on."""
        # The two vectors of a stream are always there; the others have to be watched.
        self.watched = tuple(name for name in names if name not in readouts.STREAMED)
        if self.watched:
            vectors = sum(name != "voted" for name in self.watched)
            require_vectors(vectors, self.state.n_columns, self.state.n_outputs)
            self.state.watch(list(self.watched), seed)

    def stream_many(self, rows: _native.Rows, targets: Array, weights: Array | None) -> None:
        """Present each row once, in order, to neurons with targets of their own."""
        present = None
        if weights is not None and not weights.all():
            present = np.flatnonzero(weights)
        self._present(rows, targets, weights, present)

    def stream(self, rows: _native.Rows, labels: Sequence[Hashable], weights: Array | None) -> None:
        """Present each row once, in order; a class is known from its first example on.

        An example of weight 0 is absent, its class included.
        """
        # Nothing new, nothing absent: one call for the whole batch.
        if weights is None and self.book.knows(labels):
            return self._present(rows, self.book.codes(labels), None, None)
        present: Sequence[int] = range(len(labels))
        if weights is not None and not weights.all():
            present = np.flatnonzero(weights).tolist()
        start = 0
        while start < len(present):
            # A new class changes the number of outputs, so the batch is cut where one comes.
            stop = self._known_until(labels, present, start)
            if stop - start == len(labels):
                self._present(rows, self.book.codes(labels), weights, None)
                return
            stretch = np.array(present[start:stop], np.int64)
            targets = np.zeros(len(labels), np.int32)
            targets[stretch] = self.book.codes([labels[i] for i in stretch])
            self._present(rows, targets, weights, stretch)
            start = stop

    def check_rows(self, rows: _native.Rows) -> None:
        """Refuse rows that this rule cannot take, before anything is learnt from them."""
        negative = rows.first_negative() if self.rule.nonnegative else None
        if negative is not None:
            row, column, value = negative
            raise InputError(
                where=Cell(row, column),
                who=f"rules.{type(self.rule).__name__}",
                got=Given(f"{value:g}"),
                wanted="features >= 0",
                fix="shift the columns, or give each sign a column of its own: max(x, 0) and "
                "max(-x, 0)",
            )

    def check_weights(self, weights: Array | None) -> None:
        """Refuse to multiply a projection, which would then pass the margin."""
        if weights is None or self.choices.schedule is None:
            return
        # A weight of 0 or 1 is presence, which every rule understands.
        if not ((weights == 0) | (weights == 1)).all():
            check_weighted(self.combination())

    def check_growing(self) -> None:
        """Refuse a stream whose columns may grow where the rule needs to know them at the start."""
        if self.rule.fixed_columns:  # asked once a row of a stream of texts
            check_growing(self.combination())

    def check_labels(self, labels: Sequence[Hashable]) -> None:
        """Refuse labels that this state cannot take, before anything is learnt from them."""
        self.book.check_kinds(labels)
        known = self.book.numbers
        if self.book.knows(labels):
            return
        # A dict and not a set: the order of first examples is the order of classes.
        new = {label: None for label in labels if label not in known}
        self.book.check_alike(new)
        refuse_continuous(new, known)
        if self.choices.multiclass == "ovr" and len(known) >= 2:
            for label in new:
                self._refuse_class(label)
        if len(known) <= 2 < len(known) + len(new):
            self._split()
        if len(known) + len(new) > 2:
            n = len(known) + len(new)
            shared = self.book.scheme_of(n, self.choices.multiclass)
            check_classes(self.combination(multiclass=shared, n_classes=n))

    def _refuse_class(self, label: Hashable) -> None:
        raise InputError(
            "with multiclass='ovr' a class cannot come later",
            who="labels",
            got=Given(f"the new class {label!r}"),
            fix=(
                "name all of them at the first partial_fit(..., classes=[...]), or use ",
                Setting("multiclass", "coupled"),
            ),
        )

    def _known_until(self, labels: Sequence[Hashable], present: Sequence[int], start: int) -> int:
        """Add the class at ``start`` where it is new; the end of the stretch without another."""
        numbers = self.book.numbers
        if labels[present[start]] not in numbers:
            self.add_class(labels[present[start]])
        for place in range(start, len(present)):
            if labels[present[place]] not in numbers:
                return place
        return len(present)

    def _split(self) -> rules.Split:
        """How the one row of two classes becomes two; an error where the rule does not say."""
        return self.rule.split()

    def _present(
        self, rows: _native.Rows, targets: Array, weights: Array | None, positions: Array | None
    ) -> None:
        round_ = pair_examples(rows, targets, weights)
        if positions is not None:
            round_.set_order(positions)
        state, length, position = self.state, round_.length, 0
        while position < length:
            position = state.present(round_, position, BUDGET)
        for mistakes, *_ in state.take_tally():
            self.mistakes += mistakes

    def add_class(self, label: Hashable) -> None:
        """Append a class to those known, at any time."""
        known = len(self.book)
        if self.choices.multiclass == "ovr" and known >= 2:
            self._refuse_class(label)
        outputs = self.book.count_outputs(known)
        sources, factors = list(range(outputs)), [1.0] * outputs
        before = self.rule
        if known == 2:
            split = self._split()
            # The one row was the second class against the first; -1 is a row of zeros.
            sources, factors = [0, 0, -1], [-split.factor, split.factor, 0.0]
        elif known > 2:
            sources, factors = [*sources, -1], [*factors, 0.0]
        outputs = self.book.count_outputs(known + 1)
        shared = self.book.scheme_of(known + 1, self.choices.multiclass)
        width, averaged = self.state.n_columns, self.state.averaged
        self._require_weights(self.rule_of_engine(), shared, width, outputs, averaged)
        self._require_covariance(width, outputs)
        try:
            # After a split another rule may go on.
            self.rule = split.rule if known == 2 else before
            rule = self.rule_of_engine()
            self.state.rearrange_outputs(sources, factors, shared)
        except BaseException:
            # Without room for its weights a class is not known.
            self.rule = before
            raise
        self.book.add(label)
        self.state.set_rule(rule)
        self.streams_as = None  # the rule may be another

    def remembers(self, readout: str) -> bool:
        """Whether this read-out can answer."""
        if readout == "averaged":
            return bool(self.state.averaged)
        return readout == "last" or readout in self.kept

    def answer(self, readout: str, averaging: str, single_precision: bool = False) -> Answer:
        """Return the read-out as it is now, frozen: a copy of the weights, or votes."""
        if readout in readouts.STREAMED:
            return LiveWeights(self, readout, averaging).frozen(single_precision)
        if readout not in self.kept:
            self._refuse_lost(readout)
        kept = self.kept[readout]
        if isinstance(kept, Votes):
            return kept
        return Weights(kept.astype(np.float32) if single_precision else kept)

    def frozen_answer(self, readout: str, averaging: str) -> Answer:
        """Return the answer of a fit; of texts in the single precision that files have."""
        return self.answer(readout, averaging, self.choices.text is not None)

    def live_answer(self, readout: str, averaging: str) -> Answer:
        """Return what answers while a stream goes on: the state itself, never a copy."""
        return LiveWeights(self, readout, averaging)

    def last_is_finite(self, rows: _native.Rows) -> bool:
        """Whether the last hypothesis gives these rows finite scores."""
        last = LiveWeights(self, "last", "post")
        return all(np.isfinite(scores).all() for _, scores in score_blocks(last, rows))

    def last_lengths(self) -> FloatArray | None:
        """Return ``||w||`` of the last weights, a part each; None where they are not at hand."""
        lengths: FloatArray = np.sqrt(self.state.squared_lengths())
        return lengths

    def out_of_memory(self, before: int, n_examples: int) -> MemoryEstimateError:
        """Return the error that says how much of a batch was learnt before the memory ended."""
        learnt = self.state.presentations - before
        return MemoryEstimateError(
            f"out of memory: the model has learnt {learnt:,} of {plural(n_examples, 'example')}, "
            "and the next one perhaps in part",
            who="partial_fit",
            fix="free some memory, and go on from the model that was saved last",
        )

    def _refuse_lost(self, readout: str) -> NoReturn:
        raise InputError(
            "it is not there any more: a stream and a model file keep 'last' and 'averaged', a "
            "file also the read-out that answers",
            who=f"readout={readout!r}",
            fix=f"fit again, or save with_readout({readout!r})",
        )

    def mixture(self, readout: str, averaging: str) -> readouts.Mixture:
        """The read-out as a mixture of the two kept vectors, now."""
        if readout not in readouts.STREAMED:
            self._refuse_lost(readout)
        if readout == "averaged" and not self.state.averaged:
            fix = ("fit with ", Setting("keep", readouts.DEFAULT))
            raise InputError("readout='averaged' was not kept", fix=fix)
        return readouts.mixture(readout, averaging, self.state.presentations)
