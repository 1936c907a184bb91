"""What every ``partial_fit`` does: batches are checked, and then learnt row by row, in order."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Self

from hardlimit import _native, orders
from hardlimit.classifiers.base import BaseClassifier
from hardlimit.classifiers.fitting import stream
from hardlimit.classifiers.model.choices import Choices, resolve_readout
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Labels, read_labels
from hardlimit.engine import ModelLock, Points
from hardlimit.foundation.types import SampleWeight, Targets


class Begun(NamedTuple):
    """The model of a stream that has learnt nothing, with its first rows and labels."""

    model: Model
    rows: _native.Rows | Points
    labels: Labels


class IncrementalClassifier(BaseClassifier):
    """A classifier that goes on learning. Kinds of examples differ in how it begins."""

    examples_name: ClassVar[str] = "X"  # the parameter of the examples, in messages

    def _begin_model(
        self, choices: Choices, X: object, y: Targets, classes: Targets | None
    ) -> Begun:
        """Return the model of a stream before its first example."""
        raise NotImplementedError

    def _learn_batch(
        self, X: object, y: Targets, sample_weight: SampleWeight, classes: Targets | None
    ) -> Self:
        """Present each row once, in order, continuing the training state or beginning one."""
        model = self._model
        if model is None:
            with self._beginning:
                if self._model is None:
                    return self._learn_first(X, y, sample_weight, classes)
            model = self.fitted
        # All examples are read before anything is learnt: an iterator could fail half-way.
        read, n_rows = model.read_batch(X)
        labels = read_labels(n_rows, y, model.classes, rows_name=self.examples_name)
        training = model.training or model.state  # a call less for each row of a stream
        # From here on the state is looked at and moved: one thread at a time.
        with training.lock:
            choices = self._streaming(model, training)
            # Before the vocabulary grows: a batch that is refused must leave no terms behind.
            batch = stream.check_batch(training, choices, labels, sample_weight)
            stream.present_rows(model, model.rows_to_learn(read), batch)
        return self

    def _learn_first(
        self, X: object, y: Targets, sample_weight: SampleWeight, classes: Targets | None
    ) -> Self:
        """Begin a stream: nothing is kept of a batch that is refused."""
        model, rows, labels = self._begin_model(self.check_parameters(), X, y, classes)
        training = model.state
        with training.lock:
            choices = self._streaming(model, training, fresh=True)
            batch = stream.check_batch(training, choices, labels, sample_weight)
            stream.present_rows(model, rows, batch, self.adopt)
        return self

    def _streaming(self, model: Model, training: Training, fresh: bool = False) -> Choices:
        """The choices of a batch: with the class weights and the read-out of now."""
        choices = model.choices
        # Once a setting and not once a row: a row of a stream costs microseconds.
        if training.streams_as != (self.readout, self.order):
            readout = resolve_readout(self.readout, training.rule, choices.budget, choices.mixture)
            stream.check_streamable(model, readout, orders.resolve(self.order), fresh)
            training.streams_as = (self.readout, self.order)
        # The same object: the usual case, in which nothing is made anew.
        if self.class_weight is choices.class_weight:
            return choices
        return choices.weighing(self.class_weight)

    @property
    def _beginning(self) -> ModelLock:
        """Held while a stream begins: of two that began at once, one would be forgotten."""
        lock: ModelLock | None = self.__dict__.get("_beginning_lock")
        if lock is None:
            lock = self.__dict__.setdefault("_beginning_lock", ModelLock())
        return lock
