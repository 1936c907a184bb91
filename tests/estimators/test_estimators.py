"""What the estimators promise beyond scikit-learn's checks."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn")

import sklearn
from scipy.sparse import csr_matrix
from scipy.sparse import random as random_matrix
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_digits, load_iris, make_blobs, make_multilabel_classification
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hardlimit
from hardlimit import (
    KernelPerceptronClassifier,
    MarginPerceptronClassifier,
    PassiveAggressiveClassifier,
    PerceptronClassifier,
    RelaxationClassifier,
    TextVectorizer,
    VotedPerceptronClassifier,
    WinnowClassifier,
    budgets,
    estimators,
    exceptions,
    guards,
    kernels,
    rules,
)
from hardlimit.estimators import calibration

from ..rounding import near, slope_spread, within

EVERY = [getattr(hardlimit, name) for name in estimators.__all__]
LINEAR = [cls for cls in EVERY if cls is not KernelPerceptronClassifier]
STREAMED = [cls for cls in LINEAR if hasattr(cls(), "partial_fit")]
DIGITS = load_digits(n_class=4, return_X_y=True)
IRIS = load_iris(return_X_y=True)
few = {"max_iter": 3}


@pytest.mark.parametrize("cls", LINEAR)
def test_dense_and_sparse_give_the_same_bits(cls):
    X, y = DIGITS
    dense, sparse = cls(**few).fit(X, y), cls(**few).fit(csr_matrix(X), y)
    assert np.array_equal(dense.decision_function(X), sparse.decision_function(csr_matrix(X)))


@pytest.mark.parametrize("cls", STREAMED)
def test_one_at_a_time_gives_the_bits_of_one_batch(cls):
    X, y = DIGITS[0][:200], DIGITS[1][:200]
    batch = cls().partial_fit(csr_matrix(X), y, classes=range(4))
    single = cls()
    for i in range(len(y)):
        single.partial_fit(X[i : i + 1], y[i : i + 1], classes=range(4))
    assert np.array_equal(batch.coef_, single.coef_)
    assert np.array_equal(batch.intercept_, single.intercept_)


def test_a_stream_in_order_is_an_epoch_of_a_fit():
    X, y = DIGITS
    settings = {"order": "cyclic", "until": None, "max_iter": 1}
    fitted = PerceptronClassifier(**settings).fit(X, y)
    streamed = PerceptronClassifier(**settings).partial_fit(X, y, classes=range(4))
    assert np.array_equal(fitted.coef_, streamed.coef_)


def test_a_vote_knows_no_stream():
    assert not hasattr(VotedPerceptronClassifier(), "partial_fit")
    assert hasattr(VotedPerceptronClassifier(readout="averaged"), "partial_fit")


def test_what_has_no_weight_has_no_parameter_for_it():
    for cls in (RelaxationClassifier, WinnowClassifier):
        with pytest.raises(TypeError, match="sample_weight"):
            cls().fit(*IRIS, sample_weight=np.ones(150))


def test_parameters_inside_are_searched_and_cloned():
    clf = VotedPerceptronClassifier(rule="passive-aggressive", guard=guards.AlphaBound(5))
    assert clf.get_params()["rule__C"] == 1.0
    assert clf.set_params(rule__C=0.5, guard__alpha=3).rule == rules.PassiveAggressive(0.5)
    assert clone(clf).guard == guards.AlphaBound(3)
    grid = {"kernelperceptronclassifier__kernel__degree": [1, 2]}
    pipeline = make_pipeline(StandardScaler(), KernelPerceptronClassifier(**few))
    assert GridSearchCV(pipeline, grid, cv=3).fit(*IRIS).best_score_ > 0.9


def test_weights_are_routed_through_a_pipeline():
    X, y = IRIS
    weights = np.arange(len(y)) % 2
    with sklearn.config_context(enable_metadata_routing=True):
        clf = PerceptronClassifier(**few).set_fit_request(sample_weight=True)
        clf.set_score_request(sample_weight=False)
        pipeline = make_pipeline(clf).fit(X, y, sample_weight=weights)
        scores = cross_validate(clf, X, y, params={"sample_weight": weights}, cv=3)
    direct = PerceptronClassifier(**few).fit(X, y, sample_weight=weights)
    assert np.array_equal(pipeline[-1].coef_, direct.coef_)
    assert scores["test_score"].mean() > 0.5


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_columns_keep_their_names(library):
    frames = pytest.importorskip(library)
    X, y = IRIS
    table = frames.DataFrame({name: X[:, i] for i, name in enumerate("abcd")})
    clf = PerceptronClassifier(**few).fit(table, y)
    assert clf.feature_names_in_.tolist() == list("abcd")
    assert clf.predict(table).tolist() == PerceptronClassifier(**few).fit(X, y).predict(X).tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(table[["b", "a", "c", "d"]])
    with pytest.raises(ValueError, match="feature names should match"):
        clf.partial_fit(table[["b", "a", "c", "d"]], y)


def test_balanced_weights_in_a_stream():
    X, y = make_blobs([190, 10], random_state=0)
    clf = PassiveAggressiveClassifier(C=0.01, class_weight="balanced")
    for i in range(0, 200, 20):
        clf.partial_fit(X[i : i + 20], y[i : i + 20], classes=[0, 1])
    assert clf.score(X, y) > 0.9


def test_several_labels_an_example():
    X, Y = make_multilabel_classification(random_state=0)
    clf = PerceptronClassifier(max_iter=20).fit(X, Y)
    assert clf.predict(X).shape == Y.shape
    alone = PerceptronClassifier(max_iter=20, until=None).fit(X, Y[:, 2])
    together = PerceptronClassifier(max_iter=20, until=None).fit(X, Y)
    assert np.array_equal(together.coef_[2], alone.coef_[0])


def test_a_scale_is_part_of_the_model():
    X, y = IRIS
    clf = PerceptronClassifier(scale="standard", **few).fit(X * [1, 1e4, 1, 1], y)
    assert clf.score(X * [1, 1e4, 1, 1], y) > 0.9
    apart = PerceptronClassifier(scale="standard", multiclass="ovr", n_jobs=2, **few).fit(X, y)
    one = PerceptronClassifier(scale="standard", multiclass="ovr", **few).fit(X, y)
    assert np.array_equal(apart.coef_, one.coef_)


def test_weights_select_columns():
    X, y = IRIS
    assert SelectFromModel(MarginPerceptronClassifier()).fit_transform(X, y).shape[1] < 4
    assert not hasattr(VotedPerceptronClassifier(**few).fit(X, y), "coef_")


def test_a_precomputed_kernel_is_split_both_ways():
    X, y = IRIS
    gram = (1 + X @ X.T) ** 2
    made = KernelPerceptronClassifier(kernel=kernels.Polynomial(2), probability=True, **few)
    given = KernelPerceptronClassifier(kernel="precomputed", probability=True, **few)
    made, given = made.fit(X, y), given.fit(gram, y)
    assert given.predict_proba(gram) == near(made.predict_proba(X), 10**6, size=1)


# Pickles


def test_a_pickle_holds_what_is_used_and_learns_on():
    X = random_matrix(60, 2**14, density=0.001, format="csr", random_state=0)
    X.data[:] = 1
    y = np.arange(60) % 2
    for cls in (PerceptronClassifier, MarginPerceptronClassifier):
        clf = cls(**few).fit(X, y)
        dumped = pickle.dumps(clf)
        assert len(dumped) < 80 * np.count_nonzero(clf.coef_) + 8_000
        again = pickle.loads(dumped)
        assert np.array_equal(again.decision_function(X), clf.decision_function(X))
        for one in (again, clf):
            one.partial_fit(X[:7], y[:7])
        assert np.array_equal(again.coef_, clf.coef_)


# Probabilities


@pytest.mark.parametrize("cls", EVERY)
@pytest.mark.parametrize("n_class", [2, 4])
def test_the_most_probable_class_is_the_predicted_one(cls, n_class):
    X, y = load_digits(n_class=n_class, return_X_y=True)
    clf = cls(probability=True, **few).fit(X[::3], y[::3])
    p = clf.predict_proba(X)
    assert p.shape == (len(X), n_class)
    assert p.sum(1) == near(1, 10)
    assert np.array_equal(clf.classes_[p.argmax(1)], clf.predict(X))
    assert clf.calibration_.a > 0


def test_without_probability_there_is_no_predict_proba():
    assert not hasattr(PerceptronClassifier(), "predict_proba")
    streamed = PerceptronClassifier(probability=True).partial_fit(*IRIS)
    with pytest.raises(exceptions.NotFittedError, match="calibrate"):
        streamed.predict_proba(IRIS[0])
    assert streamed.calibrate(*IRIS).predict_proba(IRIS[0]).shape == (150, 3)


def test_the_slope_is_the_minimum_of_the_log_loss():
    from scipy.optimize import minimize_scalar

    draw = np.random.default_rng(0)
    truth = 0.7
    scores = draw.normal(size=4000) * 3
    targets = (draw.random(4000) < 1 / (1 + np.exp(-truth * scores))).astype(int)
    a = calibration.fit_slope(scores, targets).a
    assert a == within(truth, slope_spread(scores, truth))
    n = np.bincount(targets)
    smooth = np.where(targets == 1, (n[1] + 1) / (n[1] + 2), 1 / (n[0] + 2))

    def loss(s):
        f = s * scores
        return (smooth * np.logaddexp(0, -f) + (1 - smooth) * np.logaddexp(0, f)).sum()

    found = minimize_scalar(loss, bounds=(0.01, 10), method="bounded", options={"xatol": 1e-10})
    # The place of a minimum is known to the root of its value's rounding, about 1e-8.
    assert a == pytest.approx(found.x, rel=1e-5)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_ties_and_hairs_breadths_are_decided_as_the_prediction_is(unit):
    slope = calibration.Slope(1e-9 / unit)
    two = np.array([0.0, 5e-324, -5e-324, 1e-300, 1.0, -1.0]) * unit
    assert slope.probabilities(two).argmax(1).tolist() == (two > 0).astype(int).tolist()
    many = np.array([[1.0, 1.0, 0.5], [1.0, np.nextafter(1, 2), 1.0], [0, 0, 0]]) * unit
    assert slope.probabilities(many).argmax(1).tolist() == many.argmax(1).tolist()


def test_scores_that_mislead_give_a_slope_above_0_all_the_same():
    assert calibration.fit_slope(np.array([-1.0, -2, 1, 2]), np.array([1, 1, 0, 0])).a > 0
    assert calibration.fit_slope(np.zeros(4), np.array([1, 1, 0, 0])).a > 0
    assert np.isfinite(calibration.fit_slope(np.array([-9.0, 9]), np.array([0, 1])).a)
    with pytest.raises(exceptions.InputError, match="one example of each"):
        PerceptronClassifier(probability=True).fit([[0.0], [1.0]], [0, 1])


# Texts


def test_texts_in_a_column_transformer_keep_the_names_of_terms():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"text": ["win a prize", "lunch at noon"] * 3, "n": range(6)})
    columns = ColumnTransformer(
        [("terms", TextVectorizer(words=(1, 1)), "text")], remainder="passthrough"
    )
    pipeline = make_pipeline(columns, PerceptronClassifier()).fit(table, [1, 0] * 3)
    assert pipeline.predict(table).tolist() == [1, 0] * 3
    assert columns.get_feature_names_out().tolist()[:2] == ["terms__win", "terms__prize"]
    assert clone(columns).transformers[0][1].words == (1, 1)
    grid = {"columntransformer__terms__words": [(1, 1), (1, 2)]}
    assert GridSearchCV(pipeline, grid, cv=2).fit(table, [1, 0] * 3).best_score_ == 1


# What is imported


def test_estimators_are_imported_when_asked_for_and_say_what_is_missing():
    program = (
        "import sys, hardlimit, hardlimit.estimators\n"
        "assert 'sklearn' not in sys.modules\n"
        "sys.modules['sklearn'] = None\n"
        "import importlib.util; importlib.util.find_spec = lambda name, package=None: None\n"
        "try: hardlimit.PerceptronClassifier\n"
        "except hardlimit.exceptions.MissingExtraError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'hardlimit[sklearn]'" in done.stdout, done.stderr


def test_a_kernel_perceptron_on_a_budget_answers_within_it():
    X, y = load_iris(return_X_y=True)
    bounded = KernelPerceptronClassifier(kernel="rbf", budget=budgets.RemoveOldest(9), max_iter=3)
    assert bounded.fit(X, y == 1).support_.size <= 9
    assert bounded.model_.readout == "last"
    free = KernelPerceptronClassifier(kernel="rbf", max_iter=3).fit(X, y == 1)
    assert free.model_.readout == "averaged"
    for readout in ("averaged", "voted"):
        with pytest.raises(exceptions.InputError, match=f"RemoveOldest: got readout='{readout}'"):
            clone(bounded).set_params(readout=readout).fit(X, y == 1)


def test_a_stream_refuses_targets_of_a_regression():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="continuous"):
        PerceptronClassifier().partial_fit(X, X[:, 0] + 0.123)
    clf = PerceptronClassifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="continuous"):
        clf.partial_fit(X, X[:, 0] + 0.123)
    assert clf.partial_fit(X, y.astype(float)).classes_.tolist() == [0, 1, 2]


def test_early_stopping_takes_several_labels_a_row():
    X, Y = make_multilabel_classification(120, random_state=0)
    clf = PassiveAggressiveClassifier(early_stopping=True, max_iter=20).fit(X, Y)
    assert clf.predict(X).shape == Y.shape


@pytest.mark.parametrize("settings", [{}, {"probability": True}, {"class_weight": "balanced"}])
def test_the_tag_of_several_labels_tells_what_a_fit_takes(settings):
    X, Y = make_multilabel_classification(60, random_state=0)
    clf = PerceptronClassifier(**settings)
    if clf.__sklearn_tags__().classifier_tags.multi_label:
        clf.fit(X, Y)
    else:
        with pytest.raises(exceptions.InputError, match="several labels"):
            clf.fit(X, Y)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_names_of_tables_are_kept_and_compared(kind):
    tables = pytest.importorskip(kind)
    X, y = load_iris(return_X_y=True)
    table = tables.DataFrame({f"c{i}": X[:, i] for i in range(4)})
    labels = tables.Series([f"class {label}" for label in y])
    clf = PerceptronClassifier(max_iter=5).fit(table, labels)
    assert clf.feature_names_in_.tolist() == ["c0", "c1", "c2", "c3"]
    assert np.array_equal(clf.coef_, PerceptronClassifier(max_iter=5).fit(X, labels).coef_)
    with pytest.raises(ValueError, match="same order"):
        clf.predict(table[["c3", "c2", "c1", "c0"]])


LINEAR = [
    PerceptronClassifier, PassiveAggressiveClassifier, RelaxationClassifier,
    hardlimit.AROWClassifier,
]  # fmt: skip


@pytest.mark.parametrize("kind", LINEAR)
@pytest.mark.parametrize("more", [{}, {"n_jobs": 2}])
def test_a_map_is_part_of_the_estimator(kind, more, tmp_path):
    X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] * 2)
    y = np.array([0, 1, 1, 0] * 2)
    clf = kind(map=hardlimit.maps.Cross(which="seen"), **more).fit(X, y)
    by_hand = hardlimit.maps.Cross()
    twin = kind(**more).fit(by_hand.fit_transform(X), y)
    assert clf.coef_.tolist() == twin.coef_.tolist() and clf.predict(X).tolist() == y.tolist()
    assert clf.n_features_in_ == 2 and clf.coef_.shape == (1, 3)
    clf.save(tmp_path / "m")
    assert hardlimit.load(tmp_path / "m").predict(X).tolist() == y.tolist()
    started = kind(map="cross", **more).fit(X, y, coef_init=[[0.0, 0.0, -1.0]])
    assert started.predict(X).tolist() == y.tolist()


def test_a_map_goes_with_early_stopping_and_is_searched():
    X, y = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] * 5), [0, 1, 1, 0] * 5
    clf = PassiveAggressiveClassifier(map="polynomial", tol=1e-3).fit(X, y)
    assert clf.predict(X).tolist() == y
    found = GridSearchCV(
        PerceptronClassifier(map=hardlimit.maps.Polynomial()), {"map__degree": [1, 2]}
    )
    assert found.fit(X, y).best_params_ == {"map__degree": 2}
