"""What a training state holds: weights, classes and rule together; pickled, copied and restored."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, cast

from hardlimit import _native, guards, rules
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.compatibility import (
    Combination,
    bound_schedule,
    check_classes,
)
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.state_numbers import (
    read_numbers,
    restore_numbers,
    set_initial_weights,
    shape_of,
)
from hardlimit.engine import (
    LiveState,
    ModelLock,
    Reading,
    compose_rule,
    engine_rule,
    lies_in_cells,
    new_state,
)
from hardlimit.engine.packed import pack, unpack
from hardlimit.exceptions import InputError
from hardlimit.foundation.memory import (
    require_cells,
    require_covariance,
    require_memory,
)
from hardlimit.foundation.types import FloatArray

if TYPE_CHECKING:
    from hardlimit.text import TextVectorizer

MULTICLASS = ("coupled", "ovr")
COUNTING = {"alpha-bound": {"alpha": math.inf}}  # no bound, but examples are counted for it
NOT_PICKLED = ("state", "lock", "reading")


class TrainingState:
    """The parts of a training state, and how it is made, stored and made again."""

    steps_below: float = math.inf  # of a plain batch sum on its examples
    streams_as: tuple[object, object] | None = None  # the read-out and order that were checked
    may_collapse = collapse_told = False  # a covariance, which is told of once
    vectorizer: TextVectorizer | None = None  # of texts, whose columns are those of the weights
    start: FloatArray | None = None  # weights at the start that a user gave
    counts = False  # of each example of the fit, though neither rule nor guard asks
    asks_sqnorm = False  # the rule, with its schedule and guards, of each row

    def __init__(self, choices: Choices, book: LabelBook, n_columns: int) -> None:
        if choices.multiclass not in MULTICLASS:
            wanted = "'coupled' or 'ovr'"
            raise InputError(parameter="multiclass", got=choices.multiclass, wanted=wanted)
        self._begin(choices, choices.rule, book, 0)
        averaged, outputs = "averaged" in choices.kept, book.n_outputs
        shared = book.scheme(choices.multiclass)
        # Two classes share one row of weights, which every rule can correct.
        if outputs > 1:
            check_classes(self.combination(multiclass=shared, n_classes=len(book)))
        # Before anything is allocated: the machine would swap, and not refuse.
        rule = self.rule_of_engine()
        self._require_weights(rule, shared, n_columns, outputs, averaged)
        self._require_covariance(n_columns, outputs)
        self.asks_sqnorm = rule.needs_sqnorm
        self.state: LiveState = self._blank_state(rule, shared, n_columns, outputs, averaged)
        set_initial_weights(self.state, self.rule, choices.bias)

    def _begin(self, choices: Choices, rule: rules.Rule, book: LabelBook, mistakes: int) -> None:
        """Set what a new state and a restored one have alike."""
        self.choices = choices
        self.rule = rule  # a third class may make another one of it
        self.may_collapse = isinstance(rule, rules.CovarianceRule)
        self.book = book
        self.mistakes = mistakes
        self.watched: tuple[str, ...] = ()  # hypotheses to be kept by the fit under way
        self.kept: dict[str, Any] = {}  # those of the fit that ended
        self.examples: dict[str, Any] = {}  # n_i and alpha_i of its examples, if anybody asked
        self.version = 0
        self.class_counts = ClassCounts()  # of class_weight="balanced"
        self._make_lock()

    def _make_lock(self) -> None:
        self.lock = ModelLock()
        self.reading: Reading = self.lock.reading  # kept: a row by itself costs microseconds

    def _require_weights(
        self, rule: _native.Rule, scheme: str, n_columns: int, outputs: int, averaged: bool
    ) -> None:
        """Refuse weights that do not fit into memory; of cells what is certain: their columns."""
        of_texts = self.choices.text is not None
        if lies_in_cells(rule, scheme, n_columns, outputs):
            require_cells(n_columns, outputs)
        else:
            require_memory(n_columns, outputs, averaged, of_texts=of_texts)

    def _require_covariance(self, n_columns: int, outputs: int) -> None:
        if isinstance(self.rule, rules.CovarianceRule):
            full = self.rule.covariance == "full"
            require_covariance(repr(self.rule), n_columns, outputs, full)

    @property
    def scheme(self) -> str:
        """What a presentation is: single, coupled or independent."""
        return self.book.scheme(self.choices.multiclass)

    def combination(self, **known: Any) -> Combination:
        """What the table of conflicts looks at: the choices, and what is known of the data."""
        return replace(self.choices.combination, rule=self.rule, **known)

    @property
    def weights_state(self) -> _native.Online:
        """The state as weights, for what looks at more than one row at a time."""
        return cast("_native.Online", self.state)

    def _blank_state(
        self, rule: _native.Rule, scheme: str, n_columns: int, outputs: int, averaged: bool
    ) -> LiveState:
        return new_state(rule, scheme, n_columns, outputs, averaged)

    def rule_of_engine(self) -> _native.Rule:
        """The rule with schedule and guards, as the loops ask it."""
        rule = engine_rule(self._rule_asked())
        # A line search is done by the batch loop, and steps of the examples are their weights.
        schedule: Any = self.choices.schedule
        aside = getattr(schedule, "search", False) or getattr(schedule, "of_example", False)
        step = None if aside else schedule
        step = bound_schedule(self.rule, step, self.steps_below)
        asked = guards.compiled_parameters(self.choices.guards)
        return compose_rule(rule, step, COUNTING | asked if self.counts else asked)

    def bound_steps(self, limit: float) -> None:
        """Refuse a step ``rule.eta * eta(step)`` that reaches this limit, when it comes."""
        self.steps_below = limit
        self.state.set_rule(self.rule_of_engine())

    def _rule_asked(self) -> Any:
        return self.rule

    @property
    def corrections(self) -> int:
        """All corrections so far."""
        return sum(self.state.corrections)

    def __getstate__(self) -> dict[str, Any]:
        # All at once: a pickle goes on with other objects while another thread learns.
        with self.reading:
            kept = self.__dict__.copy()
            for name in NOT_PICKLED:
                del kept[name]
            # The compiled state cannot be pickled; its numbers can, to the last bit.
            numbers = self.numbers()
            arrays = {name: pack(array) for name, array in numbers["arrays"].items()}
            hypotheses = {name: pack(one) for name, one in self.kept.items()}
            vectorizer = self.vectorizer
            terms = None if vectorizer is None else (type(vectorizer), vectorizer.__getstate__())
            moved = {"book": copy.copy(self.book), "vectorizer": terms}
        return kept | moved | {"numbers": numbers | {"arrays": arrays}, "kept": hypotheses}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._make_lock()
        if kept["vectorizer"] is not None:
            kind, terms = kept["vectorizer"]
            kept["vectorizer"] = kind.__new__(kind)
            kept["vectorizer"].__setstate__(terms)
        numbers = kept.pop("numbers")
        numbers["arrays"] = {name: unpack(array) for name, array in numbers["arrays"].items()}
        self.__dict__.update(kept)
        self.kept = {name: unpack(one) for name, one in self.kept.items()}
        self.state = self._state_of(numbers)

    def numbers(self) -> dict[str, Any]:
        """The state as arrays of shape (n_columns + 1, n_outputs) or packed, and counts."""
        return read_numbers(self.state)

    def _state_of(self, numbers: dict[str, Any]) -> LiveState:
        shape = shape_of(numbers)
        state = self._blank_state(self.rule_of_engine(), self.scheme, *shape)
        restore_numbers(state, numbers, self.rule)
        return state

    @classmethod
    def restored(
        cls,
        choices: Choices,
        book: LabelBook,
        mistakes: int,
        numbers: dict[str, Any],
        *,
        rule: rules.Rule | None = None,
        **more: Any,
    ) -> Self:
        """Make a state of what :meth:`numbers` gave; ``rule`` is the one that corrects by now."""
        self = cls.__new__(cls)
        self._begin(choices, choices.rule if rule is None else rule, book, mistakes)
        self.__dict__.update(more)
        self.state = self._state_of(numbers)
        return self
