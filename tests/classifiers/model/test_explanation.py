"""Fragments of words are told with the words they stand in."""

from __future__ import annotations

from hardlimit.classifiers.model.explanation import (
    Explanation,
    TermContribution,
    blocks_of_columns,
    share_among_words,
    sum_blocks,
)

from ...rounding import near


def explanation(*terms: tuple[str, float]) -> Explanation:
    found = tuple(TermContribution(term, 0.5, added) for term, added in terms)
    return Explanation("spam", "ham", sum(a for _, a in terms) + 1.0, 1.0, found, len(found))


def total(found: Explanation) -> float:
    return sum(one.contribution for one in found.terms) + found.others + found.intercept


def test_fragments_join_their_words_and_the_sum_stays() -> None:
    given = explanation(("win", 4.0), ("[ wi]", 2.0), ("[in]", 3.0), ("win in", -1.0))
    found = share_among_words(given, "WIN!! in", 10)
    shares = {one.term: one.contribution for one in found.terms}
    assert shares == {"win": 4.0 + 2.0 + 1.5, "in": 1.5, "win in": -1.0}
    assert total(found) == near(given.score, 60)
    assert [one.value for one in found.terms] == [3, 1, 1]


def test_a_fragment_of_no_word_is_not_lost() -> None:
    found = share_among_words(explanation(("[zz]", 2.0)), "win", 10)
    assert [one.term for one in found.terms] == ["(letters)"]
    assert total(found) == near(3.0, 60)


def test_top_keeps_the_heaviest_and_sums_up_the_rest() -> None:
    given = explanation(("a", 1.0), ("b", -5.0), ("c", 2.0))
    found = share_among_words(given, "a b c", 2)
    assert [one.term for one in found.terms] == ["b", "c"]
    assert found.others == 1.0 and total(found) == near(given.score, 60)


class CountedText(str):
    """A text that counts how often something is looked for in its pieces."""

    looked = 0

    def lower(self):
        return self

    def split(self):
        return [CountedPiece(piece) for piece in str.split(self)]


class CountedPiece(str):
    def __format__(self, spec):
        CountedText.looked += 1
        return str.__format__(self, spec)


def test_each_piece_of_a_text_is_looked_at_once():
    """And not once for each fragment, which would be the square of a long text."""
    fragments = [(f"[{i:04}]", 1.0) for i in range(300)]
    text = CountedText(" ".join(f"{i:04}" for i in range(300)))
    found = share_among_words(explanation(*fragments), text, 1000)
    assert len(found.terms) == 300
    assert CountedText.looked <= 300


def test_overlapping_fragments_are_counted_as_str_count_does():
    given = explanation(("[aa]", 6.0), ("[a ]", 1.0))
    found = share_among_words(given, "aaaaa aaa", 10)
    assert {one.term: one.contribution for one in found.terms} == {"aaaaa": 4.5, "aaa": 2.5}


def test_blocks_of_columns_go_by_the_longest_name_and_unnamed_terms_are_told() -> None:
    terms = [
        TermContribution(term, 1.0, added)
        for term, added in (("to: cc: win", 1.0), ("to: cc", 2.0), ("to: [cc]", 4.0), ("", 8.0))
    ]
    found = sum_blocks(terms, blocks_of_columns(("to", "to: cc", "body")))
    assert [(one.block, one.n_terms, one.contribution) for one in found] == [
        ("to: cc: words", 1, 1.0),
        ("to: characters", 1, 4.0),
        ("to: words", 1, 2.0),
        ("unnamed", 1, 8.0),
    ]
