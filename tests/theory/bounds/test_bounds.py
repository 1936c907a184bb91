"""Theorems beside counts: worked numbers, drawn data, and what does not apply says why."""

import json
import math

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, bounds, guards, kernels, rules
from hardlimit.exceptions import InputError
from hardlimit.theory.bounds import Comparator, MarginProblem, ModelRun, evaluate
from hardlimit.theory.bounds.inseparable import find_least, hinge_form, square_form

from ...rounding import SINGLE, near, roundings

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1])
XOR = (OR[0], [0, 1, 1, 0])


def separable(seed, n=60, d=4, margin=0.3):
    """Rows whose margin along a hidden vector is known in the space with the bias."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=d + 1)
    u /= np.linalg.norm(u)
    X = rng.normal(size=(4 * n, d)) * 2
    scores = X @ u[:-1] + u[-1]
    X, scores = X[np.abs(scores) > margin][:n], scores[np.abs(scores) > margin][:n]
    return X, (scores > 0).astype(int), float(np.abs(scores).min())


def noisy(seed, n=80, d=3, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X @ rng.normal(size=(d, classes))).argmax(1)
    flipped = rng.random(n) < 0.15
    y[flipped] = rng.integers(0, classes, flipped.sum())
    y[:classes] = range(classes)
    return X, y


class TestByHand:
    """Modified OR with a threshold: R^2 = 3, gamma = 1/sqrt 3, 3 corrections, w = (1, 1, -1)."""

    @pytest.mark.parametrize("bias", [1.0, -1.0])
    def test_novikoff(self, bias):
        clf = LinearClassifier(order="cyclic", readout="last", bias_feature=bias).fit(*OR)
        for found in (clf.bounds_, bounds.of(clf, *OR)):
            assert found.radius == near(math.sqrt(3), 20)
            assert found.gamma.least == near(1 / math.sqrt(3), 20)
            assert found.gamma.most == near(1 / math.sqrt(3), 20)  # sqrt 3 / 3 corrections
            line = found["Novikoff"]
            assert (line.value, line.count, line.holds) == (near(9, 20), 3, True)

    def test_novikoff_with_the_sum_of_all_lengths(self):
        """4 rows of squared length 3: 12 instead of 3."""
        clf = LinearClassifier(order="cyclic", readout="last").fit(*OR)
        line = bounds.of(clf, *OR)["Novikoff, sum form"]
        assert (line.value, line.count, line.holds) == (near(36, 20), 3, True)
        assert "bounds.of(clf, X, y)" in clf.bounds_["Novikoff, sum form"].reason

    def test_the_margin_perceptron_promises_more_corrections(self):
        rule = rules.MarginPerceptron(b=1)
        clf = LinearClassifier(rule, order="cyclic", readout="last", until="margin").fit(*OR)
        line = bounds.of(clf, *OR)["margin-perceptron's own"]
        assert (line.value, line.count) == (near((3 + 2) * 3, 20), 6)
        assert "see its own bound" in bounds.of(clf, *OR)["Novikoff"].reason

    def test_batches(self):
        clf = LinearClassifier(order="batch", readout="last").fit(*OR)
        line = bounds.of(clf, *OR)["Novikoff, in batches"]
        assert (line.value, line.count) == (near(4 * 9, 20), 4)  # one step of four rows

    def test_xor(self):
        """From 0 every point is wrong once, and w is 0 again: gamma = 0."""
        clf = LinearClassifier(order="cyclic").fit(*XOR)
        found = bounds.of(clf, *XOR)
        assert (found.gamma.least, found.gamma.most, found.gamma.separable) == (0, 0, False)
        assert "not separable" in found["Novikoff"].reason and found["Novikoff"].count == 4
        assert found["Freund and Schapire"].holds

    def test_two_rows_one_on_each_side_of_a_comparator(self):
        margins = np.array([1.0, -1.0])
        assert square_form(1.0, margins, 1, 1.0) == 9  # D^2 = 0 + 2^2
        assert square_form(1.0, margins, 4, 1.0) == 25  # D^2 = 4 * 4
        assert hinge_form(1.0, margins, 1, 1.0) == near(2 + 1 + math.sqrt(2), 20)
        value, gamma = find_least(lambda g: square_form(1.0, margins, 1, g), margins, 1.0)
        assert value <= 9 and square_form(1.0, margins, 1, gamma) == value

    def test_online_to_batch_is_the_share_of_mistakes_in_one_pass(self):
        clf = LinearClassifier(order="cyclic", until=None, max_iter=1).fit(*OR)
        found = clf.bounds_
        assert found["online to batch, random"].value == 3 / 4
        assert found["online to batch, voted"].value == 1  # 6/4, and no share is above 1


@pytest.mark.parametrize("seed", range(25))
def test_on_separable_examples_the_bracket_holds_gamma_and_nothing_is_broken(seed):
    X, y, gamma = separable(seed)
    for settings in (
        {"order": "cyclic"},
        {"order": "shuffled", "readout": "last"},
        {"order": "worst"},
        {"order": "batch"},
        {"rule": rules.MarginPerceptron(2.0), "until": "margin", "readout": "last"},
        {"rule": rules.DynamicMargin(0.5), "until": "margin"},
        {"rule": "passive-aggressive"},
        {"rule": "romma"},
    ):
        clf = LinearClassifier(**{"max_iter": 5000, **settings}).fit(X, y)
        for found in (clf.bounds_, bounds.of(clf, X, y)):
            assert found.broken == ()
            bracket = found.gamma
            if bracket.most is not None:
                assert bracket.most >= gamma * (1 - roundings(10_000))
            if bracket.least is not None and bracket.most is not None:
                assert bracket.least <= bracket.most * (1 + roundings(10_000))
        told = bounds.of(clf, X, y)
        assert told.gamma.least > 0
        if clf.rule == "perceptron" and clf.order != "batch":
            assert told["Novikoff"].holds and told["Novikoff"].at_best <= told["Novikoff"].value


@pytest.mark.parametrize("seed", range(25))
def test_on_noisy_examples_mistakes_stay_within_freund_and_schapires(seed):
    X, y = noisy(seed)
    for epochs in (1, 5):
        clf = LinearClassifier(until=None, max_iter=epochs, keep="all").fit(X, y)
        found = bounds.of(clf, X, y)
        lines = [line for line in found.lines[0] if line.name.startswith("Freund")]
        assert len(lines) == 2 * (1 + (epochs > 1))
        assert all(line.holds for line in lines)
        assert lines[0].count == clf.history_[0].mistakes
        assert found.broken == ()


@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
@pytest.mark.parametrize("seed", range(8))
def test_many_classes_in_keslers_geometry_or_a_neuron_each(seed, multiclass):
    X, y = noisy(seed, classes=3)
    clf = LinearClassifier(multiclass=multiclass, until=None, max_iter=4).fit(X, y)
    found = bounds.of(clf, X, y)
    assert found.broken == () and len(found.parts) == (1 if multiclass == "coupled" else 3)
    radius = float(np.sqrt((X * X).sum(1) + 1).max())
    factor = math.sqrt(2) if multiclass == "coupled" else 1
    assert found.radius == near(factor * radius, 40)
    assert sum(part.corrections for part in found.parts) == clf.n_corrections_
    W = clf.with_readout("last")
    table = np.column_stack([W.coef_, W.intercept_])
    if multiclass == "coupled":
        scores = W.decision_function(X)
        right = scores[np.arange(len(X)), y]
        scores[np.arange(len(X)), y] = -np.inf
        margins = (right - scores.max(1)) / np.linalg.norm(table)
        last = next(c for c in found.parts[0].comparators if c.name == "last")
        assert last.margins == near(margins, 40, size=radius)
        assert found.parts[0].length == near(np.linalg.norm(table), 40)
    else:
        lengths = [part.length for part in found.parts]
        assert lengths == near(np.linalg.norm(table, axis=1), 40)


@pytest.mark.parametrize("seed", range(6))
def test_separable_classes_in_keslers_geometry(seed):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(3, 4))
    W /= np.linalg.norm(W)
    X = rng.normal(size=(300, 3))
    scores = np.column_stack([X, np.ones(300)]) @ W.T
    ordered = np.sort(scores, axis=1)
    X, y = X[ordered[:, 2] - ordered[:, 1] > 0.15], scores.argmax(1)
    y = y[ordered[:, 2] - ordered[:, 1] > 0.15]
    clf = LinearClassifier(readout="last").fit(X, y)
    found = bounds.of(clf, X, y)
    assert clf.stop_reason_ == "separated" and found["Novikoff"].holds
    assert found.gamma.most >= 0.15 and found.gamma.least <= found.gamma.most


def test_the_history_bounds_gamma_from_above_and_falls_towards_it():
    X, y, gamma = separable(1)
    clf = LinearClassifier(order="cyclic", max_iter=3000).fit(X, y)
    bounds_seen = [record.gamma_at_most for record in clf.history_]
    assert min(bounds_seen) >= gamma
    assert bounds_seen[-1] == near(clf.bounds_.gamma.most, 40)
    last = clf.with_readout("last")
    length = math.hypot(*last.coef_[0], last.intercept_[0])
    assert bounds_seen[-1] == near(length / clf.n_corrections_, 40)
    minover = LinearClassifier(order="worst", guard=guards.Margin(1e4), until="margin").fit(X, y)
    seen = [record.gamma_at_most for record in minover.history_]
    assert (
        seen == sorted(seen, reverse=True)
        and seen[-1] < 1.05 * bounds.of(minover, X, y).gamma.least
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"rule": "passive-aggressive"},
        {"rule": "romma"},
        {"schedule": "1/step"},
        {"class_weight": {0: 1, 1: 2}},
        {"multiclass": "ovr", "classes": 3},
    ],
)
def test_where_weights_are_no_sum_of_rows_there_is_no_running_bound(settings):
    classes = settings.pop("classes", 2)
    X, y = noisy(0, classes=classes)
    clf = LinearClassifier(until=None, max_iter=3, **settings).fit(X, y)
    assert {record.gamma_at_most for record in clf.history_} == {None}
    if classes == 2:
        assert clf.bounds_.gamma.most is None


def test_rows_that_are_added_in_batches_are_counted_one_by_one():
    X, y, gamma = separable(2)
    clf = LinearClassifier(order="batch", readout="last").fit(X, y)
    last = math.hypot(*clf.coef_[0], clf.intercept_[0])
    assert clf.bounds_.gamma.most == near(last / clf.n_mistakes_, 40)
    assert clf.history_[-1].gamma_at_most == near(last / clf.n_mistakes_, 40)
    assert clf.bounds_.gamma.most >= gamma


@pytest.mark.parametrize(
    ("settings", "name", "why"),
    [
        ({"class_weight": {0: 1, 1: 2}}, "Novikoff", "weigh other than 1"),
        ({"guard": guards.AlphaBound(2)}, "Novikoff", "guards decide"),
        ({"schedule": "1/step"}, "Novikoff", "differ in length"),
        ({"rule": "romma"}, "Novikoff", "the rule is romma"),
        ({"rule": "romma", "order": "shuffled"}, "Freund and Schapire", "the rule is romma"),
        ({"order": "batch"}, "Freund and Schapire", "the order is batch"),
        ({"order": "worst"}, "Freund and Schapire", "the order is worst"),
        ({"order": "random"}, "online to batch, random", "shows each row once"),
        ({"rule": rules.MarginPerceptron(1), "order": "batch"}, "margin-perceptron's own", "batch"),
        (
            {"rule": rules.MarginPerceptron(1), "schedule": "1/step"},
            "margin-perceptron's own",
            "a schedule",
        ),
        ({"rule": "arow"}, "arow's own", "full"),
    ],
)
def test_what_does_not_apply_says_why(settings, name, why):
    X, y, _ = separable(3)
    clf = LinearClassifier(**settings).fit(X, y)
    line = bounds.of(clf, X, y)[name]
    assert line.value is None and line.holds is None and why in line.reason
    assert name in str(bounds.of(clf, X, y))


def test_a_stream_is_not_judged():
    clf = LinearClassifier().fit(*OR).partial_fit(*OR)
    assert "a stream" in clf.bounds_["Novikoff"].reason and clf.bounds_.radius is None
    fresh = LinearClassifier().partial_fit(*OR)
    assert "a stream" in fresh.bounds_["Novikoff"].reason
    assert "a stream" in str(fresh.bounds_)


def test_what_a_fit_knows_needs_no_rows_and_what_it_does_not_is_said():
    X, y, _ = separable(4)
    clf = LinearClassifier(readout="last").fit(X, y)
    known, whole = clf.bounds_, bounds.of(clf, X, y)
    assert known.radius == near(whole.radius, 40)
    assert known.gamma.least == near(
        next(c.least for c in whole.parts[0].comparators if c.name == "last"),
        200,
        size=known.radius,
    )
    assert known["Freund and Schapire"].reason.startswith("the rows are not at hand")
    assert LinearClassifier().fit(X, y).bounds_.parts[0].separable is True


@pytest.mark.parametrize("kernel", [kernels.Linear(), kernels.Polynomial(2, 1), kernels.RBF(0.5)])
@pytest.mark.parametrize("intercept", [False, True])
def test_kernels_have_the_geometry_of_their_space(kernel, intercept):
    X, y = noisy(5, n=40)
    clf = hl.KernelClassifier(kernel, fit_intercept=intercept, max_iter=20).fit(X, y)
    found = bounds.of(clf, X, y)
    K = kernel(X, X) + (1.0 if intercept else 0.0)
    assert found.radius == near(math.sqrt(np.diag(K).max()), 40)
    assert clf.bounds_.radius == near(found.radius, 40)
    last = clf.with_readout("last")
    beta = np.zeros(len(X))
    beta[last.support_] = last.dual_coef_[0]
    assert found.parts[0].length == near(math.sqrt(beta @ K @ beta), 1000)
    assert found.gamma.most == near(found.parts[0].length / clf.n_corrections_, 40)
    assert found.broken == () and found["Freund and Schapire"].holds


def test_a_budget_and_a_precomputed_kernel_say_what_they_cannot():
    X, y = noisy(6, n=30)
    clf = hl.KernelClassifier(kernels.RBF(1), budget="forgetron", max_iter=2).fit(X, y)
    assert "a budget takes corrections back" in clf.bounds_["Novikoff"].reason
    K = kernels.RBF(1)(X, X)
    given = hl.KernelClassifier("precomputed").fit(K, y)
    assert given.bounds_.radius == near(1, 40)
    with pytest.raises(InputError, match="precomputed"):
        bounds.of(given, K, y)


def test_texts_estimators_and_scaled_numbers_are_asked_alike():
    texts, labels = ["win a prize", "lunch at noon", "a prize to win"] * 3, ["s", "h", "s"] * 3
    clf = hl.TextClassifier(rule="perceptron").fit(texts, labels)
    found = bounds.of(clf, texts, labels)
    words, chars = clf.block_weights
    length = math.sqrt(words**2 + chars**2 + 0.1**2)
    assert found.radius == near(length, 40, unit=SINGLE) == clf.bounds_.radius
    assert found["Novikoff"].holds
    skin = hl.PerceptronClassifier(order="cyclic").fit(*OR)
    assert bounds.of(skin, *OR)["Novikoff"].value == near(9, 40)
    assert skin.bounds_["Novikoff"].count == 3
    X, y, _ = separable(7)
    scaled = LinearClassifier(scale="rows").fit(X, y)
    assert bounds.of(scaled, X, y).radius == near(math.sqrt(2), 40)


def test_balanced_winnow_has_the_numbers_that_its_bound_needs():
    X = [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] * 2
    y = [1, 0, 0, 0] * 2
    clf = LinearClassifier(rules.BalancedWinnow(1.1), readout="last").fit(X, y)
    line = bounds.of(clf, X, y)["balanced-winnow's own"]
    assert line.value is not None and line.holds


def test_a_verdict_completes_the_bracket_and_is_one_more_comparator():
    X, y, _ = separable(8)
    clf = LinearClassifier().fit(X, y)
    verdict = hl.certify(X, y)
    found = bounds.of(clf, X, y, verdict)
    assert found.gamma.least >= verdict.margin[0] and found.gamma.most <= verdict.margin[1]
    assert "verdict's" in [c.name for c in found.parts[0].comparators]
    assert found["Novikoff"].value < bounds.of(clf, X, y)["Novikoff"].value
    not_so = hl.certify(*XOR)
    on_xor = bounds.of(LinearClassifier(max_iter=3).fit(*XOR), *XOR, not_so)
    assert on_xor.gamma.separable is False
    with pytest.raises(InputError, match="about 4 columns"):
        bounds.of(LinearClassifier().fit(X[:, :2], y), X[:, :2], y, verdict)
    with pytest.raises(InputError, match="bias feature"):
        bounds.of(LinearClassifier(bias_feature=2.0).fit(X, y), X, y, verdict)
    with pytest.raises(InputError, match="about two classes"):
        Z, z = noisy(1, classes=3)
        bounds.of(LinearClassifier(max_iter=3).fit(Z, z), Z, z, verdict)
    with pytest.raises(InputError, match="scale='standard'"):
        bounds.of(LinearClassifier(scale="standard").fit(X, y), X, y, verdict)


def test_a_model_from_a_file_says_what_it_can(tmp_path):
    X, y, _ = separable(9)
    clf = LinearClassifier().fit(X, y)
    clf.save(tmp_path / "a.hardlimit")
    found = hl.load(tmp_path / "a.hardlimit")
    assert found.bounds_.radius is None and found.bounds_["Novikoff"].count == clf.n_corrections_
    a, b = bounds.of(found, X, y), bounds.of(clf, X, y)
    assert a["Novikoff"].value == near(b["Novikoff"].value, 40)
    weighed = LinearClassifier().fit(X, y, sample_weight=np.full(len(X), 2.0))
    weighed.save(tmp_path / "b.hardlimit")
    loaded = bounds.of(hl.load(tmp_path / "b.hardlimit"), X, y)
    assert "weigh other than 1" in loaded["Novikoff"].reason


def test_json_is_plain_and_the_table_readable():
    X, y = noisy(2)
    found = bounds.of(LinearClassifier(until=None, max_iter=3).fit(X, y), X, y)
    assert json.loads(json.dumps(found.to_json()))["parts"][0]["bounds"]
    text = str(found)
    assert "promised" in text and "radius" in text and max(map(len, text.splitlines())) < 200
    with pytest.raises(KeyError):
        found["Rosenblatt"]
    with pytest.raises(InputError, match="wanted a classifier"):
        bounds.of("clf", X, y)


def test_a_broken_theorem_would_be_seen():
    run = ModelRun(rules.Perceptron(), order="cyclic", n_rows=2, epochs=1, first=99)
    margins = np.array([1.0, 1.0])
    part = MarginProblem(
        corrections=99, mistakes=99, radius=1.0, least=1.0, least_of="last",
        comparators=(Comparator("last", margins),),
    )  # fmt: skip
    assert {line.name for line in evaluate(run, [part]).broken} >= {
        "Novikoff",
        "Freund and Schapire",
    }
