"""Model files of every rule, order, schedule, guard and read-out: what comes back answers alike."""

import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file

import hardlimit as hl
from hardlimit import (
    LinearClassifier,
    TextClassifier,
    guards,
    model_file,
    orders,
    readouts,
    rules,
    schedules,
)
from hardlimit.classifiers import open_answer
from hardlimit.exceptions import InputError, ModelFileError

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch", "lunch prize"]
TWO, MANY = ["spam", "ham", "spam", "ham", "ham"], ["a", "b", "c", "a", "b"]
ASKED = [*TEXTS, "nothing known", ""]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.hardlimit"


def numbers(n_classes=2):
    rng = np.random.default_rng(0)
    return rng.integers(0, 9, (40, 5)) / 4, rng.integers(0, n_classes, 40)


def same(one, other, inputs):
    return np.array_equal(one.decision_function(inputs), other.decision_function(inputs))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", rules.names())
def test_every_rule_comes_back_and_learns_on(path, name, n_classes):
    X, y = numbers(n_classes)
    settings = {"multiclass": "ovr"} if rules.get(name).alone else {}
    if "covariance" in rules.get(name).get_params():
        settings["rule"] = rules.get(name, covariance="full")
    fresh = LinearClassifier(**({"rule": name, "max_iter": 3, "until": None} | settings)).fit(X, y)
    fresh.save(path)
    back = hl.load(path)
    assert same(fresh, back, X) and back.fitted.choices.readout == fresh.fitted.choices.readout
    for clf in (fresh, back) * (not rules.get(name).remembers):
        clf.partial_fit(X, y)
    assert same(fresh, back, X)
    assert np.array_equal(fresh.with_readout("last").coef_, back.with_readout("last").coef_)


@pytest.mark.parametrize("readout", readouts.READOUTS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_read_out_comes_back(path, readout, n_classes):
    X, y = numbers(n_classes)
    fresh = LinearClassifier(keep="all", readout=readout, max_iter=3, until=None).fit(X, y)
    fresh.save(path)
    back = hl.load(path)
    assert same(fresh, back, X) and back.readout == readout
    assert fresh.predict(X).tolist() == back.predict(X).tolist()
    assert back.n_features_in_ == 5
    for name in ("last", "averaged"):
        assert same(fresh.with_readout(name), back.with_readout(name), X)
    again = path.with_name("again")
    back.save(again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("readout", ["longest", "pocket", "pocket-ratchet", "voted", "random"])
def test_a_stream_that_would_leave_the_read_out_behind_is_refused(path, readout):
    X, y = numbers()
    LinearClassifier(keep="all", readout=readout, max_iter=3, until=None).fit(X, y).save(path)
    back = hl.load(path)
    with pytest.raises(InputError, match=f"{readout!r}: batches keep last and averaged"):
        back.partial_fit(X, y)
    assert back.with_readout("last").partial_fit(X, y).n_corrections_ > 0


@pytest.mark.parametrize(
    "choices",
    [
        {"order": orders.Batch("average"), "schedule": schedules.Inverse(2, 5)},
        {"order": "worst", "guard": guards.AlphaBound(2)},
        {"order": "random", "guard": (guards.LambdaTrick(0.5), guards.Margin(2.0))},
        {"rule": "relaxation", "order": "batch", "schedule": "line-search"},
        {"schedule": "1/sqrt(step)", "averaging": "pre"},
    ],
)
def test_choices_come_back_as_objects(path, choices):
    X, y = numbers()
    fresh = LinearClassifier(max_iter=3, **choices)
    fresh.fit(X, y).save(path)
    back = hl.load(path)
    assert same(fresh, back, X)
    assert orders.resolve(back.order) == orders.resolve(fresh.order)
    assert schedules.resolve(back.schedule) == schedules.resolve(fresh.schedule)
    assert guards.resolve(back.guard) == guards.resolve(fresh.guard)
    assert back.averaging == fresh.averaging and back.stop_reason_ == fresh.stop_reason_
    assert same(back.fit(X, y), fresh, X)


@pytest.mark.parametrize("labels", [TWO, MANY])
@pytest.mark.parametrize("settings", [{}, {"chars": None, "hash_bits": 8}])
def test_texts_are_answered_by_votes_after_loading(path, labels, settings):
    fresh = TextClassifier(keep="all", readout="voted", **settings).fit(TEXTS, labels)
    fresh.metadata["layout"] = {"format": "csv"}
    fresh.save(path)
    back = hl.load(path)
    assert same(fresh, back, ASKED)
    assert back.predict(ASKED).tolist() == fresh.predict(ASKED).tolist()
    assert back.metadata == fresh.metadata and back.n_training_errors_ == fresh.n_training_errors_
    assert same(fresh.with_readout("averaged"), back.with_readout("averaged"), ASKED)
    back.save(path.with_name("again"))
    assert path.with_name("again").read_bytes() == path.read_bytes()


def test_votes_on_texts_say_what_they_cannot_do(path):
    clf = TextClassifier(keep="all", readout="voted").fit(TEXTS, TWO)
    with pytest.raises(InputError, match="training_state=False.*counted with the vectorizer"):
        clf.save(path, training_state=False)
    assert not path.exists()
    clf.save(path)
    for one in (clf, hl.load(path)):
        for ask in (lambda: one.explain("a prize"), one.telling_terms, lambda: one.coef_):  # noqa: B023
            with pytest.raises(InputError, match="a vote has no single weight vector"):
                ask()
    with pytest.raises(InputError, match=r"hardlimit\.load"):
        open_answer(path)
    assert clf.with_readout("last").explain("a prize").terms


def rewritten(path, change):
    """The file with other tensors and another header, its digests right again."""
    file = model_file.open(path)
    header = {**file.header, "kind": file.kind}
    tensors = {name: np.array(array) for name, array in load_file(path).items()}
    change(header, tensors)
    model_file.write(path, header, tensors)


def drop_state(header, tensors):
    for name in [name for name in tensors if name.startswith("state.")]:
        del tensors[name]


@pytest.mark.parametrize(
    "change",
    [
        lambda header, tensors: tensors.pop("answer.votes.counts"),
        lambda header, tensors: tensors.update({"answer.votes.counts": np.zeros(4, np.int64)}),
        lambda header, tensors: header["intercept"].append("0x0p+0"),
        lambda header, tensors: header["parameters"].update(readout="last"),
        drop_state,
    ],
)
def test_votes_that_contradict_themselves_are_refused(path, tmp_path, change):
    TextClassifier(keep="all", readout="voted").fit(TEXTS, TWO).save(path)
    whole = shutil.copy(path, tmp_path / "whole")
    rewritten(whole, lambda header, tensors: None)
    assert hl.load(whole).predict(["a prize"]).tolist() == ["spam"]
    rewritten(path, change)
    with pytest.raises(ModelFileError, match="contradict"):
        hl.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(map_columns=3),
        lambda header: header.update(map_columns=-1),
        lambda header: header.update(map_columns=2.0),
        lambda header: header.update(map_columns=1 << 52),
        lambda header: header.pop("map_columns"),
        lambda header: header["parameters"]["map"]["parameters"].update(degree=3),
        lambda header: header["parameters"]["map"]["parameters"].update(degree=99),
        lambda header: header["parameters"]["map"].update(name="own"),
        lambda header: header["parameters"].update(map=["polynomial"]),
    ],
)
def test_maps_that_contradict_their_weights_are_refused(path, change):
    X, y = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], [0, 1, 1, 0]
    hl.LinearClassifier(map="polynomial").fit(X, y).save(path)
    rewritten(path, lambda header, tensors: None)
    assert hl.load(path).predict(X).tolist() == y
    rewritten(path, lambda header, tensors: change(header))
    with pytest.raises(ModelFileError):
        hl.load(path)


@pytest.mark.parametrize("kind", [LinearClassifier, hl.KernelClassifier, TextClassifier])
def test_no_class_with_a_weight(path, kind):
    rows = TEXTS if kind is TextClassifier else np.eye(5)
    model = kind(class_weight={}).fit(rows, TWO)
    model.save(path)
    loaded = hl.load(path)
    assert loaded.class_weight == {}
    assert loaded.predict(rows).tolist() == model.predict(rows).tolist()
    loaded.partial_fit(rows, TWO)
    loaded.save(path)
    hl.load(path).predict(rows)


def test_an_average_beside_a_budget_that_removes_supports_is_read_from_older_files(path):
    """It is refused today; such a file predicts as it did, and goes on with the last hypothesis."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]) * 1.0, [0, 1, 1, 0]
    clf = hl.KernelClassifier(budget=hl.budgets.RemoveOldest(3), max_iter=2, until=None).fit(X, y)
    clf.save(path)
    older = {"readout": "averaged", "keep": ["averaged"]}
    rewritten(path, lambda header, tensors: header["parameters"].update(older))
    loaded = hl.load(path)
    assert loaded.decision_function(X).tolist() == clf.decision_function(X).tolist()
    assert loaded.partial_fit(X, y).readout_ == "last"
