"""What a person does on the page, in words."""

from __future__ import annotations


def row(page, text):
    """The row of the list that begins with a text."""
    return page.locator("[role=option]:visible", has_text=text).first


def choose(page, text):
    """Bring a text into view by a click, and wait until it says why."""
    row(page, text).click()
    page.locator("#reading .why table").first.wait_for()


def answer(page):
    """The label of the text in view."""
    return page.locator("#reading .answer .label").inner_text()


def wait_answer(page, label):
    page.locator("#reading .answer .label", has_text=label).wait_for()


def wait_said(page, text):
    """Wait until the status line says a text."""
    page.locator("#say", has_text=text).wait_for()


def wait_text(place, text):
    """Wait until a part of the page has a text."""
    place.filter(has_text=text).first.wait_for()


def view(page, name):
    """Go to a view by its name."""
    page.get_by_role("button", name=name, exact=True).click()


def fits(page):
    """Whether nothing of the page is wider than the window."""
    return page.evaluate(
        "document.documentElement.scrollWidth <= innerWidth && "
        "[...document.querySelectorAll('.list, .reading, .sheet, dialog[open]')]"
        ".every((one) => one.scrollWidth <= one.clientWidth)"
    )
