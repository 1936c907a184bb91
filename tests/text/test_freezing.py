"""The frozen scorer equals transform and dot, bit for bit; hostile tables are refused."""

import json
import subprocess
import sys

import numpy as np
import pytest

from hardlimit import _native
from hardlimit.exceptions import InputError, KindError, ModelFileError
from hardlimit.text import TextVectorizer

from .alphabet import CASES

TEXTS = [*CASES.values(), "the cat and the dog", "internationalisation of the telecommunications"]
NEW = [
    *list(CASES.values())[::2], "the unknown cat, the dog", "", "zzzz", "the " * 400 + "cat",
    "telecommunications of internationalisation of electroencephalography",
]  # fmt: skip
OPTIONS = [
    {},
    {"words": (2, 4), "chars": (2, 9)},
    {"words": (1, 3), "tf": "raw", "norm": None},
    {"words": None, "chars": (3, 5), "idf": "ratio", "tf": "binary"},
    {"hash_bits": 10},
    {"hash_bits": 14, "idf": None, "chars": (2, 3)},
    {"hash_bits": 8, "norm": None, "tf": "raw"},
    {"chars": (2, 4), "block_weights": (0.8, 0.6)},
    {"chars": (1, 3), "block_weights": (2, 0.25), "norm": None},
    {"chars": (2, 3), "block_weights": (0.9, 0.44), "hash_bits": 11},
    {"block_weights": (0.8, 0.6)},
]


def checked(arrays):
    return {k: _native.CheckedBuffer(k, a.tobytes()) for k, a in arrays.items()}


def scorer(header, arrays, weights, intercept):
    buffer = _native.CheckedBuffer("weights", weights.astype(np.float32).tobytes())
    return _native.TextScorer(json.dumps(header), checked(arrays), buffer, intercept)


def slow_scores(rows, columns, weights, intercept):
    """The documented sum, one term at a time."""
    row_of = {int(c): r for r, c in enumerate(columns)}
    scores = []
    for start, end in zip(rows.indptr, rows.indptr[1:], strict=False):
        s = np.zeros((8, len(intercept)))
        for c, x in zip(
            rows.indices[start:end].tolist(), rows.data[start:end].tolist(), strict=True
        ):
            if c in row_of:
                s[c & 7] += weights[row_of[c]].astype(float) * x
        scores.append(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])) + intercept)
    return np.array(scores)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("share", [1, 3])
@pytest.mark.parametrize("n_outputs", [1, 5])
def test_scores_are_those_of_transform_and_dot(options, share, n_outputs):
    vectorizer = TextVectorizer(**options).fit(TEXTS)
    columns = np.arange(vectorizer.n_columns_)[::share]
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(len(columns), n_outputs)).astype(np.float32)
    intercept = rng.normal(size=n_outputs).tolist()
    arrays = vectorizer.frozen_tables(None if share == 1 else columns)
    frozen = scorer(vectorizer.header(), arrays, weights, intercept)
    rows = vectorizer.rows(NEW)
    want = slow_scores(rows, columns, weights, intercept)
    scores, known = frozen.scores_and_known(NEW)
    assert np.array_equal(np.frombuffer(scores).reshape(-1, n_outputs), want)
    assert scores == frozen.scores(NEW) and known == frozen.known(NEW)
    weighed = np.isin(rows.indices, columns)
    spans = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    assert known == [int(weighed[a:b].sum()) for a, b in spans]
    some = rng.integers(0, len(columns), 30)
    assert [frozen.term(int(r)) for r in some] == vectorizer.terms(columns[some])
    for i, text in enumerate(NEW):
        found = frozen.contributions(text)
        assert all(columns[row] == column for column, _, row, _ in found)
        assert all(tuple(weights[row].tolist()) == w for _, _, row, w in found)
        mine = rows.indices[rows.indptr[i] : rows.indptr[i + 1]]
        assert [c for c, *_ in found] == [c for c in mine.tolist() if c % share == 0]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_from_frozen_goes_on_learning(options):
    one = TextVectorizer(**options).fit(TEXTS)
    header = json.loads(json.dumps(one.header()))
    other = TextVectorizer.from_frozen(header, one.state_tables())
    for _ in range(2):
        a, b = one.rows(NEW), other.rows(NEW)
        assert np.array_equal(a.data, b.data) and np.array_equal(a.indices, b.indices)
        a, b = one.learn_rows(NEW), other.learn_rows(NEW)
        assert np.array_equal(a.data, b.data) and np.array_equal(a.indices, b.indices)
    assert one.header() == other.header()
    assert {k: v.tobytes() for k, v in one.state_tables().items()} == {
        k: v.tobytes() for k, v in other.state_tables().items()
    }


def test_the_same_texts_give_the_same_bytes():
    a, b = TextVectorizer().fit(TEXTS), TextVectorizer()
    for text in TEXTS:
        b.partial_fit([text])
    b.refresh_idf()
    for one, two in [(a.frozen_tables(), b.frozen_tables()), (a.state_tables(), b.state_tables())]:
        assert {k: v.tobytes() for k, v in one.items()} == {k: v.tobytes() for k, v in two.items()}


@pytest.mark.parametrize("columns", [[1, 0], [0, 0], [-1], [10**6], [0.5], [[0]]])
def test_columns_are_checked(columns):
    with pytest.raises((InputError, KindError), match="columns: wanted"):
        TextVectorizer().fit(TEXTS).frozen_tables(np.array(columns))


def test_the_last_column_is_there_and_the_one_behind_it_not():
    vectorizer = TextVectorizer().fit(TEXTS)
    last = vectorizer.n_columns_ - 1
    assert vectorizer.frozen_tables(np.array([0, last]))["used"].tolist() == [0, last]
    with pytest.raises(InputError, match=f"from 0 to {last}"):
        vectorizer.frozen_tables(np.array([0, last + 1]))


def test_scoring_imports_no_numpy(tmp_path):
    vectorizer = TextVectorizer().fit(TEXTS)
    arrays = {k: v.tobytes().hex() for k, v in vectorizer.frozen_tables().items()}
    (tmp_path / "model.json").write_text(json.dumps([vectorizer.header(), arrays]))
    code = """
import json, sys
from hardlimit import _native
header, arrays = json.load(open(sys.argv[1]))
tables = {k: _native.CheckedBuffer(k, bytes.fromhex(v)) for k, v in arrays.items()}
weights = _native.CheckedBuffer("weights", bytes(4 * header["n_columns"]))
scorer = _native.TextScorer(header, tables, weights, [0.5])
assert memoryview(scorer.scores(["the cat", "the " * 999])).cast("d").tolist() == [0.5, 0.5]
scorer.contributions("the cat"), scorer.term(0)
assert not {"numpy", "scipy", "sklearn"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code, tmp_path / "model.json"], check=True)


# Hostile tables

HOSTILE_OPTIONS = {"words": (1, 3), "chars": (2, 9)}


def probe(header, arrays, n_weights):
    """Use everything; only ModelFileError may come out."""
    try:
        frozen = scorer(header, arrays, np.ones((n_weights, 1)), [0.0])
        frozen.scores(TEXTS + NEW)
        for row in range(n_weights):
            frozen.term(row)
    except ModelFileError:
        return "refused"
    return "read"


def hostile_bytes(array, rng):
    """Several ways to lie."""
    raw = array.copy().view(np.uint8)
    yield np.zeros_like(raw)
    yield np.full_like(raw, 255)
    yield rng.integers(0, 256, raw.size, dtype=np.uint8)
    yield raw[: raw.size // 2 // 16 * 16]
    yield raw[:-1]
    yield np.concatenate([raw, raw])
    for _ in range(6):
        changed = raw.copy()
        places = rng.integers(0, raw.size, max(1, raw.size // 50))
        changed[places] = rng.integers(0, 256, places.size)
        yield changed


@pytest.mark.parametrize(
    "options", [HOSTILE_OPTIONS, {"hash_bits": 9}, {"hash_bits": 9, "idf": None}]
)
@pytest.mark.parametrize("share", [1, 2])
def test_lying_tables_never_crash(options, share):
    vectorizer = TextVectorizer(**options).fit(TEXTS)
    columns = np.arange(vectorizer.n_columns_)[::share]
    header, arrays = vectorizer.header(), vectorizer.frozen_tables(columns)
    rng = np.random.default_rng(1)
    assert probe(header, arrays, len(columns)) == "read"
    for name in arrays:
        if not arrays[name].size:
            continue
        for raw in hostile_bytes(arrays[name], rng):
            probe(header, {**arrays, name: raw}, len(columns))
        missing = {k: v for k, v in arrays.items() if k != name}
        probe(header, missing, len(columns))
    assert probe(header, arrays, len(columns) + 1) == "refused"


def test_a_row_of_weights_that_is_just_beyond_the_last_is_named():
    vectorizer = TextVectorizer(words=(1, 1)).fit(TEXTS)
    columns = np.flatnonzero(vectorizer.get_feature_names_out() != "cat")
    arrays = vectorizer.frozen_tables(columns)
    n, rows = len(columns), arrays["weight_rows"].copy()
    assert sorted(rows) == [-1, *range(n)], "cat alone has no weights"
    for row, refused in ((n - 1, None), (n, n), (n + 1, n + 1), (-1, None), (-2, -2)):
        rows[rows == -1] = row
        frozen = scorer(
            vectorizer.header(), {**arrays, "weight_rows": rows}, np.ones((n, 1)), [0.0]
        )
        for ask in (
            frozen.scores,
            frozen.known,
            lambda texts, frozen=frozen: frozen.contributions(texts[0]),
        ):
            if refused is None:
                ask(["the cat"])
            else:
                with pytest.raises(ModelFileError, match=f"row {refused} of {n}"):
                    ask(["the cat"])
        rows = arrays["weight_rows"].copy()


def test_long_words_are_told_apart_by_their_bytes():
    """Longer words are looked up by a hash: of two words with one hash only one is known."""
    known, same_hash = "internationalisation", "electroencephalogram"
    vectorizer = TextVectorizer(words=(1, 1), idf=None, norm=None).fit([known])
    arrays = vectorizer.frozen_tables()
    ask = [known, same_hash]
    honest = scorer(vectorizer.header(), arrays, np.ones((1, 1)), [0.0])
    assert honest.known(ask) == [1, 0]
    # The file of a vocabulary that holds the other word, whose hash happens to be the same.
    other = np.frombuffer(same_hash.encode(), np.uint8)
    forged = scorer(vectorizer.header(), {**arrays, "words_bytes": other}, np.ones((1, 1)), [0.0])
    assert forged.known(ask) == [0, 0] and forged.term(0) == same_hash


def test_a_full_table_ends():
    vectorizer = TextVectorizer(words=(1, 1)).fit(TEXTS)
    arrays = vectorizer.frozen_tables()
    slots = arrays["words"].reshape(-1, 2).copy()
    slots[slots[:, 0] == 0, 0] = 12345
    assert probe(vectorizer.header(), {**arrays, "words": slots.ravel()}, vectorizer.n_columns_)
    endless = arrays["probes"].copy()
    endless[0] = 2**32 - 1
    with pytest.raises(ModelFileError, match="a search of 4294967295 steps"):
        scorer(
            vectorizer.header(),
            {**arrays, "probes": endless},
            np.ones(vectorizer.n_columns_),
            [0.0],
        )


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("words_columns", -2, "contradicts itself: column -2"),
        ("words_columns", 10**6, "contradicts itself: column 1000000"),
        ("words_columns", 1, "column 1"),
        ("words_ends32", 2**32 - 1, "the ends of words"),
        ("words_ends32", 0, "an empty string in words"),
        ("frequency16", 2**16 - 1, "frequencies and documents"),
        ("pairs2_keys", 0, "a key of pairs2"),
        ("pairs2_keys", 2**63, "a key of pairs2"),
    ],
)
def test_lying_state_is_refused(name, value, message):
    vectorizer = TextVectorizer().fit(TEXTS)
    arrays = vectorizer.state_tables()
    arrays[name] = arrays[name].copy()
    arrays[name][0] = value
    with pytest.raises(ModelFileError, match=message):
        TextVectorizer.from_frozen(vectorizer.header(), arrays)


WIDE = {"_ends32": "_ends", "frequency16": "frequency"}


def widened(arrays):
    """The same tables as versions 1 and 2 of the model file have them."""
    wide = {}
    for name, array in arrays.items():
        if name == "idf" and "idf_numbers" in arrays:
            wide[name] = array[arrays["idf_numbers"]]
        elif name != "idf_numbers":
            narrow = next((end for end in WIDE if name.endswith(end)), None)
            name = name if narrow is None else name.removesuffix(narrow) + WIDE[narrow]
            kinds = {"_ends32": np.uint64, "frequency16": np.uint32}
            wide[name] = array.astype(kinds.get(narrow, array.dtype))
    return wide


@pytest.mark.parametrize("options", [HOSTILE_OPTIONS, {"hash_bits": 9}], ids=str)
def test_wide_numbers_are_read_as_the_narrow_ones_are(options):
    texts = TEXTS * 20
    vectorizer = TextVectorizer(**options).fit(texts)
    header, arrays = vectorizer.header(), vectorizer.frozen_tables()
    assert {"idf_numbers", "name_ends32" if "hash_bits" in options else "words_ends32"} <= {*arrays}
    weights = np.random.default_rng(3).normal(size=(len(arrays["idf_numbers"]), 2))
    narrow, wide = (scorer(header, tables, weights, [0.0, 0.0]) for tables in
                    (arrays, widened(arrays)))  # fmt: skip
    assert narrow.scores(TEXTS + NEW) == wide.scores(TEXTS + NEW)
    assert [narrow.term(n) for n in range(len(weights))] == [
        wide.term(n) for n in range(len(weights))
    ]
    state = vectorizer.state_tables()
    assert {"frequency16", "idf_numbers"} <= {*state}
    restored = TextVectorizer.from_frozen(header, widened(state))
    assert {k: v.tobytes() for k, v in restored.state_tables().items()} == {
        k: v.tobytes() for k, v in state.items()
    }


def test_numbers_that_need_more_bytes_have_them():
    """A frequency above 65,535, and as many numbers as terms."""
    many = TextVectorizer(words=(1, 1)).fit(["many"] * 65_536 + ["few"])
    assert many.state_tables()["frequency"].tolist() == [65_536, 1]
    assert many.state_tables()["idf"].dtype == np.float64 and "idf_numbers" not in (
        many.state_tables()
    )
    again = TextVectorizer.from_frozen(many.header(), many.state_tables())
    assert again.state_tables()["frequency"].tolist() == [65_536, 1]


def test_an_idf_that_is_not_among_the_numbers_is_refused():
    vectorizer = TextVectorizer(words=(1, 1)).fit(TEXTS * 9)
    arrays = vectorizer.frozen_tables()
    arrays["idf_numbers"] = np.full_like(arrays["idf_numbers"], len(arrays["idf"]))
    frozen = scorer(vectorizer.header(), arrays, np.ones((vectorizer.n_columns_, 1)), [0.0])
    with pytest.raises(ModelFileError, match="idf"):
        frozen.scores(["the cat"])
    state = vectorizer.state_tables()
    state["idf_numbers"] = arrays["idf_numbers"]
    with pytest.raises(ModelFileError, match="idf"):
        TextVectorizer.from_frozen(vectorizer.header(), state)


def test_the_bytes_of_long_words_are_stored_by_number():
    """Up to seven bytes a word is its own key; of longer ones the table has the bytes."""
    long = ["telephone", "internationalisation", "eightbyt", "naïveté", "sevenby"]
    vectorizer = TextVectorizer(words=(1, 1)).fit([f"cat {' '.join(long)} dog telephone"])
    tables = vectorizer.frozen_tables()
    ends, data = tables["words_ends32"].tolist(), tables["words_bytes"].tobytes()
    stored = [data[a:b].decode() for a, b in zip([0, *ends], ends, strict=False)]
    assert stored == long[:4]  # in the order of their numbers, each once
    slots = tables["words"].reshape(-1, 2)
    numbers = [int(slots[slot, 1]) & 0xFFFFFFFF for slot in tables["origins"]]
    keys = [int(slots[slot, 0]) for slot in tables["origins"]]
    assert [numbers[column] for column in (1, 2, 3, 4)] == [0, 1, 2, 3]
    assert [key >> 63 for key in keys] == [0, 1, 1, 1, 1, 0, 0]
    assert keys[0] == int.from_bytes(b"cat", "little") | 3 << 56
    state = vectorizer.state_tables()
    assert state["words_bytes"].tobytes() == ("cat" + "".join(long) + "dog").encode()


@pytest.mark.parametrize("options", [HOSTILE_OPTIONS, {"hash_bits": 9}])
def test_lying_state_never_crashes(options):
    vectorizer = TextVectorizer(**options).fit(TEXTS)
    header, arrays = vectorizer.header(), vectorizer.state_tables()
    rng = np.random.default_rng(2)
    for name in arrays:
        for raw in hostile_bytes(arrays[name], rng) if arrays[name].size else ():
            try:
                copy = TextVectorizer.from_frozen(header, {**arrays, name: raw})
            except ModelFileError:
                continue
            copy.learn_rows(NEW)
            copy.terms(range(copy.n_columns_))
    with pytest.raises(ModelFileError, match="hashed by 'other'"):
        TextVectorizer.from_frozen({**header, "hash": "other"}, arrays)
    with pytest.raises(ModelFileError, match="incomplete"):
        TextVectorizer.from_frozen({"hash": header["hash"]}, arrays)
