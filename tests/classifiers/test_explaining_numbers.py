"""Why a row of numbers, or of a kernel, got its class: the parts add up to the score."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import InputError

from ..rounding import near

RNG = np.random.default_rng(0)
X = np.where(RNG.random((80, 5)) < 0.3, 0.0, RNG.normal(size=(80, 5)))
Y2, Y4 = (X.sum(1) > 0).astype(int), X[:, :4].argmax(1)
SETTINGS = {"until": None, "max_iter": 5}


@pytest.mark.parametrize("scale", ["none", "rows", "maxabs", "standard"])
@pytest.mark.parametrize("y", [Y2, Y4], ids=["two", "four"])
@pytest.mark.parametrize("sparse", [False, True])
def test_columns_add_up_to_the_score(scale, y, sparse):
    clf = hl.LinearClassifier(scale=scale, **SETTINGS).fit(X, y)
    scores = clf.decision_function(X)
    for row in range(10):
        x = pytest.importorskip("scipy.sparse").csr_matrix(X[[row]]) if sparse else X[row]
        found = clf.explain(x)
        assert found.label == clf.predict(X[[row]])[0]
        if scores.ndim == 1:
            lead = abs(scores[row])
        else:
            lead = scores[row].max() - np.sort(scores[row])[-2]
        assert found.score == near(lead, 100, size=np.abs(scores).max())
        added = found.intercept + sum(one.contribution for one in found.terms)
        assert added == near(found.score, 100, size=np.abs(scores).max())
        assert len(found.terms) == (X[row] != 0).sum()


@pytest.mark.parametrize("kernel", ["rbf", "polynomial", "linear"])
@pytest.mark.parametrize("y", [Y2, Y4], ids=["two", "four"])
def test_supports_add_up_to_the_score(kernel, y):
    clf = hl.KernelClassifier(kernel, fit_intercept=True, **SETTINGS).fit(X, y)
    for row in range(5):
        found, scores = clf.explain(X[row]), np.atleast_1d(clf.decision_function(X[[row]])[0])
        lead = abs(scores[0]) if len(scores) == 1 else scores.max() - np.sort(scores)[-2]
        size = 2 * sum(abs(one.contribution) for one in found.terms)
        assert found.score == near(lead, 200, size=size)
        names = {f"row {number}" for number in clf.support_}
        assert {one.term for one in found.terms} <= names


def test_a_given_kernel_is_explained_by_its_columns():
    K = hl.kernels.RBF(0.5)(X, X)
    clf = hl.KernelClassifier("precomputed", **SETTINGS).fit(K, Y2)
    same = hl.KernelClassifier(hl.kernels.RBF(0.5), **SETTINGS).fit(X, Y2)
    assert clf.explain(K[3]).score == near(same.explain(X[3]).score, 100)


def test_against_another_class_and_the_largest_only():
    clf = hl.LinearClassifier(**SETTINGS).fit(X, Y4)
    scores = clf.decision_function(X[:1])[0]
    best, other = scores.argmax(), scores.argmin()
    found = clf.explain(X[0], top=2, against=int(other))
    assert (found.label, found.against) == (best, other)
    assert found.score == near(scores[best] - scores[other], 100, size=np.abs(scores).max())
    assert len(found.terms) == 2 and found.known_features == (X[0] != 0).sum()
    with pytest.raises(InputError, match="another class"):
        clf.explain(X[0], against="no class")


def test_names_of_columns_and_a_row_of_zeros():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=list("abcde"))
    clf = hl.LinearClassifier(**SETTINGS).fit(table, Y2)
    assert {one.term for one in clf.explain(table.iloc[[0]]).terms} <= set("abcde")
    plain = hl.LinearClassifier(**SETTINGS).fit(X, Y2)
    assert "no column adds anything" in str(plain.explain(np.zeros(5)))


def test_refusals():
    clf = hl.LinearClassifier(**SETTINGS).fit(X, Y2)
    with pytest.raises(InputError, match="one row"):
        clf.explain(X)
    voted = hl.LinearClassifier(readout="voted", keep="all", **SETTINGS).fit(X, Y2)
    with pytest.raises(InputError, match="vote"):
        voted.explain(X[0])
    many = hl.LinearClassifier(**SETTINGS).fit(X, np.c_[Y2, 1 - Y2])
    with pytest.raises(InputError, match="several labels"):
        many.explain(X[0])


def test_a_map_has_the_columns_that_are_explained():
    xor = [[0, 0], [0, 1], [1, 0], [1, 1]]
    clf = hl.LinearClassifier(map="polynomial", readout="last").fit(xor, [0, 1, 1, 0])
    found = clf.explain([1, 1])
    assert found.score == near(abs(clf.decision_function([[1, 1]])[0]), 100)
    assert any("*" in one.term or " " in one.term for one in found.terms)


def test_each_label_of_several_has_an_explanation_of_its_own():
    X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    Y = np.array([[1, -1], [0, 1], [0, 1], [0, 1]])
    clf = hl.LinearClassifier(order="cyclic", readout="last", scale="rows").fit(X, Y)
    for row in X:
        found = clf.explain_labels(row, top=1)
        scores = clf.decision_function([row])[0]
        assert [one.label for one in found.values()] == clf.predict([row])[0].tolist()
        for one, score in zip(found.values(), scores, strict=True):
            assert one.score == near(abs(score), 100, size=1)
            total = one.intercept + one.others + sum(term.contribution for term in one.terms)
            assert total == near(abs(score), 100, size=1)
    assert clf.explain(X[0], label=1) == clf.explain_labels(X[0])[1]
    with pytest.raises(InputError, match="of several labels"):
        clf.explain(X[0])
    with pytest.raises(InputError, match="one label an example"):
        hl.LinearClassifier().fit(X, [0, 1, 1, 1]).explain_labels(X[0])


def test_what_is_0_has_no_sign():
    clf = hl.LinearClassifier.from_weights([1.0, 0.0], threshold=0.0, classes=["a", "b"])
    assert "  0.0000  (intercept)" in str(clf.explain([-1.0, 2.0]))
