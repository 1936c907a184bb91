"""What is known before the first epoch: terms and labels of all shards, or an earlier run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any, cast

from hardlimit.classifiers.fitting.vectorizing import new_vectorizer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import ClassCounts, book_of_fit, present_labels
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_answer import labels_from_json
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.classifiers.model.training import Training
from hardlimit.distributed import jobs, work
from hardlimit.distributed.checkpoint import Progressed
from hardlimit.distributed.engines import Part
from hardlimit.distributed.exact_terms import fit_exact, keeps_all_terms
from hardlimit.distributed.hashed_terms import fit_hashed
from hardlimit.distributed.recipes import Shard
from hardlimit.distributed.run import Run
from hardlimit.learner import Outcome
from hardlimit.streaming.counting import fit_parts
from hardlimit.text import TextVectorizer, default_features


def count(run: Run) -> Model:
    """Count terms and labels of all shards; return a model that has learnt nothing."""
    choices = run.choices
    vectorizer = _choose_features(run)
    settings = jobs.Settings(run.given, [])
    counted = run.map(
        work.count_shard,
        "counting",
        [Part.of(settings.packed())],
        tally=lambda place, one: (sum(one.labels.values()), None),
    )
    labels: Counter[Any] = Counter()
    for one in counted:
        labels.update(one.labels)
    run.shards = [
        replace(
            shard,
            pieces=tuple(
                replace(piece, digest=digest)
                for piece, digest in zip(shard.pieces, one.digests, strict=True)
            ),
        )
        for shard, one in zip(run.shards, counted, strict=True)
    ]
    terms: Any = [one.terms for one in counted]
    if vectorizer.hash_bits is not None:
        vectorizer = fit_hashed(terms)
    elif keeps_all_terms(vectorizer):
        fit_exact(vectorizer, terms)
    else:
        fit_parts(vectorizer, terms)
    run.labels = labels
    book = book_of_fit(present_labels(list(labels), None, choices.class_weight))
    run.n_rows = sum(labels[label] for label in book.numbers)
    run.training = Training(choices, book, vectorizer.n_columns_)
    if choices.balanced:
        run.training.class_counts = ClassCounts({label: labels[label] for label in book.numbers})
    weights = _begin(run, vectorizer)
    weighted = weights is not None and any(w not in (0, 1) for w in weights.values())
    more: dict[str, Any] = {"fitted_vectorizer": vectorizer}
    return TextModel(choices, book, Outcome(weighted=weighted), run.training, **more)


def _begin(run: Run, vectorizer: TextVectorizer) -> dict[Any, float] | None:
    """Have the first of the parts; return the weights of the classes."""
    book = run.training.book.numbers
    weights = _class_weights(run.choices, book, run.labels)
    settings = jobs.Settings(
        run.given, list(book), weights, vectorizer.header(), vectorizer.state_tables()
    )
    run.begin(settings)
    return weights


def go_on(run: Run, before: Model, found: Progressed, shards: list[Shard]) -> Model:
    """Return the model of a run that was broken off, to learn on."""
    run.shards, run.largest = shards, float.fromhex(found.largest)
    labels = labels_from_json(cast(Any, found.labels))
    run.labels = Counter(dict(zip(labels, found.counts, strict=True)))
    run.training = training = before.state
    run.n_rows = sum(run.labels[label] for label in training.book.numbers)
    training.choices = run.choices
    training.mistakes = 0  # those of its epochs are added up at the end
    vectorizer = cast(TextModel, before).vectorizer
    run.given |= {"words": vectorizer.words, "chars": vectorizer.chars}
    _begin(run, vectorizer)
    run.send_all()
    for neuron in found.resting:
        training.state.rest(neuron)
    run.send_resting()
    more: dict[str, Any] = {"fitted_vectorizer": vectorizer}
    return TextModel(run.choices, training.book, before.outcome, training, **more)


def _choose_features(run: Run) -> TextVectorizer:
    """Return the vectorizer, and settle what is chosen by the first texts."""
    rows = (row.text for shard in run.shards for row in shard.rows())
    head = list(islice(rows, default_features.SAMPLE))
    vectorizer, _ = new_vectorizer(run.choices, head)
    run.given |= {"words": vectorizer.words, "chars": vectorizer.chars}
    return vectorizer


def _class_weights(choices: Choices, classes: Any, labels: Counter[Any]) -> dict[Any, float] | None:
    """Return what each class weighs, ``balanced`` as numbers."""
    if not choices.balanced:
        return cast("dict[Any, float] | None", choices.class_weight)
    n, k = sum(labels[label] for label in classes), len(classes)
    return {label: n / (k * labels[label]) for label in classes}
