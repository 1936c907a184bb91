"""A report of a hundred classes is as easy to read as one of two."""

from __future__ import annotations

import re

import pytest

from hardlimit import TextClassifier, reports

from .conftest import Page
from .reading import section, tables, whole

N = 120


@pytest.fixture(scope="module")
def page():
    names = [f"a_class_with_a_rather_long_name_{number}" for number in range(N)]
    texts = [f"word{number} word{number} other" for number in range(N)]
    model = TextClassifier(words=(1, 1), chars=None, max_iter=2).fit(texts, names)
    # The first ten classes are always wrong, the next ten every other time.
    asked = [*texts, *texts]
    for number in range(20):
        asked[number + N * (number >= 10)] = texts[(number + 1) % 10]
    for number in range(10):
        asked[number + N] = texts[(number + 1) % 10]
    return reports.report(model, asked, [*names, *names])


def visible(html):
    """What is seen before anything is opened."""
    return re.sub(r"</summary>.*?</details>", "</summary></details>", html, flags=re.S)


def test_the_worst_classes_come_first(page):
    rows = tables(page, "held-out")["Each class"][1:]
    rest = tables(page, "held-out")["Each class, continued"][1:]
    f1 = [float(row[-1]) for row in [*rows, *rest]]
    assert f1 == sorted(f1) and f1[0] == 0 and len(f1) == N
    assert len(rows) <= 20


def test_the_rest_is_there_to_be_opened_without_a_script(page):
    parsed = Page(page)
    assert "110 more classes" in page and "<script" not in page
    assert all("open" not in attributes for attributes in parsed.all("details"))
    counts = [whole(row[1]) for row in tables(page, "data")["Classes"][1:]]
    counts += [whole(row[1]) for row in tables(page, "data")["Classes, continued"][1:]]
    assert len(counts) == N and set(counts) == {2}


def test_what_is_seen_is_bounded(page):
    seen = visible(page)
    assert seen.count("<tr>") < 150
    # The terms of a few classes, those with the lowest F1.
    terms = section(seen, "telling")
    assert terms.count("<table") == 4


def test_what_is_not_about_the_answers_is_folded(page):
    folded = re.findall(r"<section[^>]*id=\"([\w-]+)\"[^>]*><details>", page)
    named = re.findall(r"<section[^>]*aria-labelledby=\"([\w-]+)-title\"[^>]*><details>", page)
    assert {"data", "training", "method"} <= {*folded, *named}
    assert not {"verdict", "held-out", "errors", "confusion", "telling"} & {*folded, *named}


def test_errors_come_early(page):
    ids = Page(page).sections()
    assert ids.index("errors") == ids.index("held-out") + 1 == 2


def test_a_long_name_can_break_and_a_cut_one_has_a_title(page):
    assert "a_<wbr>class_<wbr>with_<wbr>" in page
    name = "very " * 30 + "long"
    model = TextClassifier().fit(["a b", "c d"], [name, "b"])
    said = reports.report(model, ["a b", "c d"], [name, "b"])
    assert f'title="{name}"' in said
