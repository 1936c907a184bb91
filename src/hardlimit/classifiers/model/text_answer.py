"""The answer of a saved text model, straight from its file: numpy is never imported.

A process that classifies one message opens the file, maps it, and touches the blocks that hold the
terms of the message.
"""

from __future__ import annotations

import math
import os
import struct
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from hardlimit import model_file
from hardlimit.examples.texts import check_one_text, read_texts
from hardlimit.exceptions import Given, InputError, ModelFileError
from hardlimit.foundation.labels import chosen_class
from hardlimit.foundation.workers import count_workers
from hardlimit.text import batches
from hardlimit.text.scorer import TextScorer

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation

KIND = "text classifier"
# Behind a kind of which an example has several labels.
MANY = " of many labels"
SECTION = "answer.text."
VOTES = "answer.votes."
PACKED = "answer.packed."
PACKED_NAMES = ("runs", "starts", "outputs", "cells")

# Labels in a header are their kind and a text, so that 1, 1.0, "1", True and b"1" stay apart.
_WRITE: dict[type, Callable[[Any], str]] = {
    str: str,
    int: str,
    bool: str,
    float: float.hex,
    bytes: bytes.hex,
}
_READ: dict[str, Callable[[str], Hashable]] = {
    "str": str,
    "int": int,
    "bool": lambda text: {"True": True, "False": False}[text],
    "float": float.fromhex,
    "bytes": bytes.fromhex,
}


_MOST_OF_ONE_HASH = 100


class TextAnswer:
    """A frozen text classifier: scores, labels and explanations, nothing else.

    Attributes
    ----------
    classes : list of labels
    threshold : float
        With two classes, a score above it means the second; of several labels, any of them.
    many : bool
        Whether a text has several labels, each of which is predicted by itself.
    pairs : list of lists or None
        Of columns of labels, the two values of each.
    n_outputs : int
        1 for two classes, else their number.
    header : dict
        All that the file says beside the tensors.
    """

    def __init__(self, file: model_file.ModelFile) -> None:
        if has_votes(file):
            raise InputError(
                "this model answers by votes, and an answer straight from the file needs one "
                "weight vector",
                where=str(file.path),
                fix="use hardlimit.load(path)",
            )
        self.file = file
        self.header = file.header
        self.many = file.kind.endswith(MANY)
        try:
            self.classes = labels_from_json(self.header["classes"])
            values = self.header["values"] if self.many else None
            self.pairs = None if values is None else [labels_from_json(one) for one in values]
            self.threshold = finite(float(self.header["threshold"]))
            self.intercept = intercept_of(self.header)
            text = self.header["text"]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(
                f"the header is incomplete ({error!r})", where=str(file.path)
            ) from None
        self.n_outputs = 1 if len(self.classes) <= 2 and not self.many else len(self.classes)
        self._check_values()
        if len(self.intercept) != self.n_outputs:
            raise ModelFileError("intercepts and classes differ in number", where=str(file.path))
        # Mapped and checked block by block where they are touched, not read.
        tables = {
            name.removeprefix(SECTION): file.checked(name)
            for name in file.names
            if name.startswith(SECTION)
        }
        # Of many outputs: see `native/state/packed.hpp`.
        self.is_packed = PACKED + "runs" in file.names
        if self.is_packed:
            tables |= {f"packed.{name}": file.checked(PACKED + name) for name in PACKED_NAMES}
        self.scorer = self._make_scorer(text, tables)

    def _check_values(self) -> None:
        pairs = [2] * len(self.classes)
        if self.pairs is not None and list(map(len, self.pairs)) != pairs:
            raise ModelFileError("the values of a label are no two", where=str(self.file.path))

    def _make_scorer(self, text: Any, tables: Mapping[str, Any]) -> TextScorer:
        weights = None if self.is_packed else self.file.checked("answer.weights")
        try:
            return TextScorer(text, tables, weights, self.intercept)
        except ModelFileError:
            raise
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            raise ModelFileError(
                f"the text features contradict themselves ({error!r})", where=str(self.file.path)
            ) from None

    def scores(self, texts: Sequence[str | bytes]) -> list[tuple[float, ...]]:
        """One tuple of ``n_outputs`` scores a text."""
        return self._tuples(self.score_bytes(texts))

    def score_bytes(self, texts: Sequence[str | bytes]) -> bytes:
        """``n_outputs`` scores a text, as doubles."""
        return self.scorer.scores(self.prepare(texts), count_workers(None), batches.LEAST_SHARE)

    def prepare(self, texts: Sequence[str | bytes]) -> list[str | bytes]:
        """Return the texts as the model's features take them."""
        way = self.header["text"].get("strip_accents")
        if way is None:
            return list(texts)
        from hardlimit.text.accents import strip_accents  # few models ask for it

        return strip_accents(texts, way)

    def check_finite(self, finite: bool) -> None:
        """Refuse scores that are not finite: the numbers that made them are not either.

        Weights are looked at where they are used, since most of a file is never touched.
        """
        if not finite:
            raise ModelFileError(
                "a score is not finite, so that the weights, the intercept or the idf contradict "
                "themselves",
                where=str(self.file.path),
            )

    def scores_and_known(
        self, texts: Sequence[str | bytes]
    ) -> tuple[list[tuple[float, ...]], list[int]]:
        """Scores, and the number of distinct known terms of each text."""
        scores, known = self.scorer.scores_and_known(
            self.prepare(texts), count_workers(None), batches.LEAST_SHARE
        )
        return self._tuples(scores), known

    def _tuples(self, scores: bytes) -> list[tuple[float, ...]]:
        rows = list(struct.iter_unpack(f"={self.n_outputs}d", scores))
        self.check_finite(all(map(math.isfinite, chain.from_iterable(rows))))
        return rows

    def class_number(self, scores: Sequence[float]) -> int:
        """Return the class that these scores mean; a tie goes to the first."""
        return chosen_class(scores, len(self.classes), self.threshold)

    def predict(self, texts: Iterable[str | bytes]) -> list[Hashable]:
        """The label of each text; of several a tuple of labels, or of the values of each."""
        scores = self.scores(read_texts(texts))
        if self.many:
            return list(map(self.labels_of if self.pairs is None else self._values_of, scores))
        return [self.classes[self.class_number(one)] for one in scores]

    def labels_of(self, scores: Sequence[float]) -> tuple[Hashable, ...]:
        """Of several labels those that these scores mean."""
        pairs = zip(self.classes, scores, strict=True)
        return tuple([label for label, score in pairs if score > self.threshold])

    def _values_of(self, scores: Sequence[float]) -> tuple[Hashable, ...]:
        pairs = zip(self.pairs or (), scores, strict=True)
        return tuple([values[score > self.threshold] for values, score in pairs])

    def explain(
        self,
        text: str | bytes,
        top: int | None = None,
        *,
        threshold: float | None = None,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why this text gets its class; see :meth:`hardlimit.TextClassifier.explain`."""
        # Start-up: `hardlimit predict` asks for scores only, and starts 4 ms sooner.
        from hardlimit.classifiers.model import explanation as made

        check_one_text(text)
        scores, classes, own = self.scores([text])[0], self.classes, slice(None)
        threshold = self.threshold if threshold is None else threshold
        if self.many:
            made.refuse_against(against)
            number = made.find_label(classes, label)
            own = slice(number, number + 1)  # its neuron alone answers
            chosen = int(scores[number] > threshold)
            rival = 1 - chosen
            classes = [False, True] if self.pairs is None else self.pairs[number]
        else:
            made.refuse_label(label)
            chosen, rival = made.chosen_and_rival(scores, classes, threshold, against)
        terms = [
            made.TermContribution(
                str(self.scorer.term(row)), value, value * made.toward(w[own], chosen, rival)
            )
            for _, value, row, w in self.scorer.contributions(self.prepare([text])[0])
        ]
        intercept = made.toward(self.intercept[own], chosen, rival)
        labels = classes[chosen], classes[rival]
        return made.explain(labels, terms, intercept, top, block_of=made.block_of_term)


def labels_to_json(labels: Iterable[Hashable]) -> list[list[str]]:
    """Return kind and text of each label.

    >>> labels_to_json(["ham", 1, True, 0.5])
    [['str', 'ham'], ['int', '1'], ['bool', 'True'], ['float', '0x1.0000000000000p-1']]
    """
    written = []
    for label in labels:
        # The exact type: a subclass would come back as something else.
        kind = type(label)
        if kind not in _WRITE:
            raise InputError(
                who="save",
                parameter="labels",
                got=Given(f"{label!r} of type {kind.__name__}"),
                wanted="str, int, float, bool and bytes, which a model file can hold",
            )
        written.append([kind.__name__, _WRITE[kind](label)])
    return written


def labels_from_json(data: Sequence[tuple[str, str]]) -> list[Hashable]:
    """Return the labels again; what no release wrote is refused.

    >>> labels_from_json([["str", "ham"], ["int", "1"]])
    ['ham', 1]
    """
    try:
        labels = [_READ[kind](text) for kind, text in data]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"labels that cannot be read ({error!r})", who="model file") from None
    # Numbers can be chosen so that all have one hash: sets would take quadratic time.
    if labels and max(Counter(map(hash, labels)).values()) > _MOST_OF_ONE_HASH:
        raise ModelFileError("labels that were chosen to collide", who="model file")
    # Two classes of one name would share a number, and all later ones be shifted.
    if len(set(labels)) != len(labels) or not labels:
        raise ModelFileError("the labels are missing or occur twice", who="model file")
    return labels


def finite(number: float) -> float:
    """The number; NaN and infinity are refused."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is not finite")
    return number


def intercept_of(header: Mapping[str, Any]) -> list[float]:
    """The intercepts of a file's header, finite."""
    return [finite(float.fromhex(text)) for text in header["intercept"]]


def has_votes(file: model_file.ModelFile) -> bool:
    """Whether the answer of this file is a vote, and not one weight vector for each class."""
    return any(name.startswith(VOTES) for name in file.names)


def open_answer(path: str | os.PathLike[str]) -> TextAnswer:
    """Open the answer of a text model.

    Cost: the header; a large model is read where it is touched.
    """
    file = model_file.open(path)
    return TextAnswer(file if file.kind == KIND + MANY else model_file.open(path, KIND))
