"""Shards that learn an epoch each: the weights of one run where there is one shard, else a mixture
that depends on their number alone."""

import threading
from fractions import Fraction

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, rules, textbook
from hardlimit.classifiers.fitting import fit, mixed
from hardlimit.classifiers.fitting.mixed import fit_in_shards
from hardlimit.exceptions import InputError

from ...rounding import near
from ...weights_in_cells import weights_in_cells

RULES = ["perceptron", "margin-perceptron", "passive-aggressive", "paum", "relaxation"]


def rows(n, columns=6, classes=2, seed=0):
    """Whole numbers, and classes that a plane separates."""
    numbers = np.random.default_rng(seed)
    X = numbers.integers(-3, 4, (n, columns)).astype(float)
    scores = X @ numbers.normal(size=(columns, classes)) + 0.3
    return X, (scores[:, 0] > 0).astype(int) if classes == 2 else scores.argmax(1)


def sparse(X):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    return scipy_sparse.csr_matrix(X)


def file_of(clf, path):
    clf.save(path)
    return path.read_bytes()


@pytest.fixture(autouse=True)
def threads(monkeypatch):
    """Few rows get threads here, too."""
    monkeypatch.setattr(mixed, "LEAST_VALUES", 0)


@pytest.fixture
def in_one_shard(monkeypatch):
    """Fits of this block go by the way of shards, of which there is one."""

    def go(training, rows, targets, weights, plan, outcome, n_groups):
        fit_in_shards(training, rows, targets, weights, plan, outcome)

    monkeypatch.setattr(fit, "count_groups", lambda training, rows, plan: 2)
    monkeypatch.setattr(fit, "fit_in_groups", go)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("scheme", ["two", "coupled", "ovr"])
def test_one_shard_is_the_ordinary_run(rule, scheme, tmp_path, request):
    X, y = rows(120, classes=2 if scheme == "two" else 4)
    if rule == "paum" and scheme == "coupled":
        pytest.skip("one neuron only")
    made = {"multiclass": "ovr" if scheme == "ovr" else "coupled", "max_iter": 7}
    ordinary = LinearClassifier(rule, **made).fit(X, y)
    request.getfixturevalue("in_one_shard")
    one = LinearClassifier(rule, **made).fit(X, y)
    assert file_of(one, tmp_path / "one") == file_of(ordinary, tmp_path / "ordinary")
    assert [r[:3] for r in history(one)] == [r[:3] for r in history(ordinary)]


def history(clf):
    return [(r.epoch, r.mistakes, r.corrections) for r in clf.history_]


def test_one_shard_is_the_ordinary_run_of_weights_and_orders(tmp_path, request):
    X, y = rows(120)
    weights = np.tile([0.0, 1.0, 2.0, 0.5], 30)
    kinds = [
        {"order": order, "averaging": averaging, "until": None, "max_iter": 4}
        for order, averaging in [
            ("cyclic", "pre"),
            ("random", "post"),
            ("blocks", "ciml"),
            ("stream", "post"),
        ]
    ]
    start = [1.5, 0, -2, 0, 0, 0.25, 1]
    ordinary = [
        LinearClassifier(**made).fit(sparse(X), y, weights, initial_weights=start) for made in kinds
    ]
    request.getfixturevalue("in_one_shard")
    for made, one in zip(kinds, ordinary, strict=True):
        other = LinearClassifier(**made).fit(sparse(X), y, weights, initial_weights=start)
        assert file_of(other, tmp_path / "a") == file_of(one, tmp_path / "b")


@pytest.mark.parametrize("rule", ["perceptron", "passive-aggressive"])
@pytest.mark.parametrize("mixing", ["uniform", "mistakes", "inertial", "accelerated"])
def test_the_weights_are_those_of_the_textbook(mixing, rule):
    X, y = rows(60)
    X[:, 3] *= np.arange(60) % 4 == 1  # which one shard alone moves
    X[:, 4] *= np.arange(60) % 2
    n_shards = 4
    shards = [
        textbook.examples(X[i::n_shards].tolist(), y[i::n_shards].tolist(), bias_feature=1)
        for i in range(n_shards)
    ]
    steps = list(textbook.mixed(shards, rule, mixing=mixing, max_iter=4))
    for epochs, step in enumerate(steps, 1):
        clf = LinearClassifier(
            rule, order="cyclic", until=None, max_iter=epochs, shards=n_shards, mixing=mixing
        ).fit(X, y)
        for readout, wanted in [("last", step.w), ("averaged", step.average)]:
            other = clf.with_readout(readout)
            found = [*other.coef_[0], *other.intercept_]
            assert found == near([float(v) for v in wanted], 2000)
        assert clf.history_[-1].corrections == sum(step.corrections)
    if (mixing, rule) == ("uniform", "perceptron"):  # quarters of whole numbers, which floats hold
        last = clf.with_readout("last")
        assert [Fraction(v) for v in [*last.coef_[0], *last.intercept_]] == list(steps[-1].w)


@pytest.mark.parametrize("averaging", ["post", "pre", "ciml"])
@pytest.mark.parametrize("scheme", ["two", "coupled", "ovr"])
def test_the_average_is_of_all_hypotheses_of_all_shards(averaging, scheme):
    X, y = rows(40, classes=2 if scheme == "two" else 3)
    made = {
        "order": "cyclic",
        "until": None,
        "multiclass": "ovr" if scheme == "ovr" else "coupled",
        "averaging": averaging,
    }
    clf = LinearClassifier(max_iter=3, shards=4, **made).fit(X, y)
    before = np.zeros((1 if scheme == "two" else 3, 7))
    summed, count = (before.copy(), 1) if averaging == "ciml" else (0 * before, 0)
    for _ in range(3):
        ends = []
        for shard in range(4):
            state = before
            for row, label in zip(X[shard::4], y[shard::4], strict=True):
                summed += state if averaging == "pre" else 0
                state = present(state, np.append(row, 1), label, scheme)
                summed += 0 if averaging == "pre" else state
                count += 1
            ends.append(state)
        before = sum(ends) / 4
    found = np.hstack([clf.coef_, clf.intercept_[:, None]])
    assert found == near(summed / count, 2000)


def present(w, x, label, scheme):
    """The perceptron's weights after an example, by hand."""
    w, scores = w.copy(), w @ x
    if scheme == "coupled":
        rivals = np.where(np.arange(len(w)) == label, -np.inf, scores)
        rival = int(rivals.argmax())
        if scores[label] <= scores[rival]:
            w[label] += x
            w[rival] -= x
        return w
    targets = [2 * label - 1] if scheme == "two" else 2 * (np.arange(len(w)) == label) - 1
    for k, target in enumerate(targets):
        if target * scores[k] <= 0:
            w[k] += target * x
    return w


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"mixing": "mistakes"},
        {"rule": "passive-aggressive", "mixing": "inertial"},
        {"rule": "passive-aggressive", "mixing": "accelerated"},
    ],
)
def test_threads_change_no_bit(made, tmp_path):
    X, y = rows(200, classes=4)
    for multiclass in ("coupled", "ovr"):
        files = [
            file_of(
                LinearClassifier(
                    **made, shards=7, max_iter=5, multiclass=multiclass, n_jobs=jobs
                ).fit(sparse(X), y),
                tmp_path / "model",
            )
            for jobs in (1, 2, 5)
        ]
        assert files[0] == files[1] == files[2]


@pytest.mark.parametrize("mixing", ["uniform", "inertial", "accelerated"])
def test_weights_in_cells_give_the_bits_of_arrays(mixing):
    numbers = np.random.default_rng(1)
    X = np.zeros((200, 1 << 12))
    X[np.arange(200)[:, None], numbers.integers(0, 1 << 12, (200, 9))] = 1
    X[:, :3] = numbers.integers(1, 3, (200, 3))
    y = np.arange(200) % 64
    made = {"rule": "perceptron", "until": None, "max_iter": 3, "shards": 5, "mixing": mixing}
    with weights_in_cells():
        of_cells = LinearClassifier(**made).fit(sparse(X), y)
    assert of_cells.fitted.state.state.lies_in_cells
    of_arrays = LinearClassifier(**made).fit(sparse(X), y)
    for readout in ("last", "averaged"):
        one, other = of_cells.with_readout(readout), of_arrays.with_readout(readout)
        assert (one.coef_ == other.coef_).all() and (one.intercept_ == other.intercept_).all()


def test_the_number_of_shards_matters_and_separates_all_the_same():
    X, y = rows(200)
    fits = [LinearClassifier(shards=n).fit(X, y) for n in (1, 4, 16)]
    assert {clf.stop_reason_ for clf in fits} == {"separated"}
    assert len({clf.coef_.tobytes() for clf in fits}) == 3
    assert all((clf.with_readout("last").predict(X) == y).all() for clf in fits)


def test_what_one_shard_alone_knows_is_learnt_in_fewer_epochs():
    # Each row has a column of its own: the mean moves it by a sixteenth of what the row needs.
    X, y = np.hstack([np.eye(64), np.ones((64, 1))]), np.arange(64) % 3 == 0
    made = {"rule": "passive-aggressive", "shards": 16, "until": None, "max_iter": 8}
    losses = {}
    for mixing in ("uniform", "accelerated"):
        clf = LinearClassifier(**made, mixing=mixing, readout="last").fit(X, y)
        losses[mixing] = np.maximum(0, 1 - np.where(y, 1, -1) * clf.decision_function(X)).sum()
    assert losses["accelerated"] < losses["uniform"] / 3


def test_a_mixed_model_is_saved_loaded_and_learns_on(tmp_path):
    X, y = rows(100)
    clf = LinearClassifier(shards=4, mixing="mistakes").fit(X, y)
    clf.save(tmp_path / "model")
    loaded = hl.load(tmp_path / "model")
    assert (loaded.shards, loaded.mixing) == (4, "mistakes")
    assert (loaded.coef_ == clf.coef_).all()
    assert (loaded.partial_fit(X, y).coef_ == clf.partial_fit(X, y).coef_).all()


@pytest.mark.parametrize(
    ("rule", "mixing", "readout"),
    [
        ("perceptron", "uniform", "averaged"),
        (rules.MarginPerceptron(b=0), "uniform", "averaged"),
        (rules.MarginPerceptron(b=1), "inertial", "last"),
        ("passive-aggressive", "inertial", "last"),
        ("passive-aggressive-2", "inertial", "last"),
        ("relaxation", "inertial", "last"),
        ("paum", "inertial", "last"),
    ],
)
def test_the_default_mixing_follows_from_the_rule(rule, mixing, readout, tmp_path):
    X, y = rows(60)
    made = {"max_iter": 3, "until": None}
    clf = LinearClassifier(rule, shards=4, **made).fit(X, y)
    assert (clf.fitted.choices.mixing, clf.fitted.choices.readout) == (mixing, readout)
    said = LinearClassifier(rule, shards=4, mixing=mixing, readout=readout, **made).fit(X, y)
    assert file_of(clf, tmp_path / "a") == file_of(said, tmp_path / "b")
    # What learns on keeps what the fit has chosen, also where another setting changes.
    clf.averaging = "pre"
    assert clf.partial_fit(X, y).fitted.choices.readout == readout
    # One shard is an ordinary fit, whatever its mixing.
    one = LinearClassifier(rule, mixing="inertial", **made).fit(X, y)
    assert one.fitted.choices.readout == "averaged"


@pytest.mark.parametrize("asked", ["averaged", "last"])
def test_a_readout_that_was_asked_for_stays(asked, tmp_path):
    X, y = rows(60)
    clf = LinearClassifier("passive-aggressive", shards=4, readout=asked, max_iter=3).fit(X, y)
    data = file_of(clf, tmp_path / "a")
    loaded = hl.load(tmp_path / "a")
    assert (loaded.mixing, loaded.fitted.choices.readout) == ("inertial", asked)
    assert file_of(loaded, tmp_path / "b") == data
    assert loaded.fit(X, y).fitted.choices.readout == asked


def test_files_that_name_no_mixing_are_of_uniform_mixing(tmp_path):
    """Those of before `auto`, whose default was `uniform` with the average."""
    X, y = rows(60)
    made = {"shards": 4, "max_iter": 3}
    clf = LinearClassifier("passive-aggressive", mixing="uniform", **made).fit(X, y)
    data = file_of(clf, tmp_path / "old")
    assert b"uniform" not in data and b"auto" not in data
    old = hl.load(tmp_path / "old")
    assert (old.mixing, old.fitted.choices.readout) == ("uniform", "averaged")
    assert file_of(old.fit(X, y), tmp_path / "again") == data
    one = LinearClassifier("passive-aggressive", max_iter=3).fit(X, y)
    one.save(tmp_path / "one")
    assert hl.load(tmp_path / "one").mixing == "auto"


def test_texts_are_learnt_in_shards():
    texts = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"] * 5
    labels = ["spam", "ham", "spam", "ham"] * 5
    clf = TextClassifier(shards=4).fit(texts, labels)
    assert clf.n_training_errors_ == 0
    assert clf.predict(["prize prize"])[0] == "spam"


def test_absent_rows_are_in_no_shard():
    X, y = rows(100)
    weights = np.ones(100)
    weights[::3] = 0
    present = weights > 0
    with_absent = LinearClassifier(shards=4).fit(X, y, weights)
    without = LinearClassifier(shards=4).fit(X[present], y[present])
    assert (with_absent.coef_ == without.coef_).all()


def test_a_class_may_be_missing_in_a_shard():
    X, y = rows(64)
    order = np.argsort(y % 2)  # the first shards see one class, if rows were dealt out in blocks
    clf = LinearClassifier(shards=32).fit(X[order], y[order])
    assert clf.stop_reason_ == "separated"


REFUSED = [
    ({"shards": 0}, "shards: got 0, wanted a whole number from 1"),
    ({"shards": True}, "shards: got True"),
    ({"shards": 41}, "wanted at most 40 examples: a shard would be empty"),
    ({"shards": 2, "mixing": "mean"}, "wanted 'auto', 'uniform', 'mistakes', 'inertial' or"),
    ({"shards": 2, "order": "batch"}, "it looks at all rows for each step"),
    ({"shards": 2, "order": "worst"}, "it looks at all rows for each step"),
    ({"shards": 2, "rule": "arow"}, "AROW: .*keeps a covariance"),
    ({"shards": 2, "rule": "balanced-winnow"}, "multiplies its weights"),
    ({"shards": 2, "rule": "alma"}, "shrinks its weights"),
    ({"shards": 2, "rule": "dynamic-margin"}, r"asks for \|\|w\|\|"),
    ({"shards": 2, "rule": "adatron"}, "what each example counts"),
    ({"shards": 2, "guard": "alpha-bound"}, "use guards.Margin"),
    ({"shards": 2, "keep": "longest", "readout": "longest"}, "until the weights are mixed"),
]


@pytest.mark.parametrize(("made", "message"), REFUSED, ids=lambda v: str(v)[:40])
def test_refusals_say_why(made, message):
    X, y = rows(40)
    with pytest.raises(InputError, match=message):
        LinearClassifier(**made).fit(X, y)


def test_all_readouts_that_go_are_kept():
    X, y = rows(40)
    assert LinearClassifier(shards=4, keep="all").fit(X, y).fitted.choices.kept == (
        "last",
        "averaged",
    )


def test_nobody_counts_the_corrections_of_examples():
    X, y = rows(40)
    with pytest.raises(InputError, match="no sum of corrected examples once shards are mixed"):
        LinearClassifier(shards=4).fit(X, y, count_examples=True)


def test_a_rule_of_a_users_own_is_mixed_too():
    class Slow(rules.Perceptron):
        def tau(self, margin):
            return 1

    X, y = rows(40)
    own = LinearClassifier(Slow(), shards=4, n_jobs=2).fit(X, y)
    assert (own.coef_ == LinearClassifier(shards=4).fit(X, y).coef_).all()


def test_an_interruption_keeps_the_mixture_of_the_last_epoch(monkeypatch):
    X, y = rows(200)
    made = {"shards": 4, "until": None}
    known = LinearClassifier(**made, max_iter=3).fit(X, y)
    mixed_before, count = mixed.MixedState.mix, iter(range(99))

    def interrupted(self, *found):
        if next(count) == 3:
            raise KeyboardInterrupt
        return mixed_before(self, *found)

    monkeypatch.setattr(mixed.MixedState, "mix", interrupted)
    clf = LinearClassifier(**made, max_iter=50)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.stop_reason_ == "interrupted" and len(clf.history_) == 3
    assert (clf.coef_ == known.coef_).all()
    assert not [one for one in threading.enumerate() if one.name.startswith("hardlimit")]


def test_until_separated_a_neuron_that_is_done_rests():
    X, _ = rows(200)
    y = np.where(X[:, 0] == 3, 0, np.where(X[:, 0] == -3, 1, 2))
    clf = LinearClassifier(shards=4, multiclass="ovr", max_iter=60).fit(X, y)
    scores = clf.with_readout("last").decision_function(X)
    wrong = ((scores > 0) != (np.arange(3) == y[:, None])).any(axis=0)
    # What lies between two others is separated from them by no plane.
    assert wrong.tolist() == [False, False, True]
    later = LinearClassifier(shards=4, multiclass="ovr", max_iter=70).fit(X, y)
    assert (later.with_readout("last").coef_[:2] == clf.with_readout("last").coef_[:2]).all()


def test_few_numbers_get_one_thread(monkeypatch):
    asked = []
    monkeypatch.setattr(mixed.ThreadPoolExecutor, "submit", lambda *given: asked.append(given))
    monkeypatch.setattr(mixed, "LEAST_VALUES", 61)
    X, y = rows(10)
    monkeypatch.setattr(mixed.ThreadPoolExecutor, "map", lambda self, *given: map(*given))
    LinearClassifier(shards=3, n_jobs=2).fit(X, y)
    assert not asked
