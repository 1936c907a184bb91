"""An estimator that other threads use while it is fitted."""

import pickle
import threading

import many_threads as threads
import numpy as np

from hardlimit.estimators import PassiveAggressiveClassifier, PerceptronClassifier

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 4))
SETS = ((X, np.where(X[:, 0] > 0, "up", "down")), (X[:, ::-1].copy(), np.abs(X).argmax(1)))


def test_answers_during_a_fit_are_of_the_old_model_or_the_new():
    """Of one model, with the slope that belongs to it and the classes that it knows."""
    clf, answers = PerceptronClassifier(probability=True, max_iter=5), set()
    for rows, labels in SETS:
        clf.fit(rows, labels)
        answers |= {repr(clf.predict(X).tolist()), repr(clf.predict_proba(X).tolist())}
    strange = []

    def fit():
        for turn in range(10):
            clf.fit(*SETS[turn % 2])

    def ask(method):
        if repr(getattr(clf, method)(X).tolist()) not in answers:
            strange.append(method)

    together = threads.Together(
        fit, [lambda: ask("predict"), lambda: ask("predict_proba"), lambda: pickle.dumps(clf)]
    )
    assert (together.errors, strange) == ([], [])


def test_other_columns_are_known_with_the_model_that_learnt_them():
    """Who asks with the old columns gets an answer until the new model is there."""
    wide = RNG.normal(size=(60, 6))
    clf = PerceptronClassifier(max_iter=5).fit(X, SETS[0][1])
    fitting, going_on = threading.Event(), threading.Event()
    learn = type(clf)._learn

    def slowly(self, *given):
        fitting.set()
        going_on.wait(10)
        learn(self, *given)

    try:
        type(clf)._learn = slowly
        thread = threading.Thread(target=clf.fit, args=(wide, SETS[0][1]))
        thread.start()
        fitting.wait(10)
        assert len(clf.predict(X)) == 60 and clf.n_features_in_ == 4
    finally:
        going_on.set()
        thread.join(10)
        type(clf)._learn = learn
    assert len(clf.predict(wide)) == 60 and clf.n_features_in_ == 6


def test_streams_that_begin_at_once_are_one():
    clf = PassiveAggressiveClassifier(tol=None)
    start = threading.Barrier(6)

    def learn(i):
        start.wait()
        clf.partial_fit(X[i : i + 1], [i % 2], classes=[0, 1])

    workers = [threading.Thread(target=learn, args=(i,)) for i in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert clf.model_.fitted.state.state.presentations == 6
    assert pickle.loads(pickle.dumps(clf)).partial_fit(X[:1], [1]).classes_.tolist() == [0, 1]
