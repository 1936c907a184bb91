"""The report of many classes: what a reader looks for first is in the window, wide or narrow."""

import pytest

import hardlimit as hl
from hardlimit import reports

from .conftest import PHONE, WIDE

# Longer names than most have, with and without places to break at.
NAMES = [f"comp.sys.class-of-long-name.{k}" for k in range(18)] + ["<b>" + "w" * 300, "\u202excod"]
LABEL = ".heat tbody th bdi"


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The address of a report of twenty classes, some of them confused."""
    texts = [f"word{k} word{k} other" for k in range(len(NAMES))]
    model = hl.TextClassifier(words=(1, 1), chars=None, max_iter=2).fit(texts, NAMES)
    asked = [texts[(k + (k % 3 == 0)) % len(texts)] for k in range(len(texts))]
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(reports.report(model, asked * 120, NAMES * 120), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_figures_of_twenty_classes_are_in_the_window(size, report, tabs):
    page = tabs.open(report, viewport=size)
    width = size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    f1 = page.locator("#held-out table.shares").first.locator("thead th").last
    assert f1.inner_text() == "F1"
    assert f1.evaluate("(one) => one.getBoundingClientRect().right") <= width
    # A class has one line in the matrix, and a name that was cut has its whole as a title.
    heights = page.locator(LABEL).evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert len(heights) == 20 and max(heights) < 30
    titles = page.locator(LABEL).evaluate_all("(all) => all.map((one) => one.title)")
    assert set(NAMES[:19]) <= set(titles)


def test_the_matrix_takes_the_width_of_the_window_and_no_more(report, tabs):
    page = tabs.open(report, viewport=WIDE)
    column = page.locator("main").evaluate("(one) => one.clientWidth")
    box = page.locator(".scroll:has(> .heat)")
    assert column < box.evaluate("(one) => one.clientWidth") < WIDE["width"]
    assert box.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    page.set_viewport_size(PHONE)
    name = page.locator(LABEL).nth(3)
    before = name.bounding_box()["x"]
    box.evaluate("(one) => { one.scrollLeft = 200; }")
    assert box.evaluate("(one) => one.scrollLeft") == 200
    # Which class a row is of is still seen.
    assert name.bounding_box()["x"] == before


def test_the_matrix_fits_a_sheet_of_paper(report, tabs):
    page = tabs.open(report, viewport={"width": 718, "height": 1000})
    page.emulate_media(media="print")
    assert page.locator(".heat").evaluate("(one) => one.offsetWidth") <= 718
