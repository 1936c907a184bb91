"""One model under odd use: threads, copies, refused and repeated fits, re-entry."""

import copy
import pickle
import threading
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, rules
from hardlimit.exceptions import HardlimitError, InputError

from ..rounding import near

RNG = np.random.default_rng(21)
X = RNG.integers(-4, 5, (60, 5)).astype(float)
Y = (X[:, 0] > X[:, 1]).astype(int)
TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
LABELS = ["spam", "ham", "spam", "ham"]


def together(*works):
    errors = []

    def guarded(work):
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_asking_while_classes_come():
    clf = LinearClassifier().partial_fit(X, Y)
    done = threading.Event()

    def learn():
        for k in range(2, 60):
            clf.partial_fit(X[k : k + 1], [k])
        done.set()

    def ask():
        while not done.is_set():
            assert len(clf.decision_function(X)) == 60

    assert together(learn, ask, ask) == []
    assert len(clf.classes_) == 60


def test_asking_while_the_vocabulary_grows():
    clf = TextClassifier(chars=None).fit(TEXTS, LABELS)
    done = threading.Event()

    def learn():
        for k in range(60):
            clf.partial_fit([f"word{k} prize term{k}"], ["spam"])
        done.set()

    def ask():
        while not done.is_set():
            assert clf.predict(["a prize to win", "lunch"]).tolist() == ["spam", "ham"]
            assert clf.explain("prize").label == "spam"

    assert together(learn, ask, ask) == []


def test_a_rule_that_turns_to_its_own_model_is_refused():
    class Turns(rules.Rule):
        required = 0

        def tau(self):
            clf.partial_fit(X[:1], [7])
            return 1

    clf = LinearClassifier(Turns())
    with pytest.raises(InputError, match="busy"):
        clf.partial_fit(X, Y, classes=[0, 1])

    class Asks(rules.Rule):
        required = 0

        def tau(self):
            other.decision_function(X[:1])
            return 1

    other = LinearClassifier(Asks())
    with pytest.raises(ValueError, match="busy"):
        other.partial_fit(X, Y, classes=[0, 1])


def test_counts_of_examples_with_absent_ones():
    class Counts(rules.Rule):
        required = 0

        def tau(self, n_i, weight):
            return weight / (n_i + 1)

    n = 5_000
    big, labels = np.tile(X, (100, 1))[:n], np.tile(Y, 100)[:n]
    weights = np.zeros(n)
    weights[-60:] = 1
    few = LinearClassifier(Counts(), until=None, max_iter=3, order="cyclic")
    few.fit(big[-60:], labels[-60:])
    many = LinearClassifier(Counts(), until=None, max_iter=3, order="cyclic")
    many.fit(big, labels, sample_weight=weights)
    assert np.array_equal(few.coef_, many.coef_)
    with pytest.raises(InputError, match="in a stream no example is known again"):
        LinearClassifier(Counts()).partial_fit(X, Y)


@dataclass(frozen=True)
class DynamicMargin(rules.Rule):
    eps: float = 0.5

    def required(self, wsq, step):
        return (1 - self.eps) * wsq / (step - 1) if step > 1 else 0.0

    def tau(self):
        return 1


def test_the_length_of_w_survives_copies():
    clf = LinearClassifier(DynamicMargin()).partial_fit(X[:30], Y[:30], classes=[0, 1])
    twins = [copy.deepcopy(clf), pickle.loads(pickle.dumps(clf))]
    for each in (clf, *twins):
        each.partial_fit(X[30:], Y[30:])
    assert {each.n_corrections_ for each in (clf, *twins)} == {clf.n_corrections_}
    for twin in twins:
        assert np.array_equal(twin.coef_, clf.coef_)


def test_the_length_of_w_survives_a_split():
    told = []

    @dataclass(frozen=True)
    class Told(rules.Rule):
        required = 1e9

        def tau(self, wsq):
            told.append(wsq)
            return 1

        def split(self):
            return rules.Split(1.0, self)

    clf = LinearClassifier(Told()).partial_fit(X, Y, classes=[0, 1])
    clf.partial_fit(X[:1], [2]).partial_fit(X[1:2], [0])
    before = clf.with_readout("last")
    length = (before.coef_**2).sum() + (before.intercept_**2).sum()
    clf.partial_fit(X[2:3], [1])
    assert told[-1] == near(length, 200)


def test_the_verification_pass_asks_with_the_same_scalars():
    class ByLength(rules.Rule):
        equality_violates = False

        def required(self, sqnorm):
            return 1 / sqnorm

        def tau(self, margin, sqnorm):
            return (1 / sqnorm - margin) / sqnorm

    rows = X[np.abs(X[:, 0] - X[:, 1]) > 1]
    clf = LinearClassifier(ByLength(), until="margin", tol=1e-6, readout="last", max_iter=50_000)
    clf.fit(rows, rows[:, 0] > rows[:, 1])
    assert clf.stop_reason_ == "margin_reached"
    margins = clf.decision_function(rows) * np.where(rows[:, 0] > rows[:, 1], 1, -1)
    # The last number is tol, as asked for.
    assert (margins >= 1 / ((rows * rows).sum(1) + 1) - 1e-6).all()


def test_rested_neurons_wake_for_what_comes_later():
    rows = np.eye(3) * 4
    clf = LinearClassifier(multiclass="ovr").fit(rows, [0, 1, 2])
    assert clf.stop_reason_ == "separated"
    before = clf.n_corrections_
    clf.partial_fit(rows, [1, 2, 0])
    assert clf.n_corrections_ > before


@pytest.mark.parametrize("bad", [{"multiclass": "bogus"}, {"rule": "nonsense"}, {"max_iter": 2.5}])
@pytest.mark.parametrize("kind", ["numbers", "texts"])
def test_a_refit_that_fails_leaves_the_old_model_whole(bad, kind):
    if kind == "numbers":
        clf, inputs, labels, others = LinearClassifier(), X, Y, np.where(Y, "yy", "zz")
    else:
        clf, inputs, labels, others = TextClassifier(), TEXTS, LABELS, ["p", "q", "p", "q"]
    clf.fit(inputs, labels)
    before = clf.predict(inputs).tolist(), clf.n_corrections_, clf.stop_reason_
    clf.set_params(**bad)
    with pytest.raises(HardlimitError):
        clf.fit(inputs, others)
    assert (clf.predict(inputs).tolist(), clf.n_corrections_, clf.stop_reason_) == before


def test_parameters_set_later_count_from_the_next_fit():
    clf = LinearClassifier(keep="last", readout="last").fit(X, Y)
    before = clf.decision_function(X)
    clf.set_params(bias_feature=50.0)
    assert np.array_equal(clf.decision_function(X), before)
    clf.set_params(readout="averaged").partial_fit(X, Y)
    with pytest.raises(InputError, match="was not kept"):
        clf.predict(X)


def test_read_outs_of_one_fit_learn_together_and_save_whole(tmp_path):
    for clf, inputs, new in (
        (TextClassifier().fit(TEXTS, LABELS), TEXTS, (["other words"], ["z"])),
        (LinearClassifier().fit(X, Y), X, (X[:1], [9])),
    ):
        last = clf.with_readout("last")
        last.partial_fit(*new)
        assert clf.classes_.tolist() == last.classes_.tolist()
        assert len(clf.classes_) == len(clf.coef_) == 3
        clf.save(tmp_path / "m.hardlimit")
        back = hl.load(tmp_path / "m.hardlimit")
        assert back.classes_.tolist() == clf.classes_.tolist()
        assert back.predict(inputs).tolist() == clf.predict(inputs).tolist()


def test_rows_too_long_for_their_square_are_an_error():
    with pytest.raises(InputError, match="overflowed"):
        LinearClassifier("passive-aggressive", until=None, max_iter=3).fit(X * 1e200, Y)


def test_an_absent_example_brings_no_class():
    weights = np.ones(60)
    weights[:5] = 0
    labels = Y.copy()
    labels[:5] = 7
    clf = LinearClassifier().fit(X, labels, sample_weight=weights)
    assert clf.classes_.tolist() == [0, 1]
    by_class = LinearClassifier(class_weight={7: 0.0}).fit(X, labels)
    assert np.array_equal(by_class.coef_, clf.coef_)
    stream = LinearClassifier(class_weight={7: 0.0}).partial_fit(X[5:], labels[5:])
    stream.partial_fit(X[:5], labels[:5])
    assert sorted(stream.classes_.tolist()) == [0, 1]


def test_a_refused_batch_leaves_no_trace():
    clf = LinearClassifier().fit(X, Y)
    with pytest.raises(HardlimitError, match="truth values"):
        clf.partial_fit(X[:1], [True])
    clf.partial_fit(X[:1], [1])
    fresh = LinearClassifier()
    with pytest.raises(InputError, match="sample_weight"):
        fresh.partial_fit(X[:1], [1], sample_weight=[-1])
    assert not hasattr(fresh, "classes_")
    fresh.partial_fit(X[:, :2], Y)
    text = TextClassifier(chars=None).fit(TEXTS, LABELS)
    columns = text.vectorizer_.n_columns_
    with pytest.raises(InputError, match="sample_weight"):
        text.partial_fit(["unheard words"], ["ham"], sample_weight=[float("nan")])
    assert text.vectorizer_.n_columns_ == columns


def test_a_third_class_that_cannot_be_split_is_refused_before_anything_is_learnt():
    class Plain(rules.Rule):
        required = 0

        def tau(self):
            return 1

    clf = LinearClassifier(Plain()).partial_fit(X, Y, classes=[0, 1])
    before = clf.coef_.copy()
    with pytest.raises(InputError, match="third class"):
        clf.partial_fit(X[:3], [0, 1, 2])
    assert np.array_equal(clf.coef_, before)


@pytest.mark.parametrize(
    "setting", [{"random_state": 2**64}, {"max_iter": "5"}, {"tol": "a"}, {"bias_feature": None},
                {"keep": 3}],
)  # fmt: skip
def test_settings_of_the_wrong_kind_are_our_errors(setting):
    with pytest.raises(HardlimitError):
        LinearClassifier(**setting).fit(X, Y)


def test_numbers_of_numpy_are_numbers(tmp_path):
    clf = LinearClassifier(rules.PassiveAggressive(C=np.float32(0.5)), max_iter=np.int64(5))
    clf.fit(X, Y).save(tmp_path / "m.hardlimit")
    assert hl.load(tmp_path / "m.hardlimit").rule.C == 0.5


def test_a_callback_that_spoils_the_callers_rows_does_no_harm():
    rows = sparse.csr_matrix(X)
    kept = rows.indices.copy()
    clf = LinearClassifier(until=None, max_iter=3)
    clf.fit(rows, Y, callback=lambda record: rows.indices.fill(10**8))
    rows.indices[:] = kept
    assert np.array_equal(clf.coef_, LinearClassifier(until=None, max_iter=3).fit(rows, Y).coef_)


def test_names_of_files_need_not_be_text(tmp_path):
    path = bytes(tmp_path) + b"/\xff.hardlimit"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    assert hl.load(path).predict(["a prize"]).tolist() == ["spam"]
