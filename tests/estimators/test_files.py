"""An estimator in a model file comes back as it was, to the last bit, and nothing is executed."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

pytest.importorskip("sklearn")

from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_digits, make_multilabel_classification

import hardlimit as hl
from hardlimit import budgets, classifiers, estimators, guards, kernels, model_file, rules
from hardlimit.estimators.parameters_json import from_json, to_json
from hardlimit.exceptions import HardlimitError, InputError, MissingExtraError, ModelFileError

from ..rounding import near

X, Y = (part[:90] for part in load_digits(n_class=3, return_X_y=True))
LABELS = {"two": np.where(Y == 2, "yes", "no"), "many": Y}
FORMS = {"dense": np.asarray, "sparse": csr_matrix}


def same(one, other, rows):
    assert np.array_equal(one.decision_function(rows), other.decision_function(rows))
    predicted, again = one.predict(rows), other.predict(rows)
    assert predicted.dtype == again.dtype and np.array_equal(predicted, again)
    assert hasattr(one, "predict_proba") == hasattr(other, "predict_proba")
    if hasattr(one, "predict_proba"):
        assert np.array_equal(one.predict_proba(rows), other.predict_proba(rows))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "estimator.hardlimit"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("name", estimators.__all__)
def test_every_estimator_comes_back(name, kind, form, path):
    rows, labels = FORMS[form](X), LABELS[kind]
    # Five fits of probabilities for one form only: they are of the scores, whatever the form.
    chosen = {"max_iter": 2, "bias_feature": 0.3, "probability": form == "dense"}
    clf = getattr(hl, name)(**chosen).fit(rows, labels)
    clf.save(path)
    first = path.read_bytes()
    loaded = hl.load(path)
    assert type(loaded) is type(clf) and repr(loaded) == repr(clf)
    assert loaded.get_params() == clf.get_params()
    assert loaded.n_features_in_ == 64 and not hasattr(loaded, "feature_names_in_")
    assert loaded.classes_.tolist() == clf.classes_.tolist()
    assert loaded.classes_.dtype == clf.classes_.dtype
    same(clf, loaded, rows)
    loaded.save(path)
    assert path.read_bytes() == first
    if hasattr(clf, "partial_fit"):
        for one in (clf, loaded):
            one.partial_fit(rows[:9], labels[:9])
        same(clf, loaded, rows)
        # A stream answers from its state, and so does what is loaded.
        clf.save(path)
        same(clf, hl.load(path), rows)
    assert np.array_equal(
        clone(loaded).fit(rows, labels).decision_function(rows),
        clone(clf).fit(rows, labels).decision_function(rows),
    )


def test_parameters_are_objects_again(path):
    clf = hl.VotedPerceptronClassifier(
        rule=rules.PAUM(tau_plus=2),
        schedule="1/step",
        guard=(guards.AlphaBound(3), guards.LambdaTrick(0.5)),
        class_weight={"no": 1.0, "yes": np.float64(2)},
        readout="averaged",
        max_iter=np.int64(2),
        random_state=None,
    ).fit(X, LABELS["two"])
    clf.save(path)
    loaded = hl.load(path)
    assert loaded.get_params() == clf.get_params() and type(loaded.max_iter) is int
    kernel = kernels.Polynomial(3, 0.5)
    chosen = {"kernel": kernel, "budget": budgets.RandomRemoval(20), "rule": "passive-aggressive"}
    dual = hl.KernelPerceptronClassifier(max_iter=2, **chosen).fit(X, Y)
    dual.save(path)
    loaded = hl.load(path)
    assert loaded.kernel == kernel and repr(loaded.kernel) == repr(kernel)
    assert loaded.budget == dual.budget and loaded.rule == "passive-aggressive"


@pytest.mark.parametrize("value", [0.1, 3, True, None, "x", float("inf"), -0.0, 10**30, (1, [2.5])])
def test_values_keep_their_type(value):
    again = from_json(json.loads(json.dumps(to_json("C", value))))
    assert repr(again) == repr(value) and type(again) is type(value)


def test_names_of_columns_and_several_labels(path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X[:, :4], columns=list("abcd"))
    clf = hl.PerceptronClassifier(max_iter=2).fit(table, Y)
    clf.save(path)
    loaded = hl.load(path)
    assert loaded.feature_names_in_.tolist() == list("abcd")
    assert np.array_equal(loaded.feature_names_in_, clf.feature_names_in_)
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(table[["b", "a", "c", "d"]])
    Z, T = make_multilabel_classification(random_state=0)
    several = hl.PerceptronClassifier(max_iter=2).fit(Z, T)
    several.save(path)
    same(several, hl.load(path), Z)


def test_without_the_training_state_it_predicts_only(path):
    clf = hl.AROWClassifier(max_iter=1).fit(X, Y)
    clf.save(path)
    large = path.stat().st_size
    clf.save(path, training_state=False)
    assert path.stat().st_size < large
    loaded = hl.load(path)
    same(clf, loaded, X)
    with pytest.raises(InputError.__base__, match="without its training state"):
        loaded.partial_fit(X, Y)


def test_a_fit_goes_on_warm(path):
    clf = hl.PassiveAggressiveClassifier(max_iter=2, warm_start=True).fit(X, Y)
    clf.save(path)
    loaded = hl.load(path)
    assert np.array_equal(clf.fit(X, Y).coef_, loaded.fit(X, Y).coef_)


class Own(hl.PerceptronClassifier):
    pass


class OwnRule:
    required = 0.0

    def tau(self, margin):
        return 1.0


def product(rows, others):
    return np.asarray(rows) @ np.asarray(others).T


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: hl.KernelPerceptronClassifier(kernel=product), "kernel"),
        (lambda: hl.PerceptronClassifier(random_state=np.random.RandomState(0)), "random_state"),
        (lambda: hl.VotedPerceptronClassifier(rule=OwnRule(), readout="averaged"), "rule"),
        (lambda: Own(), "class of your own"),
    ],
)
def test_what_no_file_can_hold_is_refused_before_writing(make, said, path):
    clf = make().set_params(max_iter=1).fit(X, Y)
    path.write_bytes(b"before")
    with pytest.raises(InputError, match=said) as caught:
        clf.save(path)
    assert caught.value.fix
    assert path.read_bytes() == b"before"


def test_a_parameter_that_was_spoilt_since_the_fit_is_refused(path):
    clf = hl.MarginPerceptronClassifier(max_iter=1).fit(X, Y).set_params(b=-1)
    with pytest.raises(InputError, match="b"):
        clf.save(path)
    with pytest.raises(ValueError, match="not fitted"):
        hl.MarginPerceptronClassifier().save(path)
    assert not path.exists()


def test_a_later_default_changes_nothing_that_was_saved(path):
    hl.PerceptronClassifier(max_iter=1).fit(X, Y).save(path)
    stored = model_file.open(path).header["estimator"]["parameters"]
    assert set(stored) == set(hl.PerceptronClassifier().get_params(deep=False))


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("forged") / "e"
    hl.PassiveAggressiveClassifier(max_iter=1, probability=True).fit(X, Y).save(path)
    file = model_file.open(path)
    return file.header, {name: np.array(file.array(name)) for name in file.names}


PARAMETERS = "parameters"
FORGED = [
    {"class": "os.system"},
    {"class": "BaseClassifier"},
    {"class": "expected_failed_checks"},
    {"class": ["PerceptronClassifier"]},
    {"class": None},
    {"class": "KernelPerceptronClassifier", PARAMETERS: {}},
    {"more": 1},
    {"live": 1},
    {"live": None},
    {PARAMETERS: None},
    {PARAMETERS: [1]},
    {PARAMETERS: {"unknown": 1}},
    {PARAMETERS: {"_Model": 1}},
    {PARAMETERS: {"C": "x"}},
    {PARAMETERS: {"C": -1}},
    {PARAMETERS: {"C": {"float": "1e400"}}},
    {PARAMETERS: {"C": {"float": ["inf"]}}},
    {PARAMETERS: {"C": {"eval": "1"}}},
    {PARAMETERS: {"C": []}},
    {PARAMETERS: {"C": {}}},
    {PARAMETERS: {"max_iter": "many"}},
    {PARAMETERS: {"loss": {"rule": ["perceptron", {}]}}},
    {PARAMETERS: {"class_weight": {"dict": [[["int", "0"]], []]}}},
    {PARAMETERS: {"class_weight": {"dict": [[["eval", "0"]], [1.0]]}}},
    {PARAMETERS: {"class_weight": {"rule": ["os.system", {}]}, "random_state": "x"}},
    {PARAMETERS: {"class_weight": {"guard": ["alpha-bound", {"alpha": "x"}]}}},
    {PARAMETERS: {"class_weight": {"kernel": [["rbf"], {}]}}},
    {PARAMETERS: {"class_weight": {"kernel": ["rbf", {"no": 1}]}}},
    {PARAMETERS: {"class_weight": {"kernel": "rbf"}}},
    {PARAMETERS: {"random_state": {"list": [1]}}},
    {PARAMETERS: {"scale": {"map": ["polynomial", {}]}}},
    {PARAMETERS: {"bias_feature": "1"}},
    {PARAMETERS: {"n_jobs": 0.5}},
]


@pytest.mark.parametrize("section", FORGED, ids=lambda section: json.dumps(section)[:60])
def test_forged_sections_are_refused(section, stored, path):
    header, tensors = stored
    forged = {**header["estimator"], **section}
    if isinstance(section.get(PARAMETERS), dict):
        forged[PARAMETERS] = header["estimator"][PARAMETERS] | section[PARAMETERS]
    if forged["class"] != header["estimator"]["class"]:
        forged[PARAMETERS] = {}
    model_file.write(path, {**header, "estimator": forged}, tensors)
    with pytest.raises(ModelFileError, match="estimator|labels"):
        hl.load(path)
    # What learnt inside is not touched by it, and the command line predicts.
    assert classifiers.load(path).predict(X).shape == (90,)


@pytest.mark.parametrize("readout", ["voted", "longest", "pocket"])
def test_what_no_stream_answers_by_is_no_stream(readout, path):
    hl.PerceptronClassifier(readout=readout, max_iter=2).fit(X, Y).save(path)
    file = model_file.open(path)
    tensors = {name: np.array(file.array(name)) for name in file.names}
    section = {**file.header["estimator"], "live": True}
    model_file.write(path, {**file.header, "estimator": section}, tensors)
    with pytest.raises(ModelFileError, match="the estimator"):
        hl.load(path)


@pytest.mark.parametrize("section", [1, "PerceptronClassifier", [], True])
def test_a_section_that_is_none_is_refused(section, stored, path):
    header, tensors = stored
    model_file.write(path, {**header, "estimator": section}, tensors)
    for load in (hl.load, classifiers.load):
        with pytest.raises(ModelFileError):
            load(path)


@pytest.mark.parametrize("change", [np.nan, 0.5, "shape"])
def test_weights_of_the_bias_are_those_of_the_intercept(change, path):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 5))
    for bias in (0.3, 0.7, 0.1, 0.9):
        clf = hl.LinearClassifier(max_iter=3, bias_feature=bias).fit(rows, rows[:, 0] > rows[:, 1])
        clf.save(path)
        file = model_file.open(path)
        assert np.array_equal(clf.decision_function(rows), hl.load(path).decision_function(rows))
        if "answer.bias" in file.names:
            break
    else:
        pytest.fail("no intercept lost a bit: draw other rows")
    tensors = {name: np.array(file.array(name)) for name in file.names}
    bias = tensors["answer.bias"]
    tensors["answer.bias"] = bias[:0] if change == "shape" else bias + change
    model_file.write(path, file.header, tensors)
    with pytest.raises(ModelFileError, match="the answer"):
        hl.load(path)


def test_without_scikit_learn_the_model_inside_predicts(path, monkeypatch):
    clf = hl.PerceptronClassifier(max_iter=1).fit(X, Y)
    clf.save(path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="classifiers.load"):
        hl.load(path)
    assert np.array_equal(classifiers.load(path).predict(X), clf.predict(X))


def test_loading_a_classifier_imports_no_scikit_learn(path):
    hl.LinearClassifier(max_iter=1).fit(X, Y).save(path)
    program = (
        f"import sys, hardlimit; hardlimit.load({str(path)!r}); print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize("name", ["AROWClassifier", "KernelPerceptronClassifier"])
def test_a_damaged_file_is_refused_or_answers_as_before(name, path):
    clf = getattr(hl, name)(max_iter=2, probability=True).fit(X, Y).partial_fit(X[:5], Y[:5])
    clf.save(path)
    whole, expected = path.read_bytes(), clf.decision_function(X)
    refused = 0
    for at in range(0, len(whole), len(whole) // 90):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :]):
            path.write_bytes(damaged)
            try:
                assert np.array_equal(hl.load(path).decision_function(X), expected)
            except HardlimitError:
                refused += 1
    assert refused > 170


def test_a_file_is_of_one_moment_of_a_stream(tmp_path):
    clf = hl.PerceptronClassifier(readout="averaged", probability=True).fit(X, Y)
    stop = threading.Event()

    def stream():
        while not stop.is_set():
            clf.partial_fit(X[:30], Y[:30])

    thread = threading.Thread(target=stream)
    thread.start()
    try:
        for turn in range(10):
            clf.save(tmp_path / f"m{turn}")
    finally:
        stop.set()
        thread.join()
    for turn in range(10):
        loaded, inside = hl.load(tmp_path / f"m{turn}"), classifiers.load(tmp_path / f"m{turn}")
        # From the state and from the answer of one file, which are stored apart.
        assert loaded.decision_function(X) == near(inside.decision_function(X), 1000)
        assert loaded.calibration_ == clf.calibration_
