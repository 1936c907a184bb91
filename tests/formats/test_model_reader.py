"""A reader written from docs/model-format.md alone gives the answers of the program."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import hardlimit as hl
from hardlimit import budgets, guards, kernels, maps, model_file
from hardlimit.exceptions import ModelFileError
from hardlimit.model_file.document import VERSION

from ..rounding import near
from ..text.test_flooding import words_of_one_home
from . import container
from .container import RefusedError
from .model_reader import Weighing, open_model
from .terms import learnt_terms

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "model-format.md").read_text()
MODELS = sorted(ROOT.glob("tests/**/*.hardlimit"))
WITH_ANSWERS = [path for path in MODELS if path.with_suffix(".json").exists()]
# Roundings of a score whose last bits the page does not promise: an average that a stream has
# moved, and a kernel, whose products may be those of matrices and whose exponential is another one.
MANY_ROUNDINGS = 1000

TEXTS = [
    "win a prize NOW, win it", "lunch at noon?", "a prize to win: a_b 12", "see you at lunch",
    "Ὀδυσσεύς ΣΑΣ ΣΣ", "中文 тест ไทย 日本語テキスト", "free lunch prize",
    "İstanbul’da Éléonore straße",
    "\u0301e a\u0301bc  \u2003 tab\tx", b"caf\xe9 \xe2\x82 ok", "half \ud800 pair", "ﬁne ǅ ①② ５５",
]  # fmt: skip
ASKED = [*TEXTS, "", "unknown", "win " * 300 + "prize", "クール ー ｸｰﾙ 々〻 ʘ", "x" * 70 + " yy"]
TWO = ["spam", "ham", "spam", "ham", "ham", "ham", "spam", "ham", "ham", "spam", "ham", "spam"]
NINE = [f"class {i % 9}" for i in range(len(TEXTS))]
SETS = [["a", "b"], [], ["a"], ["c"], ["b"], ["b", "c"], ["a"], [], ["c"], ["a", "c"], [], ["b"]]
TABLE = [
    {
        "text": text,
        "more": f"{text!r:.9}",
        "city": [" Ghent", "Rome ", 3, None, "中"][i % 5],
        "age": [41, 2.5, "7", None][i % 4],
        "size": 0.1 * i,
    }
    for i, text in enumerate(TEXTS)
]
VOTED: Any = {"readout": "voted", "keep": ("last", "voted")}
RNG = np.random.default_rng(3)
X = RNG.integers(-8, 9, (40, 5)) / 4
Y = RNG.integers(0, 3, 40)
WIDE = RNG.normal(size=(60, 19)) * (RNG.random((60, 19)) < 0.6)


def texts(labels: Any = TWO, **settings: Any) -> Any:
    return hl.TextClassifier(max_iter=3, **settings).fit(TEXTS, labels), ASKED


def numbers(labels: Any = Y, rows: Any = X, *rule: Any, **settings: Any) -> Any:
    clf = hl.LinearClassifier(*rule, max_iter=3, until=None, **settings).fit(rows, labels)
    return clf, rows[:9]


def columns(**settings: Any) -> Any:
    rows = [{"a": one["text"], "b": one["more"]} for one in TABLE]
    return hl.TextClassifier(text_columns=["a", "b"], max_iter=3, **settings).fit(rows, TWO), rows


def table(**settings: Any) -> Any:
    kinds = {"text_columns": ["text", "more"], "category_columns": ["city"]}
    kinds["number_columns"] = ["age", "size"]
    clf = hl.TableClassifier(missing="mean", max_iter=3, **kinds, **settings).fit(TABLE, NINE)
    return clf, [*TABLE, {**TABLE[0], "city": "never seen", "size": None, "text": None}]


def kernel(kind: Any, rows: Any = X, **settings: Any) -> Any:
    clf = hl.KernelClassifier(kind, max_iter=3, until=None, **settings).fit(rows, Y)
    return clf, rows[:9]


def given() -> Any:
    gram = kernels.Polynomial(2)(X, X)
    return hl.KernelClassifier("precomputed", max_iter=3, until=None).fit(gram, Y), gram[:9]


EXACT: dict[str, Callable[[], Any]] = {
    "two classes": texts,
    "two classes and a threshold": lambda: (_moved(texts(probability=True)[0]), ASKED),
    "nine classes, packed": lambda: texts(NINE),
    "longer n-grams": lambda: texts(NINE, words=(2, 4), chars=(1, 3), tf="raw", idf="ratio"),
    "words alone": lambda: texts(chars=None, tf="binary", idf=None, norm=None),
    "characters alone": lambda: texts(words=None, chars=(3, 4), fit_intercept=False),
    "characters across": lambda: texts(chars=(2, 9), analyzer="char"),
    "accents": lambda: texts(strip_accents="unicode"),
    "no accents": lambda: texts(strip_accents="ascii", stop_words=["a", "win", "at"]),
    "limited": lambda: texts(min_df=2),
    "one block": lambda: texts(block_weights=None),
    "hashed": lambda: texts(NINE, hash_bits=10),
    "hashed words": lambda: texts(chars=None, words=(1, 3), hash_bits=14, idf=None),
    "hashed without blocks": lambda: texts(block_weights=None, hash_bits=5, norm=None),
    "votes of texts": lambda: texts(NINE, rule="perceptron", **VOTED),
    "votes of hashes": lambda: texts(rule="perceptron", **VOTED, hash_bits=9),
    "labels of texts": lambda: texts(SETS, probability=True),
    "weights by hand": lambda: (hl.TextClassifier.from_weights({"win": 1.0, "to see": -2}), ASKED),
    "columns": columns,
    "columns, hashed": lambda: columns(hash_bits=8, norm=None),
    "columns, voted": lambda: columns(rule="perceptron", **VOTED),
    "table": table,
    "table, hashed": lambda: table(hash_categories=4, column_weights=(1.0, 2.0, 0.5)),
    "numbers": numbers,
    "whole numbers": lambda: numbers([(-1, 10, 9)[y] for y in Y]),
    "truth values": lambda: numbers(Y > 1),
    "bytes": lambda: numbers([(b"\xff", b"")[y % 2] for y in Y]),
    "packed": lambda: numbers([f"{i % 23}" for i in range(60)], WIDE, multiclass="ovr"),
    "a bias of 0.3": lambda: numbers(bias_feature=0.3, probability=True),
    "units": lambda: numbers(scale="standard"),
    "largest 1": lambda: numbers(scale="maxabs"),
    "unit length": lambda: numbers(scale="rows", rows=WIDE[:40]),
    "pairs": lambda: numbers(map=maps.Cross(columns=[0, 3, 4])),
    "hashed pairs": lambda: numbers(map=maps.Cross(hash_bits=4)),
    "cubes": lambda: numbers(map=maps.Polynomial(3, 0.5), scale="maxabs"),
    "squares alone": lambda: numbers(map=maps.Polynomial(2, 0)),
    "votes": lambda: numbers(Y, X, "perceptron", **VOTED),
    "votes of two": lambda: numbers(Y > 1, X, "perceptron", **VOTED),
    "votes one by one": lambda: numbers(Y, X, "perceptron", multiclass="ovr", **VOTED),
    "votes that shrink": lambda: numbers(Y, X, "shifting-perceptron", **VOTED),
    "many labels": lambda: numbers(np.stack([Y > 0, Y > 1], 1).astype(int)),
}
NEAR: dict[str, Callable[[], Any]] = {
    "linear": lambda: kernel("linear", bias_feature=2.0, fit_intercept=True),
    "polynomial": lambda: kernel(kernels.Polynomial(3, 0.5)),
    "rbf": lambda: kernel("rbf"),
    "rbf, sparse": lambda: kernel(kernels.RBF(0.2), sp.csr_matrix(WIDE[:40])),
    "rbf, two": lambda: (hl.KernelClassifier("rbf", max_iter=3).fit(X, Y > 0), X[:9]),
    "kernel, voted": lambda: kernel("rbf", **VOTED),
    "voted with a bias": lambda: kernel("linear", fit_intercept=True, bias_feature=2.0, **VOTED),
    "kernel, budget": lambda: kernel("rbf", budget=budgets.RemoveOldest(5)),
    "given": given,
    "guarded": lambda: kernel("polynomial", guard=guards.AlphaBound(2)),
}


def _moved(clf: Any) -> Any:
    clf.threshold_ = 0.25
    return clf


def rows_of(asked: Any) -> list[Any]:
    asked = asked.toarray() if sp.issparse(asked) else asked
    return asked.tolist() if isinstance(asked, np.ndarray) else list(asked)


def undocumented(file: container.Container) -> list[str]:
    """What a file has and the page does not name: keys of the headers, and tensors."""
    headers = [file.header, *file.header.get("text", {}).get("blocks", [])]
    if "text" in file.header:
        headers.append(file.header["text"])
    names = {key for header in headers for key in header}
    for name in file.arrays:
        last = name.rpartition(".")[2]
        # As the page has it: of pairs and of triples, of words and of characters alike.
        names.add(re.sub("^(runs|chars)(?=_)", "words", re.sub(r"^pairs\d+", "pairs2", last)))
    return sorted(name for name in names if not re.search(rf"[`. ]{name}[`,]", PAGE))


def compare(clf: Any, asked: Any, path: Path, roundings: int = 0) -> None:
    model = open_model(path)
    scores = np.atleast_2d(np.asarray(clf.decision_function(asked)).T).T
    found = np.array([model.scores(row) for row in rows_of(asked)])
    size = np.abs(model.file.arrays.get("answer.coefficients", [1.0])).sum()
    assert (
        np.array_equal(found, scores)
        if not roundings
        else found == near(scores, roundings, size * max(1, np.abs(scores).max()))
    )
    assert undocumented(model.file) == []
    labels = [_plain(one) for one in clf.predict(asked).tolist()]
    predicted = [model.predict(row) for row in rows_of(asked)]
    assert predicted == labels and list(map(type, predicted)) == list(map(type, labels))
    if getattr(clf, "probability", False):
        shares = np.array([model.probabilities(row) for row in rows_of(asked)])
        # An exponential and a quotient of each side.
        assert shares == near(clf.predict_proba(asked), 20)


def _plain(label: Any) -> Any:
    return tuple(label) if isinstance(label, list) else label


@pytest.mark.parametrize("path", WITH_ANSWERS, ids=lambda path: path.stem)
def test_every_golden_file_answers_as_on_the_day_it_was_written(path: Path) -> None:
    told, model = json.loads(path.with_suffix(".json").read_text()), open_model(path)
    scores = [model.scores(example) for example in told["inputs"]]
    wanted = [[float.fromhex(score) for score in row] for row in told["scores"]]
    if model.file.header.get("estimator", {}).get("live"):
        assert np.array(scores) == near(np.array(wanted), MANY_ROUNDINGS)
    else:
        assert scores == wanted
    predicted = [model.predict(example) for example in told["inputs"]]
    assert json.loads(json.dumps(predicted)) == told["labels"]


def test_golden_files_of_every_version_are_found() -> None:
    assert {container.read(path).version for path in MODELS} == {1, 2, VERSION}


@pytest.mark.parametrize("name", EXACT)
def test_a_model_of_each_kind_answers_with_the_same_bits(name: str, tmp_path: Path) -> None:
    clf, asked = EXACT[name]()
    clf.save(tmp_path / "m")
    compare(clf, asked, tmp_path / "m")


@pytest.mark.parametrize("name", NEAR)
def test_kernels_answer_alike(name: str, tmp_path: Path) -> None:
    clf, asked = NEAR[name]()
    clf.save(tmp_path / "m")
    compare(clf, asked, tmp_path / "m", MANY_ROUNDINGS)


def test_a_kernel_by_name_alone_has_the_defaults_of_the_page(tmp_path: Path) -> None:
    """As earlier releases wrote them; today all parameters stand in the file."""
    for kind in ("rbf", "polynomial", "linear"):
        clf, asked = kernel(kind)
        clf.save(tmp_path / "m")
        model = open_model(tmp_path / "m")
        stored = model.file.header["parameters"]["kernel"]
        assert set(stored["parameters"]) == set(model.reader.DEFAULTS.get(kind, ()))
        wanted = [model.scores(row) for row in rows_of(asked)]
        model.file.header["parameters"]["kernel"] = kind
        again = type(model)(model.file)
        assert [again.scores(row) for row in rows_of(asked)] == wanted


def test_both_vocabularies_of_a_file_make_the_same_rows(tmp_path: Path) -> None:
    for settings in ({"words": (1, 3)}, {"hash_bits": 12}):
        texts(**settings)[0].save(tmp_path / "m")
        model = open_model(tmp_path / "m")
        own = model.file.header["text"]
        answer, arrays = model.file.under("answer.text."), model.file.under("state.text.")
        if "idf" not in arrays:
            arrays |= {name: answer[name] for name in ("idf", "idf_numbers") if name in answer}
        state = Weighing(own, learnt_terms(own, arrays))
        assert [state.row(text) for text in ASKED] == [model.reader.row(text) for text in ASKED]


def test_terms_behind_the_homes_are_found(tmp_path: Path) -> None:
    """Words that were chosen to share a home, more than one search looks at."""
    words = words_of_one_home(200)
    halves = [" ".join(words[:120]), " ".join(words[80:])]
    clf = hl.TextClassifier(chars=None, words=(1, 2)).fit(halves, ["a", "b"])
    clf.save(tmp_path / "m")
    terms: Any = open_model(tmp_path / "m").reader.terms
    assert len(terms.slots["words"]) > terms.homes["words"]
    compare(clf, [*halves, " ".join(words[::3]), *words[60:140:7]], tmp_path / "m")


def regions(data: bytes) -> dict[str, int]:
    """Name a byte in each part of a file."""
    length = int.from_bytes(data[:8], "little")
    header = data[8 : 8 + length]
    table = json.loads(header)
    found = {
        "length": 1,
        "offsets": 8 + header.index(b"data_offsets") + 16,
        "format": 8 + header.index(b"hardlimit model") + 3,
        "labels": 8 + header.index(b"classes") + 15,
        "digest": 8 + header.index(b'digest\\":') + 14,
        "last of the header": 7 + len(header.rstrip()),
        "first": 8,
        "last": len(data) - 1,
    }
    for name, entry in table.items():
        begin, end = entry.get("data_offsets", (0, 0))
        if end > begin:
            found[name] = 8 + length + (begin + end) // 2
    return found


@pytest.mark.parametrize("name", ["text-3", "numbers-3", "votes-2", "table-3"])
def test_a_changed_byte_is_refused_wherever_it_is(name: str, tmp_path: Path) -> None:
    data = (ROOT / "tests" / "golden" / f"{name}.hardlimit").read_bytes()
    changed = tmp_path / "m"
    for where, at in regions(data).items():
        for bit in (0x01, 0x40):
            damaged = bytearray(data)
            damaged[at] ^= bit
            with pytest.raises(RefusedError):
                container.parse(bytes(damaged))
            changed.write_bytes(damaged)
            with pytest.raises(ModelFileError):
                model_file.open(changed).verify()
                pytest.fail(f"the program takes {where}")
    for cut in (data[:-1], data[:200], data[:5], data + b"\0", b""):
        with pytest.raises(RefusedError):
            container.parse(cut)


def test_what_the_program_refuses_by_its_form_the_reader_refuses() -> None:
    taken = []
    for path in sorted((ROOT / "tests" / "hostile" / "model_files").iterdir()):
        try:
            container.read(path)
            taken.append(path.name)
        except RefusedError:
            pass
    assert not taken
