import json

import numpy as np
import pytest
from scipy import sparse

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, kernels
from hardlimit.classifiers.tuning import halving
from hardlimit.evaluation.calibration import deal_folds
from hardlimit.exceptions import InputError, KindError

from ...rounding import near

GRID = {"words": [(1, 1), (1, 2)], "chars": [None], "rule": ["perceptron", "passive-aggressive"]}


def without_seconds(found):
    plain = found.to_json()
    for trial in plain["trials"]:
        del trial["seconds"]
    return plain


def judge_slowly(base, texts, labels, candidate, folds):
    """The definition: a classifier for each fold, on texts."""
    fold_of = deal_folds(labels, folds, texts)
    labels = np.array(labels)
    scores = []
    for number in range(folds):
        held = np.flatnonzero(fold_of == number)
        rest = np.flatnonzero(fold_of != number)
        made = type(base)(**{**base.get_params(deep=False), **candidate})
        made.fit([texts[i] for i in rest], labels[rest].tolist())
        scores.append(float((made.predict([texts[i] for i in held]) == labels[held]).mean()))
    return scores


def test_scores_are_those_of_classifiers_of_their_own(mails):
    texts, labels = mails
    base = TextClassifier(max_iter=2, class_weight="balanced", random_state=3)
    found = base.tune(texts, labels, grid=GRID, folds=3)
    assert len(found.trials) == 4 and len(halving.choose_rungs(labels, texts)) == 1
    for trial in found.trials:
        slow = judge_slowly(base, texts, labels, trial.parameters, 3)
        assert list(trial.scores) == slow and trial.mean == near(np.mean(slow), 20)
        assert trial.standard_error == near(np.std(slow, ddof=1) / 3**0.5, 40)
    means = [trial.mean for trial in found.trials]
    assert means == sorted(means, reverse=True)


def test_the_classifier_is_the_best_one_on_all_texts(mails):
    texts, labels = mails
    base = TextClassifier(max_iter=2)
    found = base.tune(texts, labels, grid=GRID, folds=3)
    again = TextClassifier(
        **{**base.get_params(deep=False), **found.best.parameters},
    ).fit(texts, labels)
    assert found.classifier.decision_function(texts).tobytes() == (
        again.decision_function(texts).tobytes()
    )
    assert base.get_params() == TextClassifier(max_iter=2).get_params()


def test_workers_change_nothing(mails):
    texts, labels = mails
    one = TextClassifier().tune(texts, labels, grid=GRID, folds=4)
    two = TextClassifier().tune(texts, labels, grid=GRID, folds=4, n_jobs=3)
    assert without_seconds(one) == without_seconds(two)


def test_equal_texts_stay_on_one_side():
    """Labels are drawn, so that only a text that was learnt can be answered better than by luck."""
    draw = np.random.default_rng(0)
    texts = [f"w{i} v{i} u{i}" for i in range(150)] * 2
    labels = draw.choice(["a", "b"], 150).tolist() * 2
    found = TextClassifier().tune(texts, labels, grid=[{}], folds=5)
    assert found.best.mean < 0.65


def test_halving(mails, monkeypatch):
    texts, labels = mails
    monkeypatch.setattr(halving, "FEWEST_ROWS", 60)
    rungs = halving.choose_rungs(labels, texts)
    assert [len(rows) for rows in rungs[1:]] != [len(rungs[0])] and len(rungs) == 3
    assert set(rungs[0]) < set(rungs[1]) < set(rungs[2]) == set(range(len(labels)))
    grid = {"max_iter": [1, 2, 3, 4, 5, 6], "words": [(1, 1), (1, 2)]}
    found = TextClassifier(chars=None).tune(texts, labels, grid=grid, folds=3)
    rows = [trial.n_rows for trial in found.trials]
    assert rows == [len(labels)] * 3 + [len(rungs[1])] * 1 + [len(rungs[0])] * 8
    assert len({tuple(trial.parameters.items()) for trial in found.trials}) == 12


def test_nested_judges_the_search(mails):
    texts, labels = mails
    found = TextClassifier(chars=None).tune(texts, labels, grid=GRID, folds=3, nested=True)
    assert len(found.nested) == 3 and found.nested_mean == near(np.mean(found.nested), 20)
    fold_of = deal_folds(labels, 3, texts)
    rest, held = np.flatnonzero(fold_of != 1), np.flatnonzero(fold_of == 1)
    inner = TextClassifier(chars=None).tune(
        [texts[i] for i in rest], [labels[i] for i in rest], grid=GRID, folds=3
    )
    answers = inner.classifier.predict([texts[i] for i in held])
    assert found.nested[1] == np.mean([labels[i] == a for i, a in zip(held, answers, strict=True)])
    assert "nested: 0." in str(found)


def test_24_candidates_by_default(mails):
    texts, labels = mails
    found = TextClassifier().tune(texts, labels, folds=2)
    assert len(found.trials) == 24
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["folds"] == 2
    assert str(found).count("\n") == 24


def test_equal_candidates_are_tried_once(mails):
    texts, labels = mails
    grid = [{}, {"max_iter": 5}, {"rule": "passive-aggressive"}, {"max_iter": 2}]
    assert len(TextClassifier().tune(texts, labels, grid=grid, folds=2).trials) == 2


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.coo_array, list])
def test_numbers(kind):
    draw = np.random.default_rng(1)
    X = draw.normal(size=(120, 4)) * [1, 1, 1, 100]
    y = np.where(X[:, 0] + X[:, 1] > 0.3, 2, 1)
    given = X.tolist() if kind is list else kind(X)
    grid = {"scale": ["none", "standard"], "max_iter": [20], "until": [None]}
    found = LinearClassifier().tune(given, y, grid=grid, folds=3)
    assert found.best.parameters["scale"] == "standard" and found.best.mean > 0.9
    assert found.classifier.score(given, y) > 0.9


def test_numbers_by_default():
    draw = np.random.default_rng(1)
    X = draw.normal(size=(60, 3))
    found = LinearClassifier().tune(X, np.sign(X[:, 0]).astype(int), folds=2, n_jobs=2)
    assert len(found.trials) == 24


def test_several_columns_of_texts(mails):
    texts, labels = mails
    pairs = [(text, text[::-1]) for text in texts]
    base = TextClassifier(text_columns=("subject", "body"))
    found = base.tune(pairs, labels, grid={"words": [(1, 1)], "chars": [None, (2, 3)]}, folds=2)
    assert found.classifier.predict(pairs[:2]).shape == (2,) and len(found.trials) == 2


def test_macro_f1_counts_rare_classes(mails):
    texts, labels = mails
    found = TextClassifier().tune(texts, labels, grid=[{}], folds=2, scoring="macro-f1")
    assert found.scoring == "macro-f1" and 0 < found.best.mean < 1


@pytest.mark.parametrize(
    ("given", "error", "parameter", "wanted"),
    [
        ({"grid": {"wrds": [1]}}, InputError, "grid", "parameters of TextClassifier"),
        ({"grid": {"words": [(2, 1)]}}, InputError, "words", "(least, most) with 1 <= least"),
        ({"grid": {"words": "12"}}, KindError, "grid['words']", "a list of values"),
        ({"grid": []}, InputError, "grid", "1 to 10,000"),
        ({"grid": {"max_iter": range(1, 200), "tol": range(200)}}, InputError, "grid", "1 to 10,0"),
        ({"grid": 3}, KindError, "grid", "values for each parameter"),
        ({"grid": [3]}, KindError, "grid", "values for each parameter"),
        ({"folds": 1}, InputError, "folds", "a whole number from 2"),
        ({"folds": True}, InputError, "folds", "a whole number from 2"),
        ({"scoring": "roc"}, InputError, "scoring", "one of accuracy, macro-f1"),
        ({"scoring": ["roc"]}, InputError, "scoring", "one of accuracy, macro-f1"),
        ({"n_jobs": 0}, InputError, "n_jobs", "None, a number of cores"),
    ],
)
def test_refused_before_anything_is_learnt(given, error, parameter, wanted, mails, monkeypatch):
    texts, labels = mails
    monkeypatch.setattr(LinearClassifier, "fit", lambda *_, **__: pytest.fail("learnt"))
    with pytest.raises(error) as caught:
        TextClassifier().tune(texts, labels, **given)
    assert caught.value.parameter == parameter and caught.value.wanted.startswith(wanted)


def test_too_few_and_wrong_examples():
    with pytest.raises(InputError):
        TextClassifier().tune(["a", "b"], ["x"])
    with pytest.raises(InputError):
        TextClassifier().tune(["a", "b"], ["x", "x"])
    with pytest.raises(InputError, match="one example of each"):
        TextClassifier().tune(["a", "b"], ["x", "y"])


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_an_error_names_the_row_as_it_was_given(kind):
    X = np.arange(80.0).reshape(40, 2)
    X[7, 1] = np.nan
    with pytest.raises(InputError, match="row 7, column 1"):
        LinearClassifier().tune(kind(X), [0, 1] * 20, grid={"max_iter": [1]})


def test_examples_and_labels_that_can_be_read_once(mails):
    texts, labels = mails
    grid = {"words": [(1, 1)], "chars": [None], "max_iter": [1]}
    once = TextClassifier(random_state=0).tune(iter(texts), iter(labels), grid=grid)
    again = TextClassifier(random_state=0).tune(texts, labels, grid=grid)
    assert once.trials[0].scores == again.trials[0].scores
    assert (once.classifier.predict(texts) == again.classifier.predict(texts)).all()


@pytest.mark.parametrize("fewest", [60, 10_000])
def test_of_equal_candidates_the_first_is_the_best(mails, monkeypatch, fewest):
    """They begin with what is simplest; these differ in nothing that is learnt."""
    monkeypatch.setattr(halving, "FEWEST_ROWS", fewest)
    texts, labels = mails
    grid = [{"random_state": seed} for seed in range(5)]
    base = TextClassifier(max_iter=2, order="cyclic", words=(1, 1), chars=None)
    found = base.tune(texts, labels, grid=grid, folds=3)
    assert len({trial.mean for trial in found.trials[:3]}) == 1
    assert found.best.parameters == grid[0]
    assert [trial.number for trial in found.trials] == [0, 1, 2, 3, 4]


def test_kernels_are_compared_on_rows_of_other_folds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    grid = {"kernel": ["linear", kernels.Polynomial(degree=2)], "max_iter": [5]}
    found = KernelClassifier().tune(X, y, grid=grid, folds=3)
    assert found.best.parameters["kernel"] == kernels.Polynomial(degree=2)
    fold_of = deal_folds(y.tolist(), 3, None)
    for trial in found.trials:
        for number, score in enumerate(trial.scores):
            held = fold_of == number
            made = KernelClassifier(**trial.parameters).fit(X[~held], y[~held])
            assert score == float((made.predict(X[held]) == y[held]).mean())
    usual = KernelClassifier().tune(X, y, folds=2)
    assert len(usual.trials) == 12 and usual.best.mean > 0.8
    with pytest.raises(InputError, match="precomputed"):
        KernelClassifier("precomputed").tune(X @ X.T, y)
