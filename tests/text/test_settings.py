"""What a vectorizer's parameters are refused for, field by field."""

from __future__ import annotations

import pytest

from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.text import TextVectorizer
from hardlimit.text.settings import check_settings


def settings(**changed):
    return TextVectorizer(**changed).get_params()


def refused(**changed):
    with pytest.raises((InputError, KindError)) as caught:
        check_settings(settings(**changed))
    return caught.value


@pytest.mark.parametrize("name", ["words", "chars"])
@pytest.mark.parametrize(
    ("value", "kind"),
    [((2, 1), InputError), ((0, 1), InputError), ((1, 65), InputError), (3, KindError),
     ((1, 2, 3), KindError), (("a", 2), KindError), ((1.5, 2), InputError)],
)  # fmt: skip
def test_a_range_of_n_grams(name, value, kind):
    error = refused(**{name: value})
    assert type(error) is kind and error.parameter == name and error.got == value
    offered = [one for one in error.fix if isinstance(one, Setting)]
    assert {one.name for one in offered} == {name} and len(offered) == 2
    for one in offered:  # what the error offers is taken, beside something to learn from
        check_settings(settings(**{"words": (1, 1), "chars": (2, 2), name: one.value}))


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("tf", "log", "'raw', 'binary', 'sublinear'"),
        ("idf", "bm25", "'smooth', 'ratio' or idf=None"),
        ("norm", "l1", "'l2' or norm=None"),
        ("hash_bits", 0, "from 1 to 31"),
        ("hash_bits", 40, "from 1 to 31"),
        ("hash_bits", "many", "a whole number"),
        ("salt", -1, "from 0 to 18446744073709551615"),
        ("salt", 2**64, "from 0 to"),
        ("salt", None, "a whole number"),
    ],
)
def test_the_other_parameters(name, value, wanted):
    error = refused(**{name: value})
    assert (error.parameter, error.got) == (name, value) and wanted in str(error)


def test_something_must_be_left_to_learn():
    error = refused(words=None, chars=None)
    assert [one.name for one in error.reason if isinstance(one, Setting)] == ["words", "chars"]


def test_what_the_compiled_part_is_given():
    checked = check_settings(settings(words=(1, 3), chars=None, hash_bits=12, idf=None, salt=7))
    assert checked == {
        "words": (1, 3), "chars": (0, 0), "hash_bits": 12, "salt": 7, "count_documents": False,
        "blocks": False, "across": False, "stop_words": [],
    }  # fmt: skip
    assert check_settings(settings())["hash_bits"] == 0
    both = settings(chars=(2, 3), block_weights=(0.8, 0.6))
    assert check_settings(both)["blocks"]
    assert not check_settings({**both, "words": None})["blocks"]


def test_one_text_is_no_list_of_texts():
    with pytest.raises(KindError) as caught:
        TextVectorizer().fit("win a prize")
    error = caught.value
    assert (error.parameter, error.got, error.fix) == (
        "texts", Given("one str"), "put it in a list, [text]",
    )  # fmt: skip
