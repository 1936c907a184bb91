"""Texts that were written to harm the page, or that are hard to show."""

import time

import pytest

from . import messages
from .acting import choose, fits, row, view, wait_answer


@pytest.mark.parametrize("name", messages.HOSTILE)
def test_a_hostile_text_stays_a_text(name, page, service):
    text = messages.HOSTILE[name]
    service.classify(text)
    page.locator("[role=option]:visible").click()
    page.locator("#reading .why table").first.wait_for()
    shown = page.locator(".text").evaluate("(one) => one.textContent")
    assert "\u202e" not in shown and "\x00" not in shown and "\u200b" not in shown
    if name in ("script", "emoji", "hebrew"):
        assert shown == text
    label = "ham" if page.locator("#reading .answer .label").inner_text() == "spam" else "spam"
    page.keyboard.press("1")
    wait_answer(page, label)
    for name in ("Log", "Guards", "Inbox"):
        view(page, name)
    assert page.evaluate("window.harmed === undefined && !document.querySelector('main img')")
    assert fits(page)


def test_characters_that_are_not_seen_are_named(page, service):
    service.classify(messages.BIDI + messages.CONTROLS)
    page.locator("[role=option]:visible").click()
    page.locator("#reading .why table").first.wait_for()
    named = page.locator(".text .hidden-character").all_inner_texts()
    assert named == ["RLO", "PDF", "LRI", "PDI", "NUL", "ESC", "BEL", "ZWSP", "BOM"]


def test_words_are_marked_where_they_stand_beyond_the_first_plane(page, service):
    service.classify(messages.EMOJI)
    page.locator("[role=option]:visible").click()
    page.locator("#reading mark").first.wait_for()
    assert {"win", "a", "prize", "now"} >= set(page.locator(".text mark").all_inner_texts())
    assert "win" in page.locator(".text mark").all_inner_texts()


def test_a_hostile_label_is_a_text(page, service):
    label = "<b>good</b>" + "w" * 300
    service.ask("correct", {"text": "the meeting is at noon", "label": label, "new_class": True})
    service.classify("the meeting is at noon")
    choose(page, "the meeting")
    page.locator("#reading .answer .label").filter(has_text="<b>good</b>").first.wait_for()
    page.keyboard.press("/")
    assert fits(page)
    assert not page.locator("main b, dialog b").count()


@pytest.mark.parametrize("name", ["LONG", "ONE_WORD"])
def test_a_megabyte_is_folded_and_does_not_stop_the_page(name, page, service):
    text = getattr(messages, name)
    service.classify(text)
    row(page, text[:20]).click()
    page.get_by_role("button", name="Show all").wait_for()
    page.locator("#reading").locator(".why table, .blind").locator("visible=true").first.wait_for()
    assert len(page.locator(".text").inner_text()) < 5_000
    page.evaluate(
        "(() => { window.longest = 0; let last = performance.now(); const look = () => {"
        " const now = performance.now(); window.longest = Math.max(window.longest, now - last);"
        " last = now; requestAnimationFrame(look); }; requestAnimationFrame(look); })()"
    )
    page.keyboard.press("m")
    page.wait_for_function("document.querySelectorAll('.text .piece').length === 2")
    page.get_by_role("button", name="Show all").click()
    page.locator(".more").wait_for(state="hidden")
    shown = page.locator(".text").evaluate("(one) => one.textContent.length")
    assert shown == len(text)
    time.sleep(0.2)
    # Generous: the machine does other work too. A page that lays it all out at once takes longer.
    assert page.evaluate("window.longest") < 2_000
    assert fits(page)


def test_a_thousand_texts_are_bounded(page, service):
    service.classify(*(f"prize {k}" for k in range(1000)))
    page.locator("[role=option]:visible").nth(50).wait_for()
    assert page.locator("[role=option]").count() <= 100
