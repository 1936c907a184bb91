"""Model files: what comes back is what was there, to the last bit."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, model_file, rules
from hardlimit.classifiers import open_answer
from hardlimit.exceptions import InputError, KindError, ModelFileError, NotFittedError

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
TWO, FOUR = ["spam", "ham", "spam", "ham"], ["a", "b", "c", "d"]
SETTINGS = [
    {},
    {"chars": None, "hash_bits": 12},
    {"chars": None, "idf": None, "norm": None},
    {"words": None, "chars": (3, 4), "tf": "raw", "idf": "ratio"},
    {"readout": "last", "keep": "last", "fit_intercept": False},
    {"rule": "perceptron", "class_weight": {"b": 2.0}, "order": "cyclic"},
]
GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.hardlimit"


@pytest.mark.parametrize("labels", [TWO, FOUR])
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_text_model_comes_back_and_learns_on(path, labels, settings):
    if "class_weight" in settings:
        settings = settings | {"class_weight": {labels[0]: 2.0}}
    fresh = TextClassifier(**settings).fit(TEXTS, labels)
    fresh.metadata["layout"] = {"format": "csv"}
    fresh.save(path)
    back = hl.load(path)
    asked = [*TEXTS, "nothing known", ""]
    assert np.array_equal(fresh.decision_function(asked), back.decision_function(asked))
    assert fresh.predict(asked).tolist() == back.predict(asked).tolist()
    for text in asked:
        assert fresh.explain(text) == back.explain(text)
    assert fresh.telling_terms(5) == back.telling_terms(5)
    assert rules.resolve(fresh.rule) == back.rule
    assert fresh.set_params(rule=back.rule).get_params() == back.get_params()
    for name in ("n_corrections_", "n_mistakes_", "n_iter_", "stop_reason_", "n_training_errors_"):
        assert getattr(fresh, name) == getattr(back, name)
    assert back.metadata == fresh.metadata
    assert np.array_equal(fresh.coef_, back.coef_)
    for clf in (fresh, back):
        clf.partial_fit(["invoice attached prize"], ["bills"])
    assert np.array_equal(fresh.decision_function(asked), back.decision_function(asked))
    assert np.array_equal(fresh.coef_, back.coef_)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
def test_a_numeric_model_comes_back_and_learns_on(path, n_classes, multiclass):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), rng.integers(0, n_classes, 40)
    X[:, 3] = 0
    fresh = LinearClassifier("passive-aggressive", multiclass=multiclass, max_iter=3).fit(X, y)
    fresh.save(path)
    back = hl.load(path)
    assert np.array_equal(fresh.coef_, back.coef_)
    assert np.array_equal(fresh.decision_function(X), back.decision_function(X))
    assert back.classes_.tolist() == fresh.classes_.tolist()
    assert np.array_equal(fresh.with_readout("last").coef_, back.with_readout("last").coef_)
    for clf in (fresh, back):
        clf.partial_fit(X, y)
    assert np.array_equal(fresh.coef_, back.coef_)


def test_same_input_and_seed_same_bytes(tmp_path):
    paths = [tmp_path / f"{i}.hardlimit" for i in range(3)]
    for path in paths[:2]:
        TextClassifier().fit(TEXTS, FOUR).save(path)
    hl.load(paths[0]).save(paths[2])
    assert paths[0].read_bytes() == paths[1].read_bytes() == paths[2].read_bytes()


def test_bytes_do_not_depend_on_the_process(tmp_path):
    program = (
        "import sys, hardlimit as hl\n"
        f"hl.TextClassifier().fit({TEXTS!r}, {FOUR!r}).save(sys.argv[1])"
    )
    found = set()
    for number in ("0", "17"):
        path = tmp_path / number
        threads = str(1 + int(number) % 2)
        environment = os.environ | {"PYTHONHASHSEED": number, "OMP_NUM_THREADS": threads}
        subprocess.run([sys.executable, "-c", program, str(path)], check=True, env=environment)
        found.add(path.read_bytes())
    assert len(found) == 1


def test_a_slim_model_predicts_and_says_why_it_cannot_learn(path):
    TextClassifier().fit(TEXTS, TWO).save(path, training_state=False)
    slim = hl.load(path)
    assert slim.predict(["a prize"]).tolist() == ["spam"]
    assert slim.n_corrections_ > 0
    for ask in (
        lambda: slim.partial_fit(TEXTS, TWO),
        lambda: slim.with_readout("last"),
        lambda: slim.vectorizer_,
    ):
        with pytest.raises(NotFittedError, match="without its training state"):
            ask()
    assert slim.predict(["a prize"]).tolist() == ["spam"]
    assert slim.fit(TEXTS, FOUR).predict(["lunch at noon"]).tolist() == ["b"]


@pytest.mark.parametrize(
    "labels", [[1, 2, 1, 2], [0.0, 2.0, 0.0, 2.0], [True, False] * 2, [b"\xff", b"h"] * 2,
               ["tab\t", "new\nline"] * 2, [10**30, -5] * 2, ["x", 3, "x", 3]],
)  # fmt: skip
def test_labels_keep_their_kind(path, labels):
    fresh = TextClassifier().fit(TEXTS, labels)
    fresh.save(path)
    back = hl.load(path)
    assert list(map(repr, back.classes_.tolist())) == list(map(repr, fresh.classes_.tolist()))
    assert back.predict(TEXTS).tolist() == labels


def test_labels_that_no_file_holds_are_refused_before_learning():
    clf = TextClassifier()
    with pytest.raises(KindError, match="date"):
        clf.fit(TEXTS, [date(2001, 1, 1), date(2002, 2, 2)] * 2)
    assert not hasattr(clf, "classes_")


@dataclass(frozen=True)
class OwnRule(rules.Rule):
    required = 0

    def tau(self):
        return 2


def test_predicting_never_needs_the_rules_class(path):
    clf = TextClassifier(rule=OwnRule()).fit(TEXTS, TWO)
    with pytest.raises(InputError, match="register"):
        clf.save(path)
    clf.save(path, training_state=False)
    back = hl.load(path)
    assert back.predict(TEXTS).tolist() == clf.predict(TEXTS).tolist()
    assert back.rule == "own-rule"


def test_learning_on_needs_the_rule_and_says_how_to_give_it(path):
    @rules.register
    @dataclass(frozen=True)
    class ForgottenRule(rules.Rule):
        required = 0

        def tau(self):
            return 1

    TextClassifier(rule=ForgottenRule()).fit(TEXTS, TWO).save(path)
    assert hl.load(path).partial_fit(TEXTS, TWO).rule == ForgottenRule()
    rules.RULES.members.pop("forgotten-rule")
    back = hl.load(path)
    assert back.predict(["a prize"]).tolist() == ["spam"]
    with pytest.raises(InputError, match=r"rules.register\(YourRule\)"):
        back.partial_fit(TEXTS, TWO)


def test_a_threshold_for_numbers(path):
    clf = LinearClassifier(readout="last").fit([[1.0], [-1.0]], ["b", "a"])
    clf.threshold_ = 100.0
    clf.save(path)
    assert hl.load(path).threshold_ == 100.0
    assert hl.load(path).predict([[5.0]]).tolist() == ["a"]


def test_the_threshold_is_part_of_the_model(path):
    clf = TextClassifier().fit(TEXTS, TWO)
    clf.threshold_ = 100.0
    clf.save(path)
    back = hl.load(path)
    assert back.predict(TEXTS).tolist() == ["ham"] * 4
    assert back.threshold_ == 100.0
    back.threshold_ = 0.0
    assert back.predict(TEXTS).tolist() == TWO
    assert back.explain("a prize").label == "spam"


def test_files_of_other_kinds_and_contradictions_are_refused(path):
    model_file.write(path, {"kind": "recipe"}, {"answer.x": b"1"})
    with pytest.raises(ModelFileError, match="holds a 'recipe'"):
        hl.load(path)
    TextClassifier().fit(TEXTS, TWO).save(path)
    file = model_file.open(path)
    tensors = {name: file.array(name) for name in file.names}
    for key in ("classes", "threshold", "intercept", "text", "parameters", "counts", "history"):
        broken = {k: v for k, v in file.header.items() if k != key} | {"kind": file.kind}
        model_file.write(path, broken, tensors)
        with pytest.raises(ModelFileError):
            hl.load(path).predict(TEXTS)
    whole = file.header | {"kind": file.kind}
    for key, lie in [("classes", []), ("classes", [["str", "a"]] * 2), ("intercept", []),
                     ("classes", [["complex", "1j"], ["str", "x"]])]:  # fmt: skip
        model_file.write(path, whole | {key: lie}, tensors)
        with pytest.raises(ModelFileError):
            hl.load(path).predict(TEXTS)
    for name in tensors:
        if name.startswith("state."):
            model_file.write(path, whole, {k: v for k, v in tensors.items() if k != name})
            with pytest.raises(ModelFileError):
                hl.load(path).partial_fit(TEXTS, TWO)


def test_answering_from_a_file_imports_no_numpy(path):
    TextClassifier().fit(TEXTS, TWO).save(path)
    program = (
        "import sys\nfrom hardlimit.classifiers import open_answer\n"
        "answer = open_answer(sys.argv[1])\n"
        "print(answer.predict(['a prize to win']), answer.explain('a prize').label)\n"
        "print('numpy' in sys.modules, 'safetensors' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["['spam'] spam", "False False"]


def test_an_open_answer_agrees_with_the_classifier(path):
    for labels in (TWO, FOUR):
        clf = TextClassifier().fit(TEXTS, labels)
        clf.save(path)
        answer = open_answer(path)
        scores, known = answer.scores_and_known(TEXTS)
        assert np.array(scores).reshape(4, -1).tolist() == (
            clf.decision_function(TEXTS).reshape(4, -1).tolist()
        )
        assert all(known)
        assert answer.predict(TEXTS) == clf.predict(TEXTS).tolist()


KINDS = ("text", "numbers", "votes", "theta", "dual")


GOLDEN_FILES = [f"{kind}-{n}" for kind in KINDS for n in (1, 2, 3)]
GOLDEN_FILES += ["many-2", "many-3", "map-3", "seen-3", "columns-3", "table-3", "estimator-3"]


@pytest.mark.parametrize("name", GOLDEN_FILES)
def test_golden_files_answer_as_on_the_day_they_were_written(name):
    asked = json.loads((GOLDEN / f"{name}.json").read_text())
    if name.startswith("estimator"):
        pytest.importorskip("sklearn")
    clf = hl.load(GOLDEN / f"{name}.hardlimit")
    found = clf.decision_function(asked["inputs"])
    assert [[float(v).hex() for v in row] for row in np.atleast_2d(found.T).T] == asked["scores"]
    # JSON has no tuples, which several labels are.
    assert json.loads(json.dumps(clf.predict(asked["inputs"]).tolist())) == asked["labels"]
    if asked["corrections"] is not None:
        clf.partial_fit(asked["inputs"], asked["labels"])
        assert clf.n_corrections_ == asked["corrections"]


@pytest.mark.parametrize("n_classes", [2, 9])
@pytest.mark.parametrize("rule", ["perceptron", "shifting-perceptron"])
def test_numbers_that_overflowed_do_not_replace_a_model(tmp_path, rule, n_classes):
    """Nobody could read the file: the one that is there stays."""
    path, classes = tmp_path / "model", list(range(n_classes))
    hl.LinearClassifier().fit([[0.0], [1.0]], [0, 1]).save(path)
    kept = path.read_bytes()
    rows = np.array([[1.7e308, 8e307], [8e307, 1.0], [0.0, 1.7e308]] * 60)
    labels = [i % n_classes for i in range(len(rows))]
    model = hl.LinearClassifier(rule).partial_fit(rows, labels, classes=classes)
    for training_state in (True, False):
        with pytest.raises(InputError, match="overflowed"):
            model.save(path, training_state=training_state)
    assert path.read_bytes() == kept


def test_large_numbers_are_no_overflow(tmp_path):
    """Their sum is infinite, they are not."""
    rows, path = np.diag([1e308] * 4), tmp_path / "model"
    model = hl.LinearClassifier("perceptron", keep="last", readout="last", fit_intercept=False)
    model.partial_fit(rows, [1] * 4, classes=[0, 1]).save(path)
    assert np.array_equal(hl.load(path).coef_, model.coef_)
    with np.errstate(over="ignore"):
        assert np.isinf(model.coef_.sum())


@pytest.mark.parametrize("n_classes", [7, 8])
@pytest.mark.parametrize("rule", ["winnow-1", "winnow-2"])
def test_the_average_of_weights_that_began_at_one_goes_on(tmp_path, rule, n_classes):
    """With eight outputs the state lies packed in the file."""
    rows, labels = np.eye(n_classes), list(range(n_classes))
    whole = hl.LinearClassifier(rule, multiclass="ovr").partial_fit(rows, labels, classes=labels)
    whole.save(tmp_path / "model")
    resumed = hl.load(tmp_path / "model")
    for model in (whole, resumed):
        model.partial_fit(rows[:3], labels[1:4])
    assert np.array_equal(whole.coef_, resumed.coef_)
    assert np.array_equal(whole.intercept_, resumed.intercept_)
