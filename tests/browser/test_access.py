"""Keys and scopes: asked for when needed, kept in the tab, explained when they are too small."""

import subprocess
import sys

import pytest

from .acting import answer, choose, view, wait_answer, wait_said, wait_text


@pytest.fixture
def keyed(model, serve):
    """A service with keys of two scopes: its address, and the keys by scope."""
    keys = {}
    for scope in ("predict", "correct"):
        command = [sys.executable, "-m", "hardlimit", "key", "add", str(model), f"the-{scope}-one"]
        made = subprocess.run(
            [*command, "--scope", scope], check=True, capture_output=True, text=True
        )
        keys[scope] = made.stdout.strip().split()[-1]
    service = serve(model)
    service.key = keys["correct"]
    return service, keys


def test_a_key_is_asked_for_and_kept_in_the_tab(keyed, tabs):
    service, keys = keyed
    service.classify("win a prize")
    page = tabs.open(service.url)
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("answers only those who have a key").wait_for()
    dialog.get_by_text("hardlimit key add MODEL NAME --scope correct").wait_for()
    box = dialog.locator("input")
    box.fill("a wrong one")
    box.press("Enter")
    page.get_by_text("does not know this key").wait_for()
    page.get_by_role("dialog").locator("input").fill(keys["correct"])
    page.keyboard.press("Enter")
    choose(page, "win a prize")
    page.keyboard.press("1")
    wait_answer(page, "ham")
    assert service.ask("log")["entries"][0]["author"] == "the-correct-one"
    page.reload()
    choose(page, "win a prize")
    assert keys["correct"] not in page.evaluate("JSON.stringify(localStorage)")
    page.keyboard.press("?")
    page.get_by_role("button", name="Forget the key").click()
    page.get_by_role("dialog").locator("input[type=password]").wait_for()


def test_a_key_of_a_smaller_scope_is_told_so(keyed, tabs):
    service, keys = keyed
    page = tabs.open(service.url)
    page.get_by_role("dialog").locator("input").fill(keys["predict"])
    page.keyboard.press("Enter")
    wait_text(page.locator("#trouble"), 'Its scope is "predict", and this wants "correct".')
    # Of what may not be seen, the page does not claim that there is nothing.
    for name in ("Log", "Least certain", "Inbox"):
        view(page, name)
        page.get_by_text("may not do this, so there is nothing to see here").locator(
            "visible=true"
        ).wait_for()
        assert not page.get_by_text("No text was classified").is_visible()
    # Told once, not at every look.
    page.evaluate(
        "(() => { window.told = 0; new MutationObserver(() => { window.told += 1; }).observe("
        "document.querySelector('#trouble'),"
        " { attributeFilter: ['hidden'], childList: true }); })()"
    )
    page.wait_for_timeout(2_500)
    assert page.evaluate("window.told") == 0
    page.locator("#compose-text").fill("win a prize")
    page.keyboard.press("Control+Enter")
    wait_said(page, "Classified: spam")
    # It may classify and explain all the same.
    page.locator("#reading .why table").first.wait_for()
    assert answer(page) == "spam"


def test_without_a_key_nothing_is_asked_again_and_again(keyed, tabs):
    service, _ = keyed
    page = tabs.open(service.url)
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Give a key").wait_for()
    assert not page.get_by_text("No text was classified").is_visible()
    page.wait_for_timeout(3_000)
    assert page.get_by_role("dialog").count() == 0
    page.get_by_role("button", name="Give a key").click()
    page.get_by_role("dialog").wait_for()


def test_a_model_that_is_read_only_is_shown_as_such(model, serve, tabs):
    service = serve(model, "--read-only")
    service.classify("win a prize")
    page = tabs.open(service.url)
    page.get_by_text("read only").wait_for()
    choose(page, "win a prize")
    assert page.get_by_role("button", name="Confirm").is_disabled()
    page.keyboard.press("1")
    page.locator("#say[data-kind=bad]").wait_for()
