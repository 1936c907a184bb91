"""Guards: added from the text in view, told when they are in the way, removed."""

import pytest

from .acting import choose, view, wait_answer, wait_said, wait_text


@pytest.fixture
def guarded(page, service):
    """A guarded text in view's list, and one whose correction would flip it."""
    service.classify("lunch at noon?", "lunch at noon? pills")
    choose(page, "lunch at noon?")
    page.locator("[role=option]:visible").nth(1).click()
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("g")
    wait_said(page, "Guard #1")
    page.locator("[role=option]:visible").nth(0).click()
    page.locator("#reading .text", has_text="pills").wait_for()
    page.locator("#reading .why table").first.wait_for()
    return page


def test_a_guard_in_the_way_is_solved(guarded, service):
    guarded.keyboard.press("1")
    refused = guarded.locator(".change[data-kind=refused]")
    refused.get_by_text("guard #1").first.wait_for()
    wait_text(refused, "lunch at noon?")
    guarded.get_by_role("button", name="Solve together").click()
    wait_answer(guarded, "spam")
    assert service.ask("guards")["guards"][0]["holds"]


def test_a_guard_is_flagged_shown_first_and_removed(guarded, service):
    guarded.keyboard.press("1")
    guarded.get_by_role("button", name="Correct anyway").click()
    wait_answer(guarded, "spam")
    wait_text(guarded.locator(".change"), "flipped and flagged")
    view(guarded, "Guards")
    guarded.get_by_text("1 guard of 1 does not hold").wait_for()
    guarded.get_by_role("button", name="Remove guard #1").click()
    guarded.get_by_text("There are no guards").wait_for()
    assert service.ask("guards")["guards"] == []
