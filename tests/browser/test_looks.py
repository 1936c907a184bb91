"""How it looks: nothing wider than the window, enough contrast; light, dark, wide, narrow."""

from pathlib import Path

import pytest

from . import messages
from .acting import choose, fits, view, wait_answer
from .conftest import PHONE, WIDE

CONTRAST = Path(__file__).with_name("contrast.js").read_text()
VIEWS = ("Least certain", "Guards", "Log", "Progress", "Inbox")


@pytest.fixture
def filled(service):
    """A service with some of everything."""
    service.classify(*messages.TEXTS, *messages.HOSTILE.values(), "w" * 3000, "win a cheap lunch")
    service.ask("guards", {"text": "lunch at noon?"})
    service.ask("correct", {"text": "see you at lunch", "label": "spam", "guards": "flag"})
    service.ask(
        "correct",
        {"text": "win a prize now", "label": "<b>w</b>" + "w" * 100, "new_class": True},
    )
    service.ask("confirm", {"text": "cheap pills now"})
    return service


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_view_fits_and_can_be_read(size, scheme, tabs, filled):
    page = tabs.open(filled.url, viewport=size, color_scheme=scheme)
    page.locator("[role=option]:visible").first.wait_for()
    shots = []

    def look():
        assert fits(page)
        found = page.evaluate(CONTRAST)
        assert found["n"] > 10 and not found["failures"]
        shots.append(page.screenshot())

    look()
    for name in VIEWS:
        view(page, name)
        page.locator("#sheet h2:visible, .rows:visible").first.wait_for()
        look()
    choose(page, "see you at lunch")
    look()
    page.keyboard.press("1")
    wait_answer(page, "ham")
    page.locator("#reading .why table").first.wait_for()
    look()
    for key in ("/", "?"):
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        look()
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="hidden")
    assert len({hash(one) for one in shots}) == len(shots)


def test_on_a_phone_the_text_takes_the_list_s_place_and_back_returns(tabs, filled):
    page = tabs.open(filled.url, viewport=PHONE)
    choose(page, "win a cheap lunch")
    assert not page.locator("#list").is_visible()
    page.go_back()
    page.locator("#list").wait_for()
    choose(page, "win a cheap lunch")
    page.get_by_role("button", name="All texts").click()
    page.locator("#list").wait_for()
    assert not page.locator("#reading").is_visible()


def test_the_sides_differ_without_colour(page, service):
    service.classify("win a prize at lunch")
    choose(page, "win a prize at lunch")
    style = "(one) => getComputedStyle(one).textDecorationStyle"
    assert page.locator(".text mark.for").first.evaluate(style) == "solid"
    assert page.locator(".text mark.against").first.evaluate(style) == "dashed"
    assert page.locator(".legend").inner_text().startswith("for ")
