"""Several labels a text: each neuron is the binary problem of its own; sets and matrices."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse

from hardlimit import LinearClassifier, TextClassifier, load
from hardlimit.exceptions import DataWarning, InputError, KindError

from ..rounding import SINGLE, near

WORDS = {
    "sport": "goal match team coach league".split(),
    "price": "euro cheap sale cost discount".split(),
    "travel": "hotel flight beach train ticket".split(),
}
OTHER = "the a we you see today maybe again".split()


def drawn(n=120, seed=0):
    draw = np.random.default_rng(seed)
    texts, sets = [], []
    for _ in range(n):
        labels = {label for label in WORDS if draw.random() < 0.4}
        words = [str(draw.choice(WORDS[label])) for label in sorted(labels) for _ in range(2)]
        texts.append(" ".join([*words, *map(str, draw.choice(OTHER, 5))]))
        sets.append(labels)
    return texts, sets


def truth_of(sets):
    return np.array([[label in one for label in sorted(WORDS)] for one in sets])


def small(**more):
    return TextClassifier(**{"words": (1, 1), "chars": None, "max_iter": 3} | more)


@pytest.mark.parametrize("rule", ["passive-aggressive", "perceptron", "arow", "romma"])
@pytest.mark.parametrize("readout", ["averaged", "last", "longest", "voted"])
def test_each_neuron_is_a_fit_of_its_own(rule, readout):
    if rule == "arow" and readout == "voted":
        pytest.skip("its corrections are no multiples of the examples")
    texts, sets = drawn()
    truth = truth_of(sets)
    settings = {"rule": rule, "readout": readout, "keep": (readout, "last")}
    many = small(**settings).fit(texts, sets)
    scores = many.decision_function(texts)
    for k in range(truth.shape[1]):
        one = small(**settings).fit(texts, truth[:, k])
        assert np.array_equal(scores[:, k], one.decision_function(texts))
        if readout != "voted":
            assert np.array_equal(many.coef_[k], one.coef_[0])


@pytest.mark.parametrize("make", [set, frozenset, list, tuple, sorted])
def test_sets_come_back_as_tuples_in_the_order_of_the_labels(make):
    texts, sets = drawn()
    clf = small().fit(texts, [make(one) for one in sets])
    assert clf.classes_.tolist() == sorted(WORDS)
    answers = clf.predict(texts)
    assert answers.tolist() == [tuple(sorted(one)) for one in sets]  # separable by its words
    assert clf.score(texts, sets) == 1 and clf.n_training_errors_ == 0
    # Whatever order the labels of a text were given in, and however often.
    again = small().fit(texts, [[*reversed(sorted(one)), *one] for one in sets])
    assert np.array_equal(again.coef_, clf.coef_)


@pytest.mark.parametrize("values", [(0, 1), (-1, 1), (False, True), ("no", "yes")])
def test_a_matrix_comes_back_as_one(values, tmp_path):
    texts, sets = drawn()
    Y = np.array(values)[truth_of(sets).astype(int)]
    clf = small().fit(texts, Y)
    assert clf.predict(texts).dtype == Y.dtype and np.array_equal(clf.predict(texts), Y)
    clf.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").predict(texts), Y)


def test_sparse_matrices_tables_and_lists_of_lists():
    pandas = pytest.importorskip("pandas")
    texts, sets = drawn()
    truth = truth_of(sets).astype(int)
    table = pandas.DataFrame(truth, columns=sorted(WORDS))
    found = small().fit(texts, table)
    assert found.classes_.tolist() == sorted(WORDS)
    column = pandas.Series([sorted(one) for one in sets])
    for other in (sparse.csr_matrix(truth), truth.tolist(), column, [sorted(x) for x in sets]):
        assert np.array_equal(small().fit(texts, other).coef_, found.coef_)


def test_one_label_alone_is_learnt_too(tmp_path):
    texts, sets = drawn()
    wanted = [one & {"sport"} for one in sets]
    clf = small().fit(texts, wanted)
    assert clf.decision_function(texts).shape == (len(texts), 1)
    assert clf.predict(texts).tolist() == [tuple(one) for one in wanted]
    assert {term for term, _ in clf.telling_terms(3)["sport"]} <= set(WORDS["sport"])
    clf.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict(texts).tolist() == clf.predict(texts).tolist()
    assert again.telling_terms(3) == clf.telling_terms(3)


@pytest.mark.parametrize("columns", [None, ("subject", "body")])
@pytest.mark.parametrize("hash_bits", [None, 12])
def test_saved_and_loaded_they_answer_and_learn_alike(columns, hash_bits, tmp_path):
    texts, sets = drawn()
    rows = texts if columns is None else [(text, text[:10]) for text in texts]
    clf = small(text_columns=columns, hash_bits=hash_bits).fit(rows, sets)
    clf.save(tmp_path / "m")
    again = load(tmp_path / "m")
    for other in (again, pickle.loads(pickle.dumps(clf)), copy.copy(clf)):
        assert np.array_equal(other.decision_function(rows), clf.decision_function(rows))
        assert other.predict(rows).tolist() == clf.predict(rows).tolist()
    assert again.explain(rows[0], label="sport") == clf.explain(rows[0], label="sport")
    again.partial_fit(rows[:10], sets[10:20])
    clf.partial_fit(rows[:10], sets[10:20])
    assert np.array_equal(again.coef_, clf.coef_)


def test_a_stream_is_a_fit_in_batches():
    texts, sets = drawn()
    settings = {"hash_bits": 12, "idf": None}
    whole = small(**settings).partial_fit(texts, sets)
    parts = small(**settings).partial_fit(texts[:50], sets[:50], classes=sorted(WORDS))
    parts.partial_fit(texts[50:51], [sorted(sets[50])]).partial_fit(texts[51:], sets[51:])
    assert np.array_equal(parts.coef_, whole.coef_)
    with pytest.raises(InputError, match="'news'.*none of the classes"):
        whole.partial_fit(texts[:1], [{"news"}])
    with pytest.raises(KindError, match="a single label is"):
        whole.partial_fit(texts[:2], ["sport", "price"])


def test_the_answer_of_one_label_is_explained():
    texts, sets = drawn()
    clf = small().fit(texts, sets)
    text = "goal match today"
    found = clf.explain(text, label="sport")
    scores = dict(
        zip(clf.classes_.tolist(), clf.decision_function([text])[0].tolist(), strict=True)
    )
    assert (found.label, found.against) == (True, False)
    assert found.score == near(scores["sport"], 10, unit=SINGLE)
    assert found.terms[0].term in ("goal", "match")
    missing = clf.explain(text, label="price")
    assert missing.label is False and missing.score == near(-scores["price"], 10, unit=SINGLE)
    assert clf.explain_labels(text, top=2)["sport"].score == found.score
    with pytest.raises(InputError, match="label.*one of 'price', 'sport', 'travel'"):
        clf.explain(text)
    with pytest.raises(InputError, match="against.*no rival"):
        clf.explain(text, against="price", label="sport")
    one = small().fit(texts, ["sport" in x for x in sets])
    with pytest.raises(InputError, match="label.*None"):
        one.explain(text, label="sport")
    with pytest.raises(InputError, match="one label an example"):
        one.explain_labels(text)


@pytest.mark.parametrize("kind", [TextClassifier, LinearClassifier])
def test_each_label_has_a_probability(kind, tmp_path):
    texts, sets = drawn(200)
    draw = np.random.default_rng(1)
    sets = [one if draw.random() < 0.9 else set() for one in sets]
    if kind is TextClassifier:
        clf, X = small(probability=True), texts
    else:
        X = small().fit(texts, sets).vectorizer_.transform(texts)
        clf = LinearClassifier(probability=True, max_iter=3, until=None)
    clf.fit(X, sets)
    p, scores = clf.predict_proba(X), clf.decision_function(X)
    assert p.shape == scores.shape and np.array_equal(p > 0.5, scores > 0)
    slope = clf.fitted.slope.a
    assert p == near(1 / (1 + np.exp(-slope * scores)), 20)
    # On texts that were not learnt: about so many have the label as the probability says.
    fresh, fresh_sets = drawn(400, seed=5)
    if kind is TextClassifier:
        expected = clf.predict_proba(fresh)
        assert abs(expected.mean() - 0.9 * truth_of(fresh_sets).mean()) < 0.1
    clf.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").predict_proba(X), p)
    best = clf.predict_top(X, 2)[0]
    assert [value for _, value in best] == sorted(p[0], reverse=True)[:2]
    sure = clf.predict_confident(X, 0.8)
    names = clf.classes_.tolist()
    assert sure[0] == tuple(name for name, one in zip(names, p[0], strict=True) if one >= 0.8)
    assert clf.calibrate(X, sets).predict_proba(X).shape == p.shape


def test_confident_answers_of_a_matrix():
    texts, sets = drawn(200)
    clf = small(probability=True).fit(texts, truth_of(sets).astype(int))
    p, found = clf.predict_proba(texts), clf.predict_confident(texts, 0.9, unsure=-1)
    assert np.array_equal(found == 1, p >= 0.9) and np.array_equal(found == 0, 1 - p >= 0.9)


def test_weights_of_texts_and_labels_that_say_nothing():
    texts, sets = drawn()
    weights = np.ones(len(texts))
    weights[::2] = 0
    clf = small(idf=None).fit(texts, sets, weights)
    part = small(idf=None).fit(texts[1::2], sets[1::2])
    assert clf.score(texts, part.predict(texts).tolist()) > 0.95
    with pytest.warns(DataWarning, match="agree on 'all'"):
        small().fit(texts, [one | {"all"} for one in sets])
    with pytest.raises(InputError, match="class_weight"):
        small(class_weight="balanced").fit(texts, sets)
    with pytest.raises(InputError, match="no label in any set"):
        small().fit(texts, [set()] * len(texts))


def test_weights_at_the_start_are_of_labels():
    texts, sets = drawn()
    start = {"sport": {"goal": 9.0}, "travel": {"hotel": 9.0}}
    clf = small(max_iter=1).fit(texts, sets, initial_weights=start)
    assert clf.explain("goal", label="sport").terms[0].contribution > 5
    earlier = small().fit(texts, sets)
    again = small().fit(texts, sets, initial_weights=earlier)
    assert again.n_corrections_ <= earlier.n_corrections_
    with pytest.raises(InputError, match="a dict of terms and weights for each label"):
        small().fit(texts, sets, initial_weights={"goal": 1.0})
    with pytest.raises(InputError, match="'news'"):
        small().fit(texts, sets, initial_weights={"news": {"goal": 1.0}})


def test_validation_counts_whole_sets():
    texts, sets = drawn()
    fresh, wanted = drawn(seed=3)
    clf = small().fit(texts, sets, validation=(fresh, wanted))
    assert clf.validation_scores_["averaged"] == clf.score(fresh, wanted)
    with pytest.raises(InputError, match="none of the classes"):
        small().fit(texts, sets, validation=(fresh, [{"news"}] * len(fresh)))


def test_two_labels_are_two_neurons(tmp_path):
    texts, sets = drawn()
    wanted = [one - {"travel"} for one in sets]
    clf = small().fit(texts, wanted)
    assert clf.decision_function(texts).shape == (len(texts), 2)
    clf.save(tmp_path / "m")
    assert load(tmp_path / "m").predict(texts).tolist() == clf.predict(texts).tolist()


@pytest.mark.parametrize("scoring", ["accuracy", "macro-f1", "micro-f1"])
def test_parameters_are_searched_for(scoring):
    texts, sets = drawn(90)
    grid = {"max_iter": [1, 4], "words": [(1, 1)]}
    found = small().tune(texts, sets, grid=grid, folds=3, scoring=scoring, nested=True)
    matrix = small().tune(texts, truth_of(sets).astype(int), grid=grid, folds=3, scoring=scoring)
    assert [t.scores for t in found.trials] == [t.scores for t in matrix.trials]
    assert found.best.mean > 0.8 and len(found.nested) == 3
    assert found.classifier.predict(["goal match"]).tolist() == [("sport",)]


def test_ten_thousand_labels_and_a_text_with_all_of_them(tmp_path):
    names = [f"label {number}" for number in range(10_000)]
    texts = [f"word{number % 50} other{number % 7}" for number in range(200)]
    sets = [names[number * 50 : number * 50 + 50] for number in range(199)] + [names]
    clf = TextClassifier(words=(1, 1), chars=None, max_iter=1).fit(texts, sets)
    assert len(clf.classes_) == 10_000
    clf.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict(texts[:3]).tolist() == clf.predict(texts[:3]).tolist()


def test_the_threshold_of_all_labels(tmp_path):
    texts, sets = drawn()
    clf = small().fit(texts, sets)
    scores = clf.decision_function(texts)
    clf.threshold_ = 0.3
    names = clf.classes_
    assert clf.predict(texts).tolist() == [tuple(names[row > 0.3].tolist()) for row in scores]
    assert clf.score(texts, sets) == (np.all((scores > 0.3) == truth_of(sets), axis=1).mean())
    clf.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.threshold_ == 0.3 and again.predict(texts).tolist() == clf.predict(texts).tolist()
    numbers = LinearClassifier().fit([[0, 1], [1, 0]], [{"a"}, {"b"}])
    numbers.threshold_ = 0.3
    numbers.save(tmp_path / "n")
    assert load(tmp_path / "n").threshold_ == 0.3
