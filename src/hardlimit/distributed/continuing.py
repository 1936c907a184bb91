"""An earlier model goes on with new rows in shards, whose weights are mixed after each epoch.

What the model has decided stays: its rule, its features and their scale, its classes, to which new
ones come where it has one label an example. The rows are shown in the order of the files, as
``partial_fit`` shows them, so that one shard and one epoch are ``partial_fit`` of all rows, bit for
bit. Documents are counted once, however many epochs there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hardlimit import readouts
from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.model.ask import CLUSTER, Ask
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed.counting import Listener, class_weights, survey
from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.epochs import learn_epochs
from hardlimit.distributed.run import Digests, TrainingRun
from hardlimit.learner import FitOutcome
from hardlimit.predictions.answerers import Fitted
from hardlimit.predictions.files import cut_to_answer
from hardlimit.sources.files import FileRows
from hardlimit.sources.reading import FileBatch


def continue_training(
    classifier: Any,
    source: FileRows,
    listener: Listener,
    *,
    cluster: object,
    epochs: int,
    shards: int = 1,
    mixing: str = "auto",
    digests: Digests | None = None,
) -> TrainingRun:
    """Let a fitted classifier go on with the rows of files; return the run.

    listener : told what is found out before the first epoch.    digests : as for `train_files`.

    Raises
    ------
    NotFittedError, InputError
        A model without its training state; choices that cannot be mixed; labels or columns that
        the model does not take.
    """
    model = classifier.fitted
    training = model.state

    asked = {"max_iter": epochs, "shards": shards, "mixing": mixing}
    choices = _choose(classifier, asked)
    pieces = cut_to_answer(Fitted(classifier), source, shards)
    with open_engine(cluster) as engine:
        run = TrainingRun(choices, engine, pieces)
        featuriser = run.featuriser
        featuriser.restore(model)
        questions = survey(run, listener, source)
        targets, counts = featuriser.targets, questions.counts()
        targets.require(counts, pieces[0].pieces[0].path)
        listener.counted(targets.rows_of_each(counts), targets.n_rows(counts))
        featuriser.meet(model, run.shards, run.settings().kept)
        with training.lock:
            targets.meet(training, counts)
            training.state.grow_columns(featuriser.n_columns)
            # A third class may have made another rule of the one that was.
            run.take_choices(_choose(classifier, asked))
            run.n_rows = targets.n_learnt(counts, training.book)
            run.labels = Counter(training.class_counts.counts)
            run.labels.update(targets.rows_of_each(counts, training.book))
            _learn(run, model)
        if digests is not None:
            digests.update(run.digest_objects())
    return run


def _choose(classifier: Any, asked: Mapping[str, object]) -> Choices:
    """Return the choices of the earlier fit, with what is asked of this one."""
    before = classifier.fitted.choices
    given = {
        **before.given,
        "rule": classifier.fitted.state.rule,
        "readout": before.readout,
        # Other hypotheses of the fit are dropped, as a stream drops them.
        "keep": tuple({*before.kept} & {*readouts.STREAMED} | {before.readout}),
        "class_weight": classifier.class_weight,
        "order": "cyclic",
        "until": None,
        **asked,
    }
    ask = Ask(way=CLUSTER, asked=frozenset({"train_from"}))
    chosen: Choices = classifier.check_parameters(given, ask)
    return chosen


def _learn(run: TrainingRun, model: Model) -> None:
    """Learn all epochs; the state moves, and what was found out of the weights before goes."""
    run.training = training = model.state
    training.version += 1
    training.kept, model.training_errors = {}, {}
    training.choices = run.choices
    try:
        run.begin(class_weights(run.choices, training.book.numbers, run.labels))
        run.send_all()
        learn_epochs(run, fit.make_plan(run.choices, None), model, outcome=FitOutcome())
    finally:
        training.choices = model.choices
    if run.choices.balanced:
        training.class_counts = ClassCounts(dict(run.labels))


def first_rows(run: TrainingRun, most: int) -> FileBatch:
    """Return the first rows that were learnt, ``most`` or a few more."""
    parts: list[FileBatch] = []
    n_rows = 0
    for batch in run.featuriser.batches(run.shards, run.settings().kept):
        parts.append(run.featuriser.pack(batch))
        n_rows += len(batch.labels)
        if n_rows >= most:
            break
    return run.featuriser.join(parts)
