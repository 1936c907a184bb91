"""A fitted model of texts: a model of numbers behind the vectorizer that makes rows of texts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from dataclasses import InitVar, dataclass, replace
from typing import Any, Self

import numpy as np

from hardlimit._native import Rows
from hardlimit.classifiers.model import explanation
from hardlimit.classifiers.model.answers import (
    LEAST_BLOCK,
    LiveWeights,
    Weights,
    row_blocks,
)
from hardlimit.classifiers.model.decisions import Opposed
from hardlimit.classifiers.model.explanation import Explanation, TermContribution
from hardlimit.classifiers.model.forms import ONE_TEXT, NumbersForm, TextColumnsForm
from hardlimit.classifiers.model.model import STILL, Model
from hardlimit.classifiers.model.packed_weights import Packed, PackedWeights, with_bias
from hardlimit.classifiers.model.text_answer import PACKED, PACKED_NAMES, SECTION, TextAnswer
from hardlimit.engine import Reading, rows_of
from hardlimit.examples.texts import check_one_text, read_texts
from hardlimit.examples.tuples import read_tuples
from hardlimit.exceptions import MemoryEstimateError, NotFittedError
from hardlimit.foundation.memory import require_dense
from hardlimit.model_file import refuse_contradictions
from hardlimit.text import TextVectorizer

Array = np.ndarray[Any, Any]
Text = str | bytes


class StoredWeights:
    """The answer of a file that was loaded: texts are scored where the weights lie.

    A pickle holds the weights instead, since it may go where the file is not.
    """

    def __init__(self, answer: TextAnswer) -> None:
        self.answer = answer

    @property
    def n_outputs(self) -> int:
        """Scores a text."""
        return self.answer.n_outputs

    @property
    def n_columns(self) -> int:
        """Terms of the vocabulary."""
        return int(self.answer.header["text"]["n_columns"])

    def scores_of_texts(self, texts: object) -> Array:
        """Scores (n_texts, n_outputs), finite."""
        scores = np.frombuffer(self.answer.score_bytes(read_texts(texts)))
        self.answer.check_finite(bool(np.isfinite(scores).all()))
        return scores.reshape(-1, self.n_outputs)

    def scores(self, rows: Rows) -> Array:
        """Scores (n_rows, n_outputs) of rows of the vectorizer."""
        scores: Array = self.frozen().scores(rows)
        return scores

    def frozen(self, single_precision: bool = True) -> Weights | PackedWeights:
        """Return an answer that needs no file, for rows of the vectorizer."""
        return self._packed() if self.answer.is_packed else Weights(self._array())

    def weights(self) -> Array:
        """Return the weights (n_columns + 1, n_outputs) as float32, the bias's last."""
        return self.frozen().weights()

    def lengths(self, scheme: str) -> Array:
        """Return ``||w||`` of each part."""
        return self.frozen().lengths(scheme)

    def absolute_sums(self, scheme: str) -> Array:
        """Return ``sum |w_j|`` of each part."""
        return self.frozen().absolute_sums(scheme)

    def _packed(self) -> PackedWeights:
        file = self.answer.file
        with refuse_contradictions(file, "the answer"):
            stored = self._packed_terms()
            runs = stored.runs
            if SECTION + "columns" in file.names:
                runs = np.zeros(self.n_columns, np.uint32)
                runs[file.array(SECTION + "columns")] = stored.runs
            return with_bias(stored.with_runs(runs), self._bias())

    def _packed_terms(self) -> Packed:
        """Return packed weights as they lie in the file, for terms in place of columns."""
        file = self.answer.file
        return Packed(*(file.array(PACKED + name) for name in PACKED_NAMES))

    def _bias(self) -> Array:
        parameters, bias = self.answer.file.header["parameters"], np.zeros(self.n_outputs)
        if parameters["fit_intercept"]:
            bias = np.array(self.answer.intercept) / float(parameters["bias_feature"])
        return bias.astype(np.float32)

    def _array(self) -> Array:
        file, outputs = self.answer.file, self.n_outputs
        stored = self.stored_weights()
        columns: Array = np.arange(len(stored))
        for name in ("used", "columns"):
            if SECTION + name in file.names:
                columns = file.array(SECTION + name)[columns]
        require_dense(self.n_columns, outputs, 4)
        with refuse_contradictions(file, "the answer"):
            weights = np.zeros((self.n_columns + 1, outputs), np.float32)
            weights[columns] = stored
            weights[-1] = self._bias()
        return weights

    def largest(self, top: int) -> list[list[tuple[int, float]]]:
        """Return terms of the file and weights, the largest of each output, where they are packed.

        Cost: a look at each weight that is not zero.
        """
        with refuse_contradictions(self.answer.file, "the answer"):
            stored = self._packed_terms()
            runs = np.append(stored.runs, np.uint32(0))  # the bias is no term
            return PackedWeights(stored.with_runs(runs), self.n_outputs).largest(top)

    def stored_weights(self) -> Array:
        """Return the weights of the terms that have some, as they lie in the file."""
        weights: Array = self.answer.file.array("answer.weights").reshape(-1, self.n_outputs)
        return weights

    def cost(self, n_rows: int) -> int:
        """Return 0: this is no vote."""
        return 0

    def __reduce__(self) -> tuple[Any, ...]:
        return self.frozen().__reduce__()


@dataclass(eq=False)
class TextModel(Model):
    """A model whose rows are made of texts.

    fitted_vectorizer : of a fit; it is part of the training state, which a stream moves.
    """

    codec = "text"
    # Whether the terms of the rows that come were met already, by a pass before.
    has_met_terms = False

    fitted_vectorizer: InitVar[TextVectorizer | None] = None

    def __post_init__(self, fitted_vectorizer: TextVectorizer | None) -> None:
        if fitted_vectorizer is not None:
            self.state.vectorizer = fitted_vectorizer

    @property
    def form(self) -> NumbersForm:
        """What an example is: one text."""
        return ONE_TEXT

    @property
    def vectorizer(self) -> TextVectorizer:
        """What makes rows of texts; of a loaded model it comes with the training state."""
        vectorizer = self.state.vectorizer
        if vectorizer is None:
            raise NotFittedError("the model has no vectorizer", fix="call fit(texts, labels)")
        return vectorizer

    @property
    def meets_terms(self) -> bool:
        """Whether new terms get an idf, of the frequencies in all texts."""
        return self.vectorizer.idf is not None

    @property
    def chosen_features(self) -> Mapping[str, Any]:
        """What was left to the texts, as parameters of the classifier: words and characters."""
        return {"words": self.vectorizer.words, "chars": self.vectorizer.chars}

    @property
    def stored_answer(self) -> StoredWeights | None:
        """The answer in the file, where that is what answers."""
        answer = self.frozen and self.answer
        return answer if isinstance(answer, StoredWeights) else None

    def batch(self, texts: Any) -> list[Any]:
        """Return all texts as they are counted, whatever holds them."""
        return read_texts(texts)

    def read_batch(self, X: object) -> tuple[Any, int]:
        """Return all texts as they are counted, and how many."""
        texts = self.batch(X)
        return texts, len(texts)

    def rows_to_learn(self, batch: Any) -> Rows:
        """Return the rows of texts; make room for new terms."""
        training, vectorizer = self.training or self.state, self.vectorizer
        # Hashed columns are all there from the start; others come with their terms.
        if vectorizer.hash_bits is None:
            training.check_growing()
        before = training.state.presentations
        try:
            learn = vectorizer.rows if self.has_met_terms else vectorizer.learn_rows
            featurised = learn(batch)
            # New terms start at weight 0, as if they had been there all the time.
            training.state.grow_columns(featurised.n_columns)
            return rows_of(featurised, self.choices.bias, "texts")
        except MemoryEstimateError:
            raise
        except MemoryError as error:
            training.version += 1  # the answer of before may be too narrow by now
            raise training.out_of_memory(before, len(batch)) from error

    def check_one(self, text: Any) -> None:
        """Refuse what is not one example."""
        check_one_text(text)

    @property
    def moment(self) -> Reading | nullcontext[None]:
        """What is held while rows are made and scored, unless the file itself answers.

        A stream in another thread could add columns between the two steps.
        """
        return self.state.reading

    def features(self) -> Mapping[str, Any]:
        """Return what is counted in a text, as the model file says it."""
        stored = self.stored_answer
        header: Mapping[str, Any]
        header = self.vectorizer.header() if stored is None else stored.answer.header["text"]
        return header

    def rows(self, featurised: Any) -> Rows:
        """Rows of the vectorizer, whose columns may have grown since the answer was frozen."""
        training = self.state
        # Terms that came by the vectorizer itself widen the state.
        if featurised.n_columns > training.state.n_columns:
            training.state.grow_columns(featurised.n_columns)
            # The frozen answer is too narrow for these rows.
            training.version += 1
        if featurised.n_columns < training.state.n_columns:
            featurised = replace(featurised, n_columns=training.state.n_columns)
        return rows_of(featurised, self.choices.bias, "texts")

    def scores_of(self, texts: object) -> Array:
        """Scores (n_texts, n_outputs)."""
        stored = self.stored_answer
        if stored is not None:
            return stored.scores_of_texts(texts)
        with self.moment:
            return self.scores(self.rows(self.vectorizer.rows(self.batch(texts))))

    def predict(self, texts: object) -> Array:
        """The class of each text; scores of many texts never stand in memory together."""
        batch, stored = self.batch(texts), self.stored_answer
        if 0 < len(batch) <= LEAST_BLOCK:  # a text by itself costs microseconds
            return self.classes.decide(self.scores_of(batch), self.threshold)
        scores_of = self.scores_of if stored is None else stored.scores_of_texts
        # Nobody learns between two blocks of a state that moves.
        with self.moment if stored is None else STILL:
            blocks = row_blocks(stored or self.answer, len(batch))
            # What was read as a whole is not read again.
            parts = [batch[block] for block in blocks] if len(blocks) > 1 else [batch]
            decided = [self.classes.decide(scores_of(part), self.threshold) for part in parts]
        return decided[0] if len(decided) == 1 else np.concatenate(decided)

    def scores_and_known(self, texts: object) -> tuple[Array, Array]:
        """Scores (n_texts, n_outputs), and the number of distinct known terms of each text."""
        batch, stored = self.batch(texts), self.stored_answer
        if stored is None:
            with self.moment:
                featurised = self.vectorizer.rows(batch)
                return self.scores(self.rows(featurised)), np.diff(featurised.indptr)
        scores, known = stored.answer.scores_and_known(batch)
        return np.array(scores).reshape(-1, stored.n_outputs), np.array(known)

    def explain_labels(self, text: object, top: int | None) -> dict[Hashable, Explanation]:
        """Why each of several labels is predicted or not."""
        self.classes.require_several("explain_labels", "explain(text)")
        return {label: self.explain(text, top, None, label) for label in self.classes.numbers}

    def explain(
        self,
        text: Any,
        top: int | None,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why this text gets its class, and not its best rival or the class ``against``.

        Of several labels: why it gets the one named ``label``, or does not.
        """
        self.check_one(text)
        stored = self.stored_answer
        if stored is not None:
            threshold = self.threshold
            return stored.answer.explain(
                text, top, threshold=threshold, against=against, label=label
            )
        with self.moment:
            return self._explain_now(text, top, against, label)

    def _explain_now(
        self, text: Any, top: int | None, against: Hashable | None, label: Hashable | None
    ) -> Explanation:
        featurised = self.vectorizer.rows([text])
        columns = featurised.indices.tolist()
        opposed, weights, intercept = self._oppose(featurised, columns, against, label)
        terms = [
            TermContribution(term, float(value), float(value) * opposed.toward(row))
            for term, value, row in zip(
                self.vectorizer.terms(columns), featurised.data, weights, strict=False
            )
            if any(row)  # a term without weights is unknown, as to a saved model
        ]
        return explanation.explain(opposed.labels, terms, intercept, top, block_of=self._block_of)

    def _oppose(
        self, featurised: Any, columns: list[int], against: Hashable | None, label: Hashable | None
    ) -> tuple[Opposed, list[list[float]], float]:
        """The answer and its rival, the weights of these columns, and what the bias adds."""
        scores = self.scores(self.rows(featurised))[0].tolist()
        classes = list(self.classes.numbers)
        opposed = self.classes.oppose(classes, scores, self.threshold, against, label)
        # Only these weights are read: a text has some hundred terms, a model millions.
        weights = self._weights_of([*columns, self.n_columns])[:, opposed.outputs].tolist()
        bias = [weight * self.choices.bias for weight in weights[-1]]
        return opposed, weights, opposed.toward(bias)

    @property
    def _block_of(self) -> Callable[[str], str]:
        """The function from terms to the names of their blocks."""
        return explanation.block_of_term

    def _weights_of(self, columns: list[int]) -> Array:
        """Weights (len(columns), n_outputs) of the read-out that answers."""
        answer: Any = self.answer
        if isinstance(answer, LiveWeights):
            return answer.weights_of(columns)
        # Files hold single precision; sums are made in double as the file's answer makes them.
        return self.frozen_weights().weights_of(columns)

    def telling_terms(self, top: int) -> dict[Hashable, list[tuple[str, float]]]:
        """The terms of the largest weights for each class, with the weights, largest first."""
        with self.reading:
            return self._telling_terms_now(top)

    def _telling_terms_now(self, top: int) -> dict[Hashable, list[tuple[str, float]]]:
        stored = self.stored_answer
        if stored is not None and stored.answer.is_packed:
            return self._name_terms(stored.largest(top), stored)
        answer = None if stored is not None else self.frozen_weights()
        if isinstance(answer, PackedWeights):
            return self._name_terms(answer.largest(top), None)
        weights = self.weights()[:-1] if stored is None else stored.stored_weights()
        if stored is not None:  # numbers of a file are looked at where they are used
            stored.answer.check_finite(bool(np.isfinite(weights).all()))
        telling: dict[Hashable, list[tuple[str, float]]] = {}
        for number, label in enumerate(list(self.classes.numbers)):
            side = self.classes.weights_of(weights, number)
            best = largest(side, top)
            terms = self._name_places(best, stored)
            telling[label] = [(t, float(side[c])) for t, c in zip(terms, best, strict=True)]
        return telling

    def _name_places(self, places: list[int], stored: StoredWeights | None) -> list[str]:
        """The terms at these places: columns, or rows of the file."""
        if stored is None:
            return list(self.vectorizer.terms(places))
        return [str(stored.answer.scorer.term(place)) for place in places]

    def _name_terms(
        self, found: list[list[tuple[int, float]]], stored: StoredWeights | None
    ) -> dict[Hashable, list[tuple[str, float]]]:
        telling: dict[Hashable, list[tuple[str, float]]] = {}
        for label, pairs in zip(self.classes.numbers, found, strict=True):
            terms = self._name_places([place for place, _ in pairs], stored)
            telling[label] = [(term, w) for term, (_, w) in zip(terms, pairs, strict=True)]
        return telling

    def __getstate__(self) -> dict[str, Any]:
        self.state  # noqa: B018  a model that was saved without it cannot leave its file
        return super().__getstate__()

    def __copy__(self) -> Self:
        other = super().__copy__()
        if isinstance(other.frozen, StoredWeights):
            other.frozen = other.frozen.frozen()
        return other


@dataclass(eq=False)
class ColumnsModel(TextModel):
    """A model whose rows are made of texts in several columns.

    stored_vectorizer : of a file, whose training state may be missing.
    """

    codec = "text_columns"

    stored_vectorizer: Any = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of texts."""
        settings = self.choices.text
        return tuple(settings.text_columns or ()) if settings else ()

    @property
    def form(self) -> NumbersForm:
        """What an example is: a text in each column."""
        return TextColumnsForm(self.names)

    @property
    def vectorizer(self) -> Any:
        """What makes rows of the texts."""
        training, stored = self.training, self.stored_vectorizer
        # Before a stream has learnt, that of the file is the same.
        if training is None and stored is not None:
            return stored
        found = None if training is None else training.vectorizer
        return super().vectorizer if found is None else found

    @property
    def meets_terms(self) -> bool:
        """Return True: the columns of new terms depend on those of other blocks."""
        return True

    @property
    def chosen_features(self) -> Mapping[str, Any]:
        """What was left to the values: the kinds of columns."""
        found: Mapping[str, Any] = self.vectorizer.chosen_features
        return found

    @property
    def _block_of(self) -> Callable[[str], str]:
        """The function from terms to their columns of texts and blocks."""
        return explanation.blocks_of_columns(self.names)

    def batch(self, texts: Any) -> list[Any]:
        """Return a tuple of texts an example."""
        return read_tuples(texts, self.names)

    def check_one(self, text: Any) -> None:
        """Refuse what is not one example."""
        read_tuples([text], self.names)

    def rows(self, featurised: Any) -> Rows:
        """Rows of the vectorizer; without a training state as they are."""
        if self.training is None and self.stored_vectorizer is not None:
            return rows_of(featurised, self.choices.bias, "texts")
        return super().rows(featurised)

    @property
    def moment(self) -> Reading | nullcontext[None]:
        """What is held while rows are made and scored."""
        return self.reading

    def __getstate__(self) -> dict[str, Any]:
        self.restore()
        return Model.__getstate__(self)


def largest(weights: Array, top: int) -> list[int]:
    """Places of the largest positive weights, largest first; the earlier place among equals."""
    if not 0 < top < len(weights):
        candidates = np.flatnonzero(weights > 0)
    else:
        # Partition and not sort: of millions of weights some ten are shown.
        least = max(np.partition(weights, -top)[-top], np.finfo(weights.dtype).tiny)
        candidates = np.flatnonzero(weights >= least)
    return sorted(candidates.tolist(), key=lambda place: (-weights[place], place))[:top]
