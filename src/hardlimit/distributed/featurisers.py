"""What makes rows of the examples of a shard: of words, or of numbers.

A featuriser is made and completed by the driver, which asks all shards what it must know of all
rows (:meth:`Featuriser.measure`), and travels to the workers, which answer and make rows. Nothing
depends on how words are cut: sums are exact until they are asked for, and categories and terms are
numbered as in one pass over all rows. Sums of columns of numbers are added over a fixed binary tree
of the shards.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from hardlimit import readers
from hardlimit.classifiers.features import Features, make_features
from hardlimit.classifiers.features.numbers import NumberFeatures
from hardlimit.classifiers.fitting.streamed.continuing import meet_terms
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import ONE_LABEL, Targets, absent_classes
from hardlimit.engine import rows_of
from hardlimit.examples.dense import Dense
from hardlimit.examples.of_rows import Gather, gather_columns, gather_texts
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.readers import Layout
from hardlimit.readers.numbers import check_columns
from hardlimit.sources.files import FileRows, GivenLayout, WordFiles
from hardlimit.sources.numbers import NumberFiles
from hardlimit.sources.pieces import Shard
from hardlimit.sources.reading import FileBatch
from hardlimit.text import default_features

if TYPE_CHECKING:
    from hardlimit._native import Rows
    from hardlimit.examples._protocol import Examples

# Asks all shards a question; their answers, by shard.
AskShards = Callable[[object], list[Any]]
# Which rows of a shard are there, by its number (ascending); None: all.
Kept = Callable[[int], Array | None]
Chosen = dict[str, Any]


class HasChoices(Protocol):
    """A run, whose choices may change."""

    choices: Choices


class Look(NamedTuple):
    """The question for what a pass of the features sees."""

    number: int
    absent: frozenset[Any] = frozenset()  # labels that weigh 0, whose rows are not looked at


class Shape(NamedTuple):
    """The question for the shape of rows of numbers, and for their labels as they stand."""


class Shaped(NamedTuple):
    """The width of a shard, its smallest index of sparse rows, and its different labels.

    grows : whether rows may lack the last columns.
    """

    width: int
    lowest: int | None
    labels: list[Any]
    grows: bool


class Featuriser(Protocol):
    """Makes rows of examples; it is pickled for the workers as it is.

    kind : the class of the model.    targets : of which kind the labels are, and how they are
    learnt.    zero_based : whether the indices of sparse rows count from 0, where that was found
    out or said.    fix : what helps where scores overflow.
    """

    kind: type[Model]
    targets: Targets[Any] = ONE_LABEL
    zero_based: bool | None = None
    fix: ClassVar[str] = "use norm='l2'"

    def files(self, paths: Sequence[str], layout: GivenLayout) -> FileRows:
        """Return files as a source of rows, by what is said of them."""

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: AskShards) -> None:
        """Find out what must be known of all rows, also of those that are left out."""

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Settle what is chosen by the first rows.

        kept : the rows of a shard that are there, by its number.    Returns the parameters of the
        classifier that workers need in place of those given.
        """
        return {}

    def measure(self, run: HasChoices, ask: AskShards, settle: Callable[[], object]) -> None:
        """Learn what must be known of all rows; called by the driver.

        ask : gives what :meth:`answer` says to a question, of each shard in their order.
        settle : makes the choices of the run depend on the labels, which come with the first
        answers.
        """

    @property
    def gather(self) -> Gather:
        """What gathers the rows of a file; pieces of numbers, which are read whole, leave it."""
        return gather_texts()

    def read(self, shard: Shard, kept: Array | None) -> FileBatch:
        """Return the examples of a shard; ``kept`` names those that are wanted, None all."""
        return shard.read(self.gather).kept(kept)

    def batches(self, shards: Sequence[Shard], kept: Kept) -> Iterator[FileBatch]:
        """Yield the examples that are there, some at a time, in this process."""
        for shard in shards:
            wanted, first = kept(shard.number), 0
            for batch in shard.batches(self.gather):
                end = first + len(batch.labels)
                inside = None
                if wanted is not None:
                    inside = wanted[(wanted >= first) & (wanted < end)] - first
                yield batch.kept(inside)
                first = end

    def answer(self, question: Any, number: int, found: FileBatch) -> object:
        """Answer a question about the examples of the shard of this number, on a worker."""

    def keys(self, examples: Examples, of_model: bool) -> Sequence[str | bytes] | None:
        """Return what is equal where examples are; None where nobody compares.

        of_model : whether examples are equal where a model sees no difference, or as hold-outs
        tell them apart.
        """

    def pack(self, found: FileBatch) -> FileBatch:
        """Return rows to travel, for :meth:`join`."""
        return FileBatch(found.examples, self.targets.plain(found.labels))

    def join(self, parts: list[FileBatch]) -> FileBatch:
        """Return the packed rows of all shards as rows of one."""
        return FileBatch.joined(parts)

    @property
    def n_columns(self) -> int:
        """Columns of all rows."""

    def rows(self, examples: Examples, bias: float) -> tuple[Rows, int]:
        """Return examples as rows of the engine, and the bytes that they take."""

    @property
    def of_model(self) -> dict[str, Any]:
        """What a model holds besides its weights."""

    def restore(self, model: Model) -> None:
        """Take what was measured from the model of an earlier run."""

    def meet(self, model: Model, shards: Sequence[Shard], kept: Kept) -> None:
        """Learn what is new in rows for an earlier model."""


class RowsOfWords(Featuriser):
    """Rows whose features are settled by the driver, and looked at and made by workers."""

    features: Features

    def __init__(self, choices: Choices) -> None:
        self.features = make_features(choices)
        self.features.describes = True
        self.kind = self.features.kind

    def __copy__(self) -> Self:
        """Return features of other rows, which keep what was found out of all."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, features=copy.copy(self.features))
        return other

    def files(self, paths: Sequence[str], layout: GivenLayout) -> FileRows:
        """Return files of texts, or of the rows of a table."""
        if isinstance(layout, Mapping):
            layout = Layout.from_json(layout)
        if self.features.names is None:  # those of a table, which nobody has seen
            return WordFiles(paths, replace(layout or Layout(), table=True), gather_columns(None))
        return WordFiles(paths, layout, self.gather)

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: AskShards) -> None:
        """Go through all rows for what must be known before anything is chosen."""
        features, number = self.features, 0
        if features.names is None:  # those of a table are told by its first file
            with shards[0].pieces[0].open() as table:
                features.open_table(table)
        while number < len(features.passes) and features.passes[number].of_all:
            features.settle(number, ask(Look(number)))
            number += 1

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Choose the features by the first examples."""
        self.features.choose(self._head(shards, kept))
        return dict(self.features.chosen)

    def _head(self, shards: Sequence[Shard], kept: Kept) -> Any:
        """Return the first examples that are there."""
        parts: list[Any] = []
        n_rows = 0
        for batch in self.batches(shards, kept):
            parts.append(batch.examples)
            n_rows += len(batch.labels)
            if n_rows >= default_features.SAMPLE:
                break
        return parts[0].joined(parts).part(0, default_features.SAMPLE) if parts else ()

    def measure(self, run: HasChoices, ask: AskShards, settle: Callable[[], object]) -> None:
        """Learn what must be known of all rows."""
        for number, each in enumerate(self.features.passes):
            if not each.of_all:
                self.features.settle(number, ask(Look(number)))
        settle()

    @property
    def gather(self) -> Gather:
        """What gathers the rows of a file."""
        return self.features.of_file

    def answer(self, question: Look, number: int, found: FileBatch) -> object:
        """Look at the examples of a shard."""
        seen = self.features.look(question.number, found.examples, part=number)
        return self.features.pack(question.number, seen)

    def keys(self, examples: Examples, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows, or of what a model sees of them."""
        if not of_model:
            return examples.hold_out_keys()
        seen: Examples = self.features.seen(examples)
        return seen.keys()

    @property
    def n_columns(self) -> int:
        """Columns of all shards."""
        return int(self.features.vectorizer.n_columns_)

    def rows(self, examples: Examples, bias: float) -> tuple[Rows, int]:
        """Return examples as rows of the engine."""
        given: Any = examples
        found = self.features.rows(given)
        n_bytes = sum(one.nbytes for one in (found.indptr, found.indices, found.data))
        return rows_of(found, bias, "texts"), n_bytes

    @property
    def of_model(self) -> dict[str, Any]:
        """The vectorizer."""
        return {"fitted_vectorizer": self.features.vectorizer}

    def restore(self, model: Any) -> None:
        """Take the vectorizer of a model."""
        self.features.restore(model.vectorizer)

    def meet(self, model: Any, shards: Sequence[Shard], kept: Kept) -> None:
        """Learn new terms and the names of hashed ones, by a pass of the driver over all rows."""
        meet_terms(model, self.batches(shards, kept))


class RowsOfNumbers(Featuriser):
    """Rows of numbers: dense, or sparse as svmlight has them.

    shift : what is taken from the indices of sparse rows.
    """

    kind = Model
    shift = 0
    fix = "scale the columns of X"

    def __init__(self, choices: Choices) -> None:
        self._width, self._n_columns = 0, 0
        self.features = NumberFeatures(choices)

    def files(self, paths: Sequence[str], layout: GivenLayout) -> FileRows:
        """Return files of numbers."""
        if not isinstance(layout, Layout):
            return NumberFiles(paths, layout or {})
        # The format of words is that of numbers too.
        said = layout.to_json() | {"max_line": layout.max_line, "skip_bad": layout.skip_bad}
        numeric = f"numeric-{layout.format}"
        known = readers.numeric_formats()
        return NumberFiles(paths, said | {"format": numeric} if numeric in known else said)

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: AskShards) -> None:
        """Learn how wide the rows are, and what their labels are."""
        pieces: list[Any] = [piece for shard in shards for piece in shard.pieces]
        found: list[Shaped] = ask(Shape())
        lowest = min((one.lowest for one in found if one.lowest is not None), default=1)
        self.zero_based = pieces[0].zero_based
        if pieces[0].counts_from_all:
            self.shift, self.zero_based = int(lowest > 0), lowest == 0
        width = max(one.width for one in found) - self.shift
        self._width = max(piece.n_features or 0 for piece in pieces) or width
        check_columns(pieces[0].path, width, self._width)
        if width < self._width and not all(one.grows for one in found):
            raise InputError(
                where=pieces[0].path,
                parameter="X",
                got=Given(plural(width, "column")),
                wanted=f"{self._width}, as the model was fitted with",
            )
        self._n_columns = self._width if self.features.map is None else self._n_columns
        labels = list(chain.from_iterable(one.labels for one in found))
        self.targets = self.targets.settled(labels)

    def measure(self, run: HasChoices, ask: AskShards, settle: Callable[[], object]) -> None:
        """Measure the columns, where a scale asks for that: of rows whose class weighs anything."""
        settle()
        choices = run.choices
        self.features = NumberFeatures(choices)
        self._n_columns = self.features.fit_map(self._width)
        if not self.features.counts:
            return
        absent, number = frozenset(absent_classes(choices)), 0
        while number < len(self.features.passes):
            self.features.settle(number, ask(Look(number, absent)))
            number += 1

    def meet(self, model: Model, shards: Sequence[Shard], kept: Kept) -> None:
        """Do nothing: the columns are those of the model."""

    def answer(self, question: Any, number: int, found: FileBatch) -> object:
        """Look at the columns of a shard."""
        X: Any = found.examples
        if isinstance(question, Shape):
            lowest = int(X.indices.min()) if isinstance(X, Csr) and len(X.indices) else None
            labels = list(dict.fromkeys(found.labels))
            return Shaped(X.shape[1], lowest, labels, isinstance(X, Csr))
        if question.absent:
            labels = self.targets.plain(found.labels)
            present = [label not in question.absent for label in labels]
            X = X.take(np.flatnonzero(present))
        return self.features.look(question.number, self.features.mapped(self._wide(X)))

    def keys(self, examples: Examples, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows; folds are dealt without."""
        return None if of_model else self._wide(examples).hold_out_keys()

    def join(self, parts: list[FileBatch]) -> FileBatch:
        """Return all rows, as wide as the model."""
        found = super().join(parts)
        return found._replace(examples=self._wide(found.examples))

    def _wide(self, X: Any) -> Dense | Csr:
        """Return sparse rows with the columns of all shards."""
        if isinstance(X, Dense):
            return X
        found: Csr = X
        indices = found.indices - np.int32(self.shift)
        return Csr(found.indptr, indices, found.data, self._width)

    @property
    def n_columns(self) -> int:
        """Columns of all shards, as they are learnt."""
        return self._n_columns

    def rows(self, examples: Examples, bias: float) -> tuple[Rows, int]:
        """Return numbers as rows of the engine, in the units of the scale."""
        X = self.features.mapped(self._wide(examples))
        rows = rows_of(X, bias)
        n_bytes = X.size()
        scale = self.features.scale
        if scale is None:
            return rows, n_bytes
        # As many again where a scale centres its columns, which are rarely sparse.
        return scale.rows(rows), 2 * n_bytes

    @property
    def of_model(self) -> dict[str, Any]:
        """The map and the scale."""
        return self.features.of_model

    def restore(self, model: Model) -> None:
        """Take the map and the scale of a model."""
        self.features.restore(model)
        self._n_columns = model.n_columns


def make_featuriser(choices: Choices) -> Featuriser:
    """Return what makes rows of the examples that these choices are for."""
    return RowsOfNumbers(choices) if choices.text is None else RowsOfWords(choices)
