"""New rows for a model of an earlier fit, a batch at a time: the bits of all of them at once.

Rows are presented in their order, as ``partial_fit`` presents them. Only what new terms are is said
by all texts together: their columns where there are several blocks of them, and their idf.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.foundation import progress
from hardlimit.streaming.batches import BatchSource


def partial_fit_stream(
    classifier: Any, batches: Any, epochs: int, look: Callable[[int, int], object] | None
) -> None:
    """Let a fitted classifier go on: see :meth:`.OutOfCore.partial_fit_stream`."""
    source, model = BatchSource(batches), classifier.fitted
    meets = model.meets_terms
    if epochs > 1:
        source.require_repeats("each epoch shows all rows")
    if meets:
        source.require_repeats("new terms are counted before any row is learnt")
        _meet_terms(model, source)
    for epoch in range(1, epochs + 1):
        n_rows = 0
        if meets:
            model.has_met_terms = epoch == 1
        try:
            for batch in source:
                classifier.partial_fit(batch.examples, batch.labels, batch.weights)
                n_rows += len(batch.examples)
                progress.report(f"learning, epoch {epoch} of {epochs}", n_rows, 0, "rows")
                if look is not None:
                    look(epoch, n_rows)
        finally:
            if meets:
                model.has_met_terms = False


def _meet_terms(model: TextModel, source: BatchSource) -> None:
    training, vectorizer = model.training or model.state, model.vectorizer
    with training.lock:
        if vectorizer.hash_bits is None:
            training.check_growing()
        n_rows = 0
        try:
            for batch in source:
                vectorizer.meet(model.batch(batch.examples))
                n_rows += len(batch.examples)
                progress.report("counting new terms", n_rows, 0, "rows")
        finally:  # also of a pass that ended early: what was met has columns, whose weights are 0
            vectorizer.learn_idf()
            training.state.grow_columns(vectorizer.n_columns_)
            training.version += 1
