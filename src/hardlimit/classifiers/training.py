"""The training state of a classifier: weights, classes and rule together.

Two classes are one row of weights, positive for the second class. Where a third class comes to a
model of two, the rule says how the row splits; a class beyond the third is a new row of zeros.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from hardlimit import _native, keep, memory, rules
from hardlimit.classifiers.labels import LabelBook
from hardlimit.classifiers.locking import ModelLock
from hardlimit.engine import engine_rule, new_round, new_state
from hardlimit.exceptions import InputError
from hardlimit.learner import BUDGET, Outcome, Plan, learn

MULTICLASS = ("coupled", "ovr")
ARRAYS = ("w", "u", "theta", "sigma")


def scheme(multiclass: str, n_classes: int) -> str:
    """How presentations work for so many classes."""
    if n_classes == 2:
        return "single"
    return "coupled" if multiclass == "coupled" or n_classes < 2 else "independent"


class Training:
    """What ``partial_fit`` continues and ``save`` may keep."""

    def __init__(
        self,
        rule: Any,
        multiclass: str,
        book: LabelBook,
        n_columns: int,
        averaged: bool,
        bias: float = 1.0,
    ) -> None:
        if multiclass not in MULTICLASS:
            raise InputError(f"multiclass: got {multiclass!r}, wanted 'coupled' or 'ovr'")
        self.rule = rule
        self.multiclass = multiclass
        self.book = book
        self.mistakes = 0
        self.version = 0  # moves when a stream moves the weights: frozen answers are then stale
        self.lock = ModelLock()
        n = len(book)
        require_shared(rule, scheme(multiclass, n), n)
        require_memory(n_columns, n, averaged)
        require_covariance(rule, n_columns, n)
        self.state = new_state(
            self._engine_rule(), scheme(multiclass, n), n_columns, _outputs(n), averaged
        )
        set_initial_weights(self.state, rule, bias)

    def _engine_rule(self) -> _native.Rule:
        registered = rules.is_registered(self.rule)
        return engine_rule(self.rule, rules.name_of(self.rule) if registered else None)

    @property
    def corrections(self) -> int:
        """All corrections so far."""
        return sum(self.state.corrections)

    def fit(
        self, rows: _native.Rows, targets: Any, weights: Any, plan: Plan, tol: float, out: Outcome
    ) -> None:
        """Learn for as long as the plan says; ``out`` tells how it went, even when interrupted."""
        self.check_rows(rows)
        rows.keep_norms()
        present = None
        if weights is not None and not weights.all():
            present = np.flatnonzero(weights).astype(np.int64)
        try:
            learn(self.state, new_round(rows, targets, weights, tol), present, plan, out)
        finally:
            self.state.wake()
            self.mistakes += sum(record.mistakes for record in out.history)

    def stream(self, rows: _native.Rows, labels: Sequence[Hashable], weights: Any) -> None:
        """Present each row once, in order; a class is known from its first example on.

        An example of weight 0 is absent, its class included.
        """
        self.version += 1
        present: Sequence[int] = range(len(labels))
        if weights is not None and not weights.all():
            present = np.flatnonzero(weights).tolist()
        start = 0
        while start < len(present):
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
        found = rows.first_negative() if getattr(self.rule, "nonnegative", False) else None
        if found is not None:
            row, column, value = found
            raise InputError(
                f"{self.rule!r}: row {row}, column {column}: got {value:g}, wanted features >= 0; "
                "shift the columns, or give each sign a column of its own: max(x, 0) and "
                "max(-x, 0)"
            )

    def check_growing(self) -> None:
        """Refuse a stream whose columns may grow where the rule needs to know them at the start."""
        reason = getattr(self.rule, "fixed_columns", "")
        if reason:
            raise InputError(f"{self.rule!r}: {reason}")

    def check_labels(self, labels: Sequence[Hashable]) -> None:
        """Refuse labels that this state cannot take, before anything is learnt from them."""
        self.book.check_kinds(labels)
        known = self.book.numbers
        new = {label: None for label in labels if label not in known}
        if self.multiclass == "ovr" and len(known) >= 2:
            for label in new:
                self._refuse_class(label)
        if len(known) <= 2 < len(known) + len(new):
            self._split()
        if self._engine_rule().needs_example:
            raise InputError(
                f"{self.rule!r} asks for n_i or alpha_i, what became of this example before; in a "
                "stream no example is known again: use fit"
            )

    def _refuse_class(self, label: Hashable) -> None:
        raise InputError(
            f"labels: got the new class {label!r}; with multiclass='ovr' a class cannot come "
            "later: name all of them at the first partial_fit(..., classes=[...]), or use "
            "multiclass='coupled'"
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
        split: rules.Split = (self.rule if hasattr(self.rule, "split") else rules.Rule()).split()
        return split

    def _present(self, rows: _native.Rows, targets: Any, weights: Any, positions: Any) -> None:
        round_ = new_round(rows, targets, weights)
        if positions is not None:
            round_.set_order(positions)
        position = 0
        while position < round_.length:
            position = self.state.present(round_, position, BUDGET)
        self.mistakes += sum(tally[0] for tally in self.state.take_tally())

    def add_class(self, label: Hashable) -> None:
        """Append a class to those known, at any time."""
        known = len(self.book)
        if self.multiclass == "ovr" and known >= 2:
            self._refuse_class(label)
        sources, factors = list(range(_outputs(known))), [1.0] * _outputs(known)
        if known == 2:
            split = self._split()
            sources, factors = [0, 0, -1], [-split.factor, split.factor, 0.0]
            self.rule = split.rule
        elif known > 2:
            sources, factors = [*sources, -1], [*factors, 0.0]
        require_memory(self.state.n_columns, known + 1, self.state.averaged)
        require_covariance(self.rule, self.state.n_columns, known + 1)
        self.book.add(label)
        self.state.rearrange_outputs(sources, factors, scheme(self.multiclass, known + 1))
        self.state.set_rule(self._engine_rule())

    def mixture(self, readout: str, averaging: str) -> keep.Mixture:
        """The read-out as a mixture of the two kept vectors, now."""
        if readout == "averaged" and not self.state.averaged:
            raise InputError("readout='averaged' was not kept; fit with keep=('last', 'averaged')")
        return keep.mixture(readout, averaging, self.state.presentations)

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k != "state"}
        return kept | {"numbers": self.numbers()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        numbers = kept.pop("numbers")
        self.__dict__.update(kept)
        self.state = self._state_of(numbers)

    def numbers(self) -> dict[str, Any]:
        """The state as arrays of shape (n_columns + 1, n_outputs), and counts."""
        state = self.state
        return {
            "arrays": {name: state.array(name) for name in ARRAYS},
            "presentations": state.presentations,
            "corrections": state.corrections,
            "lengths": state.lengths,
            "scales": state.scales,
            "common": state.common,
        }

    def _state_of(self, numbers: dict[str, Any]) -> _native.Online:
        arrays = numbers["arrays"]
        w = arrays["w"]
        state = new_state(
            self._engine_rule(),
            scheme(self.multiclass, len(self.book)),
            w.shape[0] - 1,
            w.shape[1],
            arrays.get("u") is not None,
        )
        for name in state.array_names:
            state.set_array(name, arrays[name])
        state.restore_counts(numbers["presentations"], numbers["corrections"], numbers["lengths"])
        state.scales = numbers["scales"]
        state.common = numbers["common"]
        return state

    @classmethod
    def restored(
        cls, rule: Any, multiclass: str, book: LabelBook, mistakes: int, numbers: dict[str, Any]
    ) -> Training:
        """Make a training state from what :meth:`numbers` gave."""
        self = cls.__new__(cls)
        self.__setstate__(
            {
                "rule": rule,
                "multiclass": multiclass,
                "book": book,
                "mistakes": mistakes,
                "version": 0,
                "lock": ModelLock(),
                "numbers": numbers,
            }
        )
        return self


def require_memory(n_columns: int, n_classes: int, averaged: bool) -> None:
    """Refuse weights that the machine cannot hold: columns x outputs x (w, the sum, the answer)."""
    vectors = 3 if averaged else 2
    memory.require(
        (n_columns + 1) * _outputs(n_classes) * 8 * vectors,
        f"weights of {n_classes:,} classes and {n_columns:,} columns",
        "use fewer columns (hash_bits=20, or words=(1, 1)), keep='last', or fewer classes",
    )


def require_covariance(rule: Any, n_columns: int, n_classes: int) -> None:
    """Refuse a covariance that the machine cannot hold."""
    if getattr(rule, "answers", "tau") != "tau, beta":
        return
    size = n_columns + 1
    full = getattr(rule, "covariance", "diagonal") == "full"
    memory.require(
        size * (size if full else 1) * _outputs(n_classes) * 8,
        f"{rule!r}: the covariance of {n_columns:,} columns and {n_classes:,} classes",
        "use covariance='diagonal'" if full else "use fewer columns",
    )


def require_shared(rule: Any, scheme_name: str, n_classes: int) -> None:
    """Refuse coupled classes where the rule says why they cannot share its corrections."""
    reason = getattr(rule, "alone", "")
    if reason and scheme_name == "coupled" and n_classes > 2:
        raise InputError(
            f"{rule!r}: got {n_classes} classes with multiclass='coupled': {reason}; "
            "use multiclass='ovr'"
        )


def set_initial_weights(state: _native.Online, rule: Any, bias: float) -> None:
    """Give the weights what the rule says that they start at."""
    if not hasattr(rule, "initial_weights"):
        return
    of_column, of_bias = rule.initial_weights(state.n_columns, bias)
    if of_column == of_bias == 0:
        return
    weights = np.full((state.n_columns + 1, state.n_outputs), of_column)
    weights[-1] = of_bias
    state.set_array("w", weights)


def _outputs(n_classes: int) -> int:
    return n_classes if n_classes > 2 else 1
