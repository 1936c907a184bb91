"""The rows of one and of several columns have as many words, and their models as many terms."""

import pytest

from benchmarks.rows import text_columns


@pytest.mark.parametrize("case", text_columns.CASES)
def test_words_are_shared_out_among_the_texts(case):
    kinds, n_terms = text_columns.CASES[case], 1200
    learner = text_columns.begin(kinds, text_columns.FEATURES[text_columns.USUAL], n_terms)
    others = sum(1 if kind == "n" else 20 for kind in kinds if kind != "t")
    n_columns = learner.model.vectorizer_.n_columns_
    assert n_terms <= n_columns <= n_terms + others
    row = next(learner.rows)
    values = [row] if isinstance(row, str) else row.values() if isinstance(row, dict) else row
    texts = [value for value in values if isinstance(value, str) and " " in value]
    assert len(texts) == kinds.count("t")
    assert sum(len(text.split()) for text in texts) == text_columns.WORDS
    learner.model.partial_fit([row], [0])
    assert learner.model.vectorizer_.n_columns_ >= n_columns + len(texts)
