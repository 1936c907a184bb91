"""Numbers that a model cannot have, under digests that fit them: the model file says which."""

import resource
import time

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, model_file
from hardlimit.classifiers import open_answer
from hardlimit.exceptions import HardlimitError, ModelFileError

X, Y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]], [0, 1, 1, 0]
TEXTS, LABELS = ["win a prize", "lunch at noon", "a prize"], ["spam", "ham", "spam"]
INF, NAN = float("inf"), float("nan")


def forged(path, change):
    file = model_file.open(path)
    header = {**file.header, "kind": file.kind}
    tensors = {name: np.array(file.array(name)) for name in file.names}
    change(header, tensors)
    model_file.write(path, header, tensors)


def tensor(name, value):
    def change(header, tensors):
        tensors[name].reshape(-1)[-1] = value

    return change


def parameter(**values):
    return lambda header, tensors: header["parameters"].update(values)


def top(**values):
    return lambda header, tensors: header.update(values)


def raw_rule(text):
    return lambda header, tensors: tensors.update({"state.rule": np.frombuffer(text, np.uint8)})


HEADERS = [
    (parameter(class_weight=True), "class_weight"),
    (parameter(class_weight=1.5), "class_weight"),
    (parameter(class_weight=[[["int", "0"]], ["a"]]), "class_weight"),
    (parameter(order={"name": 3}), "order"),
    (parameter(schedule={}), "schedule"),
    (top(intercept=[]), "0 intercepts of 2 classes"),
    (top(intercept=["0x0p+0"] * 2), "2 intercepts of 2 classes"),
    (top(cycle=[1, 1.0]), "a period is a number of epochs and one of corrections"),
    (top(cycle=[1, True]), "a period is a number of epochs and one of corrections"),
    (top(cycle=[True, 1]), "a period is a number of epochs and one of corrections"),
    (top(intercept=["inf"]), "not finite"),
    (top(intercept=["nan"]), "not finite"),
    (top(threshold="nan"), "not finite"),
    (top(slope="nan"), "not finite"),
    (top(slope=(-1.0).hex()), "not above 0"),
    (top(slope=1), "header contradicts itself"),
]
STATES = [
    tensor("state.lengths", INF),
    tensor("state.w", NAN),
    tensor("state.u", INF),
    raw_rule(b'{"name":"perceptron","parameters":null}'),
    raw_rule(b"[" * 100_000),
    raw_rule(b"\xff"),
]


@pytest.mark.parametrize(("change", "message"), HEADERS)
@pytest.mark.parametrize("kind", [LinearClassifier, TextClassifier])
def test_headers(tmp_path, kind, change, message):
    path = tmp_path / "a"
    kind().fit(*((X, Y) if kind is LinearClassifier else (TEXTS, LABELS))).save(path)
    forged(path, change)
    with pytest.raises(ModelFileError, match=f"{message}|differ in number"):
        hl.load(path)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a"], "1 name of 2 columns"),
        (["a", "b", "c"], "3 names of 2 columns"),
        ([], "0 names of 2 columns"),
        (["a", 1], "names of columns that are no texts"),
        ("ab", "names of columns that are no texts"),
    ],
)
def test_names_of_columns(tmp_path, names, message):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)
    forged(path, top(feature_names=names))
    with pytest.raises(ModelFileError, match=message):
        hl.load(path)


@pytest.mark.parametrize("change", STATES)
def test_states(tmp_path, change):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)
    forged(path, change)
    with pytest.raises(HardlimitError, match="contradicts itself"):
        hl.load(path).partial_fit(X, Y)


@pytest.mark.parametrize("value", [INF, -INF, NAN])
@pytest.mark.parametrize("rule", ["perceptron", "alma", "shifting-perceptron", "balanced-winnow"])
def test_no_number_of_a_state_is_infinite(tmp_path, rule, value):
    """Each array of floats, at each of its columns in turn."""
    path = tmp_path / "a"
    LinearClassifier(rule).fit(X, Y).save(path)
    file = model_file.open(path)
    state = {n: file.array(n) for n in file.names if n.startswith("state.")}
    floats = {n: a for n, a in state.items() if a.dtype == np.float64}
    assert floats
    for name, array in floats.items():
        for place in range(array.size):

            def change(header, tensors, name=name, place=place):
                tensors[name].reshape(-1)[place] = value

            LinearClassifier(rule).fit(X, Y).save(path)
            forged(path, change)
            with pytest.raises(HardlimitError, match="contradicts itself"):
                hl.load(path).partial_fit(X, Y)


def test_scales_of_rules_that_shrink(tmp_path):
    path = tmp_path / "a"
    LinearClassifier("shifting-perceptron").fit(X, Y).save(path)
    forged(path, tensor("state.scales", INF))
    with pytest.raises(ModelFileError, match="scales that are not finite"):
        hl.load(path).partial_fit(X, Y)


def test_weights(tmp_path):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)
    forged(path, tensor("answer.weights", NAN))
    with pytest.raises(ModelFileError, match="weights that are not finite"):
        hl.load(path)


def test_a_bias_that_overflows(tmp_path):
    path = tmp_path / "a"
    LinearClassifier(readout="last", order="cyclic").fit(X, Y).save(path)
    forged(path, parameter(bias_feature=1e308))
    model = hl.load(path)
    model.partial_fit([[-1.0, 1.0]], [1])
    with pytest.raises(HardlimitError, match="overflowed"):
        model.predict(X)


@pytest.mark.parametrize("value", [NAN, INF])
def test_weights_of_texts_are_looked_at_where_they_are_used(tmp_path, value):
    path = tmp_path / "a"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    forged(path, lambda header, tensors: tensors["answer.weights"].fill(value))
    for ask in (
        lambda: hl.load(path).predict(TEXTS),
        lambda: hl.load(path).explain(TEXTS[0]),
        lambda: open_answer(path).predict(TEXTS),
        lambda: open_answer(path).scores_and_known(TEXTS),
        lambda: open_answer(path).explain(TEXTS[0]),
    ):
        with pytest.raises(ModelFileError, match="a score is not finite"):
            ask()


HUGE = [2**31 - 1, 2**53 + 1, 2**62, 2**63 - 1, -1, -(2**63)]


@pytest.mark.parametrize("value", HUGE[1:])
@pytest.mark.parametrize("place", range(3))
def test_counts_of_a_state(tmp_path, value, place):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)

    def change(header, tensors):
        tensors["state.counts"][place] = value

    forged(path, change)
    with pytest.raises(ModelFileError, match="is not a number of things"):
        hl.load(path).partial_fit(X, Y)


@pytest.mark.parametrize("value", [*HUGE[1:], True, 1.5, "1", None, [1]])
@pytest.mark.parametrize("name", ["corrections", "mistakes", "history", "cycle"])
def test_counts_of_a_header(tmp_path, value, name):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)

    def change(header, tensors):
        if name == "history":
            header[name] = [[0, value]]
        elif name == "cycle":
            header[name] = [1, value]
        else:
            header["counts"][name] = value

    forged(path, change)
    refused = "is not a number of things|a period is a number of epochs and one of corrections"
    with pytest.raises(ModelFileError, match=refused):
        hl.load(path)


@pytest.mark.parametrize("value", [-1, 2**32, 2**63, True, 2.0, "3", None])
def test_documents_of_a_vocabulary(tmp_path, value):
    path = tmp_path / "a"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    forged(path, lambda header, tensors: header["text"].update(n_documents=value))
    with pytest.raises(ModelFileError, match="the text header counts"):
        hl.load(path).partial_fit(TEXTS, LABELS)


@pytest.mark.parametrize("options", [{}, {"hash_bits": 8}])
def test_a_term_cannot_be_in_more_documents_than_there_were(tmp_path, options):
    path = tmp_path / "a"
    TextClassifier(**options).fit(TEXTS, LABELS).save(path)
    forged(path, lambda header, tensors: header["text"].update(n_documents=1))
    with pytest.raises(ModelFileError, match="frequencies and documents"):
        hl.load(path).partial_fit(TEXTS, LABELS)


def test_many_documents_take_no_memory(tmp_path):
    """Whoever claims two thousand million documents pays nothing for it."""
    path = tmp_path / "a"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    forged(path, lambda header, tensors: header["text"].update(n_documents=2**31 - 1))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    hl.load(path).partial_fit(TEXTS, LABELS)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


@pytest.mark.parametrize("name", ["words", "chars"])
@pytest.mark.parametrize("value", [[0, 8], [1, 65], [2, 1], [-1, 1], [1, 0], [0, 64]])
def test_impossible_ngrams(tmp_path, name, value):
    path = tmp_path / "a"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    forged(path, lambda header, tensors: header["text"].update({name: value}))
    with pytest.raises(ModelFileError, match="a text header with impossible settings"):
        hl.load(path)


def test_negative_places(tmp_path):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)

    def change(header, tensors):
        tensors["state.places"] = tensors["state.places"].astype(np.int64)
        tensors["state.places"][0] = -1

    forged(path, change)
    with pytest.raises(ModelFileError, match="places below 0"):
        hl.load(path).partial_fit(X, Y)


def test_a_text_model_of_one_class_has_nothing_to_explain(tmp_path):
    path = tmp_path / "a"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    forged(path, top(classes=[["str", "spam"]]))
    for ask in (lambda: hl.load(path).explain(TEXTS[0]), lambda: open_answer(path).explain("win")):
        with pytest.raises(HardlimitError, match="one class"):
            ask()


def test_labels_chosen_to_collide_are_refused_at_once(tmp_path):
    path = tmp_path / "a"
    LinearClassifier().fit(X, Y).save(path)
    labels = [["int", str(i * (2**61 - 1))] for i in range(100_000)]
    forged(path, top(classes=labels))
    with pytest.raises(ModelFileError, match="labels that were chosen to collide"):
        hl.load(path)


@pytest.mark.parametrize("name", ["averaging", "keep"])
@pytest.mark.parametrize("kind", [LinearClassifier, TextClassifier, hl.KernelClassifier])
def test_parameters_that_are_missing(tmp_path, kind, name):
    path = tmp_path / "a"
    kind().fit(*((TEXTS, LABELS) if kind is TextClassifier else (X, Y))).save(path)
    forged(path, lambda header, tensors: header["parameters"].pop(name))
    with pytest.raises(ModelFileError, match=f"header contradicts itself .*{name}"):
        hl.load(path)


@pytest.mark.parametrize("value", [[1, 2, 3], [1], [-1, 1], [0, 1], [1e300, 1], ["1", 1], 1, {}])
def test_impossible_weights_of_blocks(tmp_path, value):
    path = tmp_path / "a"
    TextClassifier(block_weights=(0.8, 0.6)).fit(TEXTS, LABELS).save(path)
    forged(path, lambda header, tensors: header["text"].update(block_weights=value))
    for ask in (lambda: hl.load(path), lambda: open_answer(path)):
        with pytest.raises(ModelFileError, match="impossible weights of blocks"):
            ask()


def seconds_of_packing(path, n, of_u):
    """The time to go on with, and to save, a state of n columns that have a cell each."""
    rows = [[1.0] * n] + [[0.0] * n] * 8
    LinearClassifier("perceptron", multiclass="ovr", max_iter=1).fit(rows, range(9)).save(path)
    w = (np.uint64(0x3FF0 << 48) | np.arange(n, dtype=np.uint64) << np.uint64(24)).view(float)
    cells = {
        "runs": np.append(np.arange(1, n + 1, dtype=np.uint32), np.uint32(0)),
        "starts": np.arange(n + 1),
        "outputs": np.zeros(n),
        "w": w,
        "u": of_u,
    }

    def change(header, tensors):
        for name, values in cells.items():
            old = tensors[f"state.packed.{name}"]
            tensors[f"state.packed.{name}"] = values.astype(old.dtype)

    forged(path, change)
    model = hl.load(path).partial_fit(rows[1:2], [0])
    start = time.process_time()
    model.save(path)
    hl.load(path).predict(rows[:1])
    return time.process_time() - start


def test_weights_chosen_to_collide_are_packed_as_fast(tmp_path):
    """With public constants, a product by 1 would leave the low bits of all hashes alike."""
    n = 60_000
    chosen = np.full(n, 0x165667B19E3779F9 ^ 1, np.uint64).view(float)
    others = np.random.default_rng(0).normal(size=n)
    least = seconds_of_packing(tmp_path / "a", n, others)
    assert seconds_of_packing(tmp_path / "a", n, chosen) < 10 * least + 0.2
