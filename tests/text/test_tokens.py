"""Tokens are those of ``re`` and ``str.lower``, whole texts and every code point."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from hardlimit import _native
from hardlimit.text import UNICODE_VERSION, TextVectorizer

from .alphabet import ALL, CASES, comparable

TOKEN = re.compile(r"(?u)\b\w\w+\b")


def ours(text, **options):
    """Terms and how often they occur."""
    vectorizer = TextVectorizer(tf="raw", idf=None, norm=None, **options)
    rows = vectorizer.fit_rows([text])
    return Counter(dict(zip(vectorizer.terms(rows.indices), map(int, rows.data), strict=True)))


def words_of(text, **options):
    return Counter({k: n for k, n in ours(text, **options).items() if k[0] not in "{["})


def words_alone(text):
    return words_of(text, words=(1, 1))


def pairs_of_re(text):
    tokens = TOKEN.findall(text.lower())
    return Counter(tokens) + Counter(map(" ".join, zip(tokens, tokens[1:], strict=False)))


def char_wb(text, least, most):
    analyze = CountVectorizer(analyzer="char_wb", ngram_range=(least, most)).build_analyzer()
    return Counter(f"[{gram}]" for gram in analyze(text))


@pytest.mark.parametrize("name", CASES)
def test_words_and_their_order_are_those_of_re(name):
    assert words_of(CASES[name]) == pairs_of_re(CASES[name])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("lengths", [(1, 1), (2, 5), (3, 3), (6, 12)])
def test_character_n_grams_are_those_of_scikit_learn(name, lengths):
    assert ours(CASES[name], words=None, chars=lengths) == char_wb(CASES[name], *lengths)


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param("{}", id="alone", marks=pytest.mark.slow),
        pytest.param("x{}y", id="in a word", marks=pytest.mark.slow),
        pytest.param("ΑΣ{}", id="sigma before", marks=pytest.mark.slow),
        pytest.param("Α{0}Σ Α{0}ΣΒ", id="sigma after"),
        pytest.param("{0}{0} {0}1", id="twice"),  # at both ends of a word, and in a pair
    ],
)
def test_every_code_point(frame):
    """Many in one document; a blank and a full stop keep them apart."""
    for start in range(0, len(ALL), 20_000):
        texts = [frame.format(chr(code)) for code in ALL[start : start + 20_000]]
        if words_alone(" . ".join(texts)) != Counter(TOKEN.findall(" . ".join(texts).lower())):
            wrong = [
                hex(ALL[start + i]) for i, t in enumerate(texts) if words_of(t) != pairs_of_re(t)
            ]
            raise AssertionError(f"{frame}: {wrong or 'only together'}")


def test_white_space_is_that_of_str():
    text = "".join(f"{chr(code)}b" for code in ALL if code < 0x3100 or chr(code).isspace())
    assert ours(text, words=None, chars=(1, 2)) == char_wb(text, 1, 2)


TEXT = st.text(
    st.one_of(
        st.sampled_from("aAbB _1ΣσςİIıα.' \u0301\u00ad中文かไท👍\u3000"),
        st.characters(exclude_categories=["Cs"]).filter(lambda c: comparable(ord(c))),
    )
)


@settings(max_examples=300, deadline=None)
@given(TEXT)
def test_any_text(text):
    assert words_of(text) == pairs_of_re(text)
    assert ours(text, words=None, chars=(1, 4)) == char_wb(text, 1, 4)


def test_runs_of_scripts_without_spaces():
    found = {name for name in ours("Die 東京タワー, ไทย 2 の") if name[0] == "{"}
    runs = ["東京タワー", "ไทย", "の"]
    assert found == {
        f"{{{run[i : i + n]}}}" for run in runs for n in (1, 2, 3) for i in range(len(run) - n + 1)
    }
    assert "東京タワー" in ours("Die 東京タワー")
    assert not any(name[0] == "{" for name in ours("東京", words=None, chars=(2, 2)))


def test_a_run_goes_through_marks_that_end_words():
    # U+0E31 is a mark: re ends a word there, the run goes on.
    assert "{กัน}" in ours("กัน") and "กัน" not in ours("กัน")


def test_terms_of_different_kinds_never_share_a_name():
    vectorizer = TextVectorizer(words=(1, 3), chars=(1, 4))
    vectorizer.fit([*CASES.values(), "[ab] {中} [ab", "a b"])
    names = list(vectorizer.get_feature_names_out())
    assert len(set(names)) == len(names) == vectorizer.n_columns_


def test_the_unicode_version_is_told():
    assert UNICODE_VERSION == _native.UNICODE_VERSION
    assert re.fullmatch(r"\d+\.\d+\.\d+", UNICODE_VERSION)


@pytest.mark.parametrize("lengths", [(1, 1), (1, 2), (2, 3), (1, 4), (3, 3)])
def test_word_n_grams_equal_count_vectorizer(lengths):
    texts = [*CASES.values(), "", "one", "the the the THE", "a b c", " ".join("xy z " * 700)]
    theirs = CountVectorizer(ngram_range=lengths)
    counts = theirs.fit_transform(texts)
    ours = TextVectorizer(words=lengths, tf="raw", idf=None, norm=None)
    found = ours.fit_transform(texts)
    names = ours.get_feature_names_out()
    plain = [i for i, name in enumerate(names) if name[0] != "{"]
    order = [theirs.vocabulary_[names[i]] for i in plain]
    assert sorted(order) == list(range(counts.shape[1]))
    assert np.array_equal(found[:, plain].toarray(), counts[:, order].toarray())


@pytest.mark.parametrize("characters", [254, 255, 256, 257, 511])
@pytest.mark.parametrize("after", ["é", "ab", ""])
def test_a_word_whose_windows_fill_a_block(characters, after):
    text = f"{'a' * characters} {after} b{after}"
    assert ours(text, words=None, chars=(2, 2)) == char_wb(text, 2, 2)
    vectorizer = TextVectorizer(None, (2, 2), tf="raw", idf=None, norm=None).fit([text])
    rows = vectorizer.rows([text])
    found = dict(zip(vectorizer.terms(rows.indices), map(int, rows.data), strict=True))
    assert found == char_wb(text, 2, 2)


@pytest.mark.parametrize("letters", ["é", "ж", "ह", "𐐨", "—", "aé", "é—", "中a", "ß—b"])
def test_words_are_cut_alike_wherever_they_lie_in_a_block(letters):
    """Sixty-four bytes are looked at together; characters and words cross from one to the next."""
    for shift in range(68):
        for word in (letters, letters * 2, f"x{letters}", f"{letters}y", letters * 40):
            text = f"{'.' * shift}{word} {letters}. end{word}"
            assert words_alone(text) == Counter(TOKEN.findall(text.lower())), (shift, word)
