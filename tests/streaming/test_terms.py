"""What is counted in bounded memory is what a fit in memory learns, to the last byte."""

import os
from pathlib import Path

import numpy as np
import pytest

from hardlimit.exceptions import FileError, InputError, KindError
from hardlimit.streaming.terms import bounded, fit_terms, make_counter
from hardlimit.text import TextVectorizer

# So small that each of the tests writes a dozen files.
BUDGET = 200_000
SETTINGS = [
    {},
    {"max_features": 300},
    {"words": (2, 3), "min_df": 2, "max_df": 0.5},
    {"words": (1, 3), "max_features": 77, "min_df": 3},
    {"words": (3, 3), "max_features": 50, "idf": None},
    {"chars": (2, 4), "max_features": 150, "block_weights": (1, 2)},
    {"words": None, "chars": (1, 3), "min_df": 2, "analyzer": "char"},
    {"stop_words": ["win", "free"], "strip_accents": "unicode", "max_features": 40},
    {"hash_bits": 12},
    {"vocabulary": ["win", "free prize"]},
]


def draw_texts(n, seed=0):
    """Texts of words with the frequencies of a language, of several scripts, and of bad bytes."""
    rng = np.random.default_rng(seed)
    ranks = np.minimum(rng.zipf(1.3, (n, 12)), 4000)
    lengths = rng.integers(0, 13, n)
    special = ["win", "free", "prize", "Élan", "internationalisation", "日本語テキスト", "ไทย"]
    texts = []
    for row, length in zip(ranks, lengths, strict=True):
        words = [special[r] if r < len(special) else f"w{r}" for r in row[:length]]
        texts.append(" ".join(words))
    return [*texts, b"win \xff free", "", "x"]


def fit_small(vectorizer, texts, monkeypatch, budget=BUDGET, fan_in=2):
    """Fit with files that are merged several times; return the counter too."""
    made = []

    class Watched(bounded.BoundedCounter):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(bounded, "BoundedCounter", Watched)
    monkeypatch.setattr(bounded, "FAN_IN", fan_in)
    monkeypatch.setattr(bounded, "LEAST_BUDGET", 1)
    return count(vectorizer, iter(texts), budget=budget), made[0] if made else None


def count(vectorizer, texts, **more):
    counter = make_counter(vectorizer, **more)
    counter.add(texts)
    return fit_terms(vectorizer, [counter])


def assert_equal(found, wanted):
    assert found.header() == wanted.header() and found.n_replaced_ == wanted.n_replaced_
    for tables in ("state_tables", "frozen_tables"):
        ours, theirs = getattr(found, tables)(), getattr(wanted, tables)()
        assert ours.keys() == theirs.keys()
        for name, array in theirs.items():
            assert ours[name].tobytes() == array.tobytes(), name


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_the_same_vocabulary(parameters, monkeypatch):
    texts = draw_texts(2500)
    wanted = TextVectorizer(**parameters).fit(texts)
    found, counter = fit_small(TextVectorizer(**parameters), texts, monkeypatch)
    assert_equal(found, wanted)
    if counter is not None:
        assert counter.n_spills > bounded.FAN_IN and counter.n_files > counter.n_spills
        assert counter.largest <= BUDGET
    rows, theirs = found.rows(texts[:99]), wanted.rows(texts[:99])
    assert rows.data.tobytes() == theirs.data.tobytes()


def test_a_large_budget_needs_one_file(monkeypatch):
    texts = draw_texts(300)
    found, counter = fit_small(TextVectorizer(max_features=50), texts, monkeypatch, 1 << 28)
    assert counter.n_spills == 1
    assert_equal(found, TextVectorizer(max_features=50).fit(texts))


def test_ties_are_broken_by_first_appearance(monkeypatch):
    texts = [f"word{number}" for number in range(500)] * 2
    for most in (1, 250, 499, 500, 501):
        made = TextVectorizer(words=(1, 1), max_features=most)
        found, _ = fit_small(made, texts, monkeypatch, budget=1 << 18)
        assert found.terms(range(found.n_columns_)) == texts[: min(most, 500)]


def test_more_texts_are_learnt_as_after_a_fit_in_memory(monkeypatch):
    texts = draw_texts(200)
    for parameters in ({}, {"max_features": 40}):
        wanted = TextVectorizer(**parameters).fit(texts)
        found, _ = fit_small(TextVectorizer(**parameters), texts, monkeypatch)
        for one in (wanted, found):
            one.partial_fit(["another text to win", "free free"])
        assert_equal(found, wanted)


def test_words_that_share_a_hash(monkeypatch):
    """Their bytes decide: it cannot be had by chance, so that all words are given one hash."""
    from hardlimit import _native

    def record(kind, term, place):
        return b"\7" * 8 + bytes([kind, len(term)]) + term + bytes([1, 1, place, place + 1])

    sources = [
        record(0, b"aa", 4) + record(0, b"bb", 5) + record(3, b"aa", 1),
        record(0, b"ab", 3) + record(0, b"bb", 2),
    ]
    merge = _native.TermMerge(2)
    found = b""
    while not merge.done:
        while (number := merge.hungry()) >= 0:
            merge.feed(number, sources[number])
            sources[number] = b""
        found += merge.write(1)
    twice = b"\7" * 8 + bytes([0, 2]) + b"bb" + bytes([2, 2, 2, 3])
    assert found == record(0, b"aa", 4) + record(0, b"ab", 3) + twice + record(3, b"aa", 1)


def test_nothing_is_left(monkeypatch):
    texts = ["win a prize", "lunch at noon"]
    with pytest.raises(InputError, match="no term is in 2 to 2 of 2 texts"):
        fit_small(TextVectorizer(min_df=2), texts, monkeypatch)
    with pytest.raises(InputError, match="no term is in 2 to 2 of 2 texts"):
        TextVectorizer(min_df=2).fit(texts)
    found, _ = fit_small(TextVectorizer(), [], monkeypatch)
    assert_equal(found, TextVectorizer().fit([]))


def test_a_refused_text_leaves_the_vectorizer_and_no_files(tmp_path):
    vectorizer = TextVectorizer().fit(["win a prize"])
    before = vectorizer.state_tables()
    with pytest.raises(KindError, match=r"texts\[1\]"):
        count(TextVectorizer(max_features=3), ["lunch", 3], folder=tmp_path)
    assert vectorizer.state_tables().keys() == before.keys()
    assert vectorizer.terms([0]) == ["win"] and os.listdir(tmp_path) == []


def test_folders_and_budgets_are_checked(tmp_path):
    with pytest.raises(InputError, match="budget"):
        count(TextVectorizer(min_df=2), ["win"], budget=100)
    with pytest.raises(FileError, match="no such folder"):
        count(TextVectorizer(min_df=2), ["win"], folder=tmp_path / "none")


@pytest.mark.parametrize("parameters", [{"max_features": 5000}, {"min_df": 2, "chars": (2, 5)}])
def test_real_texts(parameters, monkeypatch):
    path = Path(os.environ.get("HARDLIMIT_DATA", Path(__file__).parents[3] / "shared" / "data"))
    path = path / "sms_spam" / "SMSSpamCollection"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    lines = path.read_text("utf-8").splitlines()
    texts = [line.split("\t", 1)[1] for line in lines]
    found, counter = fit_small(TextVectorizer(**parameters), texts, monkeypatch, 1 << 22)
    assert counter.n_spills > 3 and counter.largest <= 1 << 22
    assert_equal(found, TextVectorizer(**parameters).fit(texts))


SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"
PAIRS = [a + b for a in SIGNS for b in SIGNS][:1200]
LETTERS = [chr(0x4E00 + number) for number in range(2400)]  # each a run of its own


@pytest.mark.parametrize(
    ("parameters", "pieces", "between", "budgets"),
    [
        ({"words": (1, 1)}, PAIRS, " ", (20_000, 32_000, 48_000)),
        ({"words": (1, 1)}, LETTERS, "", (116_000, 128_000, 140_000)),
        ({"words": None, "chars": (1, 3), "analyzer": "char"}, LETTERS, "", (132_000, 144_000)),
    ],
    ids=["words", "runs", "characters"],
)
def test_the_budget_holds_for_texts_of_nothing_but_new_terms(
    parameters, pieces, between, budgets, monkeypatch
):
    """How many terms a text may have is bounded from above before it is counted."""
    n = len(pieces) // 12
    texts = [between.join(pieces[at : at + n]) for at in range(0, 12 * n, n)]

    def count(texts, budget):
        made = TextVectorizer(**parameters, max_features=90_000)
        return fit_small(made, texts, monkeypatch, budget=budget)[1]

    alone = max(count([text], 10**8).largest for text in texts)
    for budget in budgets:
        counter = count(texts, budget)
        assert counter.n_spills > 1 and counter.largest <= max(budget, alone)


def test_few_files_are_open_at_once(monkeypatch):
    """Files of all levels together may be more than are merged at once."""
    opened, merged = [], bounded.merged

    def watch(paths, chunk):
        opened.append(len(paths))
        return merged(paths, chunk)

    monkeypatch.setattr(bounded, "merged", watch)
    texts = draw_texts(3000)
    _, counter = fit_small(TextVectorizer(max_features=300), texts, monkeypatch, 100_000, fan_in=3)
    assert counter.n_spills >= 8 and max(opened) == 3
